"""Which templates are worth rendering, and for which values, told before any is.

A template counts when what it can become holds both a word of a product (somewhere in it, in what
it includes or in its values) and a word that says that something runs. Both are looked for in all
that may be in it, so that nothing is missed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from servelint.syntax.yaml_data import Table

_RUNS = re.compile(
    r"(?i)image|command|args|cmd|script|run|setup|entrypoint|container|env|configmap|launch"
    r"|toyaml|tojson|toprettyjson|torawjson|\btpl\b"
)
"""What may say that something runs, or may bring in any text of the values."""

_KIND = re.compile(r"\nkind:[ \t]*[\"']?(\w*)")
_WHOLE = re.compile(r"\n\{\{-?\s*(?:include|tpl|toYaml|template)\b|-[ \t]*kind:")
"""A line that may bring in a document, or that is one of a list. Patterns for large texts."""

_IDLE = frozenset(
    {
        *("CustomResourceDefinition", "Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"),
        *("ServiceAccount", "NetworkPolicy", "PodDisruptionBudget", "PersistentVolumeClaim"),
        *("PersistentVolume", "StorageClass", "PriorityClass", "Namespace", "Ingress", "Secret"),
        *("HorizontalPodAutoscaler", "ServiceMonitor", "PodMonitor", "PrometheusRule"),
    }
)
"""Kinds of Kubernetes in which nothing runs."""

_INCLUDE = re.compile(r"\b(?:include|template|block)\s+(?:\"([^\"\n]*)\"|`([^`\n]*)`)?")
_DEFINE = re.compile(r"\{\{-?\s*(?:define|block)\s+(?:\"([^\"\n]*)\"|`([^`\n]*)`)")
_TPL = re.compile(r"\btpl\b")
_VALUES = re.compile(r"\.Values\b(?:\.([A-Za-z_]\w*))?")


@dataclass(frozen=True, slots=True)
class Need:
    """What a template can come to hold. ``files`` are it and all whose texts may be in it.

    ``runs`` says that something may run. ``keys`` are the keys of the values that it asks for; None
    when that may be any.
    """

    files: frozenset[str]
    runs: bool
    keys: frozenset[str] | None

    def same(self, values: Table, others: Table) -> bool:
        """True when it sees the same in both values."""
        if self.keys is None:
            return values is others
        return all(values.get(key) is others.get(key) for key in self.keys)


class Needs:
    """What the templates of a chart, with the charts in it, can come to hold."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._definers: dict[str, set[str]] = {}
        for path, text in texts.items():
            for match in _DEFINE.finditer(text):
                self._definers.setdefault(match[1] or match[2] or "", set()).add(path)

    def of(self, path: str) -> Need:
        """What one template can come to hold."""
        if _is_idle("\n" + self._texts[path]):
            return Need(frozenset({path}), runs=False, keys=frozenset())
        files = self._files(path)
        texts = [self._texts[file] for file in files]
        is_any = any(_TPL.search(text) for text in texts)
        found = [match[1] for text in texts for match in _VALUES.finditer(text)]
        keys = None if is_any or None in found else frozenset(found)
        return Need(files, any(_RUNS.search(text) for text in texts), keys)

    def _files(self, path: str) -> frozenset[str]:
        seen, todo = {path}, [path]
        while todo:
            for other in self._included(self._texts[todo.pop()]):
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        return frozenset(seen)

    def _included(self, text: str) -> Iterable[str]:
        """The files that define what a text includes: all of them when a name is made up."""
        names = {match[1] or match[2] for match in _INCLUDE.finditer(text)}
        if None in names or _TPL.search(text):
            return {path for paths in self._definers.values() for path in paths}
        return {path for name in names for path in self._definers.get(name, ())}


def _is_idle(text: str) -> bool:
    """True for a template of which all documents are of kinds in which nothing runs."""
    kinds = set(_KIND.findall(text))
    return bool(kinds) and kinds <= _IDLE and not _WHOLE.search(text)
