"""The report in the Reviewdog Diagnostic Format, as one JSON document.

Columns count bytes of UTF-8 there. The format has no place for fingerprints, and its
readers refuse what they do not know.
"""

from __future__ import annotations

from servelint.reporters import in_order, ranked
from servelint.reporters.json_text import json_text
from servelint.reporters.lines import Files
from servelint.reporters.plain import line, paragraph, proofs, said, shown_path, skipped
from servelint.reporters.regions import byte_column, region

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from servelint.finding import Finding, Report, Skip
    from servelint.reporters import Options
    from servelint.source import Span

SEVERITY = {
    "critical": "ERROR",
    "high": "ERROR",
    "medium": "WARNING",
    "low": "INFO",
    "note": "INFO",
}
"""What a severity is called there."""


def report(report: Report, options: Options) -> str:
    """The whole report."""
    files = Files(report.texts)
    every = [_diagnostic(found, files, options) for found in ranked(report.findings)]
    every += [_skip(skip, files, options) for skip in in_order(report.skips)]
    return json_text({"source": {"name": "servelint"}, "diagnostics": every})


def _diagnostic(found: Finding, files: Files, options: Options) -> dict[str, Any]:
    record = options.records.get(found.id)
    code = {"value": line(found.id)} | ({"url": record.url} if record and record.url else {})
    return {
        "message": paragraph(found),
        "location": _location(found.primary.span.path, found.primary.span, files, options),
        "severity": SEVERITY[found.severity],
        "code": code,
        "related_locations": [
            {
                "message": f"{line(place.label)}: {said(place, files)}",
                "location": _location(place.span.path, place.span, files, options),
            }
            for place in proofs(found)
        ],
    }


def _skip(skip: Skip, files: Files, options: Options) -> dict[str, Any]:
    return {
        "message": skipped(skip),
        "location": _location(skip.path, skip.span, files, options),
        "severity": "INFO",
        "code": {"value": f"skipped-{line(skip.reason)}"},
    }


def _location(path: str, span: Span | None, files: Files, options: Options) -> dict[str, Any]:
    shown = {"path": shown_path(path, options)}
    at = region(span, files) if span is not None else None
    if at is None:
        return shown | {"range": {"start": {"line": 1}}}
    start, end = (
        {"line": number, "column": byte_column(path, number, column, files)}
        for number, column in ((at.line, at.column), (at.end_line, at.end_column))
    )
    return shown | {"range": {"start": start, "end": end}}
