"""An advisory as a record of the Open Source Vulnerability format (OSV), version 1.7.

The format has no place for "only when": what reads a record takes its ranges for the whole
truth. The conditions stand beside them as text, and whoever serves a record decides first
whether they hold.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from servelint.page import condition_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from servelint.advisory import Advisory, Affected

SCHEMA = "1.7.5"
"""The version of the format."""

PREFIX = "x_"
"""What ids of local databases begin with; any other prefix has to be registered."""

ECOSYSTEM = "PyPI"

_KINDS = (
    (re.compile(r"/(?:pull|commit)/"), "FIX"),
    (
        re.compile(r"/(?:security/)?advisories/|/vuln/detail/|/vuls/|/cves/|/vulnerability/"),
        "ADVISORY",
    ),
    (re.compile(r"/issues/"), "REPORT"),
)
"""What a reference is, by its address; the first one that fits counts."""

_LINKS = ("http://", "https://")


@dataclass(frozen=True, slots=True)
class Narrowed:
    """What a record says of one place and version, instead of all that is known.

    ``rows`` are the ranges to tell (all if there are none). ``fixed`` replaces the end of every
    one: the version to go to, where the record advises rather than matches. ``summary`` replaces
    the title; ``evidence`` are places for people.
    """

    rows: tuple[Affected, ...] = ()
    fixed: str = ""
    summary: str = ""
    evidence: tuple[str, ...] = ()


ALL = Narrowed()


def record(
    advisory: Advisory, names: Sequence[str] = (), narrowed: Narrowed = ALL, modified: str = ""
) -> dict[str, Any]:
    """The record of an advisory, ready for JSON.

    ``names`` are the packages that have its versions, normalised (its own if there are none),
    ``modified`` is a day (YYYY-MM-DD; default: that of the publication).
    """
    rows, fixed = narrowed.rows or advisory.affected, narrowed.fixed
    told: dict[str, Any] = {
        "schema_version": SCHEMA,
        "id": osv_id(advisory.id),
        "modified": _moment(modified or advisory.published),
        "published": _moment(advisory.published),
        "aliases": list(dict.fromkeys((advisory.id, *advisory.aliases))),
        "summary": " ".join((narrowed.summary or advisory.title).split()),
        "details": _details(advisory),
        "affected": [_affected(name, rows, fixed) for name in names or (advisory.package,)],
        "references": [_reference(url) for url in advisory.references if url.startswith(_LINKS)],
        "database_specific": _specific(advisory, narrowed.evidence),
    }
    if advisory.withdrawn:
        told["withdrawn"] = _moment(advisory.withdrawn)
    return told


def osv_id(name: str) -> str:
    """The id of an advisory in a database of such records."""
    return PREFIX + name


def _moment(day: str) -> str:
    """The start of a day; the letter is what readers insist on."""
    return f"{day}T00:00:00Z"


def _details(advisory: Advisory) -> str:
    advice = advisory.remedy or f"upgrade all servers together to {advisory.recommended} or later"
    return f"{advisory.body}\n\nWhat to do: {advice}."


def _affected(name: str, rows: Sequence[Affected], fixed: str) -> dict[str, Any]:
    """One entry a package: readers take the versions of the last entry of several."""
    ranges: list[dict[str, Any]] = []
    for row in rows:
        one = {"type": "ECOSYSTEM", "events": list(_events(row, fixed))}
        if one not in ranges:
            ranges.append(one)
    return {
        "package": {"ecosystem": ECOSYSTEM, "name": name, "purl": f"pkg:pypi/{name}"},
        "ranges": ranges,
        "ecosystem_specific": {"conditions": [_conditions(row) for row in rows]},
    }


def _events(row: Affected, fixed: str) -> Iterator[dict[str, str]]:
    yield {"introduced": row.introduced or "0"}
    if end := fixed or row.fixed:
        yield {"fixed": end}
    elif row.last_affected:
        yield {"last_affected": row.last_affected}


def _conditions(row: Affected) -> dict[str, Any]:
    """When a range is affected; all that it asks for has to hold."""
    bounds = {"introduced": row.introduced, "fixed": row.fixed, "last_affected": row.last_affected}
    told: dict[str, Any] = {key: value for key, value in bounds.items() if value}
    return told | {"when": [condition_text(one).replace("`", "") for one in row.when]}


def _reference(url: str) -> dict[str, str]:
    kind = next((kind for pattern, kind in _KINDS if pattern.search(url)), "WEB")
    return {"type": kind, "url": url}


def _specific(advisory: Advisory, evidence: tuple[str, ...]) -> dict[str, Any]:
    told: dict[str, Any] = {"severity": advisory.severity.upper(), "conditional": True}
    if advisory.recommended:
        told["recommended"] = advisory.recommended
    if evidence:
        told["evidence"] = list(evidence)
    return told
