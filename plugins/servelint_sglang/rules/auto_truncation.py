"""Prompts that are cut in a disaggregated deployment.

With `--allow-auto-truncate` a prompt that is too long is cut instead of refused. Each role cuts to
its own limit, which is the smaller of its context and its KV pool, and the pools of two servers
differ even where all options are the same. A cut is no refusal, so the fix of SGL-2026-0001 never
sees it, and no release up to 0.5.23 compares what prefill sends with what decode expects: a decode
server with the larger limit may read pages that were never written.

This comes from reading the code; it was not reproduced. It weighs more where the options of the two
roles show that their limits differ.

## What to do

Take the option out of both roles and refuse prompts that are too long before they come here. The
transfer checksum (`--disaggregation-enable-kv-checksum`, both roles, 0.5.23) is the only check that
could notice.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.limits import CONTEXT, POOL, context, tokens, why_larger
from servelint_sglang.rules.looking import as_peers, given, halves, sides, where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Component, Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "low"
REMEDY = "take --allow-auto-truncate out of both roles, and refuse long prompts before"

TRUNCATE = "--allow-auto-truncate"
WEIGHTS = {"less": "high", "more": "medium", "": SEVERITY}
COMPARED = {
    "less": ", which is lower on prefill than on decode",
    "more": ", which is higher on prefill than on decode",
    "": "",
}


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """The option on a half, and how the limits of the two roles compare."""
    order = _order(deployment)
    decodes = sides(deployment)[1]
    for component in halves(deployment):
        if given(component, TRUNCATE) is None:
            continue
        proof = tuple(place for one in decodes[:1] for place in where(one, CONTEXT, POOL))
        yield Hit(
            component,
            f"it cuts long prompts to its own limit{COMPARED[order]}, and decode may read pages"
            " that were not written",
            (*where(component, TRUNCATE, CONTEXT, POOL), *(as_peers(proof) if order else ())),
            severity=WEIGHTS[order],
            confidence="medium",
        )


def _order(deployment: Deployment) -> str:
    """Whether prefill's limit is surely ``less`` or ``more`` than decode's; empty: not known."""
    prefills, decodes = sides(deployment)
    ours, theirs = {_limit(one) for one in prefills}, {_limit(one) for one in decodes}
    if len(ours) != 1 or len(theirs) != 1 or None in ours | theirs or ours == theirs:
        return ""
    return "less" if min(filter(None, ours)) < min(filter(None, theirs)) else "more"


def _limit(component: Component) -> int | None:
    """The limit as far as options tell; None where they do not."""
    offered, pool = context(component), tokens(component, POOL)
    if offered is None or (pool is not None and why_larger(component)):
        return None
    return offered if pool is None else min(offered, pool)
