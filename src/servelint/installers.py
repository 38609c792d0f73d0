"""Commands that deploy units with values and files of their own, in files that name no product.

``helm upgrade x ./chart --set image.tag=v1`` needs no word of a product, and says what runs.
"""

from __future__ import annotations

import re

from servelint.discover import discover
from servelint.facts import Launch
from servelint.read_many import read_files
from servelint.readers import claim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

_CHART = re.compile(r"(?:.*/)?Chart\.yaml")
_COMPOSE = re.compile(r"(?:.*/)?[^/]*compose[^/]*\.ya?ml", re.IGNORECASE)

_CHART_MARKS = (b"helm install", b"helm upgrade", b"helm template")
_COMPOSE_MARKS = (b"docker compose", b"docker-compose", b"podman compose", b"podman-compose")
"""What a command begins with that deploys a unit."""

_LANGUAGES = ("shell", "shebang", "makefile", "justfile", "yaml")

MAX_FILES = 500
"""Files that are read for such commands; those that come first by name."""


def deploying(
    root: str, names: Collection[str], relevant: Iterable[str], known: Iterable[Launch]
) -> tuple[Launch, ...]:
    """The commands known, and those of other files that may deploy a unit of the root.

    Files are searched again only where a chart holds something relevant, or for a compose file.
    """
    before = tuple(known)
    paths = frozenset(relevant)
    found = set(_about_charts(root, _relevant_charts(names, paths)))
    if any(map(_COMPOSE.fullmatch, paths)):
        found.update(discover(root, (), _COMPOSE_MARKS).paths)
    read = {launch.span.path for launch in before}
    mine = [path for path in sorted(found) if path not in read and claim(path) in _LANGUAGES]
    readings = read_files(root, dict.fromkeys(mine[:MAX_FILES], ""))
    every = (fact for reading in readings.values() for fact in reading.facts)
    return (*before, *(fact for fact in every if isinstance(fact, Launch)))


def _about_charts(root: str, charts: Sequence[str]) -> Iterator[str]:
    """Files with a command that deploys a chart, and the name of one, or inside of one.

    The scripts that install all that a cluster needs are many, long, and about other charts.
    """
    if not charts:
        return
    found = discover(root, (), _CHART_MARKS).paths
    names = sorted({directory.rstrip("/").rpartition("/")[2] for directory in charts})
    named = discover(root, (), tuple(name.encode() for name in names)).paths if all(names) else ()
    for path in found:
        if not all(names) or path in named or path.startswith(tuple(charts)):
            yield path


def _relevant_charts(names: Iterable[str], paths: Collection[str]) -> list[str]:
    """The directories, with a slash, of the charts that hold a relevant file."""
    directories = [name.removesuffix("Chart.yaml") for name in names if _CHART.fullmatch(name)]
    return [one for one in directories if any(path.startswith(one) for path in paths)]
