"""A server of a pair that only its own container can reach.

A server listens on `--host`, which is 127.0.0.1 unless set. That holds for its bootstrap service,
too, where decode asks for the addresses of the ranks: in a pod or a container of its own, nobody
reaches it. Decode is refused until its requests time out, and the router takes the server for dead.

Reported are prefill servers in Kubernetes manifests and compose files that serve HTTP themselves,
beside a decode server in another pod; and decode servers beside a router in another one.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.hosts import HOST_NETWORK, is_loopback, pod, serves_http, settings
from servelint_sglang.rules.looking import DECODE, PREFILL, given, halves, where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from servelint.api import Component, Deployment, Route
    from servelint_sglang.policy import Policy

SEVERITY = "high"
REMEDY = "add --host 0.0.0.0, or the address of the pod, and keep the ports inside the cluster"


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """No ``--host``, or ``--host 127.0.0.1``, and the other half somewhere else."""
    decodes = _places(one for one in halves(deployment) if one.role in DECODE)
    routers = _places(one for one in deployment.components if one.kind == "router")
    for component in halves(deployment):
        own = pod(component)
        peers = routers | decodes if component.role in PREFILL else routers
        apart = own[1] and peers and own not in peers
        if apart and is_loopback(component) and _is_alone(component):
            told = given(component, "--host") is not None
            how = "with this --host" if told else "without --host"
            why = f"{how} it listens on its own loopback address, where nothing else reaches it"
            yield Hit(component, why, where(component, "--host"))


def _places(components: Iterable[Component]) -> set[tuple[Route, str]]:
    """The pods and services of components that have to reach a server."""
    return {place for one in components if (place := pod(one))[1]}


def _is_alone(component: Component) -> bool:
    """True for a server that serves HTTP itself, on a network of its own."""
    return serves_http(component) and not any(settings(component, HOST_NETWORK))
