"""Reads what people state: ``servelint-images.toml`` and ``[[tool.servelint.version]]``."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from datetime import date

from servelint.config import IMAGE_MAP, MAX_QUOTE, ConfigError, read_bytes
from servelint.discover import read_text
from servelint.finding import Skip
from servelint.patterns import path_pattern
from servelint.source import Span
from servelint.statement import Said, Statement
from servelint.syntax.package_name import normalise
from servelint.syntax.toml_scanner import TomlError
from servelint.syntax.toml_strings import parse
from servelint.versions import parse as parse_version

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from servelint.config import Config
    from servelint.syntax.toml_strings import TomlText

    Check = Callable[[str, object], Any]

MAX_ENTRIES = 2000
"""Entries of one file; more are nobody's work."""

MAX_PATTERN = 200
"""Characters of a pattern of paths."""

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}\Z")
_SHAPE = re.compile(r"[^\s@]+(?:@sha256:[0-9a-f]{64})?\Z")
_ID = re.compile(r"[\w.-]+\Z")


# -- fields -------------------------------------------------------------------


def _text(place: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ConfigError(f"{place}: expected a text")
    return value.strip()


def _package(place: str, value: object) -> str:
    return normalise(_text(place, value))


def _version(place: str, value: object) -> str:
    text = _text(place, value)
    if parse_version(text) is None:
        raise ConfigError(f"{place}: {text!r:.{MAX_QUOTE}} is no version (PEP 440)")
    return text


def _reference(place: str, value: object) -> str:
    text = _text(place, value)
    if not _SHAPE.match(text) or text.count(":") > 5:
        wrong = f"{text!r:.{MAX_QUOTE}}"
        raise ConfigError(f"{place}: {wrong}; expected an image, or sha256: and 64 hex digits")
    return text


def _digest(place: str, value: object) -> str:
    text = _text(place, value)
    if not _DIGEST.match(text):
        raise ConfigError(f"{place}: {text!r:.{MAX_QUOTE}}; expected sha256: and 64 hex digits")
    return text


def _day(place: str, value: object) -> str:
    try:
        day = value if isinstance(value, date) else date.fromisoformat(_text(place, value))
    except ValueError as error:
        raise ConfigError(f"{place}: expected a day such as 2027-01-31") from error
    return day.isoformat()[:10]


def _paths(place: str, value: object) -> tuple[re.Pattern[str], ...]:
    texts = _list(place, value, str, "patterns of paths")
    for text in texts:
        if len(text) > MAX_PATTERN or text.count("**") > 3:
            limit = f"at most {MAX_PATTERN} characters and three **"
            raise ConfigError(f"{place}: {text!r:.{MAX_QUOTE}}: a pattern has {limit}")
    return tuple(map(path_pattern, texts))


def _pulls(place: str, value: object) -> tuple[int, ...]:
    return _list(place, value, int, "numbers of pull requests")


def _ids(place: str, value: object) -> tuple[str, ...]:
    ids = _list(place, value, str, "ids of advisories")
    if not all(map(_ID.match, ids)):
        raise ConfigError(f"{place}: expected a list of ids of advisories")
    return ids


def _list(place: str, value: object, kind: type, what: str) -> tuple[Any, ...]:
    if not isinstance(value, list) or not value or not all(type(one) is kind for one in value):
        raise ConfigError(f"{place}: expected a list of {what}")
    return tuple(value)


_COMMON: dict[str, Check] = {
    "package": _package,
    "version": _version,
    "evidence": _text,
    "until": _day,
    "date": _day,
    "by": _text,
    "waives": _ids,
    "reason": _text,
}
_IMAGE: dict[str, Check] = {
    "reference": _reference,
    "digest": _digest,
    "fixes": _pulls,
    "absent": _pulls,
    **_COMMON,
}
_PATH: dict[str, Check] = {"paths": _paths, **_COMMON}
_NEEDED = {"image": ("reference", "package", "evidence"), "version": ("paths", "package")}


# -- entries ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Table:
    """One kind of entry: the name of its array and what its keys may hold."""

    name: str
    fields: Mapping[str, Check]
    needed: tuple[str, ...]

    def entry(self, place: str, row: object) -> Statement:
        """The statement of one row. Raises :class:`ConfigError` that begins with ``place``."""
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
        return _whole(place, values)


def _whole(place: str, values: dict[str, Any]) -> Statement:
    """What only the keys together can get wrong."""
    if not {"version", "fixes", "absent"}.intersection(values):
        raise ConfigError(f"{place}: version is missing")
    if "waives" in values and "reason" not in values:
        raise ConfigError(f"{place}: waives wants a reason")
    if both := set(values.get("fixes", ())).intersection(values.get("absent", ())):
        raise ConfigError(f"{place}: {min(both)} is in fixes and in absent")
    if _DIGEST.match(values.get("reference", "")):
        values["digest"] = values.pop("reference")
    values.setdefault("version", "")
    values.setdefault("evidence", "")
    return Statement(span=Span("", 0, 0), **values)


IMAGES = _Table("image", _IMAGE, _NEEDED["image"])
PATHS = _Table("version", _PATH, (*_NEEDED["version"], "version", "evidence"))


# -- files --------------------------------------------------------------------


def said(config: Config) -> Said:
    """All that the root states. Raises :class:`ConfigError` for a file that is not right."""
    texts: dict[str, str] = {}
    images: tuple[Statement, ...] = ()
    paths: tuple[Statement, ...] = ()
    if os.path.lexists(os.path.join(config.root, IMAGE_MAP)):
        texts[IMAGE_MAP] = _read(config.root)
        images = image_statements(texts[IMAGE_MAP])
    if config.versions:
        data = read_bytes(os.path.join(config.root, config.file))
        texts[config.file] = data.decode("utf-8-sig")
        array = (*_prefix(config.file), PATHS.name)
        paths = _File.of(config.file, texts[config.file]).rows(PATHS, array)
    return Said(images, paths, config.today, texts)


def image_statements(text: str) -> tuple[Statement, ...]:
    """The entries of a ``servelint-images.toml``."""
    file = _File.of(IMAGE_MAP, text)
    for key in file.toml.data:
        if key != IMAGES.name:
            wrong = f"{key!r:.{MAX_QUOTE}}"
            raise ConfigError(f"{IMAGE_MAP}: unknown key {wrong}; expected [[{IMAGES.name}]]")
    return file.rows(IMAGES, (IMAGES.name,))


@dataclass(frozen=True, slots=True)
class _File:
    """A file with its text and what that says."""

    path: str
    text: str
    toml: TomlText

    @classmethod
    def of(cls, path: str, text: str) -> _File:
        """The file, read as TOML."""
        try:
            return cls(path, text, parse(text))
        except TomlError as error:
            line = text.count("\n", 0, error.offset) + 1
            raise ConfigError(f"{path}:{line}: {error}") from error

    def rows(self, table: _Table, array: tuple[str, ...]) -> tuple[Statement, ...]:
        """All rows of an array, each with the place of its version, or of its first text."""
        rows: Any = self.toml.data
        for key in array:
            rows = rows.get(key, []) if isinstance(rows, dict) else rows
        if not isinstance(rows, list) or len(rows) > MAX_ENTRIES:
            wanted = f"expected at most {MAX_ENTRIES} [[{table.name}]] tables"
            raise ConfigError(f"{self.path}: {wanted}")
        starts, done = self._starts(array), []
        for index, row in enumerate(rows):
            start = starts.get(index, 0)
            line = self.text.count("\n", 0, start) + 1
            entry = table.entry(f"{self.path}:{line}", row)
            done.append(replace(entry, span=self._span((*array, index), start)))
        return tuple(done)

    def _span(self, row: tuple[str | int, ...], start: int) -> Span:
        for key in ("version", "reference", "package"):
            string = self.toml.strings.get((*row, key))
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


def _prefix(file: str) -> tuple[str, ...]:
    return ("tool", "servelint") if os.path.basename(file) == "pyproject.toml" else ()


def _read(root: str) -> str:
    text = read_text(root, IMAGE_MAP)
    if isinstance(text, Skip):
        raise ConfigError(f"{IMAGE_MAP}: {text.detail}")
    return text
