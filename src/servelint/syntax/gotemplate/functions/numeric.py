"""Functions over numbers. They take anything, and zero for what is no number."""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from functools import reduce

from servelint.syntax.gotemplate.printing import shown
from servelint.syntax.gotemplate.problems import TemplateProblem, TooSlow
from servelint.syntax.gotemplate.signature import MANY, Function, text_of
from servelint.syntax.gotemplate.texts import Text, plain
from servelint.syntax.gotemplate.values import Atom, Value, whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from servelint.source import Span
    from servelint.syntax.gotemplate.machine import Machine

Values = tuple[Value, ...]

_WHOLE = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO]?[0-7_]*|[1-9][0-9_]*)\Z")
_FLOAT = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?\Z")
_SMALLEST = -(2**63)


def to_whole(value: Value) -> int:
    """A value as a whole number."""
    if isinstance(value, Atom):
        number = value.value
        if isinstance(number, float):
            return int(number) if abs(number) < 2**63 else _SMALLEST
        return int(number)
    return _parsed(value.flat) if isinstance(value, Text) else 0


def _parsed(text: str) -> int:
    text = re.sub(r"\.0+\Z", "", text)
    if not _WHOLE.match(text) or len(text) > 70:
        return 0
    digits = text.replace("_", "")
    is_octal = re.fullmatch(r"[-+]?0[0-7]+", digits) is not None
    number = int(digits, 8) if is_octal else int(digits, 0)
    return number if _SMALLEST <= number < 2**63 else 0


def to_float(value: Value) -> float:
    """A value as a float."""
    if isinstance(value, Atom):
        return float(value.value)
    if isinstance(value, Text) and _FLOAT.match(value.flat):
        return float(value.flat)
    return 0.0


def _leaf(value: Value) -> Span | None:
    if isinstance(value, Atom):
        return value.leaf
    return value.runs[0].leaf if isinstance(value, Text) and len(value.runs) == 1 else None


def _converting(kind: str) -> Function:
    def run(_: Machine, values: Values) -> Value:
        number = to_float(values[0]) if kind == "float64" else to_whole(values[0])
        return Atom(kind, number, _leaf(values[0]))

    return Function(run)


def _atoi(_: Machine, values: Values) -> Value:
    text = text_of(values[0])
    is_number = re.fullmatch(r"[-+]?[0-9]{1,19}", text.flat, re.ASCII) is not None
    return Atom("int", int(text.flat) if is_number else 0, _leaf(text))


def to_decimal(_: Machine, values: Values) -> Value:
    """What a text says in octal digits."""
    text = shown(values[0]).flat
    return whole(int(text, 8) if re.fullmatch(r"[0-7]{1,20}", text) else 0, "int64")


def _folding(fold: Callable[[int, int], int], low: int, high: int = MANY) -> Function:
    def run(_: Machine, values: Values) -> Value:
        numbers = map(to_whole, values)
        total = reduce(lambda one, other: int(whole(fold(one, other)).value), numbers)
        return whole(total, "int64")

    return Function(run, low, high)


def _divided(one: int, other: int) -> int:
    if not other:
        raise TemplateProblem("a division by zero")
    return abs(one) // abs(other) * (1 if (one < 0) == (other < 0) else -1)


def _rest(one: int, other: int) -> int:
    return one - other * _divided(one, other)


def _add(_: Machine, values: Values) -> Value:
    return whole(sum(map(to_whole, values)), "int64")


def _floating(fold: Callable[[Decimal, Decimal], Decimal]) -> Function:
    """Arithmetic in decimals, as sprig has it."""

    def run(_: Machine, values: Values) -> Value:
        with localcontext(Context(prec=60, traps=[])):
            numbers = (Decimal(repr(to_float(value))) for value in values)
            return Atom("float64", float(reduce(fold, numbers)))

    return Function(run, 1, MANY)


def _ratio(one: Decimal, other: Decimal) -> Decimal:
    if not other:
        raise TemplateProblem("a division by zero")
    return (one / other).quantize(Decimal("1e-16"), ROUND_HALF_UP)


def rounded(_: Machine, values: Values) -> Value:
    """``round NUMBER PLACES``: halves away from zero."""
    number, places = to_float(values[0]), to_whole(values[1])
    if abs(places) > 300:
        raise TooSlow(f"{places:,} places")
    scaled = number * 10.0**places
    part, below = math.modf(scaled)
    digits = below + math.copysign(1, scaled) if abs(part) >= 0.5 else below
    return Atom("float64", digits / 10.0**places)


def _float(change: Callable[[float], float]) -> Function:
    return Function(lambda _, values: Atom("float64", float(change(to_float(values[0])))))


def seq(machine: Machine, values: Values) -> Text:
    """``seq LAST``, ``seq FIRST LAST`` or ``seq FIRST STEP LAST``, as the command."""
    numbers = [to_whole(value) for value in values]
    if len(numbers) not in (1, 2, 3):
        return plain("")
    start = numbers[0] if len(numbers) > 1 else 1
    end = numbers[-1]
    step = numbers[1] if len(numbers) == 3 else 1 if end >= start else -1
    if not step:
        return plain("")
    found = range(start, end + (1 if step > 0 else -1), step)
    if len(found) > 100_000:
        raise TooSlow(f"a sequence of {len(found):,} numbers")
    machine.step(len(found) // 10)
    return plain(" ".join(map(str, found)))


def _extreme(pick: Callable[[Iterable[float]], float]) -> Function:
    return Function(lambda _, v: Atom("float64", pick(map(to_float, v))), 1, MANY)


TABLE = {
    "int": _converting("int"),
    "int64": _converting("int64"),
    "float64": _converting("float64"),
    "atoi": Function(_atoi),
    "toDecimal": Function(to_decimal),
    "add": Function(_add, 0, MANY),
    "add1": Function(lambda _, v: whole(to_whole(v[0]) + 1, "int64")),
    "sub": _folding(lambda one, other: one - other, 2, 2),
    "mul": _folding(lambda one, other: one * other, 1),
    "div": _folding(_divided, 2, 2),
    "mod": _folding(_rest, 2, 2),
    "max": _folding(max, 1),
    "min": _folding(min, 1),
    "biggest": _folding(max, 1),
    "addf": _floating(lambda one, other: one + other),
    "add1f": Function(lambda _, v: Atom("float64", to_float(v[0]) + 1)),
    "subf": _floating(lambda one, other: one - other),
    "mulf": _floating(lambda one, other: one * other),
    "divf": _floating(_ratio),
    "maxf": _extreme(max),
    "minf": _extreme(min),
    "floor": _float(lambda number: math.floor(number) if math.isfinite(number) else number),
    "ceil": _float(lambda number: math.ceil(number) if math.isfinite(number) else number),
    "round": Function(rounded, 2, 3),
    "seq": Function(seq, 0, MANY, is_text=True),
}
