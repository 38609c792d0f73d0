"""Where a project applies its roles: in plays and in tasks, with values of their own."""

from __future__ import annotations

from dataclasses import dataclass

from servelint.syntax.yaml_data import Leaf, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.syntax.yaml_data import Data

_TASKS = ("pre_tasks", "tasks", "post_tasks", "handlers", "block", "rescue", "always")
_APPLY = tuple(
    f"{prefix}{verb}_role"
    for prefix in ("", "ansible.builtin.", "ansible.legacy.")
    for verb in ("include", "import")
)
_NAMES = ("role", "name")
_NO_VALUES = frozenset({*_NAMES, "vars", "tags", "when", "become", "become_user", "delegate_to"})

MAX_DEPTH = 20
"""Blocks in blocks of tasks."""


@dataclass(frozen=True, slots=True, eq=False)
class Use:
    """One place that applies a role, and the values that only this one gives."""

    role: str
    given: tuple[Table, ...] = ()


def of_play(play: Table) -> Iterator[Use]:
    """The roles of a play, and those that its tasks apply."""
    roles = play.get("roles")
    for item in roles if isinstance(roles, tuple) else ():
        if isinstance(item, Leaf):
            yield Use(_base(item))
        elif isinstance(item, Table):
            own = {k: one for k, one in item.members.items() if k not in _NO_VALUES}
            yield from _use(item, item.get("vars"), Table(own))
    for key in _TASKS:
        yield from of_tasks(play.get(key))


def of_tasks(tasks: Data | None, depth: int = 0) -> Iterator[Use]:
    """The roles that tasks apply, those in blocks too."""
    for task in tasks if isinstance(tasks, tuple) else ():
        if not isinstance(task, Table) or depth > MAX_DEPTH:
            continue
        for key in _APPLY:
            applied = task.get(key)
            if isinstance(applied, Table):
                yield from _use(applied, task.get("vars"))
        for key in _TASKS:
            yield from of_tasks(task.get(key), depth + 1)


def _use(named: Table, *given: Data | None) -> Iterator[Use]:
    name = next((one for key in _NAMES if isinstance(one := named.get(key), Leaf)), None)
    if name is not None:
        yield Use(_base(name), tuple(one for one in given if isinstance(one, Table)))


def _base(name: Leaf) -> str:
    """The directory of a role that is named by its path, or with its collection."""
    return name.text.rpartition("/")[2].rpartition(".")[2]
