"""Functions over lists."""

from __future__ import annotations

from servelint.syntax.gotemplate.functions.comparing import same
from servelint.syntax.gotemplate.printing import shown
from servelint.syntax.gotemplate.problems import TooSlow
from servelint.syntax.gotemplate.ranges import MAX_ITEMS
from servelint.syntax.gotemplate.signature import (
    MANY,
    Function,
    NotKnown,
    items_of,
    known,
    strings,
    whole_of,
)
from servelint.syntax.gotemplate.values import (
    INTS,
    Items,
    Unknown,
    Value,
    holds,
    truth_value,
    whole,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from servelint.syntax.gotemplate.machine import Machine
    from servelint.syntax.gotemplate.texts import Text

Values = tuple[Value, ...]


def listed(items: Iterable[Value]) -> Items:
    """A list of anything. Raises TooSlow for one that is too long."""
    found = tuple(items)
    if len(found) > MAX_ITEMS:
        raise TooSlow(f"a list of {len(found):,} items")
    return Items(found)


def _first(_: Machine, values: Values) -> Value:
    items = items_of(values[0])
    return items[0] if items else None


def _last(_: Machine, values: Values) -> Value:
    items = items_of(values[0])
    return items[-1] if items else None


def _append(machine: Machine, values: Values) -> Value:
    machine.step(len(items_of(values[0])) // 10)
    return listed((*items_of(values[0]), values[1]))


def _prepend(machine: Machine, values: Values) -> Value:
    machine.step(len(items_of(values[0])) // 10)
    return listed((values[1], *items_of(values[0])))


def _concat_lists(machine: Machine, values: Values) -> Value:
    found = listed(item for value in values for item in items_of(value))
    machine.step(len(found.items) // 10)
    return found


def _uniq(machine: Machine, values: Values) -> Value:
    kept: list[Value] = []
    for item in items_of(values[0]):
        machine.step(len(kept) // 10)
        if not any(same(item, one) for one in kept):
            kept.append(item)
    return listed(kept)


def has(_: Machine, values: Values) -> Value:
    """``has ITEM LIST``; nil has nothing."""
    item, where = values
    if where is None:
        return truth_value(value=False)
    is_open = False
    for one in items_of(where):
        try:
            if same(item, one):
                return truth_value(value=True)
        except NotKnown:
            is_open = True
    if is_open:
        raise NotKnown
    return truth_value(value=False)


def _without(machine: Machine, values: Values) -> Value:
    items = items_of(values[0])
    machine.step(len(items) * len(values) // 10)
    return listed(one for one in items if not any(same(one, other) for other in values[1:]))


def _compact(_: Machine, values: Values) -> Value:
    items = items_of(values[0])
    filled = [holds(item) for item in items]
    if None in filled:
        raise NotKnown
    return listed(item for item, is_filled in zip(items, filled, strict=True) if is_filled)


def sliced(_: Machine, values: Values) -> Value:
    """``slice LIST FROM TO``."""
    items = items_of(values[0])
    places = [whole_of(value) for value in values[1:]]
    start = places[0] if places else 0
    end = places[1] if len(places) > 1 else len(items)
    return Items(items[max(start, 0) : max(end, 0)])


def sorted_texts(_: Machine, values: Values) -> Value:
    """The items as texts, in order; what is no list is a list of one."""
    if isinstance(values[0], Unknown):
        raise NotKnown
    items = values[0].items if isinstance(values[0], Items) else (values[0],)
    texts: list[Text] = [shown(item) for item in items if item is not None]
    return strings(sorted(texts, key=known))


def _chunk(_: Machine, values: Values) -> Value:
    size, items = whole_of(values[0]), items_of(values[1])
    if size < 1:
        raise NotKnown
    return Items(tuple(Items(items[at : at + size]) for at in range(0, len(items), size)))


def _until(machine: Machine, values: Values) -> Value:
    count = whole_of(values[0])
    return _steps(machine, 0, count, 1 if count >= 0 else -1)


def _until_step(machine: Machine, values: Values) -> Value:
    start, stop, step = (whole_of(value) for value in values)
    return _steps(machine, start, stop, step) if step else Items((), INTS)


def _steps(machine: Machine, start: int, stop: int, step: int) -> Items:
    numbers = range(start, stop, step)
    if len(numbers) > MAX_ITEMS:
        raise TooSlow(f"a list of {len(numbers):,} items")
    machine.step(len(numbers) // 10)
    return Items(tuple(whole(number) for number in numbers), INTS)


TABLE = {
    "list": Function(lambda _, values: Items(values), 0, MANY, "all"),
    "tuple": Function(lambda _, values: Items(values), 0, MANY, "all"),
    "first": Function(_first, takes="all"),
    "mustFirst": Function(_first, takes="all"),
    "last": Function(_last, takes="all"),
    "mustLast": Function(_last, takes="all"),
    "rest": Function(lambda _, v: Items(items_of(v[0])[1:]), takes="all"),
    "mustRest": Function(lambda _, v: Items(items_of(v[0])[1:]), takes="all"),
    "initial": Function(lambda _, v: Items(items_of(v[0])[:-1]), takes="all"),
    "mustInitial": Function(lambda _, v: Items(items_of(v[0])[:-1]), takes="all"),
    "reverse": Function(lambda _, v: Items(items_of(v[0])[::-1]), takes="all"),
    "mustReverse": Function(lambda _, v: Items(items_of(v[0])[::-1]), takes="all"),
    "append": Function(_append, 2, 2, "all"),
    "push": Function(_append, 2, 2, "all"),
    "mustAppend": Function(_append, 2, 2, "all"),
    "prepend": Function(_prepend, 2, 2, "all"),
    "mustPrepend": Function(_prepend, 2, 2, "all"),
    "concat": Function(_concat_lists, 0, MANY, "all"),
    "uniq": Function(_uniq, takes="all"),
    "mustUniq": Function(_uniq, takes="all"),
    "has": Function(has, 2, 2, "all"),
    "mustHas": Function(has, 2, 2, "all"),
    "without": Function(_without, 1, MANY, "all"),
    "mustWithout": Function(_without, 1, MANY, "all"),
    "compact": Function(_compact, takes="all"),
    "mustCompact": Function(_compact, takes="all"),
    "slice": Function(sliced, 1, 3, "all"),
    "mustSlice": Function(sliced, 1, 3, "all"),
    "sortAlpha": Function(sorted_texts, takes="all"),
    "chunk": Function(_chunk, 2, 2, "all"),
    "until": Function(_until),
    "untilStep": Function(_until_step, 3, 3),
}
