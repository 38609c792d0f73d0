"""How surely the commands of a shell text run: all of them, in order, or nobody knows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from servelint.syntax.straight import is_straight

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

SURELY = "surely"
INNER = "inner"
IN_ORDER = "in-order"

LONGEST = 200_000
"""Characters of a text that is looked at; a longer one says nothing."""

_TO_DIRECTORY = re.compile(r"(?P<before>^|[\s;&|(])(?:cd|pushd)(?=[ \t])", re.MULTILINE)
_HERE = re.compile(r"(?<=[\w\]\"'-])[ \t]+\.(?=[\s;&)]|\Z)")
"""The present directory as an argument; a command of that name stands behind no word."""

_PLAIN_NAME = re.compile(r"\$\{\w+\}", re.ASCII)
_STOPS = re.compile(r"\s*(?:#![^\n]*\n\s*)?set\s+-[a-z]*e[a-z]*\s*(?:-o\s+pipefail\s*)?[;\n&]")
_QUOTED = re.compile(r"'[^']*'|\"(?:\\.|[^\"\\$`])*\"")
_COMMENT = re.compile(r"(?:^|(?<=\s))#[^\n]*", re.MULTILINE)
_JOINED = re.compile(r"\\\r?\n")
_OPENS = re.compile(
    r"(?:^|(?<=[\s;&|({]))(?:if|case|for|while|until|select)(?=[\s;)]|$)|\{(?=\s|$)"
)
_CLOSES = re.compile(r"(?:^|(?<=[\s;&|]))(?:fi|esac|done)(?=[\s;)&|]|$)|(?:^|(?<=[\s;]))\}")
_LEAVES = re.compile(
    r"(?:^|(?<=[\s;&|({]))(?:eval|trap|exit|return|function)(?=[\s;)]|$)"
    r"|\|\||\(\)|`|(?<![&>])&(?![&>])"
)
"""What may leave out the rest of its line, or run it at another time."""


@dataclass(frozen=True, slots=True)
class Course:
    """How a text runs as a whole; where that is not told, its ranges that run in order."""

    whole: str
    in_order: tuple[tuple[int, int], ...] = ()

    def at(self, offset: int) -> str:
        """How surely the command at an offset runs: ``surely``, ``in-order`` or empty."""
        inside = any(start <= offset < end for start, end in self.in_order)
        return self.whole or (IN_ORDER if inside else "")


@lru_cache(maxsize=64)
def course(text: str) -> Course:
    """How a text runs.

    Unlike for an install by name it is no doubt that a command changes the directory: who asks
    here follows that.
    """
    if len(text) > LONGEST:
        return Course("")
    plain = _TO_DIRECTORY.sub(r"\g<before>:", _HERE.sub(" x", _PLAIN_NAME.sub("x", text)))
    if is_straight(plain.replace(";", "\n") if _STOPS.match(plain) else plain):
        return Course(SURELY)
    if "<<" in text:
        return Course("")
    return Course("", tuple(_in_order(text)))


def _in_order(text: str) -> Iterator[tuple[int, int]]:
    """The lines outside of all that may leave them out; quotes and comments are no code."""
    plain = text
    for pattern in (_JOINED, _COMMENT, _QUOTED):
        plain = pattern.sub(lambda match: "x" * len(match[0]), plain)
    at = depth = 0
    for line in plain.splitlines(keepends=True):
        opened = len(_OPENS.findall(line))
        if depth == opened == 0 and not _LEAVES.search(line):
            yield at, at + len(line)
        depth = max(depth + opened - len(_CLOSES.findall(line)), 0)
        at += len(line)
