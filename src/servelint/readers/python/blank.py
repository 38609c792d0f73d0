"""Leaving out what does not matter, line by line, so that the parser has less to do.

Every column of what stays is as before, and for each line it is known where it
stood. A function that is called and of which nothing matters gives something
unknown.
"""

from __future__ import annotations

import ast
import re

from servelint.readers.python.outline import COMPOUND, FUNCTIONS, first_line
from servelint.readers.python.slicing import what_matters
from servelint.readers.python.tree import Shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.readers.python.screen import Screened

EMPTIED = "return ..."
"""What stands in a function that was emptied: it gives something that is not known."""

_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)")
_INDENT = re.compile(r"[ \t\f]*")


def blank(text: str, screened: Screened) -> Shown:
    """The text without the statements that do not matter."""
    kept = what_matters(screened.tree, screened.hits)
    eraser = _Eraser(_LINE.findall(text), {statement.node for statement in kept})
    eraser.suite(screened.tree.body)
    return eraser.shown()


class _Eraser:
    """Marks the lines that stay. Lines count from 1, as in the tree."""

    def __init__(self, lines: list[str], kept: set[ast.stmt]) -> None:
        self._lines = lines
        self._kept = kept
        self._stays = bytearray(len(lines) + 2)
        self._fillers: dict[int, str] = {}

    def shown(self) -> Shown:
        """The lines that stay, and those that stand for others."""
        rows: list[str] = []
        numbers: list[int] = []
        for number, line in enumerate(self._lines):
            row = line if self._stays[number + 1] else self._filler(number + 1, line)
            if row == "\n" and rows and rows[-1].endswith("\r"):
                row = " \n"  # two lines must not become one
            if row:
                rows.append(row)
                numbers.append(number)
        return Shown("".join(rows), tuple(numbers))

    def _filler(self, number: int, line: str) -> str:
        """What stands for a line that goes: mostly nothing at all."""
        filler = self._fillers.get(number, "")
        return filler and filler + line[len(line.rstrip("\r\n")) :]

    def _stay(self, first: int, last: int) -> None:
        for number in range(first, last + 1):
            self._stays[number] = 1

    def suite(self, body: list[ast.stmt]) -> bool:
        """Mark what stays of a row of statements; false when nothing does.

        Statements that share a line stay or go together.
        """
        found = False
        for number, node in enumerate(body):
            if node in self._kept:
                found = True
                self._statement(node, shared=self._shares(body, number))
        return found

    def _shares(self, body: list[ast.stmt], number: int) -> bool:
        node = body[number]
        before = number > 0 and body[number - 1].end_lineno == first_line(node)
        after = number + 1 < len(body) and first_line(body[number + 1]) == node.end_lineno
        if before:
            self._stay(first_line(body[number - 1]), body[number - 1].end_lineno or 0)
        if after:
            self._stay(first_line(body[number + 1]), body[number + 1].end_lineno or 0)
        return before or after

    def _statement(self, node: ast.stmt, *, shared: bool) -> None:
        body = getattr(node, "body", None)
        first, last = first_line(node), node.end_lineno or node.lineno
        is_block = isinstance(node, (*COMPOUND, *FUNCTIONS, ast.ClassDef))
        if shared or not is_block or not body or first_line(body[0]) <= self._head_end(node):
            self._stay(first, last)
            return
        self._stay(first, first_line(body[0]) - 1)
        filler = EMPTIED if isinstance(node, FUNCTIONS) else "pass"
        end = self._filled(body, filler)
        for handler in getattr(node, "handlers", ()):
            end = self._clause(handler.lineno, handler.body)
        end = self._otherwise(node, end)
        final = getattr(node, "finalbody", None)
        if final and (not getattr(node, "handlers", None) or self._matters(final)):
            self._clause(end + 1, final)

    def _head_end(self, node: ast.stmt) -> int:
        """The last line of a head as far as the tree tells it."""
        parts = [node.lineno]
        for name in ("test", "iter", "returns"):
            part = getattr(node, name, None)
            if part is not None:
                parts.append(part.end_lineno)
        return max(parts)

    def _filled(self, body: list[ast.stmt], filler: str) -> int:
        """Mark a suite, which may not be empty; the line on which it ends."""
        if not self.suite(body):
            first = first_line(body[0])
            indent = _INDENT.match(self._lines[first - 1])
            self._fillers[first] = f"{indent[0] if indent else ''}{filler}"
        return max(node.end_lineno or 0 for node in body)

    def _clause(self, head: int, body: list[ast.stmt]) -> int:
        """Mark ``except:``, ``else:`` or ``finally:``, which begins at ``head``, and its suite."""
        first = first_line(body[0])
        end = max(node.end_lineno or 0 for node in body)
        before = self._lines[first - 1][: body[0].col_offset] if body[0].lineno == first else ""
        if before.strip():
            self._stay(head, end)  # on one line with the clause
            return end
        self._stay(head, first - 1)
        return self._filled(body, "pass")

    def _otherwise(self, node: ast.stmt, end: int) -> int:
        """Mark ``elif`` and ``else``; without anything that matters, they go."""
        rows: list[ast.stmt] = getattr(node, "orelse", [])
        if not rows:
            return end
        last = max(one.end_lineno or 0 for one in rows)
        if self._matters(rows):
            line = self._lines[rows[0].lineno - 1]
            if isinstance(node, ast.If) and line.lstrip(" \t\f").startswith("elif"):
                self._statement(rows[0], shared=False)
            else:
                self._clause(end + 1, rows)
        return last

    def _matters(self, body: list[ast.stmt]) -> bool:
        return any(node in self._kept for node in body)
