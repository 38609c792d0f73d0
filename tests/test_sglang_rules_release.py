"""The rules on what holds pages of aborted requests back, and on what is sent too early."""

from __future__ import annotations

import pytest
from sglang_pairs import found, pair, pod, reported
from trees import fill

HOLD = "SGLANG_DISAGGREGATION_DEFERRED_DECODE_KV_RELEASE"
TIMEOUT = f"{HOLD}_TIMEOUT"
EARLY = "SGLANG_DISAGG_PREFILL_EARLY_SEND_CACHED_PREFIX"
MORI = "--disaggregation-transfer-backend mori"
NIXL = "--disaggregation-transfer-backend nixl"
FAKE = "--disaggregation-transfer-backend fake"


def lone(role, words="", version="0.5.22", **variables):
    names = {"hold": HOLD, "timeout": TIMEOUT, "early": EARLY}
    given = [(names.get(name, name), value) for name, value in variables.items()]
    return f"containers:\n{pod(role, words, version, given)}"


@pytest.mark.parametrize("word", ["0", "false", "FALSE", "no", "n"])
def test_a_false_word_switches_the_protection_off(tmp_path, word):
    rule = "disabled-deferred-release"
    assert found(tmp_path, lone("decode", hold=word), rule) == [("high", "high")]
    assert found(tmp_path, lone("prefill", hold=word), rule) == [("medium", "high")]


@pytest.mark.parametrize("word", ["off", "", "1", "true", "disabled"])
def test_other_words_leave_it_on(tmp_path, word):
    assert found(tmp_path, lone("decode", hold=word), "disabled-deferred-release") == []


@pytest.mark.parametrize(
    ("words", "version", "expected"),
    [
        ("", "0.5.20", []),
        ("", "0.5.21", [("high", "high")]),
        ("", "none", [("high", "medium")]),
        (MORI, "0.5.21", []),
        (MORI, "0.5.22", [("high", "high")]),
        (FAKE, "0.5.22", []),
    ],
)
def test_where_the_switch_would_be_on(tmp_path, words, version, expected):
    text = lone("decode", words, version, hold="0")
    assert found(tmp_path, text, "disabled-deferred-release") == expected


def test_a_plain_server_holds_nothing(tmp_path):
    text = lone("null", hold="0", timeout="1")
    assert reported(tmp_path, text) == ()


def test_the_variable_is_the_place_to_edit(tmp_path):
    text = lone("decode", hold="0")
    (one,) = (one for one in reported(tmp_path, text) if one.id == "disabled-deferred-release")
    assert one.primary.label == "env"
    assert one.message == (
        f"a decode server: {HOLD} is 0: it gives pages back while a transfer may still write to"
        " them."
    )


@pytest.mark.parametrize(
    ("server", "given", "expected"),
    [
        (("decode", "", "0.5.22"), {"timeout": "29.5"}, [("medium", "high")]),
        (("decode", "", "0.5.22"), {"timeout": "30"}, []),
        (("decode", "", "0.5.22"), {"timeout": "0"}, [("high", "high")]),
        (("decode", "", "0.5.22"), {"timeout": "soon"}, []),
        (("decode", "", "none"), {"timeout": "5"}, [("medium", "medium")]),
        (("prefill", "", "0.5.22"), {"timeout": "5"}, []),
        (("decode", "", "0.5.22"), {"timeout": "5", "hold": "0"}, []),
        (("decode", "", "0.5.20"), {"timeout": "5"}, []),
        (("decode", "", "0.5.20"), {"timeout": "5", "hold": "1"}, [("medium", "high")]),
        (("decode", "", "0.5.18"), {"timeout": "5", "hold": "1"}, []),
        (("decode", MORI, "0.5.21"), {"timeout": "5"}, []),
        (("decode", MORI, "0.5.22"), {"timeout": "5"}, [("medium", "high")]),
    ],
)
def test_a_short_timeout(tmp_path, server, given, expected):
    text = lone(*server, **given)
    assert found(tmp_path, text, "short-release-timeout") == expected


@pytest.mark.parametrize(
    ("words", "version", "given", "expected"),
    [
        ("", "0.5.18", {"hold": "1"}, [("high", "high")]),
        ("", "0.5.18", {"hold": "0"}, []),
        ("", "0.5.18", {"hold": "on"}, []),
        ("", "0.5.19", {"hold": "1"}, []),
        ("", "0.5.19", {"hold": "on"}, [("high", "high")]),
        ("", "0.5.21", {"hold": "on"}, []),
        ("", "0.5.21", {"hold": "1"}, []),
        (MORI, "0.5.21", {"hold": "1"}, [("high", "high")]),
        (FAKE, "0.5.18", {"hold": "1"}, []),
        ("", "none", {"hold": "1"}, []),
        ("", "0.5.20", {HOLD.replace("DECODE", "DECOD"): "1"}, [("high", "high")]),
        ("", "0.5.20", {HOLD.replace("DECODE_KV", "KV_DECODE"): "1"}, []),
        ("", "0.5.20", {"SGLANG_DEFERRED_DECODE_KV_RELEASE": "true"}, [("high", "high")]),
        ("", "0.5.20", {"SGLANG_DEFERRED_DECODE_KV_RELEASE": "0"}, []),
        ("", "0.5.18", {"SGLANG_DEFERRED_DECODE_KV_RELEASE": "1"}, [("medium", "high")]),
        ("", "0.5.21", {"SGLANG_DEFERRED_DECODE_KV_RELEASE": "1"}, []),
        ("", "none", {"SGLANG_DEFERRED_DECODE_KV_RELEASE": "1"}, [("medium", "medium")]),
        ("", "0.5.20", {"timeout": "60"}, []),
        ("", "0.5.20", {"hold": "1", "SGLANG_DEFERRED_DECODE_KV_RELEASE": "1"}, []),
    ],
)
def test_a_mitigation_without_effect(tmp_path, words, version, given, expected):
    text = lone("decode", words, version, **given)
    assert found(tmp_path, text, "ineffective-deferred-release") == expected


def both(version, prefill, decode, words=""):
    def one(role, value):
        return pod(role, words, version, [(HOLD, value)] if value is not None else [])

    return pair(one("prefill", prefill), one("decode", decode))


@pytest.mark.parametrize(
    ("version", "prefill", "decode", "expected"),
    [
        ("0.5.20", "1", None, [("high", "high")]),
        ("0.5.20", "1", "0", [("high", "high")]),
        ("0.5.20", None, "1", [("medium", "high")]),
        ("0.5.20", "1", "1", []),
        ("0.5.20", "1", "$X", []),
        ("0.5.20", None, None, []),
        ("0.5.21", "1", None, []),
    ],
)
def test_a_mitigation_on_one_role(tmp_path, version, prefill, decode, expected):
    text = both(version, prefill, decode).replace("'$X'", "$(X)")
    assert found(tmp_path, text, "ineffective-deferred-release") == expected


@pytest.mark.parametrize(
    ("prefill", "decode", "words", "severity"),
    [
        ("1", "1", "", "medium"),
        ("1", None, "", "high"),
        (None, "1", "", "high"),
        ("on", "on", "", "high"),
        ("1", "1", MORI, "high"),
    ],
)
def test_the_mitigation_lowers_the_race_only_where_it_works(
    tmp_path, prefill, decode, words, severity
):
    text = both("0.5.20", prefill, decode, words)
    races = reported(tmp_path, text, select=("SGL-2026-0002",))
    assert [one.severity for one in races] == [severity] * 2
    assert all(("narrows the race" in one.message) is (severity == "medium") for one in races)


def test_a_site_may_accept_the_mitigation_for_a_while(tmp_path):
    held, bare = both("0.5.20", "1", "1"), both("0.5.20", None, None)
    asked = {"policy": {"accept-interim-mitigation": True}, "select": ("SGL-2026-0002",)}
    assert [one.severity for one in reported(tmp_path, held, **asked)] == ["low"] * 2
    assert [one.severity for one in reported(tmp_path, bare, **asked)] == ["high"] * 2


@pytest.mark.parametrize(
    ("server", "given", "expected"),
    [
        (("prefill", NIXL, "0.5.23"), {}, [("low", "medium")]),
        (("prefill", NIXL, "0.5.15"), {}, [("low", "medium")]),
        (("prefill", NIXL, "0.5.14"), {}, []),
        (("prefill", NIXL, "none"), {}, []),
        (("decode", NIXL, "0.5.23"), {}, []),
        (("prefill", "", "0.5.23"), {}, []),
        (("prefill", NIXL, "0.5.23"), {"early": "0"}, []),
        (("prefill", NIXL, "0.5.23"), {"early": "off"}, [("low", "medium")]),
        (("prefill", f"{NIXL} --disable-overlap-schedule", "0.5.23"), {}, []),
        (("prefill", f"{NIXL} $(MORE)", "0.5.23"), {}, []),
    ],
)
def test_what_nixl_may_send_too_early(tmp_path, server, given, expected):
    text = lone(*server, **given)
    assert found(tmp_path, text, "early-prefix-send") == expected


@pytest.mark.parametrize(
    ("words", "version", "given", "expected"),
    [
        ("", "0.5.21", {}, True),
        ("", "0.5.22", {}, False),
        ("", "0.5.21", {"early": "0"}, False),
        ("", "0.5.21", {"early": "No"}, False),
        ("", "0.5.21", {"early": "off"}, True),
        ("--disable-overlap-schedule", "0.5.21", {}, False),
        ("--disaggregation-transfer-backend ascend", "0.5.21", {}, True),
        ("--disaggregation-transfer-backend mooncake_tcp", "0.5.21", {}, True),
        (NIXL, "0.5.21", {}, False),
        (MORI, "0.5.16", {}, False),
        (MORI, "0.5.15", {}, True),
        ("", "0.5.15", {}, True),
        ("", "0.5.14", {}, False),
    ],
)
def test_what_other_backends_send_too_early(tmp_path, words, version, given, expected):
    text = lone("prefill", words, version, **given)
    causes = {cause for one in reported(tmp_path, text) for cause in one.causes}
    assert ("SGL-2026-0003" in causes) is expected


@pytest.mark.parametrize(
    ("role", "words", "version", "expected"),
    [
        ("decode", "--disaggregation-decode-enable-offload-kvcache", "0.5.10rc0", True),
        ("decode", "--disaggregation-decode-enable-offload-kvcache", "0.5.12.post1", True),
        ("decode", "--disaggregation-decode-enable-offload-kvcache", "0.5.13", False),
        ("decode", "--disaggregation-decode-enable-offload-kvcache", "0.5.9", False),
        ("prefill", "--disaggregation-decode-enable-offload-kvcache", "0.5.12", False),
        ("decode", "", "0.5.12", False),
    ],
)
def test_the_leak_of_offloaded_caches(tmp_path, role, words, version, expected):
    text = lone(role, words, version)
    causes = {cause for one in reported(tmp_path, text) for cause in one.causes}
    assert ("SGL-2026-0004" in causes) is expected


@pytest.mark.parametrize(
    ("name", "version", "expected"),
    [("plugged", "0.5.22", 1), ("mooncake_tcp", "0.5.22", 0), ("$(BACKEND)", "0.5.22", 0)],
)
def test_a_backend_from_a_plugin(tmp_path, name, version, expected):
    text = lone("decode", f"--disaggregation-transfer-backend {name}", version)
    assert found(tmp_path, text, "plugin-transfer-backend") == [("medium", "high")] * expected


@pytest.mark.parametrize(
    ("role", "words", "version", "expected"),
    [
        ("decode", "", "0.5.22", 1),
        ("decode", "--enable-metrics", "0.5.22", 0),
        ("decode", "$(MORE)", "0.5.22", 0),
        ("decode", "", "0.5.21", 0),
        ("decode", "", "none", 0),
        ("prefill", "", "0.5.22", 0),
    ],
)
def test_a_decode_server_that_counts_nothing(tmp_path, role, words, version, expected):
    text = lone(role, words, version)
    asked = found(tmp_path, text, "blind-decode", profiles=("evidence",))
    assert asked == [("note", "high")] * expected
    assert found(tmp_path, text, "blind-decode") == []


def test_a_package_beside_a_container_proves_nothing(tmp_path):
    """The container has packages of its own: what is bad in every release is said all the same."""
    fill(tmp_path, {"requirements.txt": "sglang==0.5.18\n"})
    own = lone("decode", hold="1", timeout="0").replace("lmsysorg/sglang:v0.5.22", "a.example/x:1")
    assert found(tmp_path, own, "ineffective-deferred-release") == []
    assert found(tmp_path, own, "short-release-timeout") == [("high", "medium")]
    off = lone("decode", hold="0").replace("lmsysorg/sglang:v0.5.22", "a.example/x:1")
    assert found(tmp_path, off, "disabled-deferred-release") == [("high", "medium")]
