"""A KV pool of prefill that nothing here compares with the context.

Whether one full request fits into the KV pool of prefill follows from the memory that is left when
the server has loaded its weights. No option guarantees it, and no file says it. Where that is
wanted in writing, this asks for the proof: one line of the startup log of each prefill server, as
`servelint startup-log --record` keeps it.

## What to do

Start prefill and read `max_total_num_tokens` and `context_len`, which stand on one line of its log.
The first is to be at least the second. Up to 0.5.20 it has to be multiplied by `--dcp-size` (0.5.17
and later); with data-parallel attention one rank prints it for all; with sliding windows the
smaller pool counts too. From 0.5.23 on the server warns by itself.

A pool that is large enough makes no version before 0.5.20 safe: see SGL-2026-0001.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.recorded import pools_fit
from servelint_sglang.rules.limits import CONTEXT, POOL, context, tokens
from servelint_sglang.rules.looking import PREFILL, halves, where
from servelint_sglang.rules.release_hold import backend

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "note"
PROFILE = "evidence"
REMEDY = "compare max_total_num_tokens with context_len in the startup log of each prefill server"


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """Prefill of which no option proves that its pool is too small."""
    if pools_fit(deployment):
        return
    for component in halves(deployment):
        if component.role in PREFILL and backend(component) != "fake":
            offered, pool = context(component), tokens(component, POOL)
            if offered is None or pool is None or pool >= offered:
                why = (
                    "whether one full request fits into its KV pool is not decided by any file here"
                )
                yield Hit(component, why, where(component, CONTEXT, POOL))
