"""What a YAML mapping says of the image that it builds: a compose service, a step of a workflow."""

from __future__ import annotations

import os
import re

from servelint.facts import Env, Setting, Uses
from servelint.source import Span
from servelint.syntax.interpolation import interpolate
from servelint.syntax.yaml import Field, Mapping, Scalar, Sequence, deref, fields, fields_of
from servelint.value import Open, Text, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.readers.yaml.site import Site
    from servelint.source import Route, Source
    from servelint.syntax.yaml import Node

    Found = Iterator[Env | Setting | Uses]

BUILD = "build"
"""How a Dockerfile is used, and the last step of the owner of its arguments."""

_INLINE = frozenset({"dockerfile_inline", "dockerfile-inline"})
_BAKE = re.compile(r"(?:\A|/)docker-bake(?:\.[\w-]+)*\.(?:json|hcl)\Z")
_STEP = re.compile(r"docker/build-push-action(?:@|\Z)")
_REMOTE = re.compile(r"[a-z][a-z+]*://|git@|github\.com/|\{\{")
_NOTHING = frozenset({"", "~", "null", "Null", "NULL"})
_NAME = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)


def builds(site: Site) -> Found:
    """The Dockerfile that a service, a step or a bake target builds, the stage, the arguments."""
    if _is_bake(site):
        at = next(iter(site.fields.values())).key
        yield from _described(site, site.fields, at)
    if site.is_compose and BUILD in site.fields:
        yield from _service(site, site.fields[BUILD])
    step = site.text("uses")
    if step is not None and _STEP.match(step.written):
        yield from _step(site)


def describes_build(site: Site) -> bool:
    """True for the mapping below ``build`` of a service, whose ``args`` are no command."""
    return site.is_compose and site.route.steps[-1:] == (BUILD,) and len(site.route.steps) > 2


def _service(site: Site, entry: Field) -> Found:
    target, _ = deref(entry.value)
    if isinstance(target, Mapping):
        yield from _described(site, fields(target), entry.key)
    elif isinstance(target, Scalar):
        context = _path(site, entry, ".")
        if context:
            yield _uses(site, entry.key, _beside(site, context, "Dockerfile"))


def _described(site: Site, found: dict[str, Field], at: Scalar) -> Found:
    context = _path(site, found.get("context"), ".")
    file = _path(site, found.get("dockerfile"), "Dockerfile")
    if not (context and file) or _INLINE & found.keys():
        return
    yield _uses(site, at, _beside(site, context, file))
    yield from _target(site, found.get("target"))
    yield from _arguments(site, found.get("args"))


def _beside(site: Site, context: str, file: str) -> str:
    return os.path.join(os.path.dirname(site.source.path), context, file)


def _is_bake(site: Site) -> bool:
    """True for a target of a ``docker-bake.json`` or ``docker-bake.hcl``."""
    steps = site.route.steps
    is_target = len(steps) in (3, 4) and steps[-2] == "target"
    return is_target and bool(_BAKE.search(site.source.path))


def _step(site: Site) -> Found:
    """A step of a workflow, which runs at the top of the repository."""
    given = site.fields.get("with")
    found = fields_of(given.value if given is not None else None)
    context = _path(site, found.get("context"), ".")
    file = _path(site, found.get("file"), os.path.join(context, "Dockerfile") if context else "")
    if file:
        yield _uses(site, (found.get("file") or site.fields["uses"]).key, file)
        yield from _target(site, found.get("target"))
        listed = found.get("build-args")
        text = deref(listed.value)[0] if listed is not None else None
        if isinstance(text, Scalar):
            yield from _lines(site, site.embedded(text, "text", site.route))


def _uses(site: Site, at: Scalar, path: str) -> Uses:
    span = site.source.span(at.start, at.end)
    return Uses(span=span, owner=site.route, target=os.path.normpath(path), how=BUILD)


def _target(site: Site, entry: Field | None) -> Iterator[Setting]:
    value = site.value(entry.value) if entry is not None else None
    if value is not None and value.written:
        yield Setting(span=value.span, owner=_owner(site), key="target", value=value)


def _owner(site: Site) -> Route:
    return site.route.child(BUILD)


def _arguments(site: Site, entry: Field | None) -> Iterator[Env]:
    target = deref(entry.value)[0] if entry is not None else None
    if isinstance(target, Mapping):
        for name, field in fields(target).items():
            yield _named(site, name, field.key, field.value)
    elif isinstance(target, Sequence):
        for item in target.items:
            text = deref(item)[0]
            if isinstance(text, Scalar):
                yield from _lines(site, site.embedded(text, "text", site.route))


def _named(site: Site, name: str, key: Scalar, node: Node) -> Env:
    at = site.source.span(key.start, key.end)
    target, _ = deref(node)
    value = site.value(node)
    is_plain = isinstance(target, Scalar) and not target.style
    if value is None or (is_plain and value.text in _NOTHING):
        value = _outside(name, at)
    same = value.span.path == at.path  # an overlay may say a value of its base anew
    span = Span(at.path, at.start, max(at.end, value.span.end)) if same else at
    return Env(span=span, owner=_owner(site), name=f"ARG {name}", value=value)


def _lines(site: Site, text: Source) -> Iterator[Env]:
    """``NAME=value`` in each line."""
    at = 0
    for line in text.text.splitlines(keepends=True):
        start, end = at + len(line) - len(line.lstrip()), at + len(line.rstrip())
        at += len(line)
        if start >= end or line.lstrip().startswith("#"):
            continue
        name, equals, _ = text.text[start:end].partition("=")
        span = text.span(start, end)
        if equals and _NAME.match(name):
            value = interpolate(text.slice(start + len(name) + 1, end, "text"))
        elif _NAME.match(name):
            value = _outside(name, span)
        else:
            continue  # an expression: what it gives, it may as well not give
        yield Env(span=span, owner=_owner(site), name=f"ARG {name}", value=value)


def _outside(name: str, span: Span) -> Value:
    """The value of an argument that is only named: a variable of whoever starts the build."""
    return Value(((Open(name, f"${{{name}}}"),),), span)


def _path(site: Site, entry: Field | None, default: str) -> str:
    """A path that is known, by default where it is open; empty when it is not, or no file."""
    value = site.value(entry.value) if entry is not None else None
    if value is None:
        return default if entry is None else ""
    texts: list[str] = []
    for part in value.readings[0]:
        inner = part.default if isinstance(part, Open) else (part,)
        if inner is None or not all(isinstance(one, Text) for one in inner):
            return ""
        texts.extend(one.text for one in inner)
    text = "".join(texts)
    return "" if _REMOTE.match(text) else text
