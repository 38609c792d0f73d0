"""Reads the packages of uv.lock, poetry.lock, pdm.lock and pylock.toml.

These files are long and written by tools, and only few of their lines matter.
So each ``[[package]]`` block is first read by patterns that take a plain part
of TOML; a block that they do not take, and a text with strings over several
lines, goes through the TOML parser.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace

from servelint.readers.lockfile.package import EXTRAS, MARKERS, Field, package
from servelint.syntax.package_name import names_none, normalise
from servelint.syntax.toml_scanner import TomlError, TomlString, decode
from servelint.syntax.toml_strings import parse, refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from servelint.facts import Requirement
    from servelint.finding import Skip
    from servelint.readers.lockfile.package import Fields
    from servelint.source import Source

_TABLES = ("package", "packages")


_READ = frozenset(
    {
        *("name", "version", "source", "vcs", "archive", "directory", "git", "url", "path"),
        *("ref", "revision"),
        *MARKERS,
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

_ASKED = re.compile(rf"\nextras{_BLANK}={_BLANK}\[(?P<extras>[^\]]*+)\]")
_SUBTABLE = re.compile(
    rf"\[\[?+{_BLANK}packages?+{_BLANK}\.{_BLANK}(?P<name>{_KEY})[^\]\n]*+\]\]?+{_LINE_END}"
)
_TOP_TABLE = re.compile(
    rf"^{_BLANK}\[\[?(?!{_BLANK}packages?{_BLANK}\.)[^\[\],{{}}\n]++\]\]?{_LINE_END}", re.MULTILINE
)
_QUOTED_NAME = re.compile(r"\[\[[ \t]*[\"']")


def read(source: Source) -> Iterator[Requirement | Skip]:
    """One fact for each package that the file locks, forks included.

    With needles, only for packages of which the name or an extra holds one.
    """
    words = tuple(dict.fromkeys(map(normalise, source.needles)))
    starts = () if _may_mislead(source.text) else tuple(_headers(source.text))
    if not starts:
        yield from _parsed(source, 0, len(source.text))
        return
    if source.text[: starts[0]].strip():
        yield from _parsed(source, 0, starts[0])
    by_extra = frozenset(_by_extra(source.text, starts, words)) if words else ()
    for start in starts:
        named = _FIRST_NAME.match(source.text, start) if words else None
        if named and names_none(named["name"], words) and start not in by_extra:
            continue
        fields = _plain(source.text, start)
        if fields is None:
            top = _TOP_TABLE.search(source.text, source.text.index("]]", start))
            yield from _parsed(source, start, top.start() if top else len(source.text))
        else:
            yield from package(source, fields, start)


def _by_extra(text: str, starts: Sequence[int], words: tuple[str, ...]) -> Iterator[int]:
    """Where the blocks start that ask for an extra which holds a word."""
    for match in _ASKED.finditer(text, starts[0]):
        if not names_none(match["extras"], words):
            yield starts[bisect_right(starts, match.start()) - 1]


def _may_mislead(text: str) -> bool:
    """What may hide a header or be one: strings over several lines, quoted table names."""
    return '"""' in text or "'''" in text or _QUOTED_NAME.search(text) is not None


def _headers(text: str) -> Iterator[int]:
    """Where the blocks start: only a header may follow the blanks of a line so."""
    for match in _BLOCK.finditer(text):
        line = text.rfind("\n", 0, match.start()) + 1
        if not text[line : match.start()].strip(" \t"):
            yield match.start()


def _plain(text: str, start: int) -> Fields | None:
    """The fields of a block by patterns, None when it is not plain."""
    header = _BLOCK.match(text, start)
    at = header.end() if header else start
    table = ""
    fields: Fields = {}
    while True:
        if entry := _ENTRY.match(text, at):
            at = entry.end()
            is_extras = not table and entry["key"] == EXTRAS  # a table of that name declares some
            is_read = is_extras or (table or entry["key"]) in _READ
            if is_read and not _take(text, entry, table, fields):
                return None
            continue
        gap = _GAP.match(text, at)
        at = gap.end() if gap else at
        subtable = _SUBTABLE.match(text, at)
        if subtable is None:
            return fields if at == len(text) or text[at] == "[" else None
        table = subtable["name"]
        at = subtable.end()


def _take(text: str, entry: re.Match[str], table: str, fields: Fields) -> bool:
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


def _strings(text: str, name: str, start: int, end: int) -> Fields:
    """The strings of a value: itself, the rows of an array, the pairs of an inline table."""
    if text[start] in "\"'":
        return {name: _field(text, start, end)}
    if text[start] == "{":
        pairs = _PAIR.finditer(text, start, end)
        return {f"{name}.{pair[1]}": _field(text, *pair.span(2)) for pair in pairs}
    rows = enumerate(_STRING.finditer(text, start, end))
    return {f"{name}.{index}": _field(text, *row.span()) for index, row in rows}


def _field(text: str, start: int, end: int) -> Field:
    """The string whose quotes stand at ``start`` and before ``end``."""
    content = text[start + 1 : end - 1]
    if text[start] == '"' and (escapes := content.count("\\")):
        if escapes == content.count('\\"'):  # common in markers, and decoding is slow
            content = content.replace('\\"', '"')
        else:
            content = decode(text, TomlString(start + 1, end - 1, '"'))[0]
    return Field(content, start + 1, end - 1)


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
    blocks: dict[tuple[str | int, ...], Fields] = {
        (table, index): {}
        for table in _TABLES
        if isinstance(packages := toml.data.get(table), list)
        for index in range(len(packages))
    }
    for path, string in toml.strings.items():
        is_extras = path[2:3] == (EXTRAS,) and len(path) == 4 and isinstance(path[3], int)
        if path[:2] in blocks and path[2:3] and (path[2] in _READ or is_extras):
            value = decode(text, string)[0]
            field = Field(value, start + string.start, start + string.end)
            blocks[path[:2]][".".join(map(str, path[2:]))] = field
    for path, fields in blocks.items():
        key = toml.keys.get(path[:1], (0, 0))
        yield from package(source, fields, start + key[0])
