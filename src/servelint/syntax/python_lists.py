"""Lists of texts in a Python module, as far as they are written out: parsed, never run.

A name stands for all that the module ever puts into it, a function for all
that it returns: which branch runs is not asked.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_ITEMS = 5_000
"""Expressions that are looked at, in all lists of a module together."""

MAX_DEPTH = 20
"""Expressions inside expressions, names followed."""

_COPIES = frozenset({"list", "tuple", "set", "sorted", "frozenset"})
_ADDS = frozenset({"append", "extend", "add", "update"})
_PLAIN = re.compile(r"[rRuU]?(?P<quote>\"\"\"|'''|[\"'])(?P<content>.*)(?P=quote)\Z", re.DOTALL)
_CALL = "()"
"""Behind the name of a function: what it returns."""


@dataclass(frozen=True, slots=True)
class Item:
    """One expression of a list, at ``start`` to ``end`` of the module.

    ``text`` is that of a literal, whose content stands at ``inside``; None for
    anything else. ``is_formed`` says that it is a text put together of others;
    what is neither can be any number of items.
    """

    start: int
    end: int
    text: str | None = None
    inside: tuple[int, int] = (0, 0)
    is_formed: bool = False


class Module:
    """A parsed module, and what it puts under each name."""

    def __init__(self, text: str, tree: ast.Module) -> None:
        self.text = text
        self.tree = tree
        self._left = MAX_ITEMS
        self._lines = [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text))]
        self._given: dict[str, list[ast.expr]] = defaultdict(list)
        for node in ast.walk(tree):
            for name, value in _gives(node):
                self._given[name].append(value)

    def place(self, node: ast.expr) -> tuple[int, int]:
        """The range of an expression in code points; the tree counts bytes of UTF-8."""
        end_line, end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return self._offset(node.lineno, node.col_offset), self._offset(end_line, end)

    def _offset(self, line: int, column: int) -> int:
        start = self._lines[line - 1]
        raw = self.text[start : start + column]  # a character has at least one byte
        if raw.isascii():
            return start + column
        return start + len(raw.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "ignore"))

    def under(self, name: str) -> tuple[ast.expr, ...]:
        """All that the module puts under a name."""
        return tuple(self._given.get(name, ()))

    def items(self, node: ast.expr, above: tuple[str, ...] = ()) -> Iterator[Item]:
        """The texts of a list, or of the lists of a dictionary."""
        self._left -= 1
        if self._left < 0 or len(above) > MAX_DEPTH:
            yield Item(*self.place(node))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield self._literal(node, node.value)
        elif _is_formed(node):
            yield Item(*self.place(node), is_formed=True)
        elif name := _name(node):
            yield from self._named(node, name, above)
        elif (parts := _members(node)) is not None:
            for part in parts:
                yield from self.items(part, (*above, ""))
        else:
            yield Item(*self.place(node))

    def _named(self, node: ast.expr, name: str, above: tuple[str, ...]) -> Iterator[Item]:
        """All that is ever put under a name; nothing where it adds to itself."""
        if name in above:
            return
        given = self.under(name)
        for part in given:
            yield from self.items(part, (*above, name))
        if not given:
            yield Item(*self.place(node))

    def _literal(self, node: ast.Constant, value: str) -> Item:
        """A literal; what is not written as it is stands in all of it."""
        start, end = self.place(node)
        plain = _PLAIN.match(self.text[start:end])
        if plain is None or plain["content"] != value:
            return Item(start, end, value, (start, end))
        inside = (start + plain.start("content"), start + plain.end("content"))
        return Item(start, end, value, inside)


def _gives(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The names that a statement puts something under, or adds something to."""
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from ((name, value) for name in _holder(target))
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            yield from ((name, value) for name in _holder(target))
        case ast.AugAssign(target=target, op=ast.Add(), value=value):
            yield from ((name, value) for name in _holder(target))
        case ast.Call(func=ast.Attribute(value=holder, attr=attr), args=[value]) if attr in _ADDS:
            yield from ((name, value) for name in _holder(holder))
        case ast.FunctionDef(name=name, body=body):
            found = (inner for statement in body for inner in ast.walk(statement))
            yield from (
                (name + _CALL, inner.value)
                for inner in found
                if isinstance(inner, ast.Return) and inner.value is not None
            )


def _holder(target: ast.expr) -> Iterator[str]:
    """The name of a target; of a place in a dictionary, that of the dictionary."""
    while isinstance(target, ast.Subscript):
        target = target.value
    if isinstance(target, ast.Name):
        yield target.id


def _name(node: ast.expr) -> str:
    """The name that an expression is, or that of a function that it calls."""
    match node:
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)):
            return name
        case ast.Call(func=ast.Name(id=name)) if name not in _COPIES and name != "dict":
            return name + _CALL
    return ""


def _is_formed(node: ast.expr) -> bool:
    """True for one text that is put together of others."""
    match node:
        case ast.JoinedStr() | ast.BinOp(op=ast.Mod()):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="format")):
            return True
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            sides = (left, right)
            return any(
                isinstance(side, ast.JoinedStr)
                or (isinstance(side, ast.Constant) and isinstance(side.value, str))
                for side in sides
            )
    return False


def _members(node: ast.expr) -> tuple[ast.expr, ...] | None:
    """What a list is made of; None for anything else."""
    found: list[ast.expr] | None = None
    match node:
        case ast.List(elts=elts) | ast.Tuple(elts=elts) | ast.Set(elts=elts):
            found = elts
        case ast.Dict(values=values):
            found = values
        case ast.Starred(value=value):
            found = [value]
        case (
            ast.IfExp(body=first, orelse=second) | ast.BinOp(left=first, op=ast.Add(), right=second)
        ):
            found = [first, second]
        case ast.Call(func=ast.Name(id=name), args=[value], keywords=[]) if name in _COPIES:
            found = [value]
        case ast.Call(func=ast.Name(id="dict"), args=[], keywords=words):
            found = [word.value for word in words]
    return None if found is None else tuple(found)
