"""What one YAML mapping says of a component: its image, its environment, its command."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from servelint.facts import Env, Fact, Image, Launch, Text, Value, concat, known, unknown
from servelint.source import Route, Segment, Source, Span
from servelint.syntax.interpolation import interpolate
from servelint.syntax.words import split_words
from servelint.syntax.yaml import Field, Mapping, Node, Scalar, Sequence, deref, fields, segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

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
ENV_KEYS = ("env", "envs", "environment", "environment_variables", "env_vars")
SCRIPT_KEYS = ("commands", "run", "script", "setup", "cmd", "before_script", "start_command")
"""Keys whose text is given to a shell, all of a list in one."""

_CARRIERS = ("resources", "image", "base_image")
"""Mappings that describe their parent: the image in them is the parent's."""

_SHELL = re.compile(r"(?:.*/)?(?:ba|da|z|k|a)?sh\Z")
_SHELL_FLAG = re.compile(r"-[a-zA-Z]*c[a-zA-Z]*\Z")
_REFERENCE = re.compile(r"[^\s]+\Z")


def scalar_source(source: Source, scalar: Scalar, language: str, route: Route) -> Source:
    """The text of a scalar as a source of its own, owned by ``route``."""
    pieces = segments(source.text, scalar)
    child = source.embed(scalar.value, pieces, language, container=True)
    return Source(child.path, child.text, language, route, child.origin, container=True)


@dataclass(frozen=True, slots=True)
class Component:
    """One mapping of ``source``; ``trail`` are the aliases on the way to it."""

    source: Source
    route: Route
    fields: dict[str, Field]
    trail: tuple[Span, ...]

    def facts(self) -> Iterator[Fact | Source]:
        """Images, then the environment, then commands."""
        yield from self._images()
        for key in ENV_KEYS:
            if key in self.fields:
                yield from self._env(self.fields[key])
        yield from self._command()
        for key in SCRIPT_KEYS:
            if key in self.fields:
                yield from self._script(key, self.fields[key])

    # -- values ---------------------------------------------------------------

    def _value(self, node: Node) -> Value | None:
        """The value of a scalar, standing where the scalar or its alias stands."""
        target, aliases = deref(node)
        if not isinstance(target, Scalar):
            return self._braces(target)
        text = scalar_source(self.source, target, "text", self.route)
        if not aliases:
            return interpolate(text)
        where = self.source.span(aliases[0].start, aliases[0].end)
        return interpolate(text, (text.span(0, len(text.text)),)).at(where)

    def _braces(self, node: Node) -> Value | None:
        """``key: {{ x }}`` parses as a mapping in a mapping; it is a template's."""
        text = self.source.text[node.start : node.end]
        if not text.startswith("{{"):
            return None
        return unknown("template-function", text, self.source.span(node.start, node.end))

    def _text(self, key: str) -> Value | None:
        entry = self.fields.get(key)
        return self._value(entry.value) if entry else None

    # -- images ---------------------------------------------------------------

    def _images(self) -> Iterator[Image]:
        for key in IMAGE_KEYS:
            entry = self.fields.get(key)
            if entry is None:
                continue
            target, _ = deref(entry.value)
            if isinstance(target, Mapping) and (parts := self._parts(fields(target), "name")):
                value: Value | None = parts
            else:
                value = self._tagged(key, self._value(entry.value))
            if value is not None and _is_reference(key, value):
                yield Image(span=value.span, owner=self._owner(), reference=value)
        if not self.route.steps or self.route.steps[-1] not in IMAGE_KEYS:
            whole = self._parts(self.fields)
            if whole is not None:
                yield Image(span=whole.span, owner=self._owner(), reference=whole)

    def _owner(self) -> Route:
        steps = self.route.steps
        if len(steps) > 1 and steps[-1] in _CARRIERS:
            return Route(self.route.unit, steps[:-1])
        return self.route

    def _parts(self, found: dict[str, Field], *names: str) -> Value | None:
        """``registry``, ``repository``, ``tag`` and ``digest`` in fields of their own.

        ``names`` are further fields that may hold the repository.
        """

        def text(*keys: str) -> Value | None:
            values = (self._value(found[key].value) for key in keys if key in found)
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

    def _tagged(self, key: str, value: Value | None) -> Value | None:
        """An image without a tag, with the tag in a sibling field."""
        if value is None or ":" in value.written.rpartition("/")[2] or "@" in value.written:
            return value
        for name in (f"{key}_tag", f"{key}Tag", "tag"):
            tag = self._text(name)
            if tag is not None and tag.written:
                return concat([_own(value), known(":", tag.span), _own(tag)], tag.span)
        return value

    # -- environment ----------------------------------------------------------

    def _env(self, entry: Field) -> Iterator[Env]:
        target, _ = deref(entry.value)
        if isinstance(target, Mapping):
            for name, field in fields(target).items():
                yield from self._variable(name, field.key, field.value)
        elif isinstance(target, Sequence):
            for item in target.items:
                yield from self._listed(deref(item)[0])

    def _listed(self, item: Node) -> Iterator[Env]:
        if isinstance(item, Scalar):
            name, equals, rest = item.value.partition("=")
            if equals and name.isidentifier():
                text = scalar_source(self.source, item, "text", self.route)
                value = interpolate(
                    text.slice(len(item.value) - len(rest), len(item.value), "text")
                )
                yield Env(
                    span=text.span(0, len(item.value)), owner=self.route, name=name, value=value
                )
        elif isinstance(item, Mapping):
            found = fields(item)
            name_node = deref(found["name"].value)[0] if "name" in found else None
            if isinstance(name_node, Scalar):
                node = found["value"].value if "value" in found else None
                yield from self._variable(name_node.value, name_node, node)

    def _variable(self, name: str, key: Scalar, node: Node | None) -> Iterator[Env]:
        at = self.source.span(key.start, key.end)
        value = self._value(node) if node is not None else None
        if value is None:
            value = unknown("runtime-value", f"${{{name}}}", at)
        span = Span(at.path, min(at.start, value.span.start), max(at.end, value.span.end))
        yield Env(span=span, owner=self._owner(), name=name, value=value)

    # -- commands -------------------------------------------------------------

    def _command(self) -> Iterator[Launch | Source]:
        """``command`` and ``args``, or ``entrypoint`` and ``command``: one list of words."""
        keys = [key for key in ("entrypoint", "command", "args") if key in self.fields]
        nodes = [deref(self.fields[key].value)[0] for key in keys]
        if len(nodes) == 1 and isinstance(nodes[0], Scalar):
            yield scalar_source(self.source, nodes[0], "shell", self.route.child(keys[0]))
            return
        items = [item for node in nodes for item in _items(node)]
        script = _script_index(items)
        if script is not None:
            text = deref(items[script])[0]
            if isinstance(text, Scalar):
                yield scalar_source(self.source, text, "shell", self.route.child("command"))
            return
        argv: list[Value] = []
        for index, item in enumerate(items):
            if block := _block(item):
                yield scalar_source(self.source, block, "shell", self.route.child("command", index))
            else:
                argv.extend(self._words(item))
        if argv:
            spans = [word.span for word in argv]
            span = Span(spans[0].path, min(s.start for s in spans), max(s.end for s in spans))
            yield Launch(span=span, owner=self.route, argv=tuple(argv), container=True)

    def _words(self, node: Node) -> Iterator[Value]:
        """One word an item; ``- --flag value`` is two, as its author meant it."""
        target, aliases = deref(node)
        value = self._value(node)
        if value is None:
            return
        if isinstance(target, Scalar) and not aliases and _is_flag_and_value(value):
            yield from split_words(scalar_source(self.source, target, "text", self.route))
        else:
            yield value

    def _script(self, key: str, entry: Field) -> Iterator[Source]:
        target, _ = deref(entry.value)
        texts = [deref(item)[0] for item in _items(target)]
        scalars = [text for text in texts if isinstance(text, Scalar)]
        if not scalars or self._other_shell():
            return
        yield self._joined(scalars, self.route.child(key))

    def _other_shell(self) -> bool:
        shell = self._text("shell")
        return shell is not None and not _SHELL.match(shell.written.partition(" ")[0])

    def _joined(self, scalars: list[Scalar], route: Route) -> Source:
        """Several texts that one shell runs in turn."""
        pieces: list[Segment] = []
        text = ""
        for scalar in scalars:
            for piece in segments(self.source.text, scalar):
                start, end = piece.start + len(text), piece.end + len(text)
                pieces.append(Segment(start, end, piece.origin_start, piece.origin_end))
            text += scalar.value + "\n"
        child = self.source.embed(text, pieces, "shell", container=True)
        return Source(child.path, text, "shell", route, child.origin, container=True)


def _items(node: Node) -> tuple[Node, ...]:
    if isinstance(node, Sequence):
        return node.items
    return (node,) if isinstance(node, Scalar) else ()


def _block(node: Node) -> Scalar | None:
    """An item that is a block scalar of several words: a script, whoever runs it."""
    target, _ = deref(node)
    if isinstance(target, Scalar) and target.style in ("|", ">") and len(target.value.split()) > 1:
        return target
    return None


def _is_flag_and_value(value: Value) -> bool:
    flag, blank, _ = value.written.partition(" ")
    return bool(blank) and flag.startswith("-") and "=" not in flag


def _script_index(items: list[Node]) -> int | None:
    """The index of the text that ``sh -c`` runs, among the words of a command."""
    words = [target.value if isinstance(target, Scalar) else "" for target, _ in map(deref, items)]
    for index, word in enumerate(words):
        if _SHELL.match(word):
            rest = words[index + 1 :]
            flags = next((n for n, flag in enumerate(rest) if not flag.startswith("-")), len(rest))
            if any(_SHELL_FLAG.match(flag) for flag in rest[:flags]) and flags < len(rest):
                return index + 1 + flags
            return None
    return None


def _is_reference(key: str, value: Value) -> bool:
    written = value.written
    if any(not isinstance(part, Text) for parts in value.readings for part in parts):
        return bool(written)
    sure = key.lower().endswith("image") or "/" in written or ":" in written
    return bool(_REFERENCE.match(written)) and sure


def _own(value: Value) -> Value:
    """The value with its own place on the trail: it becomes a piece of a longer one."""
    readings = tuple(
        tuple(replace(part, trail=(*part.trail, value.span)) for part in parts)
        for parts in value.readings
    )
    return Value(readings, value.span)
