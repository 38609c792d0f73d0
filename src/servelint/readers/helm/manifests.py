"""Charts that YAML files install: Argo CD, Flux, helmfile, kustomize."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass

from servelint.readers.helm.layers import Setting
from servelint.readers.helm.release import Release
from servelint.readers.helm.settings import path_of, value_of
from servelint.source import Route, Source
from servelint.syntax.yaml import YamlProblem
from servelint.syntax.yaml_data import Leaf, Table, load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from servelint.readers.helm.layers import Layer
    from servelint.syntax.yaml_data import Data
    from servelint.unit import Files

MAX_SIZE = 1_000_000
"""Characters of a manifest that installs charts; longer ones are not looked at."""

_YAML = re.compile(r".*\.ya?ml(\.gotmpl)?", re.I)
_WORDS = ("HelmRelease", "Application", "releases:", "helmCharts:")
_KINDS = re.compile(r"^kind:\s*[\"']?(?:Application(?:Set)?|HelmRelease)\b", re.M)
_KEYS = re.compile(r"^(?:releases|helmCharts):", re.M)
_TRUE = "true"


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """Where a manifest stands, and what is there for it to name."""

    path: str
    charts: Container[str]
    names: Container[str]

    @property
    def directory(self) -> str:
        return posixpath.dirname(self.path)

    def below(self, directory: str, written: str) -> str | None:
        """The file at a path from a directory; from the root with a slash in front."""
        start = "" if written.startswith("/") else directory
        path = posixpath.normpath(posixpath.join(start, written.lstrip("/")))
        return path if path in self.names else None


def releases(files: Files, charts: Container[str]) -> Iterator[Release]:
    """The charts of the repository that its YAML files install, with what they give them."""
    names = frozenset(files.names)
    for path in files.names:
        if not _YAML.fullmatch(path) or "/templates/" in path:
            continue
        text = files.text(path)
        if text is None or len(text) > MAX_SIZE:
            continue
        if not any(word in text for word in _WORDS):
            continue  # the patterns below are slow on large texts
        if not _KINDS.search(text) and not _KEYS.search(text):
            continue
        place = _Place(path, charts, names)
        for document in _documents(path, text):
            yield from _of_document(document, place)


def _documents(path: str, text: str) -> Iterator[Table]:
    try:
        found = load(Source(path, text, "yaml", Route(path)))
    except YamlProblem:
        return  # whoever reads the file says so
    yield from (data for data in found if isinstance(data, Table))


def _of_document(document: Table, place: _Place) -> Iterator[Release]:
    kind = document.text("kind")
    if kind == "Application":
        yield from _argo(_table(document.get("spec")), place)
    elif kind == "ApplicationSet":
        yield from _argo(_table(document.get("spec", "template", "spec")), place)
    elif kind == "HelmRelease":
        yield from _flux(document, place)
    else:
        yield from _helmfile(document, place)
        yield from _kustomize(document, place)


# -- Argo CD ----------------------------------------------------------------------------------


def _argo(spec: Table, place: _Place) -> Iterator[Release]:
    """One chart or several; files of another source stand behind the name of that source."""
    sources = (*_tables(spec.get("source")), *_tables(spec.get("sources")))
    roots = {f"${name}" for source in sources if (name := source.text("ref"))}
    for source in sources:
        path = source.text("path")
        chart = _chart("", path, place) if path else None
        if chart is None:
            continue
        helm = _table(source.get("helm"))
        yield Release(
            chart=chart,
            path=place.path,
            layers=(*_argo_files(helm, chart, roots, place), *_argo_values(helm)),
        )


def _argo_files(helm: Table, chart: str, roots: set[str], place: _Place) -> Iterator[str]:
    for written in _texts(helm.get("valueFiles")):
        first, _, rest = written.partition("/")
        found = place.below("", rest) if first in roots else place.below(chart, written)
        if found is not None:
            yield found


def _argo_values(helm: Table) -> Iterator[Layer]:
    values = helm.get("valuesObject")
    if isinstance(values, Table):
        yield values
    elif isinstance(block := helm.get("values"), Leaf):
        yield from _embedded(block)
    for item in _tables(helm.get("parameters")):
        yield from _parameter(item, strings=item.text("forceString") == _TRUE)


def _embedded(block: Leaf) -> Iterator[Table]:
    try:
        found = load(block.source)
    except YamlProblem:
        return  # an expression of the manifest stands in it
    yield from (data for data in found[:1] if isinstance(data, Table))


def _parameter(item: Table, *, strings: bool = False) -> Iterator[Setting]:
    name, value = item.get("name"), item.get("value")
    if isinstance(name, Leaf) and isinstance(value, Leaf) and (path := path_of(name.source)):
        yield Setting(path, value_of(value.source, strings=strings))


# -- Flux -------------------------------------------------------------------------------------


def _flux(document: Table, place: _Place) -> Iterator[Release]:
    """The chart and its files are named from the root of the repository."""
    spec = _table(document.get("spec"))
    written = spec.text("chart", "spec", "chart")
    chart = _chart("", written, place) if written else None
    if chart is None:
        return
    listed = _texts(spec.get("chart", "spec", "valuesFiles"))
    found = (place.below("", name) or place.below(chart, name) for name in listed)
    yield Release(
        chart=chart,
        path=place.path,
        layers=(*(name for name in found if name), *_tables(spec.get("values"))),
    )


# -- helmfile, kustomize ----------------------------------------------------------------------


def _helmfile(document: Table, place: _Place) -> Iterator[Release]:
    for item in _tables(document.get("releases")):
        written = item.text("chart")
        chart = _chart(place.directory, written, place) if written else None
        if chart is None:
            continue
        yield Release(
            chart=chart,
            path=place.path,
            layers=(*_mixed(item.get("values"), place), *_set(item.get("set"))),
        )


def _mixed(data: Data | None, place: _Place) -> Iterator[str | Layer]:
    """Paths of values files, and values, in any order."""
    for item in data if isinstance(data, tuple) else ():
        if isinstance(item, Table):
            yield item
        elif isinstance(item, Leaf) and (path := place.below(place.directory, item.text)):
            yield path


def _set(data: Data | None) -> Iterator[Setting]:
    for item in _tables(data):
        yield from _parameter(item)


def _kustomize(document: Table, place: _Place) -> Iterator[Release]:
    home = document.text("helmGlobals", "chartHome") or "charts"
    for item in _tables(document.get("helmCharts")):
        name = item.text("name")
        chart = _chart(posixpath.join(place.directory, home), name, place) if name else None
        if chart is None:
            continue
        listed = (*_texts(item.get("valuesFile")), *_texts(item.get("additionalValuesFiles")))
        found = (place.below(place.directory, path) for path in listed)
        yield Release(
            chart=chart,
            path=place.path,
            layers=(*(path for path in found if path), *_tables(item.get("valuesInline"))),
        )


# -- data -------------------------------------------------------------------------------------


def _chart(directory: str, written: str, place: _Place) -> str | None:
    path = posixpath.normpath(posixpath.join(directory, written))
    path = "" if path == "." else path
    return path if path in place.charts else None


def _table(data: Data | None) -> Table:
    return data if isinstance(data, Table) else Table({})


def _tables(data: Data | None) -> tuple[Table, ...]:
    """A mapping, or the mappings of a list."""
    items: Iterable[Data] = data if isinstance(data, tuple) else (data,) if data is not None else ()
    return tuple(item for item in items if isinstance(item, Table))


def _texts(data: Data | None) -> tuple[str, ...]:
    """A text, or the texts of a list."""
    items: Iterable[Data] = data if isinstance(data, tuple) else (data,) if data is not None else ()
    return tuple(item.text for item in items if isinstance(item, Leaf) and not item.is_null)
