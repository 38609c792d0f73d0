"""Offsets to lines and columns, and text that is safe to show on a terminal."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from servelint.source import Span

TAB = 4
"""Columns between tab stops in shown source lines."""

CUT = "..."
"""Stands where a line or a text goes on but is not shown."""

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode categories that act on a terminal or cannot be seen: control, format
(bidi overrides, zero width, byte order mark, tags), surrogate, line and
paragraph separator."""

_NO_WIDTH = frozenset({"Mn", "Me"})


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a file; ``line`` and ``column`` count from 1, columns in code points."""

    line: int
    column: int


class Lines:
    r"""A text and where its lines begin.

    Only ``\n`` ends a line, as in editors that count lines; a ``\r`` right
    before it belongs to the line end.
    """

    __slots__ = ("_starts", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        lengths = (len(line) + 1 for line in text.split("\n"))
        self._starts = (0, *accumulate(lengths))

    def position(self, offset: int) -> Position:
        """The place of the character at ``offset``; past the end counts as the end."""
        offset = min(offset, len(self._text))
        line = bisect_right(self._starts, offset)
        return Position(line, offset - self._starts[line - 1] + 1)

    def line(self, number: int) -> str:
        """Line ``number`` (from 1) without its line end."""
        start, end = self._starts[number - 1], self._starts[number] - 1
        line = self._text[start:end]
        return line.removesuffix("\r") if end < len(self._text) else line

    def quote(self, span: Span) -> str:
        """What stands at ``span``."""
        return self._text[span.start : span.end]


class Files:
    """The texts of a report by path, each split into lines when first asked for."""

    __slots__ = ("_lines", "_texts")

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._lines: dict[str, Lines] = {}

    def lines(self, path: str) -> Lines | None:
        """The lines of a file, or None when the report does not hold its text."""
        if path not in self._lines and path in self._texts:
            self._lines[path] = Lines(self._texts[path])
        return self._lines.get(path)

    def position(self, path: str, offset: int) -> Position | None:
        """The place of an offset, or None when the report does not hold the text."""
        lines = self.lines(path)
        return None if lines is None else lines.position(offset)

    def first_line(self, span: Span | None) -> int:
        """The line where a span begins; 1 for a whole file or a text that is not held.

        Editors and code hosts show what concerns a whole file at its first line.
        """
        position = self.position(span.path, span.start) if span else None
        return position.line if position else 1


def safe(text: str) -> str:
    r"""The text on one line, with what a terminal would act on written as ``\x1b``."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def fold(text: str) -> str:
    """The text on one line, each run of blanks and line ends a single blank."""
    return " ".join(text.split())


def width(text: str) -> int:
    """How many terminal columns a safe text takes."""
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width  # noqa: PLC0415  # 2 ms, seldom needed

    wide = sum(2 if east_asian_width(char) in "WF" else 1 for char in text)
    return wide - sum(1 for char in text if category(char) in _NO_WIDTH)


def shorten(text: str, room: int) -> str:
    """A safe text cut to ``room`` columns."""
    if width(text) <= room:
        return text
    columns = accumulate(width(char) for char in text)
    kept = sum(1 for column in columns if column <= room - len(CUT))
    return text[:kept].rstrip() + CUT


def wrap(text: str, room: int) -> Iterator[str]:
    """Lines of at most ``room`` columns; a word is never broken, a line end is kept."""
    for paragraph in text.splitlines():
        line = ""
        for word in map(safe, paragraph.split()):
            if line and width(line) + 1 + width(word) > room:
                yield line
                line = word
            else:
                line = f"{line} {word}" if line else word
        if line:
            yield line


def excerpt(line: str, start: int, end: int, room: int) -> tuple[str, int, int]:
    """A source line as it can be shown, and the columns that show ``line[start:end]``.

    Tabs become blanks. A line of more than ``room`` columns is cut so that the
    beginning of the range stays in sight. At least one column is underlined.
    """
    start, end = min(start, len(line)), min(end, len(line))
    first = _first_shown(line, start, end, room)
    shown = CUT if first else ""
    column = left = right = len(shown)
    limit = column + room
    last = first
    for index, char in enumerate(line[first : first + room], first):
        cell = _cell(char, column)
        if column + width(cell) > limit:
            break
        left = column if index == start else left
        column += width(cell)
        shown += cell
        right = column if index < end else right
        last = index + 1
    if start >= last:
        left = column
    return shown + (CUT if last < len(line) else ""), left, max(right, left + 1)


def _first_shown(line: str, start: int, end: int, room: int) -> int:
    """0 when the range fits beside the beginning of the line, else a bit before it."""
    if end <= room:
        column = 0
        for char in line[:end]:
            column += width(_cell(char, column))
        if column <= room:
            return 0
    first, column = start, 0
    while first and column <= room // 3:
        first -= 1
        column += width(_cell(line[first], 0))
    return first


def _cell(char: str, column: int) -> str:
    return " " * (TAB - column % TAB) if char == "\t" else safe(char)


def _escaped(char: str) -> str:
    """Not printable for Python is also what is only unusual: blanks, private, unassigned."""
    from unicodedata import category  # noqa: PLC0415  # 2 ms, seldom needed

    if category(char) not in _HIDDEN:
        return char
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
