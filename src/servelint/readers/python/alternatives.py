"""Several things of which one will be: made, narrowed down, and worked with one by one."""

from __future__ import annotations

from math import prod

from servelint.readers.python.pieces import Piece, shared
from servelint.readers.python.things import Alt, Const, Dark, Dotted, Open, Str, Thing
from servelint.value import MAX_READINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_MAX_COMBINATIONS = 64
"""Ways to choose that are put in order; more of them stay as they were met."""

_MAX_SHOWN = 200
"""Characters of something unknown that are kept."""


def leaves(thing: Thing) -> Iterator[Thing]:
    """Every alternative."""
    if isinstance(thing, Alt):
        for arm in thing.arms:
            yield from leaves(arm)
    else:
        yield thing


def alt(guard: int, arms: Sequence[Thing]) -> Thing:
    """One of ``arms``; too many alternatives become unknown."""
    return _made(guard, [under(arm, guard, index) for index, arm in enumerate(arms)])


def _made(guard: int, arms: Sequence[Thing]) -> Thing:
    """The same for arms that know already what ``guard`` chose.

    The oldest guard stands outermost: that keeps equal choices equal, and
    where there are too many, the youngest are given up.
    """
    first = arms[0]
    for arm in arms:
        if arm is not first and arm != first:
            break
    else:
        return first
    met = _guards(arms)
    oldest = min(met, default=guard)
    # Each guard chooses between two things at least: often that tells without counting.
    if oldest < guard and len(arms) << len(met) <= _MAX_COMBINATIONS:
        counts: dict[int, int] = {}
        for arm in arms:
            _count(arm, counts)
        if prod(counts.values()) * len(arms) <= _MAX_COMBINATIONS:
            rows = [[under(arm, oldest, index) for arm in arms] for index in range(counts[oldest])]
            return _made(oldest, [_made(guard, row) for row in rows])
    while sum(map(_size, arms)) > MAX_READINGS:
        inner = [arm.guards for arm in arms if isinstance(arm, Alt)]
        if not inner:
            return common(arms)
        youngest = max(map(max, inner))
        arms = [_given_up(arm, youngest) for arm in arms]
    return Alt(guard, tuple(arms), _guards(arms) | {guard}, sum(map(_size, arms)))


def _guards(things: Sequence[Thing]) -> frozenset[int]:
    """All guards in some things."""
    return frozenset().union(*[thing.guards for thing in things if isinstance(thing, Alt)])


def _given_up(thing: Thing, guard: int) -> Thing:
    """The thing with nothing but what they share in the place of what ``guard`` chose."""
    if not isinstance(thing, Alt) or guard not in thing.guards:
        return thing
    if thing.guard == guard:
        return common(list(leaves(thing)))
    return _made(thing.guard, [_given_up(arm, guard) for arm in thing.arms])


def _count(thing: Thing, counts: dict[int, int]) -> None:
    """Note how many arms each guard in a thing has."""
    if isinstance(thing, Alt):
        counts[thing.guard] = max(counts.get(thing.guard, 0), len(thing.arms))
        for arm in thing.arms:
            _count(arm, counts)


def _size(thing: Thing) -> int:
    return thing.size if isinstance(thing, Alt) else 1


def common(things: Sequence[Thing]) -> Thing:
    """What too many alternatives share: of texts, how they begin and end."""
    rows = [thing.pieces for thing in things if isinstance(thing, Str) and not thing.path]
    if len(rows) != len(things):
        return Dark("many-values", _shown(things[0]))
    head, tail = shared(rows)
    longest = max(rows, key=len)
    middle = longest[head : len(longest) - tail]
    text = "".join(piece.text for piece in middle)[:_MAX_SHOWN]
    dark = Piece(text, middle[0].at if middle else None, (), "", "many-values")
    return Str((*longest[:head], dark, *longest[len(longest) - tail :]))


def under(thing: Thing, guard: int, arm: int) -> Thing:
    """The thing in the world where ``guard`` chose ``arm``."""
    if not isinstance(thing, Alt) or guard not in thing.guards:
        return thing
    if thing.guard == guard:
        return under(thing.arms[min(arm, len(thing.arms) - 1)], guard, arm)
    return _made(thing.guard, [under(one, guard, arm) for one in thing.arms])


def lift(function: Callable[..., Thing], *things: Thing) -> Thing:
    """``function`` of the things, for every way in which their guards can choose."""
    guarded = next((thing for thing in things if isinstance(thing, Alt)), None)
    if guarded is None:
        return function(*things)
    guard = guarded.guard
    return alt(
        guard,
        [
            lift(function, *(under(thing, guard, index) for thing in things))
            for index in range(len(guarded.arms))
        ],
    )


def _shown(thing: Thing) -> str:
    match thing:
        case Str():
            return "".join(piece.text for piece in thing.pieces)
        case Const():
            return thing.shown
        case Open() | Dark():
            return thing.text
        case Dotted():
            return thing.name
        case Alt():
            return _shown(thing.arms[0])
        case _:
            return ""
