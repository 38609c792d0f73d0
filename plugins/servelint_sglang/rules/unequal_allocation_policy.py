"""Prefill and decode with different policies for the pages of decode.

From 0.5.22 on `--disaggregation-decode-allocation-policy` says when decode reserves pages, and both
roles follow it. Decode refuses a prefill with another policy at the first request. The default is
`early`.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.looking import within
from servelint_sglang.rules.pairing import at_odds, both_places, settled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Component, Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "medium"
REMEDY = "give both roles the same --disaggregation-decode-allocation-policy"

OPTION = "--disaggregation-decode-allocation-policy"
DEFAULT = "early"


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """``prefill_complete`` on one role only."""
    for prefill, decode, other, own in at_odds(deployment, _text):
        if within(decode, "0.5.22") != "no":
            why = f"it allocates pages by the policy {own}, prefill by {other}"
            yield Hit(decode, why, both_places(decode, prefill, OPTION))


def _text(component: Component) -> str | None:
    return settled(component, OPTION, DEFAULT)
