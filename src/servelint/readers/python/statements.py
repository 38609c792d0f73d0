"""What statements do to a state."""

from __future__ import annotations

from typing import cast

import libcst as cst

from servelint.readers.python.branches import (
    execute_if,
    execute_match,
    execute_try,
    execute_with,
)
from servelint.readers.python.classes import define_class
from servelint.readers.python.containers import concatenated, elements_of
from servelint.readers.python.loops import execute_for, execute_while
from servelint.readers.python.machine import Flow, Machine
from servelint.readers.python.operators import combine, operator_of
from servelint.readers.python.parameters import defaults
from servelint.readers.python.state import (
    MODULE,
    Gone,
    Seq,
    State,
    Table,
    limited,
)
from servelint.readers.python.targets import bind_target
from servelint.readers.python.things import NONE, Dotted, Func, Ref, Thing, passed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.readers.python.machine import Execute

_LAST_CALLS = frozenset({"sys.exit", "exit", "quit", "os._exit", "os.abort", "pytest.skip"})


def _block(machine: Machine, node: cst.CSTNode, state: State) -> Flow:
    node = cast("cst.IndentedBlock", node)
    return machine.execute(node.body, state)


def _line(machine: Machine, node: cst.CSTNode, state: State) -> Flow:
    node = cast("cst.SimpleStatementLine", node)
    return machine.execute(node.body, state)


def _expression(machine: Machine, node: cst.CSTNode, state: State) -> Flow:
    node = cast("cst.Expr", node)
    machine.evaluate(node.value, state)
    value = node.value
    if isinstance(value, cst.Call):
        name = machine.script.code(value.func)
        if name in _LAST_CALLS or name.startswith("os.exec") or name.endswith("parser.error"):
            machine.ended = state if machine.frame == MODULE else machine.ended
            return Flow(None)
    return Flow(state)


# -- binding --------------------------------------------------------------------------------


def _assign(machine: Machine, node: cst.CSTNode, state: State) -> Flow:
    node = cast("cst.Assign", node)
    thing = machine.evaluate(node.value, state)
    thing = passed(thing, machine.place(node.value))
    for target in node.targets:
        if isinstance(target.target, cst.Name) and not machine.stack:
            machine.constants[target.target.value] = node.value
        bind_target(machine, target.target, thing, node.value, state)
    return Flow(state)


def _annotated(machine: Machine, node: cst.CSTNode, state: State) -> Flow:
    node = cast("cst.AnnAssign", node)
    if node.value is not None:
        thing = machine.evaluate(node.value, state)
        thing = passed(thing, machine.place(node.value))
        bind_target(machine, node.target, thing, node.value, state)
    return Flow(state)


def _augmented(machine: Machine, node: cst.CSTNode, state: State) -> Flow:
    node = cast("cst.AugAssign", node)
    old = machine.evaluate(node.target, state)
    right = machine.evaluate(node.value, state)
    kind = operator_of(node.operator)

    def change(one: Thing, own: State) -> Thing:
        content = own.heap.get(one.id) if isinstance(one, Ref) else None
        if kind is cst.Add and isinstance(content, Seq) and not content.fixed:
            more = elements_of(machine, right, node.value, own)
            own.heap[cast("Ref", one).id] = Seq(limited(content.entries + more))
            return one
        if kind is cst.BitOr and isinstance(content, Table):
            merged = combine(machine, kind, (one, right), node, own)
            if isinstance(merged, Ref):
                own.heap[cast("Ref", one).id] = own.heap[merged.id]
            return one
        if kind is cst.Add and content is not None:
            return concatenated(machine, (one, right), node.value, own)
        return combine(machine, kind, (one, right), node.value, own)

    made = machine.fork(old, state, change)
    bind_target(machine, node.target, made, node.value, state)
    return Flow(state)


def _delete(machine: Machine, node: cst.CSTNode, state: State) -> Flow:
    node = cast("cst.Del", node)
    target = node.target
    if isinstance(target, cst.Subscript) and len(target.slice) == 1:
        part = target.slice[0].slice
        base = machine.evaluate(target.value, state)
        content = state.heap.get(base.id) if isinstance(base, Ref) else None
        if isinstance(base, Ref) and isinstance(content, Table) and isinstance(part, cst.Index):
            key = machine.evaluate(part.value, state)
            state.heap[base.id] = Table(limited((*content.entries, Gone(key))))
    return Flow(state)


def _import(machine: Machine, node: cst.CSTNode, state: State) -> Flow:
    node = cast("cst.Import", node)
    for name in node.names:
        full = machine.script.code(name.name)
        if name.asname is not None and isinstance(name.asname.name, cst.Name):
            machine.assign(name.asname.name.value, Dotted(full), state)
        else:
            root = full.partition(".")[0]
            machine.assign(root, Dotted(root), state)
    return Flow(state)


def _import_from(machine: Machine, node: cst.CSTNode, state: State) -> Flow:
    node = cast("cst.ImportFrom", node)
    module = "." * len(node.relative)
    if node.module is not None:
        module += machine.script.code(node.module)
    if isinstance(node.names, cst.ImportStar):
        return Flow(state)
    for name in node.names:
        full = f"{module}.{machine.script.code(name.name)}"
        alias = name.asname.name if name.asname is not None else name.name
        if isinstance(alias, cst.Name):
            machine.assign(alias.value, Dotted(full), state)
    return Flow(state)


def _function(machine: Machine, node: cst.CSTNode, state: State) -> Flow:
    node = cast("cst.FunctionDef", node)
    made = Func(node, machine.frame, defaults(machine, node, state))
    machine.functions[node] = made
    machine.assign(node.name.value, made, state)
    return Flow(state)


def _class(machine: Machine, node: cst.CSTNode, state: State) -> Flow:
    node = cast("cst.ClassDef", node)
    ref = define_class(machine, node, state)
    machine.families[node] = ref
    machine.assign(node.name.value, ref, state)
    return Flow(state)


# -- ends -----------------------------------------------------------------------------------


def _return(machine: Machine, node: cst.CSTNode, state: State) -> Flow:
    node = cast("cst.Return", node)
    thing: Thing = NONE
    if node.value is not None:
        thing = machine.evaluate(node.value, state)
        thing = passed(thing, machine.place(node.value))
    return Flow(None, returns=[(thing, state)])


def _raise(_machine: Machine, _node: cst.CSTNode, _state: State) -> Flow:
    return Flow(None)


def _break(_machine: Machine, _node: cst.CSTNode, state: State) -> Flow:
    return Flow(None, breaks=[state])


def _continue(_machine: Machine, _node: cst.CSTNode, state: State) -> Flow:
    return Flow(None, continues=[state])


def _assert(_machine: Machine, _node: cst.CSTNode, state: State) -> Flow:
    return Flow(state)


STATEMENTS: dict[type, Execute] = {
    cst.IndentedBlock: _block,
    cst.SimpleStatementSuite: _line,
    cst.SimpleStatementLine: _line,
    cst.Else: lambda machine, node, state: machine.execute((cast("cst.Else", node).body,), state),
    cst.Finally: lambda machine, node, state: machine.execute(
        (cast("cst.Finally", node).body,), state
    ),
    cst.Expr: _expression,
    cst.Assign: _assign,
    cst.AnnAssign: _annotated,
    cst.AugAssign: _augmented,
    cst.Del: _delete,
    cst.Import: _import,
    cst.ImportFrom: _import_from,
    cst.FunctionDef: _function,
    cst.ClassDef: _class,
    cst.If: execute_if,
    cst.For: execute_for,
    cst.While: execute_while,
    cst.Try: execute_try,
    cst.TryStar: execute_try,
    cst.With: execute_with,
    cst.Match: execute_match,
    cst.Return: _return,
    cst.Raise: _raise,
    cst.Break: _break,
    cst.Continue: _continue,
    cst.Assert: _assert,
}
