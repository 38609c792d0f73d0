"""Findings about what people write down, and notes about the data: what is no good any more."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from servelint.config import IMAGE_MAP
from servelint.context import context_of
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
    """A kind of finding that the core itself makes. ``body`` is its documentation."""

    id: str
    title: str
    severity: str
    remedy: str
    body: str


UNKNOWN = Remark(
    "unknown-version",
    "which version a disaggregated server runs cannot be told",
    "medium",
    "find out once, and write it down with `servelint images add`, or pin a version",
    "Some advisories hold for this server unless its version is a fixed one, and nothing that was"
    " read says which one it runs. The finding names these advisories as its causes, and says why"
    " the version is not known. It is low where there is no evidence of a version at all; the"
    " setting `unknown-version` makes it weigh less.",
)
"""What is said of a server whose version cannot be told; its findings name advisories."""

EXPIRED = Remark(
    "expired-statement",
    "a statement of which version runs is past its last day",
    "low",
    "look again (`servelint images resolve`, or `pip show` inside), and write down the new day",
    f"An entry of {IMAGE_MAP} or of `[[version]]` has a last day (`until`), and that is past. It no"
    " longer counts: what it spoke of is judged as if it were not there.",
)
MISMATCH = Remark(
    "digest-mismatch",
    "an image is pinned to another digest than the one that was looked at",
    "low",
    f"look into the new image, and record its digest in {IMAGE_MAP}",
    f"An entry of {IMAGE_MAP} says what a tag holds, with the digest that the tag had when somebody"
    " looked. Here the same tag is pinned to another digest: what the entry says does not count.",
)
LATE = Remark(
    "expired-suppression",
    "a suppression is past its last day and no longer counts",
    "low",
    "deal with what it is about, or write down a new day",
    "An entry of `[[ignore]]` or `[[allow]]` has a last day (`until`), and that is past. What it"
    " kept quiet is reported again.",
)
REASONLESS = Remark(
    "suppression-without-reason",
    "a suppression says no reason, and so does not count",
    "low",
    "write the reason behind the brackets",
    "A comment `servelint: ignore[ID]` must say why, in words behind the brackets: whoever finds it"
    " next year has nothing else to go by.",
)
INVALID = Remark(
    "invalid-suppression",
    "what a suppression is about cannot be understood, and so does not count",
    "low",
    "write `servelint: ignore[ID] reason`, with ids that a report can hold",
    "A comment asks to ignore an id that does not exist, or names none. The other ids of such a"
    " comment count. `servelint rules` lists all ids.",
)
UNUSED = Remark(
    "unused-suppression",
    "a suppression of what is not reported",
    "note",
    "remove it, or correct what it is about",
    "A comment, or an entry of `[[ignore]]` or `[[allow]]`, keeps nothing quiet: what it is about"
    " is fixed, stands elsewhere, or never was. Left in place it would hide the next thing"
    " that comes there. Runs with names on the command line do not look for this.",
)
REMARKS = (EXPIRED, MISMATCH, LATE, REASONLESS, INVALID, UNUSED)
"""All kinds that are about no server."""


def remarks(said: Said, facts: Iterable[Fact]) -> Iterator[Finding]:
    """What no longer holds of the statements of a root. Fingerprints are still missing."""
    for one in said.expired():
        subject = one.reference or one.digest or one.package
        what = f"what is stated of {subject} ended on {one.until} and is not used"
        yield remark(EXPIRED, what, place(one))
    for one, image in moved(facts, said):
        what = f"{IMAGE_MAP} records {one.reference} with the digest {one.digest}"
        yield remark(
            MISMATCH, f"{what}: what it says does not count here", place_of(image), place(one)
        )


def remark(kind: Remark, message: str, primary: Place, *related: Place) -> Finding:
    """A finding of some kind; ``message`` is a clause. Its fingerprint is still missing."""
    return Finding(
        id=kind.id,
        causes=(kind.id,),
        title=kind.title,
        status="affected",
        severity=kind.severity,
        confidence="high",
        context=context_of(primary.span.path),
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
