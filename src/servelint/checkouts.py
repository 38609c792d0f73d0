"""Packages that the commands of a text install from a repository which they take before.

The commands of one text are followed together: of a script, of a container, of the blocks of a
guide, and of a stage of a Dockerfile, whose steps see what the steps before them left.
"""

from __future__ import annotations

from collections import defaultdict
from copy import deepcopy
from dataclasses import replace

from servelint.facts import Launch, Setting, Uses
from servelint.source import PAGE, Route
from servelint.stages import FROM
from servelint.syntax.git_sources import Copies, Step
from servelint.syntax.local_installs import local_installs
from servelint.syntax.programs import base_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from servelint.facts import Fact, Requirement

WORKDIR = "workdir"
"""The key of the settings that say in which directory the steps after them begin."""

COPIED = "copied"
"""The key of the settings that say where a build puts files of its own."""

MAX_COMMANDS = 2_000
"""Commands of one text that are followed; a longer text is no script of a person."""


def from_checkouts(facts: Iterable[Fact]) -> Iterator[Requirement]:
    """What is installed from working copies and directories, owned by the commands that do it."""
    kept = tuple(facts)
    taking = {_whole(fact.owner) for fact in kept if _is_step(fact)}
    if not taking:
        return
    texts: dict[Route, list[Launch | Setting]] = defaultdict(list)
    bases: dict[Route, Route] = {}
    for fact in kept:
        if (isinstance(fact, Launch) and not fact.form) or (
            isinstance(fact, Setting) and fact.key in (WORKDIR, COPIED)
        ):
            texts[_whole(fact.owner)].append(fact)
        elif isinstance(fact, Uses) and fact.how == FROM:
            bases[fact.owner] = Route(fact.owner.unit, (*fact.owner.steps[:-1], int(fact.target)))
    yield from _followed(texts, bases, taking)


def _is_step(fact: Fact) -> bool:
    """True for a command of git, and for an install from a directory."""
    if not isinstance(fact, Launch) or not fact.argv or fact.form:
        return False
    is_git = base_name(fact.argv[0].text or "") == "git"
    return is_git or any(True for _ in local_installs(fact.argv))


def _followed(
    texts: Mapping[Route, Sequence[Launch | Setting]],
    bases: Mapping[Route, Route],
    taking: set[Route],
) -> Iterator[Requirement]:
    """Each text with a command of git, or on top of a stage with one; the first stages first."""
    left: dict[Route, _Text] = {}
    for whole in sorted(texts, key=_order):
        base = bases.get(whole)
        text = left.get(base) if base is not None else None
        if text is None and whole not in taking:
            continue
        text = _Text() if text is None else deepcopy(text)
        left[whole] = text
        for fact in texts[whole][:MAX_COMMANDS]:
            for found in text.take(fact):
                yield replace(found, variant=fact.variant)


class _Text:
    """The commands of a text while they are followed, with the directory in which steps begin."""

    def __init__(self) -> None:
        self._copies = Copies()
        self._start = ""

    def take(self, fact: Launch | Setting) -> Iterator[Requirement]:
        if isinstance(fact, Setting):
            written = fact.value.written
            if fact.key == COPIED:
                self._copies.fill(written, self._start)
            else:
                self._start = written if written[:1] in "/$" else f"{self._start}/{written}"
            return
        yield from self._copies.follow(
            Step(fact.argv, fact.owner, fact.runs, _inner(fact.owner), self._start)
        )


def _order(whole: Route) -> tuple[str, tuple[str, ...]]:
    """Stages by their number, which is the order in which one can start from another."""
    return whole.unit, tuple(
        f"{step:06}" if isinstance(step, int) else step for step in whole.steps
    )


def _whole(owner: Route) -> Route:
    """What is followed together: a stage, the typed blocks of a guide, the outermost text."""
    steps = owner.steps
    for at, step in enumerate(steps[:-1]):
        if step == FROM and isinstance(steps[at + 1], int):
            return Route(owner.unit, steps[: at + 2])
    if steps[:1] == (PAGE,) and steps[2:3] == ("command",):
        return Route(owner.unit, (PAGE,))
    return Route(owner.unit, steps[: steps.index("command")]) if "command" in steps else owner


def _inner(owner: Route) -> Route:
    """The text in which a command stands; the blocks of a guide go on where the last one ended."""
    is_typed = owner.on_page and owner.steps[2:3] == ("command",) and len(owner.steps) == 4
    return Route(owner.unit, (PAGE,)) if is_typed else Route(owner.unit, owner.steps[:-2])
