"""Prefill and decode that spread attention over different numbers of ranks.

With latent attention (DeepSeek, Kimi K2) every rank holds the whole cache, and the two roles may
differ. Where keys and values are spread over the ranks, each rank of one role has to gather what it
needs from several ranks of the other, in small pieces: with Mooncake and NIXL that is slow, and
breaks under load. From 0.5.10 on a staging buffer on both roles
(`SGLANG_DISAGG_STAGING_BUFFER=1`) gathers them first.

Models that mix in layers with a sliding window or a state (gpt-oss, Qwen3.5, Qwen3-Next,
MiniMax-M3, Nemotron-H and Nemotron 3) cannot be transferred so at all: each transfer fails and the
client waits.

The number is `--tp-size`, divided by the size of DP attention. Families are told by the names of
public models; others are not reported.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.looking import given, text_of, truth, variable
from servelint_sglang.rules.models import GROUPED, HYBRID, family
from servelint_sglang.rules.pairing import at_odds, both_places, count, is_left_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Component, Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "medium"
REMEDY = "spread attention over the same number of ranks in both roles"

STAGING = "SGLANG_DISAGG_STAGING_BUFFER"
BACKENDS = ("mooncake", "mooncake_tcp", "nixl")
_OTHER_SPLITS = ("--attn-cp-size", "--dcp-size")


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """``--tp-size 4`` on one role and ``--tp-size 8`` on the other."""
    for prefill, decode, other, own in at_odds(deployment, _ranks):
        kinds = {family(prefill), family(decode)} - {""}
        why = f"it spreads attention over {_of(own)}, prefill over {_of(other)}"
        places = both_places(decode, prefill, "--tp-size")
        if kinds == {HYBRID}:
            yield Hit(decode, f"{why}, which this model does not allow", places, severity="high")
        elif kinds == {GROUPED} and not any(map(_may_gather, (prefill, decode))):
            yield Hit(decode, f"{why}, without a staging buffer", places, "medium")


def _ranks(component: Component) -> str | None:
    """Over how many ranks one copy of the attention layers is spread."""
    tp, dp = count(component, "--tp-size"), _copies(component)
    plain = all(is_left_out(component, name) for name in _OTHER_SPLITS)
    return str(tp // dp) if plain and tp and dp and tp % dp == 0 else None


def _copies(component: Component) -> int | None:
    if given(component, "--attn-dp-size") is not None:
        return count(component, "--attn-dp-size")
    if given(component, "--enable-dp-attention") is not None:
        return count(component, "--dp-size")
    return 1 if is_left_out(component, "--enable-dp-attention") else None


def _may_gather(component: Component) -> bool:
    """True with the staging buffer, or what may set it; and for other backends."""
    if text_of(component, "--disaggregation-transfer-backend") not in BACKENDS:
        return True
    env = variable(component, STAGING) or variable(component, "*")
    return env is not None and (env.value.text is None or truth(component, env.value.text) is True)


def _of(ranks: str) -> str:
    return "1 rank" if ranks == "1" else f"{ranks} ranks"
