"""Functions that put texts together and change their characters."""

from __future__ import annotations

import re
from dataclasses import replace

from servelint.syntax.gotemplate.printf import printf
from servelint.syntax.gotemplate.printing import between, shown, spaced, string
from servelint.syntax.gotemplate.problems import TooSlow
from servelint.syntax.gotemplate.quoting import quoted
from servelint.syntax.gotemplate.signature import (
    MANY,
    Function,
    NotKnown,
    known,
    text_of,
    whole_of,
)
from servelint.syntax.gotemplate.texts import Text, concat, joined, plain
from servelint.syntax.gotemplate.values import Items, Unknown, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from servelint.syntax.gotemplate.machine import Machine

Values = tuple[Value, ...]

MAX_INDENT = 10_000
"""Blanks before a line, copies of a text."""


def _in_double_quotes(_: Machine, values: Values) -> Text:
    texts = [quoted(string(value)) for value in values if value is not None]
    return between(texts, plain(" "))


def _in_single_quotes(_: Machine, values: Values) -> Text:
    texts = [shown(value) for value in values if value is not None]
    return between([concat((plain("'"), text, plain("'"))) for text in texts], plain(" "))


def _cat(_: Machine, values: Values) -> Text:
    return between([shown(value) for value in values if value is not None], plain(" "))


def _print_line(_: Machine, values: Values) -> Text:
    return concat((between([shown(value) for value in values], plain(" ")), plain("\n")))


def _indent(machine: Machine, values: Values) -> Text:
    count, text = whole_of(values[0]), text_of(values[1])
    return _indented(machine, count, text)


def _nindent(machine: Machine, values: Values) -> Text:
    return concat((plain("\n"), _indent(machine, values)))


def _indented(machine: Machine, count: int, text: Text) -> Text:
    lines = text.flat.count("\n") + 1
    if count > MAX_INDENT:
        raise TooSlow(f"an indent of {count:,}")
    machine.reserve(max(count, 0) * lines, text)
    lead = plain(" " * count)
    at, pieces = 0, [lead]
    while (end := text.flat.find("\n", at)) >= 0:
        pieces += (text.cut(at, end + 1), lead)
        at = end + 1
    return concat((*pieces, text.cut(at)))


def replaced(_: Machine, values: Values) -> Text:
    """``replace OLD NEW TEXT``; a text in the place of another keeps its own place."""
    old, new, text = (text_of(value) for value in values)
    sign = known(old)
    if not sign or (text.has_gaps and len(sign) > 1):
        raise NotKnown
    pieces: list[Text] = []
    at = 0
    while (found := text.flat.find(sign, at)) >= 0:
        pieces += (text.cut(at, found), new)
        at = found + len(sign)
    whole = concat((*pieces, text.cut(at)))
    if not text.has_gaps:
        return whole
    return _renamed(whole, f'replace "{sign}" "{new.said()}"')


def _renamed(text: Text, by: str) -> Text:
    """A text whose unknown parts went through a function."""
    return joined(
        replace(run, writing=f"{by} {run.writing}") if run.writing else run for run in text.runs
    )


def changing(name: str, change: Callable[[str], str]) -> Function:
    """A function that changes characters one by one."""

    def run(_: Machine, values: Values) -> Text:
        text = text_of(values[0])
        runs = (run if run.writing else replace(run, text=change(run.text)) for run in text.runs)
        return _renamed(joined(runs), name)

    return Function(run, takes="gaps", is_text=True)


def titled(_: Machine, values: Values) -> Text:
    """Every word with a capital; the words are those of Go, which ends none at ``_``."""
    text = text_of(values[0])
    known(text)
    starts = (found.start() for found in re.finditer(r"(?<!\w)\w", text.flat))
    return _with_change(text, starts, str.title)


def _untitled(_: Machine, values: Values) -> Text:
    text = text_of(values[0])
    known(text)
    starts = (found.start() for found in re.finditer(r"(?<!\S)\S", text.flat))
    return _with_change(text, starts, str.lower)


def _with_change(text: Text, places: object, change: Callable[[str], str]) -> Text:
    pieces: list[Text] = []
    at = 0
    for place in places:  # type: ignore[attr-defined]
        sign = text.cut(place, place + 1)
        runs = (replace(run, text=change(run.text)) for run in sign.runs)
        pieces += (text.cut(at, place), joined(runs))
        at = place + 1
    return concat((*pieces, text.cut(at)))


def _repeat(machine: Machine, values: Values) -> Text:
    count, text = max(whole_of(values[0]), 0), text_of(values[1])
    machine.reserve(count * len(text.flat), text)
    return concat([text] * count)


def join(_: Machine, values: Values) -> Text:
    """``join SEPARATOR LIST``; what is no list is a list of one."""
    separator, listed = values
    if isinstance(listed, Unknown):
        raise NotKnown
    items = listed.items if isinstance(listed, Items) else (listed,)
    return between([shown(item) for item in items if item is not None], text_of(separator))


def _formatted(_: Machine, values: Values) -> Text:
    return printf(text_of(values[0]), values[1:])


def _swapped(text: str) -> str:
    return text.swapcase()


def _no_space(_: Machine, values: Values) -> Text:
    text = text_of(values[0])
    return joined(
        run.cut(found.start(), found.end())
        for run in text.runs
        for found in re.finditer(r"\S+", run.text)
    )


def _plural(_: Machine, values: Values) -> Text:
    one, many, count = text_of(values[0]), text_of(values[1]), whole_of(values[2])
    return one if count == 1 else many


TABLE = {
    "quote": Function(_in_double_quotes, 0, MANY, "all", is_text=True),
    "squote": Function(_in_single_quotes, 0, MANY, "all", is_text=True),
    "cat": Function(_cat, 0, MANY, "all", is_text=True),
    "print": Function(lambda _, values: spaced(values), 0, MANY, "all", is_text=True),
    "println": Function(_print_line, 0, MANY, "all", is_text=True),
    "printf": Function(_formatted, 1, MANY, "all", is_text=True),
    "indent": Function(_indent, 2, 2, "gaps", is_text=True),
    "nindent": Function(_nindent, 2, 2, "gaps", is_text=True),
    "replace": Function(replaced, 3, 3, "gaps", is_text=True),
    "upper": changing("upper", str.upper),
    "lower": changing("lower", str.lower),
    "swapcase": changing("swapcase", _swapped),
    "title": Function(titled, takes="gaps", is_text=True),
    "untitle": Function(_untitled, takes="gaps", is_text=True),
    "repeat": Function(_repeat, 2, 2, "gaps", is_text=True),
    "join": Function(join, 2, 2, "all", is_text=True),
    "nospace": Function(_no_space, takes="gaps", is_text=True),
    "plural": Function(_plural, 3, 3, is_text=True),
    "toString": Function(lambda _, values: string(values[0]), takes="all", is_text=True),
}
