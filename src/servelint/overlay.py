"""The records of a repository, for the database of an audit to give beside its own."""

from __future__ import annotations

from dataclasses import dataclass, field

from packaging.utils import canonicalize_name

import servelint_builtins
from servelint.audit import NOT, POSSIBLE, Answer, answers
from servelint.deployment import Release
from servelint.finding import SEVERITIES
from servelint.osv import Narrowed, record
from servelint.reporters.lines import safe
from servelint.versions import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from servelint.advisory import Advisory, Affected
    from servelint.audit import Scene
    from servelint.config import Config
    from servelint.engine import Engine
    from servelint.listing import Inventory

MAX_PLACES = 2
"""Places that a summary names; it counts the others."""

_DEFAULT_LIMIT = "medium"
"""What a record has to weigh where the configuration lets no finding fail."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """Answers of :mod:`servelint.audit` as OSV records.

    ``notes`` grow with what is asked: what was not given, and what is not sure, and why.
    """

    scene: Scene
    engines: tuple[Engine, ...]
    advisories: tuple[Advisory, ...]
    config: Config
    notes: dict[str, None] = field(default_factory=dict)
    _given: dict[tuple[str, str], tuple[dict[str, Any], ...]] = field(default_factory=dict)

    def answer(self, name: str, version: str) -> tuple[dict[str, Any], ...]:
        """The records for one version of a package, each as it holds here."""
        key = str(canonicalize_name(name)), version
        if key not in self._given:
            self._given[key] = tuple(self._records(*key))
        return self._given[key]

    def record(self, name: str) -> dict[str, Any] | None:
        """A record that was given, by its id; None for any other id."""
        every = (one for records in tuple(self._given.values()) for one in records)
        return next((one for one in every if one["id"] == name), None)

    def _records(self, name: str, version: str) -> Iterator[dict[str, Any]]:
        kept: dict[str, list[str]] = {}
        for engine in self.engines:
            if name not in {str(canonicalize_name(one)) for one in engine.packages}:
                continue
            for answer in answers(self.scene, engine, self.advisories, version):
                reason = _reason(answer, self.config)
                if reason:
                    kept.setdefault(f"not served: {reason}", []).append(answer.advisory.id)
                    continue
                if answer.sight.status == POSSIBLE:
                    doubt = f"served, as it cannot be excluded: {_told(answer)}"
                    kept.setdefault(doubt, []).append(answer.advisory.id)
                yield _record(answer, engine, version)
        for reason, ids in kept.items():
            self.notes[f"{name} {version}: {', '.join(ids)} {reason}"] = None


def _reason(answer: Answer, config: Config) -> str:
    """Why a record is kept back; empty for one to serve."""
    name, sight = answer.advisory.id, answer.sight
    if sight.status == NOT:
        return _told(answer)
    if name in config.ignore or (config.select and name not in config.select):
        return "the configuration leaves it out"
    limit = _DEFAULT_LIMIT if config.fail_on == "never" else config.fail_on
    severity = config.severity.get(name, sight.severity or answer.advisory.severity)
    if SEVERITIES.index(severity) > SEVERITIES.index(limit):
        return f"here it weighs {severity}, and an audit fails for all that it is told"
    return ""


def _told(answer: Answer) -> str:
    """Why, and where that shows."""
    where = f" ({_listed(answer.places)})" if answer.places else ""
    return answer.sight.why + where


def _record(answer: Answer, engine: Engine, version: str) -> dict[str, Any]:
    advisory, sight = answer.advisory, answer.sight
    if sight.status == POSSIBLE:
        said = f"may apply: {_told(answer)}"
    else:
        said = sight.why if sight.taken else f"it applies here: {_listed(answer.places)}"
    narrowed = Narrowed(
        rows=answer.rows,
        fixed=_floor(advisory, answer.rows, version),
        summary=safe(f"{advisory.title} ({said})"),
        evidence=answer.places,
    )
    names = tuple(map(canonicalize_name, engine.packages))
    return record(advisory, names, narrowed, modified=servelint_builtins.DATA_DATE)


def _floor(advisory: Advisory, rows: Sequence[Affected], version: str) -> str:
    """The version to go to: what is recommended, else where the last of the ranges ends.

    An audit that fixes takes the lowest version that is offered, so no other one is.
    """
    asked = parse(version)
    ends = ((parse(row.fixed), row.fixed) for row in rows)
    last = max(((end, text) for end, text in ends if end is not None), default=(None, ""))
    for end, text in ((parse(advisory.recommended), advisory.recommended), last):
        if end is not None and (asked is None or end > asked):
            return text
    return ""


def _listed(places: Sequence[str]) -> str:
    more = f" and {len(places) - MAX_PLACES} more" if len(places) > MAX_PLACES else ""
    return ", ".join(places[:MAX_PLACES]) + more


# -- images -------------------------------------------------------------------


def held(inventory: Inventory) -> dict[tuple[str, str], tuple[str, ...]]:
    """The packages and versions that images hold, with their references.

    The version is empty for an image of which it is not known, or may be another one by now.
    """
    found: dict[tuple[str, str], dict[str, None]] = {}
    for image in inventory.images:
        told = image.resolution
        package = str(canonicalize_name(told.package or image.engine.packages[0]))
        exact = [one.version for one in told.candidates if isinstance(one, Release)]
        is_sure = exact and len(exact) == len(told.candidates) and told.clears and not told.reason
        for version in exact if is_sure else (*exact, ""):
            found.setdefault((package, version), {})[image.reference] = None
    return {key: tuple(names) for key, names in found.items()}
