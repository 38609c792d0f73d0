"""Command lines that no shell reads: their words, as values and as a text that a shell reads alike.

Service managers split a command into words themselves and start the program
directly. Written once more with the quotes that a shell wants, such a command
is read by the reader of shell text, which knows what ``bash -c``, ``docker
run`` and their kind do with their words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby

from servelint.syntax.make_shell import ShellText
from servelint.syntax.parts import joined
from servelint.value import Open, Text, Unknown, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from servelint.source import Source
    from servelint.value import Part

MAX_CHARACTERS = 100_000
"""A configuration of services that is longer is not read; such files have some hundred lines."""

TEMPLATE = r"\{\{[^{}\n]*\}\}"
"""An action of a template engine, as a pattern: it is one piece, blanks and all."""

_TEMPLATE = re.compile(TEMPLATE)
_PLAIN = re.compile(r"[\w./:@%+,=-]+\Z")
_RUNS = re.compile(r"'|[^']+")


@dataclass(frozen=True, slots=True)
class Setting:
    """``key = value`` in a ``section``; ``value`` is one text, whatever it was written on."""

    section: str
    key: str
    value: Source


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of a word: ``start`` to ``end`` is where it stands.

    ``text`` is what the program gets; of a ``name`` that something fills in
    later, ``text`` is how it is written. A name that ``splits`` gives as many
    words as its value has.
    """

    text: str
    start: int
    end: int
    name: str = ""
    splits: bool = False

    @property
    def is_made(self) -> bool:
        """True when the text is not what stands there, character by character."""
        return len(self.text) != self.end - self.start or bool(self.name)


@dataclass(frozen=True, slots=True)
class Word:
    """One word; ``start`` to ``end`` is where it stands, quotes included."""

    pieces: tuple[Piece, ...]
    start: int
    end: int

    @property
    def text(self) -> str:
        """The word as it is written, without quotes."""
        return "".join(piece.text for piece in self.pieces)

    @property
    def head(self) -> str:
        """The known text at its beginning."""
        names = (index for index, piece in enumerate(self.pieces) if piece.name)
        return "".join(piece.text for piece in self.pieces[: next(names, len(self.pieces))])

    def behind(self, count: int) -> Word:
        """What stands behind the first ``count`` characters, which are known ones."""
        kept: list[Piece] = []
        for piece in self.pieces:
            cut = min(count, len(piece.text))
            count -= cut
            if cut == 0:
                kept.append(piece)
            elif cut < len(piece.text):
                start = piece.start if piece.is_made else piece.start + cut
                kept.append(Piece(piece.text[cut:], start, piece.end))
        end = self.pieces[-1].end if self.pieces else self.end
        return Word(tuple(kept), kept[0].start if kept else end, end)


class UnclosedQuoteError(ValueError):
    """A quote without its end, at ``offset``."""

    def __init__(self, offset: int) -> None:
        super().__init__("a quote is not closed")
        self.offset = offset


class WordMaker:
    """One word after the other, in the making."""

    def __init__(self) -> None:
        self._pieces: list[Piece] = []
        self._start = -1

    def begin(self, start: int) -> None:
        """A word is there from ``start`` on, even if nothing is added to it."""
        self._start = start if self._start < 0 else self._start

    def add(self, text: str, start: int, end: int, name: str = "") -> None:
        """Append a piece; plain runs that follow each other become one."""
        self.begin(start)
        piece = Piece(text, start, end, name)
        last = self._pieces[-1] if self._pieces else None
        if last and last.end == start and not (_is_apart(last) or _is_apart(piece)):
            self._pieces[-1] = Piece(last.text + text, last.start, end)
        else:
            self._pieces.append(piece)

    def finish(self, end: int) -> Iterator[Word]:
        """The word that ends here, if there is one."""
        if self._start >= 0:
            yield Word(tuple(self._pieces), self._start, end)
        self._pieces, self._start = [], -1


def _is_apart(piece: Piece) -> bool:
    return piece.is_made or _TEMPLATE.fullmatch(piece.text) is not None


def word_value(source: Source, word: Word) -> Value:
    """The value of a word of ``source``."""
    parts = joined(map(_part, word.pieces)) or (Text(""),)
    return Value((parts,), source.span(word.start, word.end))


def _part(piece: Piece) -> Part:
    if piece.name:
        return Open(piece.name, piece.text)
    if _TEMPLATE.fullmatch(piece.text):
        return Unknown("template-function", piece.text)
    return Text(piece.text)


def shell_source(
    source: Source, commands: Iterable[Iterable[Word]], *steps: str | int, container: bool = False
) -> Source:
    """Commands of ``source`` as a child for a shell, one a line."""
    made = ShellText()
    for command in commands:
        blank = ""
        for word in command:
            made.add(blank, word.start, word.start)
            for part in _written(word):
                made.add(*part)
            blank = " "
        made.add("\n", len(source.text), len(source.text))
    inside = container or source.container
    return source.embed(made.text, made.segments, "shell", *steps, container=inside)


def _written(word: Word) -> Iterator[tuple[str, int, int]]:
    """A word as a shell wants it: texts with the places that they are made from."""
    if not word.pieces:
        yield "''", word.start, word.end
        return
    first, last = word.pieces[0], word.pieces[-1]
    for is_name, group in groupby(word.pieces, key=lambda piece: bool(piece.name)):
        pieces = tuple(group)
        left = word.start if pieces[0] is first else pieces[0].start
        right = word.end if pieces[-1] is last else pieces[-1].end
        yield from (_names if is_name else _known)(pieces, left, right)


def _names(pieces: tuple[Piece, ...], left: int, right: int) -> Iterator[tuple[str, int, int]]:
    quote = "" if pieces[0].splits else '"'
    yield quote, left, pieces[0].start
    for piece in pieces:
        yield f"${{{piece.name}}}", piece.start, piece.end
    yield quote, pieces[-1].end, right


def _known(pieces: tuple[Piece, ...], left: int, right: int) -> Iterator[tuple[str, int, int]]:
    """Known text, between single quotes where it is written in quotes or a shell wants them."""
    is_quoted = left < pieces[0].start or pieces[-1].end < right
    quote = "'" if is_quoted or not all(_PLAIN.match(piece.text) for piece in pieces) else ""
    yield quote, left, pieces[0].start
    for piece in pieces:
        yield from _escaped(piece)
    yield quote, pieces[-1].end, right


def _escaped(piece: Piece) -> Iterator[tuple[str, int, int]]:
    """A piece as it stands between single quotes."""
    for run in _RUNS.finditer(piece.text):
        text = "'\\''" if run[0] == "'" else run[0]
        start, end = (0, piece.end - piece.start) if piece.is_made else run.span()
        yield text, piece.start + start, piece.start + end
