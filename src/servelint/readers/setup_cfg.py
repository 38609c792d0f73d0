"""Reads setup.cfg and tox.ini: what setuptools and tox install, each list as requirements."""

from __future__ import annotations

import posixpath
import re

from servelint.facts import Uses
from servelint.source import Segment
from servelint.syntax.ini import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.finding import Skip
    from servelint.source import Source
    from servelint.syntax.ini import IniValue

_SETUP = re.compile(r"options\Z"), re.compile(r"install_requires\Z")
_EXTRAS = re.compile(r"options\.extras_require\Z"), re.compile(r"")
_TOX = re.compile(r"testenv(?::.*)?\Z|env_run_base\Z"), re.compile(r"deps\Z")

_FILE = re.compile(r"file:\s*")
_NAME = re.compile(r"[^\s,]+")
_FACTOR = re.compile(r"(?![\w+.-]+://)[\w.,{}!-]+:\s+(?=\S)")
_HERE = "{toxinidir}"
_OTHER_LIST = re.compile(r"\{(?:\[[^\]]+\][^{}]*|posargs[^{}]*)\}\Z")
_VARIABLE = re.compile(r"\{env:(?P<name>[A-Z_][A-Z0-9_]*)(?::[^{}]*)?\}")
"""How tox takes a variable of the environment."""


def read(source: Source) -> Iterator[Uses | Source | Skip]:
    """Each list as a text of requirements, and the files that take the place of one."""
    for value in values(source.text):
        is_setup, is_tox = (
            any(section.match(value.section) and key.match(value.key) for section, key in kinds)
            for kinds in ((_SETUP, _EXTRAS), (_TOX,))
        )
        first = source.text[slice(*value.lines[0])] if value.lines else ""
        if is_setup and (file := _FILE.match(first)):
            yield from _files(source, value.lines[0][0] + file.end(), value.lines[0][1])
        elif is_setup or is_tox:
            rows = _rows(source.text, value, is_tox=is_tox)
            yield from _child(source, value, rows)


def _files(source: Source, start: int, end: int) -> Iterator[Uses]:
    """``file: a.txt, b.txt``."""
    for name in _NAME.finditer(source.text, start, end):
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source.path), name[0]))
        if not target.startswith(("/", "..")):
            span = source.span(*name.span())
            yield Uses(span=span, owner=source.owner, target=target, how="requirements")


def _rows(text: str, value: IniValue, *, is_tox: bool) -> Iterator[tuple[int, int]]:
    """The ranges of single requirements; setuptools splits a value of one line at semicolons."""
    for start, end in value.lines:
        if is_tox:
            factor = _FACTOR.match(text, start, end)
            first = factor.end() if factor else start
            if not _OTHER_LIST.match(text, first, end):
                yield first, end
        elif not value.is_listed and len(value.lines) == 1:
            at = start
            for piece in text[start:end].split(";"):
                yield at, at + len(piece)
                at += len(piece) + 1
        else:
            yield start, end


def _child(source: Source, value: IniValue, rows: Iterator[tuple[int, int]]) -> Iterator[Source]:
    """The rows as lines of a requirements file, with variables as these write them."""
    parts: list[str] = []
    pieces: list[Segment] = []
    size = 0
    for start, end in rows:
        for text, first, last in (*_written(source.text, start, end), ("\n", end, end)):
            pieces.append(Segment(size, size + len(text), first, last))
            parts.append(text)
            size += len(text)
    if parts:
        yield source.embed("".join(parts), pieces, "requirements", value.section, value.key)


def _written(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """Runs of a row: what each says, and its range."""
    at = start
    for match in re.finditer(rf"{re.escape(_HERE)}|{_VARIABLE.pattern}", text[start:end]):
        first, last = start + match.start(), start + match.end()
        if first > at:
            yield text[at:first], at, first
        yield f"${{{match['name']}}}" if match["name"] else ".", first, last
        at = last
    if at < end:
        yield text[at:end], at, end
