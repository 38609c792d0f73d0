"""Speculation on decode only, in a version that then mixes up values.

From 0.5.2 to 0.5.7 the cache of the draft model, which only decode has then, shifts where the
values of the transferred cache go: the answers are wrong, with status 200. 0.5.8 has the fix (pull
request 17212). Models with latent attention keep no separate values and are not affected.

In other versions speculation on decode only is ordinary, and not reported. Families are told by the
names of public models.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.looking import within
from servelint_sglang.rules.models import GROUPED, family
from servelint_sglang.rules.pairing import at_odds, both_places, settled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Component, Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "high"
REMEDY = "upgrade both roles, or give prefill the speculative options of decode"

OPTION = "--speculative-algorithm"
INTRODUCED, FIXED = "0.5.2", "0.5.8"


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """``--speculative-algorithm`` on decode and not on prefill."""
    for prefill, decode, other, own in at_odds(deployment, _algorithm):
        old = all(within(one, INTRODUCED, FIXED) == "yes" for one in (prefill, decode))
        kinds = {family(prefill), family(decode)} - {""}
        if own and not other and old and kinds == {GROUPED}:
            why = f"it speculates ({own}) and prefill does not"
            yield Hit(decode, why, both_places(decode, prefill, OPTION), "medium")


def _algorithm(component: Component) -> str | None:
    return settled(component, OPTION, "")
