"""Findings that are known, and not told again until they get worse: the baseline of a root.

An entry takes away one finding: the one with its fingerprint, as long as nothing of it is worse
than it was written down. Whatever is not the same or better is told.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, fields, replace

from servelint.config import MAX_QUOTE, ConfigError
from servelint.finding import SEVERITIES, STATUSES
from servelint.policy import Suppressed, Suppression
from servelint.source import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from servelint.finding import Finding, Report

SCHEMA = "servelint-baseline/1"
REASON = "in the baseline"
"""Why a finding is not told that an entry takes away."""

MAX_NAMED = 5
"""Findings that got worse that a note names; it counts the others."""

_FINGERPRINT = re.compile(r"[0-9a-f]{32}\Z")


@dataclass(frozen=True, slots=True)
class Known:
    """A finding as it was when it was written down.

    ``fingerprint`` is its name; ``path`` and ``message`` are for whoever reads the file.
    ``servers`` says how many it was about, by the file that launches them, their role, and by
    what they are varied.
    """

    id: str
    path: str
    message: str
    severity: str
    status: str
    causes: tuple[str, ...]
    servers: tuple[tuple[str, int], ...]
    fingerprint: str

    def worse(self, found: Finding) -> str:
        """What is worse of a finding than it was, in a few words; empty where nothing is."""
        if SEVERITIES.index(found.severity) < SEVERITIES.index(self.severity):
            return f"it weighs {found.severity}, and did {self.severity}"
        if STATUSES.index(found.status) < STATUSES.index(self.status):
            return f"it is {found.status}, and was {self.status}"
        if new := [cause for cause in found.causes if cause not in self.causes]:
            return f"it has {'a new cause' if len(new) == 1 else 'new causes'}: {', '.join(new)}"
        more = Counter(dict(_servers(found))) - Counter(dict(self.servers))
        return f"it is about other servers: {', '.join(more)}" if more else ""


@dataclass(frozen=True, slots=True)
class Baseline:
    """The entries of a file. ``path`` is relative to the root, ``text`` what stands there."""

    path: str
    text: str = ""
    known: tuple[Known, ...] = ()

    def entry(self, one: Known) -> Suppression:
        """An entry as what it is: a wish not to be told something."""
        quoted = f'"{one.fingerprint}"'
        start = max(self.text.find(quoted), 0)
        end = start + len(quoted) if self.text.startswith(quoted, start) else start
        return Suppression(Span(self.path, start, end), one.fingerprint, REASON, (one.id,))


# -- what it takes away -------------------------------------------------------


def without(report: Report, baseline: Baseline, *, whole: bool = False) -> Report:
    """A report without the findings that are known, which it lists as suppressed.

    ``whole``: nothing else was left out, so that an entry without a finding is told.
    """
    known = {one.fingerprint: one for one in baseline.known}
    told: list[Finding] = []
    hidden: list[Suppressed] = []
    worse: list[tuple[Finding, str]] = []
    for found in report.findings:
        entry = known.get(found.fingerprint)
        why = entry.worse(found) if entry is not None else ""
        if entry is None or why:
            told.append(found)
            worse += [(found, why)] if why else []
        else:
            hidden.append(Suppressed(found, baseline.entry(entry)))
    notes = [*_worse(worse, baseline), *(_gone(report, baseline) if whole else ())]
    suppressed = (*report.suppressed, *hidden)
    return replace(
        report,
        findings=tuple(told),
        suppressed=suppressed,
        counts=report.counts | {"suppressed": len(suppressed)},
        texts=report.texts | {baseline.path: baseline.text},
        notes=(*report.notes, *notes),
    )


def _worse(worse: Sequence[tuple[Finding, str]], baseline: Baseline) -> Iterator[str]:
    for found, why in worse[:MAX_NAMED]:
        where = f"{found.id} in {found.primary.span.path}"
        yield f"{where} is in {baseline.path}, but got worse: {why}"
    if len(worse) > MAX_NAMED:
        yield f"{len(worse) - MAX_NAMED} more findings in {baseline.path} got worse"


def _gone(report: Report, baseline: Baseline) -> Iterator[str]:
    every = (*report.findings, *(each.finding for each in report.suppressed))
    there = {found.fingerprint for found in every}
    count = sum(one.fingerprint not in there for one in baseline.known)
    if count:
        what = f"{count} finding{'' if count == 1 else 's'} of {baseline.path}"
        verb = "is" if count == 1 else "are"
        yield f"{what} {verb} not found any more: `servelint baseline --update` removes them"


# -- what is written down -----------------------------------------------------


def accepted(findings: Iterable[Finding]) -> tuple[Known, ...]:
    """The entries of all findings."""
    return tuple(map(_known, findings))


def tightened(known: Iterable[Known], findings: Iterable[Finding]) -> tuple[Known, ...]:
    """The entries whose findings are still there, as far as these are no worse, as they are now.

    Nothing is added, and of what got worse the entry stays: it is told on.
    """
    there = {found.fingerprint: found for found in findings}
    kept = ((one, there[one.fingerprint]) for one in known if one.fingerprint in there)
    return tuple(one if one.worse(found) else _known(found) for one, found in kept)


def _known(found: Finding) -> Known:
    return Known(
        id=found.id,
        path=found.primary.span.path,
        message=found.message,
        severity=found.severity,
        status=found.status,
        causes=tuple(sorted(found.causes)),
        servers=_servers(found),
        fingerprint=found.fingerprint,
    )


def _servers(found: Finding) -> tuple[tuple[str, int], ...]:
    counted: Counter[str] = Counter()
    for component in found.components:
        words = (component.role if component.role != "none" else "", component.variant)
        what = ", ".join(word for word in words if word)
        path = component.invocation.launch.span.path
        counted[f"{path} ({what})" if what else path] += 1
    return tuple(sorted(counted.items()))


def written(known: Iterable[Known]) -> str:
    """The text of a file with some entries: one line a value, in an order that stays."""
    rows = sorted(known, key=lambda one: (one.path, one.id, one.message, one.fingerprint))
    made = [
        {field.name: getattr(row, field.name) for field in fields(Known)}
        | {"servers": dict(row.servers)}
        for row in rows
    ]
    document = {"schema": SCHEMA, "findings": made}
    return json.dumps(document, indent=2, ensure_ascii=True, allow_nan=False) + "\n"


# -- what is read -------------------------------------------------------------


def read(path: str, text: str) -> Baseline:
    """The baseline of a text. Raises :class:`ConfigError` for one that is not right."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: not JSON: {error}") from error
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise ConfigError(f'{path}: expected an object with "schema": "{SCHEMA}"')
    _only(path, document, ("schema", "findings"))
    rows = document["findings"]
    if not isinstance(rows, list):
        raise ConfigError(f"{path}: findings: expected a list")
    known = tuple(_entry(f"{path}: findings[{at}]", row) for at, row in enumerate(rows))
    seen: set[str] = set()
    for one in known:
        if one.fingerprint in seen:
            raise ConfigError(f"{path}: two entries have the fingerprint {one.fingerprint}")
        seen.add(one.fingerprint)
    return Baseline(path, text, known)


def _only(place: str, table: dict[str, Any], keys: Sequence[str]) -> None:
    """Refuse another set of keys: what is not understood must not hide anything."""
    for key in table:
        if key not in keys:
            wrong = f"{key!r:.{MAX_QUOTE}}"
            raise ConfigError(f"{place}: unknown key {wrong}; known are {', '.join(keys)}")
    for key in keys:
        if key not in table:
            raise ConfigError(f"{place}: {key} is missing")


def _entry(place: str, row: object) -> Known:
    if not isinstance(row, dict):
        raise ConfigError(f"{place}: expected an object")
    _only(place, row, [field.name for field in fields(Known)])
    causes, servers = row["causes"], row["servers"]
    for key in ("id", "path", "message", "fingerprint"):
        if not isinstance(row[key], str):
            raise ConfigError(f"{place}: {key}: expected a text")
    for key, allowed in (("severity", SEVERITIES), ("status", STATUSES)):
        if row[key] not in allowed:
            wrong = f"{row[key]!r:.{MAX_QUOTE}}"
            raise ConfigError(f"{place}: {key}: {wrong}; expected one of {', '.join(allowed)}")
    if not _FINGERPRINT.match(row["fingerprint"]):
        raise ConfigError(f"{place}: fingerprint: expected 32 hex digits")
    if not isinstance(causes, list) or not all(isinstance(one, str) for one in causes):
        raise ConfigError(f"{place}: causes: expected a list of ids")
    if not isinstance(servers, dict) or not all(type(one) is int for one in servers.values()):
        raise ConfigError(f"{place}: servers: expected whole numbers by file")
    return Known(**{**row, "causes": tuple(causes), "servers": tuple(servers.items())})
