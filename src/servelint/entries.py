"""Arrays of tables that people write in TOML: checked key by key, each with where it stands."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from datetime import date

from servelint.config import MAX_QUOTE, ConfigError
from servelint.patterns import path_pattern
from servelint.source import Span
from servelint.syntax.toml_scanner import TomlError
from servelint.syntax.toml_strings import parse
from servelint.versions import parse as parse_version

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from servelint.syntax.toml_strings import TomlText

    Check = Callable[[str, object], Any]

MAX_ENTRIES = 2000
"""Entries of one file; more are nobody's work."""

MAX_PATTERN = 200
"""Characters of a pattern of paths."""

DIGEST = re.compile(r"sha256:[0-9a-f]{64}\Z")
_ID = re.compile(r"[\w.-]+\Z")


@dataclass(frozen=True, slots=True)
class Table:
    """One kind of entry: the name of its array, what its keys may hold, which it needs.

    The place of an entry is that of the first of ``marks`` that is a text, or a list of texts.
    """

    name: str
    fields: Mapping[str, Check]
    needed: tuple[str, ...]
    marks: tuple[str, ...]

    def values(self, place: str, row: object) -> dict[str, Any]:
        """The values of one row. Raises :class:`ConfigError` that begins with ``place``."""
        if not isinstance(row, dict):
            raise ConfigError(f"{place}: expected a table")
        for key in row:
            if key not in self.fields:
                known = ", ".join(self.fields)
                raise ConfigError(f"{place}: unknown key {key!r:.{MAX_QUOTE}}; known are {known}")
        values = {key: self.fields[key](f"{place}: {key}", value) for key, value in row.items()}
        for key in self.needed:
            if key not in row:
                raise ConfigError(f"{place}: {key} is missing")
        return values


@dataclass(frozen=True, slots=True)
class Entry:
    """The values of one row, where it is written, and how messages name that place."""

    values: dict[str, Any]
    span: Span
    place: str


@dataclass(frozen=True, slots=True)
class EntryFile:
    """A file with its text and what that says."""

    path: str
    text: str
    toml: TomlText

    @classmethod
    def of(cls, path: str, text: str) -> EntryFile:
        """The file, read as TOML. Raises :class:`ConfigError`."""
        try:
            return cls(path, text, parse(text))
        except TomlError as error:
            line = text.count("\n", 0, error.offset) + 1
            raise ConfigError(f"{path}:{line}: {error}") from error

    def only(self, name: str) -> None:
        """Raises :class:`ConfigError` for a key beside the one array."""
        for key in self.toml.data:
            if key != name:
                wrong = f"{key!r:.{MAX_QUOTE}}"
                raise ConfigError(f"{self.path}: unknown key {wrong}; expected [[{name}]]")

    def rows(self, table: Table, array: tuple[str, ...]) -> tuple[Entry, ...]:
        """All rows of an array, in order. Raises :class:`ConfigError`."""
        rows: Any = self.toml.data
        for key in array:
            rows = rows.get(key, []) if isinstance(rows, dict) else rows
        if not isinstance(rows, list) or len(rows) > MAX_ENTRIES:
            wanted = f"expected at most {MAX_ENTRIES} [[{table.name}]] tables"
            raise ConfigError(f"{self.path}: {wanted}")
        starts, done = self._starts(array), []
        for index, row in enumerate(rows):
            start = starts.get(index, 0)
            place = f"{self.path}:{self.text.count(chr(10), 0, start) + 1}"
            span = self._span((*array, index), start, table.marks)
            done.append(Entry(table.values(place, row), span, place))
        return tuple(done)

    def _span(self, row: tuple[str | int, ...], start: int, marks: tuple[str, ...]) -> Span:
        for key in marks:
            for path in ((*row, key), (*row, key, 0)):
                string = self.toml.strings.get(path)
                if string is not None:
                    return Span(self.path, string.start, string.end)
        return Span(self.path, start, start)

    def _starts(self, array: tuple[str, ...]) -> dict[int, int]:
        """Where the first key of each row of an array is written."""
        size, found = len(array), dict[int, int]()
        for path, (start, _) in self.toml.keys.items():
            if path[:size] == array and len(path) > size + 1:
                index = int(path[size])
                found[index] = min(start, found.get(index, start))
        return found


def array_of(file: str, name: str) -> tuple[str, ...]:
    """The keys that lead to an array of a configuration file."""
    prefix = ("tool", "servelint") if os.path.basename(file) == "pyproject.toml" else ()
    return (*prefix, name)


# -- what keys may hold: each raises ConfigError that begins with its place ------


def text(place: str, value: object) -> str:
    """A text that says something."""
    if not isinstance(value, str) or not value.strip():
        raise ConfigError(f"{place}: expected a text")
    return value.strip()


def version(place: str, value: object) -> str:
    """A version (PEP 440)."""
    told = text(place, value)
    if parse_version(told) is None:
        raise ConfigError(f"{place}: {told!r:.{MAX_QUOTE}} is no version (PEP 440)")
    return told


def day(place: str, value: object) -> str:
    """A day, as TOML or as text; YYYY-MM-DD."""
    try:
        told = value if isinstance(value, date) else date.fromisoformat(text(place, value))
    except ValueError as error:
        raise ConfigError(f"{place}: expected a day such as 2027-01-31") from error
    return told.isoformat()[:10]


def count(place: str, value: object) -> int:
    """A whole number from 1."""
    if type(value) is not int or value < 1:
        raise ConfigError(f"{place}: expected a whole number from 1")
    return value


def listed(place: str, value: object, kind: type, what: str) -> tuple[Any, ...]:
    """A list of one kind with something in it."""
    if not isinstance(value, list) or not value or not all(type(one) is kind for one in value):
        raise ConfigError(f"{place}: expected a list of {what}")
    return tuple(value)


def digest(place: str, value: object) -> str:
    """The digest of an image."""
    told = text(place, value)
    if not DIGEST.match(told):
        raise ConfigError(f"{place}: {told!r:.{MAX_QUOTE}}; expected sha256: and 64 hex digits")
    return told


def paths(place: str, value: object) -> tuple[re.Pattern[str], ...]:
    """Patterns of paths."""
    texts = listed(place, value, str, "patterns of paths")
    for one in texts:
        if len(one) > MAX_PATTERN or one.count("**") > 3:
            limit = f"at most {MAX_PATTERN} characters and three **"
            raise ConfigError(f"{place}: {one!r:.{MAX_QUOTE}}: a pattern has {limit}")
    return tuple(map(path_pattern, texts))


def ids(place: str, value: object) -> tuple[str, ...]:
    """Ids of what may be reported."""
    told = listed(place, value, str, "ids")
    if not all(map(_ID.match, told)):
        raise ConfigError(f"{place}: expected a list of ids")
    return told
