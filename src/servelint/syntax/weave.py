"""Texts put together from pieces of files, each character of which knows where it came from.

A chart's template with its values filled in, an overlay merged into its base: what a reader then
reads stands in no file, yet all that it says points at the files.
"""

from __future__ import annotations

from dataclasses import replace

from servelint.source import Segment, Source, Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from servelint.source import Route


class Weaver:
    """Builds one text for a unit whose main file is ``path``, a piece at a time."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._texts: list[str] = []
        self._segments: list[Segment] = []
        self._size = 0
        self._end = Span(path, 0, 0)

    def glue(self, text: str) -> None:
        """Text that no file holds, as punctuation: it stands where the last piece ended."""
        if text:
            self._run(text, Span(self._end.path, self._end.end, self._end.end), None)

    def write(self, text: str, span: Span, leaf: Span | None = None) -> None:
        """Text made of a whole range; with ``leaf`` it only stands there for what is written."""
        if text:
            self._run(text, span, leaf)

    def take(self, source: Source) -> None:
        """The text of a source, each character from where the source says."""
        whole = (Segment(0, len(source.text), 0, len(source.text)),)
        for segment in source.origin or whole:
            text = source.text[segment.start : segment.end]
            if not text:
                continue
            path = segment.path or source.path
            span = Span(path, segment.origin_start, segment.origin_end)
            self._run(text, span, segment.leaf, even=segment.even)

    def put(self, source: Source, at: Span) -> None:
        """The text of a source in the place ``at``, with where it is written as its leaf."""
        for start, end, leaves in source.runs(0, len(source.text)):
            leaf = leaves[0] if leaves else source.span(start, end)
            self._run(source.text[start:end], at, leaf)

    def source(self, language: str, owner: Route, variant: str = "") -> Source:
        """What was put together so far. Commands in it run in containers."""
        text = "".join(self._texts)
        origin = tuple(self._segments) or (Segment(0, 0, 0, 0),)
        return Source(self._path, text, language, owner, origin, container=True, variant=variant)

    def _run(self, text: str, span: Span, leaf: Span | None, *, even: bool = False) -> None:
        path = "" if span.path == self._path else span.path
        at, end = self._size, self._size + len(text)
        run = Segment(at, end, span.start, span.end, path, leaf)
        self._segments.extend((run,) if even or not run.even else _halves(run))
        self._texts.append(text)
        self._size, self._end = end, span


def _halves(run: Segment) -> Iterable[Segment]:
    """A run of the length of its range, so that it maps as a whole and not by character."""
    if run.end - run.start < 2:
        return (run,)
    middle = run.start + 1
    return (
        replace(run, end=middle, leaf=run.leaf_of(run.start, middle)),
        replace(run, start=middle, leaf=run.leaf_of(middle, run.end)),
    )
