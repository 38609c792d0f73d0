"""What the runner of GitHub Actions makes of the lines that a step prints.

The rules are those of its own parser: a line is a command when ``::NAME`` is the first that stands
in it, or when ``##[NAME`` stands anywhere, and NAME is known, whatever its case.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

ANNOTATIONS = ("error", "warning", "notice")

KNOWN = {
    *ANNOTATIONS,
    *("debug", "group", "endgroup", "echo", "add-mask", "add-matcher", "remove-matcher"),
    *("set-env", "set-output", "save-state", "add-path", "stop-commands"),
}

SHOWN = 10
"""Annotations of a kind that a step may make."""

LONGEST = 4096
"""Characters of a message."""

_DATA = {"%0D": "\r", "%0A": "\n", "%25": "%"}
_PROPERTY = {"%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ",", "%25": "%"}
_OLD = {"%3B": ";", "%0D": "\r", "%0A": "\n", "%5D": "]", "%25": "%"}


@dataclass(frozen=True)
class Command:
    name: str
    data: str
    properties: dict[str, str] = field(default_factory=dict)

    @property
    def place(self) -> tuple[str, ...]:
        """``(file, line, endLine, col, endColumn)``, as far as the runner keeps them."""
        kept = dict(self.properties)
        if "line" not in kept or kept.get("endLine", kept["line"]) != kept["line"]:
            kept = {name: kept[name] for name in kept if name not in ("col", "endColumn")}
        names = ("file", "line", "endLine", "col", "endColumn")
        return tuple(kept.get(name, "") for name in names)


def lines(printed: str) -> list[str]:
    """Lines as .NET reads them: it knows three ends of a line."""
    return re.split(r"\r\n|\r|\n", printed)


def commands(printed: str) -> list[Command]:
    """Every command, in order; those behind ``stop-commands`` do not count."""
    found: list[Command] = []
    token = ""
    for line in lines(printed):
        known = KNOWN | {token.lower()} if token else KNOWN
        command = _new(line, known) or _old(line, known)
        if command is None:
            continue
        if token:
            token = "" if command.name == token.lower() else token
        elif command.name == "stop-commands":
            token = command.data
        else:
            found.append(command)
    return found


def annotations(printed: str) -> list[Command]:
    """The annotations that GitHub shows: the first ten of each kind."""
    every = [command for command in commands(printed) if command.name in ANNOTATIONS]
    left = dict.fromkeys(ANNOTATIONS, SHOWN)
    shown = []
    for command in every:
        left[command.name] -= 1
        if left[command.name] >= 0:
            shown.append(command)
    return shown


def _new(line: str, known: set[str]) -> Command | None:
    text = line.lstrip()
    end = text.find("::", 2)
    if not text.startswith("::") or end < 0:
        return None
    name, _, rest = text[2:end].partition(" ")
    if name.lower() not in known:
        return None
    properties = _properties(rest.strip().split(","), _PROPERTY)
    return Command(name.lower(), _plain(text[end + 2 :], _DATA), properties)


def _old(line: str, known: set[str]) -> Command | None:
    start = line.find("##[")
    end = line.find("]", start)
    if start < 0 or end < 0:
        return None
    name, _, rest = line[start + 3 : end].partition(" ")
    if name.lower() not in known:
        return None
    return Command(name.lower(), _plain(line[end + 1 :], _OLD), _properties(rest.split(";"), _OLD))


def _properties(parts: list[str], escapes: dict[str, str]) -> dict[str, str]:
    pairs = [part.partition("=") for part in parts]
    return {name: _plain(value, escapes) for name, _, value in pairs if name and value}


def _plain(text: str, escapes: dict[str, str]) -> str:
    for escape, sign in escapes.items():
        text = text.replace(escape, sign)
    return text
