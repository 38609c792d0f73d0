"""Writes entries of ``servelint-images.toml``; what stands there keeps its comments and order."""

from __future__ import annotations

import os
import re
import tempfile
from datetime import date
from itertools import takewhile
from typing import TYPE_CHECKING

import tomlkit
from tomlkit.exceptions import TOMLKitError

from servelint.config import IMAGE_MAP, ConfigError
from servelint.discover import read_text
from servelint.finding import Skip
from servelint.statement_file import image_statements
from servelint.syntax.package_name import normalise

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

HEAD = "# What images hold, said by people who looked. See `servelint images --help`.\n"
"""How a new file begins."""

_FIELD = re.compile(r"(?P<key>[A-Za-z-]+): *(?P<value>.*)")
_DAYS = ("date", "until")


def shown_package(text: str) -> tuple[str, str]:
    """Name and version that ``pip show`` printed. Raises :class:`ConfigError` for other text."""
    lines = takewhile(lambda line: line.strip() != "---", text.splitlines())
    matches = (_FIELD.match(line) for line in lines)
    fields = {match["key"]: match["value"].strip() for match in matches if match}
    if not fields.get("Name") or not fields.get("Version"):
        wanted = "expected the output of `pip show` (Name: and Version:), or --version"
        raise ConfigError(f"standard input: {wanted}")
    return normalise(fields["Name"]), fields["Version"]


def with_entries(text: str, entries: Iterable[Mapping[str, Any]]) -> str:
    """The text of the map with an entry for each reference: changed if there is one, else added.

    Raises :class:`ConfigError` when the text, or what would come out, is not right.
    """
    try:
        document = tomlkit.parse(text)
        for entry in entries:
            _write(document, entry)
        done = tomlkit.dumps(document)
    except TOMLKitError as error:
        raise ConfigError(f"{IMAGE_MAP}: {error}") from error
    image_statements(done)
    return done


def _write(document: tomlkit.TOMLDocument, entry: Mapping[str, Any]) -> None:
    rows = document.setdefault("image", tomlkit.aot())
    if not isinstance(rows, tomlkit.items.AoT):
        raise ConfigError(f"{IMAGE_MAP}: image: expected [[image]] tables")
    for row in rows:
        if row.get("reference") == entry["reference"]:
            for key in [key for key in row if key not in entry]:
                del row[key]
            row.update(_values(entry))
            return
    table = tomlkit.table()
    table.trivia.indent = "\n"
    table.update(_values(entry))
    rows.append(table)


def _values(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _day(value) if key in _DAYS else value for key, value in entry.items()}


def _day(text: str) -> date | str:
    """A day as TOML writes it; what is none stays, and is refused with the rest."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return text


def save(root: str, entries: Iterable[Mapping[str, Any]]) -> str:
    """Write entries into the map of a root; the path of the file, relative to it.

    Another process never sees half a file. Raises :class:`ConfigError`.
    """
    path = os.path.join(root, IMAGE_MAP)
    text: str | Skip = HEAD
    if os.path.lexists(path):
        text = read_text(root, IMAGE_MAP)
    if isinstance(text, Skip):
        raise ConfigError(f"{IMAGE_MAP}: {text.detail}")
    done = with_entries(text, entries)
    real = os.path.realpath(path)
    try:
        mode = os.stat(real).st_mode & 0o777 if os.path.exists(real) else 0o644
        handle, name = tempfile.mkstemp(dir=os.path.dirname(real), prefix=f".{IMAGE_MAP}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                file.write(done)
            os.chmod(name, mode)
            os.replace(name, real)
        except OSError:
            os.unlink(name)
            raise
    except OSError as error:
        raise ConfigError(f"{IMAGE_MAP}: cannot be written: {error.strerror}") from error
    return IMAGE_MAP
