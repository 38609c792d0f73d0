"""What words are after expansion: fields, which may be one of several readings.

The shell's own word for a word after expansion is *field*. A field has one or
more readings, each a tuple of pieces; every piece keeps the place where it is
written and the places that it came through, all as offsets of the text.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

Place = tuple[int, int]

MAX_ALTERNATIVES = 24
"""Readings that are kept while a text is evaluated; a field with more is ``many-values``."""

MAX_PIECES = 400
"""A reading of more pieces is a runtime value: such texts are made to grow."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a field: known text, an open ``name``, or unknown for a ``reason``.

    ``text`` is the text, or how the name or the unknown is written. ``at`` is
    where it is written, None for what no text says; ``via`` the expansions
    that it came through, first to last. ``many``: it may be any number of
    fields; of known text, it may be missing.
    """

    text: str
    at: Place | None
    via: tuple[Place, ...] = ()
    name: str = ""
    reason: str = ""
    default: tuple[Piece, ...] | None = None
    many: bool = False

    @property
    def known(self) -> bool:
        """True for text."""
        return not (self.name or self.reason)


MAX_VIA = 8
"""Expansions that a piece remembers; of more, the first ones and the last."""

Reading = tuple[Piece, ...]
Field = tuple[Reading, ...]


def literal(text: str, at: Place | None) -> Field:
    """A field that is exactly ``text``."""
    return ((Piece(text, at),),)


def unknown_field(text: str, at: Place | None, reason: str = "runtime-value") -> Field:
    """A field of which only the writing is known."""
    return ((Piece(text, at, reason=reason),),)


def open_field(name: str, text: str, at: Place | None, default: Reading | None = None) -> Field:
    """A field that is an open name."""
    return ((Piece(text, at, name=name, default=default),),)


def reading_text(reading: Reading) -> str | None:
    """The text of a reading, or None when it is not wholly known."""
    for piece in reading:  # asked of every word many times
        if piece.name or piece.reason:
            return None
    return reading[0].text if len(reading) == 1 else "".join([piece.text for piece in reading])


def field_text(field: Field) -> str | None:
    """The one text that a field is, or None."""
    if len(field) == 1:
        return reading_text(field[0])
    texts = {reading_text(reading) for reading in field}
    return texts.pop() if len(texts) == 1 else None


def written(field: Field) -> str:
    """The first reading as it is written."""
    return "".join(piece.text for piece in field[0]) if field else ""


def is_many(field: Field) -> bool:
    """True when the field may be any number of fields."""
    for reading in field:
        for piece in reading:
            if piece.many:
                return True
    return False


def optional(field: Field) -> Field:
    """The field as one that may be missing from its list."""
    if is_many(field):
        return field
    return tuple(
        tuple(replace(piece, many=True) for piece in reading) or (Piece("", None, many=True),)
        for reading in field
    )


def one_field(field: Field) -> Field:
    """The field where nothing is split: in an assignment it is one text, whatever it holds."""
    if not is_many(field):
        return field
    return tuple(tuple(replace(piece, many=False) for piece in reading) for reading in field)


def is_known(field: Field) -> bool:
    """True when every reading is text, be it that the field may be missing."""
    return all(piece.known for reading in field for piece in reading)


def through(field: Field, place: Place) -> Field:
    """The field as it comes out of the expansion at ``place``."""
    return tuple(reading_through(reading, place) for reading in field)


def reading_through(reading: Reading, place: Place) -> Reading:
    """The reading as it comes out of the expansion at ``place``."""
    return tuple([_moved(piece, place) for piece in reading])


def _moved(piece: Piece, place: Place) -> Piece:
    default = reading_through(piece.default, place) if piece.default else piece.default
    at, via = (
        (place, piece.via) if piece.at is None else (piece.at, (*piece.via[: MAX_VIA - 1], place))
    )
    return Piece(piece.text, at, via, piece.name, piece.reason, default, piece.many)


def union(fields: Iterable[Field]) -> Field:
    """A field that is any of ``fields``."""
    readings = tuple(dict.fromkeys(reading for field in fields for reading in field))
    if len(readings) > 1 and (len(readings) > MAX_ALTERNATIVES or _given_up(readings)):
        return unknown_field(written(readings[:1]), None, "many-values")
    return readings


def in_a_row(fields: Iterable[Field], separator: Field, place: Place) -> Field:
    """Fields as one text; one that may be missing is there or not."""
    parts: list[Field] = []
    for field in fields:
        if not parts and is_many(field) and is_known(field):
            return unknown_field(written(field), place)
        behind = product((separator, field), place) if parts else field
        parts.append(union((((),), behind)) if is_many(field) and is_known(field) else behind)
    return product(parts, place) if parts else literal("", place)


def _given_up(field: Field) -> bool:
    """True when too many readings were met before: then one more does not matter."""
    for reading in field:
        for piece in reading:
            if piece.reason == "many-values":
                return True
    return False


def product(fields: Iterable[Field], place: Place) -> Field:
    """The fields side by side, every combination of their readings."""
    parts = tuple(fields)
    if len(parts) == 1:
        return parts[0]
    readings: Field = ((),)
    for field in parts:
        readings = tuple(left + right for left in readings for right in field)
        if len(readings) > MAX_ALTERNATIVES:
            return unknown_field("".join(map(written, parts)), place, "many-values")
        if len(readings[0]) > MAX_PIECES:
            return unknown_field(written(readings[:1])[:80], place)
    return readings


def nonempty(reading: Reading) -> bool:
    """True when some text of the reading is known not to be empty."""
    return any(piece.known and piece.text for piece in reading)
