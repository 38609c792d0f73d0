"""KV caches that Mooncake moves over TCP.

Before 0.3.13 the TCP transport of Mooncake lets anybody who reaches its port read and write the
memory of the process: caches, prompts, keys (CVE-2026-103764). It is used with the transfer backend
`mooncake_tcp`, with `MC_FORCE_TCP`, and by a Mooncake store with `MOONCAKE_PROTOCOL=tcp`.

Which Mooncake (`mooncake-transfer-engine` and its variants) is inside an image is not known here,
so this is medium, and says "may". The images of SGLang that were looked at hold 0.3.10 and 0.3.11.

Without a device for RDMA Mooncake falls back to TCP by itself: no file tells.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.looking import (
    env_place,
    flag_place,
    given,
    halves,
    launch_place,
    text_of,
    truth,
    variable,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Component, Deployment, Place
    from servelint_sglang.policy import Policy

SEVERITY = "medium"
REMEDY = "use RDMA, or Mooncake 0.3.13 or later with its ports closed to all but the pair"

BACKEND, STORE = "--disaggregation-transfer-backend", "--hicache-storage-backend"
FORCED, PROTOCOL = "MC_FORCE_TCP", "MOONCAKE_PROTOCOL"


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """``mooncake_tcp``, or Mooncake that is told to use TCP."""
    for component in halves(deployment):
        place = _over_tcp(component)
        if place is not None:
            why = "it moves caches over TCP, and its Mooncake may be older than 0.3.13"
            yield Hit(component, why, (place, launch_place(component)), "low")


def _over_tcp(component: Component) -> Place | None:
    """What says that TCP is used."""
    backend, store = text_of(component, BACKEND), text_of(component, STORE)
    flag = given(component, BACKEND)
    if backend == "mooncake_tcp" and flag is not None:
        return flag_place(component, flag)
    forced, protocol = variable(component, FORCED), variable(component, PROTOCOL)
    if backend == "mooncake" and forced is not None and forced.value.text:
        return env_place(forced) if truth(component, forced.value.text) is not False else None
    if store == "mooncake" and protocol is not None and protocol.value.text == "tcp":
        return env_place(protocol)
    return None
