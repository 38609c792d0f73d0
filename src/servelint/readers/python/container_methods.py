"""Methods of lists and mappings, those that change them included."""

from __future__ import annotations

from servelint.readers.python.alternatives import lift
from servelint.readers.python.containers import (
    elements_of,
    entries_of,
    find,
    or_missing,
)
from servelint.readers.python.pairs import keys, pairs, values
from servelint.readers.python.state import (
    Entries,
    Gone,
    Item,
    Pair,
    Pick,
    Seq,
    Spread,
    State,
    Table,
    limited,
)
from servelint.readers.python.things import NONE, Const, Open, Ref, Thing, runtime
from servelint.readers.python.truth import contains, is_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from servelint.readers.python.machine import Args, Machine

    Method = Callable[[Machine, Ref, Args, State], Thing | None]


def argument(args: Args, number: int, name: str = "") -> Item | None:
    """An argument by position or name; None when it is not given or cannot be told."""
    given = args.positional[: number + 1]
    if len(given) == number + 1 and all(isinstance(entry, Item) for entry in given):
        found = given[number]
        return found if isinstance(found, Item) else None
    for entry in reversed(args.keywords):
        if isinstance(entry, Pair) and name and is_key(entry.key, name):
            return Item(entry.value, entry.place)
    return None


def list_method(machine: Machine, ref: Ref, name: str, args: Args, state: State) -> Thing | None:
    """``list.name(...)``; None for a method that is not followed."""
    content = state.heap.get(ref.id)
    if not isinstance(content, Seq):
        return None
    if name == "copy":
        return machine.new(state, Seq(content.entries))
    if name in ("index", "count"):
        return machine.unknown(args.node)
    changed = _changed(machine, content, name, args, state)
    if changed is None:
        return None
    entries, result = changed
    state.heap[ref.id] = Seq(limited(entries), content.fixed)
    return result


def _changed(
    machine: Machine, content: Seq, name: str, args: Args, state: State
) -> tuple[Entries, Thing] | None:
    """The elements after a method, and what it gives."""
    entries = content.entries
    first = argument(args, 0)
    match name:
        case "append" | "add" if first is not None:
            return (*entries, first), NONE
        case "extend" | "update" if first is not None:
            return entries + elements_of(machine, first.thing, args.node, state), NONE
        case "insert" if (second := argument(args, 1)) is not None and first is not None:
            return _inserted(machine, entries, first.thing, second, args), NONE
        case "clear":
            return (), NONE
        case "reverse" if all(isinstance(entry, Item) for entry in entries):
            return tuple(reversed(entries)), NONE
        case "pop" if first is None and not args.positional and entries:
            last = entries[-1]
            return (entries[:-1], last.thing) if isinstance(last, Item) else _lost(machine, args)
        case "pop" | "remove" | "sort" | "reverse" | "insert" | "append" | "extend" | "discard":
            return _lost(machine, args)
        case _:
            return None


def _lost(machine: Machine, args: Args) -> tuple[Entries, Thing]:
    """A list of which nothing is known any more."""
    return (Spread(machine.unknown(args.node), machine.script.place(args.node)),), machine.unknown(
        args.node
    )


def _inserted(machine: Machine, entries: Entries, at: Thing, item: Item, args: Args) -> Entries:
    number = at.value if isinstance(at, Const) else None
    if isinstance(number, int) and 0 <= number <= len(entries):
        before = entries[:number]
        if all(isinstance(entry, Item) for entry in before):
            return (*before, item, *entries[number:])
    return _lost(machine, args)[0]


def table_method(machine: Machine, ref: Ref, name: str, args: Args, state: State) -> Thing | None:
    """``dict.name(...)``; None for a method that is not followed."""
    content = state.heap.get(ref.id)
    if not isinstance(content, Table):
        return None
    method = _TABLE.get(name)
    return method(machine, ref, args, state) if method is not None else None


def _entries(ref: Ref, state: State) -> Entries:
    content = state.heap[ref.id]
    return content.entries if isinstance(content, Table) else ()


def _get(machine: Machine, ref: Ref, args: Args, state: State) -> Thing:
    key = argument(args, 0)
    if key is None:
        return machine.unknown(args.node)
    second = argument(args, 1, "default")
    default = second.thing if second is not None else NONE
    return with_default(machine, _entries(ref, state), key.thing, default, args)


def with_default(
    machine: Machine, entries: Entries, key: Thing, default: Thing, args: Args
) -> Thing:
    """The value of a key; an open one takes the default with it."""
    code = machine.script.code(args.node)[:200]

    def look(one: Thing) -> Thing:
        return or_missing(find(entries, one, code), default)

    return lift(lambda one: _defaulted(one, default), lift(look, key))


def _defaulted(thing: Thing, default: Thing) -> Thing:
    if isinstance(thing, Open) and thing.default is None:
        return Open(thing.name, thing.text, default, thing.at, thing.via)
    return thing


def _pop(machine: Machine, ref: Ref, args: Args, state: State) -> Thing:
    found = _get(machine, ref, args, state)
    key = argument(args, 0)
    if key is not None:
        state.heap[ref.id] = Table(limited((*_entries(ref, state), Gone(key.thing))))
    return found


def _setdefault(machine: Machine, ref: Ref, args: Args, state: State) -> Thing:
    key, value = argument(args, 0), argument(args, 1)
    if key is None or value is None:
        return machine.unknown(args.node)
    answer = _has(ref, key.thing, state)
    found = _get(machine, ref, args, state)
    if answer is False:
        set_key(machine, ref, Pair(key.thing, value.thing, key.place, value.place), state)
    elif answer is None:
        pair = Pair(key.thing, found, key.place, value.place)
        set_key(machine, ref, pair, state)
    return found


def _has(ref: Ref, key: Thing, state: State) -> bool | None:
    return contains(key, ref, state)


def set_key(machine: Machine, ref: Ref, pair: Pair, state: State) -> None:
    """``table[key] = value``."""
    machine.spend()
    state.heap[ref.id] = Table(limited((*_entries(ref, state), pair)))


def _update(machine: Machine, ref: Ref, args: Args, state: State) -> Thing:
    more: list[Item | Pair | Gone | Spread | Pick] = []
    for entry in args.positional:
        thing = entry.thing if isinstance(entry, Item | Spread) else runtime("")
        inner = entries_of(machine, thing, args.node, state)
        plain_list = any(isinstance(one, Item) for one in inner)
        place = machine.script.place(args.node)
        more.extend((Spread(thing, place),) if plain_list else inner)
    state.heap[ref.id] = Table(limited((*_entries(ref, state), *more, *args.keywords)))
    return NONE


def _copy(machine: Machine, ref: Ref, _args: Args, state: State) -> Thing:
    return machine.new(state, Table(_entries(ref, state)))


def _keys(machine: Machine, ref: Ref, _args: Args, state: State) -> Thing:
    return machine.new(state, Seq(keys(_entries(ref, state)), fixed=True))


def _values(machine: Machine, ref: Ref, _args: Args, state: State) -> Thing:
    return machine.new(state, Seq(values(_entries(ref, state)), fixed=True))


def _items(machine: Machine, ref: Ref, args: Args, state: State) -> Thing:
    place = machine.script.place(args.node)
    found = _rows(machine, pairs(_entries(ref, state)), place, state)
    return machine.new(state, Seq(found, fixed=True))


def _rows(machine: Machine, entries: Entries, place: tuple[int, int], state: State) -> Entries:
    rows: list[Item | Pair | Gone | Spread | Pick] = []
    for entry in entries:
        if isinstance(entry, Pair):
            both = (Item(entry.key, entry.key_place), Item(entry.value, entry.place))
            rows.append(Item(machine.new(state, Seq(both, fixed=True)), place))
        elif isinstance(entry, Pick):
            arms = tuple(_rows(machine, arm, place, state) for arm in entry.arms)
            rows.append(Pick(entry.guard, arms))
        elif isinstance(entry, Spread):
            rows.append(Spread(runtime(""), entry.place))
    return tuple(rows)


def _clear(_machine: Machine, ref: Ref, _args: Args, state: State) -> Thing:
    state.heap[ref.id] = Table(())
    return NONE


_TABLE: dict[str, Method] = {
    "get": _get,
    "pop": _pop,
    "setdefault": _setdefault,
    "update": _update,
    "copy": _copy,
    "keys": _keys,
    "values": _values,
    "items": _items,
    "clear": _clear,
}
