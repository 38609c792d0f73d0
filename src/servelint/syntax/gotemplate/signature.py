"""What functions of templates take: how many values, of which kinds, and what they do unknowing."""

from __future__ import annotations

from dataclasses import dataclass

from servelint.syntax.gotemplate.problems import TemplateProblem
from servelint.syntax.gotemplate.texts import Text, gap
from servelint.syntax.gotemplate.values import (
    STRINGS,
    Atom,
    Dict,
    Items,
    Unknown,
    Value,
    holds,
    is_unknown,
    type_of,
    unknown,
)
from servelint.syntax.gotemplate.writing import call_writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from servelint.syntax.gotemplate.machine import Machine

MANY = 1_000_000
"""More values than any call has."""


class NotKnown(Exception):  # noqa: N818 - it is no error
    """The value of a call cannot be known."""


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function and what it can do with what is not known.

    ``takes``: "known" values alone, "gaps" (texts with unknown parts too) or "all". ``is_text``
    says that its value is a text, ``is_filled`` that it is not empty when what it is given is not.
    """

    run: Callable[[Machine, tuple[Value, ...]], Value]
    low: int = 1
    high: int = 1
    takes: str = "known"
    is_text: bool = False
    is_filled: bool = False

    def is_lost(self, values: tuple[Value, ...]) -> bool:
        """True when the function is given something unknown that it cannot use."""
        if self.takes == "all":
            return False
        if self.takes == "gaps":
            return any(isinstance(value, Unknown) for value in values)
        return any(is_unknown(value) for value in values)

    def lost(self, name: str, values: tuple[Value, ...]) -> Value:
        """What a call gives that cannot be known."""
        writing = call_writing(name, values)
        is_filled = self.is_filled and holds(values[0]) is True
        return gap(writing, is_filled=is_filled) if self.is_text else unknown(writing)


def check(name: str, function: Function, values: tuple[Value, ...]) -> None:
    """Raise TemplateProblem when a function is given too few or too many values."""
    if not function.low <= len(values) <= function.high:
        raise TemplateProblem(f"{name} does not take {len(values)} arguments")


def text_of(value: Value) -> Text:
    """A value where Go wants a string. Raises TemplateProblem, NotKnown."""
    if isinstance(value, Text):
        return value
    raise _wrong("string", value)


def whole_of(value: Value) -> int:
    """A value where Go wants an int. Raises TemplateProblem, NotKnown."""
    if isinstance(value, Atom) and value.kind == "int":
        return int(value.value)
    raise _wrong("int", value)


def bool_of(value: Value) -> bool:
    """A value where Go wants a bool. Raises TemplateProblem, NotKnown."""
    if isinstance(value, Atom) and value.kind == "bool":
        return bool(value.value)
    raise _wrong("bool", value)


def dict_of(value: Value) -> Dict:
    """A value where Go wants a map; nil is an empty one. Raises TemplateProblem, NotKnown."""
    if isinstance(value, Dict):
        return value
    if value is None:
        return Dict()
    raise _wrong("map", value)


def items_of(value: Value) -> tuple[Value, ...]:
    """A value where Go wants a list. Raises TemplateProblem, NotKnown."""
    if isinstance(value, Items):
        return value.items
    raise _wrong("list", value)


def strings(texts: Iterable[Text]) -> Items:
    """A list of texts."""
    return Items(tuple(texts), STRINGS)


def known(text: Text) -> str:
    """A text that is known in full. Raises NotKnown."""
    if text.has_gaps:
        raise NotKnown
    return text.flat


def _wrong(wanted: str, value: Value) -> Exception:
    if isinstance(value, Unknown):
        return NotKnown()
    return TemplateProblem(f"expected a {wanted}, found a {type_of(value)}")
