"""Which files a container sees: its mounts, the volumes of its pod, the data of a ConfigMap.

The names are told as they stand; :mod:`servelint.mounts` follows them.
"""

from __future__ import annotations

from servelint.facts import Setting, Uses
from servelint.syntax.jinja_signs import revealed
from servelint.syntax.yaml import Field, Mapping, Node, Scalar, Sequence, below, deref, fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.readers.yaml.site import Site

CONFIG_MAP = "ConfigMap"


def mounts(site: Site) -> Iterator[Uses | Setting]:
    """The mounts and volumes of a mapping, and its name if it is a ConfigMap."""
    if "volumeMounts" in site.fields:
        for item, found in _rows(site.fields["volumeMounts"]):
            name, at = _text(found, "name"), _text(found, "mountPath")
            if name and at:
                inner = _text(found, "subPath")
                yield _uses(site, item, f"{name}/{inner}" if inner else name, "mount", at)
    if "volumes" in site.fields:
        for item, found in _rows(site.fields["volumes"]):
            yield from _volume(site, item, found)
    if is_config_map(site.fields):
        metadata = below(site.fields, "metadata")
        named = metadata.get("name")
        value = site.value(named.value) if named is not None else None
        if value is not None:
            yield Setting(span=value.span, owner=site.route, key=CONFIG_MAP, value=value)
        yield from _data(site)


def is_config_map(found: dict[str, Field]) -> bool:
    """True for a manifest whose data are files."""
    return _text(found, "kind") == CONFIG_MAP


def _data(site: Site) -> Iterator[Setting]:
    """The entries of a ConfigMap that can be variables."""
    owner = site.route.child("data")
    for key, entry in below(site.fields, "data").items():
        value = site.value(entry.value) if key.isidentifier() else None
        if value is not None and "\n" not in value.written:
            yield Setting(span=value.span, owner=owner, key=key, value=value)


def _volume(site: Site, item: Node, found: dict[str, Field]) -> Iterator[Uses]:
    """The ConfigMaps of a volume, a key as a file where the volume says so."""
    name, sources = _text(found, "name"), []
    if "configMap" in found:
        sources.append(below(found, "configMap"))
    for _, source in _rows(below(found, "projected").get("sources")):
        sources.append(below(source, "configMap"))
    for source in sources:
        config = _text(source, "name")
        if not name or not config:
            continue
        items = list(_rows(source.get("items")))
        for _, entry in items:
            key, path = _text(entry, "key"), _text(entry, "path")
            yield _uses(site, item, f"{config}/{key}", "volume", f"{name}/{path}")
        if not items:
            yield _uses(site, item, config, "volume", name)


def _uses(site: Site, item: Node, target: str, how: str, at: str) -> Uses:
    span = site.source.span(item.start, item.end)
    return Uses(span=span, owner=site.route, target=target, how=how, at=at.rstrip("/") or "/")


def _rows(entry: Field | None) -> Iterator[tuple[Node, dict[str, Field]]]:
    """The mappings of a list."""
    target = deref(entry.value)[0] if entry is not None else None
    for item in target.items if isinstance(target, Sequence) else ():
        row, _ = deref(item)
        if isinstance(row, Mapping):
            yield item, fields(row)


def _text(found: dict[str, Field], key: str) -> str:
    target = deref(found[key].value)[0] if key in found else None
    return revealed(target.value) if isinstance(target, Scalar) else ""
