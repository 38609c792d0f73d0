"""From the words of a text to fields, as the shell expands them.

Braces first, then parameters, substitutions and arithmetic, then splitting at
blanks outside quotes. Path names are not expanded: what files there are is
nothing that a text says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from servelint.syntax.bash_arith import arithmetic
from servelint.syntax.bash_braces import brace_words, has_braces
from servelint.syntax.bash_fields import (
    MAX_ALTERNATIVES,
    Piece,
    field_text,
    literal,
    product,
    reading_text,
    through,
    union,
    unknown_field,
)
from servelint.syntax.bash_params import Expanded, parameter
from servelint.syntax.bash_state import MAX_FIELDS, join_fields
from servelint.syntax.bash_words import (
    Arithmetic,
    Literal,
    Parameter,
    Substitution,
    Template,
    Tilde,
    Word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from servelint.syntax.bash_fields import Field, Place, Reading
    from servelint.syntax.bash_state import Fields, State
    from servelint.syntax.bash_words import Atom

    Substitute = Callable[[Place, State], Field | None]

_BLANKS = " \t\n"
_BLANK = re.compile(r"[ \t\n]+")


@dataclass(frozen=True, slots=True)
class _Segment:
    """What one atom gives: fields, blanks at either end, and whether it keeps a word alive."""

    fields: Fields
    lead: bool = False
    trail: bool = False
    keep: bool = False


class _Made:
    """Fields in the making: segments side by side, cut where blanks were."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._done: list[Field] = []
        self._parts: list[Field] = []
        self._keep = False

    def add(self, segment: _Segment) -> None:
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
        self._cut()
        return tuple(self._done)

    def _cut(self) -> None:
        if self._parts or self._keep:
            parts = self._parts or (literal("", self._place),)
            self._done.append(product(parts, self._place))
        self._parts, self._keep = [], False


class Expansion:
    """Expands words of ``text`` in ``state``.

    ``substitute`` runs the commands of a substitution and answers what they
    print, or None. ``in_function`` says that declarations are local.
    """

    def __init__(
        self, text: str, state: State, substitute: Substitute, *, in_function: bool = False
    ) -> None:
        self.text = text
        self.state = state
        self.in_function = in_function
        self._substitute = substitute

    def fields(self, word: Word) -> Fields:
        """The fields of a word: none, one or several."""
        if len(word.atoms) == 1 and isinstance(only := word.atoms[0], Literal):
            if only.quoted or not ("{" in only.text or _BLANK.search(only.text)):
                return (literal(only.text, (only.start, only.end)),)
        if not has_braces(word):
            return self._cut(word)
        words = brace_words(word)
        if words is None:
            return (self._unreadable(word, many=True),)
        return self._bounded(word, tuple(field for each in words for field in self._cut(each)))

    def scalar(self, word: Word) -> Field:
        """The one field of a word that is neither split nor brace-expanded."""
        place = (word.start, word.end)
        if not word.atoms:
            return literal("", place)
        parts: list[Field] = []
        for atom in word.atoms:
            expanded = self._expanded(atom, whole=True)
            for index, field in enumerate(expanded.fields):
                parts.extend((literal(" ", (atom.start, atom.end)), field) if index else (field,))
        return product(parts, place) if parts else literal("", place)

    def _unreadable(self, word: Word, *, many: bool) -> Field:
        place = (word.start, word.end)
        text = self.text[word.start : word.end]
        return ((Piece(text, place, reason="runtime-value", many=many),),)

    def _bounded(self, word: Word, fields: Fields) -> Fields:
        if len(fields) > MAX_FIELDS:
            return (self._unreadable(word, many=True),)
        return fields

    def _cut(self, word: Word) -> Fields:
        alone = len(word.atoms) == 1
        made = _Made((word.start, word.end))
        for atom in word.atoms:
            made.add(self._segment(atom, alone=alone))
        return self._bounded(word, made.done())

    def _segment(self, atom: Atom, *, alone: bool) -> _Segment:
        expanded = self._expanded(atom)
        if atom.quoted:
            if expanded.listed:
                return _Segment(expanded.fields)
            place = (atom.start, atom.end)
            return _Segment(expanded.fields or (literal("", place),), keep=True)
        if not expanded.split:
            return _Segment(expanded.fields)
        return self._joined([self._split(field, atom, alone=alone) for field in expanded.fields])

    @staticmethod
    def _joined(segments: Sequence[_Segment]) -> _Segment:
        """Segments of separate fields as one."""
        if not segments:
            return _Segment(())
        fields = tuple(field for segment in segments for field in segment.fields)
        return _Segment(fields, segments[0].lead, segments[-1].trail)

    def _split(self, field: Field, atom: Atom, *, alone: bool) -> _Segment:
        """A field cut at blanks; of several readings the words are put together."""
        if isinstance(atom, Literal) and not _BLANK.search(atom.text):
            return _Segment((field,) if atom.text else ())
        if self._odd_separator(field):
            text = self.text[atom.start : atom.end]
            return _Segment((unknown_field(text, (atom.start, atom.end)),))
        cuts = [_split_reading(reading) for reading in field]
        if all(len(cut.fields) == 1 and not (cut.lead or cut.trail) for cut in cuts):
            return _Segment((union(cut.fields[0] for cut in cuts),))
        if len(cuts) == 1:
            return cuts[0]
        if alone:
            fields: Fields = ()
            for cut in cuts:
                fields = join_fields(fields, cut.fields)
            return _Segment(fields)
        if any(len(cut.fields) > 1 for cut in cuts):
            text = self.text[atom.start : atom.end]
            return _Segment((unknown_field(text, (atom.start, atom.end), "many-values"),))
        return _Segment((union(cut.fields[0] if cut.fields else ((),) for cut in cuts),))

    def _odd_separator(self, field: Field) -> bool:
        """True when ``IFS`` was set and may cut this field elsewhere than at blanks."""
        ifs = self.state.variables.get("IFS")
        if ifs is None or not ifs.fields:
            return False
        separators = field_text(ifs.fields[0])
        if separators == _BLANKS:
            return False
        wanted = {*_BLANKS, *(separators or ",:;|")}
        return any(wanted.intersection(piece.text) for reading in field for piece in reading)

    def _expanded(self, atom: Atom, *, whole: bool = False) -> Expanded:
        place = (atom.start, atom.end)
        match atom:
            case Literal():
                return Expanded((literal(atom.text, place),))
            case Parameter():
                return parameter(self, atom, whole=whole)
            case Substitution():
                found = self._substitute(place, self.state)
                if found is None:
                    found = self._told_at_runtime(place, many=not atom.quoted)
                return Expanded((found,))
            case Arithmetic():
                return Expanded((self._arithmetic(atom),))
            case Tilde():
                return Expanded((self._home(place),), split=False)
            case Template():
                text = self.text[atom.start : atom.end]
                return Expanded((unknown_field(text, place, "template-function"),), split=False)

    def _told_at_runtime(self, place: Place, *, many: bool) -> Field:
        text = self.text[place[0] : place[1]]
        return ((Piece(text, place, reason="runtime-value", many=many),),)

    def _home(self, place: Place) -> Field:
        home = self.state.variables.get("HOME")
        if home is not None and home.fields:
            return through(home.fields[0], place)
        return ((Piece("~", place, name="HOME"),),)

    def _arithmetic(self, atom: Arithmetic) -> Field:
        place = (atom.start, atom.end)
        texts = arithmetic(atom.expression, self.numbers, MAX_ALTERNATIVES)
        if texts is None:
            return self._told_at_runtime(place, many=False)
        return tuple((Piece(text, place),) for text in texts)

    def numbers(self, name: str) -> tuple[str, ...] | None:
        """The texts that a name may have, or None when that is not known."""
        found = parameter(self, Parameter(name, 0, 0)).fields
        if len(found) != 1:
            return None
        texts = [reading_text(reading) for reading in found[0]]
        return None if None in texts else tuple(text or "" for text in texts)


def _split_reading(reading: Reading) -> _Segment:
    fields: list[Field] = []
    parts: list[Piece] = []
    lead = trail = False
    for piece in reading:
        if not piece.known:
            parts.append(replace(piece, many=True))
            trail = False
            continue
        at = 0
        for match in (*_BLANK.finditer(piece.text), None):
            end = match.start() if match else len(piece.text)
            if end > at:
                parts.append(_slice(piece, at, end))
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
    return _Segment(tuple(fields), lead, trail)


def _slice(piece: Piece, start: int, end: int) -> Piece:
    """A part of a piece, with the part of its place when that is as long as the text."""
    if (start, end) == (0, len(piece.text)):
        return piece
    at = piece.at
    if at is not None and at[1] - at[0] == len(piece.text):
        at = (at[0] + start, at[0] + end)
    return replace(piece, text=piece.text[start:end], at=at)
