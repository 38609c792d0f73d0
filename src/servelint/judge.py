"""One component, one advisory -> one verdict, with three answers.

Nothing is decided here that the evidence does not carry: a condition that an
unread word could turn makes ``affected`` less sure and never makes ``fixed``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from servelint.evidence import role_places
from servelint.finding import CONFIDENCES, SEVERITIES, STATUSES
from servelint.group import is_half
from servelint.verdict import Verdict
from servelint.versions import in_range

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from servelint.advisory import Advisory, Affected, Condition
    from servelint.deployment import Component, Deployment
    from servelint.engine import Engine
    from servelint.rule import Rule

HALVES = ("prefill", "decode", "both")
"""The roles of a server that is half of a pair."""

_UNPROVEN = "medium"
"""What may be affected never weighs more than this: it asks for a look, not for an alarm."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """Whether conditions hold: ``yes``, ``no`` or ``maybe``.

    ``assumed`` says that the answer rests on the default of an option that an
    unread word could set; ``why`` names the condition that decided.
    """

    holds: str
    assumed: bool = False
    why: str = ""


def judge(deployment: Deployment, advisories: Sequence[Advisory]) -> tuple[Verdict, ...]:
    """The verdicts on every server of a deployment."""
    return tuple(
        verdict
        for component in deployment.components
        if component.kind == "server"
        for verdict in _component(component, deployment, advisories)
    )


def check(deployment: Deployment, rules: Sequence[Rule]) -> tuple[Verdict, ...]:
    """What the rules find in a deployment."""
    return tuple(
        Verdict(
            component=hit.component,
            cause=rule.id,
            status="affected",
            severity=rule.severity,
            confidence=hit.confidence,
            why=hit.why,
            places=hit.places,
            by_rule=True,
        )
        for rule in rules
        for hit in rule.check(deployment)
    )


def _component(
    component: Component, deployment: Deployment, advisories: Sequence[Advisory]
) -> Iterable[Verdict]:
    hushed = component.role == "unknown" and not _speaks_of_halves(component, deployment)
    for advisory in advisories:
        if advisory.package in component.engine.packages and not advisory.withdrawn:
            rows = [_row(component, advisory, row) for row in advisory.affected]
            verdict, row = min(zip(rows, advisory.affected, strict=True), key=_by_rank)
            asks_role = any(condition.subject == "role" for condition in row.when)
            yield _waived(replace(verdict, silent=hushed and asks_role))


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
    flags = {flag.name for one in deployment.components for flag in one.invocation.flags}
    if flags.intersection((engine.role_flag, *engine.evidence_flags)):
        return True
    return any(env.name.startswith(engine.evidence_env) for env in component.env)


def _by_rank(judged: tuple[Verdict, Affected]) -> tuple[int, int]:
    return rank(judged[0])


def rank(verdict: Verdict) -> tuple[int, int]:
    """Sorts verdicts, worst first."""
    return STATUSES.index(verdict.status), SEVERITIES.index(verdict.severity)


def _row(component: Component, advisory: Advisory, row: Affected) -> Verdict:
    answer = _when(component, row.when)
    resolution = component.resolution
    hit = ""
    if not resolution.reason:
        hit = in_range(resolution.candidates, row, component.engine.releases)
    status, doubt = _status(answer, hit, clears=resolution.clears)
    proven = status == "affected"
    return Verdict(
        component=component,
        cause=advisory.id,
        status=status,
        severity=_severity(answer, advisory.severity, proven=proven and resolution.clears),
        confidence=_least(resolution.confidence, "medium" if answer.assumed else "high"),
        why=_why(component, row, answer, status),
        version=resolution.evidence,
        places=role_places(component, row.when),
        doubt=doubt,
        fixed=row.fixed,
        assumed=answer.assumed,
    )


def _status(answer: _Answer, hit: str, *, clears: bool) -> tuple[str, str]:
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


def _severity(answer: _Answer, severity: str, *, proven: bool) -> str:
    """What rests on evidence that could not acquit either asks for a look, not for an alarm."""
    if proven:
        return severity
    floor = "low" if answer.holds == "no" else _UNPROVEN
    return max(severity, floor, key=SEVERITIES.index)


def _least(*confidences: str) -> str:
    return max(confidences, key=CONFIDENCES.index)


def _why(component: Component, row: Affected, answer: _Answer, status: str) -> str:
    if status == "not_affected":
        return "not disaggregated" if answer.why == "role" else f"{answer.why} excludes it"
    if status == "fixed":
        is_newer = row.fixed and not row.introduced
        return f"fixed in {row.fixed}" if is_newer else "not among the affected versions"
    if status == "affected":
        return f"before {row.fixed}" if row.fixed else "no version fixes it"
    return component.resolution.reason or answer.why or "some of the possible versions are affected"


# -- conditions ---------------------------------------------------------------


def _when(component: Component, conditions: Sequence[Condition]) -> _Answer:
    """All conditions together: one sure ``no`` decides, then a doubtful one."""
    answers = [_holds(component, condition) for condition in conditions]
    for wanted in (("no", False), ("no", True), ("maybe", False), ("maybe", True)):
        for answer in answers:
            if (answer.holds, answer.assumed) == wanted:
                return answer
    return _Answer("yes", assumed=any(answer.assumed for answer in answers))


def holds_by_default(conditions: Sequence[Condition], engine: Engine) -> bool:
    """True for conditions that half of a pair meets with nothing set but its role."""
    for one in conditions:
        texts = HALVES if one.subject == "role" else (engine.defaults.get(one.subject, ""),)
        if all((text in one.values) == one.negated for text in texts):
            return False
    return True


def _holds(component: Component, condition: Condition) -> _Answer:
    texts, assumed = _subject(component, condition.subject)
    if texts is None:
        return _Answer("maybe", why=condition.subject)
    hits = {(text in condition.values) != condition.negated for text in texts}
    holds = "maybe" if len(hits) > 1 else "yes" if hits.pop() else "no"
    return _Answer(holds, assumed, condition.subject)


def _subject(component: Component, subject: str) -> tuple[tuple[str, ...] | None, bool]:
    """The texts that a subject may have (None: unknown), and whether they are assumed."""
    if subject == "role":
        return (None if component.role == "unknown" else (component.role,)), False
    if subject.startswith("--"):
        flag = component.invocation.last(subject)
        if flag is None:
            return (component.engine.defaults.get(subject, ""),), component.invocation.open
        return (("true",) if flag.value is None else flag.value.texts), False
    env = next((env for env in reversed(component.env) if env.name == subject), None)
    return (("",) if env is None else env.value.texts), False
