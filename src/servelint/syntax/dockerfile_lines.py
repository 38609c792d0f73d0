"""The lines of a Dockerfile, read as docker reads them and written so that a simpler parser can.

The rewritten text has as many lines as the file, so that a line number means
the same in both. Differences that this levels: the escape character,
here-documents, blank lines inside an instruction, an escape character that
continues nothing, an instruction whose name or last line is not followed by
anything.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from servelint.source import Segment
from servelint.syntax.dockerfile_heredocs import Heredoc, Terminators, marks
from servelint.syntax.dockerfile_words import SPACES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.syntax.dockerfile_heredocs import Mark
    from servelint.syntax.dockerfile_words import Place

MAX_CONTINUED = 2_000
"""Lines of one instruction. The parser takes time in the square of them."""

_DIRECTIVE = re.compile(r"#\s*([A-Za-z][A-Za-z0-9]*)\s*=\s*(\S.*?)\s*\Z")
_TEMPLATE_LINE = re.compile(r"(?:\{%(?:[^%]|%(?!\}))*%\}\s*|\{#(?:[^#]|#(?!\}))*#\}\s*)+")
"""A line of a template's own, which leaves nothing in the file that it makes."""
_ACTION_LINE = re.compile(
    r"\{\{-?\s*(?:/\*.*\*/\s*-?|(?:if|else|end|range|with|define|block|break|continue)\b[^{}]*"
    r"|\$\w+\s*:?=[^{}]*)\}\}"
)
"""Such a line of the other kind of templates: an action that writes nothing."""
_DIRECTIVES = frozenset({"syntax", "escape", "check"})
_HEAD = re.compile(f"[{SPACES}]*([^\\t\\v\\f\\r ]*)")
_HASH = re.compile(r"^(\s*)#")
"""What is no comment, because the name of the instruction stood before it."""
_ODD_SPACES = dict.fromkeys(map(ord, "\x1c\x1d\x1e\x1f" + SPACES[6:]), "_")
"""Not white space to docker inside a line, but to a regular expression of Python."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that docker would refuse: what was expected, and where."""

    expected: str
    place: Place
    reason: str = "syntax"


@dataclass(frozen=True, slots=True)
class Logical:
    """An instruction with its lines joined; ``segments`` map its text to the file."""

    text: str
    segments: tuple[Segment, ...]
    heredocs: tuple[Heredoc, ...]


@dataclass(slots=True)
class Lines:
    """What the lines of a file come to.

    ``rewritten`` is for the parser; ``logical`` holds instructions by the
    number (from 0) of their first line. ``template`` is the first line of a
    template's own: these are left out like comments, so that all branches are read.
    """

    escape: str = "\\"
    rewritten: str = ""
    logical: dict[int, Logical] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    template: Place | None = None


@dataclass(frozen=True, slots=True)
class _Part:
    """What one line gives to an instruction: text at an offset of the file."""

    number: int
    start: int
    text: str
    goes_on: bool


def read_lines(text: str) -> Lines:
    """Read all lines. Never fails: what docker refuses is a problem, and reading goes on."""
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        rows = text.split("\n")
        if not rows[-1]:
            rows.pop()
        self._starts: list[int] = []
        at = 0
        for row in rows:
            self._starts.append(at)
            at += len(row) + 1
        self._rows = [row.rstrip("\r") for row in rows]
        self._out = ["#"] * len(rows)
        self._comment_ends = [number for number, row in enumerate(self._rows) if "#}" in row]
        self._terminators = Terminators(self._rows)
        self._done = Lines()
        self._at = 0

    def read(self) -> Lines:
        self._directives()
        while self._at < len(self._rows):
            parts = tuple(self._parts())
            text = "".join(part.text for part in parts)
            if not text.strip(SPACES):
                continue
            if len(parts) > MAX_CONTINUED:
                expected = f"at most {MAX_CONTINUED:,} lines in one instruction"
                self._problem(expected, parts[0].number, "too-large")
                continue
            self._rewrite(parts, text)
            heredocs = tuple(self._heredocs(text, parts[0].number))
            logical = Logical(text, tuple(_segments(parts)), heredocs)
            self._done.logical[parts[0].number] = logical
        self._done.rewritten = "\n".join((*self._out, ""))
        return self._done

    def _problem(self, expected: str, number: int, reason: str = "syntax") -> None:
        start = self._starts[number]
        place = (start, start + len(self._rows[number]))
        self._done.problems.append(Problem(expected, place, reason))

    def _directives(self) -> None:
        """Comments at the very beginning that say how to read the rest."""
        seen: set[str] = set()
        for number, row in enumerate(self._rows):
            match = _DIRECTIVE.match(row.lstrip(SPACES))
            name = match[1].lower() if match else ""
            if match is None or name not in _DIRECTIVES:
                return
            if name in seen:
                self._problem(f"only one directive {name}", number)
            elif name == "escape" and match[2] not in ("\\", "`"):
                self._problem("the escape character \\ or `", number)
            elif name == "escape":
                self._done.escape = match[2]
            seen.add(name)

    # -- instructions -----------------------------------------------------------

    def _parts(self) -> Iterator[_Part]:
        """The lines of the instruction that begins here; none for a blank line or a comment."""
        first = self._at
        while self._at < len(self._rows):
            number, row = self._at, self._rows[self._at]
            self._at += 1
            bare = row.lstrip(SPACES)
            if not bare or bare.startswith("#") or self._is_template(number, bare):
                if number == first:
                    return
                continue
            kept = bare if number == first else row
            start = self._starts[number] + len(row) - len(kept)
            text, goes_on = self._continued(kept)
            yield _Part(number, start, text, goes_on)
            if not goes_on:
                return

    def _is_template(self, number: int, bare: str) -> bool:
        """True for a line that a template engine takes out; a comment may go on for lines."""
        if not bare.startswith(("{%", "{#", "{{")):
            return False
        end = number
        if bare.startswith("{#") and "#}" not in bare:
            following = bisect_right(self._comment_ends, number)
            if following == len(self._comment_ends):
                return False
            end = self._comment_ends[following]
        elif not _own_line(bare.rstrip(SPACES)):
            return False
        self._at = end + 1
        if self._done.template is None:
            self._done.template = (self._starts[number], self._starts[number] + 2)
        return True

    def _continued(self, row: str) -> tuple[str, bool]:
        """The line without the escape character that continues it, and whether it had one."""
        bare = row.rstrip(" \t")
        if bare.endswith(self._done.escape) and bare[-2:-1] != self._done.escape:
            return bare[:-1], True
        return row, False

    def _rewrite(self, parts: tuple[_Part, ...], text: str) -> None:
        """Put the lines of an instruction so that its name stands on the first, with a blank."""
        head = _HEAD.match(text)
        name, cut = (head[1], head.end()) if head else ("", 0)
        before = f"{name} "
        for part in parts:
            rest = part.text[min(cut, len(part.text)) :]
            cut = max(cut - len(part.text), 0)
            rest = rest if before else _HASH.sub(r"\1_", rest)
            line = f"{before}{rest}".translate(_ODD_SPACES)
            self._out[part.number] = f"{line}\\" if part.goes_on else _ended(line)
            before = ""
        last = parts[-1]
        if not last.goes_on:
            return
        if last.number == len(self._out) - 1:
            self._out[-1] = _ended(self._out[-1][:-1])
        else:  # only comments and blank lines follow: the end of the file ends it
            self._out[-1] = ""

    def _heredocs(self, text: str, number: int) -> Iterator[Heredoc]:
        for mark in marks(text):
            last = self._terminators.find(mark, self._at)
            if last is None:
                self._problem(f"a line {mark.name[:40]} that ends the here-document", number)
                return
            yield self._heredoc(mark, last)
            self._at = last + 1

    def _heredoc(self, mark: Mark, last: int) -> Heredoc:
        stop = self._starts[last] + len(self._rows[last])
        body = (self._starts[self._at], self._starts[last])
        return Heredoc(mark, body, (stop - len(mark.name), stop))


def _own_line(bare: str) -> bool:
    """True for a line of a template's own."""
    return bool(_TEMPLATE_LINE.fullmatch(bare) or _ACTION_LINE.fullmatch(bare))


def _ended(line: str) -> str:
    """The line without a character at its end that would continue it."""
    bare = line.rstrip()
    return f"{bare[:-1]}_ " if bare.endswith("\\") else line


def _segments(parts: tuple[_Part, ...]) -> Iterator[Segment]:
    length = 0
    for part in parts:
        size = len(part.text)
        if size:
            yield Segment(length, length + size, part.start, part.start + size)
        length += size
