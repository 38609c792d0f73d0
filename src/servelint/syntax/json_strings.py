"""JSON with places: the objects and arrays of a text, and where its strings stand.

What is JSON is what Python's ``json`` reads, ``NaN`` and its kind included:
the programs that write notebooks write them, too. Nothing here recurses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from servelint.source import Segment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Json: TypeAlias = dict[str, "Json"] | list["Json"] | "JsonString" | None
    """A value; numbers, true, false and null are None."""

MAX_DEPTH = 200
"""Arrays and objects nested deeper than this are refused."""

MAX_VALUES = 1_000_000
"""A text of more values is refused; it takes about a second to reach them."""


class JsonError(ValueError):
    """A text that cannot be read: ``reason`` is one of a skip, ``offset`` where it broke."""

    def __init__(self, reason: str, detail: str, offset: int) -> None:
        super().__init__(detail)
        self.reason = reason
        self.offset = offset


@dataclass(frozen=True, slots=True)
class JsonString:
    """The content of a string: ``text[start:end]`` lies between the quotes."""

    start: int
    end: int


_ESCAPED = r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})'
_STRING = re.compile(rf'"((?:[^"\\\x00-\x1f]++|{_ESCAPED})*+)"')
_OTHER = re.compile(
    r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?|true|false|null|NaN|-?Infinity"
)
_GAP = re.compile(r"[ \t\r\n]*+")
_ESCAPES = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\."
)
_MEANING = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_NO_CHARACTER = "\ufffd"
"""Stands for half of a pair of escapes that make one character."""


def decode(text: str, string: JsonString) -> tuple[str, tuple[Segment, ...]]:
    """The value of ``string`` and the runs of ``text`` that it is made from."""
    if text.find("\\", string.start, string.end) < 0:
        value = text[string.start : string.end]
        return value, (Segment(0, len(value), string.start, string.end),)
    parts: list[str] = []
    segments: list[Segment] = []
    length = 0
    at = string.start
    for match in (*_ESCAPES.finditer(text, string.start, string.end), None):
        start, end = match.span() if match else (string.end, string.end)
        for part, first, last in ((text[at:start], at, start), (_meant(match), start, end)):
            if part:
                segments.append(Segment(length, length + len(part), first, last))
                parts.append(part)
                length += len(part)
        at = end
    return "".join(parts), tuple(segments)


def _meant(match: re.Match[str] | None) -> str:
    """The character that an escape stands for."""
    if match is None:
        return ""
    written = match[0]
    if len(written) == 2:
        return _MEANING.get(written[1], written[1])
    code = int(written[2:6], 16)
    if len(written) > 6:
        return chr(0x10000 + ((code - 0xD800) << 10) + int(written[8:], 16) - 0xDC00)
    return _NO_CHARACTER if 0xD800 <= code <= 0xDFFF else chr(code)


def parse_json(text: str) -> Json:
    """The value of a JSON text, its strings as places; raise :class:`JsonError` for other texts."""
    return _Scanner(text).document()


class _Scanner:
    """One pass over a text; ``_open`` are the arrays and objects around the current place."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._count = 0
        self._open: list[dict[str, Json] | list[Json]] = []

    def document(self) -> Json:
        self._gap()
        root = self._value()
        while self._open:
            self._step(self._open[-1])
        self._gap()
        if self._at < len(self._text):
            raise self._wrong("the end of the text")
        return root

    def _step(self, holder: dict[str, Json] | list[Json]) -> None:
        """Read the next value of the innermost array or object, or its end."""
        self._gap()
        if self._takes("]" if isinstance(holder, list) else "}"):
            self._open.pop()
            return
        if holder and not self._takes(","):
            raise self._wrong("a comma")
        self._gap()
        if isinstance(holder, list):
            holder.append(self._value())
            return
        key = self._key()
        holder[key] = self._value()  # of equal keys the last one counts

    def _key(self) -> str:
        string = self._string()
        if string is None:
            raise self._wrong("a key")
        self._gap()
        if not self._takes(":"):
            raise self._wrong("a colon")
        self._gap()
        return decode(self._text, string)[0]

    def _value(self) -> Json:
        """Read a value; of an array or an object only its beginning."""
        self._count += 1
        if self._count > MAX_VALUES:
            detail = f"more than {MAX_VALUES:,} values"
            raise JsonError("too-large", detail, self._at)
        string = self._string()
        if string is not None:
            return string
        if match := _OTHER.match(self._text, self._at):
            self._at = match.end()
            return None
        return self._begin()

    def _begin(self) -> Json:
        """The beginning of an array or an object."""
        holder: dict[str, Json] | list[Json]
        if self._takes("["):
            holder = []
        elif self._takes("{"):
            holder = {}
        else:
            raise self._wrong("a value")
        if len(self._open) >= MAX_DEPTH:
            raise JsonError("too-deep", f"nested more than {MAX_DEPTH} levels deep", self._at)
        self._open.append(holder)
        return holder

    def _string(self) -> JsonString | None:
        match = _STRING.match(self._text, self._at)
        if match is None:
            return None
        self._at = match.end()
        return JsonString(*match.span(1))

    def _gap(self) -> None:
        match = _GAP.match(self._text, self._at)
        self._at = match.end() if match else self._at

    def _takes(self, mark: str) -> bool:
        found = self._text.startswith(mark, self._at)
        self._at += found
        return found

    def _wrong(self, expected: str) -> JsonError:
        return JsonError("syntax", f"not JSON: expected {expected}", self._at)
