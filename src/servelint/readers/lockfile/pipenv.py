"""Reads a Pipfile.lock: JSON with one object of packages for each category."""

from __future__ import annotations

import re
from dataclasses import replace

from servelint.facts import Requirement
from servelint.finding import Skip
from servelint.syntax.json_strings import JsonError, JsonString, decode, parse_json
from servelint.syntax.markers import never_on_linux
from servelint.syntax.package_name import names_none, normalise
from servelint.syntax.pep508 import location_kind
from servelint.value import Text, Value, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.source import Source
    from servelint.syntax.json_strings import Json

MAX_ROW = 50_000
"""Characters between the name of a package and its first text: mostly hashes, of 74 each."""

_META = "_meta"
_LOCATIONS = (("git", "vcs"), ("hg", "vcs"), ("file", ""), ("path", "path"))
"""Keys that say where a package comes from; what ``file`` names tells its kind."""

_OPENS = re.compile(r"\s*:\s*\{")
_VERSION = re.compile(r"={2,3}\s*(?P<version>\S+)\Z")


def read(source: Source) -> Iterator[Requirement | Skip]:
    """One fact for each package of each category."""
    try:
        data = parse_json(source.text)
    except JsonError as error:
        end = source.text.find("\n", error.offset)
        span = source.span(error.offset, end if end >= 0 else len(source.text))
        yield Skip(source.path, "read", error.reason, str(error), span)
        return
    words = tuple(dict.fromkeys(map(normalise, source.needles)))
    for category, packages in data.items() if isinstance(data, dict) else ():
        if category == _META or not isinstance(packages, dict):
            continue
        for name, row in packages.items():
            named = " ".join((name, *_extras(source, row)))
            if not (words and names_none(named, words)):
                yield from _package(source, name, row)


def _package(source: Source, name: str, row: Json) -> Iterator[Requirement | Skip]:
    """The fact of a row; none for what no Linux machine installs."""
    found = row.items() if isinstance(row, dict) else ()
    fields = {key: value for key, value in found if isinstance(value, JsonString)}
    first = min((one.start for one in fields.values()), default=len(source.text))
    place = _key(source.text, name, first)
    version = _version(source, fields.get("version"))
    kind, location = _location(source, fields)
    last = version or location
    if last is None:
        detail = "expected a version of the package"
        yield Skip(source.path, "read", "syntax", detail, source.span(*place))
        return
    if "markers" in fields and never_on_linux(decode(source.text, fields["markers"])[0]):
        return
    span = source.span(*place)
    yield Requirement(
        span=replace(span, end=max(span.end, last.span.end)),
        owner=source.owner.child("package", normalise(name)),
        name=normalise(name),
        kind=kind,
        version=version,
        specifier=location,
        extras=tuple(dict.fromkeys(_extras(source, row))),
    )


def _key(text: str, name: str, before: int) -> tuple[int, int]:
    """Where the name of a row stands: the last such key before its first value.

    A name that is written with escapes is not found: the value stands for it.
    """
    quoted = f'"{name}"'
    start = max(before - MAX_ROW, 0)
    at = text.rfind(quoted, start, before)
    while at >= 0 and not _OPENS.match(text, at + len(quoted)):
        at = text.rfind(quoted, start, at)
    return (at + 1, at + 1 + len(name)) if at >= 0 else (before, before)


def _version(source: Source, field: JsonString | None) -> Value | None:
    """The version of ``==1.0``."""
    if field is None:
        return None
    text, pieces = decode(source.text, field)
    match = _VERSION.match(text)
    if match is None:
        return None
    child = source.embed(text, pieces, "text")
    return known(match["version"], child.span(*match.span("version")))


def _location(source: Source, fields: dict[str, JsonString]) -> tuple[str, Value | None]:
    """Kind and place of a package; ``locked`` without a place for one from an index."""
    for key, kind in _LOCATIONS:
        if key in fields:
            text = decode(source.text, fields[key])[0]
            parts = [Text(text)]
            ref = fields.get("ref") if kind == "vcs" else None
            if ref is not None:
                at = source.span(ref.start, ref.end)
                parts.append(Text(f"@{decode(source.text, ref)[0]}", (at,)))
            span = source.span(fields[key].start, fields[key].end)
            return kind or location_kind(text), Value((tuple(parts),), span)
    return "locked", None


def _extras(source: Source, row: Json) -> Iterator[str]:
    listed = row.get("extras") if isinstance(row, dict) else None
    for item in listed if isinstance(listed, list) else ():
        if isinstance(item, JsonString):
            yield normalise(decode(source.text, item)[0])
