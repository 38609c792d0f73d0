"""The commands that a text runs, as they are found: one record for each place."""

from __future__ import annotations

import re
from dataclasses import dataclass

from servelint.syntax.bash_fields import reading_text, union
from servelint.syntax.bash_merge import merge_lists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from servelint.syntax.bash_fields import Field, Place, Reading
    from servelint.syntax.bash_state import Exported

_PROGRAM = re.compile(r"[A-Za-z][\w.]*\Z", re.ASCII)
MAX_RUNS = 64
"""Runs of one command that are told apart; more are not kept."""


@dataclass(frozen=True, slots=True)
class Item:
    """A field of a command and the place of the word that it comes from."""

    field: Field
    place: Place


@dataclass(frozen=True, slots=True)
class Run:
    """A command as it runs once: its fields, and the environment that the text gave it.

    ``reads`` is the text on its standard input, where a heredoc or here-string
    gives it and the command is one that may hand it on; ``writes`` the file
    that it then prints to.
    """

    items: tuple[Item, ...]
    env: tuple[Exported, ...]
    reads: Item | None = None
    writes: tuple[Item, ...] = ()


class Records:
    """The runs of every command, by the offset where it starts."""

    def __init__(self) -> None:
        self._runs: dict[int, list[Run]] = {}

    def add(self, start: int, run: Run) -> None:
        """Note that the command at ``start`` runs so."""
        runs = self._runs.setdefault(start, [])
        if len(runs) < MAX_RUNS and run not in runs:
            runs.append(run)

    def extend(self, other: Records) -> None:
        """Take over everything that ``other`` noted."""
        for start, runs in other._runs.items():
            for run in runs:
                self.add(start, run)

    def merged(self) -> tuple[tuple[int, Run, tuple[Run, ...]], ...]:
        """For each command in order: its start, all its runs as one, and the runs."""
        return tuple(
            (start, merge_runs(runs), tuple(runs)) for start, runs in sorted(self._runs.items())
        )


def merge_runs(runs: Sequence[Run]) -> Run:
    """One run whose fields are one of those that the runs have, word by word."""
    first, *others = runs
    if not others:
        return first
    words = _by_word(first)
    env = first.env
    for other in others:
        for place, items in _by_word(other).items():
            words[place] = merge_lists(words.get(place, ()), items, _field, _one_item)
        if env is not other.env:
            env = _one_environment((*env, *other.env))
    return Run(tuple(item for place in sorted(words) for item in words[place]), env)


def _by_word(run: Run) -> dict[Place, tuple[Item, ...]]:
    words: dict[Place, tuple[Item, ...]] = {}
    for item in run.items:
        words[item.place] = (*words.get(item.place, ()), item)
    return words


def _field(item: Item) -> Field:
    return item.field


def _one_item(left: Item, right: Item) -> Item:
    if left.field == right.field:
        return left
    return Item(union((left.field, right.field)), left.place)


def _one_environment(exports: Iterable[Exported]) -> tuple[Exported, ...]:
    found: dict[str, Exported] = {}
    for export in exports:
        known = found.get(export.name)
        if known is not None and known != export:
            field = union((known.field, export.field))
            export = type(export)(export.name, known.place, field, known.value)  # noqa: PLW2901
        found[export.name] = export
    return tuple(found.values())


def without_lead(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """The items without what stands unknown and unquoted right before the name of a program.

    ``${PREFIX}python`` runs Python when the prefix is empty or ends in a blank, as one that
    sets variables does; a part of a path or a name ends otherwise.
    """
    readings = [_behind_lead(reading) for reading in items[0].field]
    if not all(readings) or readings == list(items[0].field):
        return items
    return (Item(tuple(readings), items[0].place), *items[1:])


def _behind_lead(reading: Reading) -> Reading:
    at = next((at for at, piece in enumerate(reading) if piece.known or not piece.many), 0)
    text = reading_text(reading[at:]) or ""
    return reading[at:] if at and _PROGRAM.match(text) else reading
