"""Which files are relevant: fast by not looking.

Inside git one ``git grep`` finds the files that hold a needle of a plugin;
outside, the same test runs here. A name that a reader claims *and* a needle
make a file relevant. What git lists but does not search (links, files that
are tracked although ignored) and what was named is searched here, too.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass

from servelint.config import find_root
from servelint.finding import Skip
from servelint.readers import FIRST_LINE, UNREAD, claim, claim_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from io import BufferedReader

MAX_BYTES = 5_000_000
"""A relevant file above this is skipped as ``too-large``."""

_BLOCK = 1 << 20
_FEW = 1 << 16


@dataclass(frozen=True, slots=True)
class Discovery:
    """Relevant paths, relative to the root and sorted; how many were listed; what was left out.

    ``names`` are all that were listed, in no order; none where nothing is relevant.
    """

    paths: tuple[str, ...]
    listed: int
    skips: tuple[Skip, ...]
    names: Collection[str] = ()


def discover(root: str, named: Sequence[str], needles: Sequence[bytes]) -> Discovery:
    """Find the relevant files below ``root``.

    ``named`` are files or directories that were asked for: they count even
    when git ignores them. Where git cannot answer, all files are searched, and
    a skip says so.
    """
    top = find_root(root)
    if not os.path.exists(os.path.join(top, ".git")):
        return _by_walk(root, needles)
    from servelint import git  # noqa: PLC0415  # outside git nothing starts a process

    try:
        if top != os.path.realpath(root) and not git.files(root):
            return _by_walk(root, needles)  # a directory that the repository ignores
        return _by_git(root, [name for name in named if name != "."], needles)
    except git.GitError as error:
        detail = f"git cannot be used ({error}): all files were searched, ignored ones too"
        return _by_walk(root, needles, Skip(".", "discover", "unreadable", detail))


def _by_git(root: str, named: Sequence[str], needles: Sequence[bytes]) -> Discovery:
    from servelint import git  # noqa: PLC0415

    hits, complaints = git.grep(root, needles, UNREAD)
    forced = git.forced(root)
    if not (hits or forced or named or complaints):
        return Discovery((), 0, ())
    listed = git.files(root)
    extra = [path for path in _named_files(root, named, listed) if path not in listed]
    by_hand = dict.fromkeys((*extra, *_unsearched(root, listed, frozenset(forced))))
    found, skips = _search(root, by_hand, listed, needles)
    found.update(path for path in hits if _is_taken(root, path))
    skips.extend(skip for skip in complaints if _matters(root, skip.path))
    names = listed.union(extra)
    return Discovery(tuple(sorted(found)), len(names), tuple(skips), names)


def _by_walk(root: str, needles: Sequence[bytes], *why: Skip) -> Discovery:
    paths, unread = _walk(root)
    found, skips = _search(root, paths, frozenset(paths), needles)
    return Discovery(tuple(sorted(found)), len(paths), (*why, *unread, *skips), paths)


# -- listing ------------------------------------------------------------------


def _named_files(root: str, named: Iterable[str], listed: Collection[str]) -> Iterator[str]:
    """The files named, and all files of a named directory of which git lists nothing."""
    for name in named:
        if not os.path.isdir(os.path.join(root, name)):
            yield name
        elif _is_dir(root, name) and not any(path.startswith(f"{name}/") for path in listed):
            yield from _walk(root, name)[0]


def _unsearched(root: str, listed: Iterable[str], forced: Collection[str]) -> Iterator[str]:
    """What git lists and does not search: links, special files, files it was forced to track."""
    for path in listed:
        language = claim(path)
        if language and (language != "shebang" or path in forced):
            try:
                mode = os.lstat(os.path.join(root, path)).st_mode
            except OSError:
                continue  # deleted in the work tree: nothing there would run
            # A directory is a submodule, or stands where a tracked file was.
            if path in forced or not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
                yield path


def _walk(root: str, start: str = "") -> tuple[list[str], list[Skip]]:
    paths: list[str] = []
    skips: list[Skip] = []
    todo = [start]
    while todo:
        directory = todo.pop()
        prefix = f"{directory}/" if directory else ""
        try:
            with os.scandir(os.path.join(root, directory)) as entries:
                for entry in entries:
                    if not entry.is_dir(follow_symlinks=False):
                        paths.append(prefix + entry.name)
                    elif entry.name != ".git":
                        todo.append(prefix + entry.name)
        except OSError as error:
            skips.append(_unreadable(directory or ".", error))
    return paths, skips


def _matters(root: str, path: str) -> bool:
    """True when something that cannot be opened may hold what a reader takes."""
    return claim(path) not in ("", "shebang") or _is_dir(root, path)


def _is_dir(root: str, path: str) -> bool:
    full = os.path.join(root, path)
    return os.path.isdir(full) and not os.path.islink(full)


# -- searching ----------------------------------------------------------------


def _search(
    root: str, paths: Iterable[str], listed: Collection[str], needles: Sequence[bytes]
) -> tuple[set[str], list[Skip]]:
    """The relevant files among ``paths``, and the claimed ones that cannot be searched."""
    found: set[str] = set()
    skips: list[Skip] = []
    for path in paths:
        language = claim(path)
        verdict = _test(root, path, listed, needles) if language else False
        if not isinstance(verdict, Skip):
            found.update((path,) if verdict else ())
        elif language != "shebang":
            skips.append(verdict)
    return found, skips


def _test(root: str, path: str, listed: Collection[str], needles: Sequence[bytes]) -> bool | Skip:
    """Whether a reader takes a file and it holds a needle, or why that cannot be told."""
    full = os.path.join(root, path)
    language = claim(path)
    if os.path.islink(full):
        full = _real(root, path)
        if not full:
            return _outside(path)
        if not os.path.exists(full):
            return Skip(path, "discover", "unreadable", "a symbolic link that leads nowhere")
        target = os.path.relpath(full, os.path.realpath(root)).replace(os.sep, "/")
        if language == "shebang" or (target in listed and claim(target) == language):
            return False  # it is read where it stands
    try:
        with _open(full) as file:
            return (language != "shebang" or _is_script(file)) and _holds(file, needles)
    except OSError as error:
        return _unreadable(path, error)


def _is_taken(root: str, path: str) -> bool:
    """True when a reader takes a file that holds a needle."""
    if claim(path) != "shebang":
        return claim(path) != ""
    try:
        with _open(os.path.join(root, path)) as file:
            return _is_script(file)
    except OSError:
        return False  # without a name and a first line, nobody's


def _is_script(file: BufferedReader) -> bool:
    first = file.read(FIRST_LINE).decode("latin-1")
    file.seek(0)
    return claim_text("shebang", first) != ""


def _holds(file: BufferedReader, needles: Sequence[bytes]) -> bool:
    overlap = max(map(len, needles))
    window = b""
    while block := file.read(_BLOCK):
        window = window[-overlap:] + block
        if any(needle in window for needle in needles):
            return True
    return False


# -- reading ------------------------------------------------------------------


def read_text(root: str, path: str) -> str | Skip:
    """The text of a file without byte order mark, or why there is none.

    Never leaves the root through a symbolic link, never waits for a pipe.
    """
    try:
        real = _real(root, path)
        if not real:
            return _outside(path)
        with _open(real) as file:
            data = file.read(_FEW)  # room for the largest, made for each, would take longer
            if len(data) == _FEW:
                data += file.read(MAX_BYTES + 1 - _FEW)
    except (OSError, ValueError) as error:
        return _unreadable(path, error)
    if len(data) > MAX_BYTES:
        size = f"more than {MAX_BYTES // 1_000_000} MB"
        return Skip(path, "discover", "too-large", f"{size}: not read")
    if b"\0" in data[:8192]:
        return Skip(path, "discover", "binary", "holds NUL bytes, expected text")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        why = f"not UTF-8: {error.reason} at byte {error.start}"
        return Skip(path, "discover", "encoding", why)


def _open(path: str) -> BufferedReader:
    """A regular file to read. Raises OSError, also for anything that is not regular."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    handle = os.open(path, flags | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(0, "not a regular file")
    return os.fdopen(handle, "rb")


def _real(root: str, path: str) -> str:
    """Where a file is once links are followed; empty when that is outside the root."""
    real, top = os.path.realpath(os.path.join(root, path)), os.path.realpath(root)
    return real if os.path.commonpath((real, top)) == top else ""


def _outside(path: str) -> Skip:
    return Skip(path, "discover", "outside-root", "leads out of the root: not followed")


def _unreadable(path: str, error: Exception) -> Skip:
    why = getattr(error, "strerror", None) or str(error)
    return Skip(path, "discover", "unreadable", why)
