"""What a block of a lockfile in TOML says of its package."""

from __future__ import annotations

from dataclasses import dataclass

from servelint.facts import Requirement
from servelint.finding import Skip
from servelint.syntax.markers import never_on_linux
from servelint.syntax.package_name import normalise
from servelint.value import Text, Value, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.source import Source


@dataclass(frozen=True, slots=True)
class Field:
    """A string of a block: its value and the range of its content in the file."""

    text: str
    start: int
    end: int


Fields = dict[str, Field]
"""The strings of one block by dotted key (``source.git``, ``resolution-markers.0``)."""

_LOCATIONS = (
    ("source.git", "vcs"),
    ("source.url", "url"),
    ("source.path", "path"),
    ("source.directory", "path"),
    ("source.editable", "path"),
    ("source.virtual", "path"),
    ("vcs.url", "vcs"),
    ("vcs.path", "vcs"),
    ("archive.url", "url"),
    ("archive.path", "path"),
    ("directory.path", "path"),
    ("git", "vcs"),
    ("url", "url"),
    ("path", "path"),
)
"""Fields that say where a package was taken from when not from an index."""

_SOURCE_TYPES = {"git": "vcs", "url": "url", "file": "path", "directory": "path"}
"""``source.type`` beside ``source.url``; other types are indexes."""

_REFS = ("source.reference", "ref", "vcs.requested-revision")
_COMMITS = ("source.resolved_reference", "revision", "vcs.commit-id")
"""Fields that stand beside the location of a repository: what was asked for, and what it was."""

MARKERS = ("marker", "markers", "resolution-markers")
EXTRAS = "extras"


def package(source: Source, fields: Fields, start: int) -> Iterator[Requirement | Skip]:
    """The fact of one block, or why there is none."""
    name, version = fields.get("name"), fields.get("version")
    kind, location = _location(fields)
    if name is None or (version is None and location is None):
        yield _unnamed(source, name, start)
        return
    if _elsewhere(fields):
        return
    first = name if version is None or version.start > name.start else version
    last = version if first is name and version is not None else name
    normal = normalise(name.text)
    yield Requirement(
        span=source.span(first.start, last.end),
        owner=source.owner.child("package", normal),
        name=normal,
        kind=kind,
        version=_value(source, version) if version else None,
        specifier=_place(source, fields, location) if location else None,
        extras=tuple(dict.fromkeys(_extras(fields))),
    )


def _extras(fields: Fields) -> Iterator[str]:
    listed = (field for key, field in fields.items() if key.startswith(f"{EXTRAS}."))
    return (normalise(field.text) for field in listed)


def _unnamed(source: Source, name: Field | None, start: int) -> Skip:
    """The skip of a block without a name, or without a version and a place."""
    end = source.text.find("\n", start)
    span = source.span(start, end if end >= 0 else len(source.text))
    if name is not None:
        span = source.span(name.start, name.end)
    detail = f"expected {'a version' if name else 'a name'} of the package"
    return Skip(source.path, "read", "syntax", detail, span)


def _location(fields: Fields) -> tuple[str, Field | None]:
    """Kind and place of a package; ``locked`` without a place for one from an index."""
    if "source.type" in fields:
        kind = _SOURCE_TYPES.get(fields["source.type"].text, "locked")
        return kind, fields.get("source.url") if kind != "locked" else None
    for key, kind in _LOCATIONS:
        if key in fields:
            return kind, fields[key]
    return "locked", None


def _elsewhere(fields: Fields) -> bool:
    """True for a fork that no Linux machine installs: each of its markers says so."""
    markers = [field.text for key, field in fields.items() if key.partition(".")[0] in MARKERS]
    return bool(markers) and all(map(never_on_linux, markers))


def _place(source: Source, fields: Fields, location: Field) -> Value:
    """A location, with what stands beside it as uv writes it: ``URL?rev=REF#COMMIT``."""
    value = _value(source, location)
    ref = next((fields[key] for key in _REFS if key in fields), None)
    commit = next((fields[key] for key in _COMMITS if key in fields), None)
    if (ref is None and commit is None) or "?" in location.text or "#" in location.text:
        return value
    parts = list(value.readings[0])
    for sign, field in (("?rev=", ref), ("#", commit)):
        if field is not None:
            parts.append(Text(f"{sign}{field.text}", (source.span(field.start, field.end),)))
    return Value((tuple(parts),), value.span)


def _value(source: Source, field: Field) -> Value:
    return known(field.text, source.span(field.start, field.end))
