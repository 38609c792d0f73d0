"""Packages that a command installs from a file of requirements, as steps of that command."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from dataclasses import replace
from itertools import islice

from servelint.facts import Requirement, Uses

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from servelint.facts import Fact

Lists = dict[str, list[Requirement]]
"""What files of requirements ask for, by their path, with what they take from other files."""

MAX_FILES = 50
"""Files of requirements that one of them takes in, directly or not; more are left out."""

MAX_STEPS = 50
"""Packages of one file that are told again of one command."""

_EXACT = ("pinned", "locked", "vcs", "url")
"""Kinds that replace another version; what a range admits stays as it is."""


def lists_of(facts: Iterable[Fact]) -> Lists:
    """What all files of requirements ask for."""
    own: Lists = defaultdict(list)
    taken: dict[str, list[str]] = defaultdict(list)
    for fact in facts:
        if isinstance(fact, Requirement) and not fact.runs:
            own[fact.span.path].append(fact)
        elif isinstance(fact, Uses) and fact.how == "requirements":
            taken[fact.span.path].append(fact.target)
    every: Lists = {}
    for path in dict.fromkeys((*own, *taken)):
        files = _reached(path, taken)
        found = list(islice((one for file in files for one in own.get(file, ())), MAX_STEPS))
        if found:
            every[path] = found
    return every


def _reached(path: str, taken: Mapping[str, Sequence[str]]) -> list[str]:
    """A file, and those that it takes in, each once."""
    files = {path: None}
    waiting = [path]
    while waiting and len(files) < MAX_FILES:
        others = [one for one in taken.get(waiting.pop(), ())[:MAX_FILES] if one not in files]
        files.update(dict.fromkeys(others))
        waiting.extend(others)
    return list(files)


def from_lists(facts: Iterable[Fact], lists: Lists) -> Iterator[Requirement]:
    """What files ask for that commands install, owned by the commands.

    Where the file is not sure, and whether its markers hold, is not told: such a step may do it.
    """
    if not lists:
        return
    for use in facts:
        if isinstance(use, Uses) and use.how == "requirements" and _runs(use):
            for one in islice(_found(use, lists), MAX_STEPS):
                effect = "" if one.kind in _EXACT else "keeps"
                yield replace(
                    one,
                    span=use.span,
                    owner=use.owner,
                    variant=use.variant,
                    runs=True,
                    effect=effect,
                )


def _runs(use: Uses) -> bool:
    """True for a command; files of requirements and projects use others, too."""
    return not {"command", "run"}.isdisjoint(use.owner.steps)


def _found(use: Uses, lists: Lists) -> Sequence[Requirement]:
    """The file that a command means: from its own directory upwards, the longest path first.

    A path in an image begins with directories that the repository does not have.
    """
    directory = posixpath.dirname(use.span.path)
    wanted = posixpath.relpath(use.target, directory or ".").split("/")
    while True:
        for start in range(len(wanted)):
            path = posixpath.normpath(posixpath.join(directory, *wanted[start:]))
            if path in lists:
                return lists[path]
        if not directory:
            return ()
        directory = posixpath.dirname(directory)
