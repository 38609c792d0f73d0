"""What an evaluation finds, before it becomes facts."""

from __future__ import annotations

from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.readers.python.pieces import Pieces, Place


@dataclass(frozen=True, slots=True)
class Word:
    """A word: one of several texts, standing at ``place``."""

    readings: tuple[Pieces, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Setting:
    """An environment variable that is set; ``place`` is the whole assignment."""

    name: str
    word: Word
    place: Place


@dataclass(frozen=True, slots=True)
class Command:
    """A command as words. ``group`` is the call that runs it.

    ``sure`` is false for one that no call in the file is known to run.
    """

    words: tuple[Word, ...]
    env: tuple[Setting, ...]
    group: Place
    container: bool = False
    sure: bool = True


@dataclass(frozen=True, slots=True)
class ShellText:
    """A command as a text for a shell."""

    pieces: Pieces
    place: Place
    env: tuple[Setting, ...]
    group: Place
    container: bool = False
    sure: bool = True


@dataclass(frozen=True, slots=True)
class ImageUse:
    """A container image that ``group`` runs in; without one, the whole file does."""

    word: Word
    group: Place | None


@dataclass(frozen=True, slots=True)
class Pin:
    """A requirement; ``runs`` says that the call installs it."""

    pieces: Pieces
    place: Place
    runs: bool


@dataclass(frozen=True, slots=True)
class Variable:
    """An environment variable of ``group``, or of the process itself."""

    setting: Setting
    group: Place | None


Event = Command | ShellText | ImageUse | Pin | Variable
