"""Versions that differ between the roles, and versions below what is demanded."""

from __future__ import annotations

import pytest
from sglang_pairs import found, pair, pod, reported, said

FAKE = "--disaggregation-transfer-backend fake"
MORI = "--disaggregation-transfer-backend mori"
FLOOR = "SGL-2026-0005"


@pytest.mark.parametrize(
    ("prefill", "decode", "expected"),
    [
        ("0.5.21", "0.5.22", [("high", "high")]),
        ("0.5.22-cu130", "0.5.22-rocm720-mi35x", []),
        ("0.5.10", "0.5.10.post1", [("high", "high")]),
        ("0.5.22", "none", []),
        ("none", "other", []),
    ],
)
def test_roles_of_different_versions(tmp_path, prefill, decode, expected):
    text = pair(pod("prefill", "", prefill), pod("decode", "", decode))
    assert found(tmp_path, text, "mixed-versions") == expected


def test_the_older_half_is_the_place_to_edit(tmp_path):
    text = pair(pod("prefill", "", "0.5.23"), pod("decode", "", "0.5.22"))
    (one,) = (one for one in reported(tmp_path, text) if one.id == "mixed-versions")
    assert text[one.primary.span.start : one.primary.span.end] == "lmsysorg/sglang:v0.5.22"
    assert [place.label for place in one.related] == ["launch", "peer", "peer"]
    assert one.message == "a decode server: it runs SGLang 0.5.22, while prefill runs 0.5.23."


def test_two_pairs_in_one_file_are_no_pair_of_different_versions(tmp_path):
    every = [pod(role, "", one) for one in ("0.5.21", "0.5.22") for role in ("prefill", "decode")]
    assert found(tmp_path, pair("".join(every), ""), "mixed-versions") == []


@pytest.mark.parametrize(
    ("words", "version", "expected"),
    [
        ("", "0.5.21", True),
        ("", "0.5.22", False),
        ("", "0.5.20", False),
        (MORI, "0.5.21", False),
        (FAKE, "0.5.21", False),
    ],
)
def test_the_release_below_the_recommended_one(tmp_path, words, version, expected):
    text = f"containers:\n{pod('decode', words, version)}"
    causes = {cause for one in reported(tmp_path, text) for cause in one.causes}
    assert (FLOOR in causes) is expected


@pytest.mark.parametrize(
    ("minimum", "version", "expected"),
    [
        ("0.5.23", "0.5.22", ["medium"]),
        ("0.5.23", "0.5.9", ["medium"]),
        ("0.5.23", "0.5.23", []),
        ("0.5.21", "0.5.21", []),
    ],
)
def test_a_site_may_demand_a_version(tmp_path, minimum, version, expected):
    text = f"containers:\n{pod('decode', '', version)}"
    asked = {"policy": {"minimum-version": minimum}, "select": (FLOOR,)}
    every = reported(tmp_path, text, **asked)
    assert [one.severity for one in every] == expected
    assert all(one.remedy.endswith(f"to SGLang {minimum} or later") for one in every)


def test_the_demand_is_about_halves_of_pairs(tmp_path):
    text = f"containers:\n{pod('null', '', '0.5.9')}"
    assert reported(tmp_path, text, policy={"minimum-version": "0.5.23"}) == ()


def test_no_advice_is_below_what_is_demanded(tmp_path):
    text = f"containers:\n{pod('decode', '', '0.5.9')}"
    policy = {"minimum-version": "0.5.23"}
    (one,) = (one for one in reported(tmp_path, text, policy=policy) if one.severity == "critical")
    assert one.remedy == "upgrade both roles together to SGLang 0.5.23 or later"
    assert FLOOR in one.causes


def test_an_unknown_version_may_be_below_what_is_demanded(tmp_path):
    text = f"containers:\n{pod('decode', '', 'none')}"
    (one,) = reported(tmp_path, text, policy={"minimum-version": "0.5.23"})
    assert (one.id, FLOOR in one.causes) == ("unknown-version", True)


def test_one_tenant_weighs_the_leaks_less(tmp_path):
    text = f"containers:\n{pod('decode', '', '0.5.20')}"
    asked = {"policy": {"tenancy": "single"}}
    for number, severity in (("2", "medium"), ("3", "low")):
        select = (f"SGL-2026-000{number}",)
        (one,) = reported(tmp_path, text, select=select, **asked)
        assert one.severity == severity
    assert "Tenancy is single" in said(
        tmp_path, text, "SGL-2026-0002", select=("SGL-2026-0002",), **asked
    )
