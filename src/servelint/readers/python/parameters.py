"""Arguments to parameters, and the values of parameters that nobody in the file gives."""

from __future__ import annotations

from dataclasses import dataclass, replace

import libcst as cst

from servelint.readers.python.containers import find, or_missing
from servelint.readers.python.options import decorated, named_option
from servelint.readers.python.state import Entry, Item, Pair, Pick, Seq, Spread, State, Table
from servelint.readers.python.things import (
    Alt,
    Const,
    Dark,
    Dotted,
    Func,
    Open,
    Str,
    Thing,
    passed,
    plain,
    runtime,
)
from servelint.readers.python.truth import is_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.readers.python.machine import Args, Machine

_ABSENT = Dotted("<absent>")


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of a function by kind."""

    by_place: tuple[cst.Param, ...]
    by_name: tuple[cst.Param, ...]
    rest: str
    names: str
    place_only: int


def parameters(node: cst.FunctionDef | cst.Lambda) -> Parameters:
    """The parameters of a function."""
    given = node.params
    rest = given.star_arg.name.value if isinstance(given.star_arg, cst.Param) else ""
    return Parameters(
        by_place=(*given.posonly_params, *given.params),
        by_name=tuple(given.kwonly_params),
        rest=rest,
        names=given.star_kwarg.name.value if given.star_kwarg is not None else "",
        place_only=len(given.posonly_params),
    )


def defaults(
    machine: Machine, node: cst.FunctionDef | cst.Lambda, state: State
) -> tuple[tuple[str, Thing], ...]:
    """Defaults are made once, where the function is defined."""
    found: list[tuple[str, Thing]] = []
    declared = parameters(node)
    for param in (*declared.by_place, *declared.by_name):
        if param.default is not None:
            name = param.name.value
            found.append((name, named_option(name, machine.evaluate(param.default, state))))
    if isinstance(node, cst.FunctionDef):
        found.extend(decorated(machine, node, state))
    return tuple(found)


def bind(machine: Machine, function: Func, args: Args, state: State) -> dict[str, Thing]:
    """The names of a function when it is called with ``args``."""
    declared = parameters(function.node)
    place = machine.script.place(args.node)
    before = () if function.receiver is None else (Item(function.receiver, place),)
    bound = tuple(Item(thing, place) for thing in function.bound)
    row: list[Entry] = [*before, *bound, *args.positional]
    named = tuple(Pair(plain(name), thing, place, place) for name, thing in function.named)
    keywords = (*named, *args.keywords)
    names: dict[str, Thing] = dict(_by_place(declared, row))
    left = dict(function.defaults)
    for param in (*declared.by_place, *declared.by_name):
        name = param.name.value
        default = left.get(name, runtime(name, machine.place(param.name)))
        given = names.get(name, _ABSENT)
        names[name] = _named(name, keywords, default) if given == _ABSENT else given
    if declared.rest:
        extra = tuple(row[len(declared.by_place) :])
        names[declared.rest] = machine.new(state, Seq(extra, fixed=True))
    if declared.names:
        taken = {param.name.value for param in (*declared.by_place, *declared.by_name)}
        rest = tuple(_not_named(keywords, taken))
        names[declared.names] = machine.new(state, Table(rest))
    return names


def _by_place(declared: Parameters, row: list[Entry]) -> Iterator[tuple[str, Thing]]:
    """Positional arguments in order; after one that may be several, nothing is sure."""
    sure = True
    for number, param in enumerate(declared.by_place):
        entry = row[number] if number < len(row) else None
        if entry is None and sure:
            return
        if isinstance(entry, Item) and sure:
            yield param.name.value, passed(entry.thing, entry.place)
            continue
        sure = False
        yield param.name.value, runtime(param.name.value)


def _named(name: str, keywords: tuple[Entry, ...], default: Thing) -> Thing:
    for entry in reversed(keywords):
        if isinstance(entry, Pair) and is_key(entry.key, name):
            return passed(entry.value, entry.place)
        if isinstance(entry, Spread | Pick):
            break
    return or_missing(find(keywords, plain(name), name), default)


def _not_named(keywords: tuple[Entry, ...], taken: set[str]) -> Iterator[Entry]:
    for entry in keywords:
        if isinstance(entry, Pair) and any(is_key(entry.key, name) for name in taken):
            continue
        if isinstance(entry, Pick):
            yield Pick(entry.guard, tuple(tuple(_not_named(arm, taken)) for arm in entry.arms))
        else:
            yield entry


def unasked(
    machine: Machine, function: Func, state: State, given: dict[str, Thing]
) -> dict[str, Thing]:
    """The names of a function that nobody in the file calls.

    A default holds unless a caller elsewhere says otherwise.
    """
    declared = parameters(function.node)
    left = dict(function.defaults)
    names: dict[str, Thing] = {}
    for number, param in enumerate((*declared.by_place, *declared.by_name)):
        name = param.name.value
        where = machine.place(param.name)
        if number == 0 and function.receiver is not None:
            names[name] = function.receiver
        elif name in given:
            names[name] = given[name]
        elif name in left:
            names[name] = _overridable(machine, function, name, left[name])
        else:
            names[name] = runtime(name, where)
    nowhere = machine.script.place(function.node)
    if declared.rest:
        unknown = Spread(runtime(declared.rest), nowhere)
        names[declared.rest] = machine.new(state, Seq((unknown,), fixed=True))
    if declared.names:
        unknown = Spread(runtime(declared.names), nowhere)
        names[declared.names] = machine.new(state, Table((unknown,)))
    return names


def in_the_dark(machine: Machine, function: Func, state: State) -> dict[str, Thing]:
    """The names of a function of whose arguments nothing is known."""
    return unasked(machine, replace(function, defaults=()), state, {})


def _overridable(machine: Machine, function: Func, name: str, default: Thing) -> Thing:
    """A default that a caller may override. Lists and functions are taken as they are."""
    if isinstance(default, Str | Const | Alt | Dark) or (
        isinstance(default, Open) and not default.name.startswith("--")
    ):
        node = function.node
        owner = node.name.value if isinstance(node, cst.FunctionDef) else "lambda"
        return Open(f"{owner}({name})", name, default)
    return default
