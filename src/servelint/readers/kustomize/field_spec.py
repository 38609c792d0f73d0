"""Fields named by a path, as configurations of kustomize name them: ``spec/jobs[]/image``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from servelint.syntax.yaml_data import Leaf, Table
from servelint.syntax.yaml_edit import with_member

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from servelint.readers.kustomize.resource import Resource
    from servelint.syntax.yaml_data import Data

MAX_STEPS = 100
"""Names in one path."""

_SLASH = re.compile(r"(?<!\\)/")


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """A field of the resources of a kind; empty group, version and kind mean any."""

    group: str
    version: str
    kind: str
    steps: tuple[str, ...]

    def is_for(self, resource: Resource) -> bool:
        """True when resources of its kind have the field."""
        wanted = (self.group, self.version, self.kind)
        own = (resource.group, resource.version, resource.kind)
        return all(not want or want == have for want, have in zip(wanted, own, strict=True))


def spec_of(entry: Data) -> FieldSpec | None:
    """One item of a list of field specifications; None for what is none."""
    if not isinstance(entry, Table) or not entry.text("path"):
        return None
    steps = _SLASH.split((entry.text("path") or "").strip("/"))
    if len(steps) > MAX_STEPS:
        return None
    clean = tuple(step.replace("\\/", "/").removesuffix("[]") for step in steps)
    group, version, kind = (entry.text(key) or "" for key in ("group", "version", "kind"))
    return FieldSpec(group, version, kind, clean)


def with_fields(data: Data, steps: tuple[str, ...], change: Callable[[Data], Data]) -> Data:
    """The data with what stands at a path changed, in every item of the lists on the way."""
    if not steps:
        return change(data)
    if isinstance(data, tuple):
        items = tuple(with_fields(item, steps, change) for item in data)
        return items if any(new is not old for new, old in zip(items, data, strict=True)) else data
    if isinstance(data, Leaf) or steps[0] not in data.members:
        return data
    member = data.members[steps[0]]
    value = with_fields(member.value, steps[1:], change)
    return data if value is member.value else with_member(data, member.key, value)
