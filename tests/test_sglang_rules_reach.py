"""The rules on ports, addresses and single servers of a pair."""

from __future__ import annotations

import pytest
from sglang_pairs import found, pair, pod, said
from trees import fill

from servelint.config import Config
from servelint.pipeline import run

BOOTSTRAP = "--disaggregation-bootstrap-port"


def severities(root, text, wanted, **settings):
    return [severity for severity, _ in found(root, text, wanted, **settings)]


def scripted(root, wanted, text, version="0.5.22", profiles=()):
    fill(root, {"serve.sh": text, "requirements.txt": f"sglang=={version}\n"})
    every = run(Config(str(root), profiles=profiles)).findings
    return [one.severity for one in every if one.id == wanted]


# -- bootstrap ports ----------------------------------------------------------

SERVER = "python3 -m sglang.launch_server --model-path m"
ROUTER = "python3 -m sglang_router.launch_router --pd-disaggregation"


@pytest.mark.parametrize(
    ("prefill", "decode", "router", "expected"),
    [
        ("", "", "--prefill http://a:1 9000 --decode http://b:1", 1),
        (f"{BOOTSTRAP} 9000", "", "--prefill http://a:1 9000 --decode http://b:1", 0),
        ("", "", "--prefill http://a:1 8998 --decode http://b:1", 0),
        ("", "", "--prefill=http://a:1 9000 --decode http://b:1", 1),
        ("", "", "--prefill http://a:1 none --decode http://b:1", 0),
        ("", "", "--prefill http://a:1 $PORT --decode http://b:1", 0),
        ("", "", "--prefill http://a:1 --decode http://b:1", 0),
        (f"{BOOTSTRAP} 9000", "", "--prefill http://a:1 --decode http://b:1", 1),
        (f"{BOOTSTRAP} 9000", f"{BOOTSTRAP} 9000", "--prefill http://a:1 --decode http://b:1", 0),
        (f"{BOOTSTRAP} $P", "", "--prefill http://a:1 9000 --decode http://b:1", 0),
        ("$MORE", "", "--prefill http://a:1 9000 --decode http://b:1", 0),
        ("", "", "--prefill http://a:1 8998 --prefill http://c:1 9000 --decode http://b:1", 1),
        (f"{BOOTSTRAP} 9000", "", "", 0),
    ],
)
def test_the_port_that_a_router_names(tmp_path, prefill, decode, router, expected):
    lines = [f"{SERVER} --disaggregation-mode prefill {prefill} &"]
    lines += [f"{SERVER} --disaggregation-mode decode {decode} &"]
    lines += [f"{ROUTER} {router}"] if router else []
    got = scripted(tmp_path, "mismatched-bootstrap-port", "\n".join((*lines, "")))
    assert got == ["high"] * expected


def test_what_stands_around_the_server_chooses_a_port_itself(tmp_path):
    text = (
        f"python3 -m dynamo.sglang --disaggregation-mode prefill &\n{SERVER} --disaggregation-mode"
    )
    text += f" decode &\n{ROUTER} --prefill http://a:1 9000 --decode http://b:1\n"
    assert scripted(tmp_path, "mismatched-bootstrap-port", text) == []


def test_a_balancer_lists_the_ports(tmp_path):
    text = f"{SERVER} --disaggregation-mode prefill &\n{SERVER} --disaggregation-mode decode &\n"
    text += "python3 -m sglang.srt.disaggregation.mini_lb --prefill http://a:1 http://c:1"
    text += " --prefill-bootstrap-ports 8998 9001 --decode http://b:1\n"
    got = scripted(tmp_path, "mismatched-bootstrap-port", text, "0.4.6.post5")
    assert got == ["high"]


# -- addresses ----------------------------------------------------------------


def deployment(role, *options, host="", above="", program="sglang, serve, m", mode=""):
    words = ", ".join((f"--disaggregation-mode={mode or role}", *options, *host.split()))
    container = f"name: server, image: 'lmsysorg/sglang:v0.5.22', command: [{program}, {words}]"
    pod_spec = f"{above}containers: [{{{container}}}]"
    return f"kind: Deployment\nspec: {{template: {{spec: {{{pod_spec}}}}}}}\n"


DECODE = deployment("decode", host="--host 0.0.0.0".replace(" ", "="))
LOOPBACK = "--host=127.0.0.1"


@pytest.mark.parametrize(
    ("prefill", "expected"),
    [
        (deployment("prefill"), 1),
        (deployment("prefill", host=LOOPBACK), 1),
        (deployment("prefill", host="--host=localhost"), 1),
        (deployment("prefill", host="--host=0.0.0.0"), 0),
        (deployment("prefill", host="--host=$(POD_IP)"), 0),
        (deployment("prefill", "$(MORE)"), 0),
        (deployment("prefill", above="hostNetwork: true, "), 0),
        (deployment("prefill", program="python3, -m, dynamo.sglang"), 0),
    ],
)
def test_a_pod_of_its_own_needs_an_address(tmp_path, prefill, expected):
    got = severities(tmp_path, f"{prefill}---\n{DECODE}", "loopback-bound-server")
    assert got == ["high"] * expected


def test_nobody_has_to_reach_a_server_alone(tmp_path):
    assert found(tmp_path, deployment("prefill"), "loopback-bound-server") == []


def test_decode_is_reached_by_a_router_only(tmp_path):
    text = f"{deployment('decode')}---\n{deployment('prefill', host='--host=0.0.0.0')}"
    assert found(tmp_path, text, "loopback-bound-server") == []


def test_containers_of_a_pod_share_the_loopback_address(tmp_path):
    text = pair(pod("prefill"), pod("decode", "--port 30001")).replace("=0.0.0.0", "=127.0.0.1")
    assert found(tmp_path, text, "loopback-bound-server") == []


@pytest.mark.parametrize(
    ("decode", "expected"),
    [
        ("", ["medium"]),
        ("--port 30000", ["medium"]),
        ("--port 30001", []),
        ("--port $(PORT)", []),
        ("$(MORE)", []),
        ("--host $(POD_IP)", []),
    ],
)
def test_containers_of_a_pod_share_the_ports(tmp_path, decode, expected):
    text = pair(pod("prefill"), pod("decode", decode))
    assert severities(tmp_path, text, "clashing-ports") == expected


def test_two_prefill_servers_of_a_pod_share_the_bootstrap_port(tmp_path):
    one, other = pod("prefill"), pod("prefill", "--port 30001")
    assert severities(tmp_path, pair(one, other), "clashing-ports") == ["medium"]
    apart = pod("prefill", f"--port 30001 {BOOTSTRAP} 8999")
    assert severities(tmp_path, pair(one, apart), "clashing-ports") == []


SERVICE = "---\nkind: Service\nspec: {type: LoadBalancer, ports: [{port: PORT}]}\n"


@pytest.mark.parametrize(
    ("prefill", "port", "expected"),
    [
        (deployment("prefill", host="--host=0.0.0.0"), "8998", ["high"]),
        (deployment("prefill", host="--host=$(POD_IP)"), "8998", ["high"]),
        (deployment("prefill", host="--host=0.0.0.0"), "30000", []),
        (deployment("prefill", f"{BOOTSTRAP}=30000", host="--host=0.0.0.0"), "30000", ["high"]),
        (deployment("prefill", host=LOOPBACK), "8998", []),
        (deployment("prefill"), "8998", []),
        (deployment("prefill", "$(MORE)", host="--host=0.0.0.0"), "8998", []),
        (deployment("decode", host="--host=0.0.0.0"), "8998", []),
    ],
)
def test_a_bootstrap_port_that_is_published(tmp_path, prefill, port, expected):
    text = prefill + SERVICE.replace("PORT", port)
    assert severities(tmp_path, text, "published-bootstrap-port") == expected


def test_the_port_is_told(tmp_path):
    text = deployment("prefill", host="--host=0.0.0.0") + SERVICE.replace("PORT", "8998")
    message = said(tmp_path, text, "published-bootstrap-port")
    assert message == (
        "a prefill server: its bootstrap port 8998 is published, and takes orders without a key."
    )


CHART = {
    "chart/Chart.yaml": "name: chat\nversion: 0.1.0\n",
    "chart/templates/prefill.yaml": deployment("prefill", host="--host=0.0.0.0")
    + "---\nkind: Service\nspec: {type: {{ .Values.type }}, ports: [{port: 8998}]}\n",
    "chart/values.yaml": "type: ClusterIP\n",
}


def test_a_service_of_a_chart_counts_with_the_values_that_publish_it(tmp_path):
    def charted(values):
        fill(tmp_path, {**CHART, "chart/values-edge.yaml": values})
        every = run(Config(str(tmp_path))).findings
        return [one.id for one in every if one.id == "published-bootstrap-port"]

    assert charted("type: ClusterIP\n") == []
    assert charted("type: NodePort\n") == ["published-bootstrap-port"]


# -- single servers -----------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("--port 1 --port 2", ["medium"]),
        ("--port 1 --port 1", []),
        ("--port=1 --port 2", ["medium"]),
        ("--port 1 --port $PORT", []),
        ("--my-own 1 --my-own 2", []),
        ("--disable-radix-cache --disable-radix-cache", []),
    ],
)
def test_an_option_that_stands_twice(tmp_path, words, expected):
    text = f"sglang serve m --disaggregation-mode decode {words}\n"
    assert scripted(tmp_path, "repeated-option", text) == expected


def test_a_plain_server_may_repeat_itself(tmp_path):
    assert scripted(tmp_path, "repeated-option", "sglang serve m --port 1 --port 2\n") == []


@pytest.mark.parametrize(
    ("wanted", "words", "expected"),
    [
        ("fake-prefill-backend", "--disaggregation-transfer-backend fake", ["medium"]),
        ("fake-prefill-backend", "--disaggregation-transfer-backend nixl", []),
        ("offload-without-storage", "--disaggregation-decode-enable-offload-kvcache", ["medium"]),
    ],
)
def test_what_stops_a_server(tmp_path, wanted, words, expected):
    role = "prefill" if wanted.startswith("fake") else "decode"
    text = f"sglang serve m --disaggregation-mode {role} {words}\n"
    assert scripted(tmp_path, wanted, text) == expected


SPLIT = "--enable-dp-attention --dp-size"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (f"{SPLIT} 8 --context-length 131072", ["note"]),
        (f"{SPLIT} 8 --context-length 128k", []),
        (f"{SPLIT} 1 --context-length 1M", []),
        (f"{SPLIT} 8", []),
        ("--dp-size 8 --context-length 1M", []),
    ],
)
def test_a_long_context_on_one_rank(tmp_path, words, expected):
    text = f"sglang serve m --disaggregation-mode decode {words}\n"
    assert scripted(tmp_path, "per-rank-pool", text) == expected


@pytest.mark.parametrize(
    ("before", "words", "expected"),
    [
        ("", "--disaggregation-transfer-backend mooncake_tcp", ["medium"]),
        ("MC_FORCE_TCP=1", "", ["medium"]),
        ("MC_FORCE_TCP=false", "", []),
        ("MC_FORCE_TCP=", "", []),
        ("MC_FORCE_TCP=1", "--disaggregation-transfer-backend nixl", []),
        ("MOONCAKE_PROTOCOL=tcp", "--hicache-storage-backend mooncake", ["medium"]),
        ("MOONCAKE_PROTOCOL=tcp", "", []),
    ],
)
def test_transfers_over_tcp(tmp_path, before, words, expected):
    text = f"{before} sglang serve m --disaggregation-mode decode {words}\n"
    assert scripted(tmp_path, "open-tcp-transfer", text) == expected


CONFIG = "--hicache-storage-backend-extra-config"


@pytest.mark.parametrize(
    ("before", "words", "expected"),
    [
        ("MOONCAKE_TE_META_DATA_SERVER=http://m:8080/metadata", "", ["high"]),
        ("MOONCAKE_TE_META_DATA_SERVER=http://$HOST:8080/metadata", "", []),
        ("MOONCAKE_TE_META_DATA_SERVER=http://127.0.0.1:8080/metadata", "", []),
        ("MOONCAKE_TE_META_DATA_SERVER=P2PHANDSHAKE", "", []),
        ("", f'{CONFIG} \'{{"metadata_server": "http://m/metadata"}}\'', ["high"]),
        ("", f'{CONFIG} \'{{"metadata_server": "etcd://m"}}\'', []),
    ],
)
def test_metadata_servers(tmp_path, before, words, expected):
    text = f"{before} sglang serve m --disaggregation-mode decode {words}\n"
    assert scripted(tmp_path, "open-metadata-server", text) == expected


# -- the profile of exposure --------------------------------------------------


@pytest.mark.parametrize(
    ("words", "version", "expected"),
    [
        ("--host 0.0.0.0", "0.5.22", ["medium"]),
        ("--host 0.0.0.0", "0.5.20", ["high"]),
        ("--host 0.0.0.0 --api-key k", "0.5.20", []),
        ("--host 0.0.0.0 --admin-api-key k", "0.5.20", []),
        ("--host 0.0.0.0 $MORE", "0.5.20", []),
        ("--host $HOST", "0.5.20", []),
        ("--host localhost", "0.5.20", []),
        ("", "0.5.20", []),
    ],
)
def test_control_without_a_key(tmp_path, words, version, expected):
    text = f"sglang serve m {words}\n"
    got = scripted(tmp_path, "open-control-api", text, version, ("exposure",))
    assert got == expected


@pytest.mark.parametrize(
    ("model", "words", "expected"),
    [
        ("a/b", "--trust-remote-code", ["note"]),
        ("a/b", "--trust-remote-code --revision 0a1b2c", []),
        ("a/b", "", []),
        ("/models/b", "--trust-remote-code", []),
        ("./models/b", "--trust-remote-code", []),
        ("a/b/c", "--trust-remote-code", []),
        ("$MODEL", "--trust-remote-code", []),
        ("a/b", "--trust-remote-code $MORE", []),
    ],
)
def test_code_in_its_newest_state(tmp_path, model, words, expected):
    text = f"sglang serve --model-path {model} {words}\n"
    assert scripted(tmp_path, "unpinned-remote-code", text, profiles=("exposure",)) == expected


def test_a_profile_is_asked_for(tmp_path):
    text = "sglang serve --model-path a/b --trust-remote-code --host 0.0.0.0\n"
    assert scripted(tmp_path, "open-control-api", text) == []
    assert scripted(tmp_path, "unpinned-remote-code", text) == []
