"""From verdicts to findings: one cause, one finding; then what the user asked to see of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from hashlib import sha256

from servelint.config import UNKNOWN_VERSION
from servelint.context import context_of, weigh
from servelint.evidence import place_of, version_places
from servelint.finding import CONFIDENCES, SEVERITIES, Finding, Skip
from servelint.judge import rank
from servelint.source import Route
from servelint.unit import LATENT
from servelint.verdict import Place, Standing, Verdict
from servelint.wording import message, remedy, title

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from servelint.advisory import Advisory
    from servelint.config import Config
    from servelint.deployment import Component, Deployment
    from servelint.facts import Fact
    from servelint.rule import Rule
    from servelint.source import Span

    Records = dict[str, Advisory | Rule]

NOT_JUDGED = "no advisory or rule applies"
"""Why a server that no verdict names is not affected."""

UNKNOWN_ID = "unknown-version"
"""The rule for a disaggregated server whose version cannot be told."""


def findings(
    verdicts: Sequence[Verdict],
    known: Sequence[Advisory | Rule],
    config: Config,
    remarks: Iterable[Finding] = (),
) -> tuple[Finding, ...]:
    """The findings of a run, worst first. ``known`` is all that the verdicts may name.

    ``remarks`` are about no server, and come as findings already.
    """
    records = {record.id: record for record in known}
    groups: dict[object, list[Verdict]] = defaultdict(list)
    for members in _by_component(verdicts, config):
        groups[_key(members)].extend(members)
    made = [(_finding(group, records, config), group) for group in groups.values()]
    made.extend((remark, []) for remark in remarks)
    made.sort(key=lambda one: (SEVERITIES.index(one[0].severity), one[0].primary.span))
    whole = _with_ordinals([finding for finding, _ in made], records)
    return tuple(
        _narrowed(finding, group, records, config)
        for finding, (_, group) in zip(whole, made, strict=True)
        if _selected(finding, config)
    )


def _narrowed(
    finding: Finding, group: Sequence[Verdict], records: Records, config: Config
) -> Finding:
    """The finding as far as it was selected; it stays the same finding."""
    wanted = [verdict for verdict in group if verdict.cause in config.select]
    if not wanted or UNKNOWN_ID in config.select:
        return finding
    return replace(_finding(wanted, records, config), fingerprint=finding.fingerprint)


def standings(
    deployments: Iterable[Deployment], verdicts: Iterable[Verdict]
) -> tuple[Standing, ...]:
    """What was decided of every component: the worst status of its verdicts."""
    judged: dict[Component, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        if not verdict.by_rule:
            judged[verdict.component].append(verdict)
    every = (component for deployment in deployments for component in deployment.components)
    return tuple(_standing(component, judged[component]) for component in every)


def _standing(component: Component, verdicts: Sequence[Verdict]) -> Standing:
    if not verdicts:
        why = "a router serves no tokens itself" if component.kind == "router" else NOT_JUDGED
        return Standing(component, "not_affected", why)
    status = min(verdicts, key=rank).status
    reasons = dict.fromkeys(verdict.why for verdict in verdicts if verdict.status == status)
    return Standing(component, status, "; ".join(why for why in reasons if why))


def shown(places: Iterable[Place | Skip | Fact], named: Sequence[str]) -> bool:
    """True when any place lies in a file or directory that was named; no names: always."""
    if not named:
        return True
    paths = {place.path if isinstance(place, Skip) else place.span.path for place in places}
    return any(is_named(path, named) for path in paths)


def is_named(path: str, named: Sequence[str]) -> bool:
    """True for a file that was named, or one below a directory that was."""
    return any(path == name or path.startswith(f"{name}/") for name in named)


# -- grouping -----------------------------------------------------------------


def _by_component(verdicts: Iterable[Verdict], config: Config) -> Iterable[list[Verdict]]:
    """The verdicts that make findings, by component and status."""
    grouped: dict[tuple[Component, str, str], list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        speaks = verdict.status in ("affected", "under_investigation") and not verdict.silent
        if speaks and verdict.cause not in config.ignore:
            alone = verdict.cause if verdict.by_rule else ""
            grouped[verdict.component, verdict.status, alone].append(verdict)
    return grouped.values()


def _key(members: Sequence[Verdict]) -> object:
    component, status = members[0].component, members[0].status
    causes = frozenset(verdict.cause for verdict in members)
    places = [p for one in members for p in (one.places[:1] if one.by_rule else one.version)]
    evidence = tuple(dict.fromkeys(place.span for place in places))
    owner = component.owner
    launch = component.invocation.launch.span
    around = Route(owner.unit) if owner.on_page else (launch.path, launch.start)
    return causes, status, evidence or around, _context(component), _is_latent(component)


def _finding(members: Sequence[Verdict], records: Records, config: Config) -> Finding:
    group = sorted(members, key=rank)
    worst = group[0]
    causes = tuple(dict.fromkeys(verdict.cause for verdict in group))
    is_unknown = all(verdict.doubt == "version" for verdict in group)
    primary, *related = _places(group)
    context = _context(worst.component)
    severity = worst.severity
    if is_unknown:
        evidence = bool(worst.version)
        severity = UNKNOWN_VERSION[config.unknown_version] if evidence else "low"
        severity = max(severity, worst.severity, key=SEVERITIES.index)
    if _is_latent(worst.component):
        severity = SEVERITIES[-1]
    return Finding(
        id=UNKNOWN_ID if is_unknown else worst.cause,
        causes=causes,
        title=title(worst, records, is_unknown=is_unknown),
        status=worst.status,
        severity=weigh(severity, context, is_unknown=is_unknown),
        confidence=max(
            (one.confidence for one in group if rank(one) == rank(worst)), key=CONFIDENCES.index
        ),
        context=context,
        message=message(group, is_unknown=is_unknown),
        remedy=remedy(worst, [records[cause] for cause in causes], is_unknown=is_unknown),
        primary=primary,
        related=tuple(related),
        components=tuple(dict.fromkeys(verdict.component for verdict in group)),
        fingerprint="",
    )


def _context(component: Component) -> str:
    """The context of a unit, of what it is varied by, and of the part of it that starts this."""
    unit, path = component.owner.unit, component.invocation.launch.span.path
    inside = (path,) if path.startswith(f"{unit}/") else ()
    values = component.variant.replace("/ci/", "/test/")  # values that only a chart's tests use
    return context_of(unit, values, *inside)


def _is_latent(component: Component) -> bool:
    return component.variant == LATENT


def _places(group: Sequence[Verdict]) -> list[Place]:
    """The place to edit first: the version evidence, else the role flag; then all others.

    What is off by default is shown where it could be switched on.
    """
    version = [place for verdict in group for place in _version(verdict)]
    others = [place for verdict in group for place in verdict.places]
    told = [verdict.component for verdict in group if not verdict.by_rule]
    through = [place for component in told for place in version_places(component)]
    if all(_is_latent(verdict.component) for verdict in group):
        return _unique([*others, *version, *through])
    return _unique([*version, *others, *through])


def _version(verdict: Verdict) -> tuple[Place, ...]:
    """What tells the version; for an image whose version is in doubt, the image before all."""
    image = verdict.component.image
    if verdict.doubt == "version" and image is not None:
        return (place_of(image), *verdict.version)
    return verdict.version


def _unique(places: Iterable[Place]) -> list[Place]:
    """One place a span: the first says best what stands there.

    Of values, one inside a place of another kind or around another place says nothing more.
    """
    first: dict[Span, Place] = {}
    for place in places:
        first.setdefault(place.span, place)
    every = tuple(first.values())
    return [place for place in every if not (place.label == "value" and _is_said(place, every))]


def _is_said(value: Place, places: Iterable[Place]) -> bool:
    return any(
        _holds(value.span, place.span)
        or (place.label != "value" and _holds(place.span, value.span))
        for place in places
    )


def _holds(outer: Span, inner: Span) -> bool:
    same = inner.path == outer.path and inner != outer
    return same and outer.start <= inner.start and inner.end <= outer.end


def _selected(finding: Finding, config: Config) -> bool:
    ids = {finding.id, *finding.causes}
    if finding.id in config.ignore:
        return False
    return not config.select or bool(ids.intersection(config.select))


def _with_ordinals(found: Sequence[Finding], records: Records) -> tuple[Finding, ...]:
    """Fingerprints: what a finding is about, and which of several equals it is.

    No line numbers, and no advisory ids: a new record must not make old findings new.
    """
    seen: Counter[str] = Counter()
    done: list[Finding] = []
    for finding in found:
        place = finding.primary
        subject = getattr(records.get(finding.id), "package", finding.id)
        about = (subject, place.span.path, *place.route.keys(), place.text)
        base = "\0".join(about)
        digest = sha256(f"{base}\0{seen[base]}".encode("utf-8", "surrogatepass")).hexdigest()
        seen[base] += 1
        done.append(replace(finding, fingerprint=digest[:32]))
    return tuple(done)
