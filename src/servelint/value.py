"""Values with their trail.

A :class:`Value` is never guessed. It is one to sixteen *readings*, each a
tuple of parts: text that is known, a name that is still open, or something
that cannot be known, with the reason from :data:`UNKNOWN_REASONS`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from servelint.source import Span

MAX_READINGS = 16
"""More readings than this are not kept apart: the value is ``many-values``."""

UNKNOWN_REASONS = frozenset(
    {
        "unset-variable",
        "runtime-value",
        "template-function",
        "unknown-tag",
        "mutable-tag",
        "untagged",
        "unmapped-digest",
        "unpinned",
        "fork",
        "commit",
        "dev-version",
        "many-values",
        "no-evidence",
        "conflicting",
        "newer-than-data",
    }
)
"""Why a value or a version cannot be told. Closed: additions go with the changelog."""


@dataclass(frozen=True, slots=True)
class Text:
    """A known piece of text. ``trail``: the other places that it came through."""

    text: str
    trail: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Open:
    """A name that binding may close, such as ``${TAG}``.

    ``text`` is how it is written, ``default`` what holds when nothing sets it.
    ``splits``: blanks in what it turns out to be separate words.
    """

    name: str
    text: str
    trail: tuple[Span, ...] = ()
    default: tuple[Part, ...] | None = None
    splits: bool = False


@dataclass(frozen=True, slots=True)
class Unknown:
    """A piece that cannot be known; ``reason`` is one of :data:`UNKNOWN_REASONS`."""

    reason: str
    text: str
    trail: tuple[Span, ...] = ()


Part = Text | Open | Unknown
Parts = tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Value:
    """All that is known of one value; ``span`` is where it stands."""

    readings: tuple[Parts, ...]
    span: Span

    @property
    def text(self) -> str | None:
        """The text, when there is exactly one reading and all of it is known."""
        texts = self.texts
        return texts[0] if texts is not None and len(texts) == 1 else None

    @property
    def texts(self) -> tuple[str, ...] | None:
        """The distinct known texts, or None when any reading is not wholly known."""
        if not self.readings:
            return None
        found: dict[str, None] = {}
        for parts in self.readings:
            if any(not isinstance(part, Text) for part in parts):
                return None
            found["".join(part.text for part in parts)] = None
        return tuple(found)

    @property
    def written(self) -> str:
        """The first reading as it is written, open names and all."""
        return "".join(part.text for part in self.readings[0]) if self.readings else ""

    @property
    def head(self) -> str:
        """The known text with which all readings begin; empty when there is none."""
        heads = [known_head(parts) for parts in self.readings]
        return _common(min(heads), max(heads)) if heads else ""

    @property
    def trail(self) -> tuple[Span, ...]:
        """Every place that any part came through, in order, once."""
        spans = (span for parts in self.readings for part in parts for span in part.trail)
        return tuple(dict.fromkeys(spans))

    @property
    def reason(self) -> str:
        """Why the value is not known; empty when it is. Open names are unset variables."""
        for parts in self.readings:
            for part in parts:
                if isinstance(part, Unknown):
                    return part.reason
                if isinstance(part, Open):
                    return "unset-variable"
        return ""

    def at(self, span: Span) -> Value:
        """The same readings standing at ``span``."""
        return Value(self.readings, span)

    def tail(self, count: int) -> Value:
        """The value without its first ``count`` known characters (see :attr:`head`)."""
        return Value(tuple(_drop(parts, count) for parts in self.readings), self.span)


def known(text: str, span: Span, trail: tuple[Span, ...] = ()) -> Value:
    """A value that is exactly ``text``."""
    return Value(((Text(text, trail),),), span)


def unknown(reason: str, text: str, span: Span, trail: tuple[Span, ...] = ()) -> Value:
    """A value of which only the writing and the reason are known."""
    return Value(((Unknown(reason, text, trail),),), span)


def one_of(values: Iterable[Value], span: Span) -> Value:
    """A value that is any of ``values``; too many become ``many-values``, none a runtime value."""
    every = Value(tuple(dict.fromkeys(p for value in values for p in value.readings)), span)
    if not every.readings:
        return unknown("runtime-value", "", span)
    if len(every.readings) > MAX_READINGS:
        return unknown("many-values", every.written, span, every.trail)
    return every


def concat(values: Iterable[Value], span: Span) -> Value:
    """The values side by side, every combination of their readings."""
    done = Value(((),), span)
    written: list[str] = []
    for value in values:
        written.append(value.written)
        pairs = tuple(left + right for left in done.readings for right in value.readings)
        done = Value(pairs, span)
        if len(pairs) > MAX_READINGS:
            done = unknown("many-values", "".join(written), span, done.trail)
    return done


HOLE = "\ufffc"
"""Stands in a text for a piece that is not known."""


def with_holes(parts: Parts) -> tuple[str, tuple[str, ...]]:
    """The text of a reading with a hole for each unknown part, and the reason of each."""
    texts: list[str] = []
    reasons: list[str] = []
    waiting = list(reversed(parts))
    while waiting:
        part = waiting.pop()
        if isinstance(part, Text):
            texts.append(part.text.replace(HOLE, "?"))
        elif isinstance(part, Open) and part.default is not None:
            waiting.extend(reversed(part.default))
        else:
            texts.append(HOLE)
            reasons.append("unset-variable" if isinstance(part, Open) else part.reason)
    return "".join(texts), tuple(reasons)


def known_head(parts: Parts) -> str:
    """The known text at the very beginning of one reading."""
    texts = []
    for part in parts:
        if not isinstance(part, Text):
            break
        texts.append(part.text)
    return "".join(texts)


def _common(first: str, last: str) -> str:
    """The common beginning of two texts; of the least and the greatest, it is that of all."""
    pairs = enumerate(zip(first, last, strict=False))
    return first[: next((at for at, (one, other) in pairs if one != other), len(first))]


def _drop(parts: Parts, count: int) -> Parts:
    for index, part in enumerate(parts):
        if not isinstance(part, Text) or count == 0:
            return parts[index:]
        if len(part.text) > count:
            return (replace(part, text=part.text[count:]), *parts[index + 1 :])
        count -= len(part.text)
    return ()
