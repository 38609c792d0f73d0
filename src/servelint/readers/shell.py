"""Shell scripts: which commands they run, with which words and environment.

Embedded commands (``bash -c '...'``, ``eval '...'``) are handed on as sources
of their own.
"""

from __future__ import annotations

import os

from servelint.facts import (
    MAX_READINGS,
    Env,
    Image,
    Launch,
    Open,
    Text,
    Unknown,
    Uses,
    Value,
    unknown,
)
from servelint.finding import Skip
from servelint.source import Span
from servelint.syntax.bash import TooSlow
from servelint.syntax.bash_fields import written
from servelint.syntax.bash_inline import REMOTE, inline_texts, may_be_inline
from servelint.syntax.bash_run import run
from servelint.syntax.bash_walk import MAX_COMMANDS, MAX_DEPTH
from servelint.syntax.installs import installed
from servelint.syntax.unwrap import Unwrapped, unwrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from servelint.facts import Fact, Part, Parts
    from servelint.source import Route, Source
    from servelint.syntax.bash_commands import Run
    from servelint.syntax.bash_fields import Field, Piece, Place, Reading
    from servelint.syntax.bash_inline import Inline
    from servelint.syntax.bash_run import Command, Outcome
    from servelint.syntax.bash_state import Exported


def read(source: Source) -> Iterator[Fact | Source | Skip]:
    """The launches of a shell text in the order in which they stand there.

    A command that is the text of an inner shell is a source; a text that is
    too deep, too slow or too broken to read is a skip.
    """
    try:
        outcome = run(source.text)
    except TooSlow as error:
        yield _skip(source, "too-slow", f"{error}", (0, 0))
        return
    except RecursionError:
        yield _skip(source, "too-deep", "statements or words nest too deep", (0, 0))
        return
    facts = _Facts(source)
    for number, command in enumerate(outcome.commands):
        yield from facts.of(command, number)
    yield from _left_out(source, outcome)


def _left_out(source: Source, outcome: Outcome) -> Iterator[Skip]:
    if outcome.deep is not None:
        detail = f"statements nested more than {MAX_DEPTH} levels deep were left out"
        yield _skip(source, "too-deep", detail, outcome.deep)
    if outcome.capped is not None:
        detail = f"more than {MAX_COMMANDS:,} commands, or words that grow: the rest was left out"
        yield _skip(source, "too-slow", detail, outcome.capped)
    if outcome.broken:
        yield _skip(source, "syntax", "no command can be read", (0, 0))


def _skip(source: Source, reason: str, detail: str, place: Place) -> Skip:
    return Skip(source.path, "read", reason, detail, source.span(*place))


class _Facts:
    """Makes facts from commands, in the coordinates of the file."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._exports: dict[int, tuple[Exported, Env]] = {}
        self._environments: dict[int, tuple[object, tuple[Env, ...]]] = {}
        self._handed: list[Place] = []

    def of(self, command: Command, number: int) -> Iterator[Fact | Source]:
        """A launch, or the sources that the command hands to an inner shell."""
        if self._is_handed_on(command.start):
            return
        owner = self._source.owner.child("command", number)
        argv = tuple(self._value(item.field, item.place) for item in command.merged.items)
        if argv[0].text in ("source", ".") and len(argv) > 1:
            yield from self._sourced(command, argv[1], owner)
            return
        inside = unwrap(argv)
        yield from self._container(inside, owner)
        inner = self._inner(command, number)
        if inner:
            yield from self._assigned(inside.env, owner)
            yield from inner
        elif len(argv) > inside.at or inside.entrypoint:
            launch = self._launch(command, argv, inside, owner)
            yield from installed(launch.argv, self._source.path, owner)
            yield launch

    def _launch(
        self, command: Command, argv: tuple[Value, ...], inside: Unwrapped, owner: Route
    ) -> Launch:
        env = self._environment(command.merged)
        if inside.env:
            own = self._assigned(inside.env, owner)
            env = tuple({item.name: item for item in (*env, *own)}.values())
        items = command.merged.items
        first = items[inside.at] if inside.at < len(items) else items[0]
        return Launch(
            span=self._source.span(first.place[0], max(item.place[1] for item in items)),
            owner=owner,
            argv=(*inside.entrypoint, *argv[inside.at :]),
            env=env,
            container=self._source.container or inside.apart,
        )

    def _sourced(self, command: Command, file: Value, owner: Route) -> Iterator[Uses]:
        """The file that a script takes in; of a path, what stands behind all that is unknown."""
        known = file.readings[0][-1] if len(file.readings) == 1 and file.readings[0] else None
        if not isinstance(known, Text) or (len(file.readings[0]) > 1 and known.text[:1] != "/"):
            return
        path = os.path.join(os.path.dirname(self._source.path), known.text.lstrip("/"))
        span = self._source.span(command.start, command.merged.items[-1].place[1])
        yield Uses(span=span, owner=owner, target=os.path.normpath(path), how="source")

    def _container(self, inside: Unwrapped, owner: Route) -> Iterator[Image | Uses]:
        """The image that the command runs in, or the name of a container that exists."""
        if inside.image is not None:
            image = inside.image
            yield Image(span=image.span, owner=owner, reference=image, container=inside.named)
        if inside.entered:
            span = self._source.span(0, 0)
            yield Uses(span=span, owner=owner, target=inside.entered, how="container")

    def _inner(self, command: Command, number: int) -> tuple[Source, ...]:
        """The texts that an inner shell reads, one for each way to run the command."""
        found: dict[str, Inline] = {}
        apart = self._source.container
        for one in command.runs:
            if not may_be_inline(one.items):
                continue
            argv = tuple(self._value(item.field, item.place) for item in one.items)
            inside = unwrap(argv)
            apart |= inside.apart or argv[inside.at : inside.at + 1][0].text == REMOTE
            for inline in inline_texts(self._source.text, one.items[inside.at :]):
                found.setdefault(inline.text, inline)
        self._handed.extend(place for inline in found.values() for place in inline.handed)
        several = len(found) > 1
        embedded: list[Source] = []
        for way, inline in enumerate(found.values()):
            steps: tuple[str | int, ...] = ("command", number, *((way,) * several))
            pieces = inline.segments
            embedded.append(
                self._source.embed(inline.text, pieces, "shell", *steps, container=apart)
            )
        return tuple(embedded)

    def _is_handed_on(self, start: int) -> bool:
        """True for a command inside an expansion that an inner shell reads once more."""
        return any(place[0] <= start < place[1] for place in self._handed)

    def _environment(self, one: Run) -> tuple[Env, ...]:
        """The exported variables: mostly the same ones for many commands."""
        known = self._environments.get(id(one.env))
        if known is None:
            made = tuple(map(self._exported, one.env))
            known = self._environments[id(one.env)] = (one.env, made)
        return known[1]

    def _exported(self, export: Exported) -> Env:
        known = self._exports.get(id(export))
        if known is None:
            span, value = self._source.span(*export.place), self._value(export.field, export.value)
            env = Env(span=span, owner=self._source.owner, name=export.name, value=value)
            known = self._exports[id(export)] = (export, env)
        return known[1]

    def _assigned(self, assigned: Iterable[tuple[str, Value]], owner: Route) -> Iterator[Env]:
        """Assignments among the words: their value stands behind the ``=`` of the word."""
        for name, value in assigned:
            span = value.span
            behind = Span(span.path, span.start + len(name) + 1, span.end)
            plain = behind.end - behind.start == len(value.written)
            yield Env(span=span, owner=owner, name=name, value=value.at(behind if plain else span))

    def _value(self, field: Field, place: Place) -> Value:
        span = self._source.span(*place)
        if len(field) == 1:
            reading = field[0]
            if len(reading) == 1 and (piece := reading[0]).known and not piece.via:
                return Value(((Text(piece.text),),), span)
            return Value((self._parts(field[0], place),), span)
        readings = tuple(dict.fromkeys(self._parts(reading, place) for reading in field))
        if len(readings) > MAX_READINGS:
            return unknown("many-values", written(field), span)
        return Value(readings, span)

    def _parts(self, reading: Reading, place: Place) -> Parts:
        parts: list[Part] = []
        for piece in reading:
            part = self._part(piece, place)
            last = parts[-1] if parts else None
            if isinstance(part, Text) and isinstance(last, Text) and last.trail == part.trail:
                parts[-1] = Text(last.text + part.text, part.trail)
            else:
                parts.append(part)
        return tuple(parts)

    def _part(self, piece: Piece, place: Place) -> Part:
        trail = self._trail(piece, place)
        if piece.name:
            default = None if piece.default is None else self._parts(piece.default, place)
            return Open(piece.name, piece.text, trail, default, splits=piece.many)
        if piece.reason:
            return Unknown(piece.reason, piece.text, trail)
        return Text(piece.text, trail)

    def _trail(self, piece: Piece, place: Place) -> tuple[Span, ...]:
        """Where a piece came through, the nearest place first; nothing inside the word itself."""
        if not piece.via:
            return ()
        places = (*reversed(piece.via), piece.at)
        return tuple(
            dict.fromkeys(
                self._source.span(*at)
                for at in places
                if at is not None and not (place[0] <= at[0] and at[1] <= place[1])
            )
        )
