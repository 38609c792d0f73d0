"""Prefill and decode with pages of different sizes.

A cache is transferred page by page, so both roles need the same `--page-size`. From 0.5.8 on decode
compares the two when it first meets prefill, and fails; older versions transfer what does not fit,
and answer from it.

Where only one role gives the option, the other has the page size of its attention backend, which
may be the same: that is a note.
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
REMEDY = "give both roles the same --page-size"

OPTION = "--page-size"


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """``--page-size 64`` on one role and another one, or none, on the other."""
    for prefill, decode, other, own in at_odds(deployment, _size):
        places = both_places(decode, prefill, OPTION)
        if other and own:
            why = f"its pages hold {own} tokens, those of prefill {other}"
            checked = within(decode, fixed="0.5.8") != "yes"
            yield Hit(decode, why, places, severity="" if checked else "high")
        else:
            whose = "only prefill" if other else "only decode"
            why = f"{whose} is told its page size ({own or other}), and the other may have another"
            yield Hit(decode, why, places, "low", "note")


def _size(component: Component) -> str | None:
    return settled(component, OPTION, "")
