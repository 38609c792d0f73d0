"""Long contexts on a decode server whose pool is split over ranks.

With DP attention every rank has a KV pool of its own, and a request lives in the pool of one rank.
A context that looks small beside the memory of the node may be large beside the pool of a rank, and
one rank that is full holds up all others: it has been seen to freeze a node.

A note, for contexts from 131,072 tokens on: what a pool holds is only known when the server runs.
Look at `max_total_num_tokens` in its log, which is that of one rank.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.looking import DECODE, given, halves, number_of, where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "note"
REMEDY = (
    "compare the context with max_total_num_tokens in the log of the server, which is of one rank"
)

SPLIT = "--enable-dp-attention"
LONG = 131_072


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """DP attention over several ranks, and a long context."""
    for component in halves(deployment):
        if component.role not in DECODE or given(component, SPLIT) is None:
            continue
        ranks, context = number_of(component, "--dp-size"), number_of(component, "--context-length")
        if ranks and ranks > 1 and context and context >= LONG:
            why = f"one of its {ranks} ranks has to hold a context of {context:,} tokens by itself"
            yield Hit(component, why, where(component, "--context-length", SPLIT), "low")
