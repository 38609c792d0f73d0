"""Operators: arithmetic, concatenation, comparison, and the two that choose."""

from __future__ import annotations

import operator
from typing import Any, cast

import libcst as cst

from servelint.readers.python.alternatives import leaves, lift
from servelint.readers.python.containers import concatenated, entries_of, repeated
from servelint.readers.python.formats import glue, percent, shown_pieces
from servelint.readers.python.paths import join_paths
from servelint.readers.python.pieces import MAX_LENGTH, shortened, written
from servelint.readers.python.state import State, Table
from servelint.readers.python.things import (
    FALSE,
    TRUE,
    Const,
    Ref,
    Str,
    Thing,
    is_none,
)
from servelint.readers.python.truth import (
    contains,
    equal,
    is_known,
    plain_value,
    same,
    truth,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from servelint.readers.python.machine import Machine

_LARGE = 2**53
_ARITHMETIC: dict[type, Callable[[float, float], float]] = {
    cst.Add: operator.add,
    cst.Subtract: operator.sub,
    cst.Multiply: operator.mul,
    cst.FloorDivide: operator.floordiv,
    cst.Divide: operator.truediv,
    cst.Modulo: operator.mod,
    cst.BitOr: operator.or_,
    cst.BitAnd: operator.and_,
}
_ASSIGNED: dict[type, type] = {
    cst.AddAssign: cst.Add,
    cst.SubtractAssign: cst.Subtract,
    cst.MultiplyAssign: cst.Multiply,
    cst.DivideAssign: cst.Divide,
    cst.FloorDivideAssign: cst.FloorDivide,
    cst.ModuloAssign: cst.Modulo,
    cst.BitOrAssign: cst.BitOr,
    cst.BitAndAssign: cst.BitAnd,
}
_ORDER: dict[type, Callable[[Any, Any], bool]] = {
    cst.LessThan: operator.lt,
    cst.LessThanEqual: operator.le,
    cst.GreaterThan: operator.gt,
    cst.GreaterThanEqual: operator.ge,
}


def operator_of(node: cst.BaseAugOp) -> type:
    """The operator of an augmented assignment."""
    return _ASSIGNED.get(type(node), type(node))


def binary(machine: Machine, node: cst.CSTNode, state: State) -> Thing:
    """``a + b`` and its like; a chain is worked off without going down into it."""
    chain: list[cst.BinaryOperation] = []
    left: cst.CSTNode = node
    while isinstance(left, cst.BinaryOperation):
        chain.append(left)
        left = left.left
    result = machine.evaluate(left, state)
    for step in reversed(chain):
        right = machine.evaluate(step.right, state)
        result = combine(machine, type(step.operator), (result, right), step, state)
    return result


def combine(
    machine: Machine, kind: type, pair: tuple[Thing, Thing], node: cst.CSTNode, state: State
) -> Thing:
    """One operator applied to two things."""
    if kind is cst.Add and _are_texts(pair):
        return glue(machine, *pair, node.right if isinstance(node, cst.BinaryOperation) else node)
    made = lift(lambda left, right: _combine(machine, kind, (left, right), node, state), *pair)
    if isinstance(made, Str) and len(written(made.pieces)) > MAX_LENGTH:
        return machine.unknown(node)
    return made


def _combine(  # one kind of operands a case
    machine: Machine, kind: type, pair: tuple[Thing, Thing], node: cst.CSTNode, state: State
) -> Thing:
    left, right = pair
    if kind is cst.Divide and (_is_path(left) or _is_path(right)):
        return join_paths(left, right) or machine.unknown(node)
    if kind is cst.Modulo and isinstance(left, Str):
        return percent(machine, left, right, node, state)
    if isinstance(left, Const) and isinstance(right, Const):
        return _numbers(kind, left, right) or machine.unknown(node)
    if kind is cst.Add and isinstance(left, Str) and isinstance(right, Str):
        return Str(shortened(left.pieces + right.pieces))
    if kind is cst.Add and (isinstance(left, Str) or isinstance(right, Str)):
        return _text_sum(machine, pair, node)
    if kind is cst.Add and (isinstance(left, Ref) or isinstance(right, Ref)):
        return concatenated(machine, pair, node, state)
    if kind is cst.Multiply and isinstance(left, Ref | Str) and isinstance(right, Const):
        return repeated(machine, left, right, node, state)
    if kind is cst.Multiply and isinstance(right, Ref | Str) and isinstance(left, Const):
        return repeated(machine, right, left, node, state)
    if kind is cst.BitOr and all(_is_table(one, state) for one in pair):
        merged = tuple(entry for one in pair for entry in entries_of(machine, one, node, state))
        return machine.new(state, Table(merged))
    return machine.unknown(node)


def _are_texts(pair: tuple[Thing, Thing]) -> bool:
    return all(isinstance(leaf, Str) and not leaf.path for one in pair for leaf in leaves(one))


def _text_sum(machine: Machine, pair: tuple[Thing, Thing], node: cst.CSTNode) -> Thing:
    """A text and something that must be one."""
    if any(isinstance(one, Const | Ref) for one in pair):
        return machine.unknown(node)
    nodes = (node.left, node.right) if isinstance(node, cst.BinaryOperation) else (node, node)
    parts = [shown_pieces(machine, one, where) for one, where in zip(pair, nodes, strict=True)]
    return Str(parts[0] + parts[1])


def _is_path(thing: Thing) -> bool:
    return isinstance(thing, Str) and thing.path


def _is_table(thing: Thing, state: State) -> bool:
    return isinstance(thing, Ref) and isinstance(state.heap.get(thing.id), Table)


def _numbers(kind: type, left: Const, right: Const) -> Const | None:
    function = _ARITHMETIC.get(kind)
    one, other = left.value, right.value
    if kind is cst.Power and isinstance(one, int) and isinstance(other, int):
        function = operator.pow if 0 <= other <= 53 and abs(one) <= 1024 else None
    if function is None or one is None or other is None:
        return None
    try:
        result = function(one, other)
    except (ArithmeticError, TypeError, ValueError):
        return None
    if isinstance(result, complex) or abs(result) > _LARGE:
        return None
    via = tuple(
        dict.fromkeys(place for side in (left, right) for place in (side.at, *side.via) if place)
    )
    return Const(result, None, via[-8:])


def unary(machine: Machine, node: cst.CSTNode, state: State) -> Thing:
    """``not a`` and signs."""
    node = cast("cst.UnaryOperation", node)
    inner = machine.evaluate(node.expression, state)
    if isinstance(node.operator, cst.Not):
        return lift(lambda one: _negated(machine, one, node, state), inner)
    if isinstance(node.operator, cst.Minus):
        return lift(lambda one: _minus(machine, one, node), inner)
    return inner if isinstance(node.operator, cst.Plus) else machine.unknown(node)


def _negated(machine: Machine, thing: Thing, node: cst.CSTNode, state: State) -> Thing:
    answer = truth(thing, state)
    if isinstance(answer, bool):
        return FALSE if answer else TRUE
    return machine.unknown(node)


def _minus(machine: Machine, thing: Thing, node: cst.CSTNode) -> Thing:
    if isinstance(thing, Const) and thing.value is not None:
        return Const(-thing.value, machine.place(node), thing.via)
    return machine.unknown(node)


def comparison(machine: Machine, node: cst.CSTNode, state: State) -> Thing:
    """``a == b``, ``a in b``, ``a < b``; of a chain only what is known of all."""
    node = cast("cst.Comparison", node)
    left = machine.evaluate(node.left, state)
    answers: list[Thing] = []
    for target in node.comparisons:
        right = machine.evaluate(target.comparator, state)
        kind = type(target.operator)
        answers.append(
            lift(lambda a, b, k=kind: _compare(machine, k, (a, b), node, state), left, right)
        )
        left = right
    if len(answers) == 1:
        return answers[0]
    verdicts = [truth(answer, state) for answer in answers]
    if any(verdict is False for verdict in verdicts):
        return FALSE
    return TRUE if all(verdict is True for verdict in verdicts) else machine.unknown(node)


def _compare(
    machine: Machine, kind: type, pair: tuple[Thing, Thing], node: cst.CSTNode, state: State
) -> Thing:
    answer: bool | None
    left, right = pair
    if kind in (cst.Is, cst.IsNot):
        answer = same(left, right)
    elif kind in (cst.Equal, cst.NotEqual):
        answer = equal(left, right)
        if answer is None and (is_none(left) or is_none(right)):
            answer = same(left, right)
    elif kind in (cst.In, cst.NotIn):
        answer = contains(left, right, state)
    else:
        answer = _ordered(kind, left, right)
    if answer is None:
        return machine.unknown(node)
    return TRUE if answer is (kind not in (cst.IsNot, cst.NotEqual, cst.NotIn)) else FALSE


def _ordered(kind: type, left: Thing, right: Thing) -> bool | None:
    one, other = plain_value(left), plain_value(right)
    if not (is_known(one) and is_known(other)):
        return None
    try:
        return _ORDER[kind](one, other)
    except (TypeError, KeyError):
        return None
