"""From the words of a text to fields, as the shell expands them.

Braces first, then parameters, substitutions and arithmetic, then splitting at
blanks outside quotes. What files there are is nothing that a text says, so
that a pattern of file names is a runtime value.
"""

from __future__ import annotations

from servelint.syntax.bash_arith import arithmetic
from servelint.syntax.bash_braces import brace_words, has_braces
from servelint.syntax.bash_fields import (
    MAX_ALTERNATIVES,
    Piece,
    field_text,
    in_a_row,
    is_many,
    literal,
    one_field,
    optional,
    product,
    reading_text,
    through,
    unknown_field,
)
from servelint.syntax.bash_params import Expanded, parameter
from servelint.syntax.bash_split import (
    BLANK,
    BLANKS,
    SPECIAL,
    Made,
    Segment,
    path_names,
    side_by_side,
    split_field,
)
from servelint.syntax.bash_state import MAX_FIELDS
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
    from collections.abc import Callable

    from servelint.syntax.bash_fields import Field, Place
    from servelint.syntax.bash_state import Fields, State
    from servelint.syntax.bash_words import Atom

    Substitute = Callable[[Place, State], Field | None]


class Expansion:
    """Expands words of ``text`` in ``state``.

    ``substitute`` runs the commands of a substitution and answers what they
    print, or None. ``in_function`` says that declarations are local. ``work``
    counts the pieces that were made.
    """

    def __init__(
        self, text: str, state: State, substitute: Substitute, *, in_function: bool = False
    ) -> None:
        self.text = text
        self.state = state
        self.in_function = in_function
        self.work = 0
        self._substitute = substitute

    def fields(self, word: Word) -> Fields:
        """The fields of a word: none, one or several."""
        only = word.atoms[0] if len(word.atoms) == 1 else None
        if isinstance(only, Literal) and (only.quoted or not SPECIAL.search(only.text)):
            return (literal(only.text, (only.start, only.end)),)
        if not has_braces(word):
            return self._cut(word)
        words = brace_words(word)
        if words is None:
            self._forget_assigned(word)
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
            at = (atom.start, atom.end)
            if expanded.fields:
                parts.append(in_a_row(expanded.fields, literal(" ", at), at))
        return self._counted(one_field(product(parts, place)) if parts else literal("", place))

    def _counted(self, field: Field) -> Field:
        self.work += sum(map(len, field))
        return field

    def _unreadable(self, word: Word, *, many: bool) -> Field:
        place = (word.start, word.end)
        text = self.text[word.start : word.end]
        return ((Piece(text, place, reason="runtime-value", many=many),),)

    def _forget_assigned(self, word: Word) -> None:
        """``${name=word}`` would have set a name."""
        for atom in word.atoms:
            if isinstance(atom, Parameter) and atom.operator.endswith("="):
                self.state.forget(atom.name, (atom.start, atom.end))

    def _bounded(self, word: Word, fields: Fields) -> Fields:
        if len(fields) > MAX_FIELDS:
            return (self._unreadable(word, many=True),)
        return fields

    def _cut(self, word: Word) -> Fields:
        alone = len(word.atoms) == 1
        made = Made((word.start, word.end))
        unsure = False
        for atom in word.atoms:
            segment = self._segment(atom, alone=alone)
            unsure |= not alone and len(segment.fields) > 1 and any(map(is_many, segment.fields))
            made.add(segment)
        fields = map(optional, made.done()) if unsure else made.done()
        return self._bounded(word, tuple(map(self._counted, fields)))

    def _segment(self, atom: Atom, *, alone: bool) -> Segment:
        expanded = self._expanded(atom)
        if atom.quoted:
            if expanded.listed:
                return Segment(expanded.fields)
            place = (atom.start, atom.end)
            return Segment(expanded.fields or (literal("", place),), keep=True)
        if not expanded.split:
            return Segment(expanded.fields)
        return side_by_side([self._split(field, atom, alone=alone) for field in expanded.fields])

    def _split(self, field: Field, atom: Atom, *, alone: bool) -> Segment:
        """A field cut at blanks."""
        if isinstance(atom, Literal) and not BLANK.search(atom.text):
            return Segment((path_names(field),) if atom.text else ())
        place = (atom.start, atom.end)
        if self._odd_separator(field):
            return Segment((unknown_field(self.text[atom.start : atom.end], place),))
        return split_field(field, place, alone=alone)

    def _odd_separator(self, field: Field) -> bool:
        """True when ``IFS`` was set and may cut this field elsewhere than at blanks."""
        ifs = self.state.variables.get("IFS")
        if ifs is None or not ifs.fields:
            return False
        separators = field_text(ifs.fields[0])
        if separators == BLANKS:
            return False
        wanted = {*BLANKS, *(separators or ",:;|")}
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
