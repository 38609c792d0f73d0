"""Fields of a shell text as values with the places that they came through."""

from __future__ import annotations

from itertools import pairwise

from servelint.source import Span
from servelint.syntax.bash_fields import written
from servelint.syntax.parts import joined
from servelint.value import MAX_READINGS, Open, Text, Unknown, Value, unknown

MAX_GAP = 80
"""Characters between two words that stand together: blanks, quotes, a line end and its indent."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from servelint.source import Source
    from servelint.syntax.bash_fields import Field, Piece, Place, Reading
    from servelint.value import Part, Parts


class Values:
    """Makes values from fields, in the coordinates of the file of ``source``."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def value(self, field: Field, place: Place) -> Value:
        """What is known of a field that stands at ``place``."""
        span = self._source.span(*place)
        if len(field) == 1:
            reading = field[0]
            if len(reading) == 1 and (piece := reading[0]).known and not piece.via:
                return Value(((Text(piece.text),),), span)
            return Value((self._parts(field[0], place),), span)
        readings = tuple(dict.fromkeys(self._parts(reading, place) for reading in field))
        if len(readings) > MAX_READINGS:
            return unknown("many-values", written(field), span)
        return Value(readings, span)

    def _parts(self, reading: Reading, place: Place) -> Parts:
        return joined(self._part(piece, place) for piece in reading)

    def _part(self, piece: Piece, place: Place) -> Part:
        trail = self._trail(piece, place)
        if piece.name:
            default = None if piece.default is None else self._parts(piece.default, place)
            return Open(piece.name, piece.text, trail, default, splits=piece.many)
        if piece.reason:
            return Unknown(piece.reason, piece.text, trail)
        return Text(piece.text, trail)

    def _trail(self, piece: Piece, place: Place) -> tuple[Span, ...]:
        """Where a piece came through, the nearest place first; nothing inside the word itself."""
        if not piece.via:
            return ()
        places = (*reversed(piece.via), piece.at)
        return tuple(
            dict.fromkeys(
                self._source.span(*at)
                for at in places
                if at is not None and not (place[0] <= at[0] and at[1] <= place[1])
            )
        )


def launch_span(source: Source, places: Sequence[Place]) -> Span:
    """Where the words of a command stand: as far as they follow each other.

    Words of a text that was put together stand in several places. Those in the
    file of ``source`` tell where to look, before those of a file that it takes in.
    """
    first, last = places[0][0], max(place[1] for place in places)
    whole = source.span(first, last)
    if whole.end - whole.start == last - first or _in_order(source):
        return whole
    runs = _runs([source.span(*place) for place in places])
    own = [run for run in runs if run[0].path == source.path]
    best = max(own, key=len) if own and runs[0][0].path != source.path else runs[0]
    return Span(best[0].path, best[0].start, best[-1].end)


def _in_order(source: Source) -> bool:
    return all(
        left.path == right.path and left.origin_end <= right.origin_start
        for left, right in pairwise(source.origin)
    )


def _runs(spans: Iterable[Span]) -> list[list[Span]]:
    """The spans cut where one does not follow the one before it closely."""
    runs: list[list[Span]] = []
    for span in spans:
        before = runs[-1][-1] if runs else None
        follows = before is not None and before.path == span.path and before.start <= span.start
        if before is not None and follows and span.start - before.end <= MAX_GAP:
            runs[-1].append(span)
        else:
            runs.append([span])
    return runs
