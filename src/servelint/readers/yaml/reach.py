"""From where a container can be reached: published ports, the network of its host, its rights.

The port of a setting is the one inside the container, wherever it is published.
"""

from __future__ import annotations

import re

from servelint.facts import Setting
from servelint.source import Route
from servelint.syntax.yaml import Field, Mapping, Node, Scalar, Sequence, below, deref, fields
from servelint.value import Value, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.readers.yaml.site import Site

PUBLISHED = "published-port"
HOST_NETWORK = "host-network"
NETWORK_POLICY = "network-policy"
PRIVILEGED = "privileged"

_OPEN_SERVICES = ("LoadBalancer", "NodePort")
_INTERNAL = re.compile(r"internal", re.IGNORECASE)
"""In the annotations of a load balancer: it is reached from its own network only."""

_LOOPBACK = re.compile(r"127\.|\[?::1|localhost")
_TRUE = ("true", "True", "TRUE", "yes", "on")


def reach(site: Site) -> Iterator[Setting]:
    """What one mapping says of the way to a container, or of that to all of its unit."""
    fields_here = site.fields
    if "hostNetwork" in fields_here:
        yield from _switch(site, "hostNetwork", HOST_NETWORK)
    if "privileged" in fields_here:
        yield from _switch(site, "privileged", PRIVILEGED)
    if "network_mode" in fields_here and site.is_compose:
        yield from _network(site)
    if "ports" in fields_here:
        yield from _compose_ports(site) if site.is_compose else _host_ports(site)
    kind = _word(site.fields, "kind")
    if kind == "Service":
        yield from _service(site)
    elif kind == "Ingress":
        yield from _ingress(site)
    elif kind == "NetworkPolicy":
        value = site.value(fields_here["kind"].value)
        if value is not None:
            yield _setting(_unit(site), NETWORK_POLICY, value)


def _switch(site: Site, name: str, key: str) -> Iterator[Setting]:
    value = site.text(name)
    if value is None or value.text not in _TRUE:
        return
    inner = site.route.steps[-1:] == ("securityContext",)
    owner = Route(site.route.unit, site.route.steps[:-1]) if inner else site.owner
    yield _setting(owner, key, value)


def _network(site: Site) -> Iterator[Setting]:
    value = site.text("network_mode")
    if value is not None and value.text == "host":
        yield _setting(site.owner, HOST_NETWORK, value)


# -- ports --------------------------------------------------------------------


def _host_ports(site: Site) -> Iterator[Setting]:
    """Ports of a container that its node has, too."""
    for row in _rows(site.fields["ports"].value):
        address = _word(row, "hostIP")
        if "hostPort" in row and not _LOOPBACK.match(address):
            yield from _published(site, site.owner, row, "containerPort", "hostPort")


def _compose_ports(site: Site) -> Iterator[Setting]:
    """``[ADDRESS:][PORT:]PORT`` of a service; one without an address is on all of the host's."""
    for item in _items(site.fields["ports"].value):
        if isinstance(item, Mapping):
            row = fields(item)
            if not _LOOPBACK.match(_word(row, "host_ip")):
                yield from _published(site, site.owner, row, "target")
            continue
        if not isinstance(item, Scalar):
            continue
        whole = item.value.partition("/")[0]
        start = whole.rfind(":") + 1
        if whole[start:].isdigit() and not _LOOPBACK.match(whole):
            port = site.embedded(item, "text", site.route).span(start, len(whole))
            yield _setting(site.owner, PUBLISHED, known(whole[start:], port))


def _service(site: Site) -> Iterator[Setting]:
    """The ports of a service that the cluster makes reachable from outside."""
    spec = below(site.fields, "spec")
    notes = below(site.fields, "metadata", "annotations")
    words = (word for name in notes for word in (name, _word(notes, name)))
    if _word(spec, "type") not in _OPEN_SERVICES or any(map(_INTERNAL.search, words)):
        return
    for row in _rows(spec["ports"].value if "ports" in spec else None):
        target = site.value(row["targetPort"].value) if "targetPort" in row else None
        is_number = target is not None and target.text is not None and target.text.isdigit()
        yield from _published(site, _unit(site), row, "targetPort" if is_number else "port")


def _ingress(site: Site) -> Iterator[Setting]:
    """The ports of services to which requests from outside are sent."""
    for rule in _rows(below(site.fields, "spec").get("rules")):
        for path in _rows(below(rule, "http").get("paths")):
            port = below(path, "backend", "service", "port")
            yield from _published(site, _unit(site), port, "number")


def _published(site: Site, owner: Route, row: dict[str, Field], *keys: str) -> Iterator[Setting]:
    value = next((site.value(row[key].value) for key in keys if key in row), None)
    if value is not None:
        yield _setting(owner, PUBLISHED, value)


# -- parts --------------------------------------------------------------------


def _unit(site: Site) -> Route:
    return Route(site.route.unit)


def _setting(owner: Route, key: str, value: Value) -> Setting:
    return Setting(span=value.span, owner=owner, key=key, value=value)


def _items(node: Node | Field | None) -> tuple[Node, ...]:
    target = deref(node.value if isinstance(node, Field) else node)[0] if node else None
    items = target.items if isinstance(target, Sequence) else ()
    return tuple(deref(item)[0] for item in items)


def _rows(node: Node | Field | None) -> Iterator[dict[str, Field]]:
    """The mappings of a list."""
    yield from (fields(item) for item in _items(node) if isinstance(item, Mapping))


def _word(found: dict[str, Field], key: str) -> str:
    target = deref(found[key].value)[0] if key in found else None
    return target.value if isinstance(target, Scalar) else ""
