"""Reads the packages of uv.lock, poetry.lock, pdm.lock and pylock.toml.

These files are long and written by tools, and only few of their lines matter.
So each ``[[package]]`` block is first read by patterns that take a plain part
of TOML; a block that they do not take, and a text with strings over several
lines, goes through the TOML parser.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from servelint.facts import Requirement, known
from servelint.finding import Skip
from servelint.syntax.markers import never_on_linux
from servelint.syntax.package_name import names_none, normalise
from servelint.syntax.toml_scanner import TomlError, TomlString, decode
from servelint.syntax.toml_strings import parse, refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.facts import Value
    from servelint.source import Source

_TABLES = ("package", "packages")


@dataclass(frozen=True, slots=True)
class _Field:
    """A string of a block: its value and the range of its content in the file."""

    text: str
    start: int
    end: int


_Fields = dict[str, _Field]
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

_MARKERS = ("marker", "markers", "resolution-markers")

_READ = frozenset(
    {
        *("name", "version", "source", "vcs", "archive", "directory", "git", "url", "path"),
        *_MARKERS,
        None,
    }
)
"""Keys of a block that are read, the quoted ones (None) too; the others are passed over."""

_BLANK = r"[ \t]*+"
_GAP_TEXT = r"[ \t\r\n]*+(?:#[^\n]*+[ \t\r\n]*+)*+"
_RUN = r'[^"\\\x00-\x08\n-\x1f\x7f]*+'
_BASIC = rf'"{_RUN}(?:\\(?:[btnfr"\\]|u[0-9A-Fa-f]{{4}}){_RUN})*+"'
_STRING_TEXT = rf"(?:{_BASIC}|'[^'\x00-\x08\n-\x1f\x7f]*+')"
_KEY = r"[A-Za-z0-9_-]++"
_ATOM = rf"(?:{_STRING_TEXT}|true|false|[0-9][0-9T:.Z+-]*+)"
"""A string, or a number or a time, of which only the characters are looked at."""


def _array(item: str) -> str:
    return rf"\[{_GAP_TEXT}(?:{item}{_GAP_TEXT}(?:,{_GAP_TEXT}|(?=\])))*+\]"


def _table(item: str) -> str:
    pair = rf"{_KEY}{_BLANK}={_BLANK}{item}{_BLANK}"
    return rf"\{{{_BLANK}(?:{pair}(?:,{_BLANK}(?!\}})|(?=\}})))*+\}}"


_ROW = rf"(?:{_table(f'(?:{_ATOM}|{_array(_ATOM)}|{_table(_ATOM)})')}|{_ATOM})"
_ENTRY = re.compile(
    rf"{_GAP_TEXT}(?:(?P<key>{_KEY})|{_BASIC}){_BLANK}={_BLANK}"
    rf"(?P<value>{_array(_ROW)}|{_ROW}){_BLANK}(?:#[^\n]*+)?+(?:\r?\n|\Z)"
)
_GAP = re.compile(_GAP_TEXT)
_STRING = re.compile(_STRING_TEXT)
_PAIR = re.compile(rf"({_KEY}){_BLANK}={_BLANK}({_STRING_TEXT})")
_LINE_END = rf"{_BLANK}(?:#[^\n]*+)?+(?:\r?\n|\Z)"
_BLOCK = re.compile(rf"\[\[{_BLANK}packages?+{_BLANK}\]\]{_LINE_END}")
_FIRST_NAME = re.compile(
    rf"\[\[{_BLANK}packages?+{_BLANK}\]\]{_LINE_END}"
    rf"{_BLANK}name{_BLANK}={_BLANK}[\"'](?P<name>[A-Za-z0-9._-]++)[\"']{_LINE_END}"
)
"""A block that begins with the name of its package, as all tools write it."""

_SUBTABLE = re.compile(
    rf"\[\[?+{_BLANK}packages?+{_BLANK}\.{_BLANK}(?P<name>{_KEY})[^\]\n]*+\]\]?+{_LINE_END}"
)
_TOP_TABLE = re.compile(
    rf"^{_BLANK}\[\[?(?!{_BLANK}packages?{_BLANK}\.)[^\[\],{{}}\n]++\]\]?{_LINE_END}", re.MULTILINE
)
_QUOTED_NAME = re.compile(r"\[\[[ \t]*[\"']")


def read(source: Source) -> Iterator[Requirement | Skip]:
    """One fact for each package that the file locks, forks included.

    With needles, only for packages whose name holds one.
    """
    words = tuple(dict.fromkeys(map(normalise, source.needles)))
    starts = () if _may_mislead(source.text) else tuple(_headers(source.text))
    if not starts:
        yield from _parsed(source, 0, len(source.text))
        return
    if source.text[: starts[0]].strip():
        yield from _parsed(source, 0, starts[0])
    for start in starts:
        named = _FIRST_NAME.match(source.text, start) if words else None
        if named and names_none(named["name"], words):
            continue
        fields = _plain(source.text, start)
        if fields is None:
            top = _TOP_TABLE.search(source.text, source.text.index("]]", start))
            yield from _parsed(source, start, top.start() if top else len(source.text))
        else:
            yield from _package(source, fields, start)


def _may_mislead(text: str) -> bool:
    """What may hide a header or be one: strings over several lines, quoted table names."""
    return '"""' in text or "'''" in text or _QUOTED_NAME.search(text) is not None


def _headers(text: str) -> Iterator[int]:
    """Where the blocks start: only a header may follow the blanks of a line so."""
    for match in _BLOCK.finditer(text):
        line = text.rfind("\n", 0, match.start()) + 1
        if not text[line : match.start()].strip(" \t"):
            yield match.start()


def _plain(text: str, start: int) -> _Fields | None:
    """The fields of a block by patterns, None when it is not plain."""
    header = _BLOCK.match(text, start)
    at = header.end() if header else start
    table = ""
    fields: _Fields = {}
    while True:
        if entry := _ENTRY.match(text, at):
            at = entry.end()
            if (table or entry["key"]) in _READ and not _take(text, entry, table, fields):
                return None
            continue
        gap = _GAP.match(text, at)
        at = gap.end() if gap else at
        subtable = _SUBTABLE.match(text, at)
        if subtable is None:
            return fields if at == len(text) or text[at] == "[" else None
        table = subtable["name"]
        at = subtable.end()


def _take(text: str, entry: re.Match[str], table: str, fields: _Fields) -> bool:
    """Add the strings of an entry; False when it takes the parser to tell what they mean."""
    key = entry["key"]
    if key is None:
        return False
    name = f"{table}.{key}" if table else key
    found = _strings(text, name, *entry.span("value"))
    if not fields.keys().isdisjoint(found):
        return False
    fields.update(found)
    return True


def _strings(text: str, name: str, start: int, end: int) -> _Fields:
    """The strings of a value: itself, the rows of an array, the pairs of an inline table."""
    if text[start] in "\"'":
        return {name: _field(text, start, end)}
    if text[start] == "{":
        pairs = _PAIR.finditer(text, start, end)
        return {f"{name}.{pair[1]}": _field(text, *pair.span(2)) for pair in pairs}
    rows = enumerate(_STRING.finditer(text, start, end))
    return {f"{name}.{index}": _field(text, *row.span()) for index, row in rows}


def _field(text: str, start: int, end: int) -> _Field:
    """The string whose quotes stand at ``start`` and before ``end``."""
    content = text[start + 1 : end - 1]
    if text[start] == '"' and (escapes := content.count("\\")):
        if escapes == content.count('\\"'):  # common in markers, and decoding is slow
            content = content.replace('\\"', '"')
        else:
            content = decode(text, TomlString(start + 1, end - 1, '"'))[0]
    return _Field(content, start + 1, end - 1)


def _parsed(source: Source, start: int, end: int) -> Iterator[Requirement | Skip]:
    """The packages of a range, by the parser."""
    text = source.text[start:end]
    try:
        toml = parse(text)
    except TomlError as error:
        skip = refusal(source, error)
        if len(text) < len(source.text):
            skip = replace(skip, span=source.span(start, start + len(text.rstrip())))
        yield skip
        return
    blocks: dict[tuple[str | int, ...], _Fields] = {
        (table, index): {}
        for table in _TABLES
        if isinstance(packages := toml.data.get(table), list)
        for index in range(len(packages))
    }
    for path, string in toml.strings.items():
        if path[:2] in blocks and path[2:3] and path[2] in _READ:
            value = decode(text, string)[0]
            field = _Field(value, start + string.start, start + string.end)
            blocks[path[:2]][".".join(map(str, path[2:]))] = field
    for path, fields in blocks.items():
        key = toml.keys.get(path[:1], (0, 0))
        yield from _package(source, fields, start + key[0])


def _package(source: Source, fields: _Fields, start: int) -> Iterator[Requirement | Skip]:
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
        specifier=_value(source, location) if location else None,
    )


def _unnamed(source: Source, name: _Field | None, start: int) -> Skip:
    """The skip of a block without a name, or without a version and a place."""
    end = source.text.find("\n", start)
    span = source.span(start, end if end >= 0 else len(source.text))
    if name is not None:
        span = source.span(name.start, name.end)
    detail = f"expected {'a version' if name else 'a name'} of the package"
    return Skip(source.path, "read", "syntax", detail, span)


def _location(fields: _Fields) -> tuple[str, _Field | None]:
    """Kind and place of a package; ``locked`` without a place for one from an index."""
    if "source.type" in fields:
        kind = _SOURCE_TYPES.get(fields["source.type"].text, "locked")
        return kind, fields.get("source.url") if kind != "locked" else None
    for key, kind in _LOCATIONS:
        if key in fields:
            return kind, fields[key]
    return "locked", None


def _elsewhere(fields: _Fields) -> bool:
    """True for a fork that no Linux machine installs: each of its markers says so."""
    markers = [field.text for key, field in fields.items() if key.partition(".")[0] in _MARKERS]
    return bool(markers) and all(map(never_on_linux, markers))


def _value(source: Source, field: _Field) -> Value:
    return known(field.text, source.span(field.start, field.end))
