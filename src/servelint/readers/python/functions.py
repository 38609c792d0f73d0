"""Functions of the file: what a call of one gives, followed into its body."""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from servelint.readers.python.machine import MAX_DEPTH, Args, Frame, Machine
from servelint.readers.python.parameters import bind, in_the_dark
from servelint.readers.python.things import NONE, Func, Ref, Thing, runtime
from servelint.readers.python.tree import parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.readers.python.state import State


MAX_CALLS = 40
"""Calls of one function that are followed; the last of them stands for all that come."""


def call_function(machine: Machine, function: Func, args: Args, state: State) -> Thing:
    """What a call of a function of the file gives; what it finds on the way is told."""
    node = function.node
    machine.reached.add(node)
    if is_emptied(node):
        return machine.unknown(args.node)
    if node in machine.stack or len(machine.stack) >= MAX_DEPTH:
        return machine.unknown(args.node)
    machine.calls[node] += 1
    if machine.calls[node] > MAX_CALLS:
        return machine.unknown(args.node)
    if machine.calls[node] == MAX_CALLS:
        return run_body(machine, function, in_the_dark(machine, function, state), state)
    return run_body(machine, function, bind(machine, function, args, state), state)


def is_emptied(node: cst.FunctionDef | cst.Lambda) -> bool:
    """True for a function that lost its body because it seemed not to matter."""
    if isinstance(node, cst.Lambda):
        return False
    first = node.body.body[0] if node.body.body else None
    part = first.body[0] if isinstance(first, cst.SimpleStatementLine) else None
    return isinstance(part, cst.Return) and isinstance(part.value, cst.Ellipsis)


def run_body(machine: Machine, function: Func, names: dict[str, Thing], state: State) -> Thing:
    """Execute a body with its names bound."""
    frame = machine.number()
    declared = _declarations(machine, function.node)
    family = function.owner if isinstance(function.owner, Ref) else None
    machine.frames[frame] = Frame(
        function.frame, function, family, frozenset(declared.outer), frozenset(declared.top)
    )
    state.open_frame(frame, names)
    outer, machine.frame = machine.frame, frame
    machine.stack.append(function.node)
    world = dict(state.world)
    try:
        result = _outcome(machine, function.node, state, yields=declared.yields)
    finally:
        machine.stack.pop()
        machine.frame = outer
    state.world = world
    if not declared.functions:
        state.frames.pop(frame, None)
    return result


def _outcome(
    machine: Machine, node: cst.FunctionDef | cst.Lambda, state: State, *, yields: bool
) -> Thing:
    """The results of all ways through a body, and the state after them."""
    if isinstance(node, cst.Lambda):
        return machine.evaluate(node.body, state)
    flow = machine.execute((node.body,), state)
    ways = list(flow.returns)
    if flow.state is not None:
        ways.append((NONE, flow.state))
    if not ways:
        return runtime(f"{node.name.value}()")
    result, after = machine.meet(machine.number(), ways)
    if after is not state:
        state.take(after)
    return runtime(f"{node.name.value}()") if yields else result


@dataclass(slots=True)
class Declared:
    """What a function says of its names, and whether functions in it outlive it."""

    top: set[str]
    outer: set[str]
    yields: bool = False
    functions: bool = False


def _declarations(machine: Machine, node: cst.CSTNode) -> Declared:
    found = machine.declared.get(node)
    if found is None:
        found = machine.declared[node] = Declared(set(), set())
        todo: list[cst.CSTNode] = [node]
        while todo:
            current = todo.pop()
            _note(current, node, found)
            if current is node or type(current) not in _SCOPES:
                todo.extend(parts(current))
    return found


_SCOPES = (cst.FunctionDef, cst.Lambda, cst.ClassDef)


def _note(node: cst.CSTNode, function: cst.CSTNode, found: Declared) -> None:
    kind = type(node)
    if kind is cst.Global:
        found.top.update(item.name.value for item in node.names)  # type: ignore[attr-defined]
    elif kind is cst.Nonlocal:
        found.outer.update(item.name.value for item in node.names)  # type: ignore[attr-defined]
    elif kind is cst.Yield:
        found.yields = True
    elif kind in _SCOPES and node is not function:
        found.functions = True
