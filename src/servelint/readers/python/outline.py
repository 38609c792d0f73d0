"""The statements of a text and its scopes, from the quick parser.

A name is a key: of a variable, with the function that owns it; of an
attribute, with a dot in front, whoever owns it. That is coarse on purpose: what
two statements may share, they share.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COMPOUND = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try)

IMPORTS = (ast.Import, ast.ImportFrom)
_CLOSED = frozenset({*FUNCTIONS, ast.ClassDef, ast.Lambda})
_BINDING = frozenset(
    {
        *(*FUNCTIONS, ast.ClassDef, *IMPORTS, ast.Global, ast.Nonlocal),
        *(ast.ExceptHandler, ast.MatchAs, ast.MatchStar),
    }
)
"""What binds a name without a node for it."""

_CONSTANTS = frozenset({ast.Constant, ast.MatchSingleton})
_BARE = frozenset(
    {
        *("ctx", "op", "ops", "id", "attr", "arg", "name", "names", "rest", "kind", "type_comment"),
        *("conversion", "is_async", "simple", "level", "module", "kwd_attrs"),
        "str",
    }
)
"""Fields in which there is no node that could hold a name."""

Key = tuple[int, str] | str


@dataclass(eq=False, slots=True)
class Scope:
    """A function, a class, or the module (number 0).

    ``own`` are the names that it binds, of which ``top`` belong to the module
    (``global``) and ``shared`` to a function around it (``nonlocal``).
    """

    number: int
    outer: Scope | None
    node: ast.AST
    own: set[str] = field(default_factory=set)
    params: tuple[str, ...] = ()
    top: set[str] = field(default_factory=set)
    shared: set[str] = field(default_factory=set)

    @property
    def is_class(self) -> bool:
        """True for the body of a class, which functions inside do not see."""
        return isinstance(self.node, ast.ClassDef)

    def key(self, name: str) -> tuple[int, str]:
        """The variable that a name is in this scope."""
        if name in self.top:
            return (0, name)
        if name in self.own and name not in self.shared:
            return (self.number, name)
        scope = self.outer
        while scope is not None:
            mine = name in scope.own and name not in scope.shared and not scope.is_class
            if mine or name in scope.top:
                return (0 if name in scope.top else scope.number, name)
            scope = scope.outer
        return (0, name)


@dataclass(eq=False, slots=True)
class Statement:
    """A statement without those inside it.

    ``uses`` are the reads that it does not only speak of. ``flows`` are those
    that reach what it sets; others are only given to a foreign call. ``calls``
    are the last names of what it calls.
    """

    node: ast.stmt
    scope: Scope
    parent: Statement | None
    first: int
    last: int
    sets: set[Key] = field(default_factory=set)
    reads: set[Key] = field(default_factory=set)
    uses: set[Key] = field(default_factory=set)
    flows: set[Key] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)
    given: dict[str, set[Key]] = field(default_factory=dict)
    inside: Scope | None = None


@dataclass(slots=True)
class Outline:
    """All statements in order, and the functions and classes by name."""

    statements: list[Statement] = field(default_factory=list)
    functions: dict[str, list[Statement]] = field(default_factory=dict)
    containers: set[Key] = field(default_factory=set)
    imports: set[Key] = field(default_factory=set)
    scopes: int = 0


def structure(tree: ast.Module) -> Outline:
    """The statements of a module, their names not read yet."""
    found = Outline()
    scope = Scope(0, None, tree)
    _bind(scope, tree.body)
    _walk(tree.body, scope, None, found)
    return found


def first_line(node: ast.stmt) -> int:
    """The line on which a statement begins, decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(one.lineno for one in decorators)])


def suites(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The rows of statements inside a statement."""
    for name in ("body", "orelse", "finalbody"):
        rows = getattr(node, name, None)
        if rows and isinstance(rows, list):
            yield rows
    for handler in getattr(node, "handlers", ()):
        yield handler.body


def _walk(body: list[ast.stmt], scope: Scope, parent: Statement | None, found: Outline) -> None:
    for node in body:
        last = node.end_lineno or node.lineno
        statement = Statement(node, scope, parent, first_line(node), last)
        found.statements.append(statement)
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            found.functions.setdefault(node.name, []).append(statement)
            statement.inside = _scope_of(node, scope, found)
            _walk(node.body, statement.inside, statement, found)
        elif isinstance(node, COMPOUND):
            for rows in suites(node):
                _walk(rows, scope, statement, found)


def _scope_of(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, outer: Scope, found: Outline
) -> Scope:
    found.scopes += 1
    scope = Scope(found.scopes, outer, node)
    _bind(scope, node.body)
    if not isinstance(node, ast.ClassDef):
        given = node.args
        every = (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
        scope.params = tuple(one.arg for one in every if one is not None)
        scope.own.update(scope.params)
    return scope


@cache
def holding(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields of a kind of node in which there are only nodes, and may be names."""
    if kind in _CONSTANTS:
        return ()
    bare = _BARE - {"name"} if kind.__name__ == "TypeAlias" else _BARE  # there it is a node
    return tuple(name for name in kind._fields if name not in bare)


def _bind(scope: Scope, body: list[ast.stmt]) -> None:
    """Note the names that a body binds, and which of them are another scope's.

    Functions and classes in it bind their names; what they hold is theirs.
    """
    todo: list[ast.AST] = list(body)
    while todo:
        node = todo.pop()
        kind = type(node)
        if kind is ast.Name:
            if type(node.ctx) is not ast.Load:  # type: ignore[attr-defined]
                scope.own.add(node.id)  # type: ignore[attr-defined]
            continue
        if kind in _BINDING:
            _bind_bare(scope, node)
        if kind in _CLOSED:
            continue
        for name in holding(kind):  # type: ignore[arg-type]  # a class can be hashed
            part = getattr(node, name)
            if type(part) is list:
                todo += [one for one in part if one is not None]
            elif part is not None:
                todo.append(part)


def _bind_bare(scope: Scope, node: ast.AST) -> None:
    """Note the names that a node binds by itself."""
    if isinstance(node, IMPORTS):
        scope.own.update((one.asname or one.name).partition(".")[0] for one in node.names)
    elif isinstance(node, ast.Global):
        scope.top.update(node.names)
    elif isinstance(node, ast.Nonlocal):
        scope.shared.update(node.names)
    elif name := getattr(node, "name", None):
        scope.own.add(name)
