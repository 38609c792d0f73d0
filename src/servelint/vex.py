"""What is decided of every product, in the words of VEX: OpenVEX and CycloneDX.

A product is an image with the engine in it, or the package where no image is named. What is
said of a product is the worst of what is said of the servers that run it. Nothing that is
unknown is ever called not affected, and a version that no record names is not called fixed.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections import defaultdict
from dataclasses import dataclass
from urllib.parse import quote

from servelint.deployment import Release
from servelint.finding import STATUSES
from servelint.reference import split_reference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from servelint.advisory import Advisory
    from servelint.deployment import Component
    from servelint.finding import Report
    from servelint.verdict import Verdict

OPENVEX = "https://openvex.dev/ns/v0.2.0"
CYCLONEDX = "1.6"
"""The versions of the formats."""

TOOL = "servelint"

STATES = {
    "affected": "exploitable",
    "under_investigation": "in_triage",
    "fixed": "resolved",
    "not_affected": "not_affected",
}
"""Statuses in the words of CycloneDX."""


@dataclass(frozen=True, slots=True)
class Product:
    """An image, or a package alone: its purl, and that of the package in it."""

    purl: str
    package: str
    name: str
    version: str


@dataclass(frozen=True, slots=True)
class Statement:
    """What is said of one product by one advisory; ``why`` are clauses for people."""

    advisory: Advisory
    product: Product
    status: str
    why: tuple[str, ...]


def statements(report: Report, advisories: Iterable[Advisory]) -> tuple[Statement, ...]:
    """One statement for each product and each advisory that was judged, in order."""
    known = {advisory.id: advisory for advisory in advisories}
    said: dict[tuple[str, Product], list[Verdict]] = defaultdict(list)
    for verdict in report.verdicts:
        if verdict.cause in known:
            said[verdict.cause, product_of(verdict.component)].append(verdict)
    return tuple(
        _statement(known[cause], product, verdicts)
        for (cause, product), verdicts in sorted(said.items(), key=lambda one: _order(*one[0]))
    )


def _order(cause: str, product: Product) -> tuple[str, str]:
    return cause, product.purl


def _statement(advisory: Advisory, product: Product, verdicts: Iterable[Verdict]) -> Statement:
    """The worst of some verdicts, with the clauses of those that are as bad."""
    told = [(status_of(verdict), verdict.why) for verdict in verdicts]
    status = min((status for status, _ in told), key=STATUSES.index)
    whys = dict.fromkeys(why for each, why in told if each == status and why)
    return Statement(advisory, product, status, tuple(whys))


def status_of(verdict: Verdict) -> str:
    """The status of a verdict outside of this program: a record that ends proves no fix."""
    if verdict.status == "fixed" and verdict.basis:
        return "under_investigation"
    return verdict.status


def product_of(component: Component) -> Product:
    """What a component runs, as package URLs."""
    resolution = component.resolution
    candidates = resolution.candidates
    only = candidates[0] if len(candidates) == 1 and not resolution.reason else None
    version = only.version if isinstance(only, Release) else ""
    package = f"pkg:pypi/{resolution.package}" + (f"@{quote(version, safe='')}" if version else "")
    text = component.image.reference.text if component.image is not None else None
    if text is None:
        return Product(package, package, resolution.package, version)
    found = split_reference(text)
    name = found.path[-1]
    where = f"{found.registry or 'docker.io'}/{'/'.join(found.path)}"
    more = f"?repository_url={quote(where, safe='')}"
    more += f"&tag={quote(found.tag, safe='')}" if found.tag else ""
    digest = f"@{quote(found.digest, safe='')}" if found.digest else ""
    return Product(f"pkg:oci/{quote(name, safe='')}{digest}{more}", package, text, found.tag)


# -- OpenVEX ------------------------------------------------------------------


def openvex(report: Report, advisories: Iterable[Advisory], now: str) -> str:
    """The OpenVEX document. ``now`` is a time of UTC, YYYY-MM-DDTHH:MM:SSZ."""
    said = [_openvex(one) for one in statements(report, advisories)]
    document = {
        "@context": OPENVEX,
        "@id": f"urn:uuid:{_identity(said)}",
        "author": TOOL,
        "timestamp": now,
        "version": 1,
        "tooling": TOOL,
        "statements": said,
    }
    return json.dumps(document, indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def _openvex(one: Statement) -> dict[str, Any]:
    advisory, product = one.advisory, one.product
    inside = [] if product.package == product.purl else [{"@id": product.package}]
    told: dict[str, Any] = {
        "vulnerability": {"name": advisory.id, "description": advisory.title}
        | ({"aliases": list(advisory.aliases)} if advisory.aliases else {}),
        "products": [
            {"@id": product.purl} | ({"subcomponents": inside} if inside else {}),
        ],
        "status": one.status,
    }
    why = "; ".join(one.why)
    if one.status == "not_affected":
        told["justification"] = "vulnerable_code_not_in_execute_path"
        told["impact_statement"] = why
    elif one.status == "affected":
        told["action_statement"] = remedy_of(advisory)
        told["status_notes"] = why
    elif why:
        told["status_notes"] = why
    return told


def remedy_of(advisory: Advisory) -> str:
    """What to do about an advisory."""
    return advisory.remedy or f"upgrade {advisory.package} to {advisory.recommended} or later"


# -- CycloneDX ----------------------------------------------------------------


def cyclonedx(report: Report, advisories: Iterable[Advisory], now: str) -> str:
    """The CycloneDX document with an analysis of each vulnerability. ``now`` is as above."""
    said = statements(report, advisories)
    products = {one.product.purl: one.product for one in said}
    grouped: dict[tuple[str, str, tuple[str, ...]], list[Statement]] = defaultdict(list)
    for one in said:
        grouped[one.advisory.id, one.status, one.why].append(one)
    vulnerabilities = [_vulnerability(group) for group in grouped.values()]
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": CYCLONEDX,
        "serialNumber": f"urn:uuid:{_identity(vulnerabilities)}",
        "version": 1,
        "metadata": {
            "timestamp": now,
            "tools": {"components": [{"type": "application", "name": TOOL}]},
        },
        "components": [_component(product) for product in products.values()],
        "vulnerabilities": vulnerabilities,
    }
    return json.dumps(document, indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def _component(product: Product) -> Mapping[str, Any]:
    is_image = product.purl != product.package
    told = {
        "type": "container" if is_image else "library",
        "bom-ref": product.purl,
        "name": product.name,
        "version": product.version,
        "purl": product.purl,
    }
    return {key: value for key, value in told.items() if value}


def _vulnerability(group: list[Statement]) -> Mapping[str, Any]:
    first = group[0]
    advisory = first.advisory
    analysis: dict[str, Any] = {"state": STATES[first.status]}
    if first.status == "not_affected":
        analysis["justification"] = "code_not_reachable"
    if first.why:
        analysis["detail"] = "; ".join(first.why)
    told: dict[str, Any] = {
        "id": advisory.id,
        "source": {"name": TOOL},
        "ratings": [{"severity": "info" if advisory.severity == "note" else advisory.severity}],
        "description": advisory.title,
        "recommendation": remedy_of(advisory),
        "analysis": analysis,
        "affects": [{"ref": one.product.purl} for one in group],
    }
    if advisory.aliases:
        told["references"] = [
            {"id": name, "source": {"name": name.partition("-")[0]}} for name in advisory.aliases
        ]
    return told


def _identity(document: object) -> uuid.UUID:
    """The same for the same statements, whenever they are made."""
    text = json.dumps(document, sort_keys=True, ensure_ascii=True)
    return uuid.UUID(bytes=hashlib.sha256(text.encode()).digest()[:16], version=4)
