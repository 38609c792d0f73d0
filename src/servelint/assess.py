"""From gathered facts to the report: link, group, judge, report."""

from __future__ import annotations

import time
from collections import Counter, defaultdict

import servelint_builtins
from servelint.commands import CommandReader
from servelint.config import ConfigError
from servelint.evidence import version_places
from servelint.facts import Launch
from servelint.finding import COUNTS, Report
from servelint.group import deployments
from servelint.judge import check, judge
from servelint.link import components, invocation_of
from servelint.parts import UNKNOWN_ID
from servelint.plugins import registry_of
from servelint.policy_file import policy
from servelint.profiles import judged
from servelint.remarks import REMARKS, notes, remarks
from servelint.report import findings, is_named, shown, standings
from servelint.stated import stating
from servelint.statement_file import said
from servelint.suppress import with_comments
from servelint.surroundings import Surroundings
from servelint.unit import LATENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from servelint.config import Config
    from servelint.deployment import Component, Deployment, Invocation
    from servelint.finding import Finding, Skip
    from servelint.gather import Gathered
    from servelint.plugins import Registry
    from servelint.statement import Said
    from servelint.verdict import Place, Standing, Verdict


def launches(gathered: Gathered, config: Config) -> dict[int, Invocation]:
    """What each launch that concerns an engine runs, by the identity of the launch."""
    stated = said(config)
    engines = tuple(stating(engine, stated) for engine in registry_of(config).engines)
    around, reader = Surroundings(gathered.facts), CommandReader(engines)
    read = {
        id(fact): invocation_of(fact, around, reader, engines)
        for fact in gathered.facts
        if isinstance(fact, Launch)
    }
    return {key: one for key, one in read.items() if one.engine or reader.has_role_flag(one)}


def assess(gathered: Gathered, config: Config, start: float) -> Report:
    """Judge what would run. ``start`` is the time at which the run began.

    Everything is judged; what has no place in a file or directory that was
    named is left out of the report. Raises :class:`ConfigError` when an id is
    selected that nothing has: the run would look clean for the wrong reason.
    """
    registry = registry_of(config)
    ids = _ids(registry)
    stated, asked = said(config), policy(config, ids)
    _check(config, registry, ids, stated)
    texts = gathered.texts | stated.texts | asked.texts
    asked, complaints = with_comments(asked, texts, ids)
    engines = tuple(stating(engine, stated) for engine in registry.engines)
    found = components(gathered.facts, engines, stated)
    groups = deployments(found)
    advisories, rules = judged(registry, config)
    verdicts = tuple(
        verdict for group in groups for verdict in (*judge(group, advisories), *check(group, rules))
    )
    every = (*remarks(stated, gathered.facts), *complaints)
    made = findings(verdicts, (*advisories, *rules), config, every, asked)
    names = frozenset(config.names)
    kept = tuple(one for one in made.findings if _is_named(one, names))
    hidden = tuple(one for one in made.suppressed if _is_named(one.finding, names))
    skips = tuple(skip for skip in gathered.skips if _is_shown(skip, names))
    groups = tuple(_shown_groups(groups, verdicts, names))
    decided = standings(groups, verdicts)
    there = {component for group in groups for component in group.components}
    return Report(
        findings=kept,
        deployments=groups,
        standings=decided,
        skips=skips,
        suppressed=hidden,
        counts=_counts(gathered, decided, skips) | {"suppressed": len(hidden)},
        data_date=servelint_builtins.DATA_DATE,
        seconds=time.perf_counter() - start,
        texts=texts,
        named=bool(names),
        notes=tuple(notes(found, servelint_builtins.DATA_DATE, config.today)),
        verdicts=tuple(one for one in verdicts if one.component in there),
    )


def _check(config: Config, registry: Registry, ids: Collection[str], stated: Said) -> None:
    """Raise :class:`ConfigError` for what names a thing that does not exist."""
    _check_ids("select", config.select, ids)
    advisories = {each.id for each in registry.advisories}
    for one in (*stated.images, *stated.paths):
        _check_ids(f"{one.span.path}: waives", one.waives, advisories)


def _ids(registry: Registry) -> set[str]:
    """All ids that a finding may have."""
    ids = {record.id for record in registry.advisories} | {rule.id for rule in registry.rules}
    return ids | {remark.id for remark in REMARKS} | {UNKNOWN_ID}


def _check_ids(place: str, named: Iterable[str], known: Collection[str]) -> None:
    for name in named:
        if name not in known:
            listed = ", ".join(sorted(known))
            raise ConfigError(f"{place}: unknown id {name!r}; known are {listed}")


def _is_named(finding: Finding, names: Collection[str]) -> bool:
    """True when a place of a finding was named, or the file by which its unit is varied."""
    if shown(finding.places(), names):
        return True
    return any(is_named(component.variant, names) for component in finding.components)


def _counts(
    gathered: Gathered, decided: Iterable[Standing], skips: Sequence[Skip]
) -> dict[str, int]:
    """The numbers of a run."""
    counted = Counter(each.status for each in decided if _is_counted(each.component))
    return dict.fromkeys(COUNTS, 0) | {
        "files": gathered.listed,
        "relevant": len(gathered.texts),
        "components": counted.total(),
        "affected": counted["affected"],
        "unknown": counted["under_investigation"],
        "not_affected": counted["not_affected"],
        "fixed": counted["fixed"],
        "skipped": len(skips),
    }


def _is_counted(component: Component) -> bool:
    """Routers serve no tokens, and what is off by default is not there."""
    return component.kind == "server" and component.variant != LATENT


def _is_shown(skip: Skip, names: Collection[str]) -> bool:
    """A skip of the whole root concerns every name."""
    return skip.path == "." or shown((skip,), names)


def _shown_groups(
    groups: Iterable[Deployment], verdicts: Iterable[Verdict], names: Collection[str]
) -> Iterable[Deployment]:
    """The deployments of which a component has a place in what was named."""
    judged: dict[Component, list[Place]] = defaultdict(list)
    for verdict in verdicts:
        judged[verdict.component].extend((*verdict.version, *verdict.places))
    for group in groups:
        for each in group.components:
            places = (*each.resolution.evidence, *version_places(each), *judged[each])
            if shown((each.invocation.launch, *places), names):
                yield group
                break
