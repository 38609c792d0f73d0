"""Prefill and decode with different models.

Decode goes on from the KV cache of prefill, which means something to the model that wrote it only.
No version compares the models of the two roles: a pair of different ones answers, and what it
answers is garbage.

Models are told by their names: the last part of `--model-path`. The same name with other words for
how the weights are stored (`-FP8`, `-AWQ`) is a note: such pairs work, and their caches differ a
little. Two revisions of one model are reported as medium.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.models import base_of, name_of
from servelint_sglang.rules.pairing import at_odds, both_places, settled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Component, Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "high"
REMEDY = "give both roles the same --model-path and --revision"


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """``--model-path`` names two models, or ``--revision`` two states of one."""
    for prefill, decode, other, own in at_odds(deployment, _name, one_model=False):
        places = both_places(decode, prefill, "--model-path")
        if base_of(own) == base_of(other):
            why = f"it serves {own}, and prefill {other}: the weights are stored in another way"
            yield Hit(decode, why, places, "low", "note")
        else:
            yield Hit(decode, f"it serves {own}, and prefill {other}", places, "medium")
    for prefill, decode, other, own in at_odds(deployment, _revision):
        why = f"it serves revision {own or 'that is newest'}, and prefill {other or 'the newest'}"
        places = both_places(decode, prefill, "--revision")
        yield Hit(decode, why, places, "medium", "medium")


def _name(component: Component) -> str | None:
    return name_of(component) or None


def _revision(component: Component) -> str | None:
    return settled(component, "--revision", "")
