"""Where charts are among the files of a root, and which files belong to each."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

CHART_FILE = "Chart.yaml"
VALUES_FILE = "values.yaml"
PARTS = ("templates", "crds", "charts")
"""Directories of a chart in which no values files are."""

VALUES_DIRS = ("ci", "values", "environments")
"""Directories in or beside a chart whose YAML files are mostly values."""

_TEMPLATES = (".yaml", ".yml", ".json", ".tpl", ".txt")
_OWN_FILES = (CHART_FILE, "requirements.yaml")
_VALUES_NAME = re.compile(r"(?:.*[-_.])?values(?:[-_.].*)?\.ya?ml", re.I)
_YAML_NAME = re.compile(r".*\.ya?ml", re.I)
_MANIFEST = re.compile(r"^apiVersion:", re.M)


@dataclass(frozen=True, slots=True)
class Layout:
    """A chart that is part of no other. ``directory`` is empty for the root itself.

    ``names`` are all files below it, ``around`` those of the directory that holds it, when no
    other chart shares that.
    """

    directory: str
    names: tuple[str, ...]
    around: tuple[str, ...]

    @property
    def prefix(self) -> str:
        """What the paths of its files begin with."""
        return f"{self.directory}/" if self.directory else ""

    def values_files(self, text: Callable[[str], str | None]) -> Iterator[str]:
        """The values files that are told by their names, the one of the chart itself left out."""
        for name in self.names:
            inside = name[len(self.prefix) :]
            is_part = inside.partition("/")[0] in PARTS
            if inside != VALUES_FILE and not is_part and _is_values(inside, name, text):
                yield name
        outer = len(_directory(self.directory)) + 1 if "/" in self.directory else 0
        for name in self.around:
            if _is_values(name[outer:], name, text):
                yield name

    def own_files(self) -> Iterator[str]:
        """The files that only a chart can give sense to, also of the charts in it."""
        charts = {_directory(name) for name in self.names if _base(name) == CHART_FILE}
        for name in self.names:
            chart = next((one for one in _above(name) if one in charts), None)
            if chart is None:
                continue
            inside = name[len(chart) + 1 if chart else 0 :]
            is_part = inside.startswith(("templates/", "crds/")) and name.endswith(_TEMPLATES)
            if is_part or inside in (*_OWN_FILES, VALUES_FILE):
                yield name


def _is_values(inside: str, name: str, text: Callable[[str], str | None]) -> bool:
    """True for a file that is named, or put, as values are. ``inside`` is its path from there."""
    directory, _, own = inside.rpartition("/")
    if not _YAML_NAME.fullmatch(own) or own in _OWN_FILES:
        return False
    top = directory.partition("/")[0]
    if top not in ("", *VALUES_DIRS) or (top in ("ci", "values") and "/" in directory):
        return False
    if _VALUES_NAME.fullmatch(own):
        return True
    if top in ("", "ci"):
        return False
    written = text(name)
    return written is not None and not _MANIFEST.search(written)


def layouts(names: Iterable[str]) -> tuple[Layout, ...]:
    """All charts that are part of no other, in the order of their paths."""
    every = tuple(names)
    directories = {_directory(name) for name in every if _base(name) == CHART_FILE}
    tops = {one for one in directories if not _is_inside(one, directories)}
    if not tops:
        return ()
    below: dict[str, list[str]] = defaultdict(list)
    beside: dict[str, list[str]] = defaultdict(list)
    parents = Counter(map(_directory, (top for top in tops if top)))
    for name in every:
        chain = tuple(_above(name))
        top = next((one for one in chain if one in tops), None)
        if top is not None:
            below[top].append(name)
        elif (holder := _holder(name, chain, parents)) is not None:
            beside[holder].append(name)
    return tuple(
        Layout(top, tuple(below[top]), tuple(beside[_directory(top)]) if top else ())
        for top in sorted(tops)
    )


def _holder(name: str, chain: tuple[str, ...], parents: Counter[str]) -> str | None:
    """The directory with a single chart that a file stands in, or in a values directory of it."""
    for directory in chain:
        if parents[directory] == 1:
            inside = name[len(directory) + 1 if directory else 0 :]
            first, slash, _ = inside.partition("/")
            return directory if not slash or first in VALUES_DIRS else None
    return None


def _is_inside(directory: str, charts: set[str]) -> bool:
    """True for a chart in the ``charts`` directory of another."""
    parts = directory.split("/")
    return any(part == "charts" and "/".join(parts[:at]) in charts for at, part in enumerate(parts))


def _above(name: str) -> Iterator[str]:
    """The directories that a file stands in, the nearest first, the root last."""
    directory = name
    while directory:
        directory = _directory(directory)
        yield directory


def _directory(name: str) -> str:
    return name.rpartition("/")[0]


def _base(name: str) -> str:
    return name.rpartition("/")[2]
