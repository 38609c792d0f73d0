"""Names, namespaces and labels that a kustomization gives: later patches ask for them."""

from __future__ import annotations

from servelint.readers.kustomize.references import renamed_together
from servelint.readers.kustomize.resource import with_labels, with_metadata
from servelint.syntax.weave import Weaver
from servelint.syntax.yaml_data import Leaf, Table
from servelint.syntax.yaml_edit import place, put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.readers.kustomize.project import Kustomization, Project
    from servelint.readers.kustomize.resource import Resource

Resources = tuple["Resource", ...]

_NOT_RENAMED = frozenset({"Namespace", "CustomResourceDefinition", "APIService"})
_LABELS = (("commonLabels", "labels"), ("commonAnnotations", "annotations"))


def with_names_and_labels(project: Project, owner: Kustomization, found: Resources) -> Resources:
    """The resources with the namespace, prefix, suffix and labels of a kustomization."""
    data = owner.data
    namespace, prefix, suffix = (
        leaf if isinstance(leaf := data.get(key), Leaf) and leaf.text and not leaf.is_null else None
        for key in ("namespace", "namePrefix", "nameSuffix")
    )
    if (namespace or prefix or suffix) and project.spend(2 * len(found), place(data)):
        named = tuple(_named(one, namespace, prefix, suffix) for one in found)
        found = renamed_together(found, named)
    for key, labels in _labels(owner):
        if project.spend(len(found), place(labels)):
            found = tuple(one.labelled(with_labels(one.data, key, labels)) for one in found)
    return found


def _labels(owner: Kustomization) -> tuple[tuple[str, Table], ...]:
    pairs = [(key, owner.data.get(field)) for field, key in _LABELS]
    pairs += [
        ("labels", entry.get("pairs"))
        for entry in owner.items("labels")
        if isinstance(entry, Table)
    ]
    return tuple((key, labels) for key, labels in pairs if isinstance(labels, Table))


def _named(
    resource: Resource, namespace: Leaf | None, prefix: Leaf | None, suffix: Leaf | None
) -> Resource:
    data = resource.data
    if namespace is not None and resource.has_namespace:
        at = place(namespace)
        own = data.get("metadata", "namespace")
        value = put(own, namespace) if isinstance(own, Leaf) else namespace
        data = with_metadata(data, "namespace", value, at)
        resource = resource.renamed(data)
    name = data.get("metadata", "name")
    if (prefix or suffix) and isinstance(name, Leaf) and resource.kind not in _NOT_RENAMED:
        at = name.source.span(0, len(name.text))
        weaver = Weaver(at.path)
        if prefix is not None:
            weaver.put(prefix.source, at)
        weaver.take(name.source)
        if suffix is not None:
            weaver.put(suffix.source, at)
        whole = Leaf(weaver.source("text", name.source.owner), name.style, name.tag)
        resource = resource.renamed(with_metadata(data, "name", whole, at))
    return resource
