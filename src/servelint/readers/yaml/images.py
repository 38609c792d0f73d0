"""The images of a YAML mapping, in one field or in several."""

from __future__ import annotations

import re
from dataclasses import replace

from servelint.facts import Image
from servelint.syntax.yaml import Field, Mapping, deref, fields
from servelint.value import Text, Value, concat, known, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.readers.yaml.site import Site

IMAGE_KEYS = (
    "image",
    "container",
    "runtime_image",
    "image_id",
    "containerImage",
    "container_image",
    "docker_image",
    "dockerImage",
    "base_image",
    "imageName",
)
"""Fields that name the image that a component runs in."""

_CARRIED = frozenset((key,) for key in IMAGE_KEYS)
"""Last steps of the mappings that the field above them has read already."""

_REFERENCE = re.compile(r"[^\s]+\Z")


def images(site: Site) -> Iterator[Image]:
    """The image that a mapping runs in, then those that it names for others."""
    for key in IMAGE_KEYS:
        if key not in site.fields:
            continue
        value = _image(site, key)
        if value is not None and _is_reference(key, value):
            yield Image(span=value.span, owner=site.owner, reference=value)
    if "repository" in site.fields and site.route.steps[-1:] not in _CARRIED:
        whole = _assembled(site, site.fields)
        if whole is not None:
            yield Image(span=whole.span, owner=site.owner, reference=whole)
    for key in site.fields:
        if key.lower().endswith("image") and key not in IMAGE_KEYS:
            yield from _for_others(site, key)


def _for_others(site: Site, key: str) -> Iterator[Image]:
    """``routerImage`` and the like: an image, but not the one of this component."""
    value = site.text(key)
    if value is not None and _is_reference("", value):
        yield Image(span=value.span, owner=site.route.child(key), reference=value)


def _image(site: Site, key: str) -> Value | None:
    entry = site.fields[key]
    target, _ = deref(entry.value)
    whole = _assembled(site, fields(target), "name") if isinstance(target, Mapping) else None
    value = whole or _tagged(site, key, site.value(entry.value))
    if value is not None and site.is_compose and "build" in site.fields:
        # The name that the built image gets; what is in it, its Dockerfile says.
        return unknown("runtime-value", value.written, value.span)
    return value


def _assembled(site: Site, found: dict[str, Field], *names: str) -> Value | None:
    """``registry``, ``repository``, ``tag`` and ``digest`` in fields of their own.

    ``names`` are further fields that may hold the repository.
    """

    def text(*keys: str) -> Value | None:
        values = (site.value(found[key].value) for key in keys if key in found)
        return next((value for value in values if value and value.written), None)

    name, tag, digest = text("repository", *names), text("tag"), text("digest")
    last = digest or tag
    if name is None or last is None:
        return None
    pieces = [_own(name)]
    if registry := text("registry"):
        pieces = [_own(registry), known("/", registry.span), *pieces]
    for mark, value in ((":", tag), ("@", digest)):
        if value is not None:
            pieces += [known(mark, value.span), _own(value)]
    return concat(pieces, last.span)


def _tagged(site: Site, key: str, value: Value | None) -> Value | None:
    """An image without a tag, with the tag in a sibling field."""
    if value is None or ":" in value.written.rpartition("/")[2] or "@" in value.written:
        return value
    for name in (f"{key}_tag", f"{key}Tag", "tag"):
        tag = site.text(name)
        if tag is not None and tag.written:
            return concat([_own(value), known(":", tag.span), _own(tag)], tag.span)
    return value


def _is_reference(key: str, value: Value) -> bool:
    written = value.written
    if any(not isinstance(part, Text) for parts in value.readings for part in parts):
        return bool(written)
    sure = key.lower().endswith("image") or "/" in written or ":" in written
    return bool(_REFERENCE.match(written)) and sure


def _own(value: Value) -> Value:
    """The value with its own place on the trail: it becomes a piece of a longer one."""
    readings = tuple(
        tuple(replace(part, trail=(value.span, *part.trail)) for part in parts)
        for parts in value.readings
    )
    return Value(readings, value.span)
