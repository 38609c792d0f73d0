"""How a logical line of a Dockerfile falls into words: four ways, as docker's parser has them.

All functions take a text and a range of it and answer with ranges of that
text, so that every word can be quoted.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from servelint.source import Segment

TYPE_CHECKING = False
if TYPE_CHECKING:
    Place = tuple[int, int]
    """Start and end in the text."""

SPACES = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""White space of Unicode: what docker strips. Python's own notion holds four characters more."""

_HEAD = re.compile(r"[^\t\v\f\r ]+")
_GAP = re.compile(r"[\t\v\f\r ]+")
BRACES = re.compile(r"\{\{[^{}\n]{0,200}\}\}|\{%[^{}\n]{0,200}%\}")
"""What a template engine fills in or takes out."""
_BLANK_WORD = re.compile(rf"(?:{BRACES.pattern}|[^\t\v\f\r ])+")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_ESCAPES = re.compile(r"(?:\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.)")
_JSON_GAP = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True, slots=True)
class Flag:
    """An option such as ``--from=image``: quotes removed, ``place`` as it stands."""

    text: str
    place: Place

    @property
    def plain(self) -> bool:
        """True when it is written exactly as it reads."""
        return len(self.text) == self.place[1] - self.place[0]


@dataclass(frozen=True, slots=True)
class JsonWord:
    """A string of the exec form.

    ``segments`` map its text to the line; ``place`` is the inside of the quotes.
    """

    text: str
    segments: tuple[Segment, ...]
    place: Place


class NotStringsError(ValueError):
    """An array in which something is no string: docker refuses it."""


def trimmed(text: str, start: int, end: int) -> Place:
    """The range without white space around it."""
    while start < end and text[start] in SPACES:
        start += 1
    while end > start and text[end - 1] in SPACES:
        end -= 1
    return start, end


def split_head(text: str, start: int, end: int) -> tuple[Place, Place]:
    """The first word and the rest, both trimmed."""
    start, end = trimmed(text, start, end)
    head = _HEAD.match(text, start, end)
    stop = head.end() if head else start
    return (start, stop), trimmed(text, stop, end)


def split_flags(text: str, start: int, end: int) -> tuple[tuple[Flag, ...], Place]:
    """The options at the beginning of a range and what follows them, trimmed."""
    flags: list[Flag] = []
    at = start
    while True:
        at, _ = trimmed(text, at, end)
        if not text.startswith("--", at, end):
            return tuple(flags), trimmed(text, at, end)
        word, stop = _flag(text, at, end)
        if word == "--":
            return tuple(flags), trimmed(text, stop, end)
        flags.append(Flag(word, (at, stop)))
        at = stop


def _flag(text: str, at: int, end: int) -> tuple[str, int]:
    """One option without its quotes, and where it ends."""
    word: list[str] = []
    quote = ""
    while at < end:
        char = text[at]
        if char == "\\":
            at += 1
            word.append(text[at : min(at + 1, end)])
        elif quote:
            if char == quote:
                quote = ""
            else:
                word.append(char)
        elif char in SPACES:
            break
        elif char in "'\"":
            quote = char
        else:
            word.append(char)
        at += 1
    return "".join(word), min(at, end)


def blank_words(text: str, start: int, end: int) -> tuple[Place, ...]:
    """Words between blanks, quotes not minded; what stands in ``{{ }}`` is kept together."""
    return tuple(match.span() for match in _BLANK_WORD.finditer(text, start, end))


def split_once(text: str, start: int, end: int) -> tuple[Place, Place] | None:
    """What stands before and after the first blanks; None when there are none."""
    gap = _GAP.search(text, start, end)
    return ((start, gap.start()), (gap.end(), end)) if gap else None


def quoted_words(text: str, start: int, end: int, escape: str) -> tuple[Place, ...]:
    """Words of ENV, ARG and LABEL.

    White space in quotes, behind ``escape`` and in ``{{ }}`` does not end them.
    """
    words: list[Place] = []
    at, _ = trimmed(text, start, end)
    while at < end:
        stop = _word_end(text, at, end, escape)
        if stop == end - 1 and text[stop] == escape:
            end = stop  # docker drops an escape character that escapes nothing
        if at < stop:
            words.append((at, stop))
        at, _ = trimmed(text, stop, end)
    return tuple(words)


def _word_end(text: str, at: int, end: int, escape: str) -> int:
    """Where a word ends; at an escape character when that is the last of all."""
    quote = ""
    while at < end:
        char = text[at]
        if char == escape and quote != "'":
            if at + 1 == end:
                return at
            at += 1
        elif quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in SPACES:
            return at
        elif char == "{" and (braces := BRACES.match(text, at, end)):
            at = braces.end() - 1
        at += 1
    return at


def json_words(text: str, start: int, end: int) -> tuple[JsonWord, ...] | None:
    """The strings of an array; None when the range does not begin with valid JSON of an array.

    What follows the array does not count. Raises NotStringsError.
    """
    if not text.startswith("[", start, end):
        return None
    words: list[JsonWord] = []
    at = _skip_gap(text, start + 1, end)
    if text.startswith("]", at, end):
        return ()
    while match := _STRING.match(text, at, end):
        words.append(_json_word(text, match.start() + 1, match.end() - 1))
        at = _skip_gap(text, match.end(), end)
        if text.startswith("]", at, end):
            return tuple(words)
        if not text.startswith(",", at, end):
            break
        at = _skip_gap(text, at + 1, end)
    if _is_array(text[start:end]):
        raise NotStringsError
    return None


def _skip_gap(text: str, at: int, end: int) -> int:
    gap = _JSON_GAP.match(text, at, end)
    return gap.end() if gap else at


def _json_word(text: str, start: int, end: int) -> JsonWord:
    """The string between two quotes: runs as they stand, an escape as a whole."""
    parts: list[str] = []
    segments: list[Segment] = []
    length = 0
    at = start
    for match in (*_ESCAPES.finditer(text, start, end), None):
        stop = match.start() if match else end
        for piece, origin in ((text[at:stop], (at, stop)), _unescaped(match)):
            if piece:
                segments.append(Segment(length, length + len(piece), *origin))
                parts.append(piece)
                length += len(piece)
        at = match.end() if match else end
    return JsonWord("".join(parts), tuple(segments), (start, end))


def _unescaped(match: re.Match[str] | None) -> tuple[str, Place]:
    if match is None:
        return "", (0, 0)
    text: str = json.loads(f'"{match[0]}"')
    return ("\ufffd" if "\ud800" <= text <= "\udfff" else text), match.span()


def _is_array(text: str) -> bool:
    """True when the text begins with an array of valid JSON, whatever its items are."""
    try:
        json.JSONDecoder(parse_constant=_refuse).raw_decode(text)
    except (ValueError, RecursionError):
        return False
    return True


def _refuse(constant: str) -> None:
    raise ValueError(constant)
