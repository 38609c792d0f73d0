"""The names that each statement sets and reads, and which of them flow into what it sets."""

from __future__ import annotations

import ast

from servelint.readers.python.outline import (
    COMPOUND,
    IMPORTS,
    Key,
    Outline,
    Statement,
    holding,
    structure,
)
from servelint.readers.python.talk import is_talk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

CONTAINERS = (ast.List, ast.Dict, ast.ListComp, ast.DictComp, ast.Set)

CHANGING = frozenset(
    {
        *("append", "extend", "insert", "update", "add", "remove", "pop", "clear", "setdefault"),
        *("sort", "reverse", "discard", "add_argument", "set_defaults", "add_parser"),
        *("add_argument_group", "add_mutually_exclusive_group", "add_subparsers"),
    }
)
"""Methods that change their object."""

FLOWS = frozenset(
    {
        *("str", "list", "tuple", "dict", "int", "float", "set", "map", "filter", "zip", "sorted"),
        *("enumerate", "reversed", "sum", "join", "split", "format", "strip", "lstrip", "rstrip"),
        *("replace", "lower", "upper", "copy", "deepcopy", "dedent", "quote", "chain", "get"),
        *("from_iterable", "items", "keys", "values", "partial", "Path", "joinpath", "splitlines"),
        *("setdefault", "pop", "asdict", "vars", "getattr", "next", "iter", "min", "max", "cast"),
    }
)
"""Calls whose result holds what they are given."""


def outline(tree: ast.Module) -> Outline:
    """The statements of a module with their names."""
    found = structure(tree)
    imports = [one for one in found.statements if isinstance(one.node, IMPORTS)]
    for statement in imports:
        _Reader(statement, found).read()
        found.imports |= statement.sets
    for statement in found.statements:
        if not isinstance(statement.node, IMPORTS):
            _Reader(statement, found).read()
    return found


class _Reader:
    """Reads the names of one statement."""

    def __init__(self, statement: Statement, found: Outline) -> None:
        self._statement = statement
        self._scope = statement.scope
        self._found = found
        self._met: list[Key] = []
        self._talks = _is_talk(statement.node)

    def read(self) -> None:
        statement, node = self._statement, self._statement.node
        match node:
            case ast.Import() | ast.ImportFrom():
                for one in node.names:
                    self._set((one.asname or one.name).partition(".")[0])
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                self._set(node.name)
                self._header(node)
            case _ if isinstance(node, COMPOUND):
                for part in self._parts(node):
                    self._expression(part, flows=True)
            case _:
                self._simple(node)
        if self._scope.is_class:
            names = [key[1] for key in statement.sets if not isinstance(key, str)]
            statement.sets.update(f".{name}" for name in names)

    def _set(self, name: str) -> None:
        self._statement.sets.add(self._scope.key(name))

    def _header(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        parts: list[ast.expr] = list(node.decorator_list)
        if isinstance(node, ast.ClassDef):
            parts += [*node.bases, *(one.value for one in node.keywords)]
        else:
            parts += [*node.args.defaults, *(one for one in node.args.kw_defaults if one)]
        for part in parts:
            self._expression(part, flows=True)

    def _parts(self, node: ast.stmt) -> Iterator[ast.AST]:
        """What stands in the head of a compound statement."""
        for name in ("test", "iter", "target"):
            part = getattr(node, name, None)
            if part is not None:
                yield part
        for item in getattr(node, "items", ()):
            yield item.context_expr
            if item.optional_vars is not None:
                yield item.optional_vars

    def _simple(self, node: ast.stmt) -> None:
        targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
        value = getattr(node, "value", None)
        if isinstance(value, CONTAINERS) or _makes_container(value):
            for target in targets:
                self._found.containers.update(self._keys(target))
        if isinstance(node, ast.AugAssign):
            self._statement.reads.update(self._keys(node.target))
            self._statement.flows.update(self._keys(node.target))
            self._statement.uses.update(self._keys(node.target))
        if isinstance(node, ast.AnnAssign):
            self._expression(node.target, flows=True)
            if node.value is not None:
                self._expression(node.value, flows=True)
            return
        self._expression(node, flows=True)

    def _keys(self, node: object) -> Iterator[Key]:
        """The key of a plain name or attribute."""
        if isinstance(node, ast.Name):
            yield self._scope.key(node.id)
        elif isinstance(node, ast.Attribute):
            yield f".{node.attr}"
        elif isinstance(node, ast.Subscript | ast.Starred):
            yield from self._keys(node.value)
        elif isinstance(node, ast.Tuple | ast.List):
            for one in node.elts:
                yield from self._keys(one)

    def _expression(self, node: ast.AST, *, flows: bool) -> None:
        """Note the names of an expression; ``flows`` is false below a foreign call."""
        statement = self._statement
        kind = type(node)
        if kind is ast.Name or kind is ast.Attribute:
            key = self._scope.key(node.id) if kind is ast.Name else f".{node.attr}"  # type: ignore[attr-defined]
            self._met.append(key)
            if type(node.ctx) is ast.Load:  # type: ignore[attr-defined]
                self._read(key)
                if flows:
                    statement.flows.add(key)
            else:
                statement.sets.add(key)
        elif kind is ast.Call:
            self._call(node, flows=flows)  # type: ignore[arg-type]
            return
        elif kind is ast.Subscript and type(node.ctx) is not ast.Load:  # type: ignore[attr-defined]
            statement.sets.update(self._keys(node.value))  # type: ignore[attr-defined]
        for name in holding(kind):  # type: ignore[arg-type]  # a class can be hashed
            part = getattr(node, name)
            if type(part) is list:
                for one in part:
                    if one is not None:
                        self._expression(one, flows=flows)
            elif part is not None:
                self._expression(part, flows=flows)

    def _read(self, key: Key) -> None:
        self._statement.reads.add(key)
        if not self._talks:
            self._statement.uses.add(key)

    def _call(self, node: ast.Call, *, flows: bool) -> None:
        """A call; one that is no talk may do anything with what it is given, even in talk."""
        talks, name = self._talks, _dotted(node.func)
        self._talks = talks and (name.rpartition(".")[2] in FLOWS or is_talk(name))
        self._names_of_call(node, flows=flows)
        self._talks = talks

    def _names_of_call(self, node: ast.Call, *, flows: bool) -> None:
        statement = self._statement
        name = _last_name(node.func)
        statement.calls.add(name)
        kept = name in FLOWS or name in CHANGING or name in self._found.functions
        through = flows and kept
        if isinstance(node.func, ast.Attribute):
            if name in CHANGING:
                keys = set(self._keys(node.func.value))
                statement.sets.update(keys - self._found.imports)
            statement.reads.add(f".{name}")
            statement.uses.add(f".{name}")
            self._expression(node.func.value, flows=through or flows)
        else:
            self._expression(node.func, flows=flows)
        before = len(self._met)
        for arg in node.args:
            self._expression(arg, flows=through)
        for keyword in node.keywords:
            self._expression(keyword.value, flows=through)
        statement.given.setdefault(name, set()).update(self._met[before:])


def _is_talk(node: ast.stmt) -> bool:
    """True for a statement that only says or checks something."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        name = _dotted(node.value.func)
        return is_talk(name) and name.rpartition(".")[2] not in CHANGING
    return isinstance(node, ast.Raise | ast.Assert)


def _dotted(node: ast.expr) -> str:
    """The name of a callee as it is written; what is no name is left out."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    parts.append(node.id if isinstance(node, ast.Name) else "")
    return ".".join(reversed(parts))


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _makes_container(node: object) -> bool:
    """``list(x)``, ``x.copy()``, ``x + y``, ``a if c else b`` of lists."""
    if isinstance(node, ast.Call):
        return _last_name(node.func) in ("list", "dict", "copy", "deepcopy", "split")
    if isinstance(node, ast.BinOp):
        return any(isinstance(one, CONTAINERS) for one in (node.left, node.right))
    return isinstance(node, ast.IfExp) and any(
        isinstance(one, CONTAINERS) for one in (node.body, node.orelse)
    )
