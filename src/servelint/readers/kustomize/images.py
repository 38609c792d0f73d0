"""Images with another name, tag or digest: what ``images:`` of a kustomization says."""

from __future__ import annotations

import re
from dataclasses import dataclass

from servelint.readers.kustomize.field_spec import FieldSpec, with_fields
from servelint.readers.kustomize.regex import matches
from servelint.syntax.weave import Weaver
from servelint.syntax.yaml_data import Leaf, Member, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.readers.kustomize.resource import Resource
    from servelint.syntax.yaml_data import Data

LISTS = ("containers", "initContainers")
"""Lists that hold images, wherever they stand."""

_TWICE = tuple(
    FieldSpec("", "", "", (*where, name, "image"))
    for where in (("spec",), ("spec", "template", "spec"))
    for name in LISTS
)
"""Where kustomize looks a second time, which shows in a suffix only."""

_REFERENCE = re.compile(
    r"(?P<name>.*?)(?P<tag>:[\w.{}-]*)?(?P<digest>@sha256:[\w.{}-]*)?", re.ASCII
)


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of the images with a ``name``."""

    name: str
    new_name: Leaf | None
    tag: Leaf | None
    digest: Leaf | None
    suffix: Leaf | None


def change_of(entry: Data) -> Change | None:
    """One item of ``images:``; None for what is none."""
    if not isinstance(entry, Table) or not entry.text("name"):
        return None

    def leaf(key: str) -> Leaf | None:
        found = entry.get(key)
        return found if isinstance(found, Leaf) and found.text and not found.is_null else None

    name = entry.text("name") or ""
    return Change(name, leaf("newName"), leaf("newTag"), leaf("digest"), leaf("tagSuffix"))


def with_images(resource: Resource, change: Change, specs: tuple[FieldSpec, ...]) -> Resource:
    """The resource with the images changed; ``specs`` are further fields that hold images."""
    if resource.kind == "CustomResourceDefinition":
        return resource
    data = _walked(resource.data, change)
    for spec in (*_TWICE, *specs) if change.suffix is not None else specs:
        if spec.is_for(resource):
            data = with_fields(data, spec.steps, lambda value: _changed(value, change))
    if data is resource.data:
        return resource
    assert isinstance(data, Table)  # noqa: S101  # what is changed keeps its shape
    return resource.with_data(data)


def _walked(data: Data, change: Change) -> Data:
    """All containers below, wherever they stand; the same data where nothing changes."""
    if isinstance(data, tuple):
        items = tuple(_walked(item, change) for item in data)
        return items if any(new is not old for new, old in zip(items, data, strict=True)) else data
    if not isinstance(data, Table):
        return data
    members: dict[str, Member] = {}
    for key, member in data.members.items():
        value = _walked(member.value, change)
        if key in LISTS and isinstance(value, tuple):
            value = _containers(value, change)
        if value is not member.value:
            members[key] = Member(member.key, value)
    return Table({**data.members, **members}) if members else data


def _containers(items: tuple[Data, ...], change: Change) -> tuple[Data, ...]:
    done = tuple(
        with_fields(item, ("image",), lambda value: _changed(value, change)) for item in items
    )
    return done if any(new is not old for new, old in zip(done, items, strict=True)) else items


def _changed(value: Data, change: Change) -> Data:
    """The image with its new parts, each of which is written in the kustomization."""
    if not isinstance(value, Leaf):
        return value
    parts = _REFERENCE.fullmatch(value.text)
    if parts is None or not matches(change.name, parts["name"]):
        return value
    at = value.source.span(0, len(value.text))
    weaver = Weaver(at.path)
    if change.new_name is not None:
        weaver.put(change.new_name.source, at)
    else:
        weaver.take(value.source.slice(0, parts.end("name"), "text"))
    for mark, name, new in ((":", "tag", change.tag), ("@", "digest", change.digest)):
        if new is not None:
            weaver.glue(mark)
            weaver.put(new.source, at)
        elif not (change.tag or change.digest) and parts[name]:
            weaver.take(value.source.slice(parts.start(name), parts.end(name), "text"))
            if name == "tag" and change.suffix is not None:
                weaver.put(change.suffix.source, at)
    return Leaf(weaver.source("text", value.source.owner), value.style, value.tag)
