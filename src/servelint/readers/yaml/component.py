"""What one YAML mapping says of a component: its images, its environment, its command."""

from __future__ import annotations

import re

from servelint.facts import ANY_NAME, Env, Launch, Value, unknown
from servelint.readers.yaml.images import images
from servelint.source import Route, Segment, Source, Span
from servelint.syntax.interpolation import interpolate
from servelint.syntax.words import split_words
from servelint.syntax.yaml import Field, Mapping, Node, Scalar, Sequence, deref, fields, segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.facts import Fact
    from servelint.readers.yaml.site import Site

ENV_KEYS = ("env", "envs", "environment", "environment_variables", "env_vars")
SCRIPT_KEYS = ("commands", "run", "script", "setup", "cmd", "before_script", "start_command")
"""Keys whose text is given to a shell, all of a list in one."""

_SHELL = re.compile(r"(?:.*/)?(?:ba|da|z|k|a)?sh\Z")
_VALUE_FLAG = re.compile(r"[-+][A-Za-z]*[oO]\Z|--(?:rcfile|init-file)\Z")
_SHELL_FLAG = re.compile(r"-[a-zA-Z]*c[a-zA-Z]*\Z")


def component(site: Site) -> Iterator[Fact | Source]:
    """The facts of one mapping: images, then the environment, then commands."""
    yield from images(site)
    for key in ENV_KEYS:
        if key in site.fields:
            yield from _env(site, site.fields[key])
    yield from _unread_env(site)
    yield from _command(site)
    for key in SCRIPT_KEYS:
        if key in site.fields:
            yield from _script(site, key, site.fields[key])


# -- environment ----------------------------------------------------------


def _env(site: Site, entry: Field) -> Iterator[Env]:
    target, _ = deref(entry.value)
    if isinstance(target, Mapping):
        for name, field in fields(target).items():
            yield from _variable(site, name, field.key, field.value)
    elif isinstance(target, Sequence):
        for item in target.items:
            yield from _listed(site, deref(item)[0])


def _unread_env(site: Site) -> Iterator[Env]:
    """An environment from elsewhere may set any name: no default is sure beside it."""
    for key in ("envFrom", "env_file"):
        if key in site.fields:
            at = site.fields[key].key
            span = site.source.span(at.start, at.end)
            value = unknown("runtime-value", key, span)
            yield Env(span=span, owner=site.environment, name=ANY_NAME, value=value)


def _listed(site: Site, item: Node) -> Iterator[Env]:
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
            yield from _variable(site, name_node.value, name_node, node)


def _variable(site: Site, name: str, key: Scalar, node: Node | None) -> Iterator[Env]:
    at = site.source.span(key.start, key.end)
    value = site.value(node) if node is not None else None
    if value is None:
        value = unknown("runtime-value", f"${{{name}}}", at)
    span = Span(at.path, min(at.start, value.span.start), max(at.end, value.span.end))
    yield Env(span=span, owner=site.environment, name=name, value=value)


# -- commands -------------------------------------------------------------


def _command(site: Site) -> Iterator[Launch | Source]:
    """``command`` and ``args``, or ``entrypoint`` and ``command``: one list of words."""
    keys = [key for key in ("entrypoint", "command", "args") if key in site.fields]
    nodes = [deref(site.fields[key].value)[0] for key in keys]
    if len(nodes) == 1 and isinstance(nodes[0], Scalar):
        yield site.embedded(nodes[0], "shell", site.route.child(keys[0]))
        return
    items = [item for node in nodes for item in _items(node)]
    is_text = [isinstance(node, Scalar) for node in nodes for _ in _items(node)]
    script = _script_index(items)
    if script is not None:
        text = deref(items[script])[0]
        if isinstance(text, Scalar):
            yield site.embedded(text, "shell", site.route.child("command"))
        return
    block = _block(items[0]) if len(items) == 1 else None
    if block is not None:
        yield site.embedded(block, "shell", site.route.child("command"))
        return
    argv: list[Value] = []
    for item, is_line in zip(items, is_text, strict=True):
        argv.extend(_words(site, item, splits=is_line or _block(item) is not None))
    if argv:
        spans = [word.span for word in argv]
        span = Span(spans[0].path, min(s.start for s in spans), max(s.end for s in spans))
        yield Launch(span=span, owner=site.route, argv=tuple(argv), container=True)


def _words(site: Site, node: Node, *, splits: bool) -> Iterator[Value]:
    """One word an item; ``- --flag value`` is two, as its author meant it."""
    target, aliases = deref(node)
    value = site.value(node)
    if value is None:
        return
    splits = splits or (not aliases and _is_flag_and_value(value))
    if isinstance(target, Scalar) and splits:
        yield from split_words(site.embedded(target, "text", site.route))
    else:
        yield value


def _script(site: Site, key: str, entry: Field) -> Iterator[Source]:
    target, _ = deref(entry.value)
    texts = [deref(item)[0] for item in _items(target)]
    scalars = [text for text in texts if isinstance(text, Scalar)]
    if not scalars or _other_shell(site):
        return
    yield _joined(site, scalars, site.route.child(key))


def _other_shell(site: Site) -> bool:
    shell = site.text("shell")
    return shell is not None and not _SHELL.match(shell.written.partition(" ")[0])


def _joined(site: Site, scalars: list[Scalar], route: Route) -> Source:
    """Several texts that one shell runs in turn."""
    pieces: list[Segment] = []
    text = ""
    for scalar in scalars:
        for piece in segments(site.source.text, scalar):
            start, end = piece.start + len(text), piece.end + len(text)
            pieces.append(Segment(start, end, piece.origin_start, piece.origin_end))
        text += scalar.value + "\n"
    child = site.source.embed(text, pieces, "shell", container=True)
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
            return _behind_flags(words, index + 1)
    return None


def _behind_flags(words: list[str], at: int) -> int | None:
    """The index behind the options of a shell, if one of them says that a text follows."""
    reads_text = False
    while at < len(words) and words[at].startswith(("-", "+")):
        reads_text = reads_text or _SHELL_FLAG.match(words[at]) is not None
        at += 2 if _VALUE_FLAG.match(words[at]) else 1
    return at if reads_text and at < len(words) else None
