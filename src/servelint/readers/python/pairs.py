"""Mappings as rows of assignments: what counts of them, and their keys and values."""

from __future__ import annotations

from servelint.readers.python.state import Gone, Item, Pair, Pick, Spread
from servelint.readers.python.truth import is_known, plain_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.readers.python.state import Entries, Entry


def keys(entries: Entries) -> Entries:
    """The keys of a mapping in the order in which they were first set; lists as they are."""
    if not any(isinstance(entry, Pair | Gone | Pick) for entry in entries):
        return entries
    found: list[Entry] = []
    for entry in pairs(entries):
        match entry:
            case Pair():
                found.append(Item(entry.key, entry.key_place))
            case Pick():
                arms = tuple(keys(arm) for arm in entry.arms)
                found.extend(arms[0] if len(set(arms)) == 1 else (Pick(entry.guard, arms),))
            case Item() | Spread():
                found.append(entry)
            case _:
                pass
    return tuple(found)


def values(entries: Entries) -> Entries:
    """The values of a mapping."""
    found: list[Item | Spread | Pick] = []
    for entry in pairs(entries):
        match entry:
            case Pair():
                found.append(Item(entry.value, entry.place))
            case Pick():
                found.append(Pick(entry.guard, tuple(values(arm) for arm in entry.arms)))
            case Item() | Spread():
                found.append(entry)
            case _:
                pass
    return tuple(found)


def pairs(entries: Entries) -> Entries:
    """The assignments that count: of a key that is set again, the last value in the first place."""
    if not any(isinstance(entry, Pair | Gone) for entry in entries):
        return entries
    row = _Row()
    for entry in entries:
        row.add(entry)
    return tuple(entry for entry in row.found if entry is not None)


class _Row:
    """Assignments that are gone through in order, and where each key stands."""

    def __init__(self) -> None:
        self.found: list[Entry | None] = []
        self._places: dict[object, int] = {}

    def add(self, entry: Entry) -> None:
        match entry:
            case Gone():
                at = self._places.pop(plain_value(entry.key), None)
                if at is not None:
                    self.found[at] = None
            case Pair():
                self._set(entry)
            case Pick():
                self._choose(entry)
            case _:
                self.found.append(entry)

    def _set(self, pair: Pair) -> None:
        key = plain_value(pair.key)
        at = self._places.get(key)
        if at is None:
            self._places[key if is_known(key) else object()] = len(self.found)
            self.found.append(pair)
            return
        first = self.found[at]
        key_thing = first.key if isinstance(first, Pair) else pair.key
        self.found[at] = Pair(key_thing, pair.value, pair.key_place, pair.place)

    def _choose(self, pick: Pick) -> None:
        """A choice that sets a key again, or takes it out, does so where the key stands."""
        arms = [list(arm) for arm in pick.arms]
        found = (one.key for arm in arms for one in arm if isinstance(one, Pair | Gone))
        for key in self._places.keys() & set(map(plain_value, found)):
            at = self._places[key]
            old = self.found[at]
            if old is not None:
                ways = tuple(_now(arm, key, old) for arm in arms)
                self.found[at] = Pick(pick.guard, ways)
        arms = [[one for one in arm if not self._stands(one)] for arm in arms]
        if any(arms):
            self.found.append(Pick(pick.guard, tuple(map(tuple, arms))))

    def _stands(self, entry: Entry) -> bool:
        return isinstance(entry, Pair | Gone) and plain_value(entry.key) in self._places


def _now(arm: list[Entry], key: object, old: Entry) -> Entries:
    """What stands for a key after an arm."""
    last = [one for one in arm if isinstance(one, Pair | Gone) and plain_value(one.key) == key]
    if not last:
        return (old,)
    return (last[-1],) if isinstance(last[-1], Pair) else ()
