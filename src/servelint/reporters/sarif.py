"""The report as SARIF 2.1.0, within the limits of GitHub code scanning.

Suppressed findings are results with ``suppressions``, but only when all is asked for: code
scanning would open alerts for them. What was left out is told by notifications.
"""

from __future__ import annotations

from dataclasses import dataclass

from servelint import __version__
from servelint.finding import COUNTS
from servelint.reporters import in_order, ranked, ranked_suppressed
from servelint.reporters.json_text import json_text
from servelint.reporters.lines import Files
from servelint.reporters.plain import (
    line,
    paragraph,
    proofs,
    said,
    sentence,
    skipped,
)
from servelint.reporters.sarif_places import location, physical
from servelint.reporters.sarif_rules import LEVELS, rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from servelint.finding import Finding, Report, Skip
    from servelint.policy import Suppression
    from servelint.reporters import Options
    from servelint.verdict import Place

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

MAX_RESULTS = 25_000
"""Results of a run that code scanning takes; a file with more is refused."""

MAX_LOCATIONS = 1_000
"""Locations of a result that it takes."""

MAX_LINKS = 8
"""Places that the message names: the others stand below it."""

FINGERPRINT = "servelint/v1"
"""The key of our fingerprint. The one of code scanning itself is left to its uploader."""


@dataclass(frozen=True, slots=True)
class _Told:
    """A finding, and by what it is suppressed, if it is."""

    finding: Finding
    by: Suppression | None = None


def report(report: Report, options: Options) -> str:
    """The whole report: one run."""
    every = [_Told(found) for found in ranked(report.findings)]
    if options.all:
        every += [_Told(each.finding, each.by) for each in ranked_suppressed(report.suppressed)]
    shown = every[:MAX_RESULTS]
    described = rules([told.finding for told in shown], options.records)
    index = {rule["id"]: number for number, rule in enumerate(described)}
    files = Files(report.texts)
    notifications = [
        *(_skip(skip, files, options) for skip in in_order(report.skips)),
        *({"level": "note", "message": {"text": sentence(note)}} for note in report.notes),
        *_cut(len(every) - len(shown)),
    ]
    root = {"description": {"text": "The top directory of the repository."}}
    run = {
        "tool": {"driver": _driver(report, described)},
        "automationDetails": {"id": "servelint/"},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"%SRCROOT%": root},
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notifications}],
        "results": [_result(told, index, files, options) for told in shown],
        "properties": {"counts": {name: report.counts.get(name, 0) for name in COUNTS}},
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _driver(report: Report, described: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "name": "servelint",
        "version": __version__,
        "rules": described,
        "notifications": [_reason(one) for one in sorted({skip.reason for skip in report.skips})],
        "properties": {"dataDate": report.data_date},
    }


def _result(
    told: _Told, index: Mapping[str, int], files: Files, options: Options
) -> dict[str, Any]:
    found = told.finding
    places = proofs(found)[: MAX_LOCATIONS - 1]
    related = [
        {
            "id": number,
            **location(place, f"{line(place.label)}: {said(place, files)}", files, options),
        }
        for number, place in enumerate(places, 1)
    ]
    suppressions = [] if told.by is None else [_suppression(told.by, files, options)]
    return {
        "ruleId": found.id,
        "ruleIndex": index[found.id],
        "level": LEVELS[found.severity],
        "message": {"text": _message(found, places)},
        "locations": [location(found.primary, "", files, options)],
        "relatedLocations": related,
        "partialFingerprints": {FINGERPRINT: found.fingerprint},
        "suppressions": suppressions,
        "properties": {
            "severity": found.severity,
            "status": found.status,
            "confidence": found.confidence,
            "context": found.context,
            "causes": list(found.causes),
        },
    }


def _message(found: Finding, places: Sequence[Place]) -> str:
    """What is said, with links to the places below; no other link can stand there."""
    # What was scanned could hold one. A backslash would not do: one may stand there already.
    text = paragraph(found).replace("](", "] (")
    links = [f"[{place.label}]({number})" for number, place in enumerate(places, 1)]
    if not links:
        return text
    rest = len(links) - MAX_LINKS
    named = [*links[:MAX_LINKS], *([f"{rest} more"] if rest > 0 else [])]
    return f"{text} Shown by: {', '.join(named)}."


def _suppression(by: Suppression, files: Files, options: Options) -> dict[str, Any]:
    return {
        "kind": "external" if by.reach is None else "inSource",
        "status": "accepted",
        "justification": line(by.reason),
        "location": {"physicalLocation": physical(by.span.path, by.span, files, options)},
    }


def _reason(reason: str) -> dict[str, Any]:
    """The kind of a notification."""
    text = {"text": f"A file, or a part of one, was left out: {line(reason)}."}
    return {
        "id": f"skipped/{line(reason)}",
        "shortDescription": text,
        "fullDescription": text,
        "help": text,
    }


def _skip(skip: Skip, files: Files, options: Options) -> dict[str, Any]:
    told: dict[str, Any] = {
        "level": "warning",
        "descriptor": {"id": f"skipped/{line(skip.reason)}"},
        "message": {"text": sentence(f"{line(skip.path)}: {skipped(skip)}")},
        "properties": {"stage": skip.stage, "reason": skip.reason},
    }
    if skip.path != ".":
        where = physical(skip.path, skip.span, files, options)
        told["locations"] = [{"physicalLocation": where}]
    return told


def _cut(count: int) -> Iterator[dict[str, Any]]:
    """That there is more than may be told."""
    if count > 0:
        text = f"{count} findings are left out: code scanning takes {MAX_RESULTS}."
        yield {"level": "warning", "message": {"text": text}}
