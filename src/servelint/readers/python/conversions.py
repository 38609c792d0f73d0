"""Types called as functions: ``str(x)``, ``int(x)``, ``list(x)``, ``dict(x)``."""

from __future__ import annotations

from functools import partial

from servelint.readers.python.alternatives import lift
from servelint.readers.python.container_methods import argument
from servelint.readers.python.containers import elements_of, entries_of
from servelint.readers.python.formats import as_text, over
from servelint.readers.python.pieces import remade
from servelint.readers.python.state import Item, Pair, Pick, Seq, Spread, State, Table, limited
from servelint.readers.python.things import (
    FALSE,
    NONE,
    TRUE,
    Const,
    Ref,
    Str,
    Thing,
    is_none,
    runtime,
)
from servelint.readers.python.truth import plain_value, truth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from servelint.readers.python.machine import Args, Machine
    from servelint.readers.python.state import Entry

    Known = Callable[[Machine, Args, State], Thing]

_LARGE = 2**53


def first(machine: Machine, args: Args) -> Thing:
    """The first argument."""
    found = argument(args, 0)
    return machine.unknown(args.node) if found is None else found.thing


def _str(machine: Machine, args: Args, _state: State) -> Thing:
    if not args.positional:
        return Str(())
    return lift(lambda one: _shown(machine, one, args), first(machine, args))


def _shown(machine: Machine, thing: Thing, args: Args) -> Thing:
    return Str(thing.pieces) if isinstance(thing, Str) else as_text(machine, thing, args.node)


def _number(
    kind: Callable[[str | float], float], machine: Machine, args: Args, _state: State
) -> Thing:
    unknown = machine.unknown(args.node)
    if len(args.positional) != 1 or args.keywords:
        return unknown

    def convert(one: Thing) -> Thing:
        return over(one, lambda inner: _converted(inner, kind) or unknown)

    return lift(convert, first(machine, args))


def _converted(thing: Thing, kind: Callable[[str | float], float]) -> Thing | None:
    value = plain_value(thing)
    if not isinstance(value, str | int | float) or len(str(value)) > 20:
        return NONE if is_none(thing) else None
    try:
        number = kind(value)
    except (ValueError, OverflowError):
        return None
    if abs(number) > _LARGE:
        return None
    if isinstance(thing, Const):
        return Const(number, thing.at, thing.via)
    return Const(number, None, remade("", thing.pieces)[0].via) if isinstance(thing, Str) else None


def _bool(machine: Machine, args: Args, state: State) -> Thing:
    def answer(one: Thing) -> Thing:
        found = truth(one, state)
        if isinstance(found, bool):
            return TRUE if found else FALSE
        return machine.unknown(args.node)

    return lift(answer, first(machine, args)) if args.positional else FALSE


def _sequence(machine: Machine, args: Args, state: State, *, fixed: bool) -> Thing:
    if not args.positional:
        return machine.new(state, Seq((), fixed))
    entries = elements_of(machine, first(machine, args), args.node, state)
    return machine.new(state, Seq(entries, fixed))


def _dict(machine: Machine, args: Args, state: State) -> Thing:
    found: list[Entry] = []
    for given in args.positional:
        thing = given.thing if isinstance(given, Item) else runtime("")
        found.extend(_pair(one, state) for one in entries_of(machine, thing, args.node, state))
    return machine.new(state, Table(limited((*found, *args.keywords))))


def _pair(entry: Entry, state: State) -> Entry:
    """A pair from a row of two; what is no such row may be any pair."""
    if isinstance(entry, Pick):
        arms = tuple(tuple(_pair(one, state) for one in arm) for arm in entry.arms)
        return Pick(entry.guard, arms)
    if not isinstance(entry, Item):
        return entry
    content = state.heap.get(entry.thing.id) if isinstance(entry.thing, Ref) else None
    if isinstance(content, Seq) and len(content.entries) == 2:
        key, value = content.entries
        if isinstance(key, Item) and isinstance(value, Item):
            return Pair(key.thing, value.thing, key.place, value.place)
    return Spread(runtime(""), entry.place)


def _len(machine: Machine, args: Args, state: State) -> Thing:
    def size(one: Thing) -> Thing:
        text = plain_value(one)
        if isinstance(text, str):
            return Const(len(text))
        content = state.heap.get(one.id) if isinstance(one, Ref) else None
        if isinstance(content, Seq) and all(isinstance(entry, Item) for entry in content.entries):
            return Const(len(content.entries))
        return machine.unknown(args.node)

    return lift(size, first(machine, args))


CONVERSIONS: dict[str, Known] = {
    "str": _str,
    "int": partial(_number, int),
    "float": partial(_number, float),
    "bool": _bool,
    "list": partial(_sequence, fixed=False),
    "tuple": partial(_sequence, fixed=True),
    "dict": _dict,
    "collections.OrderedDict": _dict,
    "len": _len,
    "os.fspath": _str,
}
