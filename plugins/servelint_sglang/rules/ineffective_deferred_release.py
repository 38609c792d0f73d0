"""A variable that is meant to protect aborted transfers and does not.

`SGLANG_DISAGGREGATION_DEFERRED_DECODE_KV_RELEASE=1` is the mitigation of SGL-2026-0002 for those
who cannot upgrade. It works in 0.5.19 and 0.5.20 only, where it is off unless set; from 0.5.21 on
it is not needed. It does nothing, or not what it should,

- before 0.5.19: no code reads the variable;
- in 0.5.19 and 0.5.20 on one role alone: set on prefill it has no effect, set on decode each hold
  lasts to its timeout, since prefill never says that a transfer has ended;
- in 0.5.19 and 0.5.20 with a word that is none of `1`, `true`, `yes` and `y`: the server warns and
  leaves it off;
- in 0.5.21 with `mori`, which gives pages back at once whatever the variable says;
- under another name.

## What to do

Upgrade both roles together to 0.5.22 or later and delete the variable. A variable is no fix for an
old release; with 0.5.19 or 0.5.20, set it to `1` on both roles.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.looking import (
    env_place,
    halves,
    launch_place,
    sides,
    surely,
    switch,
    truth,
    variable,
)
from servelint_sglang.rules.release_hold import DEFAULT, HOLD, KNOWN, MORI, TIMEOUT, backend

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Component, Deployment, Env
    from servelint_sglang.policy import Policy

SEVERITY = "high"
REMEDY = (
    "upgrade both roles together to SGLang 0.5.22 or later, where the protection is on by itself,"
    " and delete the variable"
)

CORE = "DEFERRED_DECODE_KV_RELEASE"
"""What a name that is meant to be the right one ends with."""

SLIPS = 2
"""Letters by which a misspelt name may differ."""

ONE_SIDED = {
    True: (f"{HOLD} on prefill alone has no effect", SEVERITY),
    False: (f"{HOLD} on decode alone lets each hold last to its timeout", "medium"),
}
"""What the switch on one role does, on prefill and on decode, and how bad that is."""


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """The switch where nothing reads it, or not on both roles, or under another name."""
    for component in halves(deployment):
        for env, why, severity in _problems(component, deployment):
            is_sure = surely(component, fixed=DEFAULT) != "some"
            yield Hit(
                component,
                why,
                (env_place(env), launch_place(component)),
                severity=severity,
                confidence="high" if is_sure else "medium",
            )


def _problems(component: Component, deployment: Deployment) -> Iterator[tuple[Env, str, str]]:
    if backend(component) == "fake":
        return
    env = variable(component, HOLD)
    if env is not None:
        why, severity = _problem(component, env, deployment)
        if why:
            yield env, why, severity
    elif surely(component, fixed=DEFAULT) != "no":
        for other in component.env:
            if _is_meant(other.name) and truth(component, other.value.text or "") is True:
                is_bad = surely(component, KNOWN, DEFAULT) == "yes"
                yield other, f"no release reads {other.name}", SEVERITY if is_bad else "medium"


def _problem(component: Component, env: Env, deployment: Deployment) -> tuple[str, str]:
    """What is wrong with the switch, and how bad that is; empty where nothing is."""
    held = switch(component, HOLD)
    if held == "on" and surely(component, fixed=KNOWN) == "yes":
        return f"no release before {KNOWN} reads {HOLD}", SEVERITY
    if held == "on" and backend(component) == "mori" and surely(component, DEFAULT, MORI) == "yes":
        return f"with mori this release gives pages back at once, whatever {HOLD} says", SEVERITY
    is_interim = surely(component, KNOWN, DEFAULT) == "yes"
    if is_interim and held == "odd":
        return f"it does not understand {env.value.text!r} and leaves {HOLD} off", SEVERITY
    if is_interim and held == "on" and _is_one_sided(component, deployment):
        return ONE_SIDED[component.role == "prefill"]
    return "", ""


def _is_one_sided(component: Component, deployment: Deployment) -> bool:
    """True when all servers of the other role, in sight, surely have the switch off."""
    prefills, decodes = sides(deployment)
    others = decodes if component.role == "prefill" else prefills
    peers = [one for one in others if one is not component]
    return bool(peers) and all(switch(one, HOLD) in ("unset", "off") for one in peers)


def _is_meant(name: str) -> bool:
    """True for a name that is nearly that of the switch."""
    if name in (HOLD, TIMEOUT):
        return False
    return name.endswith(CORE) or _distance(name, HOLD) <= SLIPS


def _distance(one: str, other: str) -> int:
    """How many letters to change, add or take out (Levenshtein)."""
    if abs(len(one) - len(other)) > SLIPS:
        return SLIPS + 1
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        last, row = row, [i]
        for j, wanted in enumerate(other, 1):
            row.append(min(last[j] + 1, row[-1] + 1, last[j - 1] + (letter != wanted)))
    return row[-1]
