"""ConfigMaps and Secrets that a kustomization makes of files and literals."""

from __future__ import annotations

import re

from servelint.readers.kustomize.resource import Resource, resource_of
from servelint.source import Route, Source
from servelint.syntax.yaml_data import Leaf, Member, Table
from servelint.syntax.yaml_edit import made, place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.readers.kustomize.project import Kustomization, Project
    from servelint.source import Span
    from servelint.syntax.yaml_data import Data

KINDS = {"configMapGenerator": "ConfigMap", "secretGenerator": "Secret"}

_LINE = re.compile(r"^[ \t]*(?P<key>[\w.-]+)=(?P<value>[^\r\n]*)", re.MULTILINE | re.ASCII)


def generated(
    project: Project, owner: Kustomization, kind: str, entry: Data, number: int
) -> Resource | None:
    """The object that one generator makes; ``number`` tells it from others of the file.

    None also for one with a file of variables that is not here: it may set any.
    """
    if not isinstance(entry, Table) or not entry.text("name"):
        return None
    at = place(entry)
    texts = tuple(_texts(project, owner, entry))
    if any(not key and project.find(owner, path) is None for key, _, path in files_of(entry)):
        return None
    members = {key.text: Member(key, text) for key, text in texts}
    metadata = {
        key: Member(made(key, at), value)
        for key in ("name", "namespace")
        if isinstance(value := entry.get(key), Leaf)
    }
    fields: dict[str, Data] = {
        "apiVersion": made("v1", at),
        "kind": made(kind, at),
        "metadata": Table(metadata),
        "data" if kind == "ConfigMap" else "stringData": Table(members),
    }
    table = Table({key: Member(made(key, at), value) for key, value in fields.items()})
    return resource_of(table, owner.path, number)


def files_of(entry: Data) -> Iterator[tuple[str, Leaf, str]]:
    """Key, place and path of each file that a generator takes; no key for files of variables."""
    if not isinstance(entry, Table):
        return
    for leaf in _leaves(entry.get("files")):
        key, equals, path = leaf.text.rpartition("=")
        yield (key if equals else path.rpartition("/")[2]), leaf, path
    for leaf in (*_leaves(entry.get("envs")), *_leaves(entry.get("env"))):
        yield "", leaf, leaf.text


def with_generated(
    found: tuple[Resource, ...], new: Resource, behavior: str
) -> tuple[Resource, ...]:
    """The resources with a generated one: new, or laid over or put for the one of its name."""
    if behavior not in ("merge", "replace"):
        return (*found, new)
    mine = [one for one in found if one.has_id(new)]
    if not mine:
        return (*found, new)
    key = "data" if new.kind == "ConfigMap" else "stringData"
    table = _laid_over(mine[0].data, new.data, key, is_merge=behavior == "merge")
    return tuple(one.with_data(table) if one is mine[0] else one for one in found)


def _laid_over(base: Table, new: Table, key: str, *, is_merge: bool) -> Table:
    own, over = base.get(key), new.members[key]
    members = own.members if isinstance(own, Table) and is_merge else {}
    more = over.value.members if isinstance(over.value, Table) else {}
    return Table({**base.members, key: Member(over.key, Table({**members, **more}))})


def _texts(project: Project, owner: Kustomization, entry: Table) -> Iterator[tuple[Leaf, Leaf]]:
    for name, leaf, path in files_of(entry):
        found = project.text_of(owner, leaf, path)
        if found is None:
            continue
        source = Source(found[0], found[1], "text", Route(found[0]))
        if name:
            at = leaf.source.span(0, len(leaf.text))
            yield made(name, at), Leaf(source, "|")
        else:
            yield from _lines(source)
    for leaf in _leaves(entry.get("literals")):
        key, equals, value = leaf.text.partition("=")
        if equals and key:
            yield _slice(leaf.source, 0, len(key)), _unquoted(leaf.source, value)


def _lines(source: Source) -> Iterator[tuple[Leaf, Leaf]]:
    for line in _LINE.finditer(source.text):
        yield _slice(source, *line.span("key")), _slice(source, *line.span("value"))


def _unquoted(source: Source, value: str) -> Leaf:
    size = len(source.text)
    is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return _slice(source, size - len(value) + is_quoted, size - is_quoted)


def _slice(source: Source, start: int, end: int) -> Leaf:
    return Leaf(source.slice(start, end, "text"), '"')


def _leaves(data: Data | None) -> Iterator[Leaf]:
    if isinstance(data, Leaf):
        yield data
    elif isinstance(data, tuple):
        yield from (item for item in data if isinstance(item, Leaf))


def place_of(leaf: Leaf) -> Span:
    """Where a scalar stands."""
    return leaf.source.span(0, len(leaf.text))
