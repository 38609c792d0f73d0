"""From what an evaluation found to facts, in the coordinates of the file."""

from __future__ import annotations

from servelint.facts import Env, Image, Launch, Uses
from servelint.finding import Skip
from servelint.readers.python.choose import chosen
from servelint.readers.python.events import Command, ImageUse, Pin, ShellText, Variable
from servelint.readers.python.pieces import written
from servelint.readers.python.pins import requirement
from servelint.readers.python.shelltext import inner_text, shell_source
from servelint.source import Span
from servelint.syntax.installs import installed
from servelint.syntax.parts import joined
from servelint.syntax.unwrap import unwrap
from servelint.value import MAX_READINGS, Open, Text, Unknown, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from servelint.facts import Fact
    from servelint.readers.python.events import Event, Setting, Word
    from servelint.readers.python.needles import Needles
    from servelint.readers.python.pieces import Piece, Pieces, Place
    from servelint.source import Route, Source
    from servelint.syntax.unwrap import Unwrapped
    from servelint.value import Part, Parts

    Ways = dict[Place, list[Command | ShellText]]


def facts(
    source: Source, events: Sequence[Event], needles: Needles
) -> Iterator[Fact | Source | Skip]:
    """Images and environment first, then commands, then packages, each in the order of the file."""
    ways = chosen(events, needles)
    groups = sorted({*ways, *_image_groups(events)})
    numbers = {group: number for number, group in enumerate(groups)}
    writer = _Writer(source, needles)
    yield from writer.images([one for one in events if isinstance(one, ImageUse)], numbers)
    yield from writer.variables([one for one in events if isinstance(one, Variable)], numbers, ways)
    for group in groups:
        yield from writer.commands(ways.get(group, []), numbers[group])
    pins = dict.fromkeys(one for one in events if isinstance(one, Pin))
    for number, pin in enumerate(pins):
        yield from requirement(source, pin, number)


def _image_groups(events: Iterable[Event]) -> set[Place]:
    return {
        event.group
        for event in events
        if isinstance(event, ImageUse | Variable) and event.group is not None
    }


_NEAR = 2000
"""Characters that the words of one command stand apart, at most, before what they run."""


class _Writer:
    """Makes facts of one source."""

    def __init__(self, source: Source, needles: Needles) -> None:
        self._source = source
        self._needles = needles

    def images(self, uses: list[ImageUse], numbers: dict[Place, int]) -> Iterator[Image]:
        """Images; one for the whole file only where there is no other such image."""
        wide = {use.word.readings for use in uses if use.group is None}
        for number, use in enumerate(dict.fromkeys(uses)):
            value = self.value(use.word)
            if use.group is not None:
                owner = self._owner(numbers[use.group])
            elif len(wide) == 1:
                owner = self._source.owner
            else:
                owner = self._source.owner.child("image", number)
            yield Image(span=value.span, owner=owner, reference=value)

    def variables(
        self, found: list[Variable], numbers: dict[Place, int], ways: Ways
    ) -> Iterator[Env]:
        """Variables that no command carries itself."""
        carried = {setting.place for rows in ways.values() for one in rows for setting in one.env}
        for number, one in enumerate(dict.fromkeys(found)):
            if one.setting.place in carried:
                continue
            if one.group is not None:
                owner = self._owner(numbers[one.group])
            else:
                owner = self._source.owner.child("variable", number)
            yield self._env(one.setting, owner)

    def commands(
        self, ways: list[Command | ShellText], number: int
    ) -> Iterator[Fact | Source | Skip]:
        """Every way in which one call can go."""
        several = len(ways) > 1
        for way, event in enumerate(ways):
            steps = ("call", number, way) if several else ("call", number)
            owner = self._source.owner.child(*steps)
            if isinstance(event, ShellText):
                yield from self._shell(event, steps, owner)
            else:
                yield from self._command(event, steps, owner)

    def _shell(
        self, event: ShellText, steps: tuple[str | int, ...], owner: Route
    ) -> Iterator[Fact | Source | Skip]:
        """A text for the shell reader, with the variables that it sees."""
        child = shell_source(
            self._source, event.pieces, event.place, steps, container=event.container
        )
        if child is None:
            yield self._skip(event.place)
            return
        for setting in event.env:
            yield self._env(setting, owner)
        yield child

    def _command(
        self, event: Command, steps: tuple[str | int, ...], owner: Route
    ) -> Iterator[Fact | Source | Skip]:
        """What a row of words runs, behind prefixes and containers."""
        argv = tuple(self.value(word) for word in event.words)
        inside = unwrap(argv)
        if inside.image is not None:
            image = inside.image
            yield Image(span=image.span, owner=owner, reference=image, container=inside.named)
        if inside.entered:
            span = argv[0].span
            yield Uses(span=span, owner=owner, target=inside.entered, how="container")
        apart = event.container or inside.apart or self._source.container
        inner = (
            None if inside.entrypoint else inner_text(event.words[inside.at :], argv[inside.at :])
        )
        if inner is not None:
            env = (*event.env,) if not inside.apart else ()
            for name, value in inside.env:
                yield Env(span=value.span, owner=owner, name=name, value=value)
            for reading in inner.readings:
                text = ShellText(reading, inner.place, env, event.group, apart)
                yield from self._shell(text, steps, owner)
        elif len(argv) > inside.at or inside.entrypoint:
            yield from installed(argv[inside.at :], self._source.path, owner)
            yield self._launch(event, argv, inside, owner)

    def _launch(
        self, event: Command, argv: tuple[Value, ...], inside: Unwrapped, owner: Route
    ) -> Launch:
        at = min(inside.at, len(argv) - 1)
        own = (Env(span=v.span, owner=owner, name=name, value=v) for name, v in inside.env)
        passed = () if inside.apart else (self._env(one, owner) for one in event.env)
        return Launch(
            span=self._around([value.span for value in argv[at:]], self._anchor(event.words[at:])),
            owner=owner,
            argv=(*inside.entrypoint, *argv[inside.at :]),
            env=tuple({item.name: item for item in (*passed, *own)}.values()),
            container=event.container or inside.apart or self._source.container,
        )

    def _around(self, spans: Sequence[Span], anchor: int) -> Span:
        """From the first to the last word around the word that says what runs.

        Words before it may come from far above, such as a constant; words
        behind it may stand above it. Neither makes the range longer.
        """
        here = spans[min(anchor, len(spans) - 1)]
        near = [one for one in spans[:anchor] if 0 <= here.start - one.start <= _NEAR]
        behind = [one for one in spans[anchor:] if one.start >= here.start]
        start = min(one.start for one in (here, *near))
        return Span(self._source.path, start, max(one.end for one in (here, *behind)))

    def _anchor(self, words: Sequence[Word]) -> int:
        """The index of the word that names a program, else of one with an option that counts."""
        for pattern in (self._needles.programs, self._needles.options):
            for number, word in enumerate(words):
                if any(pattern.search(written(reading)) for reading in word.readings):
                    return number
        return 0

    def _env(self, setting: Setting, owner: Route) -> Env:
        span = self._source.span(*setting.place)
        return Env(span=span, owner=owner, name=setting.name, value=self.value(setting.word))

    def _owner(self, number: int) -> Route:
        return self._source.owner.child("call", number)

    def _skip(self, place: Place) -> Skip:
        detail = "a command text that is too long to read"
        return Skip(self._source.path, "read", "too-large", detail, self._source.span(*place))

    # -- values -------------------------------------------------------------------

    def value(self, word: Word) -> Value:
        """A word as a value standing at its place."""
        span = self._source.span(*word.place)
        seen: dict[tuple[str, ...], Parts] = {}
        for reading in word.readings:
            parts = self._parts(reading, word.place)
            seen.setdefault(tuple(f"{type(part).__name__}{part.text}" for part in parts), parts)
        return Value(tuple(seen.values())[:MAX_READINGS], span)

    def _parts(self, reading: Pieces, place: Place) -> Parts:
        return joined(self._part(piece, place) for piece in reading) or (Text(""),)

    def _part(self, piece: Piece, place: Place) -> Part:
        trail = self._trail(piece, place)
        if piece.name:
            default = None
            if piece.default is not None:
                default = tuple(self._part(one, place) for one in piece.default)
            return Open(piece.name, piece.text, trail, default)
        if piece.reason:
            return Unknown(piece.reason, piece.text, trail)
        return Text(piece.text, trail)

    def _trail(self, piece: Piece, place: Place) -> tuple[Span, ...]:
        """Where a piece came through, the nearest place first; nothing inside the word itself."""
        places = [*reversed(piece.via), *((piece.at,) if piece.at is not None else ())]
        outside = [one for one in places if not (place[0] <= one[0] and one[1] <= place[1])]
        return tuple(dict.fromkeys(self._source.span(*one) for one in outside))
