"""The rules on the transfer checksum."""

from __future__ import annotations

import pytest
from sglang_pairs import found, pair, pod, said

CHECK = "--disaggregation-enable-kv-checksum"
MORI = "--disaggregation-transfer-backend mori"


def two(prefill, decode, version="0.5.23"):
    return pair(pod("prefill", prefill, version), pod("decode", decode, version))


@pytest.mark.parametrize(
    ("prefill", "decode", "version", "expected"),
    [
        (CHECK, "", "0.5.23", ["medium"]),
        ("", CHECK, "0.5.23", ["medium"]),
        ("", CHECK, "0.5.22", ["high"]),
        ("", CHECK, "0.5.21", ["high"]),
        (MORI, f"{CHECK} {MORI}", "0.5.22", ["medium"]),
        (CHECK, "", "0.5.22", ["medium"]),
        (CHECK, "", "none", ["medium"]),
        (CHECK, "", "0.5.20", []),
        (CHECK, CHECK, "0.5.23", []),
        ("", "", "0.5.23", []),
        (CHECK, "$(MORE)", "0.5.23", []),
    ],
)
def test_a_checksum_on_one_role(tmp_path, prefill, decode, version, expected):
    every = found(tmp_path, two(prefill, decode, version), "one-sided-checksum")
    assert [severity for severity, _ in every] == expected


def test_the_other_half_has_to_be_in_sight(tmp_path):
    text = f"containers:\n{pod('prefill', CHECK, '0.5.23')}"
    assert found(tmp_path, text, "one-sided-checksum") == []


def test_the_decode_server_with_it_is_the_one_that_is_named(tmp_path):
    message = said(tmp_path, two("", CHECK, "0.5.22"), "one-sided-checksum")
    assert message == (
        "a decode server: it has the transfer checksum and prefill has not, so nothing is verified"
        " and transfers fail in this release."
    )


@pytest.mark.parametrize(
    ("prefill", "decode", "policy", "expected"),
    [
        ("", "", True, 2),
        ("", "", False, 0),
        (CHECK, "", True, 0),
        (CHECK, CHECK, True, 0),
        ("$(MORE)", "", True, 1),
        ("", "--disaggregation-transfer-backend fake", True, 1),
    ],
)
def test_a_site_may_demand_it(tmp_path, prefill, decode, policy, expected):
    asked = {"policy": {"require-kv-checksum": policy}}
    every = found(tmp_path, two(prefill, decode), "missing-checksum", **asked)
    assert every == [("medium", "high")] * expected


@pytest.mark.parametrize(
    ("prefill", "decode", "version", "expected"),
    [
        ("", "", "0.5.22", 0),
        ("--tp-size 2", "--tp-size 2", "0.5.22", 2),
        ("--tp-size 2", "--tp-size 2", "0.5.23", 0),
        ("--tp-size 2", "--tp-size 2", "none", 0),
        ("--tp-size 2", "", "0.5.21", 2),
        ("--tp 8 --dp 8 --enable-dp-attention", "--tp 8 --dp 8 --enable-dp-attention", "0.5.22", 0),
        ("--tp 8 --dp 4 --enable-dp-attention", "--tp 8 --dp 4 --enable-dp-attention", "0.5.22", 2),
        ("--pp-size 2", "", "0.5.22", 2),
        ("--pp-size 2", "--pp-size 2", "0.5.22", 0),
        ("--pp-size 2", "--pp-size $(PP)", "0.5.22", 0),
        ("", "--disaggregation-decode-enable-radix-cache", "0.5.22", 1),
    ],
)
def test_a_checksum_that_can_hang(tmp_path, prefill, decode, version, expected):
    text = two(f"{CHECK} {prefill}", f"{CHECK} {decode}", version)
    assert found(tmp_path, text, "hanging-checksum") == [("medium", "high")] * expected


@pytest.mark.parametrize(
    ("words", "version", "expected"),
    [
        ("--model-path deepseek-ai/DeepSeek-V4-Pro", "0.5.23", 1),
        ("--model-path zai-org/GLM-5.3-Flash", "0.5.23", 1),
        ("--model-path zai-org/GLM-5.3-Flash", "0.5.20", 0),
        ("--model-path zai-org/GLM-5.2", "0.5.23", 0),
        ("--model-path MiniMaxAI/MiniMax-M3", "0.5.22", 1),
        ("--model-path MiniMaxAI/MiniMax-M3", "0.5.23", 0),
        ("--kv-cache-dtype mxfp8", "0.5.23", 1),
        ("--kv-cache-dtype fp8_e4m3", "0.5.23", 0),
        ("--device npu", "0.5.23", 1),
        ("--device cuda", "0.5.23", 0),
        ("--disaggregation-transfer-backend ascend", "0.5.23", 1),
        ("", "0.5.23", 0),
    ],
)
def test_what_the_checksum_may_not_cover(tmp_path, words, version, expected):
    text = f"containers:\n{pod('decode', f'{CHECK} {words}', version)}"
    assert found(tmp_path, text, "uncovered-checksum") == [("low", "medium")] * expected


def test_without_the_checksum_nothing_is_said_of_it(tmp_path):
    text = two("--tp-size 2 --device npu", "--tp-size 4 --model-path x/DeepSeek-V4", "0.5.22")
    assert found(tmp_path, text, "hanging-checksum") == []
    assert found(tmp_path, text, "uncovered-checksum") == []
