"""Which files of an image tell something about the engine, by their paths alone.

Paths are those of tar: without a slash in front.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.api import Inside

SMALL = 262_144
"""Bytes of a file of an installer."""

LARGE = 8_000_000
"""Bytes of a source file."""

_CACHES = (".cache/", "/pkgs/", "/archive-v0/")
"""Where installers keep copies that nobody runs."""

_WORDS = re.compile(r"[-_.]+")


@dataclass(frozen=True, slots=True)
class Wanted:
    """The patterns of one engine. ``words``: no path without one of them is wanted."""

    inside: Inside
    words: tuple[str, ...]
    names: frozenset[str]
    files: re.Pattern[str]
    markers: dict[str, tuple[tuple[int, bytes], ...]]

    def inner(self, path: str) -> str:
        """What a wanted path is: a path below the module, a file of an installer, or empty."""
        match = self.files.fullmatch(path)
        if match is None or any(cache in path for cache in _CACHES):
            return ""
        if match["module"]:
            return match["module"]
        if match["title"]:
            name = normal(match["title"].partition("-")[0])
            return match["dist"] if name in self.names else ""
        return "link" if self.is_near(path.rpartition("/")[2]) else ""

    def limit(self, inner: str) -> int:
        """How many bytes of a wanted file are read at most; none where its name says all."""
        if inner in self.markers:
            return LARGE
        return 0 if inner in ("METADATA", "__init__.py") else SMALL

    def is_near(self, path: str) -> bool:
        """True for a path that can matter at all."""
        return any(word in path for word in self.words)


def wanted_of(inside: Inside) -> Wanted:
    """The patterns of an engine."""
    markers: dict[str, list[tuple[int, bytes]]] = {}
    for marker in inside.markers:
        markers.setdefault(marker.path, []).append((marker.pull, marker.text.encode()))
    own = "|".join(re.escape(path) for path in (*markers, *inside.version_files, "__init__.py"))
    files = re.compile(
        rf"(?:.*/)?{re.escape(inside.module)}/(?P<module>{own})"
        r"|(?:.*/)?(?P<title>[^/]+)\.(?:dist|egg)-info/(?P<dist>METADATA|direct_url\.json|PKG-INFO)"
        r"|(?:.*/)?(?:[^/]+\.pth|[^/]+\.egg-link|__editable__[^/]+\.py)",
        re.ASCII,
    )
    names = {inside.module, *(_WORDS.sub("_", name) for name in (*inside.packages, *inside.forks))}
    words = tuple(one for one in sorted(names) if not any(o in one for o in names - {one}))
    own_names = frozenset((*inside.packages, *inside.forks))
    return Wanted(
        inside, words, own_names, files, {path: tuple(rows) for path, rows in markers.items()}
    )


def normal(name: str) -> str:
    """The name of a distribution in its normal form."""
    return _WORDS.sub("-", name).lower()
