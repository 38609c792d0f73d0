"""Which kustomizations use which, and the files that each of them takes."""

from __future__ import annotations

from servelint.readers.kustomize.generate import KINDS, files_of
from servelint.syntax.yaml_data import Leaf, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from servelint.readers.kustomize.project import Kustomization, Project

_LISTS = (
    *("resources", "bases", "components", "patchesStrategicMerge", "configurations", "crds"),
    *("transformers", "generators", "validators"),
)
"""Fields whose items are paths."""

_TABLES = ("patches", "patchesJson6902", "replacements")
"""Fields whose items may have a ``path``."""


class Reach:
    """The files that kustomizations name, of those below ``paths``."""

    def __init__(self, project: Project, paths: Sequence[str]) -> None:
        self._project = project
        self._uses: dict[str, frozenset[str]] = {}
        for path in paths:
            found = project.kustomization(path)
            if found is not None:
                self._uses[path] = frozenset(_targets(project, found))

    def deployed(self) -> Iterator[tuple[str, frozenset[str]]]:
        """Each kustomization that no other one uses, with all files that it takes.

        Of those that only use each other, the first by name stands for all.
        """
        below = {other for path, uses in self._uses.items() for other in uses if other != path}
        left = dict.fromkeys(self._uses)
        roots = [path for path in self._uses if path not in below]
        while left:
            if not roots:
                roots = [next(iter(left))]
            for root in roots:
                reached = self._all(root)
                for path in reached:
                    left.pop(path, None)
                yield root, reached
            roots = []

    def _all(self, path: str) -> frozenset[str]:
        found, todo = {path}, [path]
        while todo:
            for other in self._uses.get(todo.pop(), ()):
                if other not in found:
                    found.add(other)
                    todo.append(other)
        return frozenset(found)


def _targets(project: Project, owner: Kustomization) -> Iterator[str]:
    for text in _paths(owner):
        path = project.find(owner, text)
        if path is not None:
            yield path


def _paths(owner: Kustomization) -> Iterator[str]:
    for entry in owner.items(*_LISTS):
        if isinstance(entry, Leaf):
            yield entry.text
    schema = owner.data.text("openapi", "path")
    if schema:
        yield schema
    for entry in owner.items(*_TABLES):
        path = entry.text("path") if isinstance(entry, Table) else None
        if path:
            yield path
    for entry in owner.items(*KINDS):
        yield from (path for _, _, path in files_of(entry))
