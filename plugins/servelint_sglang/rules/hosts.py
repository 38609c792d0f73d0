"""Where a server runs and from where it is reached, as far as manifests tell."""

from __future__ import annotations

import re

from servelint.api import Place, Route
from servelint_sglang.rules.looking import given, is_absent, text_of
from servelint_sglang.tables import engine_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Component, Flag, Setting, Value

BOOTSTRAP = "--disaggregation-bootstrap-port"

PUBLISHED = "published-port"
HOST_NETWORK = "host-network"
NETWORK_POLICY = "network-policy"
PRIVILEGED = "privileged"

_HTTP = re.compile(r".*\blaunch_server(?:\.py)?|.*\bsglang serve")
"""Programs that serve HTTP on --host and --port; others only pass these options on."""

_LOOPBACK = re.compile(r"127\.[\d.]+|localhost|\[?::1\]?")


def serves_http(component: Component) -> bool:
    """True for a server with an HTTP port of its own."""
    return _HTTP.fullmatch(component.invocation.program) is not None


def bootstrap_port(component: Component) -> str | None:
    """The port on which prefill tells decode its addresses; None where it is not known.

    Programs around the server choose one themselves where none is given.
    """
    if given(component, BOOTSTRAP) is not None:
        return text_of(component, BOOTSTRAP)
    default: str = engine_table()["defaults"][BOOTSTRAP]
    return default if is_absent(component, BOOTSTRAP) and serves_http(component) else None


def is_loopback(component: Component) -> bool | None:
    """Whether a server listens on its own machine only, as it does by default; None: not known."""
    flag = given(component, "--host")
    if flag is None:
        closed = is_absent(component, "--host") and component.invocation.launch.form == ""
        return True if closed else None
    text = flag.value.text if flag.value is not None else None
    return None if text is None else _LOOPBACK.fullmatch(text) is not None


def settings(component: Component, key: str) -> Iterator[Setting]:
    """What is set around a server under a key."""
    return (one for one in component.settings if one.key == key)


def setting_place(setting: Setting) -> Place:
    """Where something is set."""
    return Place(setting.span, setting.owner, setting.value.written, "value")


def pod(component: Component) -> tuple[Route, str]:
    """What shares one network address with a server, and in which words: a pod or a service."""
    steps = component.owner.steps
    for key, size in (("containers", 0), ("services", 2)):
        if key in steps:
            return Route(component.owner.unit, steps[: steps.index(key) + size]), key
    return component.owner, ""


def words_after(component: Component, flag: Flag) -> tuple[Value, ...]:
    """The words that stand behind an option, up to the next one."""
    argv = component.invocation.launch.argv
    start = next((at for at, word in enumerate(argv) if word is flag.written), len(argv))
    rest = argv[start + 1 :]
    ends = (at for at, word in enumerate(rest) if word.written.startswith("-"))
    return rest[: next(ends, len(rest))]
