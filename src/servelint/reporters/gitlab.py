"""The report for the Code Quality widget of GitLab: a JSON array of issues.

What was left out is an issue, too: a merge request that makes a file unreadable is to show
that. What is suppressed is not there.
"""

from __future__ import annotations

from servelint.reporters import ranked
from servelint.reporters.json_text import json_text
from servelint.reporters.lines import Files
from servelint.reporters.plain import line, paragraph, shown_path, skipped
from servelint.reporters.regions import region
from servelint.reporters.skipped import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from servelint.finding import Report
    from servelint.reporters import Options
    from servelint.source import Span

SEVERITY = {
    "critical": "blocker",
    "high": "critical",
    "medium": "major",
    "low": "minor",
    "note": "info",
}
"""What a severity is called there."""


def report(report: Report, options: Options) -> str:
    """The whole report; an empty array when there is nothing to say."""
    files = Files(report.texts)
    issues = [
        _issue(
            paragraph(found),
            line(found.id),
            found.fingerprint,
            SEVERITY[found.severity],
            _location(found.primary.span.path, found.primary.span, files, options),
        )
        for found in ranked(report.findings)
    ]
    issues += [
        _issue(
            skipped(skip),
            f"skipped-{line(skip.reason)}",
            fingerprint,
            "info",
            _location(skip.path, skip.span, files, options),
        )
        for skip, fingerprint in named(report.skips)
    ]
    return json_text(issues)


def _issue(
    description: str, name: str, fingerprint: str, severity: str, location: dict[str, Any]
) -> dict[str, Any]:
    return {
        "type": "issue",
        "check_name": name,
        "description": description,
        "categories": ["Security"],
        "severity": severity,
        "fingerprint": fingerprint,
        "location": location,
    }


def _location(path: str, span: Span | None, files: Files, options: Options) -> dict[str, Any]:
    at = region(span, files) if span is not None else None
    begin, end = (at.line, at.end_line) if at else (1, 1)
    return {"path": shown_path(path, options), "lines": {"begin": begin, "end": end}}
