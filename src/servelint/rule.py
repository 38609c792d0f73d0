"""Checks that no range of versions says: what is wrong with a deployment whatever it runs."""

from __future__ import annotations

from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from servelint.deployment import Component, Deployment
    from servelint.verdict import Place


@dataclass(frozen=True, slots=True)
class Hit:
    """What a rule found on one component.

    ``why`` is one clause for people, ``places`` show it, the one to edit first.
    ``severity``, if any, is another one than the rule has.
    """

    component: Component
    why: str
    places: tuple[Place, ...]
    confidence: str = "high"
    severity: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A rule: its id is a noun of the bad thing in kebab case.

    ``check`` is a pure function of one deployment. ``remedy`` says what to do,
    ``body`` is the documentation. A rule with a ``profile`` is asked only where that
    is wanted.
    """

    id: str
    title: str
    severity: str
    remedy: str
    body: str
    check: Callable[[Deployment], Iterable[Hit]]
    profile: str = ""
