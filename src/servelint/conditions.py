"""Whether the conditions of an advisory hold, with three answers.

What an unread word could turn is ``assumed``: enough to accuse with less confidence, and
never enough to clear.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from servelint.group import is_half

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from servelint.advisory import Condition
    from servelint.deployment import Component, Deployment
    from servelint.engine import Engine

POOL = "pool"
"""The subject that asks whether recorded pools of prefill hold the whole context."""

HALVES = ("prefill", "decode", "both")
"""The roles of a server that is half of a pair."""

OPTED = ("set", "glob", "remote")
"""Tests that a server passes only where somebody opted for something."""

_LOCAL = re.compile(r"(?:\w+://)?(?:127\.[\d.]+|localhost|\[?::1\]?)(?::\d+)?/?", re.IGNORECASE)
"""An address that is only reached on its own machine."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether conditions hold: ``yes``, ``no`` or ``maybe``.

    ``assumed`` says that the answer rests on the default of an option that an
    unread word could set; ``why`` names the condition that decided. ``unlikely``: only an
    unread word could make it hold, and nothing that was read points to it.
    """

    holds: str
    assumed: bool = False
    why: str = ""
    unlikely: bool = False


def hold(conditions: Sequence[Condition], component: Component, deployment: Deployment) -> Answer:
    """All conditions together: one sure ``no`` decides, then a doubtful one."""
    answers = [_of_whom(one, component, deployment) for one in conditions]
    for wanted in (("no", False), ("no", True), ("maybe", False), ("maybe", True)):
        for answer in answers:
            if (answer.holds, answer.assumed) == wanted:
                return answer
    return Answer("yes", assumed=any(answer.assumed for answer in answers))


def hold_by_default(conditions: Iterable[Condition], engine: Engine) -> str:
    """Whether half of a pair meets conditions with nothing set but its role.

    ``maybe`` where they ask for a key of an object: what makes it a half may give any.
    """
    answers = {_by_default(one, engine) for one in conditions}
    return next((answer for answer in ("no", "maybe") if answer in answers), "yes")


def _by_default(condition: Condition, engine: Engine) -> str:
    is_role = condition.subject == "role"
    if condition.subject.partition(".")[0] in engine.object_options:
        return "maybe"
    texts = HALVES if is_role else (engine.defaults.get(condition.subject, ""),)
    answers = {_fits(condition, text, engine, is_given=is_role) for text in texts}
    return "yes" if "yes" in answers else "no"


def _of_whom(condition: Condition, component: Component, deployment: Deployment) -> Answer:
    """The answer of the component, of each half, or of any half of its deployment."""
    if condition.subject == POOL:
        fits = component.engine.pools_fit(deployment)
        return Answer("yes" if fits != condition.negated else "no", why=POOL)
    own = _holds(condition, component)
    if not condition.whom:
        return own
    others = [
        _holds(condition, one)
        for one in deployment.components
        if one is not component and one.kind == "server" and is_half(one)
    ]
    if not {"prefill", "decode"} <= _roles(deployment):
        others.append(Answer("maybe", why=condition.subject))  # the other half is not in sight
    order = ("no", "maybe", "yes") if condition.whom == "every" else ("yes", "maybe", "no")
    answers = sorted((own, *others), key=lambda one: (order.index(one.holds), one.assumed))
    return answers[0]


def _roles(deployment: Deployment) -> set[str]:
    roles = {one.role for one in deployment.components if one.kind == "server"}
    return roles | {"prefill", "decode"} if "both" in roles else roles


def _holds(condition: Condition, component: Component) -> Answer:
    if "*" in condition.subject:
        return _any_of_them(condition, component)
    texts, assumed, is_given = _subject(component, condition.subject)
    if texts is None:
        if condition.test == "set" and is_given:
            return Answer("no" if condition.negated else "yes", why=condition.subject)
        return Answer("maybe", why=condition.subject, unlikely=condition.test == "glob")
    hits = {_fits(condition, text, component.engine, is_given=is_given) for text in texts}
    answer = hits.pop() if len(hits) == 1 else "maybe"
    unlikely = answer == "no" and assumed and condition.test in OPTED
    return Answer(answer, assumed, condition.subject, unlikely)


def _any_of_them(condition: Condition, component: Component) -> Answer:
    """Whether one of the options that a pattern means passes the test, or, negated, none."""
    names = [flag.name for flag in component.invocation.alike(condition.subject)]
    wanted = replace(condition, negated=False)
    alike = [_holds(replace(wanted, subject=name), component) for name in names]
    if not alike:
        texts, assumed, _ = _not_given(component, condition.subject)
        alike = [Answer("maybe" if texts is None else "no", assumed)]
    best = min(alike, key=lambda one: ("yes", "maybe", "no").index(one.holds))
    turned = {"yes": "no", "no": "yes", "maybe": "maybe"}
    holds = turned[best.holds] if condition.negated else best.holds
    return replace(best, holds=holds, why=condition.subject.replace("*", ""))


def _fits(condition: Condition, text: str, engine: Engine, *, is_given: bool) -> str:
    """Whether one text that the subject may have passes the test."""
    passes = text in condition.values
    if condition.test == "set":
        passes = is_given
    elif condition.test == "like":
        passes = text.lower() in engine.truths.get(condition.values[0], ())
    elif condition.test == "glob":
        passes = any(fnmatchcase(text.lower(), one.lower()) for one in condition.values)
    elif condition.test == "remote":
        passes = is_remote(text)
    elif condition.test == "below":
        try:
            passes = text != "" and float(text) < float(condition.values[0])
        except ValueError:
            return "maybe"
    return "yes" if passes != condition.negated else "no"


def is_remote(address: str) -> bool:
    """True for an address, with or without a port, that is not only of its own machine."""
    return bool(address) and _LOCAL.fullmatch(address) is None


def _subject(component: Component, subject: str) -> tuple[tuple[str, ...] | None, bool, bool]:
    """The texts that a subject may have (None: unknown), whether assumed, whether given."""
    if subject == "role":
        return (None if component.role == "unknown" else (component.role,)), False, True
    if subject.startswith("--"):
        flag = component.invocation.last(subject)
        if flag is None:
            return _not_given(component, subject)
        return (("true",) if flag.value is None else flag.value.texts), False, True
    env = next((env for env in reversed(component.env) if env.name == subject), None)
    return (("",) if env is None else env.value.texts), False, env is not None


def _not_given(component: Component, subject: str) -> tuple[tuple[str, ...] | None, bool, bool]:
    """What an option has that is not given, or the key of an object.

    A key is surely missing where the object could be read, and unknown where it could not.
    """
    default = component.engine.defaults.get(subject, "")
    option, dot, _ = subject.partition(".")
    if dot and component.invocation.alike(f"{option}.*"):
        return (default,), False, False
    if dot and component.invocation.last(option) is not None:
        return None, False, False
    return (default,), component.invocation.open, False
