"""The environment of a YAML mapping: what it sets, and what it takes from elsewhere."""

from __future__ import annotations

from servelint.facts import ANY_NAME, Env, Uses
from servelint.source import Span
from servelint.syntax.interpolation import interpolate
from servelint.syntax.jinja_signs import revealed
from servelint.syntax.yaml import (
    Field,
    Mapping,
    Node,
    Scalar,
    Sequence,
    below,
    deref,
    fields,
    fields_of,
)
from servelint.value import unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.readers.yaml.site import Site

ENV_KEYS = ("env", "envs", "environment", "environment_variables", "env_vars")


def environment(site: Site) -> Iterator[Env | Uses]:
    """The variables of a mapping; those of other structures are named, to be followed later."""
    for key in ENV_KEYS:
        if key in site.fields:
            yield from _env(site, site.fields[key])
    if "envFrom" in site.fields:
        yield from _taken(site, site.fields["envFrom"])
    if "env_file" in site.fields:
        yield _any_name(site, site.fields["env_file"].key)


def _env(site: Site, entry: Field) -> Iterator[Env | Uses]:
    target, _ = deref(entry.value)
    if isinstance(target, Mapping):
        for name, field in fields(target).items():
            yield _variable(site, name, field.key, field.value)
    elif isinstance(target, Sequence):
        for item in target.items:
            yield from _listed(site, deref(item)[0])


def _listed(site: Site, item: Node) -> Iterator[Env | Uses]:
    if isinstance(item, Scalar):
        name, equals, rest = item.value.partition("=")
        if equals and name.isidentifier():
            text = site.embedded(item, "text", site.route)
            value = interpolate(text.slice(len(item.value) - len(rest), len(item.value), "text"))
            span = text.span(0, len(item.value))
            yield Env(span=span, owner=site.environment, name=name, value=value)
    elif isinstance(item, Mapping):
        found = fields(item)
        name_node = deref(found["name"].value)[0] if "name" in found else None
        if isinstance(name_node, Scalar):
            node = found["value"].value if "value" in found else None
            yield _variable(site, revealed(name_node.value), name_node, node)
            yield from _referred(site, name_node.value, found)


def _variable(site: Site, name: str, key: Scalar, node: Node | None) -> Env:
    at = site.source.span(key.start, key.end)
    value = site.value(node) if node is not None else None
    if value is None:
        value = unknown("runtime-value", f"${{{name}}}", at)
    start, end = at.start, at.end
    if value.span.path == at.path:
        start, end = min(start, value.span.start), max(end, value.span.end)
    span = Span(at.path, start, end)
    return Env(span=span, owner=site.environment, name=name, value=value)


# -- from elsewhere -------------------------------------------------------


def _referred(site: Site, name: str, found: dict[str, Field]) -> Iterator[Uses]:
    """A variable that is one key of a ConfigMap."""
    for entry in _scalars(found, "valueFrom", "configMapKeyRef"):
        if entry.get("name") and entry.get("key"):
            target = f"{entry['name'].value}/{entry['key'].value}"
            yield _uses(site, entry["name"], target, "env-key", name)


def _taken(site: Site, entry: Field) -> Iterator[Env | Uses]:
    """All keys of ConfigMaps; a secret may hold any name."""
    target, _ = deref(entry.value)
    items = target.items if isinstance(target, Sequence) else ()
    for item in items:
        found = fields_of(item)
        maps = [one for one in _scalars(found, "configMapRef") if "name" in one]
        for one in maps:
            prefix = deref(found["prefix"].value)[0] if "prefix" in found else None
            at = prefix.value if isinstance(prefix, Scalar) else ""
            yield _uses(site, one["name"], one["name"].value, "env-map", at)
        if not maps:
            yield _any_name(site, item)
    if not items:
        yield _any_name(site, entry.key)


def _uses(site: Site, node: Scalar, target: str, how: str, at: str) -> Uses:
    span = site.source.span(node.start, node.end)
    return Uses(span=span, owner=site.environment, target=target, how=how, at=at)


def _any_name(site: Site, node: Node) -> Env:
    """An environment from elsewhere may set any name: no default is sure beside it."""
    span = site.source.span(node.start, node.end)
    value = unknown("runtime-value", site.source.text[node.start : node.end].strip(), span)
    return Env(span=span, owner=site.environment, name=ANY_NAME, value=value)


def _scalars(found: dict[str, Field], *keys: str) -> Iterator[dict[str, Scalar]]:
    """The scalars of the mapping below ``keys``."""
    inner = below(found, *keys)
    if inner:
        nodes = ((name, deref(one.value)[0]) for name, one in inner.items())
        yield {name: node for name, node in nodes if isinstance(node, Scalar)}
