"""A decode server of which nobody sees how its holds end.

From 0.5.22 on decode counts how it gives the pages of aborted requests back:
`sglang:decode_deferred_kv_release_total` with the outcomes `drained`, `timeout` and `error`.
Without `--enable-metrics` nothing is counted.

## What to do

Add `--enable-metrics` to decode and alert on `outcome="timeout"`: each of them is a hold that ended
without the word of prefill. A counter shows no series before its first event, so that an absent
series does not mean that metrics are off.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.looking import DECODE, halves, is_absent, launch_place, surely
from servelint_sglang.rules.release_hold import MORI, backend

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "note"
PROFILE = "evidence"
REMEDY = 'add --enable-metrics to decode, and alert on outcome="timeout"'


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """No metrics on decode, in a release that has the counter."""
    for component in halves(deployment):
        counts = surely(component, fixed=MORI) == "no" and backend(component) != "fake"
        if component.role in DECODE and counts and is_absent(component, "--enable-metrics"):
            why = "it counts nowhere how its holds of pages end: --enable-metrics is missing"
            yield Hit(component, why, (launch_place(component),))
