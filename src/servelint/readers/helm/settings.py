"""``--set a.b[0].c=d,e={x,y}``: values in an argument, each where it is written."""

from __future__ import annotations

import re

from servelint.readers.helm.layers import Setting
from servelint.source import Segment
from servelint.syntax.yaml import YamlProblem
from servelint.syntax.yaml_data import Leaf, load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.source import Source
    from servelint.syntax.yaml_data import Data

_KEY = re.compile(r"((?:\\.|[^\\.=,\[])*)(?=[.=,\[]|\Z)", re.S)
_INDEX = re.compile(r"\[(\d{1,6})\]")
_PLAIN_VALUE = re.compile(r"((?:\\.|[^\\,])*)", re.S)
_LIST = re.compile(r"\{((?:\\.|[^\\}])*)\}", re.S)
_ITEM = re.compile(r"((?:\\.|[^\\,])*)(?:,|\Z)", re.S)
_ESCAPE = re.compile(r"\\(.)", re.S)

_TYPED = re.compile(r"true|false|null|-?(?:0|[1-9]\d*)", re.I)
"""Texts of ``--set`` that are no strings. A number with a point or leading zero is one."""


def settings(source: Source, *, strings: bool = False) -> Iterator[Setting]:
    """What the argument of ``--set`` says; of ``--set-string`` with ``strings``.

    What is not of that form, and what follows it, is left out.
    """
    at = 0
    while at < len(source.text):
        path, at = _path(source, at)
        if not path or source.text[at : at + 1] != "=":
            return
        value, at = _value(source, at + 1, strings=strings)
        yield Setting(path, value)
        if source.text[at : at + 1] != ",":
            return
        at += 1


def literal(source: Source) -> Iterator[Setting]:
    """What the argument of ``--set-literal`` says: all that follows the sign is one string."""
    path, at = _path(source, 0)
    if path and source.text[at : at + 1] == "=":
        yield Setting(path, Leaf(source.slice(at + 1, len(source.text), "text"), "'"))


def json_settings(source: Source) -> Iterator[Setting]:
    """What the argument of ``--set-json`` says: a path and JSON, or JSON alone."""
    path, at = _path(source, 0)
    is_whole = source.text.lstrip().startswith("{")
    if not is_whole and (not path or source.text[at : at + 1] != "="):
        return
    start = 0 if is_whole else at + 1
    try:
        found = load(source.slice(start, len(source.text), "yaml"))
    except YamlProblem:
        return
    if found and found[0] is not None:
        yield Setting(() if is_whole else path, found[0])


def path_of(source: Source) -> tuple[Leaf | int, ...]:
    """A path of keys and indices; empty when the text is more than that."""
    path, at = _path(source, 0)
    return path if at == len(source.text) else ()


def value_of(source: Source, *, strings: bool) -> Leaf:
    """A text as a value: a truth value, a whole number, null or a string."""
    typed = not strings and _TYPED.fullmatch(source.text)
    return Leaf(source, "" if typed else "'")


def _path(source: Source, at: int) -> tuple[tuple[Leaf | int, ...], int]:
    path: list[Leaf | int] = []
    while True:
        key = _KEY.match(source.text, at)
        if key is None or not key[0]:
            return (), at
        path.append(Leaf(_plain(source, key.start(), key.end())))
        at = key.end()
        while index := _INDEX.match(source.text, at):
            path.append(int(index[1]))
            at = index.end()
        if source.text[at : at + 1] != ".":
            return tuple(path), at
        at += 1


def _value(source: Source, at: int, *, strings: bool) -> tuple[Data, int]:
    if whole := _LIST.match(source.text, at):
        return tuple(_items(source, whole.start(1), whole.end(1), strings=strings)), whole.end()
    found = _PLAIN_VALUE.match(source.text, at)
    end = found.end() if found else at
    return value_of(_plain(source, at, end), strings=strings), end


def _items(source: Source, start: int, end: int, *, strings: bool) -> Iterator[Leaf]:
    at = start
    while at < end:
        item = _ITEM.match(source.text, at, end)
        if item is None:
            return
        yield value_of(_plain(source, item.start(1), item.end(1)), strings=strings)
        at = item.end()


def _plain(source: Source, start: int, end: int) -> Source:
    """A part of the text without the backslashes in it, each character where it stands."""
    text = source.text[start:end]
    if "\\" not in text:
        return source.slice(start, end, "text")
    parts, pieces, size, at = [], [], 0, start
    for escape in _ESCAPE.finditer(source.text, start, end):
        for first, last in ((at, escape.start()), (escape.start(1), escape.end(1))):
            pieces.append(Segment(size, size + last - first, first, last))
            parts.append(source.text[first:last])
            size += last - first
        at = escape.end()
    pieces.append(Segment(size, size + end - at, at, end))
    parts.append(source.text[at:end])
    return source.embed("".join(parts), [one for one in pieces if one.end > one.start], "text")
