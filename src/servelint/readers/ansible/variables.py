"""The variables of an Ansible project, and what a file sees of them."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field

from servelint.facts import Env
from servelint.readers.ansible.project import role_of
from servelint.readers.ansible.uses import of_play, of_tasks
from servelint.source import Route, Source
from servelint.syntax.expressions import any_of, of_template, opened, template_name
from servelint.syntax.interpolation import interpolate
from servelint.syntax.yaml import YamlProblem
from servelint.syntax.yaml_data import Leaf, Table, load
from servelint.value import Open, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from servelint.readers.ansible.project import Project
    from servelint.readers.ansible.uses import Use
    from servelint.syntax.yaml_data import Data
    from servelint.unit import Files

Known = dict[str, list[Value]]
"""Name in facts -> the values that it may have."""

MAX_DEPTH = 5
_ALL = re.compile(r"/group_vars/all(?:\.|/|\Z)")
_OF_ROLE = re.compile(r"/(defaults|vars)/[^/]+\Z")


@dataclass(slots=True)
class Variables:
    """All that a project sets, by how much it counts."""

    project: Project
    files: Files
    defaults: dict[str, Known] = field(default_factory=dict)
    of_all: Known = field(default_factory=dict)
    of_some: Known = field(default_factory=dict)
    of_plays: Known = field(default_factory=dict)
    of_roles: dict[str, Known] = field(default_factory=dict)
    uses: dict[str, list[tuple[Known, Known]]] = field(default_factory=dict)
    """Role -> for each use of it what that gives and what its play sets."""
    seen: dict[str, dict[str, Value]] = field(default_factory=dict)
    """Role -> what each name is there: the same for all files of a role."""

    def __post_init__(self) -> None:
        """Read all files that set variables."""
        for path in self.project.roles:
            part = _OF_ROLE.search(path)
            if "/tasks/" in path:
                for tasks in self._documents(path):
                    self._used(of_tasks(tasks), self.of_plays)
            if part is not None:
                level = self.defaults if part[1] == "defaults" else self.of_roles
                self._keep(level.setdefault(role_of(path), {}), self._tables(path))
        for path in self.project.groups:
            known = self.of_all if _ALL.search(f"/{path}") else self.of_some
            self._keep(known, self._tables(path))
        for path in self.project.inventories:
            for table in self._tables(path):
                self._inventory(table)
        for path in self.project.playbooks:
            self._plays(path)

    def seen_by(self, role: str, text: str, owner: Route) -> Iterator[Env]:
        """The variables that a file of a role, or of none, names, and those that they lead to."""
        if "{{" not in text and "{%" not in text:
            return
        if role not in self.seen:
            self.seen[role] = self._visible(role)
        visible = self.seen[role]
        todo = [name for name in visible if name.rpartition("__")[2].rpartition("_")[2] in text]
        done: set[str] = set()
        while todo:
            name = todo.pop()
            if name in done or name not in visible:
                continue
            done.add(name)
            value = visible[name]
            todo.extend(_names(value))
            yield Env(span=value.span, owner=owner, name=name, value=value)

    def _visible(self, role: str) -> dict[str, Value]:
        """What each name may be; groups may differ, and not all hosts are in one."""
        own, defaults = self.of_roles.get(role, {}), self.defaults.get(role, {})
        uses = self.uses.get(role) or [({}, self.of_plays)]
        above = (name for use in uses for known in use for name in known)
        names = dict.fromkeys((*above, *own, *self.of_some, *self.of_all, *defaults))
        return {name: any_of(self._of(name, uses, own, defaults)) for name in names}

    def _of(
        self, name: str, uses: list[tuple[Known, Known]], own: Known, defaults: Known
    ) -> list[Value]:
        """What a name is in each use of a role: what is given there, else by role, play, group."""
        below = self.of_all.get(name) or defaults.get(name, [])
        below = [*self.of_some.get(name, []), *below]
        every = [
            next((known[name] for known in (given, own, play) if name in known), below)
            for given, play in uses
        ]
        found = list({id(value): value for values in every for value in values}.values())
        return found or below

    # -- where they are set -------------------------------------------------------------------

    def _documents(self, path: str) -> tuple[Data | None, ...]:
        text = self.files.text(path)
        try:
            return load(Source(path, text, "yaml", Route(path))) if text is not None else ()
        except YamlProblem:
            return ()  # whoever reads the file says so

    def _tables(self, path: str) -> Iterator[Table]:
        yield from (data for data in self._documents(path) if isinstance(data, Table))

    def _keep(self, known: Known, tables: Iterable[Table]) -> None:
        for table in tables:
            for name, value in _flat(table):
                known.setdefault(name, []).append(value)

    def _plays(self, path: str) -> None:
        for plays in self._documents(path):
            for play in plays if isinstance(plays, tuple) else ():
                if isinstance(play, Table):
                    self._play(path, play)

    def _play(self, path: str, play: Table) -> None:
        known: Known = {}
        self._play_vars(path, play, known)
        for name, values in known.items():
            self.of_plays.setdefault(name, []).extend(values)
        self._used(of_play(play), known)

    def _used(self, uses: Iterable[Use], play: Known) -> None:
        for use in uses:
            given: Known = {}
            self._keep(given, use.given)
            self.uses.setdefault(use.role, []).append((given, play))

    def _play_vars(self, path: str, play: Table, known: Known) -> None:
        own = play.get("vars")
        self._keep(known, (own,) if isinstance(own, Table) else ())
        listed = play.get("vars_files")
        for item in listed if isinstance(listed, tuple) else ():
            if isinstance(item, Leaf):
                target = posixpath.normpath(posixpath.join(posixpath.dirname(path), item.text))
                self._keep(known, self._tables(target))

    def _inventory(self, table: Table, depth: int = 0) -> None:
        """The variables of the groups and hosts of an inventory."""
        for key, member in table.members.items():
            inner = member.value
            if not isinstance(inner, Table) or depth > MAX_DEPTH:
                continue
            if key == "vars":
                self._keep(self.of_some, (inner,))
            elif key == "hosts":
                hosts = (one.value for one in inner.members.values())
                self._keep(self.of_some, (one for one in hosts if isinstance(one, Table)))
            else:
                self._inventory(inner, depth + 1)


def _flat(table: Table, *path: str) -> Iterator[tuple[str, Value]]:
    """The scalars of a mapping by the keys that lead to them."""
    for key, member in table.members.items():
        if isinstance(member.value, Table) and len(path) < MAX_DEPTH:
            yield from _flat(member.value, *path, key)
        elif isinstance(member.value, Leaf) and not member.value.is_null:
            value = opened(interpolate(member.value.source), of_template)
            yield template_name(*path, key), value


def _names(value: Value) -> Iterator[str]:
    for parts in value.readings:
        for part in parts:
            if isinstance(part, Open):
                yield part.name
