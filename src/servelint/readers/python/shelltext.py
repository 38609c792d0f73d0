"""A command text as a source for the shell reader.

What is written in the text itself is handed on character by character. A value
that comes from elsewhere becomes a shell variable that is set on a line before
the command, so that the shell reader splits it and keeps its way; one that
holds more than plain words stands where it is put in. What is not known
becomes a variable that nothing sets.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from servelint.readers.python.events import Word
from servelint.readers.python.pieces import Piece, known_text
from servelint.source import Segment
from servelint.syntax.bash_inline import REMOTE, SHELLS, behind_host
from servelint.syntax.programs import base_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from servelint.readers.python.pieces import Pieces, Place
    from servelint.source import Source
    from servelint.value import Value

MAX_LENGTH = 100_000

_PLAIN = re.compile(r"[\w./:@%+,=~ -]*\Z")
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_NOT_NAME = re.compile(r"\W+", re.ASCII)
_TEXT_FLAG = re.compile(r"-[A-Za-z]*c[A-Za-z]*\Z")
_QUOTE = re.compile(r"\\.|['\"]", re.S)


@dataclass(slots=True)
class _Text:
    """A text that is put together, with the runs that map it to the file."""

    parts: list[str] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    size: int = 0

    def add(self, text: str, place: Place | None = None) -> None:
        if text and place is not None:
            self.segments.append(Segment(self.size, self.size + len(text), *place))
        self.parts.append(text)
        self.size += len(text)

    def append(self, other: _Text) -> None:
        shift = self.size
        self.segments += [
            Segment(one.start + shift, one.end + shift, one.origin_start, one.origin_end)
            for one in other.segments
        ]
        self.parts += other.parts
        self.size += other.size


class _Builder:
    def __init__(self, place: Place) -> None:
        self._place = place
        self._before = _Text()
        self._body = _Text()
        self._names: dict[str, str] = {}
        self._quote = ""

    def build(self, pieces: Pieces) -> tuple[str, list[Segment]]:
        for piece in pieces:
            self._add(piece)
        whole = _Text()
        whole.append(self._before)
        whole.append(self._body)
        return "".join(whole.parts), whole.segments

    def _add(self, piece: Piece) -> None:
        if not piece.known:
            self._body.add(_variable(piece), piece.at or self._place)
        elif piece.at is not None and self._is_here(piece.at):
            self._body.add(piece.text, piece.at)
            self._scan(piece.text)
        elif piece.at is not None and self._quote != "'" and _PLAIN.match(piece.text):
            self._body.add(f"${{{self._set(piece)}}}", self._hole(piece))
        else:
            self._body.add(piece.text, piece.at or self._hole(piece))
            self._scan(piece.text)

    def _is_here(self, place: Place) -> bool:
        return self._place[0] <= place[0] and place[1] <= self._place[1]

    def _hole(self, piece: Piece) -> Place:
        """Where a value is put in."""
        return next((one for one in reversed(piece.via) if self._is_here(one)), self._place)

    def _set(self, piece: Piece) -> str:
        """The variable for a value; the same value is set once."""
        base = f"value_{piece.at[0]}" if piece.at is not None else "value"
        if self._names.get(base) != piece.text:
            self._names[base] = piece.text
            self._before.add(f"{base}='")
            self._before.add(piece.text, piece.at)
            self._before.add("'\n")
        return base

    def _scan(self, text: str) -> None:
        """Follow the quotes, so that it is known where a variable would not be read."""
        for match in _QUOTE.finditer(text):
            mark = match[0]
            if len(mark) > 1 and self._quote != "'":
                continue
            mark = mark[-1]
            if mark not in "'\"":
                continue
            if not self._quote:
                self._quote = mark
            elif self._quote == mark:
                self._quote = ""


def _variable(piece: Piece) -> str:
    """How a shell would write a value that is open or unknown."""
    if piece.name and _NAME.fullmatch(piece.name):
        default = known_text(piece.default) if piece.default is not None else None
        if default is not None and _PLAIN.match(default):
            return f"${{{piece.name}:-{default}}}"
        return f"${{{piece.name}}}"
    return f"${{{variable_name(piece)}}}"


def variable_name(piece: Piece) -> str:
    """A name for a value without one, made from how it is written."""
    made = _NOT_NAME.sub("_", piece.name.strip("-") or piece.text).strip("_")[:40]
    return f"_{made or 'value'}"


def shell_source(
    source: Source, pieces: Pieces, place: Place, steps: tuple[str | int, ...], *, container: bool
) -> Source | None:
    """The source of a command text; None for one that is too long."""
    text, segments = _Builder(place).build(pieces)
    if len(text) > MAX_LENGTH:
        return None
    return source.embed(text, segments, "shell", *steps, container=container or source.container)


def inner_text(words: Sequence[Word], argv: Sequence[Value]) -> Word | None:
    """The text that a command gives to a shell, here or on another machine; None for others."""
    texts = [value.text for value in argv]
    name = base_name(texts[0] or "") if texts else ""
    if name == REMOTE:
        at = behind_host(texts)
        return _joined(words[at:]) if at < len(words) else None
    if name not in SHELLS:
        return None
    for number, text in enumerate(texts[1:], 1):
        if text is None or not text.startswith("-"):
            return None
        if _TEXT_FLAG.match(text):
            return words[number + 1] if number + 1 < len(words) else None
    return None


def _joined(words: Sequence[Word]) -> Word | None:
    """Words side by side, as the shell of another machine gets them."""
    if any(len(word.readings) != 1 for word in words):
        return None
    pieces: list[Piece] = []
    for word in words:
        pieces += [Piece(" ")] if pieces else []
        pieces += word.readings[0]
    return Word((tuple(pieces),), (words[0].place[0], max(word.place[1] for word in words)))
