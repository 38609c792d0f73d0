"""What was decided of one component, and the places that show it."""

from __future__ import annotations

from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.deployment import Component
    from servelint.source import Route, Span


@dataclass(frozen=True, slots=True)
class Place:
    """A span that makes a finding true.

    ``label`` says what it is: launch, image, pin, flag, env, peer, router, map
    or value. ``text`` is what stands there, ``route`` where in the structure.
    """

    span: Span
    route: Route
    text: str
    label: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one advisory or rule says of one component.

    ``status`` is ``affected``, ``under_investigation``, ``fixed`` or
    ``not_affected``; ``why`` is one clause for people. ``version`` are the
    places that tell the version, ``places`` the others. ``doubt`` names what is
    missing for a proof: empty, ``version``, ``role``, ``condition`` or
    ``candidates``. ``range`` is what is wrong with the version, as a clause after
    "which". ``assumed``: it rests on the default of an option that unread words could
    set. A ``silent`` verdict is counted and makes no finding. One that is ``alone`` shares
    no finding with others: another thing is to be done. ``by_rule``: it is a rule's,
    and says nothing of a version. ``note`` is why it weighs less than it could.
    ``basis`` is that of the range that decided: see :class:`servelint.advisory.Affected`.
    """

    component: Component
    cause: str
    status: str
    severity: str
    confidence: str
    why: str
    version: tuple[Place, ...] = ()
    places: tuple[Place, ...] = ()
    doubt: str = ""
    range: str = ""
    assumed: bool = False
    silent: bool = False
    alone: bool = False
    by_rule: bool = False
    note: str = ""
    basis: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """What all verdicts together say of one component; ``why`` is a clause for people."""

    component: Component
    status: str
    why: str
