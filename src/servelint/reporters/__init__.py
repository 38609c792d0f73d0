"""Reporters: pure functions from a report to the text of one output format.

Each module of this package has ``report(report, options) -> str``; nothing here
prints. What several formats must agree on (the order of findings, what was
decided of a component, how a version reads) is said here once.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from servelint.finding import SEVERITIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from servelint.deployment import Candidate, Resolution
    from servelint.finding import Finding, Skip
    from servelint.policy import Suppressed
    from servelint.reporters.described import Described
    from servelint.source import Span


@dataclass(frozen=True, slots=True)
class Options:
    """How to show a report.

    ``color`` allows escape sequences, ``all`` lists also what no finding names,
    ``width`` is the number of terminal columns. ``fail_on`` and ``strict`` say what makes
    the run fail. ``prefix`` leads from the top of the repository to the root: empty, or
    with a ``/`` at its end. ``records`` are what findings may name, by id, for formats
    that carry documentation.
    """

    color: bool = False
    all: bool = False
    width: int = 100
    fail_on: str = "medium"
    strict: bool = False
    prefix: str = ""
    records: Mapping[str, Described] = field(default_factory=dict)


def is_failure(found: Finding, options: Options) -> bool:
    """True for a finding that makes the run fail."""
    if options.strict and found.status == "under_investigation":
        return True
    return options.fail_on != "never" and (
        SEVERITIES.index(found.severity) <= SEVERITIES.index(options.fail_on)
    )


def ranked(findings: Iterable[Finding]) -> list[Finding]:
    """Worst severity first, then by the place to edit."""
    return sorted(findings, key=_rank)


def ranked_suppressed(suppressed: Iterable[Suppressed]) -> list[Suppressed]:
    """What is not told, in the order in which it would be."""
    return sorted(suppressed, key=lambda each: (*_rank(each.finding), each.by.span))


def _rank(found: Finding) -> tuple[int, Span, str]:
    return SEVERITIES.index(found.severity), found.primary.span, found.id


def in_order(skips: Iterable[Skip]) -> list[Skip]:
    """By path and place; what concerns a whole file comes before its parts."""
    return sorted(
        skips,
        key=lambda skip: (
            skip.path,
            -1 if skip.span is None else skip.span.start,
            skip.stage,
            skip.reason,
            skip.detail,
        ),
    )


def version_texts(resolution: Resolution) -> tuple[str, ...]:
    """Each candidate as people write it: a version, a specifier or ``branch@date``."""
    return tuple(_candidate(candidate) for candidate in resolution.candidates)


def _candidate(candidate: Candidate) -> str:
    # A run that finds no component does not pay for the classes of deployments.
    from servelint.deployment import Build, Release  # noqa: PLC0415

    if isinstance(candidate, Release):
        return candidate.version
    if isinstance(candidate, Build):
        return f"{candidate.branch}@{candidate.date or candidate.commit}"
    return candidate.specifier
