"""The signs of a Go template: text, actions with their trim markers, and the words in actions."""

from __future__ import annotations

import re
from dataclasses import dataclass

from servelint.syntax.gotemplate.problems import TemplateProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

BLANKS = " \t\r\n"
"""What a trim marker takes away."""

_INSIDE = re.compile(
    r"""(?P<close>[ \t\r\n]+-\}\}|\}\})
      | (?P<space>[ \t\r\n]+)
      | (?P<string>"(?:\\.|[^"\\\n])*"|`[^`]*`)
      | (?P<char>'(?:\\.|[^'\\\n])+')
      | (?P<sign>:=|[=|(),])
      | (?P<number>[+-]?(?:0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+
            |(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9]+)?)(?!\w))
      | (?P<field>\.[^\W\d]\w*)
      | (?P<dot>\.)
      | (?P<variable>\$\w*)
      | (?P<word>[^\W\d]\w*)
      | (?P<comment>/\*.*?\*/)
    """,
    re.VERBOSE | re.DOTALL,
)
_OPEN = re.compile(r"\{\{(?:-(?=[ \t\r\n]))?")
_COMMENT = re.compile(
    r"\{\{(?:-[ \t\r\n]+|[ \t\r\n]*)/\*.*?\*/[ \t\r\n]*?(?:[ \t\r\n]-)?\}\}", re.S
)


@dataclass(frozen=True, slots=True, eq=False)
class Token:
    """A word of an action; ``is_tied`` when nothing stands between it and the word before."""

    kind: str
    text: str
    start: int
    end: int
    is_tied: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Text (``tokens`` None) after trimming, or an action with its words (none: a comment)."""

    start: int
    end: int
    tokens: tuple[Token, ...] | None


def pieces(text: str) -> Iterator[Piece]:
    """The text in pieces, in order. Raises TemplateProblem for an action that does not end."""
    at, is_trimmed = 0, False
    while True:
        opening = _OPEN.search(text, at)
        end = opening.start() if opening else len(text)
        trims = opening is not None and opening[0].endswith("-")
        start = _past_blanks(text, at, end) if is_trimmed else at
        stop = _before_blanks(text, start, end) if trims else end
        if start < stop:
            yield Piece(start, stop, None)
        if opening is None:
            return
        action = _action(text, opening)
        yield action
        at = action.end
        is_trimmed = text[at - 3] == "-" and text[at - 4] in BLANKS


def _action(text: str, opening: re.Match[str]) -> Piece:
    comment = _COMMENT.match(text, opening.start())
    if comment:
        return Piece(comment.start(), comment.end(), ())
    tokens: list[Token] = []
    at, last = opening.end(), -1
    while True:
        found = _INSIDE.match(text, at)
        if found is None:
            raise TemplateProblem(_complaint(text, at, opening.start()), at)
        kind, at = str(found.lastgroup), found.end()
        if kind == "close":
            return Piece(opening.start(), at, tuple(tokens))
        if kind not in ("space", "comment"):
            is_tied = found.start() == last
            tokens.append(Token(kind, found[0], found.start(), at, is_tied))
            last = at


def _complaint(text: str, at: int, start: int) -> str:
    if at >= len(text):
        return f"the action at offset {start} does not end"
    return f"{text[at]!r} cannot stand in an action"


def _past_blanks(text: str, at: int, end: int) -> int:
    while at < end and text[at] in BLANKS:
        at += 1
    return at


def _before_blanks(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1] in BLANKS:
        end -= 1
    return end
