"""What the steps of a build did to the engine.

A step is harmless only when every command of it is known to be: what may change the
engine, may have changed it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from packaging.version import InvalidVersion, Version

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from servelint.api import Inside
    from servelint_registry.configuration import Step

UNKNOWN = "?"
"""The version after a step that may have changed it."""

LONGEST = 20_000
"""Characters of a step: a longer one is not read."""

LONGEST_VALUE = 200

_HARMLESS = frozenset(
    {
        *("adduser", "apt", "apt-get", "cd", "chgrp", "chmod", "chown", "echo", "export"),
        *("groupadd", "ldconfig", "locale-gen", "ls", "mkdir", "printf", "rm", "set"),
        *("touch", "true", "update-ca-certificates", "useradd", "usermod"),
    }
)
_QUIET_STEPS = frozenset(
    {
        *("ARG", "CMD", "ENTRYPOINT", "ENV", "EXPOSE", "HEALTHCHECK", "LABEL", "MAINTAINER"),
        *("ONBUILD", "SHELL", "STOPSIGNAL", "USER", "VOLUME", "WORKDIR"),
    }
)
_LIBRARIES = ("/usr/lib/python3", "/usr/local/lib/python3", "/usr/lib64/python3")
_ABOVE = ("/opt", "/root/.local", "/home")
"""Where environments of Python lie: a copy over one of these, or above it, may hold one."""

_SHELL = re.compile(r"(?:\|\d+ .*?)?(?:/bin/(?:ba)?sh (?:-?\w+ ){0,4}?-\w*c )", re.DOTALL)
_OLD_STEP = re.compile(r"/bin/sh -c #\(nop\)\s+")
_COMMANDS = re.compile(r"&&|\|\||[;|\n]")


@dataclass(frozen=True, slots=True)
class Value:
    """A version, a commit, or both, as a label or an argument gives them."""

    version: str = ""
    commit: str = ""


def read_value(text: str, inside: Inside) -> Value:
    """What a value says; nothing for one that fits no form."""
    if len(text) <= LONGEST_VALUE and not text.startswith(inside.home_values):
        for form in _forms(inside.forms):
            match = form.fullmatch(text)
            if match is not None:
                groups = match.groupdict()
                return Value(_normal(groups.get("version")), groups.get("commit") or "")
    return Value()


def _normal(version: str | None) -> str:
    """A version (PEP 440) in its normal form; empty for none."""
    try:
        return str(Version(version or ""))
    except InvalidVersion:
        return ""


def version_of(steps: Sequence[Step], inside: Inside) -> str:
    """The version that the steps of a build name; empty for none, or :data:`UNKNOWN`."""
    version = ""
    for step in steps:
        if not step.is_empty:
            pin = _pin(step.text, inside)
            told = pin or _argument(step.text, inside)
            version = told or (UNKNOWN if _may_change(step.text, inside) else version)
    return version


def version_after(version: str, steps: Sequence[Step], inside: Inside) -> str:
    """What became of a version that is sure; :data:`UNKNOWN` when it is no longer sure.

    Arguments do not help here: whoever builds upon an image may name them alike.
    """
    for step in steps:
        if not step.is_empty and _may_change(step.text, inside):
            pin = _pin(step.text, inside)
            version = pin if pin and pin != version else UNKNOWN
    return version


def _pin(text: str, inside: Inside) -> str:
    """The one version that a step installs by name; :data:`UNKNOWN` for several."""
    pins = {found for one in _pins(inside.packages) for found in one.findall(text[:LONGEST])}
    if len(pins) > 1:
        return UNKNOWN
    return read_value(pins.pop(), inside).version or UNKNOWN if pins else ""


def _argument(text: str, inside: Inside) -> str:
    """The version that BuildKit wrote in front of the command; :data:`UNKNOWN` for a branch."""
    match = _SHELL.match(text[:LONGEST])
    head = match[0] if match is not None and text.startswith("|") else ""
    given = dict(pair.split("=", 1) for pair in head.split() if "=" in pair)
    if any(given.get(name) == value for name, value in inside.voiding_args.items()):
        return UNKNOWN
    values = {given[name] for name in inside.build_args if given.get(name)}
    if not values:
        return ""
    versions = {read_value(value, inside).version for value in values}
    return versions.pop() or UNKNOWN if len(versions) == 1 else UNKNOWN


def _may_change(text: str, inside: Inside) -> bool:
    """Whether a step can have changed the engine, as far as its text tells."""
    if len(text) > LONGEST:
        return True
    text = _OLD_STEP.sub("", text, count=1)
    word, _, rest = text.strip().partition(" ")
    if word in ("COPY", "ADD"):
        return _covers(rest.removesuffix("# buildkit").split()[-1:], inside)
    if word in _QUIET_STEPS:
        return False
    command = text.strip().removeprefix("RUN ").removesuffix("# buildkit")
    command = _SHELL.sub("", command, count=1)
    names = (inside.module, *inside.trees, "site-packages", "dist-packages", "`", "$(")
    if not command.strip() or any(name in command for name in names):
        return True
    return any(_program(part) not in _HARMLESS for part in _COMMANDS.split(command))


def _program(command: str) -> str:
    words = command.replace("\\", " ").split()
    return words[0] if words else "true"


def _covers(words: Sequence[str], inside: Inside) -> bool:
    """Whether a copy to somewhere can reach the engine."""
    target = words[0].strip("\"'[],") if words else ""
    if not target.startswith("/") or "$" in target or inside.module in target:
        return True
    target = target.rstrip("/")
    kept = (*inside.trees, *_LIBRARIES)
    below = any(f"{target}/".startswith((f"{place}/", place)) for place in kept)
    above = any(f"{place}/".startswith(f"{target}/") for place in (*kept, *_ABOVE))
    return below or above


@cache
def _forms(texts: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(text, re.ASCII) for text in texts)


@cache
def _pins(packages: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """``package[extra]==version`` as commands that install write it."""
    return tuple(
        re.compile(
            rf"(?<![\w./-]){re.escape(name)}(?:\[[^\]\s]{{0,200}}\])?==([\w.+!]{{1,50}})", re.ASCII
        )
        for name in packages
    )
