"""Splitting at blanks: where the fields of a word begin and end."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from servelint.syntax.bash_fields import Piece, literal, product, union
from servelint.syntax.bash_state import join_fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from servelint.syntax.bash_fields import Field, Place, Reading
    from servelint.syntax.bash_state import Fields

BLANKS = " \t\n"
"""What separates fields unless the text says otherwise."""

BLANK = re.compile(r"[ \t\n]+")
SPECIAL = re.compile(r"[ \t\n{*?]")
"""What an unquoted text cannot hold to be taken as it stands."""


@dataclass(frozen=True, slots=True)
class Segment:
    """What one atom gives: fields, blanks at either end, and whether it keeps a word alive."""

    fields: Fields
    lead: bool = False
    trail: bool = False
    keep: bool = False


class Made:
    """Fields in the making: segments side by side, cut where blanks were."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._done: list[Field] = []
        self._parts: list[Field] = []
        self._keep = False

    def add(self, segment: Segment) -> None:
        """Put a segment behind what is there."""
        if segment.lead:
            self._cut()
        for index, field in enumerate(segment.fields):
            if index:
                self._cut()
            self._parts.append(field)
        self._keep = self._keep or segment.keep
        if segment.trail:
            self._cut()

    def done(self) -> Fields:
        """The fields of all segments."""
        self._cut()
        return tuple(self._done)

    def _cut(self) -> None:
        if self._parts or self._keep:
            parts = self._parts or (literal("", self._place),)
            self._done.append(product(parts, self._place))
        self._parts, self._keep = [], False


def side_by_side(segments: Sequence[Segment]) -> Segment:
    """Segments of separate fields as one; an empty one at an end still separates."""
    if not segments:
        return Segment(())
    if len(segments) == 1:
        return segments[0]
    fields = tuple(field for segment in segments for field in segment.fields)
    first, last = segments[0], segments[-1]
    return Segment(fields, first.lead or not first.fields, last.trail or not last.fields)


def path_names(field: Field) -> Field:
    """The field with patterns of file names as runtime values: the files are not looked at.

    A pattern in an option or an address is left: nobody has files of such names.
    """
    if not any("*" in piece.text or "?" in piece.text for reading in field for piece in reading):
        return field
    return tuple(tuple(map(_matched, reading)) for reading in field)


def _matched(piece: Piece) -> Piece:
    pattern = piece.known and ("*" in piece.text or "?" in piece.text)
    if not pattern or "=" in piece.text or "://" in piece.text:
        return piece
    return replace(piece, reason="runtime-value", many=True)


def split_field(field: Field, place: Place, *, alone: bool) -> Segment:
    """A field cut at blanks; of several readings the words are put together.

    ``alone``: the field is all that its word holds. Beside other text, several
    readings that fall into several fields cannot be told apart.
    """
    cuts = [_split_reading(reading) for reading in field]
    if len(cuts) == 1:
        return cuts[0]
    if all(len(cut.fields) == 1 and not (cut.lead or cut.trail) for cut in cuts):
        return Segment((union(cut.fields[0] for cut in cuts),))
    if alone:
        fields: Fields = ()
        for cut in cuts:
            fields = join_fields(fields, cut.fields)
        return Segment(fields)
    if any(len(cut.fields) > 1 for cut in cuts):
        text = "".join(piece.text for piece in field[0])
        return Segment((((Piece(text, place, reason="many-values", many=True),),),))
    return Segment((union(cut.fields[0] if cut.fields else ((),) for cut in cuts),))


def _split_reading(reading: Reading) -> Segment:
    fields: list[Field] = []
    parts: list[Piece] = []
    lead = trail = False
    for piece in reading:
        if not piece.known:
            parts.append(replace(piece, many=True))
            trail = False
            continue
        at = 0
        for match in (*BLANK.finditer(piece.text), None):
            end = match.start() if match else len(piece.text)
            if end > at:
                parts.append(_matched(_slice(piece, at, end)))
                trail = False
            if match is None:
                break
            lead = lead or not (fields or parts)
            trail = True
            if parts:
                fields.append((tuple(parts),))
                parts = []
            at = match.end()
    if parts:
        fields.append((tuple(parts),))
    return Segment(tuple(fields), lead, trail)


def _slice(piece: Piece, start: int, end: int) -> Piece:
    """A part of a piece, with the part of its place when that is as long as the text."""
    if (start, end) == (0, len(piece.text)):
        return piece
    at = piece.at
    if at is not None and at[1] - at[0] == len(piece.text):
        at = (at[0] + start, at[0] + end)
    return replace(piece, text=piece.text[start:end], at=at)
