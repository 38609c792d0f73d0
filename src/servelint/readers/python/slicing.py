"""Which statements matter: those with a hit, what becomes of it, and what that needs.

From a statement that holds a program, values flow on: into variables,
attributes, results and parameters. Back from all that is kept go the names
that decide its values. The rest of a text is not worth its parsing.
"""

from __future__ import annotations

import ast
from collections import defaultdict

from servelint.readers.python.names import outline
from servelint.readers.python.outline import COMPOUND, FUNCTIONS, Key, Outline, Scope, Statement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from servelint.readers.python.screen import Hit

MAX_CALLERS = 20
"""A function with more callers is read for itself: nothing single can be said of its values."""

ENVIRONMENT = ".environ"


def what_matters(tree: ast.Module, hits: Iterable[Hit]) -> set[Statement]:
    """The statements of a text that matter."""
    slicer = _Slicer(outline(tree))
    slicer.start(hits)
    slicer.settle()
    return slicer.kept


class _Slicer:
    def __init__(self, found: Outline) -> None:
        self.kept: set[Statement] = set()
        self._found = found
        self._needed: set[Key] = set()
        self._tainted: set[Key] = set()
        self._given_back: set[Statement] = set()
        self._reached: set[Statement] = set()
        self._todo: list[Key] = []
        self._flowing: list[Key] = []
        self._setters: dict[Key, list[Statement]] = defaultdict(list)
        self._readers: dict[Key, list[Statement]] = defaultdict(list)
        self._callers: dict[str, list[Statement]] = defaultdict(list)
        self._owners: dict[int, Statement] = {}
        self._bodies: dict[int, list[Statement]] = defaultdict(list)
        for statement in found.statements:
            self._index(statement)

    def _index(self, statement: Statement) -> None:
        self._bodies[statement.scope.number].append(statement)
        for key in statement.sets:
            self._setters[key].append(statement)
        for key in statement.reads:
            self._readers[key].append(statement)
        for name in statement.calls:
            self._callers[name].append(statement)
        for name, keys in statement.given.items():
            if name in self._found.functions:
                for key in keys & self._found.containers:
                    self._setters[key].append(statement)
        if statement.inside is not None:
            self._owners[statement.inside.number] = statement

    def start(self, hits: Iterable[Hit]) -> None:
        self._need(ENVIRONMENT)
        every = {statement.node: statement for statement in self._found.statements}
        for hit in hits:
            statement = every.get(hit.statement)
            if statement is not None and hit.flows and _stays_inside(statement):
                self._flow(statement)  # kept by whoever does something with it
            elif statement is not None:
                self._keep(statement)
                if not hit.ends or self._asks(statement):
                    self._reach(statement.scope, marks=not hit.ends)
                if hit.flows:
                    self._flow(statement)

    def _asks(self, statement: Statement) -> bool:
        """True when a statement reads anything that the file itself sets."""
        own = statement.reads - self._found.imports
        return any(key in self._setters or (isinstance(key, tuple) and key[0]) for key in own)

    def settle(self) -> None:
        """Follow needs and flows until nothing new is met, then keep how the ways part."""
        self._go_on()
        self._keep_exits()
        self._go_on()
        self._keep_fields()

    def _go_on(self) -> None:
        while self._todo or self._flowing:
            while self._flowing:
                self._follow(self._flowing.pop())
            if self._todo:
                self._provide(self._todo.pop())

    def _reach(self, scope: Scope, *, marks: bool = False) -> None:
        """Keep the calls of a function that does something beyond itself.

        ``marks``: what the function does matters, wherever it is handed to.
        """
        owner = self._owners.get(scope.number)
        if marks and owner is not None and not isinstance(owner.node, ast.ClassDef):
            for key in owner.sets:
                self._taint(key)
        if owner is not None and owner not in self._reached:
            self._reached.add(owner)
            name = getattr(owner.node, "name", "")
            callers = self._callers[_class_name(owner) if name == "__init__" else name]
            if len(callers) <= MAX_CALLERS:
                for caller in callers:
                    self._keep(caller)
                    self._reach(caller.scope, marks=marks)

    # -- forward ------------------------------------------------------------------

    def _flow(self, statement: Statement) -> None:
        """What a statement sets holds something that matters."""
        for key in statement.sets:
            self._taint(key)
        if isinstance(statement.node, ast.Return) or _yields(statement.node):
            owner = self._owners.get(statement.scope.number)
            if owner is not None and owner not in self._given_back:
                self._given_back.add(owner)
                name = getattr(owner.node, "name", "")
                for caller in self._callers[name]:
                    self._keep(caller)
                    self._flow(caller)

    def _taint(self, key: Key) -> None:
        if key not in self._tainted:
            self._tainted.add(key)
            self._flowing.append(key)

    def _follow(self, key: Key) -> None:
        """Keep the statements that read something that matters."""
        for statement in self._readers[key]:
            if key not in statement.uses:
                continue
            self._keep(statement)
            self._reach(statement.scope, marks=True)
            if key in statement.flows:
                self._flow(statement)
            for name, keys in statement.given.items():
                if key in keys:
                    self._enter(name)

    def _enter(self, name: str) -> None:
        """Parameters of a function of the file that may be given something that matters."""
        for function in self._functions(name):
            if function.inside is not None:
                for param in function.inside.params:
                    self._taint((function.inside.number, param))

    def _functions(self, name: str) -> list[Statement]:
        """Functions by name; of a class, its constructor."""
        found: list[Statement] = []
        for one in self._found.functions.get(name, ()):
            if isinstance(one.node, ast.ClassDef):
                start = self._found.functions.get("__init__", ())
                found += [init for init in start if init.scope is one.inside]
            else:
                found.append(one)
        return found

    # -- backward -----------------------------------------------------------------

    def _keep(self, statement: Statement, *, needs: bool = True) -> None:
        if statement in self.kept:
            return
        self.kept.add(statement)
        if needs:
            for key in statement.reads:
                self._need(key)
        if any(isinstance(key, str) or key[0] != statement.scope.number for key in statement.sets):
            self._reach(statement.scope)
        if statement.parent is not None:
            self._keep(statement.parent)

    def _need(self, key: Key) -> None:
        if key not in self._needed:
            self._needed.add(key)
            self._todo.append(key)

    def _provide(self, key: Key) -> None:
        """Keep what decides the value of a key."""
        for statement in self._setters[key]:
            self._keep(statement)
        name = key.removeprefix(".") if isinstance(key, str) else key[1]
        if not isinstance(key, str) and key[0] in self._owners:
            self._ask_callers(self._owners[key[0]], name)
        for function in self._found.functions.get(name, ()):
            self._answer(function)

    def _ask_callers(self, owner: Statement, param: str) -> None:
        """A parameter is what its callers give."""
        if owner.inside is None or param not in owner.inside.params:
            return
        name = getattr(owner.node, "name", "")
        callers = self._callers[_class_name(owner) if name == "__init__" else name]
        if len(callers) <= MAX_CALLERS:
            for caller in callers:
                self._keep(caller)

    def _answer(self, function: Statement) -> None:
        """A function that is called: what it gives back, and what it does to what it is given."""
        inside = function.inside
        if inside is None or isinstance(function.node, ast.ClassDef):
            return
        params = {(inside.number, param) for param in inside.params}
        for statement in self._bodies[inside.number]:
            node = statement.node
            changes = not params.isdisjoint(statement.sets)
            if changes or isinstance(node, ast.Return) or _yields(node):
                self._keep(statement)

    # -- ways ---------------------------------------------------------------------

    def _keep_exits(self) -> None:
        """Returns, breaks and raises beside what is kept."""
        last: dict[int, int] = defaultdict(int)
        for statement in self.kept:
            if not isinstance(statement.node, (*FUNCTIONS, ast.ClassDef)):
                number = statement.scope.number
                last[number] = max(last[number], statement.first)
        for statement in self._found.statements:
            node = statement.node
            if (
                (isinstance(node, ast.Return) and statement.first < last[statement.scope.number])
                or (isinstance(node, ast.Break | ast.Continue) and self._loops(statement))
                or (isinstance(node, ast.Global | ast.Nonlocal) and statement.parent in self.kept)
            ):
                self._keep(statement, needs=False)
            elif isinstance(node, ast.Raise) and statement.parent in self.kept:
                if isinstance(statement.parent.node, COMPOUND):
                    self._keep(statement, needs=False)

    def _keep_fields(self) -> None:
        """All fields of a class that is kept: the place of each counts."""
        for statement in self._found.statements:
            parent = statement.parent
            if isinstance(statement.node, ast.AnnAssign) and parent in self.kept:
                if isinstance(parent.node, ast.ClassDef):
                    self._keep(statement, needs=False)

    def _loops(self, statement: Statement) -> bool:
        """True when the loop around a statement is kept."""
        parent = statement.parent
        while parent is not None and not isinstance(
            parent.node, ast.For | ast.AsyncFor | ast.While
        ):
            parent = parent.parent
        return parent is not None and parent in self.kept


def _stays_inside(statement: Statement) -> bool:
    """True for a statement that only sets variables of its own function."""
    scope = statement.scope
    return (
        isinstance(statement.node, ast.Assign | ast.AnnAssign)
        and not isinstance(scope.node, ast.Module | ast.ClassDef)
        and bool(statement.sets)
        and all(isinstance(key, tuple) and key[0] == scope.number for key in statement.sets)
    )


def _class_name(method: Statement) -> str:
    """The name of the class around a method."""
    return getattr(method.scope.node, "name", "")


def _yields(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield | ast.YieldFrom)
