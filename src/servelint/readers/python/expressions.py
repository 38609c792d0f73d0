"""The table of expressions, and those that need no module of their own."""

from __future__ import annotations

from typing import cast

import libcst as cst

from servelint.readers.python.attributes import load_attribute
from servelint.readers.python.calls import call
from servelint.readers.python.choices import boolean, conditional
from servelint.readers.python.containers import elements_of, mapping, sequence
from servelint.readers.python.formats import concatenated_string, f_string, simple_string
from servelint.readers.python.indexing import subscript
from servelint.readers.python.iteration import MAX_ROUNDS
from servelint.readers.python.machine import Frame, Machine
from servelint.readers.python.operators import binary, comparison, unary
from servelint.readers.python.parameters import defaults
from servelint.readers.python.state import (
    Entry,
    Item,
    Pair,
    Pick,
    Seq,
    Spread,
    State,
    Table,
    limited,
)
from servelint.readers.python.targets import bind_target
from servelint.readers.python.things import (
    FALSE,
    NONE,
    TRUE,
    Const,
    Dotted,
    Func,
    Thing,
    plain,
    runtime,
)
from servelint.readers.python.truth import truth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from servelint.readers.python.machine import Evaluate

    Make = Callable[[State], Entry]

_LARGE = 2**53
_NAMES: dict[str, Thing] = {
    "True": TRUE,
    "False": FALSE,
    "None": NONE,
    "__name__": plain("__main__"),
    "TYPE_CHECKING": FALSE,
}


def _name(machine: Machine, node: cst.CSTNode, state: State) -> Thing:
    """A name; one that nothing in the file sets is a builtin or comes from elsewhere."""
    node = cast("cst.Name", node)
    constant = _NAMES.get(node.value)
    if isinstance(constant, Const):
        return Const(constant.value, machine.script.place(node))
    found = machine.lookup(node.value, state)
    if found is not None:
        return found
    return constant if constant is not None else Dotted(node.value)


def _integer(machine: Machine, node: cst.CSTNode, _state: State) -> Thing:
    node = cast("cst.Integer", node)
    try:
        value = int(node.value.replace("_", ""), 0)
    except ValueError:
        return machine.unknown(node)
    return Const(value, machine.place(node)) if value <= _LARGE else machine.unknown(node)


def _float(machine: Machine, node: cst.CSTNode, _state: State) -> Thing:
    node = cast("cst.Float", node)
    try:
        return Const(float(node.value.replace("_", "")), machine.place(node))
    except ValueError:
        return machine.unknown(node)


def _lambda(machine: Machine, node: cst.CSTNode, state: State) -> Thing:
    node = cast("cst.Lambda", node)
    return Func(node, machine.frame, defaults(machine, node, state))


def _walrus(machine: Machine, node: cst.CSTNode, state: State) -> Thing:
    node = cast("cst.NamedExpr", node)
    thing = machine.evaluate(node.value, state)
    bind_target(machine, node.target, thing, node.value, state)
    return thing


def _await(machine: Machine, node: cst.CSTNode, state: State) -> Thing:
    return machine.evaluate(cast("cst.Await", node).expression, state)


def _yield(machine: Machine, node: cst.CSTNode, state: State) -> Thing:
    from servelint.readers.python.escapes import escape_value  # noqa: PLC0415  # a cycle

    value = cast("cst.Yield", node).value
    if isinstance(value, cst.BaseExpression):
        escape_value(machine, machine.evaluate(value, state), value, state)
    return machine.unknown(node)


# -- comprehensions -------------------------------------------------------------------------


def _comprehension(machine: Machine, node: cst.CSTNode, state: State) -> Thing:
    """``[x for x in row if x]``, as a list; a set of one's own order is none."""
    node = cast("cst.ListComp | cst.GeneratorExp", node)

    def make(own: State) -> Entry:
        return Item(machine.evaluate(node.elt, own), machine.place(node.elt))

    entries = _in_frame(machine, node, node.for_in, state, make)
    return machine.new(state, Seq(limited(entries)))


def _dict_comprehension(machine: Machine, node: cst.CSTNode, state: State) -> Thing:
    node = cast("cst.DictComp", node)

    def make(own: State) -> Entry:
        key, value = machine.evaluate(node.key, own), machine.evaluate(node.value, own)
        return Pair(key, value, machine.place(node.key), machine.place(node.value))

    entries = _in_frame(machine, node, node.for_in, state, make)
    return machine.new(state, Table(limited(entries)))


def _in_frame(
    machine: Machine, node: cst.CSTNode, loop: cst.CompFor, state: State, make: Make
) -> tuple[Entry, ...]:
    """The names of a comprehension are its own."""
    frame = machine.number()
    machine.frames[frame] = Frame(machine.frame)
    state.open_frame(frame, {})
    outer, machine.frame = machine.frame, frame
    try:
        return tuple(_produced(machine, loop, state, make))
    finally:
        machine.frame = outer
        state.frames.pop(frame, None)


def _produced(machine: Machine, loop: cst.CompFor, state: State, make: Make) -> list[Entry]:
    thing = machine.evaluate(loop.iter, state)
    entries = elements_of(machine, thing, loop.iter, state)
    if len(entries) > MAX_ROUNDS:
        entries = (Spread(machine.unknown(loop.iter), machine.script.place(loop.iter)),)
    return _each(machine, loop, entries, state, make)


def _each(
    machine: Machine, loop: cst.CompFor, entries: tuple[Entry, ...], state: State, make: Make
) -> list[Entry]:
    found: list[Entry] = []
    for entry in entries:
        if isinstance(entry, Item):
            bind_target(machine, loop.target, entry.thing, loop.iter, state)
            found.extend(_if_all(machine, loop, state, make))
        elif isinstance(entry, Pick):
            arms = tuple(tuple(_each(machine, loop, arm, state, make)) for arm in entry.arms)
            found.append(Pick(entry.guard, arms))
        else:
            unknown = machine.unknown(loop.iter)
            bind_target(machine, loop.target, unknown, loop.iter, state)
            _if_all(machine, loop, state, make)
            found.append(Spread(unknown, machine.script.place(loop.iter)))
    return found


def _if_all(machine: Machine, loop: cst.CompFor, state: State, make: Make) -> list[Entry]:
    """What one element gives, if the conditions hold."""
    sure = True
    for condition in loop.ifs:
        answer = truth(machine.evaluate(condition.test, state), state)
        if answer is False:
            return []
        sure = sure and answer is True
    inner = loop.inner_for_in
    found = [make(state)] if inner is None else _produced(machine, inner, state, make)
    return found if sure else [Pick(machine.number(), (tuple(found), ()))]


def _ellipsis(machine: Machine, node: cst.CSTNode, _state: State) -> Thing:
    return runtime("...", machine.script.place(node))


EXPRESSIONS: dict[type, Evaluate] = {
    cst.Name: _name,
    cst.Integer: _integer,
    cst.Float: _float,
    cst.SimpleString: simple_string,
    cst.ConcatenatedString: concatenated_string,
    cst.FormattedString: f_string,
    cst.List: sequence,
    cst.Tuple: sequence,
    cst.Set: sequence,
    cst.Dict: mapping,
    cst.BinaryOperation: binary,
    cst.BooleanOperation: boolean,
    cst.UnaryOperation: unary,
    cst.Comparison: comparison,
    cst.IfExp: conditional,
    cst.Subscript: subscript,
    cst.Attribute: load_attribute,
    cst.Call: call,
    cst.Lambda: _lambda,
    cst.NamedExpr: _walrus,
    cst.Await: _await,
    cst.Yield: _yield,
    cst.ListComp: _comprehension,
    cst.GeneratorExp: _comprehension,
    cst.DictComp: _dict_comprehension,
    cst.Ellipsis: _ellipsis,
}
