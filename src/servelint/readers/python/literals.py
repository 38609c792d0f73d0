"""String literals: what they say, and which character of the file says it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from servelint.readers.python.pieces import Piece, Pieces

_LITERAL = re.compile(r"(?P<prefix>[A-Za-z]*)(?P<quote>\"\"\"|'''|\"|')")
_RAW_STOP = re.compile(r"\r\n?")
_STOP = re.compile(
    r"\\(?:\r\n?|\n|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}]*\}|.)|\r\n?",
    re.S,
)
_BRACE_STOP = re.compile(rf"{{{{|}}}}|{_STOP.pattern}", re.S)
_RAW_BRACE_STOP = re.compile(rf"{{{{|}}}}|{_RAW_STOP.pattern}")
_SIMPLE = {
    "\\": "\\",
    "'": "'",
    '"': '"',
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
}


@dataclass(frozen=True, slots=True)
class Quoted:
    """A string token: its prefix and where its content begins and ends within the token."""

    prefix: str
    start: int
    end: int


@lru_cache(maxsize=4096)
def quoted(token: str) -> Quoted:
    """The parts of a string token as written, f-strings included."""
    head = _LITERAL.match(token)
    if head is None:
        return Quoted("", 0, len(token))
    size = len(head["quote"])
    return Quoted(head["prefix"].lower(), head.end(), len(token) - size)


def decode(raw: str, offset: int, prefix: str, *, braces: bool = False) -> Pieces:
    """The text of the inside of a literal, written at ``offset``.

    ``braces`` says that doubled braces stand for one, as in f-strings. Runs
    without an escape stay one piece, an escape is a piece of its own.
    """
    is_raw = "r" in prefix
    if braces:
        stop = _RAW_BRACE_STOP if is_raw else _BRACE_STOP
    else:
        stop = _RAW_STOP if is_raw else _STOP
    found: list[Piece] = []
    at = 0
    for match in stop.finditer(raw):
        if match.start() > at:
            found.append(Piece(raw[at : match.start()], (offset + at, offset + match.start())))
        at = match.end()
        text = _meaning(match[0])
        if text:
            found.append(Piece(text, (offset + match.start(), offset + at)))
    if at < len(raw):
        found.append(Piece(raw[at:], (offset + at, offset + len(raw))))
    return tuple(found)


def _meaning(escape: str) -> str:
    """What an escape, a doubled brace or a line end of another system stands for."""
    if escape in ("{{", "}}"):
        return escape[0]
    if escape[0] == "\r":
        return "\n"
    mark = escape[1]
    if mark in "\r\n":
        return ""
    if mark in "01234567":
        return chr(int(escape[1:], 8))
    if mark in "xuU" and len(escape) > 2:
        code = int(escape[2:], 16)  # noqa: FURB166
        return chr(code) if code <= 0x10FFFF else escape
    if mark == "N" and len(escape) > 2:
        return _named(escape)
    return _SIMPLE.get(mark, escape)


def _named(escape: str) -> str:
    import unicodedata  # noqa: PLC0415  # 4 ms for an escape that hardly anybody writes

    try:
        return unicodedata.lookup(escape[3:-1])
    except KeyError:
        return escape
