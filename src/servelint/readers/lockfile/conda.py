"""Reads a conda-lock.yml: a list of packages, one for each platform."""

from __future__ import annotations

from dataclasses import replace

from servelint.facts import Requirement
from servelint.finding import Skip
from servelint.syntax.package_name import names_none, normalise
from servelint.syntax.pep508 import location_kind
from servelint.syntax.yaml_items import entries, items
from servelint.value import known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.source import Source
    from servelint.syntax.yaml_items import Entry

_ON_LINUX = ("linux", "noarch")


def read(source: Source) -> Iterator[Requirement | Source | Skip]:
    """One fact for each package that Linux takes; a file of another kind is YAML."""
    places = items(source.text, "package")
    if places is None:
        yield source.slice(0, len(source.text), "yaml")
        return
    words = tuple(dict.fromkeys(map(normalise, source.needles)))
    for row in entries(source, places, words):
        if isinstance(row, Skip):
            yield row
        else:
            yield from _package(source, row, words)


def _package(source: Source, row: Entry, words: tuple[str, ...]) -> Iterator[Requirement]:
    name, version, platform = row.text("name"), row.text("version"), row.text("platform")
    if name is None or version is None or (words and names_none(name.text, words)):
        return
    if platform is not None and not platform.text.startswith(_ON_LINUX):
        return
    url = row.text("url")
    kind = location_kind(url.text) if url is not None else ""
    first, last = name.span(0, len(name.text)), version.span(0, len(version.text))
    yield Requirement(
        span=replace(first, start=min(first.start, last.start), end=max(first.end, last.end)),
        owner=source.owner.child("package", normalise(name.text)),
        name=normalise(name.text),
        kind="vcs" if kind == "vcs" else "locked",
        version=known(version.text, last),
        specifier=known(url.text, url.span(0, len(url.text))) if url and kind == "vcs" else None,
    )
