"""Kustomizations: bases, overlays, patches and images as they would be deployed.

What is read are the objects that come out, woven of the texts of all files that they come from.
A kustomization that another one uses, and a component, are not deployed by themselves.
"""

from __future__ import annotations

from dataclasses import replace

from servelint.readers.kustomize.build import built
from servelint.readers.kustomize.project import NAMES, Project
from servelint.readers.kustomize.reach import Reach
from servelint.source import Route
from servelint.syntax.weave import Weaver
from servelint.syntax.yaml_data import write
from servelint.syntax.yaml_edit import place, size
from servelint.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.finding import Skip
    from servelint.readers.kustomize.project import Kustomization
    from servelint.readers.kustomize.resource import Resource
    from servelint.source import Source
    from servelint.unit import Files

KIND = "kustomize"

MAX_KUSTOMIZATIONS = 2_000
"""Kustomizations of one root; of more, those that come first by name are read."""

MAX_TEXT = 20_000_000
"""Characters of all objects that one kustomization deploys."""


def units(files: Files) -> Iterator[Unit]:
    """The kustomizations that would be deployed and that hold or use a relevant file."""
    if not files.relevant:
        return
    paths = [path for path in files.names if path.rpartition("/")[2] in NAMES]
    reach = Reach(Project(files), paths[:MAX_KUSTOMIZATIONS])
    for path, reached in reach.deployed():
        if not files.relevant.isdisjoint(reached):
            yield Unit(KIND, path, tuple(sorted(reached)))


def read_unit(unit: Unit, files: Files) -> Iterator[Source | Skip]:
    """The objects of one kustomization, and what could not be told of them."""
    project = Project(files)
    owner = project.kustomization(unit.path)
    if owner is not None and owner.is_component:
        detail = "no kustomization here uses this component: it is not judged"
        project.skip("template", detail, place(owner.data))
    elif owner is not None:
        yield from _written(project, unit, owner)
    yield from project.skips


def _written(project: Project, unit: Unit, owner: Kustomization) -> Iterator[Source]:
    variant = _variant(unit, owner)
    seen: dict[tuple[str, int], int] = {}
    left = MAX_TEXT
    for resource in built(project, unit.path):
        left -= size(resource.data, left)
        if left < 0:
            detail = f"more than {MAX_TEXT:,} characters are deployed: the rest is left out"
            project.skip("too-large", detail, place(owner.data))
            return
        at = (resource.path, resource.number)
        seen[at] = seen.get(at, 0) + 1
        again = (seen[at],) if seen[at] > 1 else ()
        route = Route(unit.path, (variant, resource.path, resource.number, *again))
        if resource.is_changed:
            yield _woven(resource, route, variant)
        else:
            yield replace(project.source(resource.path), owner=route, variant=variant)


def _woven(resource: Resource, route: Route, variant: str) -> Source:
    weaver = Weaver(resource.path)
    write(weaver, resource.data)
    return weaver.source("yaml", route, variant)


def _variant(unit: Unit, owner: Kustomization) -> str:
    """The directory of an overlay; nothing for a kustomization of plain files below it."""
    inside = f"{owner.directory}/" if owner.directory else ""
    others = (path for path in unit.files if path != unit.path)
    is_overlay = any(
        path.rpartition("/")[2] in NAMES or not path.startswith(inside) for path in others
    )
    return (owner.directory or ".") if is_overlay else ""
