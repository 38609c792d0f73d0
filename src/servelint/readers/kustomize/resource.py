"""One Kubernetes object on its way through kustomizations."""

from __future__ import annotations

from dataclasses import dataclass, replace

from servelint.syntax.yaml_data import Leaf, Table
from servelint.syntax.yaml_edit import made, place, with_member

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.source import Span
    from servelint.syntax.yaml_data import Data

BUILT_IN = frozenset(
    {
        *(("", "v1", kind) for kind in ("Pod", "PodTemplate", "ReplicationController", "Service")),
        *(("", "v1", kind) for kind in ("ConfigMap", "Secret", "ServiceAccount", "Namespace")),
        *(("apps", "v1", kind) for kind in ("Deployment", "StatefulSet", "DaemonSet")),
        ("apps", "v1", "ReplicaSet"),
        *(("batch", "v1", kind) for kind in ("Job", "CronJob")),
        ("batch", "v1beta1", "CronJob"),
    }
)
"""Group, version and kind of what Kubernetes itself knows, as far as containers are in it.

The lists of these are merged by key; those of all others are replaced, as kustomize does where it
has no schema.
"""

_EVERYWHERE = "_cluster_"
_NO_NAMESPACE = frozenset(
    {
        *("Namespace", "ClusterRole", "ClusterRoleBinding", "CustomResourceDefinition"),
        *("PersistentVolume", "StorageClass", "PriorityClass", "IngressClass", "RuntimeClass"),
    }
)


@dataclass(frozen=True, slots=True)
class Name:
    """A name that a resource has or had, in its namespace (empty for the default one)."""

    namespace: str
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Resource:
    """An object of document ``number`` of ``path``.

    ``names`` are all that it had, the first and the present one included: a patch may mean any.
    ``is_changed`` says that its file alone does not tell what it is, but for its name and labels.
    """

    data: Table
    path: str
    number: int
    group: str
    version: str
    kind: str
    names: tuple[Name, ...]
    is_changed: bool = False

    @property
    def is_built_in(self) -> bool:
        """True when kustomize knows which of its lists merge by key."""
        return (self.group, self.version, self.kind) in BUILT_IN

    @property
    def id(self) -> tuple[str, str, str, Name]:
        """What no two objects of a kustomization share: kustomize refuses the second."""
        return (self.group, self.version, self.kind, self.names[-1])

    @property
    def has_namespace(self) -> bool:
        """False for what belongs to the whole cluster."""
        return self.kind not in _NO_NAMESPACE

    def has_id(self, other: Resource) -> bool:
        """True when ``other`` says that it is, or patches, this one."""
        mine = (self.group, self.version, self.kind)
        return mine == (other.group, other.version, other.kind) and any(
            name.name == other.names[0].name
            and namespace_of(self, name) == namespace_of(other, other.names[0])
            for name in self.names
        )

    def with_data(self, data: Table) -> Resource:
        """The resource with other content; what it is called stays."""
        return replace(self, data=data, is_changed=True)

    def labelled(self, data: Table) -> Resource:
        """The resource with other labels: nothing that runs is another for them."""
        return replace(self, data=data)

    def renamed(self, data: Table) -> Resource:
        """The resource with other content that may give it another name or namespace."""
        name = _name(data)
        names = self.names if name in self.names[-1:] else (*self.names, name)
        is_changed = self.is_changed or self.kind == "ConfigMap"  # pods find it by its name
        return replace(self, data=data, names=names, is_changed=is_changed)


def namespace_of(resource: Resource, name: Name) -> str:
    """The namespace in which a name counts."""
    if not resource.has_namespace:
        return _EVERYWHERE
    return name.namespace or "default"


def resource_of(
    data: Data | None, path: str, number: int, *, is_changed: bool = True
) -> Resource | None:
    """The resource that a document describes; None for what is no object with a kind."""
    if not isinstance(data, Table):
        return None
    kind = data.text("kind")
    if not kind:
        return None
    group, _, version = (data.text("apiVersion") or "").rpartition("/")
    return Resource(data, path, number, group, version, kind, (_name(data),), is_changed)


def _name(data: Table) -> Name:
    return Name(data.text("metadata", "namespace") or "", data.text("metadata", "name") or "")


def with_metadata(data: Table, key: str, value: Leaf, at: Span) -> Table:
    """The object with one field of its metadata set."""
    metadata = data.get("metadata")
    inner = metadata if isinstance(metadata, Table) else Table({})
    inner = with_member(inner, made(key, at), value)
    return with_member(data, made("metadata", at), inner)


def with_labels(data: Table, key: str, labels: Table) -> Table:
    """The object with more labels or annotations (``key``) in its metadata."""
    at = place(labels)
    metadata = data.get("metadata")
    inner = metadata if isinstance(metadata, Table) else Table({})
    own = inner.get(key)
    members = own.members if isinstance(own, Table) else {}
    inner = with_member(inner, made(key, at), Table({**members, **labels.members}))
    return with_member(data, made("metadata", at), inner)
