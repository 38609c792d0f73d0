"""Configurations of supervisord: their settings, as its parser reads them, and their words.

Offsets are code points of the text.
"""

from __future__ import annotations

import re

from servelint.syntax.exec_words import (
    TEMPLATE,
    Setting,
    UnclosedQuoteError,
    Word,
    WordMaker,
)
from servelint.syntax.make_shell import ShellText

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from servelint.source import Source

    Place = tuple[int, int]
    Namer = Callable[[str], tuple[str, str]]
    """From the name of an expansion to its text or, when that is not known, an open name."""

_LINE = re.compile(r"(?P<indent>[ \t]*)(?P<text>[^\r\n]*)(?:\r\n?|\n|\Z)")
_COMMENT = re.compile(r"(?:\A|\s)[#;].*", re.DOTALL)
_SECTION = re.compile(r"\[(.+)\]")
_KEY = re.compile(r"(?P<key>[^=:]*+)[=:]\s*")


def settings(source: Source) -> Iterator[Setting]:
    """The settings in order, empty ones too: of equal ones the last counts.

    A line that is indented more than a key goes on with its value.
    """
    section, key, indent = "", "", 0
    made = ShellText()
    for match in _LINE.finditer(source.text):
        start = match.start("text")
        text = _COMMENT.sub("", match["text"]).rstrip()
        if not text:
            continue
        if key and len(match["indent"]) > indent:
            made.add("\n", start, start)
            made.add(text, start, start + len(text))
            continue
        yield from _finished(source, section, key, made)
        key, indent, made = "", len(match["indent"]), ShellText()
        if head := _SECTION.match(text):
            section = head[1]
        elif head := _KEY.match(text):
            key = head["key"].rstrip().lower()
            made.add(text[head.end() :], start + head.end(), start + len(text))
    yield from _finished(source, section, key, made)


def _finished(source: Source, section: str, key: str, made: ShellText) -> Iterator[Setting]:
    if key:
        yield Setting(section, key, source.embed(made.text, made.segments, "text"))


# -- words --------------------------------------------------------------------

_EXPANSION = r"%(?:\((?P<name>[^()\s]+)\)[-#0 +]*[0-9]*[a-zA-Z]|%)"
_TOKEN = re.compile(
    rf"""(?P<blank>(?:\s|\\\r?\n)+)
      | (?P<quote>["'])
      | (?P<template>{TEMPLATE})
      | (?P<expansion>{_EXPANSION})
      | \\(?P<escaped>.)
      | [^\s"'{{\\%]+ | .
    """,
    re.VERBOSE | re.DOTALL,
)
_PAIR = re.compile(
    rf"""(?<!\w)(?P<name>[A-Za-z_]\w*)\s*=\s*
        (?P<value>"[^"]*"|'[^']*'|(?:{TEMPLATE}|[^\s,"'])*+)""",
    re.VERBOSE,
)
_VALUE = re.compile(rf"(?P<template>{TEMPLATE})|(?P<expansion>{_EXPANSION})|[^{{%]+|.", re.DOTALL)


def words(text: str, named: Namer) -> Iterator[Word]:
    """The words of a ``command``. Raises UnclosedQuoteError."""
    word = WordMaker()
    quote, opened, at = "", 0, 0
    while match := _TOKEN.match(text, at):
        start, at = match.span()
        if match["blank"] and not quote:
            yield from word.finish(start)
        elif match["quote"] and quote in ("", match[0]):
            quote, opened = ("" if quote else match[0]), start
            word.begin(start)
        elif match["escaped"] and quote == "'":
            at = start + 1
            word.add("\\", start, at)
        elif match["escaped"] and (not quote or match["escaped"] in '"\\'):
            word.add(match["escaped"], start, at)
        else:
            _add(word, match, named)
    if quote:
        raise UnclosedQuoteError(opened)
    yield from word.finish(len(text))


def pairs(text: str, named: Namer) -> Iterator[tuple[str, Place, Word]]:
    """The variables of an ``environment``: name, where the pair stands, value without quotes."""
    for match in _PAIR.finditer(text):
        start, end = match.span("value")
        inset = 1 if match["value"][:1] in ("'", '"') else 0
        word = WordMaker()
        word.begin(start + inset)
        for token in _VALUE.finditer(text, start + inset, end - inset):
            _add(word, token, named)
        yield from ((match["name"], match.span(), value) for value in word.finish(end - inset))


def _add(word: WordMaker, match: re.Match[str], named: Namer) -> None:
    if not match["expansion"]:
        word.add(match[0], *match.span())
    elif match["name"] is None:
        word.add("%", *match.span())
    else:
        known, name = named(match["name"])
        word.add(match[0] if name else known, *match.span(), name=name)
