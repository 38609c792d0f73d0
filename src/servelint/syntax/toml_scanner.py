"""A scanner that says where the strings and keys of a TOML text stand.

It takes more than TOML: refusing is left to ``tomllib``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from servelint.source import Segment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

Path = tuple[str | int, ...]
"""The keys and indices that lead to a value."""

MAX_DEPTH = 64
"""Longest path. ``tomllib`` takes quadratic time on long keys and recurses into arrays."""

MAX_STRINGS = 100_000
"""Most strings of one text; a lockfile of 5 MB has about 70,000."""


class TomlError(ValueError):
    """A text that cannot be read: ``reason`` is one of a skip, ``offset`` where it broke."""

    def __init__(self, reason: str, detail: str, offset: int) -> None:
        super().__init__(detail)
        self.reason = reason
        self.offset = offset


@dataclass(frozen=True, slots=True)
class TomlString:
    """The content of a string: ``text[start:end]`` lies between the quotes."""

    start: int
    end: int
    quote: str


def decode(text: str, string: TomlString) -> tuple[str, tuple[Segment, ...]]:
    """The value of ``string`` and the pieces of ``text`` that it is made from."""
    pieces: list[Segment] = []
    value = ""
    for part, start, end in _runs(text, string):
        if part or not (pieces or end < string.end):
            pieces.append(Segment(len(value), len(value) + len(part), start, end))
            value += part
    return value, tuple(pieces)


_BASIC = r'"(?:[^"\\\n]++|\\[^\n])*+"'
_LITERAL = r"'[^'\n]*+'"
_KEY_PART = re.compile(rf"[A-Za-z0-9_-]++|{_BASIC}|{_LITERAL}")
_STRING = re.compile(
    r'"""(?:\r?\n)?(?:[^"\\]++|\\.|"{1,2}(?!"))*+"{3,5}'
    r"|'''(?:\r?\n)?(?:[^']++|'{1,2}(?!'))*+'{3,5}"
    rf"|{_BASIC}|{_LITERAL}",
    re.DOTALL,
)
_TRIPLE = ('"""', "'''")
_OTHER_VALUE = re.compile(r"[^,\]}#\n\"'\[{]+")
_BLANKS = re.compile(r"[ \t]*+")
_LINE_END = re.compile(r"[ \t]*+(?:#[^\n]*+)?\r?(?=\n|\Z)")
_GAP = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
_HEADER = re.compile(r"\[\[?")

_HEX = "[0-9A-Fa-f]"
_ESCAPE = (
    rf"\\(?:u{_HEX}{{4}}|U(?:000{_HEX}|0010){_HEX}{{4}}|x{_HEX}{{2}}"
    r"|[ \t]*+\r?\n[ \t\r\n]*+|.)"
)
_NEVER = re.compile(r"(?!)")
_ESCAPES = {
    '"': re.compile(_ESCAPE, re.DOTALL),
    '"""': re.compile(rf"{_ESCAPE}|\r\n", re.DOTALL),
    "'": _NEVER,
    "'''": re.compile(r"\r\n"),
}
_MEANING = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "e": "\x1b"}


def _runs(text: str, string: TomlString) -> Iterator[tuple[str, int, int]]:
    """Plain runs and escapes of a string in turn: what each stands for and its range."""
    at = string.start
    for match in _ESCAPES[string.quote].finditer(text, string.start, string.end):
        yield text[at : match.start()], at, match.start()
        yield _escaped(match.group()), match.start(), match.end()
        at = match.end()
    yield text[at : string.end], at, string.end


def _escaped(written: str) -> str:
    """What an escape or a line break stands for."""
    if written == "\r\n":
        return "\n"
    if written[1] in " \t\r\n":
        return ""
    if len(written) > 2:
        return chr(int(written.lstrip("\\uUx"), 16))
    return _MEANING.get(written[1], written[1])


class Scanner:
    """One pass over a TOML text."""

    __slots__ = ("_at", "_lengths", "_text", "keys", "strings")

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._lengths: dict[Path, int] = {}
        self.strings: dict[Path, TomlString] = {}
        self.keys: dict[Path, tuple[int, int]] = {}

    def document(self) -> None:
        """Scan to the end; raise :class:`TomlError` where the text makes no sense."""
        table: Path = ()
        while self._skip(_GAP) < len(self._text):
            if self._text[self._at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._take(_LINE_END, "the end of the line")

    def _header(self) -> Path:
        """Read ``[table]`` or ``[[array]]`` and answer the path of the table it opens."""
        brackets = len(self._take(_HEADER, "a table"))
        path: Path = ()
        for part, start, end in self._key():
            path = (*self._newest(path), part)
            self._name(path, start, end)
        self._expect("]" * brackets)
        if brackets == 2:
            self._lengths[path] = self._lengths.get(path, 0) + 1
        return self._newest(path)

    def _newest(self, path: Path) -> Path:
        """The last table of an array of tables; any other path as it is."""
        return (*path, self._lengths[path] - 1) if path in self._lengths else path

    def _pair(self, table: Path) -> None:
        path = table
        for part, start, end in self._key():
            path = (*path, part)
            self._name(path, start, end)
        self._expect("=")
        self._skip(_BLANKS)
        self._value(path)

    def _key(self) -> list[tuple[str, int, int]]:
        """Read a dotted key: each part with the range of its content."""
        parts: list[tuple[str, int, int]] = []
        while True:
            self._skip(_BLANKS)
            start = self._at
            written = self._take(_KEY_PART, "a key")
            inset = 1 if written[0] in "\"'" else 0
            content = TomlString(start + inset, self._at - inset, written[0])
            name = decode(self._text, content)[0] if inset else written
            parts.append((name, content.start, content.end))
            self._skip(_BLANKS)
            if len(parts) > MAX_DEPTH:
                raise TomlError("too-deep", "a key of too many parts", start)
            if self._text[self._at : self._at + 1] != ".":
                return parts
            self._at += 1

    def _name(self, path: Path, start: int, end: int) -> None:
        if len(path) > MAX_DEPTH:
            raise TomlError("too-deep", "nested too deeply", start)
        self.keys.setdefault(path, (start, end))

    def _value(self, path: Path) -> None:
        first = self._text[self._at : self._at + 1]
        if first in ("'", '"'):
            self._string(path)
        elif first in ("[", "{"):
            self._container(path, first)
        else:
            self._take(_OTHER_VALUE, "a value")

    def _string(self, path: Path) -> None:
        start = self._at
        self._take(_STRING, "the end of the string")
        triple = self._text[start : start + 3]
        quote = triple if triple in _TRIPLE else triple[0]
        content = start + len(quote)
        if quote in _TRIPLE:  # a line break right after the quotes is not part of the string
            breaks = (mark for mark in ("\r\n", "\n") if self._text.startswith(mark, content))
            content += len(next(breaks, ""))
        self.strings[path] = TomlString(content, self._at - len(quote), quote)
        if len(self.strings) > MAX_STRINGS:
            raise TomlError("too-large", "more strings than are read", start)

    def _container(self, path: Path, opening: str) -> None:
        """Read an array or an inline table."""
        if len(path) >= MAX_DEPTH:
            raise TomlError("too-deep", "nested too deeply", self._at)
        closing = "]" if opening == "[" else "}"
        self._at += 1
        index = 0
        while self._next_is_not(closing):
            if opening == "[":
                self._value((*path, index))
            else:
                self._pair(path)
            index += 1
            if self._next_is_not(closing):
                self._expect(",")
        self._expect(closing)

    def _next_is_not(self, mark: str) -> bool:
        return not self._text.startswith(mark, self._skip(_GAP))

    def _skip(self, pattern: re.Pattern[str]) -> int:
        match = pattern.match(self._text, self._at)
        self._at = match.end() if match else self._at
        return self._at

    def _take(self, pattern: re.Pattern[str], expected: str) -> str:
        match = pattern.match(self._text, self._at)
        if match is None:
            raise TomlError("syntax", f"not TOML: expected {expected}", self._at)
        self._at = match.end()
        return match.group()

    def _expect(self, mark: str) -> None:
        if not self._text.startswith(mark, self._at):
            raise TomlError("syntax", f"not TOML: expected {mark}", self._at)
        self._at += len(mark)
