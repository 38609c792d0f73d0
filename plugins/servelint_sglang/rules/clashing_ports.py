"""Two servers of a pair on one machine, with one port.

Each server needs a `--port` of its own (30000 unless set), and each prefill a
`--disaggregation-bootstrap-port` (8998 unless set). Of two servers in one pod, or of two services
of a compose file on the network of their host, the second cannot take the port of the first and
stops. With role switching every server has a bootstrap port.

Two commands of one script are not reported: scripts often run one role here and the other
elsewhere.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

from servelint.api import Hit
from servelint_sglang.rules.hosts import (
    BOOTSTRAP,
    HOST_NETWORK,
    bootstrap_port,
    pod,
    serves_http,
    settings,
)
from servelint_sglang.rules.looking import PREFILL, given, halves, text_of
from servelint_sglang.rules.pairing import both_places, settled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Component, Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "medium"
REMEDY = "give each server a port of its own"

PORT = "--port"
DEFAULT_PORT = "30000"


MANY = 64
"""Servers of one machine that are compared."""


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """``--port`` or ``--disaggregation-bootstrap-port`` twice on one machine."""
    machines: dict[object, list[Component]] = defaultdict(list)
    for component in halves(deployment):
        machines[_machine(component)].append(component)
    machines.pop(None, None)
    for together in machines.values():
        for one, other in combinations(together[:MANY], 2):
            if one.owner != other.owner and not _differ(one, other, "--host", "--node-rank"):
                yield from _clash(one, other)


def _clash(one: Component, other: Component) -> Iterator[Hit]:
    for name, port in _clashes(one, other):
        why = f"{name} {port} is taken by another server that is started beside it"
        yield Hit(other, why, both_places(other, one, name))
        return


def _clashes(one: Component, other: Component) -> Iterator[tuple[str, str]]:
    wanted: list[tuple[str, str | None, str | None]] = []
    if serves_http(one) and serves_http(other):
        wanted.append((PORT, _port(one), _port(other)))
    if one.role in PREFILL and other.role in PREFILL:
        wanted.append((BOOTSTRAP, bootstrap_port(one), bootstrap_port(other)))
    for name, first, second in wanted:
        if first and first == second:
            yield name, first


def _port(component: Component) -> str | None:
    return settled(component, PORT, DEFAULT_PORT)


def _machine(component: Component) -> object:
    """What has one set of ports: a pod, or the host of compose services that use its network."""
    place, kind = pod(component)
    if kind == "services":
        return place.unit if any(settings(component, HOST_NETWORK)) else None
    return place if kind == "containers" else None


def _differ(one: Component, other: Component, *names: str) -> bool:
    """True where two servers are told apart by an option, or may be."""
    for name in names:
        if given(one, name) is None and given(other, name) is None:
            continue
        texts = {text_of(one, name), text_of(other, name)}
        if len(texts) > 1 or None in texts:
            return True
    return False
