"""A server on the network without a key.

Without `--api-key` and `--admin-api-key`, the endpoints that change a server are open to whoever
reaches it: loading other weights, flushing the cache, switching the role of half a pair. Up to
0.5.20 some of them also unpickle what they get (CVE-2026-86793 names the versions up to 0.5.18),
which is high; later it is medium.

A key does not close everything: `/health`, `/metrics` and the bootstrap service never ask for one.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.hosts import is_loopback, serves_http
from servelint_sglang.rules.looking import given, is_absent, servers, where, within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Component, Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "medium"
REMEDY = "set --api-key and --admin-api-key, or keep the port to the gateway"
PROFILE = "exposure"

KEYS = ("--api-key", "--admin-api-key")


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """``--host 0.0.0.0`` and no key."""
    for component in servers(deployment):
        if _is_open(component):
            old = within(component, fixed="0.5.21") == "yes"
            why = "it listens on the network, and its control endpoints ask for no key"
            places = where(component, "--host")
            yield Hit(component, why, places, "medium", "high" if old else "")


def _is_open(component: Component) -> bool:
    told = given(component, "--host") is not None and is_loopback(component) is False
    without = all(is_absent(component, key) for key in KEYS)
    return told and without and serves_http(component)
