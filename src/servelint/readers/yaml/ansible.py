"""Tasks of Ansible: commands on the host, containers, files that they write, variables."""

from __future__ import annotations

import re
from dataclasses import replace

from servelint.facts import Env, Launch
from servelint.readers import claim, claim_text
from servelint.readers.yaml.ansible_keys import COMMANDS, FILES, OBJECTS, is_task, module_of
from servelint.source import Span
from servelint.syntax.expressions import any_of, template_name
from servelint.syntax.yaml import Field, Mapping, Scalar, Sequence, deref, fields, fields_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.facts import Fact
    from servelint.readers.yaml.site import Site
    from servelint.source import Source
    from servelint.value import Value

VARIABLES = ("vars", "set_fact", "ansible.builtin.set_fact")
_COMMAND = re.compile(r"\s*(?:#!|(?:sudo\s+)?(?:docker|podman|nerdctl)\s+run\s|python3?\s+-m\s)")
"""A variable that is a command line or a script of its own."""

_OF_VARIABLES = re.compile(r"(?:\A|/)(?:roles/[^/]+/(?:defaults|vars)|group_vars|host_vars)/")
LOOPS = ("loop", "with_items", "with_list")
MAX_DEPTH = 5
"""Mappings in mappings of variables."""


def task(site: Site) -> Iterator[Fact | Source]:
    """The facts of a play or a task that no other YAML has."""
    if _is_whole(site):
        yield from _variables(site, site.fields)
        return
    for key in VARIABLES:
        target = deref(site.fields[key].value)[0] if key in site.fields else None
        if isinstance(target, Mapping):
            yield from _variables(site, fields(target))
    yield from _repeated(site)
    if site.route.steps[-1:] in _OF_VALUES or not is_task(site.fields):
        return
    for key, entry in site.fields.items():
        module = module_of(key)
        if module in COMMANDS and not isinstance(deref(entry.value)[0], Sequence):
            yield from _command(site, key, entry)
        elif module in OBJECTS:
            yield from _text(site, key, _argument(site, entry, "definition"), "yaml")
        elif module in FILES:
            yield from _written(site, key, entry)


def holds_variables(path: str) -> bool:
    """True for a file whose keys are variables of a role, of a group or of a host."""
    return _OF_VARIABLES.search(path) is not None


def _is_whole(site: Site) -> bool:
    """True for the top of a file of variables."""
    is_top = len(site.route.steps) == len(site.source.owner.steps) + 1
    return is_top and holds_variables(site.source.path)


def is_read(site: Site) -> bool:
    """True for a mapping whose ``command``, ``args`` and ``script`` are modules or variables."""
    if site.route.steps[-1:] in _OF_VALUES or _is_whole(site):
        return True
    return is_task(site.fields) or site.route.steps[-1:] in {(key,) for key in _NAMES}


_OF_VALUES = tuple((key,) for key in VARIABLES)
_NAMES = (*COMMANDS, *(f"ansible.builtin.{name}" for name in COMMANDS))


def _variables(site: Site, found: dict[str, Field], *path: str) -> Iterator[Env | Source]:
    """The scalars of a mapping of variables, by the keys that lead to them; commands as such."""
    for key, entry in found.items():
        value = site.value(entry.value)
        target, _ = deref(entry.value)
        if isinstance(target, Mapping) and value is None and len(path) < MAX_DEPTH:
            yield from _variables(site, fields(target), *path, key)
        if value is None or not isinstance(target, Scalar):
            continue
        at = site.source.span(entry.key.start, entry.key.end)
        is_here = value.span.path == at.path and value.span.end >= at.start
        span = Span(at.path, at.start, value.span.end) if is_here else at
        yield Env(span=span, owner=site.owner, name=template_name(*path, key), value=value)
        if _COMMAND.match(target.value):
            text = site.embedded(target, "shell", site.route.child("variable", *path, key))
            yield replace(text, container=False)


def _repeated(site: Site) -> Iterator[Env]:
    """What ``item`` may be in a task that runs for each of a list."""
    found: dict[tuple[str, ...], list[Value]] = {}
    for key in LOOPS:
        target = deref(site.fields[key].value)[0] if key in site.fields else None
        for item in target.items if isinstance(target, Sequence) else ():
            named = fields_of(item)
            every = [(("item",), item), *((("item", one), named[one].value) for one in named)]
            for path, node in every:
                value = site.value(node)
                if value is not None:
                    found.setdefault(path, []).append(value)
    for path, values in found.items():
        span = values[0].span
        yield Env(span=span, owner=site.route, name=template_name(*path), value=any_of(values))


def _argument(site: Site, entry: Field, *names: str) -> Scalar | None:
    """An argument of a module, in the module's own mapping or in ``args`` beside it."""
    target, _ = deref(entry.value)
    beside = deref(site.fields["args"].value)[0] if "args" in site.fields else None
    for mapping in (target, beside):
        found = fields(mapping) if isinstance(mapping, Mapping) else {}
        for name in names:
            text = deref(found[name].value)[0] if name in found else None
            if isinstance(text, Scalar):
                return text
    return None


def _command(site: Site, key: str, entry: Field) -> Iterator[Source | Launch]:
    target, _ = deref(entry.value)
    text = target if isinstance(target, Scalar) else _argument(site, entry, "cmd", "_raw_params")
    if text is not None:
        yield from _text(site, key, text, "shell")
        return
    listed = fields(target).get("argv") if isinstance(target, Mapping) else None
    items = deref(listed.value)[0] if listed is not None else None
    argv = [site.value(item) for item in items.items] if isinstance(items, Sequence) else []
    words = tuple(word for word in argv if word is not None)
    if words:
        span = Span(words[0].span.path, words[0].span.start, words[-1].span.end)
        yield Launch(span=span, owner=site.route.child(key), argv=words)


def _text(site: Site, key: str, text: Scalar | None, language: str) -> Iterator[Source]:
    if text is not None and (language == "shell" or "\n" in text.value):
        source = site.embedded(text, language, site.route.child(key))
        yield replace(source, container=language != "shell")


def _written(site: Site, key: str, entry: Field) -> Iterator[Source]:
    """The content of a file, in the language of its name."""
    name, content = _argument(site, entry, "dest"), _argument(site, entry, "content")
    if name is not None and content is not None:
        language = claim_text(claim(name.value.rpartition("/")[2]), content.value)
        if language:
            yield from _text(site, key, content, language)
