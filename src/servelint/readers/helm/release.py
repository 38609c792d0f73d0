"""An installation of a chart that something in the repository names."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

    from servelint.readers.helm.layers import Layer

_UNKNOWN_START = re.compile(r"\A[^/]*[$\ue000{][^/]*/")
"""The first step of a path when a variable or an expression stands in it."""

_OPEN = re.compile(r"[$\ue000]|\{\{")


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """A chart by its directory, and the values that are given with it, in order.

    A text is the path of a values file. ``path`` is the file that says so.
    """

    chart: str
    path: str
    layers: tuple[str | Layer, ...]

    @property
    def files(self) -> tuple[str, ...]:
        """The values files, in order."""
        return tuple(layer for layer in self.layers if isinstance(layer, str))


def located(written: str, directory: str, there: Container[str]) -> str | None:
    """The file or directory that a path means, of those that are there; None when there is none.

    A command is started from the directory of its script or from one above it. What stands before
    the known part of a path is mostly one of these.
    """
    wanted = _UNKNOWN_START.sub("", written.removeprefix("./"))
    if not wanted or _OPEN.search(wanted) or wanted.startswith(("/", "~")) or "://" in wanted:
        return None
    while True:
        path = posixpath.normpath(posixpath.join(directory, wanted))
        path = "" if path == "." else path
        if not path.startswith("../") and path in there:
            return path
        if not directory:
            return None
        directory = posixpath.dirname(directory)
