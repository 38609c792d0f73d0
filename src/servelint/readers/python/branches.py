"""Statements that go one of several ways, and how the ways meet."""

from __future__ import annotations

from typing import cast

from servelint.readers.python.machine import MAX_MOMENTS, Flow, Machine
from servelint.readers.python.patterns import captured, fits
from servelint.readers.python.refine import refined, restored
from servelint.readers.python.state import State, join
from servelint.readers.python.targets import bind_target
from servelint.readers.python.truth import Split, truth
from servelint.readers.python.unsettle import unsettle

TYPE_CHECKING = False
if TYPE_CHECKING:
    import libcst as cst


def execute_if(machine: Machine, node: cst.CSTNode, state: State) -> Flow:
    """``if``: both branches, unless the condition is known."""
    node = cast("cst.If", node)
    answer = truth(machine.evaluate(node.test, state), state)
    if answer is True:
        return machine.execute((node.body,), state)
    if answer is False:
        return machine.execute((node.orelse,), state) if node.orelse else Flow(state)
    guard = answer.guard if isinstance(answer, Split) else machine.number()
    verdicts = answer.verdicts if isinstance(answer, Split) else (True, False)
    ways: dict[bool, Flow] = {}
    for each in (True, False):
        own = state.copy()
        if verdicts.count(each) == 1:
            own.world[guard] = verdicts.index(each)
        before = refined(machine, node.test, own, holds=each)
        body = node.body if each else node.orelse
        ways[each] = machine.execute((body,), own) if body is not None else Flow(own)
        restored(ways[each], before)
    return merged(machine, guard, [ways[each] for each in verdicts], state)


def merged(machine: Machine, guard: int, arms: list[Flow], before: State) -> Flow:
    """How a statement ends that went one of several ways."""
    flow = Flow(None)
    for arm in dict.fromkeys(map(id, arms)):
        flow.add(next(one for one in arms if id(one) == arm))
    alive = [arm.state for arm in arms if arm.state is not None]
    if alive:
        every = [arm.state if arm.state is not None else alive[0] for arm in arms]
        flow.state = join(guard, every) if len(set(map(id, alive))) > 1 else alive[0]
        if len(alive) == len(arms):
            flow.state.world = dict(before.world)
    return flow


def execute_try(machine: Machine, node: cst.CSTNode, state: State) -> Flow:
    """The body, or any handler after some of the body."""
    node = cast("cst.Try", node)
    before = state.copy()
    body, broken = _tried(machine, node, state)
    if body.state is not None and node.orelse is not None:
        after = machine.execute((node.orelse,), body.state)
        body.add(after)
        body.state = after.state
    arms = [body, *(machine.execute((one.body,), broken.copy()) for one in node.handlers)]
    flow = merged(machine, machine.number(), arms, before)
    if node.finalbody is not None:
        last = machine.execute((node.finalbody,), flow.state or broken)
        flow.add(last)
        flow.state = last.state if flow.state is not None else None
    return flow


def _tried(machine: Machine, node: cst.Try | cst.TryStar, state: State) -> tuple[Flow, State]:
    """How a body ends, and the state when one of its statements, however deep, fails."""
    outer, machine.moments = machine.moments, []
    try:
        flow = machine.execute((node.body,), state)
        moments = machine.moments
    finally:
        machine.moments = outer
    if len(moments) >= MAX_MOMENTS:
        rest = moments[-1].copy()
        unsettle(machine, node.body, rest)
        moments.append(rest)
    if outer is not None:
        machine.moments = [*outer, *moments][: 2 * MAX_MOMENTS]
    if flow.state is not None:
        moments.append(flow.state.copy())
    return flow, join(machine.number(), moments)


def execute_with(machine: Machine, node: cst.CSTNode, state: State) -> Flow:
    """``with``: the body always runs, to its end."""
    node = cast("cst.With", node)
    for item in node.items:
        thing = machine.evaluate(item.item, state)
        if item.asname is not None:
            bind_target(machine, item.asname.name, thing, item.item, state)
    return machine.execute((node.body,), state)


def execute_match(machine: Machine, node: cst.CSTNode, state: State) -> Flow:
    """``match``: each case that is not ruled out is a way."""
    node = cast("cst.Match", node)
    subject = machine.evaluate(node.subject, state)
    arms: list[Flow] = []
    for case in node.cases:
        answer = fits(machine, subject, case.pattern, state)
        if case.guard is not None and answer is not False:
            answer = None
        if answer is False:
            continue
        own = state.copy()
        captured(machine, subject, case.pattern, own)
        arms.append(machine.execute((case.body,), own))
        if answer is True:
            break
    else:
        arms.append(Flow(state))
    return arms[0] if len(arms) == 1 else merged(machine, machine.number(), arms, state)
