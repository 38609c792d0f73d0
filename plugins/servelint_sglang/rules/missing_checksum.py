"""No transfer checksum, where the site demands it.

With `require-kv-checksum = true` in `[tool.servelint.sglang]`, both halves of every pair are to
have `--disaggregation-enable-kv-checksum`. Without that setting a missing checksum is no finding:
it is off by default in every release, and not every model is covered.

## What to do

Put the option on both roles, with 0.5.23 or later on both; the option exists since 0.5.21 and can
stop requests before 0.5.23 (`hanging-checksum`). Try it outside production: no line of the log and
no metric says that a request was verified, only `KV checksum skipped` says that one was not.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.checksum import CHECKSUM, has_checksum
from servelint_sglang.rules.looking import halves, launch_place, sides
from servelint_sglang.rules.release_hold import backend

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "medium"
REMEDY = f"put {CHECKSUM} on both roles, with SGLang 0.5.23 or later on both"


def check(deployment: Deployment, policy: Policy) -> Iterator[Hit]:
    """Halves without the option; a pair of which one half has it is another finding."""
    if not policy.require_kv_checksum:
        return
    if any(has_checksum(one) for group in sides(deployment) for one in group):
        return
    for component in halves(deployment):
        if has_checksum(component) is False and backend(component) != "fake":
            why = f"it runs without {CHECKSUM}, which this site demands (require-kv-checksum)"
            yield Hit(component, why, (launch_place(component),))
