"""Texts as the evaluator holds them: pieces that know where they were written."""

from __future__ import annotations

import re
from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Place = tuple[int, int]
"""A half-open range of the text that is read."""

MAX_VIA = 8
"""Places that a piece remembers on its way; the nearest ones are kept."""

MAX_LENGTH = 100_000
"""Characters of a text that are worked with."""

MAX_PIECES = 2000
"""Pieces of a text that are worked with."""

_HOLE = "\ue000"
"""Stands for a piece that is not known."""

_FEW = 16
"""A text of no more pieces is not measured: each of them stands in the file."""

_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of a text: known, a ``name`` that is open, or unknown for a ``reason``.

    ``at`` is where it is written, ``via`` the expressions that it came through,
    the nearest last. For an open or unknown piece ``text`` is how it is written.
    """

    text: str
    at: Place | None = None
    via: tuple[Place, ...] = ()
    name: str = ""
    reason: str = ""
    default: tuple[Piece, ...] | None = None

    @property
    def known(self) -> bool:
        """True for a piece whose text is what it stands for."""
        return not self.name and not self.reason

    @property
    def even(self) -> bool:
        """True for a known piece that stands in the file character by character."""
        return self.known and self.at is not None and self.at[1] - self.at[0] == len(self.text)


Pieces = tuple[Piece, ...]


def known_text(pieces: Pieces) -> str | None:
    """The whole text, or None when a piece of it is not known."""
    for piece in pieces:
        if piece.name or piece.reason:
            return None
    return "".join([piece.text for piece in pieces])


def written(pieces: Pieces) -> str:
    """The text with open and unknown pieces as they are written."""
    return "".join([piece.text for piece in pieces])


def through(piece: Piece, place: Place) -> Piece:
    """The piece after it passed the expression at ``place``; inside it, it only stands there."""
    if piece.at is not None and place[0] <= piece.at[0] and piece.at[1] <= place[1]:
        return piece
    if piece.via and piece.via[-1] == place:
        return piece
    via = (*piece.via, place)[-MAX_VIA:]
    return Piece(piece.text, piece.at, via, piece.name, piece.reason, piece.default)


def cut(piece: Piece, start: int, end: int) -> Piece:
    """A run of a known piece."""
    if start == 0 and end == len(piece.text):
        return piece
    at = piece.at
    if at is not None and piece.even:
        at = (at[0] + start, at[0] + end)
    text = piece.text[start:end]
    return Piece(text, at, piece.via, piece.name, piece.reason, piece.default)


def shared(rows: Sequence[Pieces]) -> tuple[int, int]:
    """How many pieces all texts begin with, and how many of the others they end with."""
    shortest = min(map(len, rows))
    first = rows[0]
    head = 0
    while head < shortest and all(row[head] == first[head] for row in rows):
        head += 1
    tail = 0
    while tail < shortest - head and all(row[-1 - tail] == first[-1 - tail] for row in rows):
        tail += 1
    return head, tail


def shortened(pieces: Pieces) -> Pieces:
    """The text, or how it begins where it is too long to work with."""
    if len(pieces) <= _FEW:
        return pieces
    kept = length = 0
    for piece in pieces[:MAX_PIECES]:
        length += len(piece.text)
        if length > MAX_LENGTH:
            break
        kept += 1
    if kept == len(pieces):
        return pieces
    return (*pieces[:kept], Piece("...", None, (), "", "many-values"))


def split_pieces(pieces: Pieces, blank: re.Pattern[str] = _BLANKS) -> Iterator[Pieces]:
    """The runs between blanks; a piece that is not known belongs to the run around it."""
    run: list[Piece] = []
    for piece in pieces:
        if not piece.known:
            run.append(piece)
            continue
        at = 0
        for match in blank.finditer(piece.text):
            if match.start() > at:
                run.append(cut(piece, at, match.start()))
            if run:
                yield tuple(run)
            run = []
            at = match.end()
        if at < len(piece.text):
            run.append(cut(piece, at, len(piece.text)))
    if run:
        yield tuple(run)


def section(pieces: Pieces, start: int, end: int) -> Pieces:
    """The run ``start:end`` of a known text."""
    found: list[Piece] = []
    offset = 0
    for piece in pieces:
        first, last = max(start - offset, 0), min(end - offset, len(piece.text))
        if first < last:
            found.append(cut(piece, first, last))
        offset += len(piece.text)
    return tuple(found)


def flat_text(pieces: Pieces) -> str:
    """The text with one character for each piece that is not known."""
    return "".join(piece.text if piece.known else _HOLE for piece in pieces)


def flat_section(pieces: Pieces, start: int, end: int) -> Pieces:
    """The run of a text that ``start:end`` of its :func:`flat_text` stands for."""
    found: list[Piece] = []
    offset = 0
    for piece in pieces:
        size = len(piece.text) if piece.known else 1
        first, last = max(start - offset, 0), min(end - offset, size)
        if first < last:
            found.append(cut(piece, first, last) if piece.known else piece)
        offset += size
    return tuple(found)


def stripped(pieces: Pieces, marks: str | None, *, left: bool = True, right: bool = True) -> Pieces:
    """The text without leading and trailing ``marks``; unknown pieces end the search."""
    kept = list(pieces)
    while left and kept and kept[0].known:
        rest = kept[0].text.lstrip(marks)
        if rest:
            kept[0] = cut(kept[0], len(kept[0].text) - len(rest), len(kept[0].text))
            break
        kept.pop(0)
    while right and kept and kept[-1].known:
        rest = kept[-1].text.rstrip(marks)
        if rest:
            kept[-1] = cut(kept[-1], 0, len(rest))
            break
        kept.pop()
    return tuple(kept)


def remade(text: str, pieces: Iterable[Piece]) -> Pieces:
    """A known text that was computed from ``pieces``: it came through all their places."""
    places: dict[Place, None] = {}
    for piece in pieces:
        if piece.at is not None:
            places[piece.at] = None
        places.update(dict.fromkeys(piece.via))
    return (Piece(text, None, tuple(places)[-MAX_VIA:]),)
