"""Patches of a kustomization: what they say, and what they say it of."""

from __future__ import annotations

from dataclasses import dataclass

from servelint.readers.kustomize.json_patch import PatchError, applied
from servelint.readers.kustomize.project import IDLE_KINDS
from servelint.readers.kustomize.resource import resource_of
from servelint.readers.kustomize.schema import schema_of
from servelint.readers.kustomize.selector import selects
from servelint.readers.kustomize.strategic import patched
from servelint.syntax.yaml_data import Leaf, Member, Table
from servelint.syntax.yaml_edit import place, without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.readers.kustomize.project import Kustomization, Project
    from servelint.readers.kustomize.resource import Resource
    from servelint.source import Span
    from servelint.syntax.yaml_data import Data

Resources = tuple["Resource", ...]

IDENTITY = ("apiVersion", "kind")
"""Fields that say what a patch is for: they change nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A partial object or a list of operations, for a ``target`` or for what it names itself."""

    body: Data
    target: Table | None
    path: str
    number: int
    at: Span


def patches_of(project: Project, owner: Kustomization) -> Iterator[Patch]:
    """Strategic merges first, as kustomize does; JSON patches with a field of their own later."""
    for entry in owner.items("patchesStrategicMerge"):
        if isinstance(entry, Leaf):
            is_inline = "\n" in entry.text or ": " in entry.text
            yield from _bodies(project, owner, entry, None, is_inline=is_inline)
    for entry in owner.items("patches"):
        yield from _entry(project, owner, entry)


def late_patches_of(project: Project, owner: Kustomization) -> Iterator[Patch]:
    """What ``patchesJson6902`` says: it is laid over what all others left."""
    for entry in owner.items("patchesJson6902"):
        yield from _entry(project, owner, entry)


def _entry(project: Project, owner: Kustomization, entry: Data) -> Iterator[Patch]:
    if not isinstance(entry, Table):
        return
    target = entry.get("target")
    for key in ("patch", "path"):
        leaf = entry.get(key)
        if isinstance(leaf, Leaf) and leaf.text.strip():
            chosen = target if isinstance(target, Table) else None
            yield from _bodies(project, owner, leaf, chosen, is_inline=key == "patch")


def _bodies(
    project: Project, owner: Kustomization, leaf: Leaf, target: Table | None, *, is_inline: bool
) -> Iterator[Patch]:
    """The documents of a patch, in a file or as a text in the kustomization itself."""
    path: str | None = owner.path
    if is_inline:
        bodies = project.inline(leaf)
    else:
        path = project.target(owner, leaf)
        bodies = project.documents(path) if path is not None else ()
    for number, body in bodies:
        yield Patch(body, target, path or owner.path, number, place(leaf))


def with_patch(project: Project, resources: Resources, patch: Patch) -> Resources:
    """The resources with one patch laid over those that it is for."""
    if not project.spend(len(resources) * _cost(patch.target), patch.at):
        return resources
    if isinstance(patch.body, tuple):
        return tuple(_operated(project, one, patch) for one in resources)
    if not isinstance(patch.body, Table):
        return resources
    if patch.target is not None:
        chosen = {id(one) for one in resources if selects(patch.target, one)}
    else:
        mine = resource_of(patch.body, patch.path, patch.number)
        if mine is None:
            return resources
        first = next((one for one in resources if one.has_id(mine)), None)
        if first is None:
            return _unmatched(project, resources, patch, mine)
        chosen = {id(first)}
    body = _anonymous(patch.body)
    return tuple(
        new
        for one in resources
        if (new := _merged(project, one, body) if id(one) in chosen else one) is not None
    )


def _cost(target: Table | None) -> int:
    """The work of comparing a target with a resource: patterns are the expensive part."""
    if target is None:
        return 1
    values = (member.value for member in target.members.values())
    texts = [value.text for value in values if isinstance(value, Leaf)]
    return 1 + sum(5 + len(text) // 10 for text in texts if not text.isalnum())


def _merged(project: Project, resource: Resource, body: Table) -> Resource | None:
    data = patched(resource.data, body, schema_of(resource, project.schema))
    return None if data is None else resource.with_data(data)


def _anonymous(body: Table) -> Table:
    """A patch without what says what it is for: a resource keeps the name that it got."""
    body = without(body, *IDENTITY)
    metadata = body.members.get("metadata")
    if metadata is None or not isinstance(metadata.value, Table):
        return body
    inner = without(metadata.value, "name", "namespace")
    return Table({**body.members, "metadata": Member(metadata.key, inner)})


def _unmatched(project: Project, resources: Resources, patch: Patch, mine: Resource) -> Resources:
    """A patch of what is not here: of a base that is not read, it is all that is known."""
    if mine.kind in IDLE_KINDS:
        return resources
    if project.skips:
        return (*resources, mine)
    named = f"{mine.kind} {mine.names[0].name}"
    project.skip("unreadable", f"there is no {named} to patch: kustomize refuses this", patch.at)
    return resources


def _operated(project: Project, resource: Resource, patch: Patch) -> Resource:
    operations = patch.body
    assert isinstance(operations, tuple)  # noqa: S101  # the caller looked
    if patch.target is None or not selects(patch.target, resource):
        return resource
    if not project.spend(len(operations), patch.at):
        return resource
    try:
        return resource.with_data(applied(resource.data, operations))
    except PatchError as error:
        span = place(operations)
        at = span if span.path else patch.at
        project.skip("syntax", f"a patch does not apply: {error}", at)
        return resource
