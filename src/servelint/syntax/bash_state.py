"""What a shell knows at one point of a text: variables, positional parameters, exports.

A :class:`State` is changed in place along one path and copied where paths part;
:func:`join` adds up the paths again. A variable that no path sets is not in
the state: its name is open.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from servelint.syntax.bash_fields import (
    Piece,
    open_field,
    optional,
    reading_text,
    union,
    unknown_field,
)
from servelint.syntax.bash_merge import merge_lists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from servelint.syntax.bash_fields import Field, Place

Fields = tuple["Field", ...]

MAX_FIELDS = 300
"""An array of more elements is a runtime value."""


MAX_EXPORTS = 200
"""Exported variables that a command is told to have, the last ones."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable that the text sets.

    ``fields`` are the elements of an array, or the one field of a plain
    variable; none when it is known to be unset. ``place`` is the assignment
    as written, ``value`` what stands behind its ``=``.
    """

    fields: Fields
    array: bool = False
    exported: bool = False
    place: Place | None = None
    value: Place | None = None


@dataclass(frozen=True, slots=True)
class Exported:
    """An exported variable: its name, the assignment as written, and its value."""

    name: str
    place: Place
    field: Field
    value: Place


def _bounded(name: str, variable: Variable) -> Variable:
    """The variable, or one of which nothing is known when it has too many elements."""
    if len(variable.fields) <= MAX_FIELDS and not any(map(_is_given_up, variable.fields)):
        return variable
    many = Piece(f"${{{name}[@]}}", variable.place, reason="many-values", many=True)
    return replace(variable, fields=(((many,),),))


def _is_given_up(field: Field) -> bool:
    """True for what :func:`_bounded` leaves: more elements do not make it known again."""
    return field[0][:1] != () and field[0][0].many and field[0][0].reason == "many-values"


class State:
    """Variables by name, and the positional parameters: None while nothing sets them."""

    __slots__ = (
        *("_exports", "all_exported", "args", "locals", "shifted", "unsure_locals", "variables"),
    )

    def __init__(self) -> None:
        self.variables: dict[str, Variable] = {}
        self.args: Fields | None = None
        self.shifted = False
        self.all_exported = False
        self.locals: dict[str, Variable | None] = {}
        self.unsure_locals: frozenset[str] = frozenset()
        self._exports: tuple[Exported, ...] | None = ()

    def copy(self) -> State:
        """A state that changes on its own."""
        other = State()
        other.variables = dict(self.variables)
        other.args = self.args
        other.shifted = self.shifted
        other.all_exported = self.all_exported
        other.locals = dict(self.locals)
        other.unsure_locals = self.unsure_locals
        other._exports = self._exports
        return other

    def set(self, name: str, variable: Variable) -> None:
        """Give a variable a value; it stays exported when it was."""
        old = self.variables.get(name)
        if self.all_exported or (old is not None and old.exported):
            variable = replace(variable, exported=True)
        self.variables[name] = variable = _bounded(name, variable)
        if variable.exported:
            self._exports = None

    def forget(self, name: str, place: Place | None = None) -> None:
        """The variable has a value that only a run can tell."""
        self.set(name, Variable((unknown_field(f"${name}", place),)))

    def unset(self, name: str) -> None:
        """The variable is known to have no value."""
        self.restore(name, Variable(()))

    def restore(self, name: str, variable: Variable | None) -> None:
        """Put back what a variable was, None for what no path set."""
        self._exports = None
        if variable is None:
            self.variables.pop(name, None)
        else:
            self.variables[name] = variable

    def leave_function(self) -> None:
        """Put back the names that are local to the function that ends."""
        for name, outside in self.locals.items():
            if name in self.unsure_locals:
                inside = self.variables.get(name)
                self.restore(name, join_variables(name, inside, outside))
            else:
                self.restore(name, outside)

    def export(self, name: str, *, exported: bool = True) -> None:
        """Mark a variable as part of the environment, or no longer."""
        variable = self.variables.get(name)
        if variable is not None and variable.exported != exported:
            self.variables[name] = replace(variable, exported=exported)
            self._exports = None

    def exports(self) -> tuple[Exported, ...]:
        """The environment that the text itself made, in order of assignment."""
        if self._exports is None:
            exported = [item for item in self.variables.items() if item[1].exported]
            self._exports = tuple(
                Exported(name, variable.place, variable.fields[0], variable.value)
                for name, variable in exported[-MAX_EXPORTS:]
                if variable.fields and not variable.array
                if variable.place is not None and variable.value is not None
            )
        return self._exports

    def changed(self) -> None:
        """Variables were changed from outside: the environment is read from them anew."""
        self._exports = None

    def may_change(self) -> None:
        """Text from elsewhere ran here and may have set any name again.

        What was set is then only what holds when that text does not set it.
        Lists keep their words, so that their options stay visible.
        """
        for name, variable in self.variables.items():
            if variable.array or not variable.fields or not _is_one_word(variable.fields[0]):
                continue
            readings = tuple(
                (Piece(f"${{{name}}}", variable.value, name=name, default=reading),)
                for reading in variable.fields[0]
            )
            self.variables[name] = replace(variable, fields=(readings,))
        self._exports = None


def _is_one_word(field: Field) -> bool:
    texts = [reading_text(reading) for reading in field]
    return all(text is not None and not any(blank in text for blank in " \t\n") for text in texts)


def join(states: Iterable[State | None]) -> State | None:
    """One state for paths that come together; None when no path gets here."""
    alive = [state for state in states if state is not None]
    if not alive:
        return None
    first, *others = alive
    for other in others:
        _join_into(first, other)
    return first


def _join_into(state: State, other: State) -> None:
    state.unsure_locals |= other.unsure_locals | (state.locals.keys() ^ other.locals.keys())
    state.locals = _join_locals(state, other)
    mine, others = state.variables, other.variables
    names = [name for name, variable in mine.items() if others.get(name) is not variable]
    names += [name for name in others if name not in mine]
    for name in names:
        left, right = mine.get(name), others.get(name)
        if left != right:
            state.restore(name, join_variables(name, left, right))
    if state.args != other.args:
        both = state.args is not None and other.args is not None
        state.args = join_fields(state.args or (), other.args or ()) if both else None
        state.shifted = True
    state.shifted = state.shifted or other.shifted
    state.all_exported = state.all_exported or other.all_exported


def _join_locals(state: State, other: State) -> dict[str, Variable | None]:
    """What local names were outside; on a path where a name is not local, it still is that."""
    if not state.locals and not other.locals:
        return {}
    joined: dict[str, Variable | None] = {}
    for name in dict.fromkeys((*state.locals, *other.locals)):
        left = state.locals.get(name, state.variables.get(name))
        right = other.locals.get(name, other.variables.get(name))
        joined[name] = left if left == right else join_variables(name, left, right)
    return joined


def join_variables(name: str, left: Variable | None, right: Variable | None) -> Variable:
    """A variable that is one or the other; None is one that no path set."""
    known = left or right
    if known is None:
        return Variable(())
    exported = any(side is not None and side.exported for side in (left, right))
    if any(side is not None and side.array for side in (left, right)):
        parts = [side.fields for side in (left, right) if side is not None]
        given_up = (fields for fields in parts if fields and _is_given_up(fields[0]))
        fields = next(given_up, None) or join_fields(parts[0], parts[-1])
        joined = replace(known, fields=fields, array=True, exported=exported)
        return _bounded(name, joined)
    field = union((_scalar(name, left), _scalar(name, right)))
    return replace(known, fields=(field,), exported=exported)


def _scalar(name: str, variable: Variable | None) -> Field:
    """The field of a plain variable; no piece at all where it is unset."""
    if variable is None:
        return open_field(name, f"${{{name}}}", None)
    return variable.fields[0] if variable.fields else ((),)


def join_fields(left: Sequence[Field], right: Sequence[Field]) -> Fields:
    """The fields of two lists as one list that shows all options, those in one of them too."""
    if left == right:
        return tuple(left)
    both = merge_lists(left, right, _itself, _either)
    if len(both) == len(left) == len(right):
        return both
    pairs = enumerate(zip(left, right, strict=False))
    same = next((at for at, (one, other) in pairs if one != other), min(len(left), len(right)))
    return (*both[:same], *map(optional, both[same:]))


def _itself(field: Field) -> Field:
    return field


def _either(left: Field, right: Field) -> Field:
    return left if left == right else union((left, right))
