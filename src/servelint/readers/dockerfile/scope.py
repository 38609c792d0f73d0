"""The variables of a Dockerfile, and what a word that names them comes to.

Build arguments and the environment of the base image are set from outside.
They stay open under names that no environment variable can have:
``ARG TAG`` and ``ENV PATH``; behind an operator the whole expression is the
name (``ARG TAG#v``), because another value would have to go through it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from servelint.syntax.dockerfile_patterns import apply
from servelint.syntax.dockerfile_pieces import Literal, Template, pieces
from servelint.syntax.parts import joined
from servelint.value import Open, Text, Unknown, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from servelint.source import Source, Span
    from servelint.syntax.dockerfile_pieces import Piece, Variable
    from servelint.syntax.dockerfile_words import Place
    from servelint.value import Part, Parts

MAX_WEIGHT = 200
"""Parts of a value, defaults of defaults counted: more than this is a runtime value."""

MAX_LENGTH = 20_000
"""Characters of a value, defaults of defaults counted."""

MAX_WORK = 200_000
"""Parts made and variables handed on in one file."""

PLATFORM = (
    *("BUILDPLATFORM", "BUILDOS", "BUILDOSVERSION", "BUILDARCH", "BUILDVARIANT"),
    *("TARGETPLATFORM", "TARGETOS", "TARGETOSVERSION", "TARGETARCH", "TARGETVARIANT"),
    "TARGETSTAGE",
)
"""Arguments that docker itself gives before the first FROM."""


_ARGUMENT = re.compile(r"ARG \w+\Z")


class TooMuchError(Exception):
    """A file that multiplies its values."""


@dataclass(slots=True)
class Budget:
    """The work that is left for a file."""

    left: int = MAX_WORK

    def spend(self, amount: int) -> None:
        """Take some of it. Raises TooMuchError."""
        self.left -= amount
        if self.left < 0:
            raise TooMuchError


@dataclass(frozen=True, slots=True)
class Held:
    """What a name holds.

    ``kind`` is ARG, ENV, or PLATFORM for what docker gives when it builds.
    ``parts`` is None for an argument without default; ``span`` is where the
    value is written.
    """

    kind: str
    parts: Parts | None = None
    span: Span | None = None


@dataclass(slots=True)
class Scope:
    """The names that are known at one place.

    ``inside`` a stage an unknown name may come from the base image; before
    the first stage it is not set.
    """

    escape: str
    inside: bool
    budget: Budget
    held: dict[str, Held] = field(default_factory=dict)

    def value(self, line: Source, place: Place) -> Value:
        """The value of a word of a line. Raises BadWordError."""
        found = pieces(line.text, *place, self.escape)
        return Value((self._parts(line, found),), line.span(*unquoted(line.text, place)))

    def _parts(self, line: Source, found: Iterable[Piece]) -> Parts:
        parts = joined(self._spent(line, found))
        if _is_too_much(parts):
            return (Unknown("runtime-value", "".join(p.text for p in parts)[:MAX_LENGTH]),)
        return parts

    def _spent(self, line: Source, found: Iterable[Piece]) -> Iterator[Part]:
        for piece in found:
            for part in self._piece(line, piece):
                self.budget.spend(1)
                yield part

    def _piece(self, line: Source, piece: Piece) -> Iterable[Part]:
        if isinstance(piece, Literal):
            return (Text(piece.text),) if piece.text else ()
        if isinstance(piece, Template):
            return (Unknown("template-function", piece.text),)
        return self._variable(line, piece)

    def _variable(self, line: Source, piece: Variable) -> Iterable[Part]:
        written = line.text[slice(*piece.place)]
        held = self.held.get(piece.name)
        if held is None:
            return self._unset(line, piece, written)
        if _is_plain(piece):
            return reference(held, piece.name, written)
        if held.kind == "PLATFORM" or any(isinstance(part, Unknown) for part in held.parts or ()):
            return _runtime(written)
        if piece.operator in ("-", ":-"):
            return self._or_default(line, piece, held, written)
        return self._changed(line, piece, held, written)

    def _unset(self, line: Source, piece: Variable, written: str) -> Iterable[Part]:
        """A name that this file has not set: the base image may have."""
        default = self._parts(line, piece.word) if piece.operator in ("-", ":-") else None
        if self.inside:
            simple = _is_plain(piece) or default is not None
            name = piece.name if simple else _expression(written)
            return (Open(f"ENV {name}", written, (), default),)
        if default is not None:
            return default
        return () if piece.operator in ("+", ":+") else (Unknown("unset-variable", written),)

    def _or_default(
        self, line: Source, piece: Variable, held: Held, written: str
    ) -> Iterable[Part]:
        """``${name:-word}``."""
        empty = piece.operator == ":-" and settled(held.parts) == ""
        if held.parts is not None and not empty:
            return reference(held, piece.name, written)
        word = self._parts(line, piece.word)
        return word if held.kind == "ENV" else (Open(f"ARG {piece.name}", written, (), word),)

    def _changed(self, line: Source, piece: Variable, held: Held, written: str) -> Iterable[Part]:
        """What an operator makes of a value that is known, or known by default."""
        parts = self._computed(line, piece, held)
        if held.kind == "ENV" and all(isinstance(part, Text) for part in held.parts or ()):
            return _runtime(written) if parts is None else parts
        name = f"{held.kind} {_expression(written)}"
        only = held.parts[0] if held.parts is not None and len(held.parts) == 1 else None
        if held.kind == "ENV" and isinstance(only, Open) and _ARGUMENT.match(only.name):
            # ``ENV A=$B`` is what the argument is: what gives B changes this, too.
            name = only.name + _expression(written)[len(piece.name) :]
        return (Open(name, written, (), parts),)

    def _computed(self, line: Source, piece: Variable, held: Held) -> Parts | None:
        value = settled(held.parts)
        if piece.operator in ("+", ":+"):
            is_set = value is not None and (value != "" or piece.operator == "+")
            return self._parts(line, piece.word) if is_set else ()
        word = settled(self._parts(line, _raw(line, piece.word)))
        replacement = settled(self._parts(line, piece.replacement))
        if value is None or word is None or replacement is None:
            return None
        self.budget.spend(len(value) * len(word) // 20)
        text = apply(piece.operator, value, word, replacement)
        return None if text is None else (Text(text, _trail(held)),)


def settled(parts: Parts | None) -> str | None:
    """The text when every default holds; None when that does not tell it."""
    if parts is None:
        return None
    texts: list[str] = []
    for part in parts:
        text = settled(part.default) if isinstance(part, Open) else part.text
        if text is None or isinstance(part, Unknown):
            return None
        texts.append(text)
    return "".join(texts)


def unquoted(text: str, place: Place) -> Place:
    """The place inside the quotes when one pair of them is around all of a word."""
    start, end = place
    word = text[start:end]
    if len(word) > 1 and word[0] in "'\"" and word.find(word[0], 1) == len(word) - 1:
        return start + 1, end - 1
    return place


def _is_plain(piece: Variable) -> bool:
    """True for the value itself; ``${name:?message}`` is that or no build at all."""
    return piece.operator in ("", "?", ":?")


def _expression(written: str) -> str:
    return written[2:-1]


def _runtime(written: str) -> Parts:
    return (Unknown("runtime-value", written),)


def _trail(held: Held) -> tuple[Span, ...]:
    """All places that a value came through, the one where it was set first."""
    own = () if held.span is None else (held.span,)
    todo = list(held.parts or ())
    deeper: list[Span] = []
    while todo:
        part = todo.pop(0)
        deeper.extend(part.trail)
        todo.extend((part.default or ()) if isinstance(part, Open) else ())
    return tuple(dict.fromkeys((*own, *deeper)))


def reference(held: Held, name: str, written: str) -> Parts:
    """The value of a name, through the place where it was set."""
    parts = held.parts
    if parts is not None and held.span is not None:
        parts = tuple(replace(part, trail=(held.span, *part.trail)) for part in parts)
    if held.kind == "PLATFORM":
        return _runtime(written)
    if held.kind == "ENV":
        return parts or ()
    return (Open(f"ARG {name}", written, (), parts),)


def _raw(line: Source, word: tuple[Piece, ...]) -> Iterator[Piece]:
    """The pieces of a pattern, in which an escape character stays."""
    for piece in word:
        if isinstance(piece, Literal) and line.text[piece.place[0]] == "\\":
            yield Literal(line.text[slice(*piece.place)], piece.place)
        else:
            yield piece


def _is_too_much(parts: Iterable[Part]) -> bool:
    weight = length = 0
    todo = list(parts)
    while todo:
        part = todo.pop()
        weight += 1 + len(part.trail)
        length += len(part.text)
        if weight > MAX_WEIGHT or length > MAX_LENGTH:
            return True
        if isinstance(part, Open) and part.default is not None:
            todo.extend(part.default)
    return False
