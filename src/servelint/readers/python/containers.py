"""Lists and mappings: what is in them, what a literal makes, what an index takes out."""

from __future__ import annotations

from typing import cast

import libcst as cst

from servelint.readers.python.alternatives import alt, leaves
from servelint.readers.python.pairs import keys
from servelint.readers.python.pieces import MAX_LENGTH, MAX_PIECES, cut, known_text
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
from servelint.readers.python.things import Alt, Const, Dotted, Open, Ref, Str, Thing, runtime
from servelint.readers.python.truth import equal, plain_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.readers.python.machine import Machine

_MAX_REPEAT = 1000
_MAX_CHARACTERS = 200


# -- what is in them ------------------------------------------------------------------------


def entries_of(machine: Machine, thing: Thing, node: cst.CSTNode, state: State) -> Entries:
    """What going through a thing gives: elements, or pairs of a mapping."""
    match thing:
        case Alt():
            arms = tuple(entries_of(machine, arm, node, state) for arm in thing.arms)
            return (Pick(thing.guard, arms),)
        case Ref():
            content = state.heap.get(thing.id)
            if isinstance(content, Seq | Table):
                return content.entries
        case Str():
            text = known_text(thing.pieces)
            if text is not None and not thing.path and len(text) <= _MAX_CHARACTERS:
                return tuple(_characters(machine, thing, node))
        case _:
            pass
    return (Spread(thing, machine.script.place(node)),)


def elements_of(machine: Machine, thing: Thing, node: cst.CSTNode, state: State) -> Entries:
    """What a loop over a thing gives: of a mapping, its keys."""
    return keys(entries_of(machine, thing, node, state))


def _characters(machine: Machine, thing: Str, node: cst.CSTNode) -> list[Item]:
    place = machine.place(node)
    return [
        Item(Str((cut(piece, at, at + 1),)), place)
        for piece in thing.pieces
        for at in range(len(piece.text))
    ]


_MISSING = Dotted("<missing>")


def find(entries: Entries, key: Thing, text: str) -> Thing | None:
    """The value of a key; None when it is not there. What may be there is unknown."""
    found = _found(entries, key, text, _MISSING)
    return None if found == _MISSING else found


def _found(entries: Entries, key: Thing, text: str, before: Thing) -> Thing:
    """The value of a key after some assignments that follow on ``before``."""
    for entry in entries:
        match entry:
            case Pair() | Gone():
                answers = {equal(entry.key, leaf) for leaf in leaves(key)}
                if answers == {True}:
                    before = entry.value if isinstance(entry, Pair) else _MISSING
                elif answers != {False}:
                    before = runtime(text)
            case Pick():
                arms = [_found(arm, key, text, before) for arm in entry.arms]
                before = alt(entry.guard, arms)
            case Spread():
                before = _find_in_spread(entry, key, text)
            case _:
                before = runtime(text)
    return before


def or_missing(thing: Thing | None, default: Thing) -> Thing:
    """The value that was found, with ``default`` in the worlds where the key is not there."""
    if thing is None:
        return default
    if isinstance(thing, Alt):
        return alt(thing.guard, [or_missing(arm, default) for arm in thing.arms])
    return default if thing == _MISSING else thing


def _find_in_spread(spread: Spread, key: Thing, text: str) -> Thing:
    name = plain_value(key)
    if spread.thing == Dotted("os.environ") and isinstance(name, str) and name:
        return Open(name, text)
    return runtime(text)


# -- literals -------------------------------------------------------------------------------


def sequence(machine: Machine, node: cst.CSTNode, state: State) -> Thing:
    """``[a, *b]``, ``(a, b)`` and ``{a, b}``."""
    node = cast("cst.List | cst.Tuple | cst.Set", node)
    found: list[Item | Spread | Pick | Pair | Gone] = []
    for element in node.elements:
        thing = machine.evaluate(element.value, state)
        if isinstance(element, cst.StarredElement):
            found.extend(elements_of(machine, thing, element.value, state))
        else:
            found.append(Item(thing, machine.place(element.value)))
    if isinstance(node, cst.Set) and len(found) > 1:
        return machine.unknown(node)  # the order of a set is nobody's
    return machine.new(state, Seq(limited(tuple(found)), fixed=isinstance(node, cst.Tuple)))


def mapping(machine: Machine, node: cst.CSTNode, state: State) -> Thing:
    """``{key: value, **other}``."""
    node = cast("cst.Dict", node)
    found: list[Item | Spread | Pick | Pair | Gone] = []
    for element in node.elements:
        value = machine.evaluate(element.value, state)
        place = machine.place(element.value)
        if isinstance(element, cst.StarredDictElement):
            found.extend(_unpacked(machine, value, element.value, state))
        elif isinstance(element, cst.DictElement):
            key = machine.evaluate(element.key, state)
            found.append(Pair(key, value, machine.place(element.key), place))
    return machine.new(state, Table(limited(tuple(found))))


def _unpacked(machine: Machine, thing: Thing, node: cst.CSTNode, state: State) -> Entries:
    entries = entries_of(machine, thing, node, state)
    if any(isinstance(entry, Item) for entry in entries):
        return (Spread(thing, machine.script.place(node)),)
    return entries


# -- sums -----------------------------------------------------------------------------------


def concatenated(
    machine: Machine, pair: tuple[Thing, Thing], node: cst.CSTNode, state: State
) -> Thing:
    """Two lists or tuples side by side; what is not a list is one that nobody knows."""
    parts = []
    fixed = True
    nodes = (node.left, node.right) if isinstance(node, cst.BinaryOperation) else (node, node)
    for one, where in zip(pair, nodes, strict=True):
        if isinstance(one, Const | Str):
            return machine.unknown(node)
        content = state.heap.get(one.id) if isinstance(one, Ref) else None
        fixed = fixed and isinstance(content, Seq) and content.fixed
        parts.append(elements_of(machine, one, where, state))
    return machine.new(state, Seq(limited(parts[0] + parts[1]), fixed))


def repeated(
    machine: Machine, thing: Ref | Str, times: Const, node: cst.CSTNode, state: State
) -> Thing:
    """``"a" * 3`` and ``[a] * 3``."""
    count = times.value
    if not isinstance(count, int) or count > _MAX_REPEAT:
        return machine.unknown(node)
    if isinstance(thing, Str):
        size = sum(len(piece.text) for piece in thing.pieces)
        too_long = size * count > MAX_LENGTH or len(thing.pieces) * count > MAX_PIECES
        return machine.unknown(node) if too_long else Str(thing.pieces * max(count, 0))
    content = state.heap.get(thing.id)
    if not isinstance(content, Seq):
        return machine.unknown(node)
    return machine.new(state, Seq(limited(content.entries * max(count, 0)), content.fixed))
