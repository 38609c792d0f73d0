"""The arguments that a server prints when it starts, as a call or as a dictionary.

Neither is evaluated, and of both only the outermost names count: a value may hold anything.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

MAX_VALUE = 300
"""Characters that are kept of a value."""

_TOKEN = re.compile(
    r"""
    (?P<string> '(?:[^'\\]+|\\.?)*+(?:'|\Z) | "(?:[^"\\]+|\\.?)*+(?:"|\Z) )
    | (?P<open> [(\[{] )
    | (?P<close> [)\]}] )
    | (?P<mark> [,=:] )
    | (?P<word> [^\s'"()\[\]{},=:]++ )
    """,
    re.S | re.X,
)
_ESCAPED = re.compile(r"\\(.)", re.S)


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments that were asked for, as text; what is no text, number or word is ``...``.

    ``is_call`` tells the form. Of a dump that is not ``whole``, what is missing says nothing.
    """

    values: Mapping[str, str]
    is_call: bool
    is_whole: bool

    def number(self, name: str) -> int | None:
        """A whole number; None where there is none."""
        text = self.values.get(name, "")
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else None

    def is_set(self, name: str) -> bool:
        """True for a switch that is on."""
        return self.values.get(name) == "True"


def read_arguments(text: str, wanted: Collection[str]) -> Arguments:
    """The arguments of a dump: ``text`` begins with ``ServerArgs(`` or ``{``."""
    items, is_whole = _items(text)
    values: dict[str, str] = {}
    for item in items:
        if len(item) == 3 and item[1] in "=:":
            name = _plain(item[0])
            if name in wanted:
                values.setdefault(name, _plain(item[2]))
    return Arguments(values, not text.startswith("{"), is_whole)


def _items(text: str) -> tuple[list[list[str]], bool]:
    """The first three words of each outermost item, and whether the last one is ended."""
    items: list[list[str]] = []
    item: list[str] = []
    depth = 0
    for token in _TOKEN.finditer(text):
        word = token[0]
        if token.lastgroup == "close":
            depth -= 1
            if not depth:
                return [*items, item], True
            continue
        depth += token.lastgroup == "open"
        if depth == 1 and word == ",":
            items.append(item)
            item = []
        elif len(item) < 3 and (depth == 1 or (depth == 2 and token.lastgroup == "open")):
            item.append("..." if depth == 2 else word)
        if depth == 1 and token.lastgroup == "open":
            item = []
    return [*items, item], False


def _plain(token: str) -> str:
    """A token without its quotes."""
    if token[0] not in "'\"":
        return token[:MAX_VALUE]
    return _ESCAPED.sub(r"\1", token[1:].removesuffix(token[0])[:MAX_VALUE])
