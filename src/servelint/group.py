"""From components to deployments: which talk to each other, and by which key that was told."""

from __future__ import annotations

import re
from collections import defaultdict

from servelint.deployment import Component, Deployment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

HALVES = ("prefill", "decode")
_ROLE_WORD = re.compile(r"prefill(?:er)?|decoder?|(?<![a-z])[pd](?![a-z])")


def is_half(component: Component) -> bool:
    """True for one half of a disaggregated pair, or what may be one."""
    return component.role in (*HALVES, "both", "unknown")


def deployments(components: Sequence[Component]) -> tuple[Deployment, ...]:
    """All components, grouped; each stands in exactly one deployment.

    Halves and routers of one engine in one file belong together; a server of no pair
    stands alone. Files with one role each pair within a directory when the choice is
    forced: one candidate of each role, or names equal but for the role word.
    """
    by_file: dict[tuple[str, str, str], list[Component]] = defaultdict(list)
    alone: list[Deployment] = []
    for component in components:
        if is_half(component) or component.kind == "router":
            by_file[_file(component), component.variant, component.engine.id].append(component)
        else:
            alone.append(Deployment((component,), ()))
    groups = [Deployment(tuple(group), _file_link(group)) for group in by_file.values()]
    return (*_paired(groups), *alone)


def _file_link(group: Sequence[Component]) -> tuple[str, ...]:
    return (f"file {_file(group[0])}",) if len(group) > 1 else ()


def _file(component: Component) -> str:
    """The file in which a component stands: a kustomization deploys many that are independent.

    A chart is one release, however many templates it has.
    """
    unit, steps = component.owner.unit, component.owner.steps
    name = unit.rpartition("/")[2].lower()
    if name.startswith("kustomization") and len(steps) > 1 and isinstance(steps[1], str):
        return steps[1]
    return unit


def _paired(groups: Sequence[Deployment]) -> Iterable[Deployment]:
    """Join single-role files of a directory where only one way is possible."""
    halves: dict[tuple[str, str, str], dict[str, list[Deployment]]] = defaultdict(
        lambda: {role: [] for role in HALVES}
    )
    for group in groups:
        role = _only_role(group)
        if role:
            first = group.components[0]
            halves[_directory(group), first.variant, first.engine.id][role].append(group)
    mate: dict[int, Deployment] = {}
    for roles in halves.values():
        for prefill, decode in _pairs(roles["prefill"], roles["decode"]):
            mate[id(prefill)], mate[id(decode)] = decode, prefill
    for group in groups:
        other = mate.get(id(group))
        if other is None:
            yield group
        elif _only_role(group) == "prefill":
            link = f"directory {_directory(group) or '.'}"
            links = (*group.links, *other.links, link)
            yield Deployment(group.components + other.components, links)


def _pairs(
    prefills: Sequence[Deployment], decodes: Sequence[Deployment]
) -> Iterable[tuple[Deployment, Deployment]]:
    if len(prefills) == len(decodes) == 1:
        yield prefills[0], decodes[0]
        return
    by_name: dict[str, list[Deployment]] = defaultdict(list)
    for decode in decodes:
        by_name[_neutral(decode)].append(decode)
    names = [_neutral(prefill) for prefill in prefills]
    for prefill, name in zip(prefills, names, strict=True):
        if names.count(name) == 1 and len(by_name[name]) == 1:
            yield prefill, by_name[name][0]


def _only_role(group: Deployment) -> str:
    if any(component.owner.on_page for component in group.components):
        return ""  # what a guide shows is whole in itself, or shown in parts
    roles = {component.role for component in group.components if component.kind != "router"}
    return next(iter(roles)) if len(roles) == 1 and roles <= set(HALVES) else ""


def _directory(group: Deployment) -> str:
    return group.components[0].owner.unit.rpartition("/")[0]


def _neutral(group: Deployment) -> str:
    """The name of a file without the word that tells its role."""
    return _ROLE_WORD.sub("*", _file(group.components[0]).rpartition("/")[2].lower())
