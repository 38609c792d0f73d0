"""What assignments and declarations do to a state."""

from __future__ import annotations

import re
from dataclasses import replace

from servelint.syntax.bash_braces import brace_words, has_braces
from servelint.syntax.bash_fields import (
    Piece,
    field_text,
    is_many,
    open_field,
    product,
    reading_text,
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

_NAMED = re.compile(r"([A-Za-z_]\w*)(\+?)=", re.ASCII)
_DIGITS = re.compile(r"-?\d{1,15}\Z", re.ASCII)


def assign(around: Expansion, item: Assignment) -> None:
    """Carry out one assignment in the state of ``around``."""
    state = around.state
    old = state.variables.get(item.name)
    place, value = (item.start, item.end), (item.value.start, item.value.end)
    if item.index:
        fields = _with_element(around, item, old)
        state.set(item.name, Variable(fields, array=True, place=place, value=value))
    elif item.elements is not None:
        fields = _elements(around, item, old)
        state.set(item.name, Variable(fields, array=True, place=place, value=value))
    else:
        field = around.scalar(item.value)
        _set_plain(around, item, old, field)


def _set_plain(around: Expansion, item: Assignment, old: Variable | None, field: Field) -> None:
    place, value = (item.start, item.end), (item.value.start, item.value.end)
    is_list = old is not None and old.array
    if item.append:
        before = _plain(item.name, old)
        field = product((before, field), place)
    rest = old.fields[1:] if is_list and old is not None else ()
    variable = Variable((field, *rest), array=is_list, place=place, value=value)
    around.state.set(item.name, variable)


def _plain(name: str, old: Variable | None) -> Field:
    if old is None:
        return open_field(name, f"${{{name}}}", None)
    return old.fields[0] if old.fields else ((),)


def _elements(around: Expansion, item: Assignment, old: Variable | None) -> Fields:
    fields = tuple(field for word in item.elements or () for field in around.fields(word))
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


def _with_element(around: Expansion, item: Assignment, old: Variable | None) -> Fields:
    """The fields with one element set; an index that is no number leaves the rest unsure."""
    before = old.fields if old is not None else ()
    field = around.scalar(item.value)
    if item.append or not _DIGITS.match(item.index) or any(map(is_many, before)):
        return (*before, field, _more(item))
    number = int(item.index)
    if 0 <= number < len(before):
        return (*before[:number], field, *before[number + 1 :])
    return (*before, field) if number == len(before) else (*before, field, _more(item))


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


def declare(around: Expansion, command: str, items: Sequence[Word | Assignment]) -> None:
    """``export``, ``readonly``, ``local``, ``declare`` and ``typeset``."""
    letters = ""
    off = False
    for item in items:
        text = around.text[item.start : item.end]
        if isinstance(item, Assignment):
            _declared(around, command, letters, item.name, item)
        elif text[:1] in "-+" and text[1:2] != "-":
            letters += text[1:]
            off = off or text[0] == "+" or (command == "export" and "n" in text)
        else:
            for field in around.fields(item):
                _declare_word(around, command, letters, field, (item.start, item.end), off=off)


def _declare_word(
    around: Expansion, command: str, letters: str, field: Field, place: Place, *, off: bool
) -> None:
    """A word that an expansion gave: a name, or a name with a value."""
    text = field_text(field)
    if text is None or set(letters) & set("fFp"):
        return
    if match := _NAMED.match(text):
        _remember_local(around, command, letters, match[1])
        value = tuple(
            (Piece((reading_text(reading) or "")[match.end() :], place),) for reading in field
        )
        around.state.set(match[1], Variable(value, place=place, value=place))
        _mark(around, command, letters, match[1])
    elif NAME.match(text):
        if off:
            around.state.export(text, exported=False)
        else:
            _declared(around, command, letters, text, None)


def _declared(
    around: Expansion, command: str, letters: str, name: str, item: Assignment | None
) -> None:
    state = around.state
    local = _remember_local(around, command, letters, name)
    if item is not None:
        assign(around, _last_of_braces(item))
    elif local:
        state.unset(name)
    if item is None and set(letters) & set("aA") and (local or name not in state.variables):
        state.set(name, Variable((), array=True))
    elif "A" in letters and (variable := state.variables.get(name)) is not None:
        keyed = ((Piece(f"${{{name}[@]}}", variable.place, reason="runtime-value", many=True),),)
        state.set(name, Variable((keyed,), array=True, place=variable.place))
    elif "n" in letters and command != "export":
        state.forget(name)
    elif "i" in letters and item is not None:
        text = field_text(_plain(name, state.variables[name]))
        if text is None or not _DIGITS.match(text):
            state.forget(name)
    _mark(around, command, letters, name)


def _last_of_braces(item: Assignment) -> Assignment:
    """``export A={x,y}`` is ``export A=x A=y`` to the shell."""
    if item.elements is not None or not has_braces(item.value):
        return item
    words = brace_words(item.value)
    return replace(item, value=words[-1]) if words else item


def _remember_local(around: Expansion, command: str, letters: str, name: str) -> bool:
    """Note what a name was before the function that is running made it its own."""
    state = around.state
    local = command == "local" or (
        command in ("declare", "typeset") and around.in_function and "g" not in letters
    )
    if local and name not in state.locals:
        state.locals[name] = state.variables.get(name)
    return local


def _mark(around: Expansion, command: str, letters: str, name: str) -> None:
    if command == "export" or "x" in letters:
        around.state.export(name)
