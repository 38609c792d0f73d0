"""From verdicts to findings: one cause, one finding; then what the user asked to see of them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace

from servelint.finding import SEVERITIES, Skip
from servelint.fingerprint import Namer
from servelint.judge import rank
from servelint.parts import UNKNOWN_ID, finding_of, parts_of, weighed
from servelint.policy import Measure, Policy, Suppressed
from servelint.suppress import Wishes, hiding, share, unused
from servelint.verdict import Standing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from servelint.advisory import Advisory
    from servelint.config import Config
    from servelint.deployment import Component, Deployment
    from servelint.facts import Fact
    from servelint.finding import Finding
    from servelint.parts import Records
    from servelint.policy import Suppression
    from servelint.rule import Rule
    from servelint.source import Span
    from servelint.suppress import Use
    from servelint.verdict import Place, Verdict

NOT_JUDGED = "no advisory or rule applies"
"""Why a server that no verdict names is not affected."""


@dataclass(frozen=True, slots=True)
class Found:
    """What is told, and what is not because somebody asked for that; each worst first."""

    findings: tuple[Finding, ...]
    suppressed: tuple[Suppressed, ...] = ()


def findings(
    verdicts: Sequence[Verdict],
    known: Sequence[Advisory | Rule],
    config: Config,
    remarks: Iterable[Finding] = (),
    policy: Policy | None = None,
) -> Found:
    """The findings of a run. ``known`` is all that the verdicts may name.

    ``remarks`` are about no server, and come as findings already. Without a ``policy``
    the configuration alone is asked.
    """
    records = {record.id: record for record in known}
    asked = policy or Policy(
        Measure(config.severity, config.unknown_version, frozenset(config.ignore))
    )
    wishes = Wishes(asked)
    shares = _shares(verdicts, records, asked, wishes)
    told = [_measured(one, asked) for one in remarks]
    used = shares.used.union(*(_uses(one, wishes) for one in told))
    if not config.names:  # what was named may not be all that a suppression is about
        told += [_measured(one, asked) for one in unused(wishes, used, records)]
    whole = {home: finding_of(group, records) for home, group in shares.whole.items()}
    namer = Namer(records, (*whole.items(), *enumerate(told)))
    made: list[tuple[Finding, Suppression | None]] = []
    for piece in shares.pieces():
        is_whole = piece.verdicts == shares.whole.get(piece.key)
        finding = whole[piece.key] if is_whole else finding_of(piece.verdicts, records)
        named = replace(finding, fingerprint=namer.of(piece.key, piece.home, finding))
        if _is_selected(named, config):
            made.append((_narrowed(named, piece.verdicts, records, config), piece.by))
    for index, one in enumerate(told):
        named = replace(one, fingerprint=namer.of(index, index, one))
        if _is_selected(named, config) and not _is_ignored(one, asked):
            made.append((named, next(iter(hiding(one, wishes)), None)))
    made.sort(key=lambda each: _rank(each[0]))
    return Found(
        findings=tuple(one for one, by in made if by is None),
        suppressed=tuple(Suppressed(one, by) for one, by in made if by is not None),
    )


def _rank(finding: Finding) -> tuple[int, Span, str]:
    return SEVERITIES.index(finding.severity), finding.primary.span, finding.id


def _narrowed(
    finding: Finding, group: Sequence[Verdict], records: Records, config: Config
) -> Finding:
    """The finding as far as it was selected; it stays the same finding."""
    wanted = [verdict for verdict in group if verdict.cause in config.select]
    if not wanted or UNKNOWN_ID in config.select:
        return finding
    return replace(finding_of(wanted, records), fingerprint=finding.fingerprint)


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


def shown(places: Iterable[Place | Skip | Fact], named: Collection[str]) -> bool:
    """True when any place lies in a file or directory that was named; no names: always."""
    if not named:
        return True
    paths = {place.path if isinstance(place, Skip) else place.span.path for place in places}
    return any(is_named(path, named) for path in paths)


def is_named(path: str, named: Collection[str]) -> bool:
    """True for a file that was named, or one below a directory that was."""
    # Names may be all files that changed: the path asks for them, they do not ask the path.
    above = (path[:at] for at, char in enumerate(path) if char == "/")
    return path in named or any(directory in named for directory in above)


# -- sharing out --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Piece:
    """Verdicts that make one finding, or what ``by`` takes from one.

    ``home`` is the key that they had before anything was taken away.
    """

    key: object
    home: object
    by: Suppression | None = None
    verdicts: list[Verdict] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Shares:
    """All verdicts by the key of their finding, and what of them is told and what is not."""

    whole: dict[object, list[Verdict]] = field(default_factory=lambda: defaultdict(list))
    kept: dict[object, _Piece] = field(default_factory=dict)
    taken: dict[object, _Piece] = field(default_factory=dict)
    used: set[Use] = field(default_factory=set)

    def pieces(self) -> Iterator[_Piece]:
        """First those that keep the name of a whole finding, last what is not told."""
        yield from (piece for key, piece in self.kept.items() if key in self.whole)
        yield from (piece for key, piece in self.kept.items() if key not in self.whole)
        yield from self.taken.values()


def _shares(
    verdicts: Iterable[Verdict], records: Records, policy: Policy, wishes: Wishes
) -> _Shares:
    shares = _Shares()
    for plain in parts_of(verdicts):
        measure = policy.at(plain.paths()) if policy.overrides else policy.measure
        part = weighed(plain, measure, records)
        home = part.key()
        shares.whole[home] += part.verdicts
        shared = share(part, wishes, measure.ignore)
        shares.used.update(shared.used)
        if shared.kept is not None:
            key = shared.kept.key()
            shares.kept.setdefault(key, _Piece(key, home)).verdicts.extend(shared.kept.verdicts)
        for by, lost in shared.taken:
            key = (home, by)
            shares.taken.setdefault(key, _Piece(key, home, by)).verdicts.extend(lost.verdicts)
    return shares


# -- remarks ------------------------------------------------------------------


def _measured(remark: Finding, policy: Policy) -> Finding:
    """A remark with the severity that is asked for."""
    severity = policy.at((remark.primary.span.path,)).severity
    return replace(remark, severity=severity.get(remark.id, remark.severity))


def _uses(remark: Finding, wishes: Wishes) -> set[Use]:
    return {(one, remark.id) for one in hiding(remark, wishes)}


def _is_ignored(remark: Finding, policy: Policy) -> bool:
    return remark.id in policy.at((remark.primary.span.path,)).ignore


def _is_selected(finding: Finding, config: Config) -> bool:
    return not config.select or bool({finding.id, *finding.causes}.intersection(config.select))
