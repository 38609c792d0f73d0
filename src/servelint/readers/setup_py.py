"""Reads setup.py: the packages that its call of ``setup`` asks for. It is parsed, never run.

The same text is a Python program and goes on to the reader of these, without the
texts that are read here; that one also reads those that are put together.
"""

from __future__ import annotations

import ast
import posixpath
import re
from dataclasses import replace

from servelint.facts import Requirement, Uses
from servelint.finding import Skip
from servelint.source import Segment
from servelint.syntax.pep508 import read_requirement
from servelint.syntax.python_lists import Module
from servelint.syntax.python_module import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from servelint.source import Source
    from servelint.syntax.python_lists import Item

MAX_CHARACTERS = 200_000
"""The longest one known has 50,000."""

_KEYWORDS = ("install_requires", "extras_require")
_FILE = re.compile(r"[\w./-]+\.(?:txt|in)\Z")


def read(source: Source) -> Iterator[Requirement | Uses | Source | Skip]:
    """One fact for each requirement that is written out; a skip for a list that is computed."""
    tree = parse(source.text) if len(source.text) <= MAX_CHARACTERS else None
    if tree is None:  # the reader of Python tells what is wrong with it
        yield source.slice(0, len(source.text), "python")
        return
    module = Module(source.text, tree)
    lists = tuple(_keywords(module))
    items = {keyword: tuple(dict.fromkeys(module.items(keyword))) for _, keyword in lists}
    texts = dict.fromkeys(
        item for found in items.values() for item in found if item.text is not None
    )
    for number, item in enumerate(texts):
        yield from _requirement(source, item, number)
    for keyword, node in lists:
        unknown = [item for item in items[node] if item.text is None and not item.is_formed]
        yield from _computed(source, module, keyword, node, unknown)
    child = source.slice(0, len(source.text), "python")
    yield replace(child, text=_without(source.text, texts))


def _keywords(module: Module) -> Iterator[tuple[str, ast.expr]]:
    """The lists that calls of ``setup`` are given, by name or in a dictionary."""
    for node in ast.walk(module.tree):
        if not (isinstance(node, ast.Call) and _is_setup(node.func)):
            continue
        for word in node.keywords:
            if word.arg in _KEYWORDS:
                yield word.arg, word.value
            elif word.arg is None and isinstance(word.value, ast.Name):
                for given in module.under(word.value.id):
                    yield from _in_dictionary(given)


def _in_dictionary(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    match node:
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and key.value in _KEYWORDS:
                    yield str(key.value), value
        case ast.Call(func=ast.Name(id="dict"), keywords=words):
            yield from ((word.arg, word.value) for word in words if word.arg in _KEYWORDS)


def _is_setup(function: ast.expr) -> bool:
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name == "setup"


def _requirement(source: Source, item: Item, number: int) -> Iterator[Requirement | Source | Skip]:
    """A text of a list; one of several lines is a text of requirements."""
    text = item.text or ""
    pieces = tuple(_segments(source.text, text, *item.inside))
    if "\n" in text:
        yield source.embed(text, pieces, "requirements", "requirement", number)
        return
    found = read_requirement(source.embed(text, pieces, "text", "requirement", number))
    if found is not None and text.strip():
        yield found


def _segments(text: str, value: str, start: int, end: int) -> Iterator[Segment]:
    """Where a literal stands: as it is, else in all of a range, however long both are."""
    size = len(value)
    if size == end - start and size > 1 and value != text[start:end]:
        yield Segment(0, 1, start, end)
        yield Segment(1, size, start, end)
    else:
        yield Segment(0, size, start, end)


def _computed(
    source: Source, module: Module, keyword: str, node: ast.expr, unknown: Iterable[Item]
) -> Iterator[Uses | Skip]:
    """The files that a computed list names, else once that it is not read."""
    first = next(iter(unknown), None)
    if first is None:
        return
    detail = f"{keyword} is computed: not all of it is read"
    span = source.span(first.start, first.end)
    skip = Skip(source.path, "read", "template", detail, span)
    yield from tuple(_files(source, module, node)) or (skip,)


def _files(source: Source, module: Module, node: ast.expr) -> Iterator[Uses]:
    """The files of requirements that an expression names, as ``open("a.txt")`` does."""
    directory = posixpath.dirname(source.path)
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            target = posixpath.normpath(posixpath.join(directory, inner.value))
            if _FILE.match(inner.value) and not target.startswith(("/", "..")):
                span = source.span(*module.place(inner))
                yield Uses(span=span, owner=source.owner, target=target, how="requirements")


def _without(text: str, items: Iterable[Item]) -> str:
    """The module with something of equal length that is no text in the places of literals."""
    parts: list[str] = []
    at = 0
    for item in sorted(items, key=lambda item: item.start):
        if item.start >= at:
            parts += (text[at : item.start], "0".ljust(item.end - item.start))
            at = item.end
    return "".join((*parts, text[at:]))
