"""Where two halves disagree: what a decode server has and no prefill server beside it.

A file may hold several pairs. So a decode server is at odds only where no prefill server that may
be its own agrees, and where what all of them have is known.
"""

from __future__ import annotations

from collections import defaultdict

from servelint_sglang.rules.looking import (
    DECODE,
    PREFILL,
    flag_place,
    given,
    halves,
    is_absent,
    launch_place,
    text_of,
)
from servelint_sglang.rules.models import name_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from servelint.api import Component, Deployment, Place

    Look = Callable[[Component], str | None]
    """What a server has; None for what is not known."""

    Odds = tuple[Component, Component, str, str]
    """A prefill and a decode server, and what each of them has."""


MANY = 64
"""More different prefill servers than this in one deployment are compared with nothing."""


def at_odds(
    deployment: Deployment,
    look: Look,
    agree: Callable[[str, str], bool] = str.__eq__,
    *,
    one_model: bool = True,
) -> Iterator[Odds]:
    """Pairs that disagree, each kind of disagreement once.

    With ``one_model`` only servers of models that may be one are a pair.
    """
    told: set[tuple[str, str]] = set()
    every = tuple(halves(deployment))
    kinds = _kinds((one for one in every if one.role in PREFILL), look)
    if len(kinds) > MANY:
        return
    for decode in every:
        own = look(decode) if decode.role in DECODE else None
        if own is None:
            continue
        name = name_of(decode)
        mates = {
            kind: others
            for kind, ones in kinds.items()
            if not (one_model and name and kind[0]) or kind[0] == name
            if (others := [one for one in ones if one is not decode])
        }
        known = [value for _, value in mates if value is not None]
        if len(known) < max(len(mates), 1) or any(agree(value, own) for value in known):
            continue
        mate = nearest(decode, [one for ones in mates.values() for one in ones])
        other = next(value for (_, value), ones in mates.items() if mate in ones) or ""
        if (other, own) not in told:
            told.add((other, own))
            yield mate, decode, other, own


def _kinds(
    prefills: Iterable[Component], look: Look
) -> dict[tuple[str, str | None], list[Component]]:
    """Prefill servers by the name of their model and what they have."""
    kinds: dict[tuple[str, str | None], list[Component]] = defaultdict(list)
    for one in prefills:
        kinds[name_of(one), look(one)].append(one)
    return kinds


def nearest(component: Component, others: Sequence[Component]) -> Component:
    """The server that is started nearest, one in the same file before all others."""
    own = component.invocation.launch.span

    def distance(other: Component) -> tuple[bool, int]:
        span = other.invocation.launch.span
        return span.path != own.path, abs(span.start - own.start)

    return min(others, key=distance)


def both_places(one: Component, other: Component, *names: str) -> tuple[Place, ...]:
    """Where options of two servers are written, those of the first before; then both launches."""
    flags = [
        flag_place(component, flag)
        for component in (one, other)
        for name in names
        if (flag := given(component, name)) is not None
    ]
    return (*flags, launch_place(one), launch_place(other))


def is_left_out(component: Component, name: str) -> bool:
    """True for an option that nobody gives: a launcher may add options to those of its file."""
    return is_absent(component, name) and component.invocation.launch.form != "options"


def settled(component: Component, name: str, default: str) -> str | None:
    """The text of an option, ``default`` where nobody gives it; None for what is not known."""
    if given(component, name) is not None:
        return text_of(component, name)
    return default if is_left_out(component, name) else None


def count(component: Component, name: str) -> int | None:
    """A small number that an option gives, 1 where nobody gives it; None: not known."""
    text = settled(component, name, "1")
    return int(text) if text is not None and text.isascii() and text.isdigit() else None
