"""One component, one advisory -> one verdict, with three answers.

Nothing is decided here that the evidence does not carry: a condition that an
unread word could turn makes ``affected`` less sure and never makes ``fixed``.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial

from servelint.advisory import Affected
from servelint.conditions import Answer, hold
from servelint.evidence import role_places
from servelint.finding import CONFIDENCES, SEVERITIES, STATUSES
from servelint.group import is_half
from servelint.verdict import Verdict
from servelint.versions import in_range

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from servelint.advisory import Advisory, Condition
    from servelint.deployment import Component, Deployment
    from servelint.rule import Rule
    from servelint.verdict import Place

_LESS = ("candidates", "version")
"""Doubts that the upgrade for a sure cause ends, too."""

_SURE = {"": "high", "recorded": "high", "observed": "medium"}
"""How sure a range is, by what it rests on."""

UNPROVEN = "medium"
"""What may be affected never weighs more than this: it asks for a look, not for an alarm."""


def judge(deployment: Deployment, advisories: Sequence[Advisory]) -> tuple[Verdict, ...]:
    """The verdicts on every server of a deployment."""
    return tuple(
        verdict
        for component in deployment.components
        if component.kind == "server"
        for verdict in _folded(tuple(_component(component, deployment, advisories)))
    )


def check(deployment: Deployment, rules: Sequence[Rule]) -> tuple[Verdict, ...]:
    """What the rules find in a deployment."""
    return tuple(
        Verdict(
            component=hit.component,
            cause=rule.id,
            status="affected",
            severity=hit.severity or rule.severity,
            confidence=hit.confidence,
            why=hit.why,
            places=hit.places,
            by_rule=True,
        )
        for rule in rules
        for hit in rule.check(deployment)
    )


def _folded(verdicts: tuple[Verdict, ...]) -> Iterable[Verdict]:
    """What some of the versions that may run are affected by, beside what all of them are.

    One upgrade closes both: the sure one speaks, and what is only not excluded is silent.
    """
    is_sure = any(v.status == "affected" and not (v.alone or v.silent) for v in verdicts)
    for verdict in verdicts:
        is_less = verdict.status == "under_investigation" and verdict.doubt in _LESS
        hushed = is_sure and is_less and not verdict.alone
        yield replace(verdict, silent=True) if hushed else verdict


def _component(
    component: Component, deployment: Deployment, advisories: Sequence[Advisory]
) -> Iterable[Verdict]:
    hushed = component.role == "unknown" and not _speaks_of_halves(component, deployment)
    # Most ranges ask for the same few things, and a root may have a thousand servers.
    places = cache(partial(role_places, component))
    for advisory in advisories:
        if advisory.package in component.engine.packages and not advisory.withdrawn:
            rows = [_row(component, deployment, advisory, row, places) for row in advisory.affected]
            verdict, row = min(zip(rows, advisory.affected, strict=True), key=_by_rank)
            asks_role = any(condition.subject == "role" for condition in row.when)
            silent = verdict.silent or (hushed and asks_role)
            yield _waived(replace(verdict, silent=silent))


def _waived(verdict: Verdict) -> Verdict:
    """People state that what runs is patched: their word counts like a version with the fix."""
    resolution = verdict.component.resolution
    if verdict.cause not in resolution.waives or verdict.status == "not_affected":
        return verdict
    return replace(verdict, status="fixed", why=f"waived: {resolution.waived}", doubt="")


def _speaks_of_halves(component: Component, deployment: Deployment) -> bool:
    """True when something around a server of unknown role is about disaggregation."""
    engine = component.engine
    others = [other for other in deployment.components if other is not component]
    if any(is_half(other) and other.role != "unknown" for other in others):
        return True
    given = (flag.name for one in deployment.components for flag in one.invocation.flags)
    flags = {name.partition(".")[0] for name in given}
    if flags.intersection((engine.role_flag, *engine.evidence_flags)):
        return True
    return any(env.name.startswith(engine.evidence_env) for env in component.env)


def _by_rank(judged: tuple[Verdict, Affected]) -> tuple[int, int]:
    return rank(judged[0])


def rank(verdict: Verdict) -> tuple[int, int]:
    """Sorts verdicts, worst first."""
    return STATUSES.index(verdict.status), SEVERITIES.index(verdict.severity)


def _row(
    component: Component,
    deployment: Deployment,
    advisory: Advisory,
    row: Affected,
    places: Callable[[tuple[str, ...]], tuple[Place, ...]],
) -> Verdict:
    answer = hold(row.when, component, deployment)
    resolution = component.resolution
    hit = ""
    if not resolution.reason:
        hit = in_range(resolution.candidates, row, component.engine.releases)
    status, doubt = _status(answer, hit, clears=resolution.clears)
    if row.basis == "observed" and answer.holds != "yes":
        status, doubt = "not_affected", ""  # code that looks alike accuses who surely runs it
    is_proven = status == "affected" and resolution.clears
    sure = _least("medium" if answer.assumed else "high", _SURE[row.basis])
    verdict = Verdict(
        component=component,
        cause=advisory.id,
        status=status,
        severity=_severity(answer, row, advisory, is_proven=is_proven),
        confidence=_least(resolution.confidence, sure),
        why=_why(component, advisory, row, answer, status),
        version=resolution.evidence,
        places=places(_subjects(row.when)),
        doubt=doubt,
        range=_range(row, advisory),
        assumed=answer.assumed,
        silent=answer.unlikely,
        basis=row.basis,
        alone=bool(advisory.remedy) and doubt != "version",
    )
    return _mitigated(verdict, deployment, advisory)


def _mitigated(verdict: Verdict, deployment: Deployment, advisory: Advisory) -> Verdict:
    """The verdict, weighing less where something is known to help in the version that runs."""
    component = verdict.component
    if verdict.status != "affected":
        return verdict
    for one in advisory.mitigated:
        window = Affected(one.introduced, one.fixed, ())
        works = in_range(component.resolution.candidates, window, component.engine.releases)
        if works == "yes" and hold(one.when, component, deployment) == Answer("yes"):
            severity = max(verdict.severity, one.severity, key=SEVERITIES.index)
            places = (*verdict.places, *role_places(component, _subjects(one.when)))
            places = tuple(dict.fromkeys(places))
            return replace(verdict, severity=severity, why=one.why, note=one.why, places=places)
    return verdict


def _subjects(conditions: Iterable[Condition]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(condition.subject for condition in conditions))


def _status(answer: Answer, hit: str, *, clears: bool) -> tuple[str, str]:
    """Status, and what is missing for a proof. ``hit`` is empty for an unknown version."""
    if answer.holds == "no" and not answer.assumed:
        return "not_affected", ""
    if hit == "no" and clears:
        return "fixed", ""
    if hit == "yes" and answer.holds == "yes":
        return "affected", ""
    if hit in ("", "no"):
        return "under_investigation", "version"
    if hit == "some":
        return "under_investigation", "candidates"
    return "under_investigation", "role" if answer.why == "role" else "condition"


def _severity(answer: Answer, row: Affected, advisory: Advisory, *, is_proven: bool) -> str:
    """What rests on evidence that could not acquit either asks for a look, not for an alarm.

    So does what no record says: there only the code looks alike.
    """
    severity = row.severity or advisory.severity
    floor = "low" if row.basis == "observed" or answer.holds == "no" else UNPROVEN
    if is_proven and row.basis != "observed":
        return severity
    return max(severity, "low" if row.basis else floor, key=SEVERITIES.index)


def _range(row: Affected, advisory: Advisory) -> str:
    """What is wrong with the version, as a clause that follows "which"."""
    if row.basis == "observed":
        last = next((one.last_affected for one in advisory.affected if one.last_affected), "")
        end = f", which ends with {last}" if last else ""
        return f"is not in the record{end}, but may have the flaw too: its code looks the same"
    if row.fixed:
        return f"is before {row.fixed}"
    if row.last_affected:
        return f"is recorded as affected up to {row.last_affected}"
    return "no version fixes"


def _least(*confidences: str) -> str:
    return max(confidences, key=CONFIDENCES.index)


def _why(
    component: Component, advisory: Advisory, row: Affected, answer: Answer, status: str
) -> str:
    if status == "not_affected":
        if answer.why != "role":
            return f"{answer.why} excludes it"
        return "not disaggregated" if component.role == "none" else "of the other role only"
    if status == "fixed":
        if row.last_affected and not row.fixed:
            return f"not in the record, which ends with {row.last_affected}"
        is_newer = row.fixed and not row.introduced
        return f"fixed in {row.fixed}" if is_newer else "not among the affected versions"
    if status == "affected":
        return _range(row, advisory).removeprefix("is ")
    return component.resolution.reason or answer.why or "some of the possible versions are affected"
