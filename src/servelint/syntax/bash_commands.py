"""The commands that a text runs, as they are found: one record for each place."""

from __future__ import annotations

from dataclasses import dataclass

from servelint.syntax.bash_fields import union
from servelint.syntax.bash_merge import merge_lists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from servelint.syntax.bash_fields import Field, Place
    from servelint.syntax.bash_state import Exported

MAX_RUNS = 64
"""Runs of one command that are told apart; more are not kept."""


@dataclass(frozen=True, slots=True)
class Item:
    """A field of a command and the place of the word that it comes from."""

    field: Field
    place: Place


@dataclass(frozen=True, slots=True)
class Run:
    """A command as it runs once: its fields, and the environment that the text gave it."""

    items: tuple[Item, ...]
    env: tuple[Exported, ...]


class Records:
    """The runs of every command, by the offset where it starts."""

    def __init__(self) -> None:
        self._runs: dict[int, dict[Run, None]] = {}

    def add(self, start: int, run: Run) -> None:
        """Note that the command at ``start`` runs so."""
        runs = self._runs.setdefault(start, {})
        if len(runs) < MAX_RUNS:
            runs[run] = None

    def extend(self, other: Records) -> None:
        """Take over everything that ``other`` noted."""
        for start, runs in other._runs.items():
            for run in runs:
                self.add(start, run)

    def merged(self) -> tuple[tuple[int, Run, tuple[Run, ...]], ...]:
        """For each command in order: its start, all its runs as one, and the runs."""
        return tuple(
            (start, merge_runs(tuple(runs)), tuple(runs))
            for start, runs in sorted(self._runs.items())
        )


def merge_runs(runs: tuple[Run, ...]) -> Run:
    """One run whose fields are one of those that the runs have."""
    first, *others = runs
    items, env = first.items, first.env
    for other in others:
        items = merge_lists(items, other.items, _field, _one_item)
        env = _one_environment((*env, *other.env))
    return Run(items, env)


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
