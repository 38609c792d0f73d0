"""Prefill and decode with different transfer backends.

The two ends of a transfer speak the protocol of their backend, and nothing compares the two: with
`mooncake` on one role and `nixl` on the other no transfer begins, and requests wait until they time
out. A role without `--disaggregation-transfer-backend` has `mooncake`.

`fake` on one role is for measuring, and is left out.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.pairing import at_odds, both_places, settled
from servelint_sglang.tables import engine_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Component, Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "high"
REMEDY = "give both roles the same --disaggregation-transfer-backend"

OPTION = "--disaggregation-transfer-backend"
_FAMILY = {"mooncake_tcp": "mooncake"}


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """``nixl`` on one role and ``mooncake``, or nothing, on the other."""
    for prefill, decode, other, own in at_odds(deployment, _backend, one_model=False):
        if "fake" not in (own, other):
            why = f"it transfers with {own}, prefill with {other}"
            yield Hit(decode, why, both_places(decode, prefill, OPTION), "medium")


def _backend(component: Component) -> str | None:
    text = settled(component, OPTION, engine_table()["defaults"][OPTION])
    return _FAMILY.get(text, text) if text is not None else None
