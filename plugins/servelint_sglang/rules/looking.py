"""How rules look at a deployment: its servers and pairs, their options, variables and versions.

What is not known is None, or ``some``: a rule that wants a proof stays silent then.
"""

from __future__ import annotations

import re

from servelint.api import Affected, Place, Release, in_range, parse_version
from servelint_sglang.tables import engine_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from packaging.version import Version

    from servelint.api import Component, Deployment, Env, Flag

PREFILL = ("prefill", "both")
DECODE = ("decode", "both")

ANY_NAME = "*"
"""The name of a variable that stands for all that an unread file may set."""

_NUMBER = re.compile(r"(?P<digits>[0-9][0-9_]*(?P<part>\.[0-9]+)?)(?P<unit>[kMGT]|[KMGT]i|)\Z")
_UNITS = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_BINARY = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}


# -- servers ------------------------------------------------------------------


def servers(deployment: Deployment) -> Iterator[Component]:
    """The servers of this engine."""
    for component in deployment.components:
        if component.engine.id == engine_table()["id"] and component.kind == "server":
            yield component


def halves(deployment: Deployment) -> Iterator[Component]:
    """The servers that are surely half of a pair, or both halves."""
    for component in servers(deployment):
        if component.role in (*PREFILL, *DECODE):
            yield component


def pairs(deployment: Deployment) -> Iterator[tuple[Component, Component]]:
    """Each prefill server with each decode server; a server is no pair with itself."""
    every = tuple(halves(deployment))
    for one in every:
        for other in every:
            if one is not other and one.role in PREFILL and other.role in DECODE:
                yield one, other


def sides(deployment: Deployment) -> tuple[tuple[Component, ...], tuple[Component, ...]]:
    """The servers that compute prompts, and those that write answers."""
    every = tuple(halves(deployment))
    prefills = tuple(one for one in every if one.role in PREFILL)
    return prefills, tuple(one for one in every if one.role in DECODE)


# -- options and variables ----------------------------------------------------


def given(component: Component, name: str) -> Flag | None:
    """The option as it is given, or None."""
    return component.invocation.last(name)


def text_of(component: Component, name: str) -> str | None:
    """The text of an option, its default where it is surely not given; None: not known."""
    flag = given(component, name)
    if flag is not None:
        return "true" if flag.value is None else flag.value.text
    return None if component.invocation.open else component.engine.defaults.get(name, "")


def is_absent(component: Component, name: str) -> bool:
    """True for an option that is surely not given."""
    return given(component, name) is None and not component.invocation.open


def variable(component: Component, name: str) -> Env | None:
    """The variable that counts: the nearest setting."""
    return next((one for one in reversed(component.env) if one.name == name), None)


def is_unset(component: Component, name: str) -> bool:
    """True for a variable that surely nothing of what was read sets."""
    return all(one.name not in (name, ANY_NAME) for one in component.env)


def switch(component: Component, name: str) -> str:
    """A variable that switches something: ``on``, ``off``, ``unset``, ``odd`` or ``unknown``.

    ``odd`` is a word that the engine does not understand: it takes it for the default.
    """
    env = variable(component, name)
    if env is None:
        return "unset" if is_unset(component, name) else "unknown"
    if env.value.text is None:
        return "unknown"
    return {True: "on", False: "off", None: "odd"}[truth(component, env.value.text)]


def truth(component: Component, text: str) -> bool | None:
    """How the engine reads a word of a switch; None for one that means the default."""
    truths = component.engine.truths
    if text.lower() in truths.get("true", ()):
        return True
    return False if text.lower() in truths.get("false", ()) else None


def number(text: str | None) -> int | None:
    """A number of tokens as the engine reads it: ``1_000``, ``25.6k``, ``1Ki``; None for others."""
    match = _NUMBER.match(text or "")
    if match is None or (match["part"] and match["unit"] not in ("k", "M", "G", "T")):
        return None
    factor = _BINARY.get(match["unit"]) or _UNITS[match["unit"]]
    return int(float(match["digits"].replace("_", "")) * factor)


def number_of(component: Component, name: str) -> int | None:
    """The number of an option that is given; None where it is not, or not known."""
    flag = given(component, name)
    return number(flag.value.text) if flag is not None and flag.value is not None else None


# -- versions -----------------------------------------------------------------


def version(component: Component) -> Version | None:
    """The one version that surely runs; None where it is not known, or several may run."""
    resolution = component.resolution
    if len(resolution.candidates) != 1 or resolution.reason:
        return None
    (only,) = resolution.candidates
    return parse_version(only.version) if isinstance(only, Release) else None


def within(component: Component, introduced: str = "", fixed: str = "") -> str:
    """Whether ``introduced <= version < fixed``: ``yes``, ``no`` or ``some``.

    ``some`` also where the version is not known.
    """
    resolution = component.resolution
    if resolution.reason or not resolution.candidates:
        return "some"
    window = Affected(introduced, fixed, ())
    return in_range(resolution.candidates, window, component.engine.releases)


def surely(component: Component, introduced: str = "", fixed: str = "") -> str:
    """As :func:`within`; ``some`` too where the evidence for the version could clear nothing."""
    return within(component, introduced, fixed) if component.resolution.clears else "some"


# -- places -------------------------------------------------------------------


def flag_place(component: Component, flag: Flag) -> Place:
    """Where an option is written."""
    return Place(flag.written.span, component.owner, flag.written.written, "flag")


def env_place(env: Env) -> Place:
    """Where a variable is set."""
    return Place(env.span, env.owner, f"{env.name}={env.value.written}", "env")


def launch_place(component: Component) -> Place:
    """Where a server is started."""
    launch = component.invocation.launch
    return Place(launch.span, launch.owner, component.invocation.program, "launch")


def as_peers(places: Iterable[Place]) -> tuple[Place, ...]:
    """Places of the other half of a pair."""
    return tuple(Place(one.span, one.route, one.text, "peer") for one in places)


def where(component: Component, *names: str) -> tuple[Place, ...]:
    """Where options are written, and where the server is started."""
    flags = (given(component, name) for name in names)
    places = (flag_place(component, flag) for flag in flags if flag is not None)
    return (*places, launch_place(component))
