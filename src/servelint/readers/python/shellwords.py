"""``shlex``: splitting and joining as a shell would, with every character's place kept."""

from __future__ import annotations

import re
import shlex

from servelint.readers.python.pieces import (
    Piece,
    Pieces,
    flat_section,
    flat_text,
    known_text,
    remade,
)

_RUN = re.compile(
    r"""(?P<blank>\s+)|'(?P<single>[^']*)'|"(?P<double>(?:[^"\\]|\\.)*)"|\\(?P<escaped>.)"""
    r"""|(?P<bare>[^\s'"\\]+)|(?P<bad>.)""",
    re.S,
)
_IN_DOUBLE = re.compile(r'\\(?P<escaped>["\\])|(?P<bare>[^\\]+|\\)', re.S)


def split_words(pieces: Pieces) -> list[Pieces] | None:
    """The words of ``shlex.split``; None for a text whose quotes do not end."""
    flat = flat_text(pieces)
    words: list[Pieces] = []
    word: list[Piece] | None = None
    for match in _RUN.finditer(flat):
        kind = match.lastgroup
        if kind == "bad":
            return None
        if kind == "blank":
            if word is not None:
                words.append(tuple(word))
            word = None
            continue
        word = word if word is not None else []
        for start, end in _runs(match, kind or ""):
            word.extend(flat_section(pieces, start, end))
    if word is not None:
        words.append(tuple(word))
    return words


def _runs(match: re.Match[str], kind: str) -> list[tuple[int, int]]:
    """The ranges of the flat text that stay, quotes and escapes left out."""
    if kind != "double":
        return [match.span(kind)]
    inside = _IN_DOUBLE.finditer(match.string, *match.span("double"))
    return [part.span(part.lastgroup or 0) for part in inside]


def quote(pieces: Pieces) -> Pieces | None:
    """``shlex.quote``; None when that depends on what is not known."""
    text = known_text(pieces)
    if text is None:
        return None
    made = shlex.quote(text)
    return pieces if made == text else remade(made, pieces)
