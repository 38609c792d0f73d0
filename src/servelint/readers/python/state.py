"""What holds at one point of a run: names, and the lists, mappings and objects behind them.

Containers are values: to change one is to put another in its place. Where two
ways meet, :func:`join` keeps both, told apart by the guard that chose the way.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import compress, islice
from operator import is_, is_not
from typing import TypeVar

from servelint.readers.python.alternatives import alt
from servelint.readers.python.things import Dark, Dotted, Ref, Thing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import libcst as cst

    from servelint.readers.python.pieces import Place

_Key = TypeVar("_Key", int, str)

MODULE = 0
"""The frame of the module."""

ENVIRON = Ref(0)
"""The environment of the process."""

MAX_ENTRIES = 4000
"""A container with more entries than this is unknown."""

CROWD = 120
"""Choices in one container; with more it is unknown."""


@dataclass(frozen=True, slots=True)
class Item:
    """An element of a list, written at ``place``."""

    thing: Thing
    place: Place


@dataclass(frozen=True, slots=True)
class Pair:
    """A key of a mapping with its value."""

    key: Thing
    value: Thing
    key_place: Place
    place: Place


@dataclass(frozen=True, slots=True)
class Gone:
    """A key that was taken out."""

    key: Thing


@dataclass(frozen=True, slots=True)
class Spread:
    """Any number of entries that come from ``thing``."""

    thing: Thing
    place: Place


@dataclass(frozen=True, slots=True)
class Pick:
    """The entries of one arm: the one that ``guard`` chose."""

    guard: int
    arms: tuple[tuple[Entry, ...], ...]


Entry = Item | Pair | Gone | Spread | Pick
Entries = tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Seq:
    """A list, tuple or set: its elements in order. Tuples are never changed."""

    entries: Entries
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A mapping, as the assignments that made it: the last one of a key counts."""

    entries: Entries


@dataclass(frozen=True, slots=True)
class Record:
    """An object of a class of the file."""

    family: Ref
    attrs: Mapping[str, Thing]


@dataclass(frozen=True, slots=True)
class Family:
    """A class of the file.

    ``foreign`` are the full names of its bases that are not in the file.
    ``fields`` are what a constructor takes that nobody wrote (a dataclass).
    ``enum`` is the kind of its members, empty for a class that is no enumeration.
    """

    name: str
    node: cst.ClassDef
    bases: tuple[Ref, ...] = ()
    foreign: tuple[str, ...] = ()
    attrs: Mapping[str, Thing] = field(default_factory=dict)
    enum: str = ""
    fields: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Parser:
    """A parser of the script's own options, by the name of the attribute that each sets."""

    options: Mapping[str, Thing]


@dataclass(frozen=True, slots=True)
class Namespace:
    """What a parser gave. ``parser`` holds the options."""

    parser: Ref


Content = Seq | Table | Record | Family | Parser | Namespace


@dataclass(slots=True)
class State:
    """Names by frame, contents by reference, and the choices that led here.

    Frames are shared between states until one of them sets a name.
    """

    frames: dict[int, dict[str, Thing]] = field(default_factory=dict)
    heap: dict[int, Content] = field(default_factory=dict)
    world: dict[int, int] = field(default_factory=dict)
    _own: set[int] = field(default_factory=set)

    def copy(self) -> State:
        """A state that can go another way."""
        self._own = set()
        return State(dict(self.frames), dict(self.heap), dict(self.world))

    def take(self, other: State) -> None:
        """Become ``other``."""
        self.frames, self.heap, self.world = other.frames, other.heap, other.world
        self._own = set()
        other._own = set()

    def open_frame(self, frame: int, names: dict[str, Thing]) -> None:
        """A new frame with its first names."""
        self.frames[frame] = names
        self._own.add(frame)

    def set_name(self, frame: int, name: str, thing: Thing) -> None:
        """Bind a name in a frame."""
        names = self.frames.get(frame)
        if names is None or frame not in self._own:
            names = dict(names or ())
            self.open_frame(frame, names)
        names[name] = thing


def start() -> State:
    """The state in which a module begins."""
    here = (0, 0)
    environment = Table((Spread(Dotted("os.environ"), here),))
    return State({MODULE: {}}, {ENVIRON.id: environment})


def join(guard: int, arms: Sequence[State]) -> State:
    """The state after ``guard`` chose one of ``arms``."""
    first = arms[0]
    if all(arm is first for arm in arms):
        return first
    frames = dict(first.frames)
    for number in _different([arm.frames for arm in arms]):
        rows = [names for arm in arms if (names := arm.frames.get(number)) is not None]
        every = [arm.frames.get(number, rows[0]) for arm in arms]
        frames[number] = _join_names(guard, every)
    heap = dict(first.heap)
    for ref in _different([arm.heap for arm in arms]):
        heap[ref] = _join_contents(guard, [arm.heap.get(ref) for arm in arms])
    world = {
        key: arm
        for key, arm in first.world.items()
        if all(other.world.get(key) == arm for other in arms[1:])
    }
    return State(frames, heap, world)


def _different(maps: Sequence[Mapping[_Key, object]]) -> dict[_Key, None]:
    """The keys under which the maps do not hold one and the same, in order."""
    first = maps[0]
    found: dict[_Key, None] = {}
    for other in maps[1:]:
        if other is not first:
            found.update(dict.fromkeys(_differing(first, other)))
    return found


def _differing(first: Mapping[_Key, object], other: Mapping[_Key, object]) -> Iterator[_Key]:
    """The keys of two maps that began as one, side by side: what was added stands behind."""
    yield from compress(first, map(is_not, first.values(), other.values()))
    if len(first) == len(other) and all(map(is_, first, other)):
        return
    yield from compress(first, map(is_not, first, other))
    yield from compress(other, map(is_not, first, other))
    size = min(len(first), len(other))
    yield from islice(first, size, None)
    yield from islice(other, size, None)


def _join_names(guard: int, arms: Sequence[Mapping[str, Thing]]) -> dict[str, Thing]:
    """Where a way never set a name, whoever reads the name came another way."""
    joined = dict(arms[0])
    for name in _different(arms):
        found = [arm[name] for arm in arms if name in arm]
        joined[name] = alt(guard, [arm.get(name, found[0]) for arm in arms])
    return joined


def _join_contents(guard: int, arms: Sequence[Content | None]) -> Content:
    found = [arm for arm in arms if arm is not None]
    first = found[0]
    if all(one is first for one in found):
        return first
    every = [first if arm is None else arm for arm in arms]
    match first:
        case Seq() | Table():
            rows = [arm.entries for arm in every if isinstance(arm, Seq | Table)]
            return replace(first, entries=join_entries(guard, rows))
        case Record() | Family():
            attrs = [arm.attrs for arm in every if isinstance(arm, Record | Family)]
            return replace(first, attrs=_join_names(guard, attrs))
        case Parser():
            options = [arm.options for arm in every if isinstance(arm, Parser)]
            return replace(first, options=_join_names(guard, options))
        case _:
            return first


def join_entries(guard: int, arms: Sequence[Entries]) -> Entries:
    """What all arms begin and end with, and in between one of what they do not share."""
    shortest = min(map(len, arms))
    first = arms[0]
    head = 0
    while head < shortest and all(arm[head] == first[head] for arm in arms):
        head += 1
    tail = 0
    while tail < shortest - head and all(arm[-1 - tail] == first[-1 - tail] for arm in arms):
        tail += 1
    middles = tuple(arm[head : len(arm) - tail] for arm in arms)
    if not any(middles):
        return first
    return limited((*first[:head], Pick(guard, middles), *first[len(first) - tail :]))


def limited(entries: Entries) -> Entries:
    """The entries, or one that stands for any when there are too many to follow."""
    crowd = sum(isinstance(entry, Pick) for entry in entries)
    if len(entries) <= MAX_ENTRIES and crowd <= CROWD:
        return entries
    return (Spread(Dark("many-values", ""), (0, 0)),)
