"""Functions that tell what a value is."""

from __future__ import annotations

from servelint.syntax.gotemplate.functions.comparing import same
from servelint.syntax.gotemplate.signature import Function, NotKnown, known, text_of
from servelint.syntax.gotemplate.texts import plain
from servelint.syntax.gotemplate.values import Unknown, Value, kind_of, truth_value, type_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from servelint.syntax.gotemplate.machine import Machine

Values = tuple[Value, ...]


def _known(value: Value) -> Value:
    if isinstance(value, Unknown):
        raise NotKnown
    return value


def _telling(tell: Callable[[Value], str]) -> Function:
    return Function(lambda _, v: plain(tell(_known(v[0]))), takes="all", is_text=True)


def _asking(tell: Callable[[Value], str]) -> Function:
    def run(_: Machine, values: Values) -> Value:
        return truth_value(known(text_of(values[0])) == tell(_known(values[1])))

    return Function(run, 2, 2, "all")


def _type_is_like(_: Machine, values: Values) -> Value:
    name, found = known(text_of(values[0])), type_of(_known(values[1]))
    return truth_value(found in (name, f"*{name}"))


TABLE = {
    "kindOf": _telling(kind_of),
    "typeOf": _telling(type_of),
    "kindIs": _asking(kind_of),
    "typeIs": _asking(type_of),
    "typeIsLike": Function(_type_is_like, 2, 2, "all"),
    "deepEqual": Function(lambda _, v: truth_value(same(v[0], v[1])), 2, 2, "all"),
}
