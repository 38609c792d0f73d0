"""``row[key]`` and ``row[1:2]``: what an index takes out."""

from __future__ import annotations

from typing import cast

import libcst as cst

from servelint.readers.python.alternatives import alt, lift
from servelint.readers.python.containers import find, or_missing
from servelint.readers.python.pairs import values
from servelint.readers.python.pieces import known_text, section
from servelint.readers.python.state import Entries, Item, Seq, State, Table
from servelint.readers.python.things import Const, Dotted, Ref, Str, Thing
from servelint.readers.python.truth import is_known, plain_value
from servelint.value import MAX_READINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from servelint.readers.python.machine import Machine


def subscript(machine: Machine, node: cst.CSTNode, state: State) -> Thing:
    """``a[key]`` and ``a[1:2]``."""
    node = cast("cst.Subscript", node)
    base = machine.evaluate(node.value, state)
    if len(node.slice) != 1:
        return machine.unknown(node)
    part = node.slice[0].slice
    if isinstance(part, cst.Slice):
        bounds = [
            machine.evaluate(bound, state) if bound is not None else Const(None)
            for bound in (part.lower, part.upper, part.step)
        ]
        return lift(lambda *all_: _slice(machine, all_, node, state), base, *bounds)
    if not isinstance(part, cst.Index):
        return machine.unknown(node)
    key = machine.evaluate(part.value, state)
    return lift(lambda one, at: _take(machine, one, at, node, state), base, key)


def _take(machine: Machine, base: Thing, key: Thing, node: cst.CSTNode, state: State) -> Thing:
    unknown = machine.unknown(node)
    number = key.value if isinstance(key, Const) else None
    if isinstance(base, Str) and isinstance(number, int):
        return _slice(machine, (base, key, Const(number + 1 or None), Const(None)), node, state)
    content = state.heap.get(base.id) if isinstance(base, Ref) else None
    if isinstance(content, Table):
        if not is_known(plain_value(key)):
            return any_of(machine, values(content.entries), unknown)
        found = find(content.entries, key, machine.script.code(node))
        return or_missing(found, unknown)
    if isinstance(content, Seq) and isinstance(number, int):
        return element(content.entries, number) or unknown
    if isinstance(content, Seq):
        return any_of(machine, content.entries, unknown)
    if isinstance(base, Dotted):
        return Dotted(f"{base.name}[]")
    return unknown


def any_of(machine: Machine, entries: Entries, unknown: Thing) -> Thing:
    """One of the elements; unknown when there may be others or too many."""
    things = [entry.thing for entry in entries if isinstance(entry, Item)]
    if not things or len(things) != len(entries) or len(things) > MAX_READINGS:
        return unknown
    return alt(machine.number(), things)


def element(entries: Entries, number: int) -> Thing | None:
    """One element, when all elements before it are known."""
    order: Sequence[object] = entries if number >= 0 else tuple(reversed(entries))
    at = number if number >= 0 else -number - 1
    if at >= len(order) or any(not isinstance(entry, Item) for entry in order[: at + 1]):
        return None
    found = order[at]
    return found.thing if isinstance(found, Item) else None


def _slice(machine: Machine, parts: Sequence[Thing], node: cst.CSTNode, state: State) -> Thing:
    base, *bounds = parts
    values_ = [bound.value for bound in bounds if isinstance(bound, Const)]
    numbers = [value for value in values_ if not isinstance(value, float)]
    if len(numbers) < len(bounds):
        return machine.unknown(node)
    window = slice(*numbers)
    if isinstance(base, Str) and not base.path and window.step in (None, 1):
        text = known_text(base.pieces)
        if text is not None:
            start, stop, _ = window.indices(len(text))
            return Str(section(base.pieces, start, stop))
    content = state.heap.get(base.id) if isinstance(base, Ref) else None
    if isinstance(content, Seq) and _is_countable(content.entries, window) and window.step != 0:
        return machine.new(state, Seq(content.entries[window], content.fixed))
    return machine.unknown(node)


def _is_countable(entries: Entries, window: slice) -> bool:
    """True when the elements that a slice counts off are known, from the end that it counts."""
    whole = all(isinstance(entry, Item) for entry in entries)
    start = window.start or 0
    if window.stop is None and window.step is None and 0 <= start <= len(entries):
        return whole or all(isinstance(entry, Item) for entry in entries[:start])
    return whole
