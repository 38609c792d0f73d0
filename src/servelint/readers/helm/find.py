"""The charts of a root that hold, or are given, something relevant."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from functools import lru_cache

from servelint.readers.helm import commands, manifests
from servelint.readers.helm.layout import CHART_FILE, layouts
from servelint.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from servelint.readers.helm.layout import Layout
    from servelint.readers.helm.release import Release
    from servelint.unit import Files

KIND = "helm"

ROOT = "."
"""What a chart in the root itself is called."""

_PARTS = (".yaml", ".yml", ".tpl", ".gotmpl")
"""How the names of files end that are part of a chart or that install one."""

_BESIDE = re.compile(r"^[ \t-]*repository:[ \t]*[\"']?file://([^\"'\s]+)", re.M)


def units(files: Files) -> Iterator[Unit]:
    """Every chart of which a file is relevant, or one that something installs it with."""
    found = charts(files) if _may_have(files) else ()
    if not found:
        return
    told = releases(files)
    relevant = {
        one.directory for one in found if _is_relevant(one, files, told.get(one.directory, ()))
    }
    uses = {one.directory: tuple(_beside(one, files)) for one in found}
    for layout in found:
        if relevant.intersection(_reached(layout.directory, uses)):
            every = files_of(layout, files, told.get(layout.directory, ()))
            yield Unit(KIND, layout.directory or ROOT, tuple(sorted(every)))


def _may_have(files: Files) -> bool:
    """True when a relevant file can be part of a chart, or can install one."""
    return any(
        path.endswith(_PARTS) or "/templates/" in f"/{path}" for path in files.relevant
    ) or any(launch.span.path in files.relevant for launch in files.launches)


def files_of(layout: Layout, files: Files, told: Sequence[Release]) -> frozenset[str]:
    """The files of a chart, and the values files that it is installed with."""
    named = (path for release in told for path in release.files)
    return frozenset((*layout.own_files(), *layout.values_files(files.text), *named))


@lru_cache(maxsize=1)
def charts(files: Files) -> tuple[Layout, ...]:
    """The charts of a root that are part of no other."""
    return layouts(files.names)


@lru_cache(maxsize=1)
def releases(files: Files) -> Mapping[str, Sequence[Release]]:
    """The releases of each chart, by its directory. The files of a root are asked once."""
    directories = frozenset(layout.directory for layout in charts(files))
    found: dict[str, list[Release]] = defaultdict(list)
    for read in (commands.releases, manifests.releases):
        for release in read(files, directories):
            found[release.chart].append(release)
    return dict(found)


def _is_relevant(layout: Layout, files: Files, told: Sequence[Release]) -> bool:
    givers = {release.path for release in told if len(release.files) < len(release.layers)}
    return not files.relevant.isdisjoint(files_of(layout, files, told) | givers)


def _beside(layout: Layout, files: Files) -> Iterator[str]:
    """The directories of the charts that a chart takes in by their path."""
    text = files.text(layout.prefix + CHART_FILE)
    for match in _BESIDE.finditer(text or ""):
        yield posixpath.normpath(posixpath.join(layout.directory, match[1]))


def _reached(start: str, uses: Mapping[str, Sequence[str]]) -> set[str]:
    seen, todo = {start}, [start]
    while todo:
        for other in uses.get(todo.pop(), ()):
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return seen
