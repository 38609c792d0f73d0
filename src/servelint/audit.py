"""Whether an advisory is for a version that an audit of packages asks about.

An audit asks by name and version, and its database cannot say "only when". So the servers of
the repository are judged once more, as if they ran the version that is asked for. What they
show decides: found, not excluded, or not so, each with its places.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from servelint.conditions import hold_by_default
from servelint.context import context_of
from servelint.deployment import Release, Resolution
from servelint.finding import SEVERITIES
from servelint.judge import UNPROVEN, judge
from servelint.unit import LATENT
from servelint.versions import in_range, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from servelint.advisory import Advisory, Affected
    from servelint.deployment import Component, Deployment
    from servelint.engine import Engine
    from servelint.finding import Report, Skip
    from servelint.source import Span
    from servelint.verdict import Verdict

AUTO, DISAGGREGATED, SINGLE = "auto", "disaggregated", "single"
ASSUMPTIONS = (AUTO, DISAGGREGATED, SINGLE)
"""What to take for granted of servers: nothing, that they are halves of pairs, that none is."""

FOUND, POSSIBLE, NOT = "found", "possible", "not"
"""Whether conditions hold in the repository."""

_ORDER = (FOUND, POSSIBLE, NOT)

OTHER_ROLE = "of the other role only"
"""What :mod:`servelint.judge` says of a server that an advisory for one role is not for."""

_PINNED = ("lock", "requirement")
"""How a version is told that an audit would ask for."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What one server, or their lack, says: ``why`` is a clause, ``place`` is ``path:line``.

    ``status`` is ``found``, ``possible`` or ``not``. ``taken``: somebody said so, nothing showed.
    ``clears``: it may stand for how the package is run; what a guide or a test starts may not.
    """

    status: str
    severity: str
    why: str
    place: str = ""
    taken: bool = False
    clears: bool = True


@dataclass(frozen=True, slots=True)
class Answer:
    """What a repository says of one advisory and one version.

    ``rows`` are the ranges that hold the version; ``places`` all that show what ``sight`` says.
    """

    advisory: Advisory
    rows: tuple[Affected, ...]
    sight: Sight
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """A repository that was read: ``report`` is of its whole root.

    ``place`` shows where a span begins, ``assume`` is one of :data:`ASSUMPTIONS`. ``is_exact``:
    all versions that are asked for are what servers run, so only those that run one speak of it.
    """

    report: Report
    place: Callable[[Span], str]
    assume: str = AUTO
    is_exact: bool = False


def answers(
    scene: Scene, engine: Engine, advisories: tuple[Advisory, ...], version: str
) -> Iterator[Answer]:
    """The answer of each advisory of an engine that speaks of a version at all."""
    for advisory in advisories:
        if advisory.package in engine.packages and not advisory.withdrawn:
            rows = _rows(advisory, version, engine)
            if rows:
                yield _answer(scene, engine, advisory, rows, version)


def _rows(advisory: Advisory, version: str, engine: Engine) -> tuple[Affected, ...]:
    """The ranges that hold a version, or may."""
    asked = (Release(version),)
    return tuple(row for row in advisory.affected if in_range(asked, row, engine.releases) != "no")


def _answer(
    scene: Scene, engine: Engine, advisory: Advisory, rows: tuple[Affected, ...], version: str
) -> Answer:
    seen = tuple(_sights(scene, engine, advisory, version))
    best = min(seen, key=_by_weight, default=None)
    if scene.assume == SINGLE and all(map(_asks_role, rows)):
        return Answer(advisory, rows, _taken_for_single(best))
    if best is None or best.status == NOT:
        by_default = tuple(row for row in rows if _is_default(row, engine))
        doubt = _doubt(scene, by_default, seen) if by_default else None
        if doubt is not None:
            return Answer(advisory, by_default, doubt)
    if best is None:
        best = Sight(NOT, "", "nothing here asks for what it takes")
    alike = (one.place for one in seen if (one.status, one.why) == (best.status, best.why))
    return Answer(advisory, rows, best, tuple(dict.fromkeys(place for place in alike if place)))


def _by_weight(sight: Sight) -> tuple[int, int, bool]:
    """Sorts sights: what counts most, and says most, first."""
    says_little = sight.why == OTHER_ROLE
    return _ORDER.index(sight.status), SEVERITIES.index(sight.severity), says_little


def _taken_for_single(best: Sight | None) -> Sight:
    against = f", although {best.place} starts one half" if best and best.status == FOUND else ""
    return Sight(NOT, "", f"taken for a single server{against}", taken=True)


def _asks_role(row: Affected) -> bool:
    return any(condition.subject == "role" for condition in row.when)


def _is_default(row: Affected, engine: Engine) -> bool:
    """True for a range that half of a pair is in unless somebody has set something."""
    is_said = row.basis != "observed"  # code that looks alike accuses who surely runs it
    return is_said and hold_by_default(row.when, engine) != "no"


def _doubt(scene: Scene, rows: tuple[Affected, ...], seen: tuple[Sight, ...]) -> Sight | None:
    """What speaks for a pair where no server that was read is half of one."""
    if scene.assume == DISAGGREGATED and any(map(_asks_role, rows)):
        return Sight(FOUND, "", "taken for disaggregated", taken=True)
    if not any(one.clears for one in seen):
        only = "but guides, examples and tests " if seen else "in this repository "
        return Sight(POSSIBLE, UNPROVEN, f"nothing {only}shows how it is started")
    skips = [skip for skip in scene.report.skips if _may_start(skip)]
    if not skips:
        return None
    more = f" and {len(skips) - 1} more" if skips[1:] else ""
    return Sight(POSSIBLE, UNPROVEN, f"{skips[0].path}{more} could not be read")


def _may_start(skip: Skip) -> bool:
    """True for what could not be read and may start a server that counts."""
    return context_of(skip.path) == "deployment"


# -- servers ------------------------------------------------------------------


def _sights(scene: Scene, engine: Engine, advisory: Advisory, version: str) -> Iterator[Sight]:
    hidden = _hidden(scene.report, advisory.id)
    for group in scene.report.deployments:
        if group.components[0].engine.id != engine.id:
            continue
        running = _running(group, version)
        originals = dict(zip(running.components, group.components, strict=True))
        for verdict in judge(running, (advisory,)):
            original = originals[verdict.component]
            if scene.is_exact and not _runs(original, version):
                continue
            span = verdict.places[0].span  # at least where it is launched
            place = scene.place(span)
            if original in hidden:
                yield Sight(NOT, verdict.severity, "suppressed there", place)
                continue
            clears = context_of(span.path) == "deployment"
            status, why = _status(verdict), _why(verdict)
            yield Sight(status, verdict.severity, why, place, clears=clears)


def _running(group: Deployment, version: str) -> Deployment:
    """The same servers, on the version that is asked for."""
    told = (Release(version),)
    return replace(
        group,
        components=tuple(
            replace(one, resolution=Resolution(one.resolution.package, told, via="lock"))
            for one in group.components
        ),
    )


def _runs(component: Component, version: str) -> bool:
    """True for a server of which nothing excludes that it runs a version."""
    told = component.resolution
    exact = [one.version for one in told.candidates if isinstance(one, Release)]
    is_sure = exact and len(exact) == len(told.candidates) and told.clears
    return not is_sure or parse(version) in map(parse, exact)


def _hidden(report: Report, name: str) -> frozenset[Component]:
    """The servers of which people asked not to be told this, and that run what is pinned."""
    return frozenset(
        one
        for each in report.suppressed
        if name in each.finding.causes
        for one in each.finding.components
        if one.resolution.via in _PINNED
    )


def _status(verdict: Verdict) -> str:
    if verdict.status == "affected":
        return POSSIBLE if verdict.component.variant == LATENT else FOUND
    is_open = verdict.status == "under_investigation"
    return POSSIBLE if is_open and (not verdict.silent or verdict.doubt == "role") else NOT


def _why(verdict: Verdict) -> str:
    if verdict.status == "affected":
        is_latent = verdict.component.variant == LATENT
        return "it is off by default and can be switched on" if is_latent else ""
    if verdict.status != "under_investigation":
        return verdict.why
    if verdict.silent and verdict.doubt != "role":
        return f"nothing points to {verdict.why}"
    if verdict.doubt == "role":
        return "whether it is disaggregated cannot be told"
    if verdict.doubt == "condition":
        return f"what {verdict.why} is cannot be told"
    return "what is in this version cannot be told"
