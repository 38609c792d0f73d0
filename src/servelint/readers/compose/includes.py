"""A composition with the projects that its files take in by ``include``."""

from __future__ import annotations

import posixpath

from servelint.readers.compose.compositions import Composition
from servelint.readers.compose.merge import without_path
from servelint.readers.compose.services import extended, with_variables
from servelint.syntax.yaml_data import Leaf, Member, Table
from servelint.syntax.yaml_edit import place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.readers.compose.project import Project
    from servelint.syntax.yaml_data import Data

MAX_DEPTH = 20
"""Projects that include projects."""

MAX_INCLUDED = 500
"""Projects that one project includes, and they."""


def whole(project: Project, one: Composition) -> Table:
    """The files of a composition merged, services with all that they extend and read."""
    data: Data = Table({})
    for path in one.files:
        over = _file(project, path)
        for reset in project.tags(path).resets:
            over, data = without_path(over, reset), without_path(data, reset)
        for override in project.tags(path).overrides:
            data = without_path(data, override)
        data = project.merger.merged(data, over)
    table = data if isinstance(data, Table) else Table({})
    services = table.members.get("services")
    if services is None or not isinstance(services.value, Table):
        return table
    members = {
        name: Member(member.key, with_variables(project, member.value, one.directory))
        for name, member in services.value.members.items()
        if isinstance(member.value, Table)
    }
    kept = {key: member for key, member in table.members.items() if not key.startswith("x-")}
    return Table({**kept, "services": Member(services.key, Table(members))})


def _file(project: Project, path: str) -> Data:
    """One file, its services laid over what they extend."""
    table = project.table(path) or Table({})
    services = table.members.get("services")
    if services is None or not isinstance(services.value, Table):
        return table
    members: dict[str, Member] = {}
    for name, member in services.value.members.items():
        found = extended(project, path, name)
        members[name] = Member(member.key, found) if found is not None else member
    return Table({**table.members, "services": Member(services.key, Table(members))})


def included(project: Project, one: Composition) -> tuple[Composition, ...]:
    """All projects that a composition takes in, at any depth, each once."""
    found: dict[Composition, None] = {}
    todo = [(one, 0)]
    while todo:
        current, depth = todo.pop()
        for path in current.files:
            for inner, at in _entries(project, path, current):
                if inner in found or inner.files == one.files:
                    continue
                if depth >= MAX_DEPTH or len(found) >= MAX_INCLUDED:
                    detail = "too many projects include each other: not followed"
                    project.skip("too-deep", detail, place(at))
                    continue
                found[inner] = None
                todo.append((inner, depth + 1))
    return tuple(found)


def _entries(project: Project, path: str, outer: Composition) -> Iterator[tuple[Composition, Data]]:
    """The projects that a file includes; their paths begin where the outer project does."""
    table = project.table(path)
    entries = table.get("include") if table is not None else None
    for entry in entries if isinstance(entries, tuple) else ():
        listed = entry.get("path") if isinstance(entry, Table) else entry
        leaves = [leaf for leaf in _many(listed) if isinstance(leaf, Leaf)]
        found = [project.target(outer.directory, leaf) for leaf in leaves]
        files = tuple(one for one in found if one is not None)
        named = entry.get("env_file") if isinstance(entry, Table) else None
        texts = (leaf for leaf in _many(named) if isinstance(leaf, Leaf))
        targets = (project.target(outer.directory, leaf) for leaf in texts)
        environments = tuple(one for one in targets if one is not None)
        if files:
            yield Composition(files, outer.variant, environments), entry


def _many(data: Data | None) -> tuple[Data, ...]:
    if data is None:
        return ()
    return data if isinstance(data, tuple) else (data,)


def reached(project: Project, one: Composition) -> frozenset[str]:
    """Every file that a composition takes: what it includes, extends and reads variables from."""
    found: set[str] = set()
    for part in (one, *included(project, one)):
        found.update(part.environments)
        env = project.find(part.directory, ".env")
        found.update((env,) if env is not None else ())
        todo = list(part.files)
        while todo:
            path = todo.pop()
            if path not in found:
                found.add(path)
                todo.extend(_extended_files(project, path))
                found.update(_variable_files(project, path, part.directory))
    return frozenset(found)


def _extended_files(project: Project, path: str) -> Iterator[str]:
    for service in project.services(path).values():
        file = service.text("extends", "file")
        target = project.find(posixpath.dirname(path), file) if file else None
        if target is not None:
            yield target


def _variable_files(project: Project, path: str, directory: str) -> Iterator[str]:
    for service in project.services(path).values():
        for item in _many(service.get("env_file")):
            leaf = item.get("path") if isinstance(item, Table) else item
            for start in (directory, posixpath.dirname(path)):
                target = project.find(start, leaf.text) if isinstance(leaf, Leaf) else None
                if target is not None:
                    yield target
