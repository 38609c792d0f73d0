"""Writes arrays of tables in TOML; what stands there keeps its comments and order."""

from __future__ import annotations

import os
from datetime import date
from typing import TYPE_CHECKING

import tomlkit
from tomlkit.exceptions import TOMLKitError

from servelint.config import ConfigError
from servelint.discover import read_text
from servelint.finding import Skip

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

DAYS = ("date", "until")
"""Keys whose text is written as a day."""


def with_rows(
    text: str, file: str, array: str, keys: tuple[str, ...], rows: Iterable[Mapping[str, Any]]
) -> str:
    """The text with each row: in the place of one with the same values under ``keys``, or added.

    ``file`` is how messages name it. Raises :class:`ConfigError` for a text that is no TOML.
    """
    try:
        document = tomlkit.parse(text)
        for row in rows:
            _write(document, file, array, keys, row)
        return tomlkit.dumps(document)
    except TOMLKitError as error:
        raise ConfigError(f"{file}: {error}") from error


def _write(
    document: tomlkit.TOMLDocument,
    file: str,
    array: str,
    keys: tuple[str, ...],
    entry: Mapping[str, Any],
) -> None:
    rows = document.setdefault(array, tomlkit.aot())
    if not isinstance(rows, tomlkit.items.AoT):
        raise ConfigError(f"{file}: {array}: expected [[{array}]] tables")
    for row in rows:
        if all(_plain(row.get(key)) == entry.get(key) for key in keys):
            for key in [key for key in row if key not in entry]:
                del row[key]
            row.update(_values(entry))
            return
    table = tomlkit.table()
    table.trivia.indent = "\n"
    table.update(_values(entry))
    rows.append(table)


def _plain(value: Any) -> Any:
    return value.unwrap() if isinstance(value, tomlkit.items.Item) else value


def _values(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _value(key, value) for key, value in entry.items()}


def _value(key: str, value: Any) -> Any:
    if isinstance(value, dict):
        inside = tomlkit.inline_table()
        inside.update(value)
        return inside
    return _day(value) if key in DAYS else value


def _day(text: str) -> date | str:
    """A day as TOML writes it; what is none stays, and is refused with the rest."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return text


def current_text(root: str, name: str, head: str) -> str:
    """The text of a file of the root; ``head`` where there is none. Raises :class:`ConfigError`."""
    if not os.path.lexists(os.path.join(root, name)):
        return head
    text = read_text(root, name)
    if isinstance(text, Skip):
        raise ConfigError(f"{name}: {text.detail}")
    return text
