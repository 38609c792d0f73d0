"""Where text stands: sources, routes and spans.

Everything that servelint says points at a :class:`Span`, and every span is in
the coordinates of a *file*, also for a flag in a shell line in a YAML block
scalar. :class:`Source` is what makes that true: a text that knows where each
of its characters came from.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


PAGE = "page"
"""The first step of the routes of what stands in a block of a guide: blocks are typed in order."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of a file.

    ``path`` is relative to the root, with ``/``. ``start`` and ``end`` count
    Unicode code points of the file from 0; a byte order mark is not counted.
    Lines and columns exist only in reporters.
    """

    path: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Route:
    """Where something stands in the structure of its unit.

    A unit is what is read together, named by a root-relative path: a file.
    ``steps`` are the document number, then mapping keys and sequence indices;
    never display names, so that a renamed container keeps its route.
    """

    unit: str
    steps: tuple[str | int, ...] = ()

    def child(self, *steps: str | int) -> Route:
        """The route ``steps`` below this one."""
        return Route(self.unit, self.steps + steps)

    def holds(self, other: Route) -> bool:
        """True when ``other`` is this route or lies below it."""
        return self.unit == other.unit and self.steps == other.steps[: len(self.steps)]

    @property
    def on_page(self) -> bool:
        """True for what stands in a block of a guide."""
        return self.steps[:1] == (PAGE,)

    def keys(self) -> tuple[str, ...]:
        """The steps without indices: what stays when a list is re-ordered."""
        return tuple(step for step in self.steps if isinstance(step, str))


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of an embedded text and the run that it was made from.

    ``start`` and ``end`` are offsets in the embedded text. Runs of equal
    length map character by character; others (an escape, a folded line break)
    map as a whole. ``path`` is set for a run that another file gave. ``leaf``
    is set for a run that only stands here for what is written there, as the
    value in the place of a template action does.
    """

    start: int
    end: int
    origin_start: int
    origin_end: int
    path: str = ""
    leaf: Span | None = None

    def before(self, offset: int) -> int:
        """The origin offset at which the character at ``offset`` begins."""
        if self.even:
            return self.origin_start + min(max(offset - self.start, 0), self.end - self.start)
        return self.origin_start if offset < self.end else self.origin_end

    def after(self, offset: int) -> int:
        """The origin offset at which the character before ``offset`` ends."""
        if self.even:
            return self.origin_start + min(max(offset - self.start, 0), self.end - self.start)
        return self.origin_end

    @property
    def even(self) -> bool:
        """True for a run that maps character by character."""
        return self.end - self.start == self.origin_end - self.origin_start

    def leaf_of(self, start: int, end: int) -> Span | None:
        """Where the characters from ``start`` to ``end`` of this run are written, if elsewhere."""
        if self.leaf is None or self.leaf.end - self.leaf.start != self.end - self.start:
            return self.leaf
        at = self.leaf.start - self.start
        return Span(self.leaf.path, start + at, end + at)


@dataclass(frozen=True, slots=True)
class Source:
    """A text to read, in a ``language``, on behalf of ``owner``.

    ``origin`` maps the text to the file, sorted by ``start``; empty means that
    the text is the file itself. ``container`` says that commands in this text
    run in a container, so that packages of the host cannot speak for them.
    ``needles`` are the words that make a text in this language worth reading,
    for languages in which most texts are not.
    ``variant`` is that of the facts in this text: see :class:`servelint.facts.Fact`.
    ``doubtful``: what it is embedded in does not tell that it runs.
    """

    path: str
    text: str
    language: str
    owner: Route
    origin: tuple[Segment, ...] = ()
    container: bool = False
    needles: tuple[str, ...] = ()
    variant: str = ""
    doubtful: bool = False

    def span(self, start: int, end: int) -> Span:
        """The file range of ``text[start:end]``; of several files, the part in the first."""
        if not self.origin:
            return Span(self.path, start, end)
        first = self._segment(start)
        last = self._segment(end - 1) if end > start else first
        if last.path != first.path:
            last, end = first, first.end
        at = first.before(start)
        return Span(first.path or self.path, at, max(at, last.after(end)) if end > start else at)

    def runs(self, start: int, end: int) -> Iterable[tuple[int, int, tuple[Span, ...]]]:
        """``text[start:end]`` in runs, each with where it is written if that is elsewhere."""
        at, first, before = start, start, None
        while at < end:
            index = bisect_right(self.origin, at, key=lambda segment: segment.start)
            own = self.origin[index - 1] if index else None
            nexts = (segment.start for segment in self.origin[index : index + 1])
            stop = min((end, *nexts))
            leaf = own.leaf_of(at, min(stop, own.end)) if own is not None else None
            if before is not None and leaf is not None and _touch(before, leaf):
                leaf = Span(leaf.path, before.start, leaf.end)
            elif at > start:
                yield first, at, (before,) if before is not None else ()
                first = at
            at, before = stop, leaf
        if at > first:
            yield first, at, (before,) if before is not None else ()

    def slice(self, start: int, end: int, language: str, *steps: str | int) -> Source:
        """A child that is ``text[start:end]`` as it stands."""
        piece = Segment(0, end - start, start, end)
        return self.embed(self.text[start:end], (piece,), language, *steps)

    def embed(
        self,
        text: str,
        pieces: Iterable[Segment],
        language: str,
        *steps: str | int,
        container: bool | None = None,
    ) -> Source:
        """A child source whose ``pieces`` map its text to offsets of this text."""
        origin = tuple(part for piece in pieces for part in self._to_file(piece))
        inside = self.container if container is None else container
        owner = self.owner.child(*steps)
        return Source(self.path, text, language, owner, origin, inside, self.needles, self.variant)

    def including(self, others: Iterable[tuple[int, int, Source]]) -> Source:
        """This text with other texts in the place of some of its ranges, in order.

        Each stands in braces, as one command: that is what a shell makes of a
        file that it takes in.
        """
        text, at = "", 0
        origin: list[Segment] = []
        for start, end, other in others:
            before = self.slice(at, start, self.language)
            origin += _moved(before, len(text), self.path)
            text += before.text + "{\n"
            origin += _moved(other, len(text), self.path)
            text += other.text + "\n}"
            at = end
        rest = self.slice(at, len(self.text), self.language)
        origin += _moved(rest, len(text), self.path)
        return replace(self, text=text + rest.text, origin=tuple(origin))

    def _segment(self, offset: int) -> Segment:
        index = bisect_right(self.origin, offset, key=lambda segment: segment.start) - 1
        return self.origin[max(index, 0)]

    def _to_file(self, piece: Segment) -> Iterable[Segment]:
        if not self.origin:
            return (piece,)
        if piece.even and piece.start < piece.end:
            return self._cut(piece)
        start, end = piece.origin_start, piece.origin_end
        span = self.span(start, end)
        path = "" if span.path == self.path else span.path
        leaf = next((leaf for _, _, leaves in self.runs(start, end) for leaf in leaves), None)
        return _whole(replace(piece, path=path, leaf=leaf), span)

    def _cut(self, piece: Segment) -> Iterable[Segment]:
        """Split an even piece where this source's own segments begin and end."""
        shift = piece.start - piece.origin_start
        at = piece.origin_start
        while at < piece.origin_end:
            index = bisect_right(self.origin, at, key=lambda segment: segment.start)
            own = self.origin[max(index - 1, 0)]
            following = (segment.start for segment in self.origin[index : index + 1])
            stop = min(edge for edge in (own.end, *following, piece.origin_end) if edge > at)
            span = self.span(at, stop)
            leaf = own.leaf_of(at, stop)
            run = Segment(at + shift, stop + shift, span.start, span.end, own.path, leaf)
            yield from (run,) if own.even else _whole(run, span)
            at = stop


def _touch(first: Span, second: Span) -> bool:
    """True for two ranges of which the second goes on where the first ends."""
    return first.path == second.path and first.end == second.start


def _whole(run: Segment, span: Span) -> Iterable[Segment]:
    """A run that maps to a span as a whole, also where the two happen to be equally long."""
    size = run.end - run.start
    whole = replace(run, origin_start=span.start, origin_end=span.end)
    if size != span.end - span.start or size < 2:
        return (whole,)
    middle = run.start + 1
    return (
        replace(whole, end=middle, leaf=run.leaf_of(run.start, middle)),
        replace(whole, start=middle, leaf=run.leaf_of(middle, run.end)),
    )


def _moved(source: Source, by: int, path: str) -> Iterable[Segment]:
    """The segments of a text that stands ``by`` characters further, in a text of ``path``."""
    whole = (Segment(0, len(source.text), 0, len(source.text)),)
    for segment in source.origin or whole:
        own = segment.path or source.path
        yield replace(
            segment,
            start=segment.start + by,
            end=segment.end + by,
            path="" if own == path else own,
        )
