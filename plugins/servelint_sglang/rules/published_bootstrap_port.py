"""A bootstrap port that is reached from outside the deployment.

The bootstrap service of prefill takes registrations from anybody who reaches its port (8998 unless
set): no key is asked for, and `--api-key` does not cover it. A false registration breaks transfers,
or sends decode to another machine. The record (CVE-2026-92972, here SGL-2026-0010) names the
versions up to 0.5.19; read as code, the service of 0.5.23 asks for nothing either.

Reported as high where the port is published: a service of type LoadBalancer or NodePort, an
ingress, a `hostPort`, a port of a compose file on all interfaces. On the network of its host
(`hostNetwork: true`) the port is open to whoever reaches the host: a note, as many clusters keep
that network to themselves. Manifests with a network policy beside them are not reported.

A service or an ingress is seen where it stands in the file of the server, not in another one.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.hosts import (
    BOOTSTRAP,
    HOST_NETWORK,
    NETWORK_POLICY,
    PUBLISHED,
    bootstrap_port,
    is_loopback,
    setting_place,
    settings,
)
from servelint_sglang.rules.looking import PREFILL, given, halves, where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Component, Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "high"
REMEDY = "publish the port of the router only, and close the bootstrap port to all but decode"


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """The bootstrap port of prefill among the published ones."""
    for component in halves(deployment):
        port = bootstrap_port(component)
        if component.role in PREFILL and port and _listens(component):
            yield from _published(component, port)


def _published(component: Component, port: str) -> Iterator[Hit]:
    if any(settings(component, NETWORK_POLICY)):
        return
    places = where(component, BOOTSTRAP, "--host")
    for setting in settings(component, PUBLISHED):
        if setting.value.text == port:
            why = f"its bootstrap port {port} is published, and takes orders without a key"
            yield Hit(component, why, (setting_place(setting), *places))
            return
    for setting in settings(component, HOST_NETWORK):
        why = f"its bootstrap port {port} is open on the network of its host, without a key"
        yield Hit(component, why, (setting_place(setting), *places), "medium", "note")
        return


def _listens(component: Component) -> bool:
    """True with an address that is given and is not only of the server's own machine."""
    return given(component, "--host") is not None and is_loopback(component) is not True
