"""Asking git about a root in a way that executes and fetches nothing.

A repository's own configuration may name programs for git to run (a file
system monitor, a transport for objects that are missing) and may change what
git prints; an environment made for another repository may send git there.
"""

from __future__ import annotations

import os
import subprocess

from servelint.finding import Skip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SETTINGS = (
    *("-c", "core.fsmonitor=false", "-c", "core.untrackedCache=false"),
    *("-c", "submodule.recurse=false", "-c", "grep.fullName=false", "-c", "grep.threads=0"),
)
_ALWAYS = {
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_LITERAL_PATHSPECS": "0",
    "LC_ALL": "C",
}
"""No transport: git would start one for a missing object, such as a `.gitignore`, and older ones
know only the first of the two settings. No lock. `:!` leaves out; read literally, it would find
nothing. Messages can be told apart.
"""

_OF_ONE_REPOSITORY = (
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX"),
    *("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE"),
)
"""What git sets for a hook; it speaks of the repository in which the hook runs."""

_UNFILTERED = ("clean", "smudge", "process")
"""What a filter may run; empty, it runs nothing. It cannot be required, then."""

_BLOCK = 1 << 20
_ASYNC = getattr(os, "O_NONBLOCK", 0)

_COMPLAINT = r"(?:error|warning): [^']*'(?P<path>.+?)/?': (?P<why>.+)"


class GitError(Exception):
    """git cannot answer for this root; the text says why in a few words."""


def grep(
    root: str, needles: Sequence[bytes], unread: Sequence[str]
) -> tuple[list[str], tuple[Skip, ...]]:
    """The files that hold a needle, and what git could not open.

    Files are tracked or not ignored, regular, without the suffixes ``unread``.
    Tracked files that are ignored, too, are not among them: see :func:`forced`.
    """
    wanted = [word for needle in needles for word in ("-e", needle.decode())]
    left_out = [f":!*.{suffix}" for suffix in unread]
    options = ("-lzaF", "--untracked", "--no-color")
    done = _ask(root, "grep", *options, *wanted, "--", *left_out)
    return list(_names(done.stdout)), tuple(_complaints(done.stderr))


def forced(root: str) -> list[str]:
    """The files that are tracked although they are ignored."""
    return list(_names(_ask(root, "ls-files", "-zci", "--exclude-standard").stdout))


def files(root: str) -> frozenset[str]:
    """All files that are tracked or not ignored, links included, also deleted ones."""
    return frozenset(_names(_ask(root, "ls-files", "-zco", "--exclude-standard").stdout))


def user_name(root: str) -> str:
    """Who commits here, as git is told; empty when it is not. Raises :class:`GitError`."""
    return os.fsdecode(_ask(root, "config", "--get", "user.name").stdout).strip()


def changed(root: str, revision: str) -> frozenset[str]:
    """The files below ``root`` that differ from a revision: changed, new or deleted.

    Untracked ones are among them, ignored ones are not. Names are relative to ``root``. What
    only a filter makes equal counts as changed. Raises :class:`GitError`, with an empty text
    where the revision is none.
    """
    commit = _commit(root, revision)
    done = _ask(
        root,
        *(word for name in _filters(root) for word in _switched_off(name)),
        *("diff-index", "-z", "--raw", "--no-abbrev", "--no-renames", "--relative"),
        *("--no-ext-diff", "--no-textconv", "--ignore-submodules=all", commit, "--"),
    )
    rows = done.stdout.split(b"\0")
    differ = zip(rows[::2], map(os.fsdecode, rows[1::2]), strict=False)
    found = (path for row, path in differ if not _is_same(os.path.join(root, path), row))
    new = _ask(root, "ls-files", "-zo", "--exclude-standard").stdout
    return frozenset((*found, *_names(new)))


def _commit(root: str, revision: str) -> str:
    """The name of the commit that a revision is. Raises :class:`GitError`."""
    if not revision or revision.startswith("-"):
        raise GitError("")
    asked = ("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    name = os.fsdecode(_ask(root, *asked).stdout).strip()
    if not name.isalnum():  # several, as of a range
        raise GitError("")
    return name


def _filters(root: str) -> frozenset[str]:
    """The filters that the configuration names: git runs them to compare files."""
    keys = _names(_ask(root, "config", "-z", "--name-only", "--get-regexp", r"^filter\.").stdout)
    names = frozenset(key.partition(".")[2].rpartition(".")[0] for key in keys)
    if any("=" in name for name in names):
        raise GitError("its configuration has a filter with = in its name")
    return names


def _switched_off(name: str) -> Iterator[str]:
    for key in _UNFILTERED:
        yield from ("-c", f"filter.{name}.{key}=")
    yield from ("-c", f"filter.{name}.required=false")


def _is_same(path: str, row: bytes) -> bool:
    """True for a file that is only not known to be the same, and is.

    ``row`` is ``:mode mode object object status``. A new object of zeros is one that git has
    not looked at: the file was touched since.
    """
    from hashlib import new  # noqa: PLC0415  # seldom needed

    before, after, old, found, _ = os.fsdecode(row)[1:].split(" ")
    if before != after or found.strip("0") or not after.startswith("100"):
        return False
    digest = new("sha1" if len(old) == 40 else "sha256", usedforsecurity=False)
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | _ASYNC)
        with os.fdopen(handle, "rb") as file:
            digest.update(b"blob %d\0" % os.fstat(handle).st_size)
            while block := file.read(_BLOCK):
                digest.update(block)
    except OSError:
        return False  # what cannot be read may be anything
    return digest.hexdigest() == old


def _ask(root: str, *args: str) -> subprocess.CompletedProcess[bytes]:
    try:
        done = subprocess.run(  # noqa: S603  # a fixed program; nothing scanned reaches its options
            [_program(), *_SETTINGS, *args],
            cwd=root,
            env=_environment(root),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise GitError(f"{error.strerror}") from error
    if done.returncode not in (0, 1):
        said = os.fsdecode(done.stderr).strip().partition("\n")[0]
        raise GitError(said or f"git ended with {done.returncode}")
    return done


def _program() -> str:
    """git, from absolute directories only: what the current one holds may be scanned."""
    name = "git.exe" if os.name == "nt" else "git"
    for directory in os.get_exec_path():
        path = os.path.join(directory, name)
        if os.path.isabs(path) and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    raise GitError("there is none on the PATH")


def _environment(root: str) -> dict[str, str]:
    env = {**os.environ, **_ALWAYS}
    if os.getcwd() != os.path.realpath(root):
        for name in _OF_ONE_REPOSITORY:
            env.pop(name, None)
    return env


def _names(out: bytes) -> Iterator[str]:
    """Names that end in ``/`` are repositories inside this one, with a root of their own."""
    return (os.fsdecode(name) for name in out.split(b"\0") if name and not name.endswith(b"/"))


def _complaints(said: bytes) -> Iterator[Skip]:
    import re  # noqa: PLC0415  # seldom needed

    for line in os.fsdecode(said).splitlines():
        if found := re.fullmatch(_COMPLAINT, line):
            yield Skip(found["path"], "discover", "unreadable", found["why"])
