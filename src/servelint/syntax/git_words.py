"""What one ``git`` command does to a working copy."""

from __future__ import annotations

from dataclasses import dataclass

from servelint.syntax.programs import base_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from servelint.value import Value

_GLOBAL_VALUES = frozenset({"-c", "--git-dir", "--work-tree", "--namespace", "--config-env"})
"""Options of the program itself that take the next word, beside ``-C``."""

_VALUES: dict[str, frozenset[str]] = {
    "clone": frozenset(
        {
            *("-b", "--branch", "--depth", "-o", "--origin", "-c", "--config", "--reference"),
            *("-j", "--jobs", "--shallow-since", "--shallow-exclude", "--template", "-u"),
            *("--upload-pack", "--separate-git-dir", "--server-option", "--filter", "--revision"),
            *("--reference-if-able", "--bundle-uri", "--ref-format"),
        }
    ),
    "checkout": frozenset({"-b", "-B", "--orphan", "--conflict"}),
    "switch": frozenset({"-c", "-C", "--create", "--force-create", "--orphan", "--conflict"}),
    "fetch": frozenset(
        {
            *("--depth", "--deepen", "--shallow-since", "--shallow-exclude", "-j", "--jobs"),
            *("-o", "--server-option", "--refmap", "--upload-pack", "--filter"),
        }
    ),
    "submodule": frozenset({"-b", "--branch", "--name", "--reference", "--depth", "-j", "--jobs"}),
    "worktree": frozenset({"-b", "-B", "--reason"}),
    "remote": frozenset({"-t", "-m", "--track", "--master"}),
    "init": frozenset({"-b", "--initial-branch", "--template", "--separate-git-dir"}),
}
"""Options of a verb that take the next word, unless they hold their value already."""

_CHANGING = frozenset({"apply", "am", "cherry-pick", "merge", "rebase", "revert"})
"""Verbs that change the code beyond what a name of the repository stands for."""

_HARD = frozenset({"--hard", "--merge", "--keep"})


@dataclass(frozen=True, slots=True)
class Git:
    """A step on a working copy.

    ``step`` is ``clone`` (of ``url`` into ``directory``, at ``ref`` or its default), ``remote``
    (the copy is one of ``url``), ``fetch`` (``ref`` of ``url`` is what FETCH_HEAD names then),
    ``move`` (to ``ref``), ``copy`` (a second copy in ``directory``, at ``ref``), ``part`` (a copy
    of ``url`` in ``directory``, at a commit that no command names) or ``change``. ``at`` is the
    directory in which the command runs, where that is not the present one.
    """

    step: str
    at: Value | None = None
    url: Value | None = None
    directory: Value | None = None
    ref: Value | None = None


@dataclass(frozen=True, slots=True)
class _Words:
    """The words behind a verb: options with their values, and the rest up to ``--``."""

    options: dict[str, Value | None]
    others: tuple[Value, ...]
    has_paths: bool

    def at(self, index: int) -> Value | None:
        return self.others[index] if index < len(self.others) else None

    def text(self, index: int) -> str:
        value = self.at(index)
        return (value.text or "") if value is not None else ""


def git_step(argv: Sequence[Value]) -> Git | None:
    """What a command does to a working copy; None for one that is no git, or changes none."""
    if not argv or base_name(argv[0].text or "") != "git":
        return None
    at, where = 1, None
    while at < len(argv) and argv[at].head.startswith("-"):
        if argv[at].text == "-C" and at + 1 < len(argv):
            where = argv[at + 1]
        at += 2 if argv[at].text == "-C" or argv[at].text in _GLOBAL_VALUES else 1
    verb = (argv[at].text or "") if at < len(argv) else ""
    if verb in _CHANGING:
        return None if _only_ends(argv[at + 1 :]) else Git("change", where)
    reader = _READERS.get(verb)
    return reader(_words(argv[at + 1 :], _VALUES.get(verb, frozenset())), where) if reader else None


def _only_ends(words: Sequence[Value]) -> bool:
    """True for what ends an operation or only looks: nothing is changed."""
    texts = {word.text for word in words}
    return not texts.isdisjoint({"--abort", "--quit", "--check", "--stat"})


def _words(words: Sequence[Value], values: frozenset[str]) -> _Words:
    options: dict[str, Value | None] = {}
    others: list[Value] = []
    at = 0
    while at < len(words) and words[at].text != "--":
        word = words[at]
        at += 1
        name, equals, _ = word.head.partition("=")
        if not word.head.startswith("-") or word.text == "-":
            others.append(word)
        elif equals and name.startswith("--"):
            options[name] = word.tail(len(name) + 1)
        elif word.text in values and at < len(words):
            options[word.text] = words[at]
            at += 1
        elif word.head[:2] in values and not word.head.startswith("--"):
            options[word.head[:2]] = word.tail(2)
        else:
            options[name] = None
    return _Words(options, tuple(others), at + 1 < len(words))


def _clone(words: _Words, where: Value | None) -> Git | None:
    url = words.at(0)
    names = ("--branch", "-b", "--revision")
    ref = next((words.options[name] for name in names if words.options.get(name)), None)
    return None if url is None else Git("clone", where, url, words.at(1), ref)


def _moved(words: _Words, where: Value | None) -> Git | None:
    """``checkout`` and ``switch``; one that takes files from elsewhere changes the code."""
    target = words.at(0)
    if target is None or words.text(0) in ("HEAD", "."):
        return None
    if words.has_paths or len(words.others) > 1:
        return Git("change", where)
    return Git("move", where, ref=target)


def _reset(words: _Words, where: Value | None) -> Git | None:
    target = words.at(0)
    if _HARD.isdisjoint(words.options) or target is None or words.text(0) == "HEAD":
        return None
    return Git("move", where, ref=target)


def _fetch(words: _Words, where: Value | None) -> Git:
    """``fetch REMOTE REF`` and ``fetch REMOTE tag NAME``."""
    is_tag = words.text(1) == "tag"
    return Git("fetch", where, url=words.at(0), ref=words.at(2 if is_tag else 1))


def _pull(words: _Words, where: Value | None) -> Git | None:
    return Git("change", where) if words.at(1) is not None else None


def _remote(words: _Words, where: Value | None) -> Git | None:
    if words.text(0) == "set-url":
        return Git("change", where)
    is_new = words.text(0) == "add" and words.text(1) == "origin"
    return Git("remote", where, url=words.at(2)) if is_new else None


def _submodule(words: _Words, where: Value | None) -> Git | None:
    is_new = words.text(0) == "add" and words.at(1) is not None
    return Git("part", where, url=words.at(1), directory=words.at(2)) if is_new else None


def _worktree(words: _Words, where: Value | None) -> Git | None:
    is_new = words.text(0) == "add" and words.at(1) is not None
    return Git("copy", where, directory=words.at(1), ref=words.at(2)) if is_new else None


_READERS: dict[str, Callable[[_Words, Value | None], Git | None]] = {
    "clone": _clone,
    "checkout": _moved,
    "switch": _moved,
    "reset": _reset,
    "fetch": _fetch,
    "pull": _pull,
    "remote": _remote,
    "submodule": _submodule,
    "worktree": _worktree,
}
