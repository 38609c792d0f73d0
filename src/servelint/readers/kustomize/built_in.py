"""Built-in transformers and generators written as files of their own, as fields of the owner."""

from __future__ import annotations

from dataclasses import replace

from servelint.syntax.yaml_data import Leaf, Member, Table
from servelint.syntax.yaml_edit import made, place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.readers.kustomize.project import Kustomization, Project
    from servelint.syntax.yaml_data import Data

FIELDS = {
    "PatchTransformer": ("patches", ""),
    "PatchStrategicMergeTransformer": ("patchesStrategicMerge", "paths"),
    "PatchJson6902Transformer": ("patchesJson6902", ""),
    "ImageTagTransformer": ("images", "imageTag"),
    "ReplacementTransformer": ("replacements", "replacements"),
}
"""Kind -> the field of a kustomization that says the same, and where its entry stands."""

HARMLESS = frozenset(
    {
        *("LabelTransformer", "AnnotationsTransformer", "ReplicaCountTransformer"),
        *("NamespaceTransformer", "HashTransformer", "PrefixSuffixTransformer"),
        *("PrefixTransformer", "SuffixTransformer", "IAMPolicyGenerator"),
    }
)
"""Built-in kinds that change no image and no command."""


def with_built_ins(project: Project, owner: Kustomization) -> Kustomization:
    """The kustomization with what its transformers say in its own fields, as far as they can.

    Charts and programs of others are told in the skips of the project.
    """
    lists: dict[str, tuple[Data, ...]] = {}
    for entry in _transformers(project, owner):
        kind = entry.text("kind") or ""
        if entry.text("apiVersion") == "builtin" and kind in FIELDS:
            field, inner = FIELDS[kind]
            value = entry.get(inner) if inner else entry
            more = value if isinstance(value, tuple) else (value,) if value is not None else ()
            lists[field] = lists.get(field, owner.items(field)) + more
        elif entry.text("apiVersion") != "builtin" or kind not in HARMLESS:
            named = kind or "a transformer without a kind"
            detail = f"{named} is carried out by kustomize only: what it changes is not known"
            project.skip("template", detail, place(entry))
    _charts(project, owner)
    if not lists:
        return owner
    at = place(owner.data)
    more_members = {field: Member(made(field, at), items) for field, items in lists.items()}
    return replace(owner, data=Table({**owner.data.members, **more_members}))


def _transformers(project: Project, owner: Kustomization) -> Iterator[Table]:
    for entry in owner.items("transformers", "generators"):
        if not isinstance(entry, Leaf):
            continue
        is_inline = "\n" in entry.text
        found = project.inline(entry) if is_inline else _documents(project, owner, entry)
        yield from (data for _, data in found if isinstance(data, Table))


def _documents(project: Project, owner: Kustomization, entry: Leaf) -> tuple[tuple[int, Data], ...]:
    path = project.target(owner, entry)
    below = project.kustomization(path) if path is not None else None
    if path is None:
        return ()
    if below is None:
        return project.documents(path)
    entries = (one for one in below.items("resources") if isinstance(one, Leaf))
    paths = (project.target(below, one) for one in entries)
    return tuple(found for one in paths if one is not None for found in project.documents(one))


def _charts(project: Project, owner: Kustomization) -> None:
    for field in ("helmCharts", "helmChartInflationGenerator"):
        for entry in owner.items(field):
            if isinstance(entry, Table):
                name = entry.text("name") or entry.text("chartName") or "without a name"
                is_remote = bool(entry.text("repo") or entry.text("chartRepo"))
                detail = f"the chart {name} is not rendered here"
                project.skip("remote" if is_remote else "template", detail, place(entry))
