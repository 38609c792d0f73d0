"""Expressions that choose: ``a or b``, ``a and b``, ``a if c else b``."""

from __future__ import annotations

from typing import cast

import libcst as cst

from servelint.readers.python.alternatives import alt
from servelint.readers.python.state import Seq, State, join_entries
from servelint.readers.python.things import Alt, Open, Ref, Thing, is_none
from servelint.readers.python.truth import Split, truth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.readers.python.machine import Machine


def boolean(machine: Machine, node: cst.CSTNode, state: State) -> Thing:
    """``a or b`` and ``a and b``, a chain without going down into it."""
    chain: list[cst.BooleanOperation] = []
    left: cst.CSTNode = node
    while isinstance(left, cst.BooleanOperation):
        chain.append(left)
        left = left.left
    result = machine.evaluate(left, state)
    for step in reversed(chain):
        result = _either(machine, result, step, state)
    return result


def _either(machine: Machine, left: Thing, node: cst.BooleanOperation, state: State) -> Thing:
    is_or = isinstance(node.operator, cst.Or)
    answer = truth(left, state)
    if isinstance(answer, bool):
        return left if answer is is_or else machine.evaluate(node.right, state)
    right = machine.evaluate(node.right, state)
    if isinstance(answer, Split):
        arms = [left if each is is_or else right for each in answer.verdicts]
        return alt(answer.guard, arms)
    if is_or and isinstance(left, Open):
        return _filled_in(left, right, state)
    return alt(machine.number(), [left, right])


def _filled_in(left: Open, right: Thing, state: State) -> Thing:
    """``value or fallback``: the fallback holds where nobody gives the value."""
    default = left.default
    if default is None or is_none(default) or truth(default, state) is False:
        return Open(left.name, left.text, right, left.at, left.via)
    return left


def conditional(machine: Machine, node: cst.CSTNode, state: State) -> Thing:
    """``a if condition else b``: both, unless the condition is known."""
    node = cast("cst.IfExp", node)
    answer = truth(machine.evaluate(node.test, state), state)
    if isinstance(answer, bool):
        return machine.evaluate(node.body if answer else node.orelse, state)
    guard = answer.guard if isinstance(answer, Split) else machine.number()
    verdicts = answer.verdicts if isinstance(answer, Split) else (True, False)
    ways: dict[bool, tuple[Thing, State]] = {}
    before = machine.number()
    for each in (True, False):
        own = state.copy()
        ways[each] = (machine.evaluate(node.body if each else node.orelse, own), own)
    result, after = machine.meet(guard, [ways[each] for each in verdicts])
    after.world = state.world
    state.take(after)
    return _one_list(machine, guard, result, before, state)


def _one_list(machine: Machine, guard: int, thing: Thing, before: int, state: State) -> Thing:
    """Two lists that were just made are one list with a choice in it."""
    arms = thing.arms if isinstance(thing, Alt) else ()
    contents = [state.heap.get(arm.id) if isinstance(arm, Ref) else None for arm in arms]
    lists = [one for one in contents if isinstance(one, Seq) and not one.fixed]
    fresh = all(isinstance(arm, Ref) and arm.id > before for arm in arms)
    if not lists or len(lists) != len(arms) or not fresh:
        return thing
    return machine.new(state, Seq(join_entries(guard, [one.entries for one in lists])))
