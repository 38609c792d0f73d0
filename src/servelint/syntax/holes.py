"""Holes in a text for readers that know template actions and not the signs around a hole."""

from __future__ import annotations

import re

from servelint.source import Segment
from servelint.syntax.interpolation import HOLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.source import Source

_HOLE = re.compile(rf"{HOLE[0]}([^{HOLE[1]}]*){HOLE[1]}")
_BRACES = str.maketrans("{}\n", "() ")


def as_actions(source: Source) -> Source:
    """The text with each hole written as ``{{ ... }}``, every character with its place."""
    text, pieces, at = "", [], 0
    for hole in _HOLE.finditer(source.text):
        before, action = source.text[at : hole.start()], _action(hole[1])
        pieces.append(Segment(len(text), len(text) + len(before), at, hole.start()))
        text += before
        pieces.append(Segment(len(text), len(text) + len(action), *hole.span()))
        text += action
        at = hole.end()
    if not pieces:
        return source
    rest = source.text[at:]
    pieces.append(Segment(len(text), len(text) + len(rest), at, len(source.text)))
    full = [piece for piece in pieces if piece.start < piece.end]
    return source.embed(text + rest, full, source.language)


def _action(writing: str) -> str:
    inner = writing.strip().removeprefix("{{").removesuffix("}}").strip(" -")
    return f"{{{{ {inner.translate(_BRACES)} }}}}"
