"""What assignments and declarations do to a state."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from servelint.syntax.bash_braces import brace_words, has_braces
from servelint.syntax.bash_fields import (
    Piece,
    field_text,
    is_many,
    open_field,
    product,
)
from servelint.syntax.bash_state import Exported, Variable
from servelint.syntax.bash_words import Assignment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from servelint.syntax.bash_expand import Expansion
    from servelint.syntax.bash_fields import Field, Place
    from servelint.syntax.bash_state import Fields
    from servelint.syntax.bash_words import Word

NAME = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)
"""A text that can name a variable."""

_UNSET = Variable(())
_NAMED = re.compile(r"([A-Za-z_]\w*)(\+?)=", re.ASCII)
_DIGITS = re.compile(r"-?\d{1,15}\Z", re.ASCII)


def assign(around: Expansion, item: Assignment) -> None:
    """Carry out one assignment in the state of ``around``."""
    variables = around.state.variables
    if item.index:
        field = around.scalar(item.value)
        fields, array = _with_element(item, field, variables.get(item.name)), True
    elif item.elements is not None:
        made = tuple(field for word in item.elements for field in around.fields(word))
        fields, array = _elements(item, made, variables.get(item.name)), True
    else:
        field = around.scalar(item.value)
        fields, array = _first_element(item, field, variables.get(item.name))
    place, value = (item.start, item.end), (item.value.start, item.value.end)
    around.state.set(item.name, Variable(fields, array=array, place=place, value=value))


def _first_element(item: Assignment, field: Field, old: Variable | None) -> tuple[Fields, bool]:
    """A plain value; that of an array is its first element."""
    if item.append:
        field = product((_plain(item.name, old), field), (item.start, item.end))
    if old is None or not old.array:
        return (field,), False
    return (field, *old.fields[1:]), True


def _plain(name: str, old: Variable | None) -> Field:
    if old is None:
        return open_field(name, f"${{{name}}}", None)
    return old.fields[0] if old.fields else ((),)


def _elements(item: Assignment, fields: Fields, old: Variable | None) -> Fields:
    if item.keyed:
        fields = (*fields, _more(item))
    if not item.append:
        return fields
    if old is None:
        many = Piece(f"${{{item.name}[@]}}", None, name=item.name, many=True)
        return (((many,),), *fields)
    return (*old.fields, *fields)


def _more(item: Assignment) -> Field:
    """Stands for elements of which only a run can tell where they are."""
    place = (item.start, item.end)
    text = f"${{{item.name}[@]}}"
    return ((Piece(text, place, reason="runtime-value", many=True),),)


def _with_element(item: Assignment, field: Field, old: Variable | None) -> Fields:
    """The fields with one element set; an index that is no number leaves the rest unsure."""
    before = old.fields if old is not None else ()
    if item.append:
        return _with_longer_element(item, field, old)
    if not _DIGITS.match(item.index) or any(map(is_many, before)):
        added = () if field in before else (field,)
        return (*before, *added, _more(item))
    number = int(item.index)
    if 0 <= number < len(before):
        return (*before[:number], field, *before[number + 1 :])
    return (*before, field) if number == len(before) else (*before, field, _more(item))


def _with_longer_element(item: Assignment, field: Field, old: Variable | None) -> Fields:
    """The fields after ``name[index]+=value``; of an element that is not known, none is left."""
    before = old.fields if old is not None else ()
    number = int(item.index) if _DIGITS.match(item.index) else len(before)
    if not 0 <= number < len(before) or any(map(is_many, before)):
        return (_more(item),)
    longer = product((before[number], field), (item.start, item.end))
    return (*before[:number], longer, *before[number + 1 :])


def prefixed(around: Expansion, assignments: Sequence[Assignment]) -> tuple[Exported, ...]:
    """What the assignments before a command put into its environment; ``around`` is changed."""
    made: list[Exported] = []
    for item in assignments:
        assign(around, item)
        variable = around.state.variables[item.name]
        if not variable.array and variable.place is not None and variable.value is not None:
            field = variable.fields[0]
            made.append(Exported(item.name, variable.place, field, variable.value))
    return tuple(made)


@dataclass(slots=True)
class _Declaration:
    """A declaring command, with the letters of the options that were read so far."""

    around: Expansion
    command: str
    letters: str = ""
    off: bool = False

    def option(self, text: str) -> None:
        """Take note of an option; ``+x`` and ``export -n`` take an attribute away."""
        self.letters += text[1:]
        self.off = self.off or text[0] == "+" or (self.command == "export" and "n" in text)

    def word(self, field: Field, place: Place) -> None:
        """A word that an expansion gave: a name, or a name with a value."""
        text = field_text(field)
        if text is None or set(self.letters) & set("fFp"):
            return
        if match := _NAMED.match(text):
            self._remember_local(match[1])
            value: Field = ((Piece(text[match.end() :], place),),)
            self.around.state.set(match[1], Variable((value,), place=place, value=place))
            self._mark(match[1])
        elif NAME.match(text) and self.off:
            self.around.state.export(text, exported=False)
        elif NAME.match(text):
            self.name(text, None)

    def name(self, name: str, item: Assignment | None) -> None:
        """A name, assigned or only declared."""
        state = self.around.state
        local = self._remember_local(name)
        if item is not None:
            assign(self.around, _of_braces(item, 0 if self.command == "readonly" else -1))
        elif local:
            state.unset(name)
        if (
            item is None
            and set(self.letters) & set("aA")
            and not state.variables.get(name, _UNSET).fields
        ):
            state.set(name, Variable((), array=True))
        elif item is not None:
            self._typed(name)
        self._mark(name)

    def _typed(self, name: str) -> None:
        """Attributes that make a value something else than its text."""
        state = self.around.state
        variable = state.variables[name]
        if "A" in self.letters:
            text = f"${{{name}[@]}}"
            keyed = ((Piece(text, variable.place, reason="runtime-value", many=True),),)
            state.set(name, Variable((keyed,), array=True, place=variable.place))
        elif "n" in self.letters and self.command != "export":
            state.forget(name)
        elif "i" in self.letters:
            digits = field_text(_plain(name, variable))
            if digits is None or not _DIGITS.match(digits):
                state.forget(name)

    def _remember_local(self, name: str) -> bool:
        """Note what a name was before the function that is running made it its own."""
        state = self.around.state
        local = self.command == "local" or (
            self.command in ("declare", "typeset")
            and self.around.in_function
            and "g" not in self.letters
        )
        if local and name not in state.locals:
            state.locals[name] = state.variables.get(name)
        return local

    def _mark(self, name: str) -> None:
        if self.command == "export" or "x" in self.letters:
            self.around.state.export(name)


def declare(around: Expansion, command: str, items: Sequence[Word | Assignment]) -> None:
    """``export``, ``readonly``, ``local``, ``declare`` and ``typeset``."""
    declaration = _Declaration(around, command)
    for item in items:
        text = around.text[item.start : item.end]
        if isinstance(item, Assignment):
            declaration.name(item.name, item)
        elif text[:1] in ("-", "+") and text[1:2] != "-":
            declaration.option(text)
        else:
            for field in around.fields(item):
                declaration.word(field, (item.start, item.end))


def _of_braces(item: Assignment, number: int) -> Assignment:
    """``export A={x,y}`` is ``export A=x A=y`` to the shell; what is read-only stays as it is."""
    if item.elements is not None or not has_braces(item.value):
        return item
    words = brace_words(item.value)
    return replace(item, value=words[number]) if words else item
