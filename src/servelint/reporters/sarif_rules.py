"""What findings name, as the rules of a SARIF run."""

from __future__ import annotations

from servelint.finding import SEVERITIES
from servelint.reporters.described import Described
from servelint.reporters.lines import safe
from servelint.reporters.plain import line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from servelint.finding import Finding

LEVELS = {"critical": "error", "high": "error", "medium": "warning", "low": "note", "note": "note"}
"""The level of a severity."""

SCORES = {"critical": "9.5", "high": "8.0", "medium": "5.5", "low": "3.0", "note": "1.0"}
"""A number in the middle of what code scanning calls by the name of the severity."""

MAX_NAME, MAX_TEXT, MAX_TAGS = 255, 1024, 10
"""Characters of a name and of a description, and tags, that code scanning shows."""


def rules(findings: Sequence[Finding], records: Mapping[str, Described]) -> list[dict[str, Any]]:
    """The records that findings are of, by id.

    Code scanning knows the severity of a rule only, not that of a result: a rule weighs as much
    as its worst finding here, so that what is asked for in the configuration counts, and what
    is found only in a guide is not called critical.
    """
    worst: dict[str, Finding] = {}
    for found in findings:
        known = worst.get(found.id)
        if known is None or _rank(found) < _rank(known):
            worst[found.id] = found
    return [_rule(worst[name], records.get(name)) for name in sorted(worst)]


def _rank(found: Finding) -> int:
    return SEVERITIES.index(found.severity)


def _rule(worst: Finding, known: Described | None) -> dict[str, Any]:
    record = known or Described(worst.id, worst.title, worst.severity, worst.title, worst.title)
    title = line(record.title)
    page = "\n".join(map(safe, record.page.split("\n")))
    return {
        "id": record.id,
        "name": title[:MAX_NAME],
        "shortDescription": {"text": title[:MAX_TEXT]},
        "fullDescription": {"text": (line(record.summary) or title)[:MAX_TEXT]},
        "help": {"text": page, "markdown": page},
        **({"helpUri": record.url} if record.url else {}),
        "defaultConfiguration": {"level": LEVELS[record.severity]},
        "properties": {
            "tags": [line(tag) for tag in dict.fromkeys(record.tags)][:MAX_TAGS],
            "security-severity": SCORES[worst.severity],
            "problem.severity": LEVELS[worst.severity].replace("note", "recommendation"),
        },
    }
