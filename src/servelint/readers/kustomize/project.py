"""The kustomizations of a root, what they name, and what could not be read of it."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, replace
from itertools import pairwise

from servelint.finding import Skip
from servelint.source import Route, Source
from servelint.syntax.yaml import YamlProblem
from servelint.syntax.yaml_data import Allowance, Table, load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.source import Span
    from servelint.syntax.yaml_data import Data, Leaf
    from servelint.unit import Files

NAMES = ("kustomization.yaml", "kustomization.yml", "Kustomization")
"""Names of a kustomization, in the order in which kustomize looks for them."""

MAX_PATH = 500
"""Characters of a path in a kustomization."""

MAX_ITEMS = 500_000
"""Items of all files of one kustomization as deployed, with aliases followed."""

MAX_WORK = 200_000
"""Comparisons of resources with patches, images and the like, for one kustomization as deployed."""

_REMOTE = re.compile(
    r"(?:[a-z][a-z0-9+.-]*:)|[^/]*@|[^/]*\?ref=|.*[?&](?:ref|version)=|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/",
    re.I,
)
_GROUP = "kustomize.config.k8s.io"
_DOCUMENT = re.compile(r"^---(?=[ \t\r\n]|\Z)", re.MULTILINE)
IDLE_KINDS = frozenset(
    {
        *("CustomResourceDefinition", "Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"),
        *("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration", "ServiceAccount"),
        "Namespace",
    }
)
"""Kinds in which nothing runs. They are the longest documents of many repositories."""

_CONTENT = re.compile(r"^[ \t]*[^\s#]", re.MULTILINE)
_IDLE = re.compile(rf"^kind:[ \t]*[\"']?(?:{'|'.join(sorted(IDLE_KINDS))})\b", re.MULTILINE)


@dataclass(frozen=True, slots=True, eq=False)
class Kustomization:
    """One kustomization file."""

    path: str
    data: Table

    @property
    def directory(self) -> str:
        """Where the paths in it begin."""
        return posixpath.dirname(self.path)

    @property
    def is_component(self) -> bool:
        """True for what is only ever part of another."""
        return self.data.text("kind") == "Component"

    def items(self, *keys: str) -> tuple[Data, ...]:
        """The items of the lists below some keys."""
        lists = (self.data.get(key) for key in keys)
        return tuple(item for found in lists if isinstance(found, tuple) for item in found)


class Project:
    """Reads kustomizations and their files, each once; ``skips`` is what it could not read."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._names = frozenset(files.names)
        self._loaded: dict[str, Kustomization | None] = {}
        self._documents: dict[str, tuple[tuple[int, Data], ...]] = {}
        self._left = MAX_WORK
        self.schema: Table | None = None
        self.allowance = Allowance(MAX_ITEMS)
        self.skips: dict[Skip, None] = {}

    def skip(self, reason: str, detail: str, span: Span, stage: str = "bind") -> None:
        """Say once that something was left out."""
        self.skips[Skip(span.path, stage, reason, detail, span)] = None

    def spend(self, work: int, at: Span) -> bool:
        """Count work; False, and said once, when there was more than enough of it."""
        was_enough, self._left = self._left < 0, self._left - work
        if self._left < 0 and not was_enough:
            self.skip("too-large", f"more than {MAX_WORK:,} comparisons: the rest is left out", at)
        return self._left >= 0

    def kustomization_in(self, directory: str) -> str | None:
        """The path of the kustomization of a directory, if it has one."""
        paths = (posixpath.join(directory, name) for name in NAMES)
        return next((path for path in paths if path in self._names), None)

    def kustomization(self, path: str) -> Kustomization | None:
        """A kustomization; None when it cannot be read or is something else of that name."""
        if path not in self._loaded:
            found = next((data for _, data in self.documents(path)), None)
            is_ours = isinstance(found, Table) and _is_ours(found)
            self._loaded[path] = (
                Kustomization(path, found) if is_ours and isinstance(found, Table) else None
            )
        return self._loaded[path]

    def documents(self, path: str) -> tuple[tuple[int, Data], ...]:
        """The documents of a file in which something may run, with their numbers."""
        if path not in self._documents:
            text = self._files.text(path)
            self._documents[path] = () if text is None else self._load(path, text)
        return self._documents[path]

    def find(self, owner: Kustomization, text: str) -> str | None:
        """The file, or the kustomization of the directory, that an entry names, if it is here."""
        if text.startswith("/") or len(text) > MAX_PATH:
            return None
        whole = posixpath.normpath(posixpath.join(owner.directory, text.strip()))
        if whole in self._names:
            return whole
        return self.kustomization_in("" if whole == "." else whole)

    def is_single(self, path: str) -> bool:
        """True for a file of one document."""
        text = self._files.text(path) or ""
        edges = [0, *(mark.start() for mark in _DOCUMENT.finditer(text)), len(text)]
        pieces = (text[start:end].removeprefix("---") for start, end in pairwise(edges))
        return sum(bool(_CONTENT.search(piece)) for piece in pieces) == 1

    def source(self, path: str) -> Source:
        """The text of a file as it stands."""
        return Source(path, self._files.text(path) or "", "yaml", Route(path), container=True)

    def target(self, owner: Kustomization, entry: Leaf, path: str = "") -> str | None:
        """As :meth:`find`; what is not here is told in ``skips``."""
        text = path or entry.text
        found = self.find(owner, text)
        if found is not None:
            return found
        at = entry.source.span(0, len(entry.text))
        whole = posixpath.normpath(posixpath.join(owner.directory, text.strip()))
        if _REMOTE.match(text):
            self.skip("remote", f"{text[:MAX_PATH]} is not in this repository: it is not read", at)
        elif text.startswith("/") or whole.split("/")[0] == "..":
            self.skip("outside-root", f"{text[:MAX_PATH]} is outside of the root: not read", at)
        else:
            self.skip("unreadable", f"{text[:MAX_PATH]} is not there", at)
        return None

    def text_of(self, owner: Kustomization, entry: Leaf, path: str) -> tuple[str, str] | None:
        """Path and text of a file that an entry names."""
        found = self.target(owner, entry, path)
        if found is None:
            return None
        text = self._files.text(found)
        if text is None:
            span = entry.source.span(0, len(entry.text))
            self.skip("unreadable", f"{found} cannot be read", span)
        return None if text is None else (found, text)

    def inline(self, entry: Leaf) -> tuple[tuple[int, Data], ...]:
        """The documents of a text that stands in a kustomization itself, numbered by its place."""
        at = entry.source.span(0, len(entry.text))
        try:
            found = load(replace(entry.source, language="yaml"), self.allowance)
        except YamlProblem as problem:
            self.skip(problem.reason, f"a text is no YAML: {problem.detail}", at, "read")
            return ()
        return tuple((at.start + index, one) for index, one in enumerate(found) if one is not None)

    def _load(self, path: str, text: str) -> tuple[tuple[int, Data], ...]:
        """The documents of a text; where none is idle, it is read as one."""
        source = Source(path, text, "yaml", Route(path))
        if not _IDLE.search(text):
            return tuple(enumerate(self._data(source, source, 0)))
        found: list[tuple[int, Data]] = []
        edges = [0, *(mark.start() for mark in _DOCUMENT.finditer(text)), len(text)]
        for number, (start, end) in enumerate(pairwise(edges)):
            if text[start:end].strip() and not _IDLE.search(text, start, end):
                piece = source.slice(start, end, "yaml")
                found.extend((number, one) for one in self._data(piece, source, start))
        return tuple(found)

    def _data(self, piece: Source, source: Source, start: int) -> Iterator[Data]:
        try:
            found = load(piece, self.allowance)
        except YamlProblem as problem:
            self._refused(source, start + problem.offset, problem)
        else:
            yield from (data for data in found if data is not None)

    def _refused(self, source: Source, offset: int, problem: YamlProblem) -> None:
        at = min(offset, len(source.text))
        is_template = problem.reason == "syntax" and "{{" in source.text
        reason = "template" if is_template else problem.reason
        self.skip(reason, problem.detail, source.span(at, at), "read")


def _is_ours(data: Table) -> bool:
    """True for what kustomize reads; other programs have kustomizations, too."""
    group = data.text("apiVersion")
    kind = data.text("kind")
    return (not group or group.startswith(_GROUP)) and kind in (None, "Kustomization", "Component")
