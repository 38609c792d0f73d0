"""Read and bind, in turns, until no new file is reached."""

from __future__ import annotations

import os
from dataclasses import dataclass

from servelint.bind import bind, wanted
from servelint.discover import discover, read_text
from servelint.facts import Launch, Open, Uses
from servelint.finding import Skip
from servelint.include import with_included
from servelint.read import Reading, read_file, read_source
from servelint.readers import claim
from servelint.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from servelint.discover import Discovery
    from servelint.facts import Fact

ENV_FILE = "env-file"
"""How a file of variables is used."""

MAX_ROUNDS = 8
"""Files that use files that use files: how far that is followed."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """Bound facts, the texts of the files that a reader took, and what was left out.

    ``listed`` is the number of files of which these were found to be relevant.
    """

    facts: tuple[Fact, ...]
    texts: dict[str, str]
    skips: tuple[Skip, ...]
    listed: int


def gather(root: str, found: Discovery) -> Gathered:
    """The facts of the relevant files of a root and of the files that these use."""
    readings: dict[str, Reading] = {}
    todo: dict[str, str] = dict.fromkeys(found.paths, "")
    for _ in range(MAX_ROUNDS):
        fresh = {path: read_file(root, path, language) for path, language in todo.items()}
        readings.update(fresh)
        facts = [fact for reading in fresh.values() for fact in reading.facts]
        todo = {path: how for path, how in wanted(facts).items() if path not in readings}
        if not todo:
            break
    for path in _callers(root, readings.values()):
        readings.setdefault(path, read_file(root, path))
    whole = with_included(root, readings.values())
    whole += tuple(_environments(root, whole))
    left = (skip for reading in whole for skip in reading.skips)
    texts = {reading.path: reading.text for reading in whole if reading.language}
    return Gathered(
        facts=bind(_there(root, (fact for reading in whole for fact in reading.facts))),
        texts={path: text for reading in whole for path, text in reading.included.items()} | texts,
        skips=(*found.skips, *left, *map(_unfollowed, todo)),
        listed=found.listed,
    )


def _environments(root: str, readings: Iterable[Reading]) -> Iterator[Reading]:
    """The environment files that facts use, their variables owned by who uses them."""
    facts = (fact for reading in readings for fact in reading.facts)
    for use in _there(root, facts):
        if isinstance(use, Uses) and use.how == ENV_FILE:
            text = read_text(root, use.target)
            if isinstance(text, Skip):
                yield Reading(use.target, "", "", (), (text,))
            else:
                yield read_source(Source(use.target, text, "dotenv", use.owner), text, {})


def _there(root: str, facts: Iterable[Fact]) -> Iterator[Fact]:
    """The facts without environment files that do not exist: most are only looked for."""
    for fact in facts:
        is_file = isinstance(fact, Uses) and fact.how == ENV_FILE
        if not is_file or os.path.isfile(os.path.join(root, fact.target)):  # type: ignore[attr-defined]
            yield fact


def _callers(root: str, readings: Iterable[Reading]) -> tuple[str, ...]:
    """Scripts that name a script whose commands wait for arguments.

    A library of functions holds the program; who calls it says with what, and need not name it.
    """
    libraries = {
        os.path.basename(reading.path).encode("utf-8", "surrogateescape")
        for reading in readings
        if reading.language == "shell" and any(map(_waits, reading.facts))
    }
    if not libraries:
        return ()
    found = discover(root, (), tuple(sorted(libraries)))
    return tuple(path for path in found.paths if claim(path) in ("shell", "shebang"))


def _waits(fact: Fact) -> bool:
    """True for a launch with a positional parameter that nothing sets."""
    return isinstance(fact, Launch) and any(
        isinstance(part, Open) and (part.name.isdigit() or part.name == "@")
        for word in fact.argv
        for parts in word.readings
        for part in parts
    )


def _unfollowed(path: str) -> Skip:
    detail = f"used through more than {MAX_ROUNDS - 1} other files: not read"
    return Skip(path, "bind", "too-deep", detail)
