"""The modules of a wheel as syntax: what a name in one of them stands for, and a type."""

from __future__ import annotations

import ast
from functools import cached_property

TYPE_CHECKING = False
if TYPE_CHECKING:
    import zipfile
    from collections.abc import Iterable, Iterator

OPTIONAL = ("Optional", "Union")


class Modules:
    """The modules of a wheel, each parsed when first asked for."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._trees: dict[str, dict[str, ast.AST]] = {}

    @cached_property
    def _files(self) -> frozenset[str]:
        return frozenset(self._archive.namelist())

    def find(self, module: str, name: str) -> tuple[str, ast.AST] | None:
        """What a name of a module stands for, and in which module that stands.

        A class, a function or the value of an assignment, imports followed; None for
        what the wheel does not hold.
        """
        seen: set[tuple[str, str]] = set()
        while (module, name) not in seen:
            seen.add((module, name))
            node = self._names(module).get(name)
            if not isinstance(node, ast.ImportFrom):
                return (module, node) if node is not None else None
            whole = {alias.asname or alias.name: alias.name for alias in node.names}
            module, name = self._origin(module, node), whole[name]
        return None

    def find_class(self, module: str, name: str) -> tuple[str, ast.ClassDef] | None:
        """A class by its name in a module, and the module that it stands in."""
        found = self.find(module, name)
        if found is None or not isinstance(found[1], ast.ClassDef):
            return None
        return found[0], found[1]

    def _names(self, module: str) -> dict[str, ast.AST]:
        """What the names of a module stand for; a class before what replaces it later."""
        if module not in self._trees:
            names: dict[str, ast.AST] = {}
            for name, node in _bound(self._parsed(module).body):
                if not isinstance(names.get(name), ast.ClassDef):
                    names[name] = node
            self._trees[module] = names
        return self._trees[module]

    def _parsed(self, module: str) -> ast.Module:
        path = self._path(module)
        text = self._archive.read(path).decode() if path in self._files else ""
        return ast.parse(text, path)

    def _path(self, module: str) -> str:
        stem = module.replace(".", "/")
        package = f"{stem}/__init__.py"
        return package if package in self._files else f"{stem}.py"

    def _origin(self, module: str, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        up = node.level - self._path(module).endswith("/__init__.py")
        parts = module.split(".")
        return ".".join((*parts[: len(parts) - up], *((node.module,) if node.module else ())))


def _bound(statements: Iterable[ast.stmt]) -> Iterator[tuple[str, ast.AST]]:
    """The names that statements give a meaning, branches included."""
    for node in statements:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield alias.asname or alias.name, node
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    yield target.id, node.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            yield node.target.id, node.value
        elif isinstance(node, ast.If | ast.Try):
            handlers = [one for each in getattr(node, "handlers", ()) for one in each.body]
            yield from _bound((*node.body, *handlers, *node.orelse))


def shape_of(modules: Modules, module: str, kind: ast.expr) -> str:
    """What a type is once nothing is left out: the name of it, without its parameters."""
    if isinstance(kind, ast.BinOp) and isinstance(kind.op, ast.BitOr):
        return _of_union(modules, module, [kind.left, kind.right])
    if isinstance(kind, ast.Subscript):
        name = ast.unparse(kind.value).rpartition(".")[2]
        if name not in OPTIONAL:
            return name
        inner = kind.slice.elts if isinstance(kind.slice, ast.Tuple) else [kind.slice]
        return _of_union(modules, module, inner)
    found = modules.find(module, ast.unparse(kind))
    if found is not None and isinstance(found[1], ast.Subscript | ast.BinOp | ast.Name):
        return shape_of(modules, found[0], found[1])
    return ast.unparse(kind)


def _of_union(modules: Modules, module: str, kinds: list[ast.expr]) -> str:
    """The one type beside None; a type of its own where there are several."""
    shapes = {shape_of(modules, module, one) for one in kinds} - {"None"}
    return shapes.pop() if len(shapes) == 1 else "Union"
