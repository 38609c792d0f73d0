"""Unit files of systemd: their settings, and how it splits a setting into words.

Offsets are code points of the text.
"""

from __future__ import annotations

import re

from servelint.syntax.exec_words import (
    TEMPLATE,
    Piece,
    Setting,
    UnclosedQuoteError,
    Word,
    WordMaker,
)
from servelint.syntax.make_shell import ShellText

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.source import Source


_LINE = re.compile(r"[ \t]*(?P<text>[^\r\n]*)(?:\r\n?|\n|\Z)")
_SECTION = re.compile(r"\[(.+)\]\s*\Z")
_KEY = re.compile(r"(?P<key>[\w-]+)[ \t]*=[ \t]*", re.ASCII)


def settings(source: Source) -> Iterator[Setting]:
    """The settings of a unit file in order, empty ones too: they take back those before."""
    section = ""
    for line in _logical_lines(source):
        if match := _SECTION.match(line.text):
            section = match[1]
        elif match := _KEY.match(line.text):
            end = max(match.end(), len(line.text.rstrip()))
            yield Setting(section, match["key"], line.slice(match.end(), end, "text"))


def _logical_lines(source: Source) -> Iterator[Source]:
    """Lines without the blanks before them, a continued one with those that follow it."""
    made = ShellText()
    for match in _LINE.finditer(source.text):
        start, end = match.span("text")
        line = match["text"]
        if line.startswith(("#", ";")):
            continue  # also between a line and its continuation
        goes_on = (len(line) - len(line.rstrip("\\"))) % 2
        made.add(line[: len(line) - goes_on], start, end - goes_on)
        if goes_on:
            made.add(" ", end - 1, match.end())
        elif made.length:
            yield source.embed(made.text, made.segments, "text")
            made = ShellText()


# -- words --------------------------------------------------------------------

_PREFIX = re.compile(r"[ \t]*(?P<signs>[-@:+!|]*)")
_ESCAPE = r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{3}|[abfnrtvs\\\"'])"
_TOKEN = re.compile(
    rf"""(?P<blank>[\ \t\n\r]+)
      | (?P<quote>["'])
      | (?P<template>{TEMPLATE})
      | (?P<escape>{_ESCAPE})
      | %(?P<specifier>[A-Za-z%])
      | \$\{{(?P<name>[A-Za-z_]\w*)\}}
      | (?P<dollars>\$\$)
      | \\. | [^\ \t\n\r"'{{\\%$]+ | .
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_DROPPED = re.compile(r"\$(?![{$])")
_VARIABLE = re.compile(r"\$([A-Za-z_]\w*)", re.ASCII)
_MEANING = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "s": " "}
_BASES = {"x": 16, "u": 16, "U": 16}


def commands(text: str) -> Iterator[tuple[Word, ...]]:
    """The commands of an ``ExecStart=``, the signs before them left out.

    Raises UnclosedQuoteError.
    """
    at = 0
    while at < len(text):
        signs = _PREFIX.match(text, at)
        prefix = signs["signs"] if signs else ""
        expands = ":" not in prefix
        found: list[Word] = []
        at = signs.end() if signs else at
        for word in _words(text, at, expands=expands):
            at = word.end
            if text[word.start : at] == ";":
                break
            if text[word.start : at] == "\\;":
                found.append(Word((Piece(";", word.start, at),), word.start, at))
            else:
                found.extend(_expanded(word) if expands else (word,))
        else:
            at = len(text)
        if "@" in prefix:  # the second word is the name that the program gets for its own
            del found[1:2]
        if found:
            yield tuple(found)


def arguments(text: str) -> Iterator[Word]:
    """The words of the ``Exec=`` of a container. Raises UnclosedQuoteError."""
    for word in _words(text, 0, expands=True):
        yield from _expanded(word)


def words(text: str) -> Iterator[Word]:
    """The words of a setting that holds no command. Raises UnclosedQuoteError."""
    return _words(text, 0, expands=False)


def _expanded(word: Word) -> Iterator[Word]:
    """The word; ``$NAME`` is as many words as its value has, ``$`` before anything else none."""
    first = word.pieces[0] if word.pieces else None
    if first is None or first.is_made or not _DROPPED.match(word.text):
        yield word
    elif (match := _VARIABLE.fullmatch(word.text)) and len(word.pieces) == 1:
        piece = Piece(first.text, first.start, first.end, match[1], splits=True)
        yield Word((piece,), word.start, word.end)


def _words(text: str, at: int, *, expands: bool) -> Iterator[Word]:
    word = WordMaker()
    quote, opened = "", 0
    for match in _TOKEN.finditer(text, at):
        start = match.start()
        if match["blank"] and not quote:
            yield from word.finish(start)
        elif match["quote"] and quote in ("", match[0]):
            quote, opened = ("" if quote else match[0]), start
            word.begin(start)
        else:
            _token(word, match, expands=expands)
    if quote:
        raise UnclosedQuoteError(opened)
    yield from word.finish(len(text))


def _token(word: WordMaker, match: re.Match[str], *, expands: bool) -> None:
    """Add one token, in quotes or not, to a word."""
    specifier, name = match["specifier"], match["name"]
    if specifier == "%":
        word.add("%", *match.span())
    elif specifier:
        word.add(match[0], *match.span(), name=f"SPECIFIER_{specifier}")
    elif name and expands:
        word.add(match[0], *match.span(), name=name)
    elif match["dollars"] and expands:
        word.add("$", *match.span())
    elif match["escape"]:
        word.add(_unescaped(match[0]), *match.span())
    else:
        word.add(match[0], *match.span())


def _unescaped(written: str) -> str:
    """The character of an escape; one that stands for none stays as it is written."""
    kind = written[1]
    digits = written[2:] if kind in _BASES else written[1:]
    if kind not in _BASES and not kind.isdigit():
        return _MEANING.get(kind, kind)
    code = int(digits, _BASES.get(kind, 8))
    if code == 0 or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF or (kind.isdigit() and code > 255):
        return written
    is_byte = kind == "x" or kind.isdigit()
    return "\ufffd" if is_byte and code > 127 else chr(code)  # half of a character, maybe
