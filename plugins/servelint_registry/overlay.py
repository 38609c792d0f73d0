"""The files of an image that matter, put together from its layers, the uppermost first.

What an upper layer has or has removed hides what lies below.
"""

from __future__ import annotations

import posixpath
import tarfile
from dataclasses import dataclass, field

from servelint_registry.errors import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from servelint_registry.stream import Forward
    from servelint_registry.wanted import Wanted

WHITEOUT = ".wh."
OPAQUE = ".wh..wh..opq"

MAX_ENTRIES = 3_000_000
"""Entries of a layer."""

MAX_GONE = 1_000_000
"""Names of all layers that hide what lies below them."""

MAX_LINKS = 200_000
"""Links of all layers that are followed."""

MAX_FILES = 400
"""Files that matter, of all layers."""

WHOLE_TREE = 400
"""A layer with so many files of a module holds all of it."""


@dataclass(frozen=True, slots=True)
class Found:
    """A file that matters. ``data`` is None when it could not be read.

    ``pulls`` are the pull requests whose text it holds. Layers are counted from 1, the lowest.
    """

    inner: str
    layer: int
    data: bytes | None
    pulls: frozenset[int] = frozenset()


@dataclass(slots=True)
class Overlay:
    """What is known of an image so far. It grows layer by layer."""

    wanted: Wanted
    files: dict[str, Found] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    whole: set[str] = field(default_factory=set)
    _gone: set[str] = field(default_factory=set)
    _emptied: set[str] = field(default_factory=set)
    _number: int = 0
    _last: str = ""
    _is_sorted: bool = True

    def read_layer(self, stream: Forward, number: int, is_enough: Callable[[], bool]) -> bool:
        """Take in a layer. True when it was left early because all is known that is asked."""
        gone: set[str] = set()
        emptied: set[str] = set()
        self.counts.clear()
        self._number, self._last, self._is_sorted = number, "", True
        for member, path in entries(stream):
            folder, _, base = path.rpartition("/")
            if base.startswith(WHITEOUT):
                _note(folder, base, gone, emptied)
                continue
            self._pass(path)
            if member.issym() and ".so" not in base and not self.wanted.inner(path):
                if self._is_new(path, number) and len(self.links) < MAX_LINKS:
                    self.links[path] = posixpath.normpath(f"/{folder}/{member.linkname}")
                    if member.linkname.startswith("/"):
                        self.links[path] = posixpath.normpath(member.linkname)
                gone.add(path)
            elif self.wanted.is_near(path) and not member.isdir():
                self._count(path)
                if self._take(member, path, stream, number) and is_enough():
                    return True
            if len(gone) + len(self._gone) > MAX_GONE:
                raise Problem("has layers that remove too many names")
        self._gone |= gone
        self._emptied |= emptied
        self.whole |= {root for root, count in self.counts.items() if count >= WHOLE_TREE}
        return False

    def is_complete(self, directory: str, layer: int) -> bool:
        """True when all of a directory in a layer was seen, although the layer may go on."""
        return layer > self._number or (
            self._is_sorted and self._last > f"{_key(directory)}{_AFTER}"
        )

    def is_covered(self) -> bool:
        """True when nothing of the layers below can be seen."""
        return "" in self._emptied

    def _is_new(self, path: str, number: int) -> bool:
        """True for what no upper layer has or hides. In one layer, the last of a name counts."""
        above = self.files.get(path)
        if above is not None and above.layer != number:
            return False
        return path not in self.links and not self._hidden(path)

    def _hidden(self, path: str) -> bool:
        if path in self._gone:
            return True
        while path:
            path = path.rpartition("/")[0]
            if path in self._gone or path in self._emptied:
                return True
        return False

    def _pass(self, path: str) -> None:
        key = _key(path)
        self._is_sorted = self._is_sorted and key >= self._last
        self._last = key

    def _count(self, path: str) -> None:
        module = self.wanted.inside.module
        root, found, _ = f"/{path}".rpartition(f"/{module}/")
        if found:
            root = f"{root}/{module}".lstrip("/")
            self.counts[root] = self.counts.get(root, 0) + 1

    def _take(self, member: tarfile.TarInfo, path: str, stream: Forward, number: int) -> bool:
        """Keep a file that matters. True when something was learnt."""
        inner = self.wanted.inner(path)
        if not inner or not self._is_new(path, number):
            return False
        if len(self.files) >= MAX_FILES:
            raise Problem("has more copies of the engine than can be told apart")
        self.files[path] = self._found(member, inner, stream, number)
        return True

    def _found(self, member: tarfile.TarInfo, inner: str, stream: Forward, number: int) -> Found:
        if member.islnk():
            same = self.files.get(clean(member.linkname))
            known = same is not None and same.inner == inner and same.layer == number
            return same if same is not None and known else Found(inner, number, None)
        limit = self.wanted.limit(inner)
        if not member.isreg() or member.issparse() or (limit and member.size > limit):
            return Found(inner, number, None)
        data = stream.read(member.size) if limit else b""
        if len(data) < member.size and limit:
            raise Problem("sent a layer that ends in the middle of a file")
        rows = self.wanted.markers.get(inner)
        if rows is None:
            return Found(inner, number, data)
        return Found(inner, number, b"", frozenset(pull for pull, text in rows if text in data))


def entries(stream: Forward) -> Iterator[tuple[tarfile.TarInfo, str]]:
    """The members of a tar archive with their clean paths. Raises :class:`Problem`."""
    try:
        archive = tarfile.TarFile(fileobj=stream, mode="r", errors="surrogateescape")  # type: ignore[arg-type]
        for _ in range(MAX_ENTRIES):
            member = archive.next()
            if member is None:
                return
            archive.members = []  # type: ignore[attr-defined]  # It would keep millions.
            path = clean(member.name)
            if path:
                yield member, path
    except (tarfile.TarError, ValueError, OverflowError, RecursionError):
        raise Problem("sent a layer that is no tar archive") from None
    raise Problem(f"has a layer of more than {MAX_ENTRIES:,} files")


def clean(name: str) -> str:
    """A path as all layers write it; empty for one that leaves the image."""
    path = name.removeprefix("./").strip("/")
    if "//" in path or "/./" in path or path in (".", ".."):
        path = posixpath.normpath(path).lstrip("/")
    return "" if path == "." or "/../" in f"/{path}/" else path


def _key(path: str) -> str:
    """Sorts paths as a walk through sorted directories meets them."""
    return path.replace("/", "\1")


_AFTER = "\2"
"""Sorts behind all that lies in a directory, and before its neighbours."""


def _note(folder: str, base: str, gone: set[str], emptied: set[str]) -> None:
    if base == OPAQUE:
        emptied.add(folder)
    else:
        name = base.removeprefix(WHITEOUT)
        gone.add(f"{folder}/{name}" if folder else name)
