"""Functions over rows: ``range``, ``zip``, ``map``, ``sorted``, ``chain`` and their like."""

from __future__ import annotations

from functools import partial

from servelint.readers.python.container_methods import argument
from servelint.readers.python.containers import elements_of
from servelint.readers.python.conversions import first
from servelint.readers.python.machine import Args
from servelint.readers.python.state import Item, Pick, Seq, Spread, State, limited
from servelint.readers.python.things import Const, Ref, Thing, is_none, runtime
from servelint.readers.python.truth import is_known, plain_value, truth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from servelint.readers.python.machine import Machine
    from servelint.readers.python.state import Entries, Entry

    Known = Callable[[Machine, Args, State], Thing]

MAX_ROUNDS = 256
"""Elements that are gone through one by one."""


def items_of(machine: Machine, thing: Thing, args: Args, state: State) -> list[Item] | None:
    """The elements of a thing; None when one of them is not known to be there."""
    entries = elements_of(machine, thing, args.node, state)
    found = [entry for entry in entries if isinstance(entry, Item)]
    return found if len(found) == len(entries) else None


def _row(machine: Machine, entries: Sequence[Entry], state: State, *, fixed: bool = True) -> Thing:
    return machine.new(state, Seq(limited(tuple(entries)), fixed))


def _range(machine: Machine, args: Args, state: State) -> Thing:
    numbers: list[int] = []
    for entry in args.positional:
        value = plain_value(entry.thing) if isinstance(entry, Item) else None
        if not isinstance(value, int):
            return machine.unknown(args.node)
        numbers.append(value)
    try:
        found = range(*numbers)
    except (TypeError, ValueError):
        return machine.unknown(args.node)
    if len(found) > MAX_ROUNDS:
        return machine.unknown(args.node)
    place = machine.script.place(args.node)
    return _row(machine, [Item(Const(number), place) for number in found], state)


def _enumerate(machine: Machine, args: Args, state: State) -> Thing:
    found = items_of(machine, first(machine, args), args, state)
    start = argument(args, 1, "start")
    number = plain_value(start.thing) if start is not None else 0
    if found is None or not isinstance(number, int):
        return machine.unknown(args.node)
    rows = [
        Item(_row(machine, [Item(Const(number + at), item.place), item], state), item.place)
        for at, item in enumerate(found)
    ]
    return _row(machine, rows, state)


def _zip(machine: Machine, args: Args, state: State) -> Thing:
    columns: list[list[Item]] = []
    for entry in args.positional:
        found = items_of(machine, entry.thing, args, state) if isinstance(entry, Item) else None
        if found is None:
            return machine.unknown(args.node)
        columns.append(found)
    rows = [Item(_row(machine, row, state), row[0].place) for row in zip(*columns, strict=False)]
    return _row(machine, rows, state)


def _map(machine: Machine, args: Args, state: State) -> Thing:
    """``map(f, row)``: ``f`` of each element, in order."""
    from servelint.readers.python.calls import apply  # noqa: PLC0415  # a cycle

    function = argument(args, 0)
    if function is None or len(args.positional) != 2:
        return machine.unknown(args.node)
    second = argument(args, 1)
    entries = elements_of(machine, second.thing if second else runtime(""), args.node, state)

    def each(entry: Entry) -> Entry:
        if isinstance(entry, Item):
            made = apply(machine, function.thing, Args(args.node, (entry,), (), ""), state)
            return Item(made, entry.place)
        if isinstance(entry, Pick):
            arms = tuple(tuple(each(one) for one in arm) for arm in entry.arms)
            return Pick(entry.guard, arms)
        return Spread(machine.unknown(args.node), machine.script.place(args.node))

    return _row(machine, [each(entry) for entry in entries[:MAX_ROUNDS]], state)


def _filter(machine: Machine, args: Args, state: State) -> Thing:
    """``filter(None, row)``: the elements that count as true."""
    function, second = argument(args, 0), argument(args, 1)
    if function is None or second is None or not is_none(function.thing):
        return machine.unknown(args.node)
    found: list[Entry] = []
    for entry in elements_of(machine, second.thing, args.node, state):
        answer = truth(entry.thing, state) if isinstance(entry, Item) else None
        if answer is True:
            found.append(entry)
        elif answer is not False:
            found.append(Pick(machine.number(), ((entry,), ())))
    return _row(machine, found, state)


def _ordered(machine: Machine, args: Args, state: State) -> Thing:
    """``sorted``: of texts or numbers that are all known, without a key of its own."""
    found = items_of(machine, first(machine, args), args, state)
    if found is None or args.keywords:
        return machine.unknown(args.node)
    values = [plain_value(item.thing) for item in found]
    texts = all(isinstance(value, str) for value in values)
    if not texts and not all(isinstance(value, int | float) for value in values):
        return _sorted_rows(machine, found, args, state)
    order = sorted(range(len(found)), key=lambda at: values[at])  # type: ignore[arg-type,return-value]
    return _row(machine, [found[at] for at in order], state, fixed=False)


def _sorted_rows(machine: Machine, found: list[Item], args: Args, state: State) -> Thing:
    """Rows with different texts in front: the items of a mapping."""
    heads: list[str] = []
    for item in found:
        content = state.heap.get(item.thing.id) if isinstance(item.thing, Ref) else None
        entry = content.entries[0] if isinstance(content, Seq) and content.entries else None
        head = plain_value(entry.thing) if isinstance(entry, Item) else None
        if not isinstance(head, str) or head in heads:
            return machine.unknown(args.node)
        heads.append(head)
    order = sorted(range(len(found)), key=heads.__getitem__)
    return _row(machine, [found[at] for at in order], state, fixed=False)


def _reversed(machine: Machine, args: Args, state: State) -> Thing:
    found = items_of(machine, first(machine, args), args, state)
    return machine.unknown(args.node) if found is None else _row(machine, found[::-1], state)


def _chained(machine: Machine, entries: Entries, args: Args, state: State) -> Thing:
    """The elements of several rows, one row behind the other."""
    found: list[Entry] = []
    for entry in entries:
        thing = entry.thing if isinstance(entry, Item | Spread) else machine.unknown(args.node)
        found.extend(elements_of(machine, thing, args.node, state))
    return _row(machine, found, state, fixed=False)


def _chain(machine: Machine, args: Args, state: State) -> Thing:
    return _chained(machine, args.positional, args, state)


def _chain_rows(machine: Machine, args: Args, state: State) -> Thing:
    entries = elements_of(machine, first(machine, args), args.node, state)
    return _chained(machine, entries, args, state)


def _sum(machine: Machine, args: Args, state: State) -> Thing:
    """``sum(rows, [])``, and of numbers."""
    second = argument(args, 1)
    if second is not None and isinstance(second.thing, Ref):
        entries = elements_of(machine, first(machine, args), args.node, state)
        return _chained(machine, (second, *entries), args, state)
    found = items_of(machine, first(machine, args), args, state)
    values = [plain_value(item.thing) for item in found or ()]
    numbers = [value for value in values if isinstance(value, int)]
    if found is None or second is not None or len(numbers) != len(values):
        return machine.unknown(args.node)
    return Const(sum(numbers))


def _extreme(
    choose: Callable[[list[float]], float], machine: Machine, args: Args, state: State
) -> Thing:
    found = [entry for entry in args.positional if isinstance(entry, Item)]
    if len(found) == 1:
        found = items_of(machine, found[0].thing, args, state) or []
    values = [plain_value(item.thing) for item in found]
    numbers = [value for value in values if isinstance(value, int | float)]
    if not numbers or len(numbers) != len(values) or args.keywords:
        return machine.unknown(args.node)
    return found[numbers.index(choose(numbers))].thing


def _all_known(machine: Machine, args: Args, state: State) -> Thing:
    found = items_of(machine, first(machine, args), args, state)
    if found is None or not all(is_known(plain_value(item.thing)) for item in found):
        return machine.unknown(args.node)
    return _row(machine, found, state)


ITERATION: dict[str, Known] = {
    "range": _range,
    "enumerate": _enumerate,
    "zip": _zip,
    "map": _map,
    "filter": _filter,
    "sorted": _ordered,
    "reversed": _reversed,
    "itertools.chain": _chain,
    "itertools.chain.from_iterable": _chain_rows,
    "sum": _sum,
    "min": partial(_extreme, min),
    "max": partial(_extreme, max),
    "iter": _all_known,
}
