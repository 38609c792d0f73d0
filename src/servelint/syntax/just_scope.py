"""What a recipe of a justfile sees: variables, what it is given, and how a shell can hold them."""

from __future__ import annotations

import re
from dataclasses import replace

from servelint.syntax.just_expression import Part
from servelint.syntax.justfile import Assignment
from servelint.syntax.make_shell import ShellText, shell_name
from servelint.syntax.quote_places import in_single_quotes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from servelint.syntax.just_expression import Parts
    from servelint.syntax.justfile import Call, Justfile, Place, Recipe

    Given = Mapping[str, Assignment]

MAX_NESTING = 8
"""Variables made of variables: how far that is followed."""

MAX_LENGTH = 10_000
"""A value that is put in place is not made longer than this."""

MAX_CALLS = 16
"""A recipe that is asked for in more ways is read once, with nothing given."""

_PLAIN = re.compile(r"[\w./:@%+,=\[\] \t-]*\Z")
_EXPANDING = re.compile(r"[\w./:@%+,=\[\] \t${}-]*\Z")
_UNKNOWN = (Part("", 0, 0, "just_value", outside=True),)


# -- what a recipe is given ---------------------------------------------------


def ways(justfile: Justfile, recipe: Recipe) -> tuple[Given, ...]:
    """What a recipe is given: for each way in which others ask for it, else by itself."""
    own = {one.name: _with_outer(justfile, one) for one in recipe.parameters}
    if not own:
        return (own,)
    calls = justfile.calls.get(recipe.name, ())
    distinct = {tuple(map(_spelled, call.arguments)): call for call in calls}
    if not 1 <= len(distinct) <= MAX_CALLS:
        return (own,)
    return tuple({**own, **_bound(justfile, recipe, call)} for call in distinct.values())


def _with_outer(justfile: Justfile, parameter: Assignment) -> Assignment:
    """A parameter in whose default its own name is the variable of the file."""
    outer = justfile.assignments.get(parameter.name)
    if parameter.parts is None or outer is None:
        return parameter
    hidden = {parameter.name: outer.parts or ()}
    parts = tuple(_joined([parameter.parts], frozenset(), hidden, parameter.value))
    return replace(parameter, parts=parts)


def _spelled(argument: tuple[Place, Parts]) -> tuple[tuple[str, str], ...]:
    return tuple((part.name, part.text) for part in argument[1])


def _bound(justfile: Justfile, recipe: Recipe, call: Call) -> Given:
    """The arguments of a call, by parameter."""
    hidden = {
        parameter.name: justfile.assignments[parameter.name].parts or ()
        for parameter in recipe.parameters
        if parameter.name in justfile.assignments
    }
    bound: dict[str, Assignment] = {}
    for index, parameter in enumerate(recipe.parameters):
        takes_rest = recipe.takes_rest and index == len(recipe.parameters) - 1
        given = call.arguments[index : None if takes_rest else index + 1]
        if given:
            place = (given[0][0][0], given[-1][0][1])
            parts = tuple(_joined([parts for _, parts in given], call.names, hidden, place))
            exported = parameter.exported
            bound[parameter.name] = Assignment(parameter.name, place[0], place, parts, exported)
    return bound


def _joined(
    given: Sequence[Parts], names: frozenset[str], hidden: Mapping[str, Parts], place: Place
) -> Iterator[Part]:
    """Arguments side by side; what the caller itself is given stays open.

    ``hidden`` are the variables whose names mean something else in the recipe that is called.
    """
    for index, parts in enumerate(given):
        if index:
            yield Part(" ", *place)
        for part in parts:
            if part.name in names:
                yield replace(part, outside=True)
            elif part.outside or part.name not in hidden:
                yield part
            else:
                inside = hidden[part.name]
                yield from (
                    replace(inner, outside=inner.outside or inner.name in hidden)
                    for inner in inside
                )


# -- values -------------------------------------------------------------------


class Scope:
    """The variables that a recipe sees: those of the file, and what it is given."""

    def __init__(self, justfile: Justfile, given: Given) -> None:
        self._all = {**justfile.assignments, **given}
        self._exports_all = justfile.is_set("export")
        self._plain: dict[str, bool] = {}
        self._written: dict[str, Parts] = {}

    def _parts(self, name: str) -> Parts:
        found = self._all.get(name)
        return (found.parts or ()) if found else ()

    def _is_plain(self, part: Part, depth: int = 0) -> bool:
        """True when a value holds only what a shell reads as it stands, or is not known."""
        if part.outside:
            return all(self._is_plain(inner, depth) for inner in part.default or ())
        if not part.name:
            return (_EXPANDING if part.expands else _PLAIN).match(part.text) is not None
        if part.name not in self._plain:
            self._plain[part.name] = False  # what leads to itself is not
            inside = self._parts(part.name) if depth < MAX_NESTING else (part,)
            self._plain[part.name] = all(self._is_plain(inner, depth + 1) for inner in inside)
        return self._plain[part.name]

    def filled(self, parts: Parts, *, single: bool) -> tuple[str, tuple[str, ...]]:
        """What stands in the place of a value, and the names to be defined for it.

        ``single``: between single quotes, where a shell knows no variables.
        """
        written = self._written_out(parts, 0)
        text = "'" if single else ""
        holes: list[Place] = []
        for part in written:
            size = len(text)
            text += part.text or "_"
            if part.name:
                holes.append((size, len(text)))
        quoted = iter(in_single_quotes(text, holes))
        made = "".join(_in_place(part, quoted) for part in written)
        return made, tuple(dict.fromkeys(_names(written)))

    def _written_out(self, parts: Parts, depth: int) -> Parts:
        """A value with that of each variable in its place that a shell could not hold."""
        made: list[Part] = []
        size = 0
        for part in parts:
            before = len(made)
            if not part.name or self._is_plain(part):
                made.append(part)
            elif part.outside:
                made.append(replace(part, default=None))
            else:
                made += self._value(part.name, depth)
            size += sum(len(one.text) + 1 for one in made[before:])
            if size > MAX_LENGTH:
                return _UNKNOWN
        return tuple(made)

    def _value(self, name: str, depth: int) -> Parts:
        if name not in self._written:
            self._written[name] = _UNKNOWN  # until it is known: it may lead to itself
            if depth < MAX_NESTING:
                self._written[name] = self._written_out(self._parts(name), depth + 1)
        return self._written[name]

    def define(self, made: ShellText, names: Iterable[str]) -> None:
        """Assign variables and export those that are, each after those that it is made of."""
        exported = (name for name, one in self._all.items() if one.exported or self._exports_all)
        done: set[str] = set()
        for name in (*exported, *names):
            self._define(made, name, done, 0)

    def _define(self, made: ShellText, name: str, done: set[str], depth: int) -> None:
        found = self._all.get(name)
        if found is None or name in done or depth > MAX_NESTING:
            return
        done.add(name)
        if found.parts is not None and self._is_plain(Part(name, 0, 0, name)):
            for inner in _names(found.parts):
                self._define(made, inner, done, depth + 1)
            _assign(made, found, found.parts)
        if found.exported or self._exports_all:
            made.add(f"export {shell_name(name)}\n", found.start, found.start)


def _names(parts: Parts) -> Iterator[str]:
    """The variables of the justfile in a value."""
    for part in parts:
        if part.name and not part.outside:
            yield part.name
        yield from _names(part.default or ())


def _in_place(part: Part, quoted: Iterator[bool]) -> str:
    """A part as a shell reads it; ``quoted`` tells of each name whether single quotes are open."""
    if not part.name:
        return part.text
    return f"'\"{_reference(part)}\"'" if next(quoted) else _reference(part)


def _reference(part: Part) -> str:
    if part.default is None:
        return f"${{{shell_name(part.name)}}}"
    default = "".join(_reference(inner) if inner.name else inner.text for inner in part.default)
    return f"${{{shell_name(part.name)}:-{default}}}"


def _assign(made: ShellText, found: Assignment, parts: Parts) -> None:
    start, end = found.value
    name = shell_name(found.name)
    made.add(f"{name}=", found.start, start)
    made.add(f'"${{{name}:-' if found.maybe else '"', start, start)
    for part in parts:
        made.add(_reference(part) if part.name else part.text, part.start, part.end)
    made.add('}"\n' if found.maybe else '"\n', end, end)
