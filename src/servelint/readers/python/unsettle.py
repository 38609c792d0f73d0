"""What earlier rounds of a loop may have changed, when nobody knows how many there were."""

from __future__ import annotations

from dataclasses import dataclass, field

import libcst as cst

from servelint.readers.python.alternatives import leaves
from servelint.readers.python.classes import set_attribute
from servelint.readers.python.pieces import Piece
from servelint.readers.python.state import Seq, Spread, State, Table, limited
from servelint.readers.python.things import Ref, Str, Thing, runtime
from servelint.readers.python.tree import parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.readers.python.machine import Machine

_CHANGING = frozenset(
    [
        "append",
        "extend",
        "insert",
        "update",
        "add",
        "remove",
        "pop",
        "clear",
        "setdefault",
        "sort",
        "reverse",
        "discard",
    ]
)


_BINDING = (cst.AssignTarget, cst.AnnAssign, cst.For)
_CLOSED = (cst.FunctionDef, cst.Lambda)


@dataclass(slots=True)
class Changes:
    """What a body binds, adds to, and whose contents it may change, by the code of each."""

    bound: dict[str, cst.CSTNode] = field(default_factory=dict)
    grown: dict[str, cst.CSTNode] = field(default_factory=dict)
    filled: dict[str, cst.CSTNode] = field(default_factory=dict)


def unsettle(machine: Machine, body: cst.CSTNode, state: State) -> None:
    """Forget what rounds before this one may have changed."""
    machine.spend(5)
    changes = machine.changes.get(body)
    if changes is None:
        changes = machine.changes[body] = _changes(machine, body)
    for name, node in changes.grown.items():
        if name not in changes.bound:
            _grow(machine, node, state)
    for node in changes.bound.values():
        _forget(machine, node, state)
    for name, node in changes.filled.items():
        if name in changes.bound:
            continue
        for leaf in leaves(_quietly(machine, node, state)):
            _open(machine, leaf, node, state)


def _quietly(machine: Machine, node: cst.CSTNode, state: State) -> Thing:
    """An expression that is only looked at: what it finds was told already."""
    muted, machine.muted = machine.muted, True
    try:
        return machine.evaluate(node, state)
    finally:
        machine.muted = muted


def _forget(machine: Machine, node: cst.CSTNode, state: State) -> None:
    if isinstance(node, cst.Name) and machine.lookup(node.value, state) is not None:
        machine.assign(node.value, runtime(node.value), state)
    elif isinstance(node, cst.Attribute):
        base = _quietly(machine, node.value, state)
        set_attribute(machine, base, node.attr.value, machine.unknown(node), state)


def _grow(machine: Machine, node: cst.CSTNode, state: State) -> None:
    """What ``+=`` did before: a text is longer, a list holds more, a number is unknown."""
    thing = _quietly(machine, node, state)
    if isinstance(thing, Ref):
        _open(machine, thing, node, state)
    elif isinstance(thing, Str) and isinstance(node, cst.Name):
        code, place = machine.script.code(node), machine.script.place(node)
        longer = (*thing.pieces, Piece(code, place, (), "", "runtime-value"))
        machine.assign(node.value, Str(longer), state)
    else:
        _forget(machine, node, state)


def _open(machine: Machine, thing: Thing, node: cst.CSTNode, state: State) -> None:
    """A list or mapping that may hold more."""
    content = state.heap.get(thing.id) if isinstance(thing, Ref) else None
    more = Spread(machine.unknown(node), machine.script.place(node))
    if isinstance(thing, Ref) and isinstance(content, Seq) and not content.fixed:
        state.heap[thing.id] = Seq(limited((*content.entries, more)))
    elif isinstance(thing, Ref) and isinstance(content, Table):
        state.heap[thing.id] = Table(limited((*content.entries, more)))


def _changes(machine: Machine, body: cst.CSTNode) -> Changes:
    found = Changes()
    todo: list[cst.CSTNode] = [body]
    while todo:
        node = todo.pop()
        kind = type(node)
        if kind in _BINDING:
            _note_target(machine, node.target, found)  # type: ignore[attr-defined]
        elif kind is cst.AugAssign:
            target = node.target  # type: ignore[attr-defined]
            found.grown[machine.script.code(target)] = target
        elif isinstance(node, cst.Call):
            _note_call(machine, node, found)
        if kind not in _CLOSED:
            todo.extend(parts(node))
    return found


def _note_target(machine: Machine, target: cst.CSTNode, found: Changes) -> None:
    match target:
        case cst.Name() | cst.Attribute():
            found.bound[machine.script.code(target)] = target
        case cst.Subscript():
            found.filled[machine.script.code(target.value)] = target.value
        case cst.Tuple() | cst.List():
            for element in target.elements:
                _note_target(machine, element.value, found)
        case _:
            pass


def _note_call(machine: Machine, node: cst.Call, found: Changes) -> None:
    """A method that changes its object, and whatever is handed to a call."""
    func = node.func
    changing = isinstance(func, cst.Attribute) and func.attr.value in _CHANGING
    owners = [func.value] if changing and isinstance(func, cst.Attribute) else []
    owners += [arg.value for arg in node.args]
    for owner in owners:
        if isinstance(owner, cst.Name | cst.Attribute):
            found.filled[machine.script.code(owner)] = owner
