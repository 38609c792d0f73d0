"""Parts of findings: what is said of one component; and one finding of several such parts."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace

from servelint.config import UNKNOWN_VERSION
from servelint.context import context_of, weigh
from servelint.evidence import place_of, version_places
from servelint.finding import CONFIDENCES, SEVERITIES, Finding
from servelint.judge import UNPROVEN, rank
from servelint.remarks import UNKNOWN
from servelint.source import Route
from servelint.unit import LATENT
from servelint.wording import message, remedy, title

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from servelint.advisory import Advisory
    from servelint.deployment import Component
    from servelint.policy import Measure
    from servelint.rule import Rule
    from servelint.source import Span
    from servelint.verdict import Place, Verdict

    Records = dict[str, Advisory | Rule]

UNKNOWN_ID = UNKNOWN.id
"""The id of a finding about a version that cannot be told."""

ROOT = "."
"""The unit that is the root itself."""

_COUNTED = re.compile(r" \(\d+\)\Z")
"""What tells two variants of one file apart."""


@dataclass(frozen=True, slots=True)
class Part:
    """The verdicts of one status on one component that may share a finding; at least one."""

    verdicts: tuple[Verdict, ...]

    @property
    def component(self) -> Component:
        """What it is about."""
        return self.verdicts[0].component

    @property
    def is_unknown(self) -> bool:
        """True when all that is missing for an answer is the version."""
        return all(verdict.doubt == "version" for verdict in self.verdicts)

    def key(self) -> object:
        """Parts with equal keys are one finding."""
        component = self.component
        is_unknown = all(verdict.doubt == "version" for verdict in self.verdicts)
        causes = frozenset(verdict.cause for verdict in self.verdicts if not is_unknown)
        places = [
            p for one in self.verdicts for p in (one.places[:1] if one.by_rule else one.version)
        ]
        evidence = tuple(dict.fromkeys(place.span for place in places))
        owner, launch = component.owner, component.invocation.launch.span
        around = Route(owner.unit) if owner.on_page else (launch.path, launch.start)
        status = self.verdicts[0].status
        return causes, status, evidence or around, _context(component), _is_latent(component)

    def places(self) -> tuple[Place, ...]:
        """The place to edit, then all others."""
        return tuple(_places(self.verdicts))

    def paths(self) -> tuple[str, ...]:
        """The paths by which a configuration may mean this.

        Those of the place to edit, of the unit that is deployed, and of the file by which
        it is varied; that of the launch where it belongs to the unit. What an overlay takes
        from a base is the overlay's, whatever is asked of the base.
        """
        component = self.component
        varied = "" if _is_latent(component) else _COUNTED.sub("", component.variant)
        paths = (self.places()[0].span.path, component.owner.unit, *_inside(component), varied)
        return tuple(dict.fromkeys(path for path in paths if path))


def parts_of(verdicts: Iterable[Verdict]) -> tuple[Part, ...]:
    """The verdicts that people are told of, by component and status."""
    grouped: dict[tuple[Component, str, object], list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        if verdict.status in ("affected", "under_investigation") and not verdict.silent:
            grouped[verdict.component, verdict.status, _alone(verdict)].append(verdict)
    return tuple(Part(tuple(members)) for members in grouped.values())


def _alone(verdict: Verdict) -> object:
    """What tells a verdict from others on a component; those without share a finding."""
    if verdict.by_rule:
        return verdict.cause, verdict.places[:1]
    return verdict.cause if verdict.alone else ""


# -- what a part weighs -------------------------------------------------------


def weighed(part: Part, measure: Measure, records: Records) -> Part:
    """A part whose verdicts weigh what is asked for where it stands."""
    verdicts = [_weighed(verdict, measure, records[verdict.cause]) for verdict in part.verdicts]
    if part.is_unknown:
        verdicts = [_of_unknown(verdict, measure) for verdict in verdicts]
    return Part(tuple(verdicts))


def _weighed(verdict: Verdict, measure: Measure, record: Advisory | Rule) -> Verdict:
    """What was judged to weigh less than its record, for want of proof or for what helps, may."""
    asked = measure.severity.get(verdict.cause)
    if asked is None:
        return verdict
    is_proven = verdict.status == "affected" and verdict.component.resolution.clears
    ceiling = asked if verdict.by_rule or is_proven else UNPROVEN
    if SEVERITIES.index(verdict.severity) > SEVERITIES.index(record.severity):
        ceiling = verdict.severity
    return replace(verdict, severity=_weaker(asked, ceiling))


def _of_unknown(verdict: Verdict, measure: Measure) -> Verdict:
    """What a version weighs that cannot be told: never more than what it may be."""
    asked = measure.severity.get(UNKNOWN_ID)
    if asked is not None:
        return replace(verdict, severity=asked)
    severity = UNKNOWN_VERSION[measure.unknown_version] if verdict.version else "low"
    return replace(verdict, severity=_weaker(severity, verdict.severity))


def _weaker(*severities: str) -> str:
    return max(severities, key=SEVERITIES.index)


# -- one finding --------------------------------------------------------------


def finding_of(verdicts: Iterable[Verdict], records: Records) -> Finding:
    """The finding that some verdicts with one key make. Its fingerprint is still missing."""
    group = sorted(verdicts, key=rank)
    worst = group[0]
    causes = tuple(dict.fromkeys(verdict.cause for verdict in group))
    is_unknown = all(verdict.doubt == "version" for verdict in group)
    primary, *related = _places(group)
    context = _context(worst.component)
    severity = SEVERITIES[-1] if _is_latent(worst.component) else worst.severity
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
    values = component.variant.replace("/ci/", "/test/")  # values that only a chart's tests use
    return context_of(component.owner.unit, values, *_inside(component))


def _inside(component: Component) -> tuple[str, ...]:
    """The file that starts it, where it lies in the directory that is its unit."""
    unit, path = component.owner.unit, component.invocation.launch.span.path
    return (path,) if unit == ROOT or path.startswith(f"{unit}/") else ()


def _is_latent(component: Component) -> bool:
    return component.variant == LATENT


def _places(group: Sequence[Verdict]) -> list[Place]:
    """The place to edit first: the version evidence, else the role flag; then all others.

    What is off by default is shown where it could be switched on.
    """
    version = [place for verdict in group for place in _version(verdict)]
    others = [place for verdict in group for place in verdict.places]
    told = dict.fromkeys(verdict.component for verdict in group if not verdict.by_rule)
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
