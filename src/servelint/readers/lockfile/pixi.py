"""Reads a pixi.lock: a list of packages, and which of them each platform takes.

Of versions 4 and 5 a package says its name; from version 6 on, one of conda
says it in the name of its file.
"""

from __future__ import annotations

import re
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

_LOCATIONS = ("pypi", "conda", "url", "path")
_CONDA_FILE = re.compile(
    r".*/(?P<name>[^/]+)-(?P<version>[^/-]+)-[^/-]+(?:\.conda|\.tar\.bz2)(?:[?#].*)?\Z"
)
_PLATFORM = re.compile(
    r"^ +(?P<name>(?:linux|noarch|osx|win|emscripten|wasi)[\w-]*):[ \t]*\r?$", re.M
)
_LISTED = re.compile(r"^ +- (?:pypi|conda): (\S+)", re.M)
_ON_LINUX = ("linux", "noarch")
_ENVIRONMENTS = re.compile(r"^environments:", re.M)


def read(source: Source) -> Iterator[Requirement | Skip]:
    """One fact for each package that Linux takes."""
    places = items(source.text, "packages")
    if places is None:
        detail = "expected a list of packages"
        yield Skip(source.path, "read", "syntax", detail, source.span(0, 0))
        return
    words = tuple(dict.fromkeys(map(normalise, source.needles)))
    elsewhere = _elsewhere(source.text, places[0][0])
    for row in entries(source, places, words):
        if isinstance(row, Skip):
            yield row
        else:
            yield from _package(source, row, words, elsewhere)


def _package(
    source: Source, row: Entry, words: tuple[str, ...], elsewhere: frozenset[str]
) -> Iterator[Requirement]:
    location = row.text(*_LOCATIONS)
    name, version = row.text("name"), row.text("version")
    file = _CONDA_FILE.match(location.text) if location is not None else None
    if location is not None and file is not None and name is None:
        name = location.slice(*file.span("name"), "text")
        version = location.slice(*file.span("version"), "text")
    if name is None or (words and names_none(name.text, words)):
        return
    if location is not None and location.text in elsewhere:
        return
    kind = location_kind(location.text) if location is not None else "url"
    if version is None and (location is None or kind == "url"):
        return
    texts = (name,) if version is None else (name, version)
    spans = [text.span(0, len(text.text)) for text in texts]
    at = location.span(0, len(location.text)) if location is not None else None
    yield Requirement(
        span=replace(spans[0], start=min(s.start for s in spans), end=max(s.end for s in spans)),
        owner=source.owner.child("package", normalise(name.text)),
        name=normalise(name.text),
        kind="locked" if kind == "url" else kind,
        version=known(version.text, spans[-1]) if version is not None else None,
        specifier=known(location.text, at) if location and at and kind != "url" else None,
    )


def _elsewhere(text: str, end: int) -> frozenset[str]:
    """The locations that are listed for other platforms only, in all environments."""
    top = _ENVIRONMENTS.search(text, 0, end)
    heads = list(_PLATFORM.finditer(text, top.end(), end)) if top else []
    edges = [*(head.start() for head in heads[1:]), end]
    on_linux: set[str] = set()
    others: set[str] = set()
    for head, edge in zip(heads, edges, strict=False):
        kept = on_linux if head["name"].startswith(_ON_LINUX) else others
        kept.update(_LISTED.findall(text, head.end(), edge))
    return frozenset(others - on_linux)
