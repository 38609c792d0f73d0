"""A word of a Dockerfile as docker expands it: literal text and variables, with their places."""

from __future__ import annotations

import re
from dataclasses import dataclass

from servelint.syntax.dockerfile_words import BRACES, SPACES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.syntax.dockerfile_words import Place

MAX_NESTING = 24
"""Substitutions inside substitutions: deeper than this is refused."""

_RUN = re.compile(r"[^$'\"\\`{}/]+")
_SPECIAL_NAMES = "@*#?-$!"
_OPERATORS = frozenset((":-", ":+", ":?", "-", "+", "?", "#", "##", "%", "%%", "/", "//"))


@dataclass(frozen=True, slots=True)
class Literal:
    """Text as it reads. ``quoted``: white space in it does not end a word."""

    text: str
    place: Place
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Variable:
    """``$name`` or ``${name}`` with an operator and its words, if any."""

    name: str
    place: Place
    quoted: bool = False
    operator: str = ""
    word: tuple[Piece, ...] = ()
    replacement: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Template:
    """``{{ name }}``, which something else fills in before docker sees it."""

    text: str
    place: Place
    quoted: bool = False


Piece = Literal | Variable | Template


class BadWordError(ValueError):
    """A word that docker cannot expand; the text says what was expected, ``offset`` where."""

    def __init__(self, expected: str, offset: int) -> None:
        super().__init__(expected)
        self.offset = offset


def pieces(text: str, start: int, end: int, escape: str) -> tuple[Piece, ...]:
    """The pieces of ``text[start:end]``. Raises BadWordError."""
    return _Scanner(text, start, end, escape, BRACES).until("", 0)


def shell_words(text: str, escape: str = "\\") -> tuple[Place, ...]:
    """The words of a line as docker looks for ``<<NAME`` in it. Raises BadWordError."""
    words: list[Place] = []
    found = _Scanner(text, 0, len(text), escape, None).until("", 0)
    for start, end, joins in _runs(text, found):
        if joins and words:
            words[-1] = (words[-1][0], end)
        else:
            words.append((start, end))
    return tuple(words)


def _runs(text: str, found: tuple[Piece, ...]) -> Iterator[tuple[int, int, bool]]:
    """Stretches without an unquoted blank, and whether each continues the one before it."""
    joins = False
    for piece in found:
        start, end = piece.place
        if piece.quoted:
            yield start, end, joins
            joins = True
            continue
        at = start
        for match in _unquoted(text, start, end):
            joins = joins and match.start() == at == start
            yield match.start(), match.end(), joins
            at, joins = match.end(), True
        joins = joins and at == end and start < end


_WORD = re.compile(f"[^{SPACES}]+")


def _unquoted(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    return _WORD.finditer(text, start, end)


class _Scanner:
    """Reads pieces in order; ``at`` is the next character. ``template`` matches what is one."""

    def __init__(
        self, text: str, start: int, end: int, escape: str, template: re.Pattern[str] | None
    ) -> None:
        self._text = text
        self._end = end
        self._escape = escape
        self._template = template
        self.at = start

    def until(self, stop: str, depth: int) -> tuple[Piece, ...]:
        """The pieces up to ``stop``, which is taken, or up to the end where it is empty."""
        if depth > MAX_NESTING:
            raise BadWordError(f"at most {MAX_NESTING} substitutions in each other", self.at)
        found: list[Piece] = []
        while self.at < self._end:
            char = self._text[self.at]
            if stop and char == stop:
                self.at += 1
                return tuple(found)
            if char == "$":
                found.append(self._dollar(depth, quoted=False))
            elif char == "'":
                found.append(self._single())
            elif char == '"':
                found.extend(self._double(depth))
            elif char == self._escape:
                found.append(self._escaped())
            else:
                found.append(self._plain(quoted=False))
        if stop:
            raise BadWordError(f"a closing {stop}", self._end)
        return tuple(found)

    def _peek(self) -> str:
        return self._text[self.at] if self.at < self._end else ""

    def _plain(self, *, quoted: bool) -> Piece:
        start = self.at
        if self._peek() == "{" and self._template is not None:
            match = self._template.match(self._text, start, self._end)
            if match:
                self.at = match.end()
                return Template(match[0], match.span(), quoted)
        run = _RUN.match(self._text, start, self._end)
        self.at = run.end() if run else start + 1
        return Literal(self._text[start : self.at], (start, self.at), quoted)

    def _escaped(self) -> Literal:
        """The character behind an escape character; at the very end there is none."""
        start, self.at = self.at, min(self.at + 2, self._end)
        return Literal(self._text[start + 1 : self.at], (start, self.at), quoted=True)

    def _single(self) -> Literal:
        start = self.at
        stop = self._text.find("'", start + 1, self._end)
        if stop < 0:
            raise BadWordError("a closing '", start)
        self.at = stop + 1
        return Literal(self._text[start + 1 : stop], (start, self.at), quoted=True)

    def _double(self, depth: int) -> Iterator[Piece]:
        """The pieces between double quotes; the quotes belong to a piece without text."""
        start = self.at
        self.at += 1
        yield Literal("", (start, self.at), quoted=True)
        while char := self._peek():
            at = self.at
            if char == '"':
                self.at += 1
                yield Literal("", (at, self.at), quoted=True)
                return
            if char == "$":
                yield self._dollar(depth, quoted=True)
                continue
            if char == self._escape:
                self.at += 1
                if self._peek() in ('"', "$", self._escape) and self._peek():
                    char = self._peek()
                    self.at += 1
                yield Literal(char, (at, self.at), quoted=True)
            else:
                yield self._plain(quoted=True)
        raise BadWordError('a closing "', start)

    def _dollar(self, depth: int, *, quoted: bool) -> Piece:
        start = self.at
        self.at += 1
        if self._peek() == "{":
            self.at += 1
            return self._braces(start, depth, quoted=quoted)
        name = self._name()
        if not name:
            return Literal("$", (start, self.at), quoted)
        return Variable(name, (start, self.at), quoted)

    def _braces(self, start: int, depth: int, *, quoted: bool) -> Variable:
        if self._peek() in ("", "{", "}", ":"):
            raise BadWordError("a name and } behind ${", start)
        name = self._name()
        if self._peek() == "}":
            self.at += 1
            return Variable(name, (start, self.at), quoted)
        if not self._peek():
            raise BadWordError("a closing }", start)
        operator = self._operator(start)
        replacement: tuple[Piece, ...] = ()
        if operator.startswith("/"):
            word = self.until("/", depth + 1)
            replacement = self.until("}", depth + 1)
        else:
            word = self.until("}", depth + 1)
        return Variable(name, (start, self.at), quoted, operator, word, replacement)

    def _operator(self, start: int) -> str:
        for length in (2, 1):
            operator = self._text[self.at : min(self.at + length, self._end)]
            if operator in _OPERATORS:
                self.at += length
                return operator
        raise BadWordError("one of } :- :+ :? # % / behind a name in ${", start)

    def _name(self) -> str:
        """Letters, digits and underscores; only digits behind a digit; or one special character."""
        start = self.at
        first = self._peek()
        if first and first in _SPECIAL_NAMES:
            self.at += 1
            return first
        digits = first.isdecimal()
        while (char := self._peek()) and (
            char.isdecimal() if digits else char.isalpha() or char.isdecimal() or char == "_"
        ):
            self.at += 1
        return self._text[start : self.at]
