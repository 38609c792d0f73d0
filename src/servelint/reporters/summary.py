"""The last line of the text output: what was found, in numbers, and of when the data is."""

from __future__ import annotations

from collections import Counter

from servelint.finding import SEVERITIES
from servelint.reporters.lines import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from servelint.finding import Report
    from servelint.verdict import Standing


def summary(report: Report) -> str:
    """Findings, components, what was left out, and the day of the data."""
    suppressed = report.counts.get("suppressed", 0)
    skipped = report.counts.get("skipped", 0)
    parts = (
        _found(report),
        _components(report),
        f"{suppressed} suppressed" if suppressed else "",
        f"{skipped} skipped" if skipped else "",
        f"data of {report.data_date}" if report.data_date else "",
    )
    return "; ".join(part for part in parts if part)


def _found(report: Report) -> str:
    counts = {
        severity: sum(found.severity == severity for found in report.findings)
        for severity in SEVERITIES
    }
    kinds = ", ".join(f"{count} {severity}" for severity, count in counts.items() if count)
    total = len(report.findings)
    found = f"{plural(total, 'finding')} ({kinds})" if total else "no findings"
    files, relevant = report.counts.get("files", 0), report.counts.get("relevant", 0)
    if files:
        return f"{found} in {plural(files, 'file')}, {relevant or 'none'} relevant"
    # Without a hit the names are not even listed, so their number is not known.
    if not relevant and not total:
        return "no relevant files"
    return f"{found} in {plural(relevant, 'relevant file')}"


def _components(report: Report) -> str:
    """The four outcomes that occur; the first one says what is counted."""
    reasons = {"not_affected": _usual_reason(report.standings)}
    parts: list[str] = []
    for name in ("affected", "unknown", "not_affected", "fixed"):
        if count := report.counts.get(name, 0):
            number = str(count) if parts else plural(count, "component")
            parts.append(f"{number} {name.replace('_', ' ')}{reasons.get(name, '')}")
    return ", ".join(parts)


def _usual_reason(decided: Iterable[Standing]) -> str:
    """Why most components are not affected; nothing when no reason is the usual one."""
    servers = (each for each in decided if each.component.kind == "server")
    reasons = Counter(fold(each.why) for each in servers if each.status == "not_affected")
    why = max(reasons, key=lambda each: reasons[each], default="")
    if not why or 2 * reasons[why] <= reasons.total():
        return ""
    return f": {why}" if len(reasons) == 1 else f": mostly {why}"


def plural(count: int, noun: str) -> str:
    """A number with its noun."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
