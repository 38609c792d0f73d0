"""Reads requirements and constraints files, line by line as pip joins them.

A line that cannot be read is left out and named; it does not end the file.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import replace

from servelint.facts import Requirement, Uses
from servelint.finding import Skip
from servelint.source import Segment
from servelint.syntax.package_name import names_none, normalise
from servelint.syntax.pep508 import MAX_LENGTH, is_location, read_location, read_requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.facts import Fact
    from servelint.source import Source

MAX_LINES = 50_000
"""Lines with content that are read; about 2 seconds of work."""

_HOW = {
    "-r": "requirements",
    "--requirement": "requirements",
    "-c": "constraints",
    "--constraint": "constraints",
}
_EDITABLE = ("-e", "--editable")
_NOT_PACKAGES = frozenset(
    {
        *("-i", "--index-url", "--extra-index-url", "--no-index", "--index", "--default-index"),
        *("-f", "--find-links", "--trusted-host", "--no-binary", "--only-binary"),
        *("--prefer-binary", "--require-hashes", "--hash", "--pre", "--use-feature"),
        *("--config-settings", "--global-option", "--install-option", "--no-deps"),
        *("--no-build-isolation", "--use-pep517", "--no-use-pep517", "--upgrade", "-U"),
    }
)
"""Options that say where or how packages are fetched, not which."""

_COMMENT = re.compile(r"(?<!\S)#")
_COMMENT_LINE = re.compile(r"\s*#")
_NEXT_OPTION = re.compile(r"(?<=\s)-")
_OPTION = re.compile(
    r"(?P<name>--[A-Za-z][A-Za-z0-9-]*(?![^\s=])|-[A-Za-z])[\s=]*(?P<value>.*)", re.DOTALL
)
_WORD = re.compile(r"\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s\"']+)")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_VARIABLE = re.compile(r"\$\{[A-Z0-9_]+\}")
_NAMED = re.compile(r"\s*+[A-Za-z0-9][A-Za-z0-9._-]*+\s*+(?:[\[(=<>!~;@#]|--|\Z)")
"""A line that begins with the name of a package."""


def read(source: Source) -> Iterator[Fact | Skip]:
    """The packages that a requirements file asks for and the files that it takes in.

    With needles, only packages whose line holds one.
    """
    count = 0
    for index, (text, pieces) in enumerate(_wanted(source)):
        start, end = _content(text)
        content = _clip(pieces, start, end)
        line = source.embed(text[start:end], content, "requirement", "requirement", count)
        if index == MAX_LINES:
            yield _refuse(line, "too-large", f"more than {MAX_LINES} lines")
            return
        item = _read_line(source, line)
        count += isinstance(item, Requirement)
        if isinstance(item, Skip):  # what is refused is the line, not only a part of it
            yield replace(item, span=line.span(0, len(line.text)))
        elif item is not None:
            yield item


def _wanted(source: Source) -> Iterator[tuple[str, tuple[Segment, ...]]]:
    """The lines without those of packages that nobody asks about."""
    lines = _lines(source.text)
    if not source.needles:
        return lines
    words = tuple(dict.fromkeys(map(normalise, source.needles)))
    return (line for line in lines if not (_NAMED.match(line[0]) and names_none(line[0], words)))


def _lines(text: str) -> Iterator[tuple[str, tuple[Segment, ...]]]:
    """Logical lines with content: a backslash at the end of a line joins it with the next."""
    parts: list[str] = []
    pieces: list[Segment] = []
    length = 0
    at = 0
    for written in text.splitlines(keepends=True):
        (line,) = written.splitlines()
        comment = _COMMENT_LINE.match(line) is not None
        joins = line.endswith("\\") and not comment
        part = "" if comment else line.rstrip("\\") if joins else line
        if part and (parts or not part.isspace()):
            parts.append(part)
            pieces.append(Segment(length, length + len(part), at, at + len(part)))
            length += len(part)
        at += len(written)
        if not joins:
            if parts:
                yield "".join(parts), tuple(pieces)
            parts, pieces, length = [], [], 0
    if parts:
        yield "".join(parts), tuple(pieces)


def _content(text: str) -> tuple[int, int]:
    """The range of a line without its comment and the blanks around it."""
    comment = _COMMENT.search(text)
    kept = text[: comment.start()] if comment else text
    end = len(kept.rstrip())
    return min(len(kept) - len(kept.lstrip()), end), end


def _clip(pieces: tuple[Segment, ...], start: int, end: int) -> Iterator[Segment]:
    """The pieces of ``text[start:end]``, counted from ``start``."""
    for piece in pieces:
        first, last = max(piece.start, start), min(piece.end, end)
        if first < last:
            shift = piece.origin_start - piece.start
            yield Segment(first - start, last - start, first + shift, last + shift)


def _read_line(file: Source, line: Source) -> Fact | Skip | None:
    if line.text.startswith("-"):
        return _read_option(file, line)
    options = _NEXT_OPTION.search(line.text)
    end = len(line.text[: options.start()].rstrip()) if options else len(line.text)
    if end > MAX_LENGTH:
        return _refuse(line, "too-large", f"longer than {MAX_LENGTH} characters")
    return _read_package(line.slice(0, end, "requirement"))


def _read_package(line: Source) -> Requirement | Skip | None:
    if is_location(line.text):
        return read_location(line, expand=True)
    return read_requirement(line, expand=True)


def _read_option(file: Source, line: Source) -> Fact | Skip | None:
    option = _OPTION.match(line.text)
    if option is None or not (
        option["name"] in _HOW or option["name"] in _EDITABLE or option["name"] in _NOT_PACKAGES
    ):
        return _refuse(line, "syntax", "expected a requirement or an option of this kind of file")
    if option["name"] in _NOT_PACKAGES:
        return None
    word = _WORD.match(line.text, option.start("value"))
    start, end = word.span(word.lastgroup) if word and word.lastgroup else (0, 0)
    if word is None or start == end:
        return _refuse(line, "syntax", f"expected a file or a location after {option['name']}")
    if option["name"] in _HOW:
        return _uses(file, line, start, end, _HOW[option["name"]])
    if word.lastgroup == "bare":
        options = _NEXT_OPTION.search(line.text, start)
        end = options.start() if options else len(line.text)
    return _editable(line, start, end)


def _editable(line: Source, start: int, end: int) -> Fact | Skip | None:
    place = line.slice(start, end, "requirement")
    named = not is_location(place.text) and "@" in place.text
    return read_requirement(place, expand=True) if named else read_location(place, expand=True)


def _uses(file: Source, line: Source, start: int, end: int, how: str) -> Uses | Skip:
    """Another file of requirements, its path made relative to the root."""
    written = line.text[start:end]
    if _VARIABLE.search(written):
        return _refuse(line, "template", "a variable stands in the name of the file")
    if _SCHEME.match(written):
        reason = "outside-root" if written.startswith("file:") else "remote"
        return _refuse(line, reason, f"{written} is not a file of the repository")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(file.path), written))
    if target.startswith(("../", "/")) or target == "..":
        return _refuse(line, "outside-root", f"{written} leads out of the repository")
    return Uses(span=line.span(start, end), owner=file.owner, target=target, how=how)


def _refuse(line: Source, reason: str, detail: str) -> Skip:
    return Skip(line.path, "read", reason, detail, line.span(0, len(line.text)))
