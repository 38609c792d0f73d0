"""What a condition says of the name in it, inside the branch where it holds or does not."""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from servelint.readers.python.alternatives import alt, leaves
from servelint.readers.python.containers import elements_of
from servelint.readers.python.state import Item, State
from servelint.readers.python.things import Alt, Dark, Open, Str, Thing, is_none, passed
from servelint.readers.python.truth import truth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from servelint.readers.python.machine import Flow, Machine


@dataclass(frozen=True, slots=True)
class Refined:
    """A name of a frame: what it was, and what a condition says it is."""

    frame: int
    name: str
    old: Thing
    new: Thing


def refined(
    machine: Machine, test: cst.BaseExpression, state: State, *, holds: bool
) -> list[Refined]:
    """Bind names to what is left of them where the condition holds, or where it does not."""
    match test:
        case cst.UnaryOperation(operator=cst.Not()):
            return refined(machine, test.expression, state, holds=not holds)
        case cst.BooleanOperation(operator=cst.And()) if holds:
            left = refined(machine, test.left, state, holds=True)
            return left + refined(machine, test.right, state, holds=True)
        case cst.Name():
            return _kept(
                machine, test.value, state, lambda one: truth(one, state) is not (not holds)
            )
        case cst.Comparison(left=cst.Name(value=name), comparisons=[target]):
            return _compared(machine, name, test, target, state, holds=holds)
        case _:
            return []


def _compared(  # a comparison and where it stands
    machine: Machine,
    name: str,
    test: cst.Comparison,
    target: cst.ComparisonTarget,
    state: State,
    *,
    holds: bool,
) -> list[Refined]:
    if isinstance(target.operator, cst.Is | cst.IsNot):
        if not is_none(machine.evaluate(target.comparator, state)):
            return []
        wanted = isinstance(target.operator, cst.Is) is holds
        return _kept(machine, name, state, lambda one: _may_be_none(one, wanted=wanted))
    says = isinstance(target.operator, cst.Equal | cst.In if holds else cst.NotEqual)
    old = machine.lookup(name, state)
    meant = _meant(machine, target, state) if says and isinstance(old, Dark | Open) else None
    if meant is None or old is None:
        return []
    return [_bound(machine, name, old, passed(meant, machine.script.place(test)), state)]


def _may_be_none(thing: Thing, *, wanted: bool) -> bool:
    """Whether a single thing can be None (``wanted``), or something else."""
    if is_none(thing):
        return wanted
    return not wanted or isinstance(thing, Dark | Open)


def _kept(
    machine: Machine, name: str, state: State, fits: Callable[[Thing], bool]
) -> list[Refined]:
    """Leave out the alternatives of a name that cannot be meant."""
    old = machine.lookup(name, state)
    if not isinstance(old, Alt) or not any(fits(leaf) for leaf in leaves(old)):
        return []
    new = _pruned(old, fits)
    return [_bound(machine, name, old, new, state)] if new != old else []


def _pruned(thing: Thing, fits: Callable[[Thing], bool]) -> Thing:
    if not isinstance(thing, Alt):
        return thing
    good = [arm for arm in thing.arms if any(fits(leaf) for leaf in leaves(arm))]
    arms = [_pruned(arm if arm in good else good[0], fits) for arm in thing.arms]
    return alt(thing.guard, arms)


def _meant(machine: Machine, target: cst.ComparisonTarget, state: State) -> Thing | None:
    """The text, or one of the texts, that a name must be equal to."""
    thing = machine.evaluate(target.comparator, state)
    if not isinstance(target.operator, cst.In):
        return thing if isinstance(thing, Str) else None
    entries = elements_of(machine, thing, target.comparator, state)
    texts = [entry.thing for entry in entries if isinstance(entry, Item)]
    if not texts or len(texts) != len(entries) or not all(isinstance(t, Str) for t in texts):
        return None
    return alt(machine.number(), texts)


def _bound(machine: Machine, name: str, old: Thing, new: Thing, state: State) -> Refined:
    machine.assign(name, new, state)
    frames = (number for number, names in state.frames.items() if names.get(name) is new)
    return Refined(next(frames, machine.frame), name, old, new)


def restored(flow: Flow, before: list[Refined]) -> None:
    """Forget what the condition said of names that the branch did not bind itself."""
    ends = [*((flow.state,) if flow.state is not None else ()), *flow.breaks, *flow.continues]
    for state in (*ends, *(state for _, state in flow.returns)):
        for one in before:
            if state.frames.get(one.frame, {}).get(one.name) is one.new:
                state.set_name(one.frame, one.name, one.old)
