"""Functions that compare, choose and refuse."""

from __future__ import annotations

from servelint.syntax.gotemplate.printing import shown
from servelint.syntax.gotemplate.problems import TemplateProblem
from servelint.syntax.gotemplate.signature import MANY, Function, NotKnown, bool_of
from servelint.syntax.gotemplate.texts import GAP, Text
from servelint.syntax.gotemplate.values import (
    Atom,
    Bytes,
    Dict,
    Items,
    Thing,
    Unknown,
    Value,
    holds,
    truth_value,
    type_of,
)
from servelint.syntax.gotemplate.weights import weigh

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from servelint.syntax.gotemplate.machine import Machine

Values = tuple[Value, ...]

_BASIC = {"bool": "bool", "int": "int", "int64": "int", "uint64": "int", "float64": "float"}


def basic_kind(value: Value) -> str:
    """The kind by which Go compares; empty for what it cannot."""
    if isinstance(value, Atom):
        return _BASIC[value.kind]
    return "string" if isinstance(value, Text) else ""


def texts_equal(one: Text, other: Text) -> bool:
    """Whether texts are equal. Raises NotKnown."""
    if one.has_gaps and one.said() == other.said():
        return True
    if not one.has_gaps and not other.has_gaps:
        return one.flat == other.flat
    if _differ(one.flat, other.flat) or _differ(one.flat[::-1], other.flat[::-1]):
        return False
    if (not one.flat and holds(other)) or (not other.flat and holds(one)):
        return False
    raise NotKnown


def _differ(one: str, other: str) -> bool:
    """True when two texts differ before something unknown comes."""
    for left, right in zip(one, other, strict=False):
        if GAP in (left, right):
            return False
        if left != right:
            return True
    return False


def equal(one: Value, other: Value) -> bool:
    """``eq`` of two values. Raises TemplateProblem for those that Go does not compare, NotKnown."""
    if isinstance(one, Unknown) or isinstance(other, Unknown):
        raise NotKnown
    if one is None or other is None:
        return one is other
    kind = basic_kind(one)
    if kind != basic_kind(other):
        raise TemplateProblem(f"cannot compare {type_of(one)} and {type_of(other)}")
    if isinstance(one, Text) and isinstance(other, Text):
        return texts_equal(one, other)
    if isinstance(one, Atom) and isinstance(other, Atom):
        return one.value == other.value
    raise TemplateProblem(f"cannot compare {type_of(one)}")


def eq(_: Machine, values: Values) -> Value:
    """Whether the first is one of the others."""
    is_open = False
    for value in values[1:]:
        try:
            if equal(values[0], value):
                return truth_value(value=True)
        except NotKnown:
            is_open = True
    if is_open:
        raise NotKnown
    return truth_value(value=False)


def _before(one: Value, other: Value) -> int:
    """-1, 0 or 1 as the first is less than, equal to or greater than the other."""
    if isinstance(one, Unknown) or isinstance(other, Unknown):
        raise NotKnown
    kind = basic_kind(one)
    if kind != basic_kind(other) or kind in ("", "bool"):
        raise TemplateProblem(f"cannot order {type_of(one)} and {type_of(other)}")
    if isinstance(one, Text) and isinstance(other, Text):
        if one.has_gaps or other.has_gaps:
            raise NotKnown
        return (one.flat > other.flat) - (one.flat < other.flat)
    assert isinstance(one, Atom)  # noqa: S101  # as its kind says
    assert isinstance(other, Atom)  # noqa: S101
    return (one.value > other.value) - (one.value < other.value)


def _ordering(accepts: tuple[int, ...]) -> Function:
    def run(_: Machine, values: Values) -> Value:
        return truth_value(_before(values[0], values[1]) in accepts)

    return Function(run, 2, 2, "all")


def same(one: Value, other: Value) -> bool:
    """Deep equality, which tells kinds of numbers apart. Raises NotKnown, TooSlow."""
    weigh(one, other)
    return _same(one, other)


def _same(one: Value, other: Value) -> bool:
    if isinstance(one, Unknown) or isinstance(other, Unknown):
        raise NotKnown
    if isinstance(one, Text) and isinstance(other, Text):
        return texts_equal(one, other)
    if isinstance(one, Atom) and isinstance(other, Atom):
        return one.kind == other.kind and one.value == other.value
    if isinstance(one, Items) and isinstance(other, Items):
        pairs = zip(one.items, other.items, strict=False)
        return len(one.items) == len(other.items) and all(_same(*pair) for pair in pairs)
    if isinstance(one, Dict) and isinstance(other, Dict):
        keys = one.entries.keys()
        return keys == other.entries.keys() and all(
            _same(one.entries[key], other.entries[key]) for key in keys
        )
    return one is other


def default(_: Machine, values: Values) -> Value:
    """``default DEFAULT VALUE``. Which one is not known where the value may be empty."""
    if len(values) == 1:
        return values[0]
    filled = holds(values[1])
    if filled is None:
        raise NotKnown
    return values[1] if filled else values[0]


def _coalesce(_: Machine, values: Values) -> Value:
    for value in values:
        filled = holds(value)
        if filled is None:
            raise NotKnown
        if filled:
            return value
    return None


def ternary(machine: Machine, values: Values) -> Value:
    """``ternary YES NO CONDITION``; both ways are gone where the condition is not known."""
    condition = values[2]
    if isinstance(condition, Unknown):
        return values[0] if machine.is_true(condition) else values[1]
    return values[0] if bool_of(condition) else values[1]


def _counting(count: Callable[[list[bool]], bool], low: int = 0, high: int = MANY) -> Function:
    def run(_: Machine, values: Values) -> Value:
        found = [holds(value) for value in values]
        if None in found:
            raise NotKnown
        return truth_value(count([bool(one) for one in found]))

    return Function(run, low, high, "all")


def required(_: Machine, values: Values) -> Value:
    """``required MESSAGE VALUE``. Raises TemplateProblem for nil and an empty text."""
    message, value = values
    if value is None or (isinstance(value, Text) and not value.flat):
        raise TemplateProblem(shown(message).said(), is_wanted=True)
    return value


def _fail(_: Machine, values: Values) -> Value:
    raise TemplateProblem(shown(values[0]).said(), is_wanted=True)


def _length(_: Machine, values: Values) -> Value:
    value = values[0]
    if isinstance(value, (Text, Bytes)):
        text = value.text if isinstance(value, Bytes) else value
        return Atom("int", len(text.flat.encode("utf-8", "surrogatepass")))
    if isinstance(value, Items):
        return Atom("int", len(value.items))
    if isinstance(value, Dict):
        return Atom("int", len(value.entries))
    if isinstance(value, Thing) and value.type_name == "common.VersionSet":
        raise NotKnown
    raise TemplateProblem(f"a {type_of(value)} has no length")


TABLE = {
    "eq": Function(eq, 2, MANY, "all"),
    "ne": Function(lambda _, v: truth_value(not equal(v[0], v[1])), 2, 2, "all"),
    "lt": _ordering((-1,)),
    "le": _ordering((-1, 0)),
    "gt": _ordering((1,)),
    "ge": _ordering((0, 1)),
    "not": _counting(lambda found: not found[0], 1, 1),
    "empty": _counting(lambda found: not found[0], 1, 1),
    "all": _counting(all),
    "any": _counting(any),
    "default": Function(default, 1, 2, "all"),
    "coalesce": Function(_coalesce, 0, MANY, "all"),
    "ternary": Function(ternary, 3, 3, "all"),
    "required": Function(required, 2, 2, "all"),
    "fail": Function(_fail, takes="all"),
    "len": Function(_length),
}
