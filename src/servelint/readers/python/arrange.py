"""From entries with choices in them to rows of words: one row for each way it can go.

A choice that decides about a program or an option that counts is always told
apart; others as long as there are not too many rows. A choice between
something and nothing that is not told apart leaves its words in and ends the
row with an unknown word: more or less may be there.
"""

from __future__ import annotations

from dataclasses import dataclass

from servelint.readers.python.alternatives import alt, leaves, under
from servelint.readers.python.crossings import crossings, text_of, texts
from servelint.readers.python.pieces import Piece, known_text, shared, written
from servelint.readers.python.state import Item, Pair, Pick, Spread
from servelint.readers.python.things import Alt, Dark, Str, Thing, runtime
from servelint.value import MAX_READINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from servelint.readers.python.machine import Machine
    from servelint.readers.python.needles import Needles
    from servelint.readers.python.pieces import Pieces
    from servelint.readers.python.state import Entries, Entry, State

Row = tuple[Item | Spread | Pair, ...]

_SHAPES = 1
_COUNTS = 2


@dataclass(slots=True)
class _Choice:
    """A guard: how many arms it has and how much depends on it."""

    arms: int
    weight: int


def rows(
    machine: Machine, entries: Entries, world: dict[int, int], limit: int = MAX_READINGS
) -> Iterator[tuple[dict[int, int], Row]]:
    """Every row, with the choices that made it."""
    for guard, arm in world.items():
        entries = substituted(entries, guard, arm)
    yield from _rows(machine, entries, dict(world), limit)


def _rows(
    machine: Machine, entries: Entries, world: dict[int, int], limit: int
) -> Iterator[tuple[dict[int, int], Row]]:
    machine.spend(1 + len(entries) // 8)
    guard, ways, which = _ways(entries, machine.needles)
    if not ways or len(ways) > limit:
        yield world, _settled(entries, machine.needles)
        return
    for number, inner in enumerate(ways):
        chosen = {guard: which.index(number)} if which.count(number) == 1 else {}
        yield from _rows(machine, inner, world | chosen, limit // len(ways))


def _ways(entries: Entries, needles: Needles) -> tuple[int, list[Entries], list[int]]:
    """The choice to tell apart first: its guard, its different ways, and the one of each arm."""
    choices = _choices(entries, needles)
    guard, best = max(choices.items(), key=lambda one: one[1].weight, default=(0, _Choice(0, 0)))
    ways: list[Entries] = []
    which: list[int] = []
    for arm in range(best.arms if best.weight else 0):
        inner = substituted(entries, guard, arm)
        if inner not in ways:
            ways.append(inner)
        which.append(ways.index(inner))
    return guard, ways, which


def each_row(
    machine: Machine, entries: Entries, state: State, function: Callable[[Row], Thing]
) -> Thing:
    """``function`` of every row, told apart by the guards that made it."""
    for guard, arm in state.world.items():
        entries = substituted(entries, guard, arm)
    return _each_row(machine, entries, function, MAX_READINGS)


def _each_row(
    machine: Machine, entries: Entries, function: Callable[[Row], Thing], limit: int
) -> Thing:
    machine.spend(1 + len(entries) // 8)
    guard, ways, which = _ways(entries, machine.needles)
    if not ways or len(ways) > limit:
        return function(_settled(entries, machine.needles))
    arms = [_each_row(machine, inner, function, limit // len(ways)) for inner in ways]
    return alt(guard, [arms[number] for number in which])


def substituted(entries: Entries, guard: int, arm: int) -> Entries:
    """The entries in the world where ``guard`` chose ``arm``."""
    found: list[Entry] = []
    for entry in entries:
        match entry:
            case Pick() if entry.guard == guard:
                chosen = entry.arms[min(arm, len(entry.arms) - 1)]
                found.extend(substituted(chosen, guard, arm))
            case Pick():
                arms = tuple(substituted(one, guard, arm) for one in entry.arms)
                found.append(Pick(entry.guard, arms))
            case Item() if isinstance(entry.thing, Alt):
                found.append(Item(under(entry.thing, guard, arm), entry.place))
            case Pair() if isinstance(entry.value, Alt) or isinstance(entry.key, Alt):
                key, value = under(entry.key, guard, arm), under(entry.value, guard, arm)
                found.append(Pair(key, value, entry.key_place, entry.place))
            case _:
                found.append(entry)
    return tuple(found)


# -- texts ----------------------------------------------------------------------------------


def fewer_texts(thing: Thing, needles: Needles) -> Thing:
    """Texts that a choice makes longer or not are one: the longer, and something unknown."""
    if not isinstance(thing, Alt):
        return thing
    arms = [fewer_texts(arm, needles) for arm in thing.arms]
    longest = _longer(arms, needles)
    return alt(thing.guard, arms) if longest is None else longest


def _longer(arms: list[Thing], needles: Needles) -> Thing | None:
    """The longer one of two texts that holds all of the shorter one and no more that counts."""
    texts = [_sure(arm.pieces) for arm in dict.fromkeys(arms) if isinstance(arm, Str)]
    if len(texts) != 2 or len(texts) != len(set(arms)):
        return None
    short, long = sorted(texts, key=len)
    head, tail = shared([short, long])
    text = written(long[head : len(long) - tail])
    counts = needles.programs.search(text) or needles.options.search(text)
    if counts or head + tail < len(short):
        return None
    return Str((*long, *_MAYBE))


def _sure(pieces: Pieces) -> Pieces:
    return pieces[: -len(_MAYBE)] if pieces[-len(_MAYBE) :] == _MAYBE else pieces


_MAYBE = (Piece(" "), Piece("...", None, (), "", "runtime-value"))
"""Stands for words of a text that may be there or not."""


# -- what depends on a guard ----------------------------------------------------------------


def _choices(entries: Entries, needles: Needles) -> dict[int, _Choice]:
    found: dict[int, _Choice] = {}
    seen = frozenset(_options(entries))
    for entry in entries:
        _note(entry, needles, found, seen)
    for guard, arms in crossings(entries, needles.spread):
        _record(found, guard, arms, _COUNTS)
    return found


def _note(entry: Entry, needles: Needles, found: dict[int, _Choice], seen: frozenset[str]) -> None:
    if isinstance(entry, Pick):
        weight = (
            _COUNTS if any(_counts(arm, needles) for arm in entry.arms) else _shape(entry, seen)
        )
        _record(found, entry.guard, len(entry.arms), weight)
        if weight:
            for arm in entry.arms:
                for inner in arm:
                    _note(inner, needles, found, seen)
    elif isinstance(entry, Item) and isinstance(entry.thing, Alt):
        if any(needles.programs.search(text_of(leaf)) for leaf in leaves(entry.thing)):
            _record(found, entry.thing.guard, len(entry.thing.arms), _COUNTS)


def _record(found: dict[int, _Choice], guard: int, arms: int, weight: int) -> None:
    known = found.setdefault(guard, _Choice(arms, weight))
    known.arms = max(known.arms, arms)
    known.weight = max(known.weight, weight)


def _counts(entries: Entries, needles: Needles) -> bool:
    """True when a program or an option that counts is among the entries."""
    text = " ".join(texts(entries))
    return bool(needles.programs.search(text) or needles.options.search(text))


def _shape(pick: Pick, seen: frozenset[str]) -> int:
    """Whether a choice must be told apart for the words after it to mean the same."""
    filled = [arm for arm in pick.arms if arm]
    if _is_even(pick):
        return 0
    if len(filled) > 1:
        return _SHAPES
    repeats = any(option in seen for arm in filled for option in _options(arm))
    return _SHAPES if repeats else 0


def _is_even(pick: Pick) -> bool:
    """True when all arms are rows of equally many words, so that word can stand for word."""
    return len({len(arm) for arm in pick.arms}) == 1 and all(
        isinstance(entry, Item) for arm in pick.arms for entry in arm
    )


def _options(entries: Entries) -> Iterator[str]:
    for entry in entries:
        if isinstance(entry, Item) and isinstance(entry.thing, Str):
            text = known_text(entry.thing.pieces) or ""
            if text.startswith("-"):
                yield text.partition("=")[0]
        elif isinstance(entry, Pair) and isinstance(entry.key, Str):
            yield known_text(entry.key.pieces) or ""


# -- what is left of choices ----------------------------------------------------------------


def _settled(entries: Entries, needles: Needles) -> Row:
    found: list[Item | Spread | Pair] = []
    unsure = _settle(entries, found, needles)
    if unsure is not None:
        found.append(Spread(runtime(""), unsure))
    return tuple(found)


def _settle(
    entries: Entries, found: list[Item | Spread | Pair], needles: Needles
) -> tuple[int, int] | None:
    """Add what the entries come to; the place of a choice between something and nothing."""
    unsure: tuple[int, int] | None = None
    for entry in entries:
        if isinstance(entry, Item | Spread | Pair):
            found.append(entry)
        elif isinstance(entry, Pick):
            filled = [arm for arm in entry.arms if arm]
            if _is_even(entry):
                found.extend(_side_by_side(entry))
            elif len(filled) == 1 or any(_counts(arm, needles) for arm in filled):
                arm = max(filled, key=lambda one: _counts(one, needles))
                unsure = _settle(arm, found, needles) or unsure or _place(arm)
            elif filled:
                found.append(Spread(Dark("many-values", ""), _place(filled[0])))
    return unsure


def _side_by_side(pick: Pick) -> Iterator[Item]:
    for number, entry in enumerate(pick.arms[0]):
        column = [arm[number] for arm in pick.arms]
        things = [one.thing for one in column if isinstance(one, Item)]
        if isinstance(entry, Item):
            yield Item(alt(pick.guard, things), entry.place)


def _place(entries: Entries) -> tuple[int, int]:
    for entry in entries:
        if isinstance(entry, Item | Spread | Pair):
            return entry.place
        if isinstance(entry, Pick):
            inner = next((arm for arm in entry.arms if arm), ())
            if inner:
                return _place(inner)
    return (0, 0)
