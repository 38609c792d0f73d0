"""The protection of aborted transfers is switched off.

Since 0.5.21 (with `mori` since 0.5.22) decode holds the pages of an aborted request back until
prefill says that it writes to them no more. That closes SGL-2026-0002, and
`SGLANG_DISAGGREGATION_DEFERRED_DECODE_KV_RELEASE` set to `0`, `false`, `no` or `n` opens it again:
a client that disconnects is enough, and nothing is logged.

On decode the pages are given back at once. On prefill alone decode still holds them back, but
hears from nobody, so that each hold ends by its timeout whether or not the write has ended.

Other words, such as `off`, are not understood and leave the protection on. Before 0.5.21 it is off
unless it is switched on: there SGL-2026-0002 says what is to be said.

## What to do

Delete the variable from both roles. Pages that are held back are few and soon free again: from
0.5.22 on `sglang:decode_deferred_kv_release_seconds` shows how soon.

## What is not said here

Also with the protection on, a hold ends by a timeout: see `short-release-timeout`.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.looking import (
    DECODE,
    env_place,
    halves,
    launch_place,
    surely,
    switch,
    variable,
)
from servelint_sglang.rules.release_hold import DEFAULT, HOLD, is_idle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "high"
REMEDY = f"delete {HOLD} from both roles: it is on by default"

FATES = {
    True: "it gives pages back while a transfer may still write to them",
    False: "it never tells decode that a transfer has ended, so each hold lasts to its timeout",
}
"""What the switch does when it is off, on decode and on prefill."""


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """The switch turned off, in a release in which it would be on."""
    for component in halves(deployment):
        env = variable(component, HOLD)
        old = surely(component, fixed=DEFAULT)
        if env is None or switch(component, HOLD) != "off" or old == "yes" or is_idle(component):
            continue
        is_decode = component.role in DECODE
        yield Hit(
            component,
            f"{env.name} is {env.value.written}: {FATES[is_decode]}",
            (env_place(env), launch_place(component)),
            severity=SEVERITY if is_decode else "medium",
            confidence="high" if old == "no" else "medium",
        )
