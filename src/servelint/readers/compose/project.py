"""The compose files of a root, what they name, and what could not be read of it."""

from __future__ import annotations

import posixpath
import re

from servelint.finding import Skip
from servelint.readers.compose.merge import Merger
from servelint.readers.compose.tags import Tags, tags_of
from servelint.source import Route, Source
from servelint.syntax.yaml import YamlProblem
from servelint.syntax.yaml_data import Allowance, Leaf, Table, load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.source import Span
    from servelint.unit import Files

MAX_PATH = 500
"""Characters of a path in a compose file."""

MAX_ITEMS = 300_000
"""Items of all files of a project, with aliases followed."""

_REMOTE = re.compile(r"[a-z][a-z0-9+.-]*:|git@|.*\.git(?:#|\Z)", re.IGNORECASE)


class Project:
    """Reads compose files, each once; ``skips`` is what it could not read."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self.names = frozenset(files.names)
        self.merger = Merger()
        self._allowance = Allowance(MAX_ITEMS)
        self._tables: dict[str, Table | None] = {}
        self._tags: dict[str, Tags] = {}
        self.skips: dict[Skip, None] = {}

    def skip(self, reason: str, detail: str, span: Span, stage: str = "bind") -> None:
        """Say once that something was left out."""
        self.skips[Skip(span.path, stage, reason, detail, span)] = None

    def table(self, path: str) -> Table | None:
        """The data of a compose file; None when it is none, or cannot be read."""
        if path not in self._tables:
            self._tables[path] = self._load(path)
        return self._tables[path]

    def tags(self, path: str) -> Tags:
        """The ``!reset`` and ``!override`` tags of a compose file."""
        if path not in self._tags:
            self._tags[path] = tags_of(self.files.text(path) or "")
        return self._tags[path]

    def services(self, path: str) -> dict[str, Table]:
        """The services of a compose file, as it writes them."""
        table = self.table(path)
        found = table.get("services") if table is not None else None
        members = found.members if isinstance(found, Table) else {}
        return {
            name: member.value
            for name, member in members.items()
            if isinstance(member.value, Table)
        }

    def service(self, path: str, name: str) -> Table | None:
        """One service of a compose file, as it writes it."""
        table = self.table(path)
        found = table.get("services", name) if table is not None else None
        return found if isinstance(found, Table) else None

    def find(self, directory: str, text: str) -> str | None:
        """The file that a text names, if it is here."""
        if text.startswith("/") or len(text) > MAX_PATH:
            return None
        path = posixpath.normpath(posixpath.join(directory, text))
        return path if path in self.names else None

    def target(self, directory: str, leaf: Leaf) -> str | None:
        """As :meth:`find`; what is not here is told in ``skips``."""
        found = self.find(directory, leaf.text)
        if found is not None:
            return found
        text, at = leaf.text[:MAX_PATH], leaf.source.span(0, len(leaf.text))
        if _REMOTE.match(text):
            self.skip("remote", f"{text} is not in this repository: it is not read", at)
        elif text.startswith("/") or posixpath.normpath(posixpath.join(directory, text)).startswith(
            ".."
        ):
            self.skip("outside-root", f"{text} is outside of the root: it is not read", at)
        elif "$" in text:
            self.skip("unreadable", f"which file {text} is depends on variables", at)
        else:
            self.skip("unreadable", f"{text} is not there", at)
        return None

    def _load(self, path: str) -> Table | None:
        text = self.files.text(path)
        if text is None:
            return None
        source = Source(path, text, "yaml", Route(path))
        try:
            found = load(source, self._allowance)
        except YamlProblem as problem:
            is_template = problem.reason == "syntax" and "{{" in text
            reason = "template" if is_template else problem.reason
            at = min(problem.offset, len(text))
            self.skip(reason, problem.detail, source.span(at, at), "read")
            return None
        first = found[0] if found else None
        is_ours = isinstance(first, Table) and "apiVersion" not in first.members
        return first if is_ours and isinstance(first, Table) else None
