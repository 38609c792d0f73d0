"""What a ``range`` goes over."""

from __future__ import annotations

from servelint.syntax.gotemplate.problems import TemplateProblem, TooSlow
from servelint.syntax.gotemplate.texts import plain
from servelint.syntax.gotemplate.values import (
    FILES,
    Atom,
    Bytes,
    Dict,
    Items,
    Thing,
    Unknown,
    Value,
    kind_of,
    unknown,
    whole,
)
from servelint.syntax.gotemplate.writing import writing_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.syntax.gotemplate.machine import Machine

MAX_ITEMS = 100_000
"""Items of one list."""


def pairs(  # noqa: PLR0911  # a kind a line
    value: Value, machine: Machine
) -> list[tuple[Value, Value]]:
    """Keys and items; of what nobody knows one, or none where the machine so decides.

    Raises TemplateProblem.
    """
    if isinstance(value, Dict):
        return [(plain(key), one) for key, one in sorted(value.entries.items())]
    if isinstance(value, Items):
        return [(whole(place), one) for place, one in enumerate(value.items)]
    if isinstance(value, Unknown):
        return _unknown(value, machine)
    if isinstance(value, Atom) and value.kind in ("int", "int64"):
        return _counted(int(value.value))
    if isinstance(value, Bytes):
        codes = value.text.said().encode("utf-8", "surrogatepass")
        return [(whole(place), whole(code)) for place, code in enumerate(codes)]
    if isinstance(value, Thing) and value.type_name == FILES:
        return [(plain(name), one) for name, one in value.fields.items()]
    if value is None:
        return []
    raise TemplateProblem(f"range cannot go over a {kind_of(value)}")


def _unknown(value: Unknown, machine: Machine) -> list[tuple[Value, Value]]:
    if not machine.is_true(value):
        return []
    return [(unknown(f"key {writing_of(value)}"), unknown(f"item {writing_of(value)}"))]


def _counted(count: int) -> list[tuple[Value, Value]]:
    if count > MAX_ITEMS:
        raise TooSlow(f"a range over {count:,} items")
    return [(whole(number), whole(number)) for number in range(count)]
