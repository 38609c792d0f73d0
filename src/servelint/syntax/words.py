"""Splitting a text into words where no shell runs: blanks separate, quotes keep together."""

from __future__ import annotations

import re

from servelint.syntax.interpolation import interpolate
from servelint.value import Value, concat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.source import Source, Span

_WORD = re.compile(
    r"""(?:\$\{[^}]*\}|\$\([^)]*\)|\{\{.*?\}\}|[^\s"'\\]|\\.|"(?:\\.|[^"\\])*"|'[^']*')+|["'\\]""",
    re.S,
)
_PIECE = re.compile(
    r""""(?P<double>(?:\\.|[^"\\])*)"|'(?P<single>[^']*)'|(?P<bare>(?:\{\{.*?\}\}|[^"'])+)|["']""",
    re.S,
)


def split_words(source: Source, trail: tuple[Span, ...] = ()) -> Iterator[Value]:
    """The words of a text, each with its span and with the names in it left open."""
    for match in _WORD.finditer(source.text):
        pieces = [
            _piece(source, match.start(), piece, trail) for piece in _PIECE.finditer(match[0])
        ]
        yield concat(pieces, source.span(match.start(), match.end()))


def _piece(source: Source, base: int, piece: re.Match[str], trail: tuple[Span, ...]) -> Value:
    group = piece.lastgroup or 0
    start, end = base + piece.start(group), base + piece.end(group)
    return interpolate(source.slice(start, end, "text"), trail)
