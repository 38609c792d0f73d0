"""The report as JSON, schema ``servelint/1``.

No value is ever null: what is not known is an object that says so, and what
does not exist has no key. ``line`` and ``column`` are left out when the report
does not hold the text of a file.
"""

from __future__ import annotations

from servelint.deployment import Release
from servelint.finding import COUNTS
from servelint.reporters import in_order, ranked, ranked_suppressed, version_texts
from servelint.reporters.json_text import json_text
from servelint.reporters.lines import Files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from servelint.deployment import Component, Deployment, Resolution
    from servelint.finding import Finding, Report, Skip
    from servelint.policy import Suppressed
    from servelint.reporters import Options
    from servelint.source import Span
    from servelint.verdict import Place, Standing

SCHEMA = "servelint/1"


def report(report: Report, options: Options) -> str:  # noqa: ARG001  # every reporter has it
    """The whole report; ASCII only, so that no control character is left as it is."""
    files = Files(report.texts)
    return json_text(
        {
            "schema": SCHEMA,
            "data_date": report.data_date,
            "findings": [_finding(finding, files) for finding in ranked(report.findings)],
            "suppressed": [
                _suppressed(each, files) for each in ranked_suppressed(report.suppressed)
            ],
            "deployments": _deployments(report, files),
            "skips": [_skip(skip, files) for skip in in_order(report.skips)],
            "notes": report.notes,
            "summary": _summary(report),
        }
    )


def deployments(report: Report) -> str:
    """Only what would run, what was decided of it, and by which evidence of its version."""
    files = Files(report.texts)
    return json_text({"schema": SCHEMA, "deployments": _deployments(report, files)})


def _deployments(report: Report, files: Files) -> list[dict[str, Any]]:
    decided = {standing.component: standing for standing in report.standings}
    return [_deployment(each, decided, files) for each in report.deployments]


def _finding(finding: Finding, files: Files) -> dict[str, Any]:
    return {
        "id": finding.id,
        "causes": finding.causes,
        "title": finding.title,
        "status": finding.status,
        "severity": finding.severity,
        "confidence": finding.confidence,
        "context": finding.context,
        "message": finding.message,
        "components": [_component(component, files) for component in finding.components],
        "primary": _place(finding.primary, files),
        "related": [_place(place, files) for place in finding.related],
        "fixes": finding.fixes,
        "fingerprint": finding.fingerprint,
    }


def _suppressed(each: Suppressed, files: Files) -> dict[str, Any]:
    """A finding that is not told, why, and where that is written."""
    by = {**_range(each.by.span, files), "text": each.by.text}
    return _finding(each.finding, files) | {"reason": each.by.reason, "suppression": by}


def _deployment(
    deployment: Deployment, decided: Mapping[Component, Standing], files: Files
) -> dict[str, Any]:
    return {
        "components": [
            _component(component, files)
            | _decision(decided[component])
            | {"evidence": [_place(place, files) for place in component.resolution.evidence]}
            for component in deployment.components
        ],
        "links": deployment.links,
    }


def _component(component: Component, files: Files) -> dict[str, Any]:
    return {
        "engine": component.engine.id,
        "role": component.role,
        "version": _version(component.resolution),
        "via": component.resolution.via,
        "variant": component.variant,
        "launch": _range(component.invocation.launch.span, files),
    }


def _decision(standing: Standing) -> dict[str, str]:
    return {"status": standing.status, "why": standing.why}


def _version(resolution: Resolution) -> str | dict[str, Any]:
    match resolution.candidates:
        case ():
            return {"unknown": resolution.reason}
        case (Release(version),):
            return version
        case _:
            return {"one_of": version_texts(resolution)}


def _place(place: Place, files: Files) -> dict[str, Any]:
    return {**_range(place.span, files), "label": place.label, "text": _text(place, files)}


def _text(place: Place, files: Files) -> str:
    """The text of a place; of a value on the way, what stands there."""
    lines = files.lines(place.span.path)
    return place.text or (lines.quote(place.span) if lines is not None else "")


def _range(span: Span, files: Files) -> dict[str, Any]:
    return {
        "path": span.path,
        "start": _point(span.path, span.start, files),
        "end": _point(span.path, span.end, files),
    }


def _point(path: str, offset: int, files: Files) -> dict[str, int]:
    position = files.position(path, offset)
    if position is None:
        return {"offset": offset}
    return {"line": position.line, "column": position.column, "offset": offset}


def _skip(skip: Skip, files: Files) -> dict[str, Any]:
    return {
        "path": skip.path,
        "line": files.first_line(skip.span),
        "stage": skip.stage,
        "reason": skip.reason,
        "detail": skip.detail,
    }


def _summary(report: Report) -> dict[str, int | float]:
    counts: dict[str, int | float] = {name: report.counts.get(name, 0) for name in COUNTS}
    return counts | {"seconds": round(report.seconds, 3)}
