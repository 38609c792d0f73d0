"""The rules on contexts and pools: what two numbers prove, in which release and direction."""

from __future__ import annotations

import pytest
from sglang_pairs import found, pair, pod, reported, said

SMALL = "--context-length 10000 --max-total-tokens 8192"
SURE, LIKELY = "high", "medium"


@pytest.mark.parametrize(
    ("words", "version", "expected"),
    [
        (SMALL, "0.5.22", ("medium", SURE)),
        (SMALL, "0.5.20", ("medium", SURE)),
        (SMALL, "0.5.19", ("critical", SURE)),
        (SMALL, "none", ("medium", SURE)),
        (f"{SMALL} $(MORE)", "0.5.19", ("critical", LIKELY)),
        ("--context-length 8192 --max-total-tokens 8192", "0.5.19", None),
        ("--context-length 8192 --max-total-tokens 10000", "0.5.19", None),
        ("--context-length 10000", "0.5.19", None),
        ("--context-length 10000 --max-total-tokens $(POOL)", "0.5.19", None),
        ("--max-total-tokens 8192", "0.5.19", None),
        (
            "--max-total-tokens 8192 --model-path zai-org/GLM-5.2-FP8",
            "0.5.19",
            ("critical", LIKELY),
        ),
        ("--max-total-tokens 8192 --model-path x/GLM-5.2 $(MORE)", "0.5.19", None),
        ("--max-total-tokens 8192 --model-path $(M)", "0.5.19", None),
        (
            "--max-total-tokens 8192 --model-path $(M) --served-model-name x/GLM-5.2",
            "0.5.19",
            ("medium", LIKELY),
        ),
        ("--context-length 1k --max-total-tokens 1Ki", "0.5.19", None),
        ("--context-length 1Ki --max-total-tokens 1k", "0.5.19", ("critical", SURE)),
        ("--context-length 25.6k --max-total-tokens 25_599", "0.5.19", ("critical", SURE)),
        ("--context-length 25.6k --max-total-tokens 25_600", "0.5.19", None),
        ("--context-length 1Ki --max-total-tokens 1k", "0.5.9", None),
        ("--context-length 1Ki --max-total-tokens 1k", "0.5.10rc0", ("critical", SURE)),
        ("--context-length 1K --max-total-tokens 1", "0.5.19", None),
        (f"{SMALL} --max-total-tokens 20000", "0.5.19", None),
    ],
)
def test_a_cap_below_the_context(tmp_path, words, version, expected):
    text = f"containers:\n{pod('prefill', words, version)}"
    assert found(tmp_path, text, "pool-below-context") == ([expected] if expected else [])


@pytest.mark.parametrize(
    ("more", "version", "expected"),
    [
        ("--dcp-size 1", "0.5.19", ("critical", SURE)),
        ("--dcp-size 2", "0.5.19", ("medium", LIKELY)),
        ("--dcp-size $(DCP)", "0.5.19", ("medium", LIKELY)),
        ("--decode-context-parallel-size 2", "0.5.21", ("low", LIKELY)),
        ("--dcp-size 2", "0.5.16", ("critical", SURE)),
        ("--dcp-size 2", "0.5.17", ("medium", LIKELY)),
        ("--enable-kv-cache-sharding", "0.5.22", ("low", LIKELY)),
        ("--model-path openai/gpt-oss-120b", "0.5.10.post1", ("medium", LIKELY)),
        ("--model-path openai/gpt-oss-120b", "0.5.11", ("critical", SURE)),
        ("--model-path openai/gpt-oss-120b", "none", ("low", LIKELY)),
        ("--model-path deepseek-ai/DeepSeek-R1", "0.5.10.post1", ("critical", SURE)),
    ],
)
def test_where_the_pool_may_be_larger_than_its_cap(tmp_path, more, version, expected):
    text = f"containers:\n{pod('prefill', f'{SMALL} {more}', version)}"
    assert found(tmp_path, text, "pool-below-context") == [expected]


@pytest.mark.parametrize(
    ("decode", "expected"),
    [
        ("--context-length 10000", ("critical", SURE)),
        (SMALL, ("medium", LIKELY)),
        ("--context-length 8192", ("medium", LIKELY)),
        ("--context-length 8193", ("critical", SURE)),
        (f"{SMALL} --dcp-size 2", ("critical", SURE)),
        ("", ("critical", SURE)),
    ],
)
def test_two_equally_small_pools_weigh_less(tmp_path, decode, expected):
    text = pair(pod("prefill", SMALL, "0.5.19"), pod("decode", decode, "0.5.19"))
    assert found(tmp_path, text, "pool-below-context") == [expected]


def test_a_small_pool_of_decode_or_of_a_plain_server_is_none_of_prefill(tmp_path):
    text = pair(pod("decode", SMALL, "0.5.19"), pod("null", SMALL, "0.5.19"))
    assert found(tmp_path, text, "pool-below-context") == []


def test_the_version_is_that_of_prefill(tmp_path):
    text = pair(pod("prefill", SMALL, "0.5.20"), pod("decode", "", "0.5.19"))
    assert found(tmp_path, text, "pool-below-context") == [("medium", SURE)]


def test_what_becomes_of_the_prompt_is_said_by_release(tmp_path):
    texts = [f"containers:\n{pod('prefill', SMALL, one)}" for one in ("0.5.19", "0.5.20", "none")]
    old, new, unknown = (said(tmp_path, text, "pool-below-context") for text in texts)
    assert old.endswith("a prompt between the two is answered from what other requests left.")
    assert new.endswith("a prompt between the two fails late.")
    assert unknown.endswith("what other requests left before SGLang 0.5.20, and fails after.")


def test_the_cap_is_the_place_to_edit(tmp_path):
    text = f"containers:\n{pod('prefill', SMALL, '0.5.19')}"
    every = reported(tmp_path, text)
    (one,) = (one for one in every if one.id == "pool-below-context")
    assert text[one.primary.span.start : one.primary.span.end].strip("'") == "--max-total-tokens"
    assert [place.label for place in one.related] == ["flag", "launch"]


LESS, MORE = "--context-length 8000", "--context-length 9000"
R1 = "--model-path deepseek-ai/DeepSeek-R1"


@pytest.mark.parametrize(
    ("prefill", "decode", "version", "expected"),
    [
        (LESS, MORE, "0.5.19", ("critical", SURE)),
        (LESS, MORE, "0.5.20", ("high", SURE)),
        (LESS, MORE, "none", ("high", SURE)),
        (f"{LESS} --speculative-algorithm EAGLE", MORE, "0.5.19", ("high", SURE)),
        (f"{LESS} $(MORE)", MORE, "0.5.20", ("high", LIKELY)),
        (MORE, LESS, "0.5.19", ("medium", SURE)),
        (MORE, LESS, "0.5.22", ("medium", SURE)),
        (LESS, LESS, "0.5.19", None),
        ("--context-length 8k", LESS, "0.5.19", None),
        ("", "", "0.5.19", None),
        ("", LESS, "0.5.22", ("medium", LIKELY)),
        (LESS, "", "0.5.22", ("medium", LIKELY)),
        (LESS, "", "0.5.19", ("high", LIKELY)),
        (LESS, "$(MORE)", "0.5.19", None),
        (LESS, "--json-model-override-args {}", "0.5.19", None),
        (LESS, "--context-length $(CONTEXT)", "0.5.19", None),
        (R1, f"{R1} {LESS}", "0.5.22", ("medium", SURE)),
        (R1, f"{R1} --context-length 163840", "0.5.22", None),
        (f"{R1} {LESS}", R1, "0.5.19", ("critical", SURE)),
        (LESS, "--served-model-name deepseek-ai/DeepSeek-R1", "0.5.19", ("high", LIKELY)),
    ],
)
def test_contexts_that_differ(tmp_path, prefill, decode, version, expected):
    text = pair(pod("prefill", prefill, version), pod("decode", decode, version))
    assert found(tmp_path, text, "unequal-context") == ([expected] if expected else [])


def test_servers_of_one_role_that_differ_are_not_judged(tmp_path):
    decodes = pod("decode", LESS) + pod("decode", MORE).replace("name: decode", "name: other")
    assert found(tmp_path, pair(pod("prefill", LESS), decodes), "unequal-context") == []
    assert found(tmp_path, f"containers:\n{pod('prefill', LESS)}", "unequal-context") == []


def test_what_becomes_of_a_request_is_said_by_direction(tmp_path):
    def message(prefill, decode, version):
        text = pair(pod("prefill", prefill, version), pod("decode", decode, version))
        return said(tmp_path, text, "unequal-context")

    assert "hangs on decode, or leaks" in message(LESS, MORE, "0.5.19")
    assert message(LESS, MORE, "0.5.20").endswith("a request between the two hangs on decode.")
    assert message(MORE, LESS, "0.5.20").endswith("is computed for nothing.")
    assert "if they differ, a request between them may" in message(MORE, "", "0.5.20")
    assert "that of decode what its model has" in message(MORE, "", "0.5.20")


@pytest.mark.parametrize(
    ("prefill", "decode", "expected"),
    [
        ("--allow-auto-truncate", "", [("low", LIKELY)]),
        ("", "--allow-auto-truncate", [("low", LIKELY)]),
        (f"{LESS} --allow-auto-truncate", MORE, [("high", LIKELY)]),
        (f"{MORE} --allow-auto-truncate", LESS, [("medium", LIKELY)]),
        (f"{LESS} --allow-auto-truncate", LESS, [("low", LIKELY)]),
        (f"{SMALL} --allow-auto-truncate", "--context-length 10000", [("high", LIKELY)]),
        (
            f"{SMALL} --dcp-size 2 --allow-auto-truncate",
            "--context-length 10000",
            [("low", LIKELY)],
        ),
        (f"{LESS} --allow-auto-truncate", "", [("low", LIKELY)]),
        ("", "", []),
    ],
)
def test_prompts_that_are_cut(tmp_path, prefill, decode, expected):
    text = pair(pod("prefill", prefill), pod("decode", decode))
    assert found(tmp_path, text, "auto-truncation") == expected


@pytest.mark.parametrize(
    ("words", "expected"), [("", 1), ("--max-total-tokens 9 --context-length 8", 1), (SMALL, 0)]
)
def test_a_pool_that_no_file_decides_is_said_where_evidence_is_wanted(tmp_path, words, expected):
    text = f"containers:\n{pod('prefill', words)}"
    asked = found(tmp_path, text, "undecided-pool", profiles=("evidence",))
    assert asked == [("note", "high")] * expected
    assert found(tmp_path, text, "undecided-pool") == []
