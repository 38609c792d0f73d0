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
    from collections.abc import Collection, Iterable

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
    marks: tuple[bytes, ...] = ()
    if _has_relevant_chart(names, paths):
        marks += _CHART_MARKS
    if any(map(_COMPOSE.fullmatch, paths)):
        marks += _COMPOSE_MARKS
    if not marks:
        return before
    read = {launch.span.path for launch in before}
    found = discover(root, (), marks).paths
    mine = [path for path in found if path not in read and claim(path) in _LANGUAGES]
    readings = read_files(root, dict.fromkeys(mine[:MAX_FILES], ""))
    every = (fact for reading in readings.values() for fact in reading.facts)
    return (*before, *(fact for fact in every if isinstance(fact, Launch)))


def _has_relevant_chart(names: Iterable[str], paths: Collection[str]) -> bool:
    directories = [name.removesuffix("Chart.yaml") for name in names if _CHART.fullmatch(name)]
    return any(path.startswith(directory) for path in paths for directory in directories)
