"""The rules on what two halves of a pair have to share."""

from __future__ import annotations

import pytest
from reading import launches_of
from sglang_pairs import found, pair, pod, said

from servelint.link import components
from servelint_sglang.engine import load_engine
from servelint_sglang.rules.models import family

QWEN, DEEPSEEK, GPT = "Qwen/Qwen3-32B", "deepseek-ai/DeepSeek-R1", "openai/gpt-oss-20b"


def two(prefill, decode, version="0.5.22", model="/models/chat"):
    prefill, decode = (f"--model-path={model} {words}" for words in (prefill, decode))
    return pair(pod("prefill", prefill, version), pod("decode", decode, version))


def started(text):
    """The servers that a line of a script starts."""
    return components(launches_of("shell", text), (load_engine(),))


def severities(root, text, wanted):
    return [severity for severity, _ in found(root, text, wanted)]


@pytest.mark.parametrize(
    ("prefill", "decode", "version", "expected"),
    [
        ("--page-size 32", "--page-size 64", "0.5.22", ["medium"]),
        ("--page-size 32", "--page-size 64", "0.5.8", ["medium"]),
        ("--page-size 32", "--page-size 64", "0.5.7", ["high"]),
        ("--page-size 32", "--page-size 64", "none", ["medium"]),
        ("", "--page-size 64", "0.5.22", ["note"]),
        ("--page-size 64", "", "0.5.22", ["note"]),
        ("--page-size 64", "--page-size=64", "0.5.22", []),
        ("", "", "0.5.22", []),
        ("--page-size $(SIZE)", "--page-size 64", "0.5.22", []),
        ("$(MORE)", "--page-size 64", "0.5.22", []),
    ],
)
def test_pages(tmp_path, prefill, decode, version, expected):
    assert severities(tmp_path, two(prefill, decode, version), "unequal-page-size") == expected


@pytest.mark.parametrize(
    ("prefill", "decode", "version", "expected"),
    [
        ("fp8_e4m3", "bf16", "0.5.22", ["medium"]),
        ("fp8_e4m3", "bf16", "0.5.9", ["high"]),
        ("fp8_e4m3", "fp8_e5m2", "0.5.10", ["medium"]),
        ("", "fp8_e4m3", "0.5.22", ["low"]),
        ("auto", "fp8_e4m3", "0.5.16", ["medium"]),
        ("", "bf16", "0.5.10", ["medium"]),
        ("", "bf16", "0.5.17", ["low"]),
        ("", "auto", "0.5.16", []),
        ("bfloat16", "bf16", "0.5.22", []),
    ],
)
def test_types_of_the_cache(tmp_path, prefill, decode, version, expected):
    options = [f"--kv-cache-dtype {text}" if text else "" for text in (prefill, decode)]
    text = two(*options, version)
    assert severities(tmp_path, text, "unequal-kv-cache-dtype") == expected


@pytest.mark.parametrize(
    ("prefill", "decode", "expected"),
    [
        ("", "nixl", ["high"]),
        ("mori", "nixl", ["high"]),
        ("", "mooncake", []),
        ("mooncake_tcp", "mooncake", []),
        ("", "fake", []),
        ("nixl", "nixl", []),
        ("nixl", "$(BACKEND)", []),
    ],
)
def test_backends(tmp_path, prefill, decode, expected):
    name = "--disaggregation-transfer-backend"
    options = [f"{name} {text}" if text else "" for text in (prefill, decode)]
    assert severities(tmp_path, two(*options), "unequal-transfer-backend") == expected


@pytest.mark.parametrize(
    ("prefill", "decode", "expected"),
    [
        ("Qwen/Qwen3-32B", "Qwen/Qwen3-14B", ["high"]),
        ("Qwen/Qwen3-32B", "/models/Qwen3-14B", ["high"]),
        ("Qwen/Qwen3-32B", "/models/qwen3-32b/", []),
        ("Qwen/Qwen3-32B-FP8", "Qwen/Qwen3-32B", ["note"]),
        ("a/DeepSeek-R1-NVFP4", "b/DeepSeek-R1-AWQ", ["note"]),
        ("/root/hub/models--Qwen--Qwen3-32B/snapshots/0a1b2c", "Qwen/Qwen3-32B", []),
        ("/model", "Qwen/Qwen3-32B", []),
        ("$(MODEL)", "Qwen/Qwen3-32B", []),
    ],
)
def test_models(tmp_path, prefill, decode, expected):
    halves = pod("prefill", f"--model-path {prefill}"), pod("decode", f"--model-path {decode}")
    assert severities(tmp_path, pair(*halves), "different-models") == expected


@pytest.mark.parametrize(
    ("prefill", "decode", "expected"),
    [
        ("--revision a", "--revision b", ["medium"]),
        ("--revision a", "", ["medium"]),
        ("--revision a", "--revision a", []),
        ("--revision a", "$(MORE)", []),
    ],
)
def test_revisions(tmp_path, prefill, decode, expected):
    assert severities(tmp_path, two(prefill, decode), "different-models") == expected


@pytest.mark.parametrize(
    ("version", "policy", "expected"),
    [
        ("0.5.22", "prefill_complete", ["medium"]),
        ("none", "prefill_complete", ["medium"]),
        ("0.5.22", "early", []),
        ("0.5.21", "prefill_complete", []),
    ],
)
def test_allocation_policies(tmp_path, version, policy, expected):
    text = two("", f"--disaggregation-decode-allocation-policy {policy}", version)
    assert severities(tmp_path, text, "unequal-allocation-policy") == expected


ATTENTION = "--enable-dp-attention --dp-size"


@pytest.mark.parametrize(
    ("model", "prefill", "decode", "expected"),
    [
        (QWEN, "--tp 4", "--tp 8", ["medium"]),
        (QWEN, "", "--tp-size 2", ["medium"]),
        (QWEN, "--tp 4", "--tp 4 --dp-size 2", []),
        (QWEN, "--tp 4", f"--tp 8 {ATTENTION} 2", []),
        (QWEN, "--tp 4", f"--tp 8 {ATTENTION} 4", ["medium"]),
        (QWEN, "--tp 4", f"--tp 8 {ATTENTION} 3", []),
        (QWEN, "--tp 4", "--tp 8 --attn-dp-size 2", []),
        (QWEN, "--tp 4", "--tp 8 --dcp-size 2", []),
        (QWEN, "--tp 4", "--tp $(TP)", []),
        (QWEN, "--tp 4 --disaggregation-transfer-backend mori", "--tp 8", []),
        (GPT, "--tp 2", "--tp 4", ["high"]),
        (DEEPSEEK, "--tp 8", "--tp 16", []),
        ("deepseek-ai/DeepSeek-R1-Distill-Qwen-32B", "--tp 2", "--tp 4", ["medium"]),
        ("/models/chat", "--tp 2", "--tp 4", []),
    ],
)
def test_widths_of_attention(tmp_path, model, prefill, decode, expected):
    text = two(prefill, decode, model=model)
    assert severities(tmp_path, text, "unequal-attention-tp") == expected


STAGING = "SGLANG_DISAGG_STAGING_BUFFER"


def staged(prefill, decode, words="", model=QWEN):
    halves = (
        pod(role, f"--model-path {model} {words}", variables=[(STAGING, text)] if text else ())
        for role, text in (("prefill", prefill), ("decode", decode))
    )
    return pair(*halves)


@pytest.mark.parametrize(
    ("prefill", "decode", "expected"),
    [("1", "1", []), ("1", "", ["medium"]), ("", "1", ["medium"]), ("1", "0", ["medium"])],
)
def test_a_width_needs_the_buffer_on_both(tmp_path, prefill, decode, expected):
    text = staged(prefill, decode)
    assert severities(tmp_path, text, "misplaced-staging-buffer") == expected


@pytest.mark.parametrize(
    ("words", "model", "expected"),
    [
        ("--disaggregation-transfer-backend mori", QWEN, 2),
        ("--disaggregation-transfer-backend nixl", QWEN, 0),
        ("--chunked-prefill-size -1", QWEN, 2),
        ("--chunked-prefill-size 1000 --page-size 64", QWEN, 2),
        ("--chunked-prefill-size 1024 --page-size 64", QWEN, 0),
        ("", DEEPSEEK, 2),
        ("$(MORE)", QWEN, 0),
    ],
)
def test_what_the_buffer_does_not_fit(tmp_path, words, model, expected):
    text = staged("1", "1", words, model)
    assert len(found(tmp_path, text, "misplaced-staging-buffer")) == expected


@pytest.mark.parametrize(
    ("version", "model", "prefill", "expected"),
    [
        ("0.5.2", QWEN, "", ["high"]),
        ("0.5.7", QWEN, "", ["high"]),
        ("0.5.8", QWEN, "", []),
        ("0.5.1", QWEN, "", []),
        ("none", QWEN, "", []),
        ("0.5.7", DEEPSEEK, "", []),
        ("0.5.7", "/models/chat", "", []),
        ("0.5.7", QWEN, "--speculative-algorithm EAGLE", []),
        ("0.5.7", QWEN, "$(MORE)", []),
    ],
)
def test_speculation_on_decode_only(tmp_path, version, model, prefill, expected):
    text = two(prefill, "--speculative-algorithm EAGLE", version, model)
    assert severities(tmp_path, text, "one-sided-speculation") == expected


def test_a_decode_server_that_agrees_with_one_prefill_server_is_of_its_pair(tmp_path):
    halves = [
        pod("prefill", "--page-size 32"),
        pod("prefill", "--page-size 64"),
        pod("decode", "--page-size 64"),
    ]
    text = "containers:\n" + "".join(halves)
    assert found(tmp_path, text, "unequal-page-size") == []


def test_an_unknown_prefill_server_may_be_the_one_that_agrees(tmp_path):
    halves = [
        pod("prefill", "--page-size 32"),
        pod("prefill", "--page-size $(SIZE)"),
        pod("decode", "--page-size 64"),
    ]
    text = "containers:\n" + "".join(halves)
    assert found(tmp_path, text, "unequal-page-size") == []


def test_servers_of_two_models_are_no_pair(tmp_path):
    halves = (
        pod("prefill", f"--model-path {QWEN} --page-size 32"),
        pod("decode", f"--model-path {GPT} --page-size 64"),
    )
    assert found(tmp_path, pair(*halves), "unequal-page-size") == []


def test_one_half_alone_is_at_odds_with_nobody(tmp_path):
    text = f"containers:\n{pod('decode', '--page-size 64 --kv-cache-dtype bf16')}"
    for wanted in ("unequal-page-size", "unequal-kv-cache-dtype", "different-models"):
        assert found(tmp_path, text, wanted) == []


def test_several_decode_servers_with_one_fault_are_one_finding(tmp_path):
    halves = [pod("prefill", "--page-size 32"), *[pod("decode", "--page-size 64")] * 3]
    text = "containers:\n" + "".join(halves)
    assert len(found(tmp_path, text, "unequal-page-size")) == 1


def test_both_values_are_told(tmp_path):
    message = said(tmp_path, two("--page-size 32", "--page-size 64"), "unequal-page-size")
    assert message == "a decode server: its pages hold 64 tokens, those of prefill 32."


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("deepseek-ai/DeepSeek-V3.1", "latent"),
        ("deepseek-ai/DeepSeek-R1-0528", "latent"),
        ("moonshotai/Kimi-K2-Instruct", "latent"),
        ("zai-org/GLM-5.2-FP8", "latent"),
        ("deepseek-ai/DeepSeek-R1-Distill-Llama-70B", "grouped"),
        ("meta-llama/Llama-3.3-70B-Instruct", "grouped"),
        ("meta-llama/Meta-Llama-3-8B", "grouped"),
        ("Qwen/Qwen2.5-7B", "grouped"),
        ("Qwen/Qwen3-235B-A22B", "grouped"),
        ("zai-org/GLM-4.5-Air", "grouped"),
        ("Qwen/Qwen3.5-397B", "hybrid"),
        ("Qwen/Qwen3-Next-80B", "hybrid"),
        ("openai/gpt-oss-120b", "hybrid"),
        ("nvidia/Nemotron-3-Super", "hybrid"),
        ("nvidia/nemotron-340b", ""),
        ("deepseek-ai/DeepSeek-V4-Flash", ""),
        ("somebody/my-model-7b", ""),
        ("/model", ""),
    ],
)
def test_families_of_public_models(name, expected):
    (one,) = started(f"sglang serve --model-path {name} --disaggregation-mode decode")
    assert family(one) == expected


def test_a_crowd_of_prefill_servers_is_compared_with_nothing(tmp_path):
    crowd = [pod("prefill", f"--page-size {size}") for size in range(1, 70)]
    text = "containers:\n" + "".join((*crowd, pod("decode", "--page-size 999")))
    assert found(tmp_path, text, "unequal-page-size") == []
    text = "containers:\n" + "".join((*crowd[:9], pod("decode", "--page-size 999")))
    assert severities(tmp_path, text, "unequal-page-size") == ["medium"]
