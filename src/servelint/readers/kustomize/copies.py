"""Values copied from one object into others: ``replacements`` and ``vars``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from servelint.readers.kustomize.json_patch import MAX_STEPS
from servelint.readers.kustomize.project import IDLE_KINDS
from servelint.readers.kustomize.regex import matches
from servelint.readers.kustomize.selector import selects
from servelint.syntax.interpolation import HOLE
from servelint.syntax.weave import Weaver
from servelint.syntax.yaml_data import Leaf, Member, Table
from servelint.syntax.yaml_edit import made, place, put, with_member

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from servelint.readers.kustomize.project import Project
    from servelint.readers.kustomize.resource import Resource
    from servelint.syntax.yaml_data import Data

Resources = tuple["Resource", ...]

MAX_TEXT = 20_000
"""Characters of a text with values put in; values that would make it longer are not put in."""

_STEP = re.compile(r"\[[^\]]*\]|(?:\\.|[^.\[\\])+")
_SELECTOR = re.compile(r"\[(?P<key>[^=\]]*)=(?P<value>[^\]]*)\]")
_VARIABLE = re.compile(r"\$\$|\$\((?P<name>[\w.-]+)\)", re.ASCII)


def steps_of(path: str) -> tuple[str, ...]:
    """The names, indices and ``[key=value]`` selectors of a field path."""
    found = []
    for step in _STEP.findall(path)[: MAX_STEPS + 1]:
        is_index = step.startswith("[") and "=" not in step
        found.append(step[1:-1] if is_index else re.sub(r"\\(.)", r"\1", step))
    return tuple(found) if len(found) <= MAX_STEPS else ()


def with_values(
    data: Data, steps: tuple[str, ...], change: Callable[[Data], Data], create: Leaf | None = None
) -> Data:
    """The data with what stands at a path changed; ``create``: what missing fields are made of."""
    if not steps:
        return change(data)
    if isinstance(data, Leaf):
        return data
    step, rest = steps[0], steps[1:]
    if isinstance(data, tuple):
        return tuple(
            with_values(item, rest, change, create) if _is_meant(step, index, item, data) else item
            for index, item in enumerate(data)
        )
    if step in data.members or step != "*":
        return _with_field(data, steps, change, create)
    below = data.members.items()
    values = {key: with_values(member.value, rest, change, create) for key, member in below}
    return Table({key: Member(member.key, values[key]) for key, member in below})


def _with_field(
    data: Table, steps: tuple[str, ...], change: Callable[[Data], Data], create: Leaf | None
) -> Table:
    step, rest = steps[0], steps[1:]
    member = data.members.get(step)
    if member is not None:
        return with_member(data, member.key, with_values(member.value, rest, change, create))
    if create is None or any(name.startswith("[") or name in "-*" for name in steps):
        return data
    below: Data = Table({}) if rest else create
    return with_member(data, made(step, place(create)), with_values(below, rest, change, create))


def _is_meant(step: str, index: int, item: Data, items: tuple[Data, ...]) -> bool:
    if step in ("*", str(index)):
        return True
    if step == "-":
        return index == len(items) - 1
    selector = _SELECTOR.fullmatch(step)
    if selector is None:
        return False
    if not selector["key"]:
        return isinstance(item, Leaf) and matches(selector["value"], item.text)
    keys = selector["key"].split(".")[:MAX_STEPS]
    own = item.text(*keys) if isinstance(item, Table) else None
    return own is not None and matches(selector["value"], own)


def value_at(data: Data, steps: tuple[str, ...]) -> Data | None:
    """What stands at a path, the first of several."""
    found: list[Data] = []

    def note(value: Data) -> Data:
        found.append(value)
        return value

    with_values(data, steps, note)
    return found[0] if found else None


def with_replacement(project: Project, resources: Resources, entry: Data) -> Resources:
    """The resources with one entry of ``replacements`` carried out."""
    targets = entry.get("targets") if isinstance(entry, Table) else None
    if not isinstance(entry, Table) or not isinstance(targets, tuple):
        return resources
    if not project.spend(len(resources) * (1 + len(targets)), place(entry)):
        return resources
    value = _source(resources, entry)
    if value is None:
        kind = entry.text("source", "kind")
        if not project.skips and kind is not None and kind not in IDLE_KINDS:
            detail = f"a replacement finds no {kind} to copy from: kustomize refuses this"
            project.skip("unreadable", detail, place(entry))
        value = _unknown(entry)
    for target in targets:
        if isinstance(target, Table):
            resources = tuple(_targeted(one, target, value) for one in resources)
    return resources


def _source(resources: Resources, entry: Table) -> Leaf | None:
    own = entry.get("sourceValue")
    if isinstance(own, Leaf):
        return own
    source = entry.get("source")
    if not isinstance(source, Table):
        return None
    mine = next((one for one in resources if selects(source, one)), None)
    steps = steps_of(source.text("fieldPath") or "metadata.name")
    value = value_at(mine.data, steps) if mine is not None else None
    if not isinstance(value, Leaf):
        return None
    delimiter = source.text("options", "delimiter")
    if not delimiter:
        return value
    pieces = _pieces(value.text, delimiter)
    index = _number(source.text("options", "index"))
    if not 0 <= index < len(pieces):
        return None
    return Leaf(value.source.slice(*pieces[index], "text"), value.style, value.tag)


def _unknown(entry: Table) -> Leaf:
    """What is copied from something that is not here."""
    path = entry.text("source", "fieldPath") or "metadata.name"
    written = path.replace(HOLE[0], "").replace(HOLE[1], "")
    return made(f"{HOLE[0]}{written}{HOLE[1]}", place(entry), style='"')


def _pieces(text: str, delimiter: str) -> list[tuple[int, int]]:
    """Start and end of each piece of a text."""
    found, at = [], 0
    for piece in text.split(delimiter):
        found.append((at, at + len(piece)))
        at += len(piece) + len(delimiter)
    return found


def _number(text: str | None) -> int:
    return int(text) if text and re.fullmatch(r"-?\d{1,6}", text, re.ASCII) else 0


def _targeted(resource: Resource, target: Table, value: Leaf) -> Resource:
    select, reject = target.get("select"), target.get("reject")
    rejects = reject if isinstance(reject, tuple) else ()
    if not isinstance(select, Table) or not selects(select, resource):
        return resource
    if any(isinstance(one, Table) and selects(one, resource) for one in rejects):
        return resource
    paths = target.get("fieldPaths")
    options = target.get("options")
    options = options if isinstance(options, Table) else Table({})
    create = value if options.text("create") == "true" else None
    data: Data = resource.data
    for path in paths if isinstance(paths, tuple) else (made("metadata.name", place(value)),):
        if isinstance(path, Leaf):
            change = _Change(value, options)
            data = with_values(data, steps_of(path.text), change, create)
    return resource.with_data(data) if isinstance(data, Table) else resource


@dataclass(frozen=True, slots=True, eq=False)
class _Change:
    """A value in the place of another, or in that of one of its pieces."""

    value: Leaf
    options: Table

    def __call__(self, old: Data) -> Data:
        delimiter = self.options.text("delimiter")
        if not isinstance(old, Leaf):
            return self.value
        if len(old.text) + len(self.value.text) > MAX_TEXT:
            return old
        if not delimiter:
            return put(old, self.value)
        pieces = _pieces(old.text, delimiter)
        index = _number(self.options.text("index"))
        at = old.source.span(0, len(old.text))
        weaver = Weaver(at.path)
        if index < 0:
            weaver.put(self.value.source, at)
            weaver.glue(delimiter)
        for number, (start, end) in enumerate(pieces):
            weaver.glue(delimiter if number else "")
            if number == index:
                weaver.put(self.value.source, at)
            else:
                weaver.take(old.source.slice(start, end, "text"))
        if index >= len(pieces):
            weaver.glue(delimiter)
            weaver.put(self.value.source, at)
        return Leaf(weaver.source("text", old.source.owner), old.style, old.tag)


# -- vars -------------------------------------------------------------------------------------


def variables(resources: Resources, entries: tuple[Data, ...]) -> dict[str, Leaf]:
    """The values of ``vars``, by name."""
    found: dict[str, Leaf] = {}
    for entry in entries:
        target = entry.get("objref") if isinstance(entry, Table) else None
        if not isinstance(entry, Table) or not isinstance(target, Table):
            continue
        version = (target.text("apiVersion") or "").rpartition("/")
        mine = next(
            (one for one in resources if selects(target, one) and version[0] in ("", one.group)),
            None,
        )
        path = entry.text("fieldref", "fieldpath") or entry.text("fieldref", "fieldPath")
        steps = steps_of(path or "metadata.name")
        value = value_at(mine.data, steps) if mine is not None else None
        if isinstance(value, Leaf):
            found[entry.text("name") or ""] = value
    return found


def with_variables(resource: Resource, values: dict[str, Leaf]) -> Resource:
    """The resource with ``$(NAME)`` filled in where kustomize does: in what containers run."""
    if not values or not resource.is_built_in:
        return resource
    data = _filled(resource.data, values)
    return resource.with_data(data) if isinstance(data, Table) else resource


def _filled(data: Data, values: dict[str, Leaf]) -> Data:
    if isinstance(data, tuple):
        return tuple(_filled(item, values) for item in data)
    if not isinstance(data, Table):
        return data
    members = {}
    for key, member in data.members.items():
        value = member.value
        if key in ("args", "command") and isinstance(value, tuple):
            value = tuple(_text(item, values) for item in value)
        elif key == "env" and isinstance(value, tuple):
            value = tuple(_variable(item, values) for item in value)
        else:
            value = _filled(value, values)
        members[key] = Member(member.key, value)
    return Table(members)


def _variable(item: Data, values: dict[str, Leaf]) -> Data:
    member = item.members.get("value") if isinstance(item, Table) else None
    if member is None or not isinstance(item, Table):
        return item
    return with_member(item, member.key, _text(member.value, values))


def _text(data: Data, values: dict[str, Leaf]) -> Data:
    if not isinstance(data, Leaf) or "$(" not in data.text:
        return data
    runs = tuple(_runs(data.text, values))
    if sum(len(value.text) if value else end - start for start, end, value in runs) > MAX_TEXT:
        return data
    weaver = Weaver(data.source.span(0, len(data.text)).path)
    for start, end, value in runs:
        if value is None:
            weaver.take(data.source.slice(start, end, "text"))
        else:
            weaver.put(value.source, data.source.span(start, end))
    return Leaf(weaver.source("text", data.source.owner), data.style, data.tag)


def _runs(text: str, values: dict[str, Leaf]) -> Iterator[tuple[int, int, Leaf | None]]:
    at = 0
    for found in _VARIABLE.finditer(text):
        value = values.get(found["name"] or "")
        if value is not None:
            yield at, found.start(), None
            yield found.start(), found.end(), value
            at = found.end()
    yield at, len(text), None
