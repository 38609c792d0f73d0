"""A KV pool of prefill that cannot hold one full request.

`--max-total-tokens` caps the KV pool of a server, and `--context-length` is what it offers to its
users. Where the cap of prefill is below the context, prompts between the two pass the front end
and are refused by the scheduler.

Before 0.5.20 that refusal is the leak of SGL-2026-0001: one prompt of the right length makes decode
answer from pages of other requests. From 0.5.20 on the request fails, late: decode may wait for it
until a timeout.

## What to do

Raise `--max-total-tokens` of prefill, or lower `--context-length` on **both** roles until one full
request fits. With the context lowered on prefill alone, requests hang on decode instead.

## What is not said here

- A cap at or above the context proves nothing: the pool is sized from the memory that is left when
  the server starts. `max_total_num_tokens` and `context_len` stand on one line of its log.
- A pool that is large enough makes no version before 0.5.20 safe: a prompt that is too long is one
  of several reasons for a refusal.
- The pool is that of one data-parallel rank; a request lives in one of them.
- With `--dcp-size` above 1 (0.5.17 and later), `--enable-kv-cache-sharding` and, up to
  0.5.10.post1, models with a sliding window, the pool may be larger than the cap. What is found
  then weighs less.
- Where decode takes no longer requests than prefill, the two caps alone open no leak.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.limits import (
    CONTEXT,
    POOL,
    WEAKER,
    context,
    is_told,
    leaks,
    model_name,
    rejection,
    tokens,
    why_larger,
)
from servelint_sglang.rules.looking import PREFILL, given, halves, pairs, where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Component, Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "medium"
FATES = {
    "leaks": "a prompt between the two is answered from what other requests left",
    "fails": "a prompt between the two fails late",
    "either": (
        "a prompt between the two is answered from what other requests left before SGLang 0.5.20,"
        " and fails after"
    ),
    "met": (
        "a prompt between the two is refused; decode takes none of that length either, so that"
        " these numbers alone leak nothing"
    ),
}

REMEDY = (
    "raise --max-total-tokens of prefill, or lower --context-length on both roles until one full"
    " request fits"
)


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """A cap below the context, on what computes prompts."""
    for component in halves(deployment):
        offered, pool = context(component), tokens(component, POOL)
        if component.role not in PREFILL or offered is None or pool is None or pool >= offered:
            continue
        severity = "critical" if leaks(component) else SEVERITY
        larger, is_met = why_larger(component), _is_met(component, deployment, pool)
        is_weak = bool(larger) or is_met or not is_told(component)
        is_sure = given(component, CONTEXT) is not None and not component.invocation.open
        yield Hit(
            component,
            _why(component, (pool, offered), larger, is_met=is_met),
            where(component, POOL, CONTEXT),
            severity=WEAKER[severity] if is_weak else severity,
            confidence="high" if is_sure and not is_weak else "medium",
        )


def _why(component: Component, sizes: tuple[int, int], larger: str, *, is_met: bool) -> str:
    pool, offered = sizes
    holds = f"holds no more than {pool:,} tokens"
    if larger:
        holds = f"may hold no more than {pool:,} tokens ({larger})"
    whose = "it offers"
    if given(component, CONTEXT) is None:
        whose = "its model has" if is_told(component) else f"a {model_name(component)} has"
    fate = FATES["met" if is_met else rejection(component)]
    return f"its KV pool {holds}, and {whose} a context of {offered:,}; {fate}"


def _is_met(component: Component, deployment: Deployment, pool: int) -> bool:
    """True when no decode server in sight takes longer requests."""
    tops = [_top(decode) for prefill, decode in pairs(deployment) if prefill is component]
    return bool(tops) and all(top is not None and top <= pool for top in tops)


def _top(component: Component) -> int | None:
    """What a server admits at most, as far as options tell."""
    known = [one for one in (context(component), tokens(component, POOL)) if one is not None]
    return None if not known or why_larger(component) else min(known)
