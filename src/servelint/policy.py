"""What people ask of a report: what not to tell, for which reason, and what findings weigh."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from re import Pattern

    from servelint.finding import Finding
    from servelint.source import Span


@dataclass(frozen=True, slots=True)
class Suppression:
    """One wish not to be told something, and its ``reason``.

    ``span`` is where it is written, ``text`` how a person would name it. ``ids`` are what
    it is about. A comment has a ``reach``: the whole lines that it speaks of. An entry of
    the configuration has ``paths`` (none means all) or the ``digest`` of an image: that
    one has no ids, and is about all that advisories say of the image. It counts up to and
    on the day ``until`` (YYYY-MM-DD), if any.
    """

    span: Span
    text: str
    reason: str
    ids: tuple[str, ...] = ()
    reach: Span | None = None
    paths: tuple[Pattern[str], ...] = ()
    digest: str = ""
    until: str = ""

    def is_expired(self, today: str) -> bool:
        """True after its last day. ``today`` is YYYY-MM-DD; empty: nothing expires."""
        return bool(self.until) and self.until < today

    def is_about(self, paths: Iterable[str]) -> bool:
        """True when an entry of the configuration means one of some paths."""
        return not self.paths or _any_match(self.paths, paths)


@dataclass(frozen=True, slots=True)
class Measure:
    """What findings weigh, and which ids are not told at all.

    ``severity`` is by id; ``unknown_version`` a key of
    :data:`servelint.config.UNKNOWN_VERSION`.
    """

    severity: Mapping[str, str] = field(default_factory=dict)
    unknown_version: str = "fail"
    ignore: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Override:
    """Another measure below some paths; an empty ``unknown_version`` changes nothing."""

    span: Span
    paths: tuple[Pattern[str], ...]
    severity: Mapping[str, str] = field(default_factory=dict)
    unknown_version: str = ""
    ignore: tuple[str, ...] = ()

    def over(self, measure: Measure) -> Measure:
        """A measure with what is said here."""
        return replace(
            measure,
            severity={**measure.severity, **self.severity},
            unknown_version=self.unknown_version or measure.unknown_version,
            ignore=measure.ignore.union(self.ignore),
        )


@dataclass(frozen=True, slots=True)
class Policy:
    """All that is asked of one run, and the texts of the files in which it stands.

    ``suppressions`` are in force, ``expired`` are not. Of several overrides for a path
    the last counts.
    """

    measure: Measure = Measure()
    overrides: tuple[Override, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    expired: tuple[Suppression, ...] = ()
    texts: dict[str, str] = field(default_factory=dict)

    def at(self, paths: Iterable[str]) -> Measure:
        """What counts for a thing that has to do with some paths."""
        measure, every = self.measure, tuple(paths)
        for override in self.overrides:
            if _any_match(override.paths, every):
                measure = override.over(measure)
        return measure


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A finding, or the part of one, that is not told because somebody asked for that."""

    finding: Finding
    by: Suppression


def _any_match(patterns: Iterable[Pattern[str]], paths: Iterable[str]) -> bool:
    every = tuple(paths)
    return any(pattern.fullmatch(path) for pattern in patterns for path in every)
