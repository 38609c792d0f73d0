"""Texts whose characters know where they are written.

What functions of a template make of a value still stands where the value does: a tag that was cut,
quoted and put behind a name is the tag of the values file.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from servelint.source import Segment, Source, Span
from servelint.syntax.interpolation import HOLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from servelint.source import Route

GAP = HOLE[0]
"""The one character that stands for what is not known in the flat form of a text."""

MAX_WRITING = 200
"""Characters of the writing of what is not known."""


@dataclass(frozen=True, slots=True)
class Run:
    """Characters that are written at ``leaf`` (None: nowhere), one by one where lengths are equal.

    ``writing`` is set for what is not known; its text is one :data:`GAP`, and ``is_filled`` says
    that it is at least not empty.
    """

    text: str
    leaf: Span | None = None
    writing: str = ""
    is_filled: bool = False

    def cut(self, start: int, end: int) -> Run:
        """The characters from ``start`` to ``end``."""
        if start <= 0 and end >= len(self.text):
            return self
        leaf = self.leaf
        if leaf is not None and leaf.end - leaf.start == len(self.text):
            leaf = Span(leaf.path, leaf.start + start, leaf.start + end)
        return replace(self, text=self.text[start:end], leaf=leaf)


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """A text of runs. ``flat`` is what it says, with a :data:`GAP` for each unknown part."""

    runs: tuple[Run, ...]
    flat: str

    @property
    def has_gaps(self) -> bool:
        """True when a part is not known."""
        return GAP in self.flat

    def cut(self, start: int, end: int | None = None) -> Text:
        """The characters from ``start`` to ``end``, with their places."""
        end = len(self.flat) if end is None else end
        if start <= 0 and end >= len(self.flat):
            return self
        if len(self.runs) == 1 and 0 <= start < end:
            run = self.runs[0].cut(start, end)
            return Text((run,), run.text)
        return joined(self._cut(max(start, 0), end))

    def _cut(self, start: int, end: int) -> Iterator[Run]:
        at = 0
        for run in self.runs:
            stop = at + len(run.text)
            if stop > start and at < end:
                yield run.cut(max(start - at, 0), min(end, stop) - at)
            at = stop

    def said(self) -> str:
        """The text as a reader gets it: what is not known between the signs of a hole."""
        return "".join(shown(run) for run in self.runs)

    def source(self, path: str, language: str, owner: Route) -> Source:
        """This text as a source that maps each run to where it is written."""
        pieces: list[Segment] = []
        at = 0
        for run in self.runs:
            size = len(shown(run))
            leaf = run.leaf or Span(path, 0, 0)
            pieces.append(Segment(at, at + size, leaf.start, leaf.end, leaf.path))
            at += size
        return Source(path, self.said(), language, owner, tuple(pieces) or (Segment(0, 0, 0, 0),))


EMPTY = Text((), "")


def joined(runs: Iterable[Run]) -> Text:
    """A text of runs, without empty ones."""
    kept = tuple(run for run in runs if run.text)
    return Text(kept, "".join([run.text for run in kept]))


def concat(texts: Iterable[Text]) -> Text:
    """Texts after each other."""
    return joined(run for text in texts for run in text.runs)


def plain(text: str, leaf: Span | None = None) -> Text:
    """A text written at ``leaf``, or nowhere."""
    return Text((Run(text, leaf),), text) if text else EMPTY


def gap(writing: str, leaf: Span | None = None, *, is_filled: bool = False) -> Text:
    """What is not known, by its writing in one line."""
    return Text((Run(GAP, leaf, one_line(writing), is_filled),), GAP)


def shown(run: Run) -> str:
    """What a run is in a text that is read."""
    return f"{HOLE[0]}{run.writing}{HOLE[1]}" if run.writing else run.text


def one_line(writing: str) -> str:
    """A writing without line breaks and signs of holes, of bounded length."""
    line = " ".join(writing.replace(HOLE[0], "").replace(HOLE[1], "").split())
    return line if len(line) <= MAX_WRITING else line[: MAX_WRITING - 3] + "..."


def of_source(source: Source) -> Text:
    """The text of a source, each run where it is written in the end."""
    runs: list[Run] = []
    for start, end, leaves in source.runs(0, len(source.text)):
        leaf = leaves[0] if leaves else source.span(start, end)
        runs.append(Run(source.text[start:end], leaf))
    text = joined(runs)
    return _with_gaps(text) if GAP in text.flat else text


def _with_gaps(text: Text) -> Text:
    """A text in which holes are written out, with gaps instead."""
    parts: list[Text] = []
    at = 0
    while (start := text.flat.find(HOLE[0], at)) >= 0:
        end = text.flat.find(HOLE[1], start)
        end = len(text.flat) if end < 0 else end
        parts += (text.cut(at, start), gap(text.flat[start + 1 : end] or "?"))
        at = end + 1
    return concat((*parts, text.cut(at)))
