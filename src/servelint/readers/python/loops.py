"""Loops: one round after the other where the rounds are known, one for all where not."""

from __future__ import annotations

from typing import cast

import libcst as cst

from servelint.readers.python.containers import elements_of
from servelint.readers.python.iteration import MAX_ROUNDS
from servelint.readers.python.machine import Flow, Machine
from servelint.readers.python.state import Entries, Entry, Item, Pick, Spread, State, join
from servelint.readers.python.targets import bind_target
from servelint.readers.python.things import passed, runtime
from servelint.readers.python.truth import truth
from servelint.readers.python.unsettle import unsettle

MAX_ALL_ROUNDS = 1000
"""Rounds of all loops of a text that are gone through one by one; then one stands for all."""

_MAX_TURNS = 64
"""Rounds of a ``while`` that are gone through one by one."""


def execute_for(machine: Machine, node: cst.CSTNode, state: State) -> Flow:
    """``for target in row``."""
    node = cast("cst.For", node)
    thing = machine.evaluate(node.iter, state)
    entries = elements_of(machine, thing, node.iter, state)
    total = Flow(None)
    if len(entries) > MAX_ROUNDS:
        entries = (Spread(runtime("", None), machine.script.place(node.iter)),)
    after = _rounds(machine, node, entries, state, total)
    return _ended(machine, node.orelse, after, total)


def _rounds(
    machine: Machine, node: cst.For, entries: Entries, state: State | None, total: Flow
) -> State | None:
    if machine.rounds + len(entries) > MAX_ALL_ROUNDS and len(entries) > 1:
        entries = (Spread(machine.unknown(node.iter), machine.script.place(node.iter)),)
    machine.rounds += len(entries)
    for entry in entries:
        if state is None:
            return None
        state = _round(machine, node, entry, state, total)
    return state


def _round(
    machine: Machine, node: cst.For, entry: Entry, state: State, total: Flow
) -> State | None:
    """The state after the rounds that an entry stands for."""
    if isinstance(entry, Item):
        bind_target(machine, node.target, passed(entry.thing, entry.place), node.iter, state)
        return _body(machine, node.body, state, total)
    if isinstance(entry, Pick):
        arms = [_rounds(machine, node, arm, state.copy(), total) for arm in entry.arms]
        alive = [arm for arm in arms if arm is not None]
        if not alive:
            return None
        every = [arm if arm is not None else alive[0] for arm in arms]
        return machine.meet(entry.guard, [(runtime(""), arm) for arm in every])[1]
    skipped = state.copy()
    unsettle(machine, node.body, state)
    bind_target(machine, node.target, machine.unknown(node.iter), node.iter, state)
    after = _body(machine, node.body, state, total)
    return skipped if after is None else join(machine.number(), [skipped, after])


def _body(machine: Machine, body: cst.CSTNode, state: State, total: Flow) -> State | None:
    """One round; where it breaks is kept for the end of the loop."""
    flow = machine.execute((body,), state)
    total.returns += flow.returns
    total.breaks += flow.breaks
    ends = [*((flow.state,) if flow.state is not None else ()), *flow.continues]
    return _joined(machine, ends)


def _joined(machine: Machine, states: list[State]) -> State | None:
    if not states:
        return None
    return states[0] if len(states) == 1 else join(machine.number(), states)


def _ended(machine: Machine, orelse: cst.Else | None, after: State | None, total: Flow) -> Flow:
    """How a loop ends: run out, or left by ``break``."""
    flow = Flow(after, returns=total.returns)
    if after is not None and orelse is not None:
        last = machine.execute((orelse,), after)
        flow.add(last)
        flow.state = last.state
    ends = [*((flow.state,) if flow.state is not None else ()), *total.breaks]
    flow.state = _joined(machine, ends)
    return flow


def execute_while(machine: Machine, node: cst.CSTNode, state: State) -> Flow:
    """``while condition``: round by round as long as the condition is known."""
    node = cast("cst.While", node)
    total = Flow(None)
    current: State | None = state
    for _ in range(_MAX_TURNS):
        if current is None:
            break
        answer = truth(machine.evaluate(node.test, current), current)
        if answer is False:
            return _ended(machine, node.orelse, current, total)
        if answer is not True or _is_endless(node):
            break
        current = _body(machine, node.body, current, total)
    if current is None:
        return _ended(machine, node.orelse, None, total)
    skipped = current.copy()
    unsettle(machine, node.body, current)
    after = _body(machine, node.body, current, total)
    if _is_endless(node):
        return _ended(machine, None, None, total)
    ends = [skipped, after] if after is not None else [skipped]
    return _ended(machine, node.orelse, _joined(machine, ends), total)


def _is_endless(node: cst.While) -> bool:
    return isinstance(node.test, cst.Name | cst.Integer) and node.test.value in ("True", "1")
