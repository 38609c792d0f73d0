"""A cached prefix that prefill may send with nixl before it is written.

SGL-2026-0003 describes the flaw: from 0.5.15 on prefill sends the cached part of a prompt early,
and some transfer backends did not wait for the computation that fills those pages. `nixl` is told
what to wait for and does not use it, in every release from 0.5.15 to 0.5.23: decode may continue
over pages that are not yet written, and answer wrongly with status 200.

This comes from reading the code of the backend. Nobody has shown it with `nixl`, and other
properties of that backend may make it rare or impossible.

## What to do

Set `SGLANG_DISAGG_PREFILL_EARLY_SEND_CACHED_PREFIX=0` on prefill (`0`, `false`, `no` or `n`; other
words leave it on). Long prompts then wait a little longer for their first token.
`--disable-overlap-schedule` on prefill has the same effect and costs more. No release is known that
makes either of them unnecessary.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.looking import PREFILL, halves, is_absent, switch, where, within
from servelint_sglang.rules.release_hold import backend

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "low"

EARLY = "SGLANG_DISAGG_PREFILL_EARLY_SEND_CACHED_PREFIX"
SINCE = "0.5.15"

REMEDY = f"set {EARLY}=0 on prefill"


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """Prefill over nixl that surely sends early."""
    for component in halves(deployment):
        sends = switch(component, EARLY) in ("unset", "on", "odd")
        sends = sends and is_absent(component, "--disable-overlap-schedule")
        is_nixl = backend(component) == "nixl" and within(component, SINCE) == "yes"
        if component.role in PREFILL and is_nixl and sends:
            why = "with nixl it may send a cached prefix before the pages of it are written"
            places = where(component, "--disaggregation-transfer-backend")
            sure = "medium" if component.resolution.clears else "low"
            yield Hit(component, why, places, confidence=sure)
