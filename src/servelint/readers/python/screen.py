"""The cheap look before the dear one: whether a text says anything that would run.

The standard library's parser tells literals from comments and docstrings, and
which functions matter. It reads what the running interpreter reads; a text
that it refuses may still be newer Python.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cache

from servelint.readers.python.names import CHANGING, FLOWS
from servelint.readers.python.talk import is_talk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.readers.python.needles import Needles

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases", "items", "decorator_list")
_LINE_END = re.compile(r"\r\n?|\n")


@dataclass(frozen=True, slots=True)
class Hit:
    """A statement with a literal or a call that counts.

    ``flows`` says that what the statement sets may hold the literal: what a
    foreign call is given stays there. ``ends`` is for a call of an engine,
    which says all that there is to say.
    """

    statement: ast.stmt
    flows: bool
    ends: bool = False


@dataclass(frozen=True, slots=True)
class Screened:
    """A text with hits."""

    tree: ast.Module
    hits: tuple[Hit, ...]


def screen(text: str, tree: ast.Module, needles: Needles) -> Screened | None:
    """The hits of a text; None when nothing in it is a literal or a call that counts."""
    search = _Search(needles, _imports(tree))
    search.lines = _lines(text, search.words())
    if not search.lines:
        return None
    search.statements(tree.body)
    return Screened(tree, tuple(search.hits)) if search.hits else None


def _imports(tree: ast.Module) -> dict[str, str]:
    """Every name that an import at any depth of statements binds, and the full name."""
    found: dict[str, str] = {}
    todo: list[ast.AST] = list(tree.body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Import):
            for name in node.names:
                found[name.asname or name.name.partition(".")[0]] = (
                    name.name if name.asname else name.name.partition(".")[0]
                )
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            found.update({name.asname or name.name: f"{module}.{name.name}" for name in node.names})
        else:
            for field in _blocks(type(node)):  # type: ignore[arg-type]  # a class can be hashed
                todo.extend(getattr(node, field))
    return found


@cache
def _blocks(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields of a kind of node that hold statements, or what may hold some."""
    if issubclass(kind, ast.expr):
        return ()
    return tuple(field for field in _BLOCKS if field in kind._fields)


def _lines(text: str, words: tuple[str, ...]) -> list[int]:
    """The numbers (from 1) of the lines that hold one of the words, in order."""
    places: set[int] = set()
    for word in words:
        at = text.find(word)
        while at >= 0:
            places.add(at)
            at = text.find(word, at + len(word))
    if not places:
        return []
    ends = [match.end() for match in _LINE_END.finditer(text)]
    return sorted({bisect_left(ends, place + 1) + 1 for place in places})


class _Search:
    """Walks only the statements that hold a needle."""

    def __init__(self, needles: Needles, imports: dict[str, str]) -> None:
        self.needles = needles
        self.imports = imports
        self.lines: list[int] = []
        self.hits: list[Hit] = []
        self._current: ast.stmt | None = None

    def words(self) -> tuple[str, ...]:
        """The needles, and the calls under the names that the imports give them."""
        calls = [
            f"{alias}("
            for alias, name in self.imports.items()
            if self.needles.call(name) and alias != "*"
        ]
        roots = {call.partition(".")[0] for call in self.needles.calls}
        aliases = [alias for alias, name in self.imports.items() if name in roots]
        dotted = [
            f"{alias}.{call.partition('.')[2]}"
            for alias in aliases
            for call in self.needles.calls
            if self.imports[alias] == call.partition(".")[0] and "." in call
        ]
        return (*self.needles.words, *calls, *dotted)

    def statements(self, body: list[ast.stmt]) -> None:
        for number, node in enumerate(body):
            if not self._holds(node):
                continue
            if number == 0 and _is_text(node):
                continue
            self._current = node
            self._statement(node)

    def _holds(self, node: ast.stmt | ast.expr) -> bool:
        first = node.lineno
        for decorator in getattr(node, "decorator_list", ()):
            first = min(first, decorator.lineno)
        at = bisect_left(self.lines, first)
        return at < len(self.lines) and self.lines[at] <= (node.end_lineno or first)

    def _statement(self, node: ast.AST) -> None:
        """Statements inside are walked as statements, the rest as expressions."""
        if isinstance(node, ast.Assert | ast.Raise | ast.Import | ast.ImportFrom) or _is_text(node):
            return
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr) and name not in ("annotation", "returns", "test"):
                self._expression(value)
            elif isinstance(value, list):
                if value and isinstance(value[0], ast.stmt):
                    self.statements(value)
                else:
                    for one in value:
                        self._part(one)
            elif isinstance(value, ast.arguments):
                for default in (*value.defaults, *filter(None, value.kw_defaults)):
                    self._expression(default)

    def _part(self, node: object) -> None:
        if isinstance(node, ast.expr):
            self._expression(node)
        elif isinstance(node, ast.AST):
            self._statement(node)

    def _expression(self, node: ast.expr, *, flows: bool = True) -> None:
        if not self._holds(node) or isinstance(node, ast.Compare):
            return
        if isinstance(node, ast.Call):
            self._call(node, flows=flows)
        elif self._is_hit(node):
            self._hit(flows=flows)
        else:
            for child in _children(node):
                if not _is_key(child, node):
                    self._expression(child, flows=flows)

    def _call(self, node: ast.Call, *, flows: bool) -> None:
        name = self.name(node.func)
        if self.needles.call(name):
            self._hit(flows=False, ends=True)
            return
        if is_talk(name):
            return
        last = name.rpartition(".")[2]
        before = len(self.hits)
        for child in _children(node):
            if not _is_key(child, node):
                self._expression(child, flows=flows and (last in FLOWS or last in CHANGING))
        if len(self.hits) == before and self.needles.programs.search(_words(node.args)):
            self._hit(flows=False)

    def _hit(self, *, flows: bool, ends: bool = False) -> None:
        if self._current is not None:
            self.hits.append(Hit(self._current, flows, ends))

    def _is_hit(self, node: ast.expr) -> bool:
        match node:
            case ast.Constant(value=str(text)):
                return self.needles.any_literal.search(text) is not None
            case ast.List() | ast.Tuple():
                return self.needles.programs.search(_words(node.elts)) is not None
            case _:
                return False

    def name(self, node: ast.expr) -> str:
        """The dotted name of a callee, through the imports; calls inside end in ``()``."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute | ast.Call):
            if isinstance(node, ast.Attribute):
                parts.append(node.attr)
                node = node.value
            else:
                node = node.func
        if isinstance(node, ast.Name):
            parts.append(self.imports.get(node.id, node.id))
        return ".".join(reversed(parts))


def _is_key(child: ast.expr, node: ast.expr) -> bool:
    """True for a literal that only says which entry of a mapping is read."""
    if not isinstance(child, ast.Constant):
        return False
    if isinstance(node, ast.Subscript):
        return child is node.slice and isinstance(node.ctx, ast.Load)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    return node.func.attr == "get" and child in node.args[:1]


def _children(node: ast.AST) -> Iterator[ast.expr]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield child
        elif isinstance(child, ast.keyword | ast.comprehension):
            yield from _children(child)


def _words(nodes: list[ast.expr]) -> str:
    """Literal elements side by side: a program may be spread over several."""
    texts = [node.value if isinstance(node, ast.Constant) else None for node in nodes]
    return " ".join(text if isinstance(text, str) else "\0" for text in texts)


def _is_text(node: ast.AST) -> bool:
    """A string that is a statement: a docstring or a comment in disguise."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
