"""Blocks of code in a page of text, whatever its markup.

Offsets are code points of the page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from servelint.syntax.make_shell import ShellText

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a page from ``start`` to ``stop``; its line break goes on to ``end``."""

    start: int
    stop: int
    end: int


@dataclass(frozen=True, slots=True)
class Block:
    """A block of code: the word that names its language, and its lines without the indentation.

    ``start`` is where the block is opened, ``end`` where it is closed. ``closed`` is false for a
    block that the page never closes.
    """

    language: str
    lines: tuple[Line, ...]
    start: int
    end: int
    closed: bool = True


MAX_LINES = 100_000
"""Lines of one page that are looked at."""

TAB = 4
"""Columns of a tab stop."""

_LINE = re.compile(r"[^\n]*\n|[^\n]+")


def lines_of(text: str) -> Iterator[Line]:
    """The lines of a page, in order, no more than :data:`MAX_LINES`."""
    for count, match in enumerate(_LINE.finditer(text)):
        if count == MAX_LINES:
            return
        start, end = match.span()
        stop = end
        if text.endswith("\n", start, end):
            stop -= 2 if text.endswith("\r\n", start, end) else 1
        yield Line(start, stop, end)


def is_cut(text: str) -> bool:
    """True for a page with more lines than are looked at."""
    return text.count("\n") > MAX_LINES


def shell_text(text: str, lines: Iterable[Line]) -> ShellText:
    """The lines as one text, each ended as a shell wants it."""
    made = ShellText()
    start = stop = -1
    for line in lines:
        if line.start != stop:
            made.add(text[start:stop], start, stop)
            start = line.start
        stop = line.stop
        if line.end - line.stop == 1:
            stop = line.end
            continue
        made.add(text[start:stop], start, stop)
        made.add("\n", line.stop, line.end)
        start = stop = line.end
    made.add(text[start:stop], start, stop)
    return made


def columns(text: str, start: int, stop: int) -> tuple[int, int]:
    """The width of the blanks at ``start`` in columns, and where they end."""
    width, at = 0, start
    while at < stop and (char := text[at]) in " \t":
        width = width + 1 if char == " " else (width // TAB + 1) * TAB
        at += 1
    return width, at


def without_indent(text: str, line: Line, width: int) -> Line:
    """A line without up to ``width`` columns of blanks."""
    done, at = 0, line.start
    while at < line.stop and done < width and (char := text[at]) in " \t":
        done = done + 1 if char == " " else (done // TAB + 1) * TAB
        at += 1
    return Line(at, line.stop, line.end)


def dedented(text: str, lines: Iterable[Line]) -> tuple[Line, ...]:
    """Lines without the indentation that they share, and without blank lines at either end."""
    kept = list(lines)
    while kept and is_blank(text, kept[-1]):
        kept.pop()
    while kept and is_blank(text, kept[0]):
        kept.pop(0)
    full = (line for line in kept if not is_blank(text, line))
    width = min((columns(text, line.start, line.stop)[0] for line in full), default=0)
    return tuple(without_indent(text, line, width) for line in kept)


def is_blank(text: str, line: Line) -> bool:
    """True for a line of nothing but blanks."""
    return not text[line.start : line.stop].strip()
