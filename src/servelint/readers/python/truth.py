"""Whether a condition holds: yes, no, cannot be told, or as a guard chose."""

from __future__ import annotations

from dataclasses import dataclass

from servelint.readers.python.alternatives import leaves
from servelint.readers.python.pieces import known_text
from servelint.readers.python.state import (
    Family,
    Gone,
    Item,
    Pair,
    Pick,
    Record,
    Seq,
    Spread,
    Table,
)
from servelint.readers.python.things import Alt, Const, Func, Member, Ref, Str, Thing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.readers.python.state import Entries, State


@dataclass(frozen=True, slots=True)
class Split:
    """A condition that a guard decides: the verdict for each of its arms."""

    guard: int
    verdicts: tuple[bool, ...]


def truth(thing: Thing, state: State) -> bool | Split | None:
    """Whether a thing counts as true; None when that cannot be told."""
    if not isinstance(thing, Alt):
        return _one(thing, state)
    found = {_one(leaf, state) for leaf in leaves(thing)}
    if len(found) == 1:
        return found.pop()
    verdicts = [truth(arm, state) for arm in thing.arms]
    if all(isinstance(verdict, bool) for verdict in verdicts):
        return Split(thing.guard, tuple(verdict is True for verdict in verdicts))
    return None


def _one(thing: Thing, state: State) -> bool | None:  # one kind of thing a case
    match thing:
        case Const():
            return bool(thing.value)
        case Str():
            if thing.path:
                return True
            if any(piece.known and piece.text for piece in thing.pieces):
                return True
            return None if thing.pieces else False
        case Func() | Member():
            return True
        case Ref():
            return _content(state.heap.get(thing.id))
        case _:
            return None


def _content(content: object) -> bool | None:
    match content:
        case Seq() | Table():
            return _filled(content.entries)
        case Record() | Family():
            return True
        case _:
            return None


def _filled(entries: Entries) -> bool | None:
    """Whether a container holds anything."""
    if any(isinstance(entry, Item | Pair) for entry in entries) and not any(
        isinstance(entry, Gone) for entry in entries
    ):
        return True
    return None if entries else False


def equal(left: Thing, right: Thing) -> bool | None:
    """Whether two single things are equal; None when that cannot be told."""
    one, other = plain_value(left), plain_value(right)
    if one is _UNKNOWN or other is _UNKNOWN:
        return None
    if isinstance(one, bool) and isinstance(other, bool):
        return one is other
    return one == other


class _Unknown:
    """Stands for a value that is not known: None is one that is."""


_UNKNOWN = _Unknown()


def plain_value(thing: Thing) -> object:
    """A known text, number, truth value or None as Python has it."""
    match thing:
        case Str():
            text = known_text(thing.pieces)
            return _UNKNOWN if text is None else (text, "path") if thing.path else text
        case Const():
            return thing.value
        case Member():
            if thing.kind == "enum":
                return (thing.family.id, thing.name)
            return plain_value(thing.value)
        case _:
            return _UNKNOWN


def is_key(thing: Thing, name: str) -> bool:
    """True for the known text ``name``, wherever it is written."""
    return isinstance(thing, Str) and not thing.path and known_text(thing.pieces) == name


def is_known(value: object) -> bool:
    """True for what :func:`plain_value` could tell."""
    return value is not _UNKNOWN


def same(left: Thing, right: Thing) -> bool | None:
    """``left is right``: told of None and truth values only."""
    one, other = plain_value(left), plain_value(right)
    if other is None or one is None:
        if isinstance(left, Ref | Func | Member) or isinstance(right, Ref | Func | Member):
            return False
        if is_known(one) and is_known(other):
            return one is other
        return None
    if isinstance(left, Member) and isinstance(right, Member):
        return left.family == right.family and left.name == right.name
    if isinstance(one, bool) and isinstance(other, bool):
        return one is other
    return None


def contains(item: Thing, container: Thing, state: State) -> bool | None:
    """``item in container``."""
    if isinstance(container, Str) and isinstance(item, Str):
        text, part = known_text(container.pieces), known_text(item.pieces)
        return None if text is None or part is None else part in text
    if not isinstance(container, Ref):
        return None
    content = state.heap.get(container.id)
    if not isinstance(content, Seq | Table):
        return None
    return _any_equal(item, content.entries)


def _any_equal(item: Thing, entries: Entries) -> bool | None:
    unsure = False
    for entry in entries:
        if isinstance(entry, Spread | Pick | Gone):
            unsure = True
            continue
        thing = entry.thing if isinstance(entry, Item) else entry.key
        answers = {equal(item, leaf) for leaf in leaves(thing)}
        if answers == {True}:
            return True
        unsure = unsure or answers != {False}
    return None if unsure else False
