"""Spans as the ranges of lines and columns that formats of other tools want."""

from __future__ import annotations

from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.reporters.lines import Files
    from servelint.source import Span


@dataclass(frozen=True, slots=True)
class Region:
    """A range of a file: lines and columns count from 1, columns in code points.

    ``end_column`` is that of the character behind the last one. Line ends at the end of a
    span do not count: else a whole line would reach into the next one.
    """

    line: int
    column: int
    end_line: int
    end_column: int


def region(span: Span, files: Files) -> Region | None:
    """Where a span stands, or None when the report does not hold the text of its file."""
    lines = files.lines(span.path)
    if lines is None:
        return None
    start = lines.position(span.start)
    size = len(lines.quote(span).rstrip("\r\n"))
    if not size:
        return Region(start.line, start.column, start.line, start.column)
    last = lines.position(span.start + size - 1)
    return Region(start.line, start.column, last.line, last.column + 1)


def byte_column(path: str, line: int, column: int, files: Files) -> int:
    """A column of a line whose text is held, counted from 1 in bytes of UTF-8."""
    lines = files.lines(path)
    before = lines.line(line)[: column - 1] if lines is not None else ""
    # A column behind the line end stays as far behind it.
    return column + len(before.encode("utf-8", "surrogatepass")) - len(before)
