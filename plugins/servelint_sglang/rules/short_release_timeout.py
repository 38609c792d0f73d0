"""Pages of an aborted transfer are given back before the transfer has surely ended.

Decode holds the pages of an aborted request back until prefill says that it writes to them no
more, but not for ever: after `SGLANG_DISAGGREGATION_DEFERRED_DECODE_KV_RELEASE_TIMEOUT` seconds (30
unless set) it gives them back without an answer and warns `releasing anyway`. Each second less is
more room for a late write to meet a request that owns the pages by then, which is SGL-2026-0002
again. At 0 nothing is protected, while the main switch looks on.

## What to do

Delete the variable, or set 30 or more and not less than the timeout of the transfer backend. A
shorter time is no way to win capacity: holds that end by the timeout are a sign that something
else is wrong. From 0.5.22 on `sglang:decode_deferred_kv_release_total{outcome="timeout"}` counts
them; it should stay near zero.

## What is not said here

No time is long enough to be a proof: no release up to 0.5.23 waits without a limit.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.looking import (
    DECODE,
    env_place,
    halves,
    launch_place,
    surely,
    switch,
    variable,
)
from servelint_sglang.rules.release_hold import DEFAULT, HOLD, KNOWN, TIMEOUT, is_idle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Component, Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "medium"
REMEDY = f"delete {TIMEOUT} from decode, or set 30 or more"

USUAL = 30.0
"""Seconds, in all releases that have the variable."""


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """Fewer seconds than a server would wait by itself."""
    for component in halves(deployment):
        env = variable(component, TIMEOUT)
        seconds = _seconds(env.value.text) if env is not None else None
        if env is None or seconds is None or seconds >= USUAL or not _is_used(component):
            continue
        yield Hit(
            component,
            f"it gives pages back after {env.value.text} s although a transfer may still write to"
            " them",
            (env_place(env), launch_place(component)),
            severity="high" if seconds <= 0 else SEVERITY,
            confidence="high" if surely(component, fixed=DEFAULT) != "some" else "medium",
        )


def _is_used(component: Component) -> bool:
    """True where pages are held back at all, as far as can be told."""
    held = switch(component, HOLD)
    if component.role not in DECODE or is_idle(component) or held == "off":
        return False
    if surely(component, fixed=KNOWN) == "yes":
        return False
    return held == "on" or surely(component, fixed=DEFAULT) != "yes"


def _seconds(text: str | None) -> float | None:
    try:
        return float(text or "")
    except ValueError:
        return None
