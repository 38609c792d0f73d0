"""Engines that are called from Python: keyword arguments are the options of the server."""

from __future__ import annotations

from servelint.readers.python.alternatives import leaves
from servelint.readers.python.commands import Teller
from servelint.readers.python.container_methods import argument
from servelint.readers.python.containers import elements_of, entries_of
from servelint.readers.python.pairs import pairs
from servelint.readers.python.pieces import Piece, known_text
from servelint.readers.python.state import Entries, Gone, Item, Pair, Pick, Seq, Spread
from servelint.readers.python.things import (
    Alt,
    Const,
    Dark,
    Dotted,
    Open,
    Ref,
    Str,
    Thing,
    runtime,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import libcst as cst

    from servelint.readers.python.machine import Args, Machine
    from servelint.readers.python.pieces import Place
    from servelint.readers.python.state import Entry, State


def engine_call(machine: Machine, args: Args, state: State) -> bool:
    """Tell the launch that a call of an engine is; false for another call."""
    name = machine.needles.call(args.name)
    if not name:
        return False
    place = _callee(machine, args.node)
    words: list[Entry] = [Item(Str((Piece(name, place),)), place)]
    nested = argument(args, 99, "engine_kwargs")
    if nested is not None:
        words += _classes(args)
        entries = entries_of(machine, nested.thing, args.node, state)
    else:
        entries = args.keywords
        for entry in args.positional:
            if isinstance(entry, Item) and _is_list(entry.thing, state):
                words += elements_of(machine, entry.thing, args.node, state)
    options = flags(machine, pairs(entries), state)
    if len(words) + len(options) > 1 or not (args.keywords or args.positional):
        Teller(machine, args.node, state, always=True).row((*words, *options))
    return True


def _callee(machine: Machine, node: cst.CSTNode) -> Place:
    func = getattr(node, "func", node)
    return machine.script.place(func)


def _is_list(thing: Thing, state: State) -> bool:
    return isinstance(thing, Ref) and isinstance(state.heap.get(thing.id), Seq)


def _classes(args: Args) -> list[Entry]:
    """Classes among the arguments: one of them says which engine it is."""
    return [
        Item(Str((Piece(entry.value.name.rpartition(".")[2], entry.place),)), entry.place)
        for entry in args.keywords
        if isinstance(entry, Pair) and isinstance(entry.value, Dotted)
    ]


def flags(machine: Machine, entries: Entries, state: State) -> Entries:
    """Keyword arguments as words of a command line."""
    found: list[Entry] = []
    for entry in entries:
        match entry:
            case Pair():
                found.extend(_flag(machine, entry, entry.value, state))
            case Pick():
                arms = tuple(flags(machine, pairs(arm), state) for arm in entry.arms)
                found.append(Pick(entry.guard, arms))
            case Spread() if not isinstance(entry.thing, Dotted):
                found.append(entry)
            case Spread() | Item():
                found.append(Spread(runtime(""), entry.place))
            case Gone():
                pass
    return tuple(found)


def _flag(machine: Machine, pair: Pair, value: Thing, state: State) -> Entries:
    """One keyword argument: nothing for a value that is no, the option for one that is yes."""
    name = known_text(pair.key.pieces) if isinstance(pair.key, Str) else None
    if name is None:
        return (Spread(runtime(""), pair.place),)
    option = Item(Str((Piece(f"--{name.replace('_', '-')}", pair.key_place),)), pair.key_place)
    return _with_value(machine, option, pair, value, state)


def _with_value(machine: Machine, option: Item, pair: Pair, value: Thing, state: State) -> Entries:
    match value:
        case Alt():
            if all(_is_word(leaf) for leaf in leaves(value)):
                return (option, Item(value, pair.place))
            arms = [_with_value(machine, option, pair, arm, state) for arm in value.arms]
            return (Pick(value.guard, tuple(arms)),)
        case Const():
            if value.value is True:
                return (option,)
            given = value.value is not None and value.value is not False
            return (option, Item(value, pair.place)) if given else ()
        case Open() if value.default is not None and _is_switch(value.default):
            return (Pick(machine.number(), ((option,), ())),)
        case Ref():
            return _of_content(option, pair, value, state)
        case Dotted() if machine.needles.call(value.name.removesuffix("()")):
            return ()  # told where it was made
        case Str() | Dark() | Open():
            return (option, Item(value, pair.place))
        case _:
            return (option, Item(runtime(""), pair.place))


def _is_word(thing: Thing) -> bool:
    if isinstance(thing, Const):
        return thing.value is not None and not isinstance(thing.value, bool)
    return isinstance(thing, Str | Dark | Open)


def _is_switch(thing: Thing) -> bool:
    return isinstance(thing, Const) and isinstance(thing.value, bool)


def _of_content(option: Item, pair: Pair, value: Ref, state: State) -> Entries:
    content = state.heap.get(value.id)
    if isinstance(content, Seq):
        return (option, *content.entries)
    return (option, Item(runtime(""), pair.place))
