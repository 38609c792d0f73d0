"""Where an assignment puts a thing: a name, an attribute, a key, or several of these."""

from __future__ import annotations

import libcst as cst

from servelint.readers.python.alternatives import alt
from servelint.readers.python.classes import set_attribute
from servelint.readers.python.container_methods import set_key
from servelint.readers.python.containers import elements_of
from servelint.readers.python.indexing import element
from servelint.readers.python.options import set_option
from servelint.readers.python.state import (
    Entries,
    Item,
    Namespace,
    Pair,
    Pick,
    Seq,
    Spread,
    State,
    Table,
    limited,
)
from servelint.readers.python.things import Const, Ref, Thing, runtime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.readers.python.machine import Machine


def bind_target(
    machine: Machine, target: cst.CSTNode, thing: Thing, value: cst.CSTNode, state: State
) -> None:
    """``target = thing``; ``value`` is the expression that gave it."""
    match target:
        case cst.Name():
            machine.assign(target.value, thing, state)
        case cst.Attribute():
            base = machine.evaluate(target.value, state)
            machine.fork(
                base, state, lambda one, own: _set_attribute(machine, one, target, thing, own)
            )
        case cst.Subscript():
            _set_item(machine, target, thing, value, state)
        case cst.Tuple() | cst.List():
            _unpack(machine, target, thing, value, state)
        case cst.StarredElement():
            bind_target(machine, target.value, thing, value, state)
        case _:
            pass


def _set_attribute(
    machine: Machine, base: Thing, target: cst.Attribute, thing: Thing, state: State
) -> Thing:
    content = state.heap.get(base.id) if isinstance(base, Ref) else None
    if isinstance(content, Namespace):
        set_option(content, target.attr.value, thing, state)
    else:
        set_attribute(machine, base, target.attr.value, thing, state)
    return thing


def _set_item(
    machine: Machine, target: cst.Subscript, thing: Thing, value: cst.CSTNode, state: State
) -> None:
    base = machine.evaluate(target.value, state)
    if len(target.slice) != 1:
        return
    part = target.slice[0].slice
    key = machine.evaluate(part.value, state) if isinstance(part, cst.Index) else runtime("")
    key_place = machine.place(part.value) if isinstance(part, cst.Index) else (0, 0)
    pair = Pair(key, thing, key_place, machine.place(value))

    def change(one: Thing, own: State) -> Thing:
        content = own.heap.get(one.id) if isinstance(one, Ref) else None
        if isinstance(one, Ref) and isinstance(content, Table):
            set_key(machine, one, pair, own)
        elif isinstance(one, Ref) and isinstance(content, Seq):
            _set_element(machine, one, content, pair, own)
        return thing

    machine.fork(base, state, change)


def _set_element(machine: Machine, ref: Ref, content: Seq, pair: Pair, state: State) -> None:
    """``row[0] = thing``; at an unknown place, any element may be the new one."""
    number = pair.key.value if isinstance(pair.key, Const) else None
    entries = content.entries
    new = Item(pair.value, pair.place)
    at = number if isinstance(number, int) else None
    if at is not None:
        at += len(entries) if at < 0 else 0
        counted = entries[: at + 1] if at == number else entries[max(at, 0) :]
        if 0 <= at < len(entries) and all(isinstance(entry, Item) for entry in counted):
            changed = (*entries[:at], new, *entries[at + 1 :])
            state.heap[ref.id] = Seq(changed, content.fixed)
            return
    guard = machine.number()
    mixed = (
        Item(alt(guard, [entry.thing, new.thing]), entry.place)
        if isinstance(entry, Item)
        else entry
        for entry in entries
    )
    state.heap[ref.id] = Seq(tuple(mixed), content.fixed)


def _unpack(
    machine: Machine,
    target: cst.Tuple | cst.List,
    thing: Thing,
    value: cst.CSTNode,
    state: State,
) -> None:
    """``a, *b = thing``."""
    elements = target.elements
    star = next(
        (at for at, one in enumerate(elements) if isinstance(one, cst.StarredElement)), None
    )
    entries = elements_of(machine, thing, value, state)
    for number, one in enumerate(elements):
        if star is None or number < star:
            bind_target(machine, one.value, _nth(machine, entries, number, value), value, state)
        elif number > star:
            back = number - len(elements)
            bind_target(machine, one.value, _nth(machine, entries, back, value), value, state)
        else:
            rest = _rest(machine, entries, star, len(elements) - star - 1, value)
            bind_target(machine, one.value, machine.new(state, Seq(rest)), value, state)


def _nth(machine: Machine, entries: Entries, number: int, value: cst.CSTNode) -> Thing:
    if len(entries) == 1 and isinstance(entries[0], Pick):
        pick = entries[0]
        return alt(pick.guard, [_nth(machine, arm, number, value) for arm in pick.arms])
    return element(entries, number) or machine.unknown(value)


def _rest(
    machine: Machine, entries: Entries, before: int, after: int, value: cst.CSTNode
) -> Entries:
    if all(isinstance(entry, Item) for entry in entries) and len(entries) >= before + after:
        return limited(entries[before : len(entries) - after])
    return (Spread(machine.unknown(value), machine.script.place(value)),)
