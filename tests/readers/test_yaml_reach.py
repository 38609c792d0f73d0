"""From where containers can be reached: what the YAML reader tells of ports and networks."""

from __future__ import annotations

import textwrap

import pytest
from reading import facts_of, quoted

from servelint.facts import Setting
from servelint.source import Route

KEYS = ("published-port", "host-network", "network-policy", "privileged")


def told(text, path="pair.yaml"):
    """Key, value and owner of all that is told of the way to containers."""
    text = textwrap.dedent(text).lstrip("\n")
    found = [one for one in facts_of("yaml", text, path) if isinstance(one, Setting)]
    found = [one for one in found if one.key in KEYS]
    for one in found:
        assert quoted(text, one.span) == one.value.written
    return [(one.key, one.value.written, one.owner.steps) for one in found]


def service(kind, ports, notes="{}"):
    metadata, spec = f"{{annotations: {notes}}}", f"{{type: {kind}, ports: {ports}}}"
    return told(f"{{kind: Service, metadata: {metadata}, spec: {spec}}}")


@pytest.mark.parametrize(
    ("kind", "ports", "expected"),
    [
        ("LoadBalancer", "[{port: 80, targetPort: 8998}]", ["8998"]),
        ("NodePort", "[{port: 8998, targetPort: bootstrap, nodePort: 31000}]", ["8998"]),
        ("NodePort", "[{port: 1}, {port: 2}]", ["1", "2"]),
        ("ClusterIP", "[{port: 8998}]", []),
        ("LoadBalancer", "{}", []),
        ("LoadBalancer", "[8998]", []),
    ],
)
def test_a_service_that_is_reached_from_outside(kind, ports, expected):
    assert service(kind, ports) == [("published-port", port, ()) for port in expected]


@pytest.mark.parametrize(
    "notes",
    [
        "{networking.example/load-balancer-type: Internal}",
        '{service.example/internal-load-balancer: "true"}',
    ],
)
def test_an_internal_load_balancer_is_not_outside(notes):
    assert service("LoadBalancer", "[{port: 8998}]", notes) == []


def test_what_an_ingress_sends_on():
    text = """
        kind: Ingress
        spec:
          rules:
            - host: a.example
            - http: {paths: [{backend: {service: {name: a, port: {number: 8998}}}}]}
        """
    assert told(text) == [("published-port", "8998", ())]


def test_a_port_of_the_host_is_the_container_s():
    text = """
        containers:
          - ports:
              - {containerPort: 8998, hostPort: 9000}
              - {containerPort: 8999}
              - {containerPort: 9001, hostPort: 9001, hostIP: 127.0.0.1}
              - {hostPort: 9002}
        """
    owner = (0, "containers", 0)
    expected = [("published-port", "8998", owner), ("published-port", "9002", owner)]
    assert told(text) == expected


@pytest.mark.parametrize(
    ("port", "expected"),
    [
        ('"8998:8998"', ["8998"]),
        ('"9000:8998/tcp"', ["8998"]),
        ('"0.0.0.0:9000:8998"', ["8998"]),
        ('"127.0.0.1:9000:8998"', []),
        ('"[::1]:9000:8998"', []),
        ("8998", ["8998"]),
        ('"${PORT}:8998"', ["8998"]),
        ('"9000:${PORT:-8998}"', []),
        ("{target: 8998, published: 9000}", ["8998"]),
        ("{target: 8998, host_ip: 127.0.0.1}", []),
    ],
)
def test_ports_of_a_compose_service(port, expected):
    found = told(f"services:\n  a:\n    image: b:1\n    ports: [{port}]\n", "compose.yaml")
    assert found == [("published-port", port, (0, "services", "a")) for port in expected]


def test_the_network_of_the_host():
    assert told("spec: {hostNetwork: true, containers: []}") == [
        ("host-network", "true", (0, "spec"))
    ]
    assert told("spec: {hostNetwork: false}") == []
    text = "services: {a: {image: b, network_mode: host}, b: {image: b, network_mode: bridge}}"
    assert told(text, "compose.yaml") == [("host-network", "host", (0, "services", "a"))]


def test_rights_belong_to_the_container():
    text = "containers: [{image: a, securityContext: {privileged: true}}]"
    assert told(text) == [("privileged", "true", (0, "containers", 0))]


def test_a_network_policy_belongs_to_all_that_is_read_with_it():
    text = "kind: NetworkPolicy\nspec: {}\n"
    assert told(text) == [("network-policy", "NetworkPolicy", ())]
    (one,) = [each for each in facts_of("yaml", text, "a.yaml") if isinstance(each, Setting)]
    assert one.owner == Route("a.yaml")
