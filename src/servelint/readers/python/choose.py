"""Which commands are told: each once, the surest telling of it, and not too many ways."""

from __future__ import annotations

from dataclasses import dataclass

from servelint.readers.python.events import Command, ShellText, Word
from servelint.readers.python.pieces import Piece, flat_text, written
from servelint.value import MAX_READINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from servelint.readers.python.events import Event
    from servelint.readers.python.needles import Needles
    from servelint.readers.python.pieces import Pieces, Place

    Run = Command | ShellText


def chosen(events: Sequence[Event], needles: Needles) -> dict[Place, list[Command | ShellText]]:
    """Commands by the call that runs them, in the order of the file."""
    runs = [event for event in events if isinstance(event, Command | ShellText)]
    sure = [event for event in runs if event.sure]
    told = _Told(needles)
    told.add(sure)
    built = [one for one in runs if not one.sure and not told.has(one)]
    programs = [one for one in _longest(built) if told.names_program(one)]
    told.add(programs)
    rest = [one for one in _longest(built) if not told.has(one)]
    found: dict[Place, list[Command | ShellText]] = {}
    for event in dict.fromkeys((*sure, *programs, *rest)):
        found.setdefault(event.group, []).append(event)
    return {group: list(_few(found[group], needles)) for group in sorted(found)}


@dataclass(slots=True)
class _Told:
    """The places of the words that say what runs, in commands that are told already."""

    needles: Needles
    places: set[Place]
    wholes: list[set[Place]]

    def __init__(self, needles: Needles) -> None:
        self.needles = needles
        self.places = set()
        self.wholes = []

    def add(self, runs: Iterable[Run]) -> None:
        for run in runs:
            self.places.update(self._marks(run))
            self.wholes.append({piece.at for piece in _pieces(run) if piece.at is not None})

    def has(self, run: Run) -> bool:
        """True when a command that is told holds the same program or option."""
        if not self.places.isdisjoint(self._marks(run)):
            return True
        own = {piece.at for piece in _pieces(run) if piece.at is not None}
        return bool(own) and any(own <= whole for whole in self.wholes)

    def names_program(self, run: Run) -> bool:
        return self.needles.programs.search(_text(run)) is not None

    def _marks(self, run: Run) -> Iterator[Place]:
        for piece in _pieces(run):
            if piece.at is not None and piece.known:
                found = self.needles.programs.search(piece.text)
                if found or self.needles.options.search(piece.text):
                    yield piece.at


def _pieces(run: Run) -> Iterator[Piece]:
    if isinstance(run, ShellText):
        yield from run.pieces
        return
    for word in run.words:
        for reading in word.readings:
            yield from reading


def _text(run: Run) -> str:
    if isinstance(run, ShellText):
        return flat_text(run.pieces)
    return " ".join(written(reading) for word in run.words for reading in word.readings)


def _longest(runs: list[Run]) -> list[Run]:
    """Commands that are not the beginning of another one: a list may be seen while it grows."""
    every = [run.words for run in runs if isinstance(run, Command)]
    return [
        run
        for run in runs
        if not isinstance(run, Command)
        or not any(
            len(other) > len(run.words) and other[: len(run.words)] == run.words for other in every
        )
    ]


def _few(runs: list[Run], needles: Needles) -> Iterator[Run]:
    """At most so many ways; more of one program are one whose differences are unknown."""
    yield from [run for run in runs if isinstance(run, ShellText)][:MAX_READINGS]
    commands = [run for run in runs if isinstance(run, Command)]
    for key in (_words_alone, _program):
        if len(commands) > MAX_READINGS:
            alike: dict[object, list[Command]] = {}
            for run in commands:
                alike.setdefault(key(run, needles), []).append(run)
            commands = [_one(ways) for ways in alike.values()]
    yield from commands[: MAX_READINGS - 1]
    if commands[MAX_READINGS - 1 :]:
        yield _one(commands[MAX_READINGS - 1 :])


def _words_alone(run: Command, _needles: Needles) -> object:
    """What is alike in commands that only differ in their environment."""
    return run.words, run.container, run.sure


def _program(run: Command, needles: Needles) -> object:
    """The words up to the one that names the program."""
    text = ""
    for at, word in enumerate(run.words):
        text += " " + " ".join(_said(word))
        if needles.programs.search(text):
            return tuple(map(_said, run.words[: at + 1]))
    return ()


def _one(commands: list[Command]) -> Command:
    """One command for several: what they share, and unknown words where they differ."""
    first = commands[0]
    if len(commands) == 1:
        return first
    words = [_merged([run.words[at] for run in commands]) for at in range(_shared(commands))]
    if len({len(run.words) for run in commands}) > 1:
        words.append(_dark(first.words[-1]))
    env = tuple(one for one in first.env if all(one in run.env for run in commands))
    return Command(tuple(words), env, first.group, first.container, first.sure)


def _shared(commands: list[Command]) -> int:
    """How many words stand side by side in all commands: all, or those before they differ."""
    if len({len(run.words) for run in commands}) == 1:
        return len(commands[0].words)
    at = 0
    shortest = min(len(run.words) for run in commands)
    while at < shortest and len({_said(run.words[at]) for run in commands}) == 1:
        at += 1
    return at


def _said(word: Word) -> tuple[str, ...]:
    return tuple(written(reading) for reading in word.readings)


def _merged(words: list[Word]) -> Word:
    return words[0] if len({_said(word) for word in words}) == 1 else _dark(words[0])


def _dark(word: Word) -> Word:
    pieces: Pieces = (Piece(written(word.readings[0]), word.place, (), "", "many-values"),)
    return Word((pieces,), word.place)
