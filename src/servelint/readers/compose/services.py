"""Services with what they extend, and with the variables of their own files."""

from __future__ import annotations

import posixpath
import re

from servelint.readers.compose.merge import pairs, without_path
from servelint.source import Route, Source
from servelint.syntax.yaml_data import Leaf, Member, Table
from servelint.syntax.yaml_edit import made, place, with_member, without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.readers.compose.project import Project
    from servelint.syntax.yaml_data import Data

MAX_DEPTH = 30
"""Services that extend services."""

_LINE = re.compile(
    r"""^[ \t]*(?:export[ \t]+)?(?P<name>[A-Za-z_]\w*)[ \t]*=[ \t]*
        (?: "(?P<double>[^"\n]*)" | '(?P<single>[^'\n]*)' | (?P<bare>[^\n]*?) )
        [ \t]*(?:(?<=[ \t])\#[^\n]*)?\r?$""",
    re.MULTILINE | re.VERBOSE | re.ASCII,
)


def extended(project: Project, path: str, name: str, below: tuple[str, ...] = ()) -> Table | None:
    """A service of a file laid over the one that it extends; paths are those of the file."""
    service = project.service(path, name)
    entry = service.members.get("extends") if service is not None else None
    if service is None or entry is None:
        return service
    own = without(service, "extends")
    key = f"{path}\n{name}"
    if key in below or len(below) >= MAX_DEPTH:
        why = "leads to itself" if key in below else f"extends more than {MAX_DEPTH} services"
        project.skip("too-deep", f"the service {name} {why}", place(entry.key))
        return own
    found = _base(project, path, entry.value, (*below, key))
    if found is None:
        return own
    for tag in (*project.tags(path).overrides, *project.tags(path).resets):
        if tag[:2] == ("services", name):
            found = without_path(found, tag[2:])
    whole = project.merger.merged(found, own)
    return whole if isinstance(whole, Table) else own


def _base(project: Project, path: str, entry: Data, below: tuple[str, ...]) -> Data | None:
    name = entry.get("service") if isinstance(entry, Table) else entry
    if not isinstance(name, Leaf):
        return None
    file = entry.get("file") if isinstance(entry, Table) else None
    where: str | None = path
    if isinstance(file, Leaf):
        where = project.target(posixpath.dirname(path), file)
    found = extended(project, where, name.text, below) if where is not None else None
    if where is not None and found is None:
        project.skip("unreadable", f"{where} has no service {name.text}", place(name))
    if found is None or where is None:
        return None
    return rebased(found, posixpath.dirname(where), posixpath.dirname(path))


def rebased(service: Table, before: str, after: str) -> Table:
    """A service whose paths begin in another directory: builds and files of variables."""
    if before == after:
        return service
    build = service.members.get("build")
    if build is not None:
        value = build.value
        if isinstance(value, Leaf):
            value = _moved(value, before, after)
        elif isinstance(value, Table):
            context = value.get("context")
            if isinstance(context, Leaf):
                key = value.members["context"].key
                value = with_member(value, key, _moved(context, before, after))
        service = with_member(service, build.key, value)
    files = service.members.get("env_file")
    if files is None:
        return service
    moved = tuple(_moved_file(item, before, after) for item in _items(files.value))
    return with_member(service, files.key, moved)


def _moved_file(item: Data, before: str, after: str) -> Data:
    if isinstance(item, Leaf):
        return _moved(item, before, after)
    path = item.get("path") if isinstance(item, Table) else None
    if not isinstance(path, Leaf) or not isinstance(item, Table):
        return item
    return with_member(item, item.members["path"].key, _moved(path, before, after))


def _moved(leaf: Leaf, before: str, after: str) -> Leaf:
    text = leaf.text
    if leaf.is_null or text.startswith(("/", "~", "$")) or ":" in text:
        return leaf
    whole = posixpath.normpath(posixpath.join(before, text))
    return made(posixpath.relpath(whole or ".", after or "."), place(leaf), style='"')


def _items(data: Data) -> tuple[Data, ...]:
    return data if isinstance(data, tuple) else (data,)


# -- variables --------------------------------------------------------------------------------


def with_variables(project: Project, service: Table, directory: str) -> Table:
    """A service whose environment holds what its ``env_file`` says.

    A file that is not here leaves the field, so that its reader knows that any name may be set.
    """
    own = service.members.get("environment")
    given = _given(own.value) if own is not None else Table({})
    if own is not None and given is not None:
        service = with_member(service, own.key, given)
    files = service.members.get("env_file")
    if files is None or given is None:
        return service
    members: dict[str, Member] = {}
    left: list[Data] = []
    for item in _items(files.value):
        path = _file(project, item, directory)
        if path is None:
            left.append(item)
        else:
            members.update(_lines(path, project.files.text(path) or ""))
    key = own.key if own is not None else made("environment", place(files.key))
    whole = with_member(service, key, Table({**members, **given.members}))
    return with_member(whole, files.key, tuple(left)) if left else without(whole, "env_file")


def _given(environment: Data) -> Table | None:
    """The variables of ``environment``; a name without a value is handed on from outside."""
    table = pairs(environment)
    if not isinstance(table, Table):
        return None
    members = dict(table.members)
    for name, member in table.members.items():
        if isinstance(member.value, Leaf) and member.value.is_null:
            outer = made(f"${{{name}}}", place(member.key), style='"')
            members[name] = Member(member.key, outer)
    return Table(members)


def _file(project: Project, item: Data, directory: str) -> str | None:
    leaf = item.get("path") if isinstance(item, Table) else item
    if not isinstance(leaf, Leaf):
        return None
    may_miss = isinstance(item, Table) and item.text("required") == "false"
    if may_miss or "$" in leaf.text:
        return project.find(directory, leaf.text)
    return project.target(directory, leaf)


def _lines(path: str, text: str) -> Iterator[tuple[str, Member]]:
    source = Source(path, text, "text", Route(path))
    for match in _LINE.finditer(text):
        group = next(name for name in ("double", "single", "bare") if match[name] is not None)
        key = Leaf(source.slice(*match.span("name"), "text"), '"')
        value = Leaf(source.slice(*match.span(group), "text"), '"')
        yield match["name"], Member(key, value)
