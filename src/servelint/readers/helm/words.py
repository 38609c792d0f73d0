"""Words of a command as texts that know where they are written."""

from __future__ import annotations

from servelint.source import Route, Source
from servelint.syntax.interpolation import HOLE
from servelint.syntax.weave import Weaver
from servelint.value import Open, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.source import Span
    from servelint.unit import Files
    from servelint.value import Part, Value


def text_of(value: Value) -> str:
    """The text of a value; what is not known stands between the signs of a hole."""
    if len(value.readings) != 1:
        return HOLE[0] + value.written + HOLE[1]
    return "".join(text for text, _ in _pieces(value.readings[0]))


def source_of(value: Value, files: Files) -> Source:
    """The text of a value as a source: by character where it stands in the file as it is."""
    text, span = text_of(value), value.span
    whole = files.text(span.path) or ""
    at = whole.find(text, span.start, span.end) if not value.trail else -1
    if text and at >= 0:
        return Source(span.path, whole, "text", Route(span.path)).slice(at, at + len(text), "text")
    weaver = Weaver(span.path)
    if len(value.readings) != 1:
        weaver.write(text, span)
    else:
        for piece, leaf in _pieces(value.readings[0]):
            weaver.write(piece, span, leaf)
    return weaver.source("text", Route(span.path))


def _pieces(parts: tuple[Part, ...]) -> Iterator[tuple[str, Span | None]]:
    """The texts of the parts, each with the place that it came from, if that is another."""
    for part in parts:
        leaf = part.trail[-1] if part.trail else None
        if isinstance(part, Text):
            yield part.text, leaf
        elif isinstance(part, Open) and part.default is not None:
            yield from _pieces(part.default)
        else:
            yield HOLE[0] + part.text + HOLE[1], leaf
