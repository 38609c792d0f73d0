"""A Mooncake metadata server that takes orders from anybody.

Mooncake finds the memory of other machines through a metadata server. Where that is an HTTP server
(`MOONCAKE_TE_META_DATA_SERVER=http://...`, or `metadata_server` in the configuration of the store),
anybody who reaches it can change its entries and so redirect transfers: it asks for no key
(CVE-2026-103765, up to 0.3.13.post1, the newest version known here). `P2PHANDSHAKE`, the default,
needs no such server.
"""

from __future__ import annotations

import re

from servelint.api import Hit
from servelint_sglang.rules.looking import (
    env_place,
    flag_place,
    given,
    halves,
    launch_place,
    variable,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Component, Deployment, Place
    from servelint_sglang.policy import Policy

SEVERITY = "high"
REMEDY = "use P2PHANDSHAKE, or close the metadata server to all but the servers that need it"

VARIABLE, OPTION = "MOONCAKE_TE_META_DATA_SERVER", "--hicache-storage-backend-extra-config"

_HTTP = re.compile(r"https?://(?!127\.|localhost\b|\[::1\])\S")
_ENTRY = re.compile(r"[\"']metadata_server[\"']\s*:\s*[\"'](?P<server>[^\"']*)")


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """An ``http://`` address of another machine."""
    for component in halves(deployment):
        for place in _places(component):
            why = "its Mooncake asks a metadata server over HTTP, which needs no key to change"
            yield Hit(component, why, (place, launch_place(component)), "medium")
            break


def _places(component: Component) -> Iterator[Place]:
    env, flag = variable(component, VARIABLE), given(component, OPTION)
    if env is not None and _HTTP.match(env.value.head):
        yield env_place(env)
    if flag is not None and flag.value is not None:
        entry = _ENTRY.search(flag.value.text or "")
        if entry is not None and _HTTP.match(entry["server"]):
            yield flag_place(component, flag)
