"""What was there before, and what commands install: which of it runs."""

from __future__ import annotations

from dataclasses import replace

from servelint.resolve import resolve_requirement
from servelint.source import Route

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from servelint.deployment import Invocation, Resolution
    from servelint.engine import Engine
    from servelint.facts import Env, Launch, Requirement

_INTERPRETERS = frozenset({"python", "python3"})
_ELSEWHERE = ("PATH", "VIRTUAL_ENV", "PYTHON", "PIP_", "UV_", "CONDA")
"""Beginnings of variables by which installing and running may look in different places."""


def with_installed(
    before: Resolution, steps: Iterable[Requirement], invocation: Invocation, env: Sequence[Env]
) -> Resolution:
    """What runs: the last install that surely replaces all before it, and what may come on top.

    An install is sure where its text runs to the end, with the plain ``pip`` for the plain
    interpreter, and before the launch. Any other may run or not: it is a candidate beside the rest.
    """
    engine = invocation.engine
    if engine is None:
        return before
    rows = sorted(
        (step for step in steps if before.reason or not _keeps(step, engine)),
        key=lambda step: (step.span.path, step.span.start),
    )
    if _is_plain(invocation, env):
        for at in range(len(rows) - 1, -1, -1):
            found = _sure(rows[at], invocation.launch, engine)
            if found is not None:
                later = [one for one in rows[at + 1 :] if not _keeps(one, engine)]
                return _beside(found, later, engine)
    return _beside(before, rows, engine)


def _keeps(step: Requirement, engine: Engine) -> bool:
    """True for an install that leaves the engine as it is; what brings it may change it."""
    return step.effect == "keeps" and step.name in engine.packages


def same_text(step: Requirement, launch: Launch) -> bool:
    """True for two commands of one text: their routes end in a kind and a number."""
    return Route(step.owner.unit, step.owner.steps[:-2]).holds(launch.owner)


def _sure(step: Requirement, launch: Launch, engine: Engine) -> Resolution | None:
    is_later = step.span.path == launch.span.path and step.span.start > launch.span.start
    is_sure = step.effect == "sure" or (step.effect == "inner" and same_text(step, launch))
    if not is_sure or is_later or step.owner.on_page:  # a guide shows several ways
        return None
    found = replace(resolve_requirement(step, engine), via="install", final=True)
    return None if found.reason else found


def _is_plain(invocation: Invocation, env: Sequence[Env]) -> bool:
    """True for a launch with the interpreter that the plain ``pip`` installs for."""
    argv, programs = invocation.launch.argv, invocation.engine.programs if invocation.engine else ()
    scripts = {one.words[0] for one in programs if one.words[0][0].isalpha()}
    is_named = bool(argv) and argv[0].text in (_INTERPRETERS | scripts)
    return is_named and not any(one.name.startswith(_ELSEWHERE) for one in env)


def _is_within(step: Resolution, before: Resolution) -> bool:
    """True for an install of nothing but what is there already."""
    here = set(before.candidates)
    return bool(step.candidates) and step.clears >= before.clears and here >= set(step.candidates)


def _beside(before: Resolution, steps: Sequence[Requirement], engine: Engine) -> Resolution:
    """What was there and what may be installed over it: any of it may run."""
    if not steps:
        return before
    every = [replace(resolve_requirement(step, engine), via="install") for step in steps]
    if not before.reason and all(_is_within(one, before) for one in every):
        return before
    if before.reason != "no-evidence":
        every.append(before)
    open_ones = [one for one in every if one.reason]
    known = [one for one in every if not one.reason]
    if open_ones and (before.reason in ("", "no-evidence") or not (known or before.final)):
        return replace(open_ones[0], final=True)
    if not known:
        return before
    candidates = dict.fromkeys(candidate for one in known for candidate in one.candidates)
    places = dict.fromkeys(place for one in known for place in one.evidence)
    return replace(
        known[0],
        candidates=tuple(candidates),
        evidence=tuple(places),
        final=True,
        clears=all(one.clears for one in every) and not open_ones,
    )
