"""Prefill and decode with KV caches of different types.

Decode reads the bytes that prefill wrote, so both roles need the same `--kv-cache-dtype`. From
0.5.10rc0 on decode compares the two when it first meets prefill, and fails; older versions answer
from bytes that mean something else.

The default, `auto`, is the type of the model. 0.5.10rc0 to 0.5.16 compare the words of the two
options, and fail on `auto` beside a type even where both mean the same. In other versions a type on
one role only may be that of the model: that is reported as low.
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
REMEDY = "give both roles the same --kv-cache-dtype"

OPTION = "--kv-cache-dtype"
AUTO = "auto"
_SAME = {"bfloat16": "bf16"}
"""Words for one type."""


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """``fp8_e4m3`` on one role and another type, or none, on the other."""
    for prefill, decode, other, own in at_odds(deployment, _type):
        places = both_places(decode, prefill, OPTION)
        why = f"its cache is {own}, that of prefill {other}"
        if AUTO not in (own, other):
            checked = within(decode, fixed="0.5.10rc0") != "yes"
            yield Hit(decode, why, places, severity="" if checked else "high")
        elif within(decode, "0.5.10rc0", "0.5.17") == "yes":
            yield Hit(decode, f"{why}, and this version compares the words", places)
        else:
            yield Hit(decode, f"{why}, which may be another type", places, "low", "low")


def _type(component: Component) -> str | None:
    text = settled(component, OPTION, AUTO)
    return _SAME.get(text, text) if text is not None else None
