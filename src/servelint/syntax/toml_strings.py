"""TOML with places: what ``tomllib`` says a text means, and where its strings stand."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass

from servelint.finding import Skip
from servelint.syntax.toml_scanner import Scanner, TomlError, TomlString, decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from servelint.source import Source
    from servelint.syntax.toml_scanner import Path


@dataclass(frozen=True, slots=True)
class TomlText:
    """A TOML text: what it means and where its strings and keys stand.

    ``keys`` are the ranges of the names of values and tables without quotes,
    at their first mention.
    """

    data: dict[str, Any]
    strings: dict[Path, TomlString]
    keys: dict[Path, tuple[int, int]]


def parse(text: str) -> TomlText:
    """Read ``text`` with places; raise :class:`TomlError` for what is not TOML."""
    scanner = Scanner(text)
    lost = None
    try:
        scanner.document()
    except TomlError as error:
        if error.reason != "syntax":
            raise
        lost = error
    data = _load(text)
    if lost is not None:
        raise lost
    return TomlText(data, scanner.strings, scanner.keys)


def embed(source: Source, string: TomlString, language: str, *steps: str | int) -> Source:
    """The value of ``string`` as a child of ``source``."""
    value, pieces = decode(source.text, string)
    return source.embed(value, pieces, language, *steps)


def refusal(source: Source, error: TomlError) -> Skip:
    """The skip of a text that :func:`parse` refused, at the line where it broke."""
    start = source.text.rfind("\n", 0, error.offset) + 1
    end = source.text.find("\n", error.offset)
    line = source.text[start : end if end >= 0 else len(source.text)].rstrip("\r")
    span = source.span(start, start + len(line))
    return Skip(source.path, "read", error.reason, str(error), span)


_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


def _load(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise TomlError("too-deep", "nested too deeply", 0) from error
    except ValueError as error:
        message = str(error)
        place = _PLACE.search(message)
        offset = _offset(text, place) if place else 0
        detail = message[: place.start()] if place else message
        raise TomlError("syntax", f"not TOML: {detail}", offset) from error


def _offset(text: str, place: re.Match[str]) -> int:
    """The offset of a line and a column; ``tomllib`` counts both from 1."""
    if place[1] is None:
        return len(text)
    start = 0
    for _ in range(int(place[1]) - 1):
        start = text.find("\n", start) + 1
    return min(start + int(place[2]) - 1, len(text))
