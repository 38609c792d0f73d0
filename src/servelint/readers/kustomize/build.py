"""A kustomization carried out: the objects that it would deploy, each text with its place."""

from __future__ import annotations

from servelint.readers.kustomize.built_in import with_built_ins
from servelint.readers.kustomize.copies import variables, with_replacement, with_variables
from servelint.readers.kustomize.field_spec import FieldSpec, spec_of
from servelint.readers.kustomize.generate import KINDS, generated, with_generated
from servelint.readers.kustomize.images import change_of, with_images
from servelint.readers.kustomize.metadata import with_names_and_labels
from servelint.readers.kustomize.patches import late_patches_of, patches_of, with_patch
from servelint.readers.kustomize.references import with_old_names
from servelint.readers.kustomize.resource import resource_of
from servelint.syntax.yaml_data import Leaf, Table
from servelint.syntax.yaml_edit import place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.readers.kustomize.project import Kustomization, Project
    from servelint.readers.kustomize.resource import Resource
    from servelint.syntax.yaml_data import Data

Resources = tuple["Resource", ...]

MAX_DEPTH = 40
"""Kustomizations in kustomizations."""

MAX_RESOURCES = 5_000
"""Objects of one kustomization as deployed."""

BASES = ("resources", "bases")


def built(project: Project, path: str) -> Resources:
    """What the kustomization ``path`` deploys; what was left out is in ``project.skips``."""
    builder = _Builder(project)
    found = with_old_names(builder.built(path, ()))
    values = variables(found, tuple(builder.variables))
    return tuple(with_variables(one, values) for one in found)


class _Builder:
    def __init__(self, project: Project) -> None:
        self._project = project
        self._done: dict[str, Resources] = {}
        self.variables: list[Data] = []

    def built(self, path: str, above: tuple[str, ...]) -> Resources:
        """What one kustomization gives; ``above`` are those that it is part of."""
        if path not in self._done:
            owner = self._project.kustomization(path)
            self._done[path] = () if owner is None else self._accumulated(owner, (), above)
        return self._done[path]

    def _accumulated(
        self, owner: Kustomization, found: Resources, above: tuple[str, ...]
    ) -> Resources:
        """Resources, generated ones, components, then all that changes them: kustomize's order."""
        above = (*above, owner.path)
        self._take_schema(owner)
        for entry in owner.items(*BASES):
            found = self._with_entry(owner, entry, found, above)
        found = self._with_generated(owner, found)
        for entry in owner.items("components"):
            found = self._with_component(owner, entry, found, above)
        self.variables.extend(owner.items("vars"))
        return self._changed(with_built_ins(self._project, owner), found)

    def _take_schema(self, owner: Kustomization) -> None:
        """The first schema that is met counts for all that follows, wherever it stands."""
        leaf = owner.data.get("openapi", "path")
        if self._project.schema is None and isinstance(leaf, Leaf):
            path = self._project.target(owner, leaf)
            documents = self._project.documents(path) if path is not None else ()
            found = next((data for _, data in documents), None)
            self._project.schema = found if isinstance(found, Table) else None

    def _reached(self, owner: Kustomization, entry: Data, above: tuple[str, ...]) -> str | None:
        """What an entry names, if it is there and not too far."""
        if not isinstance(entry, Leaf):
            return None
        target = self._project.target(owner, entry)
        return None if target is None or self._is_too_far(entry, target, above) else target

    def _with_entry(
        self, owner: Kustomization, entry: Data, found: Resources, above: tuple[str, ...]
    ) -> Resources:
        target = self._reached(owner, entry, above)
        if target is None:
            return found
        below = self._project.kustomization(target)
        if below is not None:
            more = self.built(target, above)
        else:
            more = tuple(_objects(self._project, target))
        if len(found) + len(more) > MAX_RESOURCES:
            detail = f"more than {MAX_RESOURCES:,} objects: the rest is left out"
            self._project.skip("too-large", detail, place(entry))
            return found
        known = {one.id for one in found}
        return found + tuple(one for one in more if one.id not in known)

    def _with_component(
        self, owner: Kustomization, entry: Data, found: Resources, above: tuple[str, ...]
    ) -> Resources:
        target = self._reached(owner, entry, above)
        component = self._project.kustomization(target) if target is not None else None
        if component is None or not self._project.spend(1 + len(found) // 10, place(entry)):
            return found
        return self._accumulated(component, found, above)

    def _is_too_far(self, entry: Leaf, target: str, above: tuple[str, ...]) -> bool:
        if target in above:
            self._project.skip("too-deep", f"{target} leads to itself", place(entry))
        elif len(above) >= MAX_DEPTH:
            detail = f"more than {MAX_DEPTH} kustomizations deep: not followed"
            self._project.skip("too-deep", detail, place(entry))
        else:
            return False
        return True

    def _with_generated(self, owner: Kustomization, found: Resources) -> Resources:
        for field, kind in KINDS.items():
            for number, entry in enumerate(owner.items(field)):
                new = generated(self._project, owner, kind, entry, number)
                if new is not None and self._project.spend(1 + len(found) // 10, place(entry)):
                    behavior = entry.text("behavior") if isinstance(entry, Table) else None
                    found = with_generated(found, new, behavior or "")
        return found

    def _changed(self, owner: Kustomization, found: Resources) -> Resources:
        project = self._project
        for patch in patches_of(project, owner):
            found = with_patch(project, found, patch)
        found = with_names_and_labels(project, owner, found)
        for patch in late_patches_of(project, owner):
            found = with_patch(project, found, patch)
        specs = tuple(_image_fields(project, owner))
        for entry in owner.items("images"):
            change = change_of(entry)
            if change is not None and project.spend(len(found) * (1 + len(specs)), place(entry)):
                found = tuple(with_images(one, change, specs) for one in found)
        for entry in _replacements(project, owner):
            found = with_replacement(project, found, entry)
        return found


def _objects(project: Project, path: str) -> Iterator[Resource]:
    """The objects of a file, those of lists one by one."""
    documents = project.documents(path)
    is_whole = len(documents) == 1 and project.is_single(path)
    for number, data in documents:
        items = data.get("items") if isinstance(data, Table) else None
        is_list = isinstance(data, Table) and (data.text("kind") or "").endswith("List")
        for one in items if is_list and isinstance(items, tuple) else (data,):
            is_changed = not is_whole or one is not data
            resource = resource_of(one, path, number, is_changed=is_changed)
            if resource is not None:
                yield resource


def _image_fields(project: Project, owner: Kustomization) -> Iterator[FieldSpec]:
    """Further fields that hold images, from ``configurations``."""
    for data in _taken(project, owner, "configurations"):
        entries = data.get("images") if isinstance(data, Table) else None
        for entry in entries if isinstance(entries, tuple) else ():
            spec = spec_of(entry)
            if spec is not None:
                yield spec


def _taken(project: Project, owner: Kustomization, field: str) -> Iterator[Data]:
    for entry in owner.items(field):
        path = project.target(owner, entry) if isinstance(entry, Leaf) else None
        if path is not None:
            yield from (data for _, data in project.documents(path))


def _replacements(project: Project, owner: Kustomization) -> Iterator[Data]:
    """The entries of ``replacements``, those of files that it names included."""
    for entry in owner.items("replacements"):
        leaf = entry.get("path") if isinstance(entry, Table) else None
        if not isinstance(leaf, Leaf):
            yield entry
            continue
        path = project.target(owner, leaf)
        for _, data in project.documents(path) if path is not None else ():
            yield from data if isinstance(data, tuple) else (data,)
