"""Names of ConfigMaps where pods use them: they follow when a kustomization renames those."""

from __future__ import annotations

from servelint.syntax.yaml_data import Leaf, Member, Table
from servelint.syntax.yaml_edit import put, with_member

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from servelint.readers.kustomize.resource import Resource
    from servelint.syntax.yaml_data import Data

Resources = tuple["Resource", ...]

KIND = "ConfigMap"

_KEYS = frozenset({"configMap", "configMapRef", "configMapKeyRef"})
"""Mappings that name a ConfigMap."""


def renamed_together(before: Resources, after: Resources) -> Resources:
    """The resources after a renaming of all, with the references of one to another renamed."""
    names: dict[str, Leaf] = {}
    for old, new in zip(before, after, strict=True):
        leaf = new.data.get("metadata", "name")
        if old.kind == KIND and old.names[-1] != new.names[-1] and isinstance(leaf, Leaf):
            names[old.names[-1].name] = leaf
    return tuple(_with_names(one, names) for one in after) if names else after


def with_old_names(found: Resources) -> Resources:
    """The resources, with references to a name that a ConfigMap once had made to its last one."""
    present = {one.names[-1].name for one in found if one.kind == KIND}
    names: dict[str, Leaf] = {}
    for one in found:
        leaf = one.data.get("metadata", "name")
        if one.kind == KIND and isinstance(leaf, Leaf):
            names.update((old.name, leaf) for old in one.names if old.name not in present)
    return tuple(_with_names(one, names) for one in found) if names else found


def _with_names(resource: Resource, names: Mapping[str, Leaf]) -> Resource:
    data = _walked(resource.data, names)
    return resource.with_data(data) if isinstance(data, Table) else resource


def _walked(data: Data, names: Mapping[str, Leaf]) -> Data:
    if isinstance(data, tuple):
        return tuple(_walked(item, names) for item in data)
    if not isinstance(data, Table):
        return data
    members = {}
    for key, member in data.members.items():
        value = _walked(member.value, names)
        if key in _KEYS and isinstance(value, Table):
            value = _named(value, names)
        members[key] = Member(member.key, value)
    return Table(members)


def _named(data: Table, names: Mapping[str, Leaf]) -> Table:
    own = data.members.get("name")
    new = names.get(own.value.text) if own and isinstance(own.value, Leaf) else None
    if own is None or new is None or not isinstance(own.value, Leaf):
        return data
    return with_member(data, own.key, put(own.value, new))
