"""Which lists of an object merge item by item, and by which key."""

from __future__ import annotations

from dataclasses import dataclass

from servelint.syntax.yaml_data import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.readers.kustomize.resource import Resource
    from servelint.syntax.yaml_data import Data

KEYS = {
    "containers": ("name",),
    "initContainers": ("name",),
    "ephemeralContainers": ("name",),
    "env": ("name",),
    "ports": ("containerPort", "port"),
    "volumes": ("name",),
    "volumeMounts": ("mountPath",),
    "volumeDevices": ("devicePath",),
    "imagePullSecrets": ("name",),
    "hostAliases": ("ip",),
    "topologySpreadConstraints": ("topologyKey",),
    "resourceClaims": ("name",),
    "schedulingGates": ("name",),
    "secrets": ("name",),
}
"""Lists that merge in what Kubernetes itself knows, by their names."""

MAX_REFERENCES = 10
"""Definitions that only refer to another one."""


@dataclass(frozen=True, slots=True, eq=False)
class Schema:
    """What is known of an object or a part of it; ``is_built_in`` lists go by :data:`KEYS`.

    Without ``node``, a part of an OpenAPI document ``root``, nothing is known.
    """

    is_built_in: bool = False
    node: Table | None = None
    root: Table | None = None

    def keys(self, field: str) -> tuple[str, ...]:
        """The keys by which the list in a field merges; none for one that is replaced."""
        if self.is_built_in:
            return KEYS.get(field, ())
        found = self._property(field)
        if found is None or "merge" not in (found.text("x-kubernetes-patch-strategy") or ""):
            return ()
        key = found.text("x-kubernetes-patch-merge-key")
        return (key,) if key else ()

    def below(self, field: str) -> Schema:
        """What is known of the value of a field, or of the items of a list in it."""
        if self.is_built_in:
            return self
        node = self._property(field)
        items = node.get("items") if node is not None else None
        if isinstance(items, Table):
            node = self._resolved(items)
        return Schema(node=node, root=self.root) if node is not None else NOTHING

    def _property(self, field: str) -> Table | None:
        if self.node is None:
            return None
        found = self.node.get("properties", field)
        if found is None:
            found = self.node.get("additionalProperties")
        return self._resolved(found)

    def _resolved(self, found: Data | None) -> Table | None:
        for _ in range(MAX_REFERENCES):
            if not isinstance(found, Table):
                return None
            reference = found.text("$ref")
            if reference is None or self.root is None:
                return found
            found = self.root.get("definitions", reference.removeprefix("#/definitions/"))
        return None


NOTHING = Schema()
BUILT_IN = Schema(is_built_in=True)


def schema_of(resource: Resource, document: Table | None) -> Schema:
    """What is known of a resource, of an OpenAPI ``document`` or else of Kubernetes itself."""
    if document is None:
        return BUILT_IN if resource.is_built_in else NOTHING
    definitions = document.get("definitions")
    own = (resource.group, resource.version, resource.kind)
    for member in definitions.members.values() if isinstance(definitions, Table) else ():
        if isinstance(member.value, Table) and own in _kinds(member.value):
            return Schema(node=member.value, root=document)
    return NOTHING


def _kinds(definition: Table) -> tuple[tuple[str, str, str], ...]:
    found = definition.get("x-kubernetes-group-version-kind")
    return tuple(
        (item.text("group") or "", item.text("version") or "", item.text("kind") or "")
        for item in (found if isinstance(found, tuple) else ())
        if isinstance(item, Table)
    )
