"""Read and bind, in turns, until no new file is reached."""

from __future__ import annotations

from dataclasses import dataclass

from servelint.bind import bind, wanted
from servelint.finding import Skip
from servelint.include import with_included
from servelint.read import Reading, read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.discover import Discovery
    from servelint.facts import Fact

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
    whole = with_included(root, readings.values())
    left = (skip for reading in whole for skip in reading.skips)
    texts = {reading.path: reading.text for reading in whole if reading.language}
    return Gathered(
        facts=bind(fact for reading in whole for fact in reading.facts),
        texts={path: text for reading in whole for path, text in reading.included.items()} | texts,
        skips=(*found.skips, *left, *map(_unfollowed, todo)),
        listed=found.listed,
    )


def _unfollowed(path: str) -> Skip:
    detail = f"used through more than {MAX_ROUNDS - 1} other files: not read"
    return Skip(path, "bind", "too-deep", detail)
