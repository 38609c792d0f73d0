"""From the files of a root to a chart."""

from __future__ import annotations

import posixpath
from dataclasses import replace

from servelint.finding import Skip
from servelint.readers.helm.chart import Chart, Dependency
from servelint.readers.helm.layers import EMPTY
from servelint.readers.helm.layout import CHART_FILE, VALUES_FILE
from servelint.source import Route, Source, Span
from servelint.syntax.gotemplate.constraints import satisfies, version
from servelint.syntax.weave import Weaver
from servelint.syntax.yaml import YamlProblem
from servelint.syntax.yaml_data import Leaf, Table, load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from servelint.syntax.yaml_data import Data
    from servelint.unit import Files

MAX_DEPTH = 6
"""Charts in charts: how far that is followed."""

_TEMPLATES = (".yaml", ".yml", ".json", ".tpl", ".txt")
_NOTES = "NOTES.txt"


class Loader:
    """Loads charts. What cannot be read is in ``skips``."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._names = frozenset(files.names)
        self._tables: dict[str, Table] = {}
        self.skips: list[Skip] = []

    def table(self, path: str) -> Table:
        """The mapping in a YAML file; empty when there is none."""
        if path not in self._tables:
            self._tables[path] = self._load(path)
        return self._tables[path]

    def chart(self, directory: str, called: Leaf | None = None, above: str = "") -> Chart:
        """The chart in a directory, with the charts that are part of it.

        ``called`` is its name in the chart at the path ``above``.
        """
        return self._chart(directory, called, above, ())

    def _load(self, path: str) -> Table:
        text = self._files.text(path) if path in self._names else None
        if text is None:
            return EMPTY
        source = Source(path, text, "yaml", Route(path))
        try:
            first = next((data for data in load(source) if data is not None), None)
        except YamlProblem as problem:
            span = source.span(problem.offset, problem.offset)
            self.skips.append(Skip(path, "read", problem.reason, problem.detail, span))
            return EMPTY
        return first if isinstance(first, Table) else EMPTY

    def _chart(
        self, directory: str, called: Leaf | None, above: str, outer: tuple[str, ...]
    ) -> Chart:
        meta = self.table(posixpath.join(directory, CHART_FILE))
        own = meta.text("name") or posixpath.basename(directory)
        name = called.text if called else own
        inside = f"{above}/charts/{name}" if above else name
        below = self._below(posixpath.join(directory, "templates"))
        chart = Chart(
            directory=directory,
            inside=inside,
            name=name,
            meta=meta,
            values=self.table(posixpath.join(directory, VALUES_FILE)),
            templates=tuple(filter(_is_rendered, below)),
            partials=tuple(path for path in below if not _is_rendered(path)),
            dependencies=(),
            missing=(),
        )
        return self._with_parts(chart, (*outer, directory))

    def _below(self, directory: str) -> tuple[str, ...]:
        names = (name for name in self._files.names if name.startswith(f"{directory}/"))
        return tuple(name for name in names if name.endswith(_TEMPLATES))

    def _with_parts(self, chart: Chart, outer: tuple[str, ...]) -> Chart:
        requirements = self.table(posixpath.join(chart.directory, "requirements.yaml"))
        wanted = (*_items(chart.meta, "dependencies"), *_items(requirements, "dependencies"))
        parts = dict(self._parts(chart.directory, wanted, outer)) if len(outer) < MAX_DEPTH else {}
        done: list[Dependency] = []
        missing: list[str] = []
        for item in wanted:
            name = item.text("name") or ""
            if name in parts:
                done.append(self._dependency(chart, item, parts[name], outer))
            else:
                missing.append(name)
        listed = {item.text("name") for item in wanted}
        for name in (one for one in parts if one not in listed):
            key = _made(name, Span(posixpath.join(parts[name], CHART_FILE), 0, 0))
            done.append(Dependency(key, self._chart(parts[name], key, chart.inside, outer)))
        return replace(chart, dependencies=tuple(done), missing=tuple(missing))

    def _parts(
        self, directory: str, wanted: Iterable[Table], outer: tuple[str, ...]
    ) -> Iterator[tuple[str, str]]:
        """Name and directory of the charts in a chart: those it names by path, those it holds."""
        for item in wanted:
            there = self._beside(directory, item)
            if posixpath.join(there, CHART_FILE) in self._names and there not in outer:
                yield item.text("name") or "", there
        start = posixpath.join(directory, "charts") + "/"
        for path in self._files.names:
            inside = path[len(start) :].split("/") if path.startswith(start) else ()
            if len(inside) == 2 and inside[1] == CHART_FILE:
                name = self.table(path).text("name")
                yield name or inside[0], start + inside[0]

    def _beside(self, directory: str, item: Table) -> str:
        """The directory of a chart that another takes in by its path, or from beside it.

        A library of the wanted version that stands beside a chart is what it will be given.
        """
        repository = item.text("repository") or ""
        if repository.startswith("file://"):
            return posixpath.normpath(posixpath.join(directory, repository[7:]))
        there = posixpath.join(posixpath.dirname(directory), item.text("name") or "?")
        meta = self.table(posixpath.join(there, CHART_FILE))
        found = version(meta.text("version") or "")
        is_library = meta.text("type") == "library" and meta.text("name") == item.text("name")
        is_fit = found is not None and satisfies(found, item.text("version") or "*")
        return there if is_library and is_fit else "?"

    def _dependency(
        self, chart: Chart, item: Table, part: str, outer: tuple[str, ...]
    ) -> Dependency:
        alias = item.get("alias") if item.text("alias") else item.get("name")
        key = alias if isinstance(alias, Leaf) else _made(part, Span(part, 0, 0))
        conditions = (item.text("condition") or "").split(",")
        return Dependency(
            key=key,
            chart=self._chart(part, key, chart.inside, outer),
            conditions=tuple(path.strip() for path in conditions if path.strip()),
            tags=tuple(tag.text for tag in _listed(item, "tags") if isinstance(tag, Leaf)),
            imports=tuple(_imports(item)),
        )


def _is_rendered(path: str) -> bool:
    name = path.rpartition("/")[2]
    return not name.startswith("_") and name != _NOTES


def _imports(dependency: Table) -> Iterator[tuple[str, tuple[Leaf, ...]]]:
    for item in _listed(dependency, "import-values"):
        if isinstance(item, Leaf):
            yield f"exports.{item.text}", ()
        elif isinstance(item, Table):
            child, parent = item.text("child"), item.get("parent")
            if child and isinstance(parent, Leaf):
                yield child, tuple(_keys(parent.source))


def _keys(path: Source) -> Iterator[Leaf]:
    """The keys of a path with dots, each where it stands."""
    at = 0
    for key in path.text.split("."):
        if key:
            yield Leaf(path.slice(at, at + len(key), "text"))
        at += len(key) + 1


def _items(table: Table, key: str) -> tuple[Table, ...]:
    return tuple(item for item in _listed(table, key) if isinstance(item, Table))


def _listed(table: Table, key: str) -> tuple[Data, ...]:
    found = table.get(key)
    return found if isinstance(found, tuple) else ()


def _made(text: str, span: Span) -> Leaf:
    """A key that no file holds as it is."""
    weaver = Weaver(span.path)
    weaver.write(text, span)
    return Leaf(weaver.source("text", Route(span.path)))
