"""Compose projects of several files: overrides, extended services, included projects.

What is read is the project that comes out, woven of the texts of all files that it comes from. A
file that stands for itself needs none of this: the reader of YAML takes it.
"""

from __future__ import annotations

import re

from servelint.facts import Uses
from servelint.readers import claim, claim_text
from servelint.readers.compose.compositions import Composition, Compositions
from servelint.readers.compose.includes import included, reached, whole
from servelint.readers.compose.project import Project
from servelint.source import Route, Source
from servelint.syntax.weave import Weaver
from servelint.syntax.yaml_data import Leaf, Table, write
from servelint.syntax.yaml_edit import place, size
from servelint.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.facts import Fact
    from servelint.finding import Skip
    from servelint.unit import Files

KIND = "compose"

MAX_TEXT = 20_000_000
"""Characters of one project with all that it extends and includes."""

_FEATURES = re.compile(r"\b(?:extends|include|env_file|configs)[\"']?[ \t]*:")
"""What a file cannot be read without other files for, or not as plain YAML."""


def units(files: Files) -> Iterator[Unit]:
    """The projects of several files that hold or use a relevant file."""
    if not files.relevant:
        return
    project = Project(files)
    compositions = Compositions(project)
    found = [one for directory in compositions.directories for one in compositions.of(directory)]
    takes = {one: reached(project, one) for one in found}
    used = {path for one in found for path in takes[one] - set(one.files)}
    by_first: dict[str, set[str]] = {}
    for one in found:
        is_part = len(one.files) == 1 and one.files[0] in used
        if not is_part and _needs_unit(files, one, takes[one]):
            by_first.setdefault(one.files[0], set()).update(takes[one])
    for path, taken in by_first.items():
        if not files.relevant.isdisjoint(taken):
            yield Unit(KIND, path, tuple(sorted(taken)))


def _needs_unit(files: Files, one: Composition, taken: frozenset[str]) -> bool:
    if len(one.files) > 1 or one.environments:
        return True
    others = taken - {one.files[0], f"{one.directory}/.env".removeprefix("/")}
    return bool(others) or _FEATURES.search(files.text(one.files[0]) or "") is not None


def read_unit(unit: Unit, files: Files) -> Iterator[Fact | Source | Skip]:
    """The projects that begin with one file, and what could not be told of them."""
    project = Project(files)
    directory = unit.path.rpartition("/")[0]
    for one in Compositions(project).of(directory):
        if one.files[0] == unit.path:
            for part in (one, *included(project, one)):
                yield from _project(project, unit, part)
    yield from project.skips


def _project(project: Project, unit: Unit, one: Composition) -> Iterator[Fact | Source]:
    data = whole(project, one)
    first = one.files[0]
    if project.merger.is_spent or size(data, MAX_TEXT) > MAX_TEXT:
        detail = "services that extend each other multiply: the project is not read"
        project.skip("too-large", detail, place(data))
        return
    weaver = Weaver(first)
    write(weaver, data)
    owner = Route(unit.path, (one.variant, first))
    source = weaver.source("yaml", owner, one.variant)
    yield source
    for target in one.environments:
        # The document is nearer than the text that the `.env` beside it belongs to.
        at = source.span(0, 0)
        yield Uses(
            span=at, owner=owner.child(0), target=target, how="env-file", variant=one.variant
        )
    yield from _configs(source, data)


def _configs(source: Source, data: Table) -> Iterator[Source]:
    """The texts that a project itself holds as files of a service: a script is run there."""
    services = data.get("services")
    for name, member in services.members.items() if isinstance(services, Table) else ():
        entries = member.value.get("configs") if isinstance(member.value, Table) else None
        for number, entry in enumerate(entries if isinstance(entries, tuple) else ()):
            key = entry.text("source") if isinstance(entry, Table) else None
            key = entry.text if isinstance(entry, Leaf) else key
            content = data.get("configs", key, "content") if key else None
            if not isinstance(content, Leaf) or not key:
                continue
            target = (entry.text("target") if isinstance(entry, Table) else None) or key
            language = claim_text(claim(target), content.text)
            if language:
                steps = (0, "services", name, "configs", number)
                yield _inside(content, language, source, source.owner.child(*steps))


def _inside(content: Leaf, language: str, source: Source, owner: Route) -> Source:
    weaver = Weaver(source.path)
    weaver.take(content.source)
    return weaver.source(language, owner, source.variant)
