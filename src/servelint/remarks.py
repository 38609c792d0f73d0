"""Findings about what people state, and notes about the data: what is too old to rely on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from servelint.config import IMAGE_MAP
from servelint.deployment import Release
from servelint.evidence import place_of
from servelint.finding import Finding
from servelint.stated import moved, place
from servelint.versions import parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from servelint.deployment import Component
    from servelint.facts import Fact
    from servelint.statement import Said
    from servelint.verdict import Place

MAX_AGE = 90
"""Days after which the data is called old."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A kind of finding that is about no server."""

    id: str
    title: str
    severity: str
    remedy: str


EXPIRED = Remark(
    "expired-statement",
    "a statement of which version runs is past its last day",
    "low",
    "look again (`servelint images resolve`, or `pip show` inside), and write down the new day",
)
MISMATCH = Remark(
    "digest-mismatch",
    "an image is pinned to another digest than the one that was looked at",
    "low",
    f"look into the new image, and record its digest in {IMAGE_MAP}",
)
REMARKS = (EXPIRED, MISMATCH)
"""All kinds."""


def remarks(said: Said, facts: Iterable[Fact]) -> Iterator[Finding]:
    """What no longer holds of the statements of a root. Fingerprints are still missing."""
    for one in said.expired():
        subject = one.reference or one.digest or one.package
        what = f"what is stated of {subject} ended on {one.until} and is not used"
        yield _finding(EXPIRED, what, place(one))
    for one, image in moved(facts, said):
        what = f"{IMAGE_MAP} records {one.reference} with the digest {one.digest}"
        yield _finding(
            MISMATCH, f"{what}: what it says does not count here", place_of(image), place(one)
        )


def _finding(kind: Remark, message: str, primary: Place, *related: Place) -> Finding:
    return Finding(
        id=kind.id,
        causes=(kind.id,),
        title=kind.title,
        status="affected",
        severity=kind.severity,
        confidence="high",
        context="deployment",
        message=f"{message}.",
        remedy=kind.remedy,
        primary=primary,
        related=related,
        components=(),
        fingerprint="",
    )


def notes(components: Iterable[Component], data_date: str, today: str) -> Iterator[str]:
    """Sentences about the limits of the data: its age, and versions that are newer."""
    if today and date.fromisoformat(today).toordinal() - _day(data_date) > MAX_AGE:
        yield f"the data is of {data_date}, more than {MAX_AGE} days old: update servelint"
    newer: dict[str, None] = {}
    for component in components:
        newest = component.engine.releases[-1] if component.engine.releases else ""
        for one in component.resolution.candidates:
            if isinstance(one, Release) and _is_newer(one.version, newest):
                title = component.engine.title
                newer[f"{title} {one.version} is newer than the data, which ends with {newest}"] = (
                    None
                )
    yield from newer


def _day(text: str) -> int:
    return date.fromisoformat(text).toordinal()


def _is_newer(version: str, newest: str) -> bool:
    one, last = parse(version), parse(newest)
    return one is not None and last is not None and one > last
