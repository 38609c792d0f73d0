"""The tables of known images: they hold, and what could be wrong with a row is found."""

from __future__ import annotations

import importlib.util
import tomllib
from copy import deepcopy
from pathlib import Path

import pytest

from servelint_sglang.tables import data_path

ROOT = Path(__file__).parent.parent


def tool():
    spec = importlib.util.spec_from_file_location("check_map", ROOT / "tools/check_map.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECK = tool()
NAMES = ("images.toml", "seen.toml", "digests.toml")
SHIPPED = {name: tomllib.loads(Path(data_path(name)).read_text("utf-8")) for name in NAMES}

VENDOR = {
    "path": "a/b",
    "tag": "the tag counts",
    "forms": [r"(?P<key>\d)", r"n-(?P<date>\d{8})"],
    "versions": {"1": "0.5.9", "2": "<=0.5.19"},
    "built_by": {"x": "2026-07-01"},
    "days": [
        {"first": "20260101", "last": "20260131", "base": "v0.5.9"},
        {"first": "20260201", "last": "20260201", "base": "nightly-dev-20260103-24c91001"},
    ],
    "evidence": ["a/b c/d.md@0123456"],
}
SEEN = {
    "repository": "lmsysorg/sglang",
    "tag": "kimi-k3",
    "date": "2026-08-22",
    "evidence": "a/b c.md",
}
DIGEST = {
    "digest": "sha256:" + "0a" * 32,
    "repository": "lmsysorg/sglang",
    "tag": "v0.5.9-cu130",
    "version": "0.5.9",
    "built_by": "2026-07-01",
    "evidence": ["a/b c.md@0123456"],
}


def problems(vendor=VENDOR, seen=(SEEN,), digests=(DIGEST,), **images):
    table = {
        "releases": ["lmsysorg/sglang"],
        "staging": [],
        "moving_tags": ["a", "b"],
        "private_others": ["c"],
        "vendor": [vendor],
        **images,
    }
    return CHECK.problems(table, {"seen": list(seen)}, {"digest": list(digests)})


def test_the_tables_that_are_shipped_hold():
    assert CHECK.problems(*(deepcopy(SHIPPED[name]) for name in NAMES)) == []
    assert len(SHIPPED["digests.toml"]["digest"]) > 50
    assert len(SHIPPED["seen.toml"]["seen"]) > 60


def test_good_rows_are_no_problem():
    assert problems() == []
    assert problems(vendor={"path": "a/b", "tag": "the tag counts"}) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"paths": "a"}, "unknown key paths"),
        ({"tag": None}, "tag is missing"),
        ({"evidence": None}, "evidence: expected a list"),
        ({"evidence": []}, "evidence: expected a list"),
        ({"evidence": "a/b c.md"}, "evidence: expected a list"),
        ({"evidence": ["a public file"]}, "expected 'owner/name path@commit'"),
        ({"evidence": ["a/b c.md@main"]}, "expected 'owner/name path@commit'"),
        ({"versions": None}, "expected versions"),
        ({"forms": [r"n-(?P<date>\d{8})"]}, "expected versions"),
        ({"versions": {"1": "0.5.99"}}, "0.5.99 is no release"),
        ({"versions": {"1": "<=0.5.99"}}, "<=0.5.99 is no release"),
        ({"forms": [r"(?P<key>\d)(?P<word>x)", r"(?P<date>\d)"]}, "unknown names word"),
        ({"branch": "main"}, "expected days or a branch"),
        ({"days": None}, "expected days or a branch"),
        ({"built_by": {"x": "2026-02-30"}}, "2026-02-30 is no day"),
        ({"built_by": {"x": "2099-01-01"}}, "2099-01-01 is not between"),
        ({"days": [{"first": "1", "last": "2", "base": "v0.5.9"}]}, "expected YYYYMMDD"),
        ({"days": [{"first": "20260102", "last": "20260101", "base": "v0.5.9"}]}, "is after"),
        ({"days": [{"first": "20260101", "last": "20260101", "base": "latest"}]}, "names no"),
        ({"days": [VENDOR["days"][0]] * 2}, "20260101 is not after 20260131"),
    ],
)
def test_what_is_wrong_with_a_vendor_is_said(change, said):
    row = {key: value for key, value in {**VENDOR, **change}.items() if value is not None}
    assert any(said in problem for problem in problems(vendor=row)), problems(vendor=row)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"day": "x"}, "unknown key day"),
        ({"repository": "myorg/sglang"}, "no family"),
        ({"tag": "v0.5.9"}, "the grammar reads the tag already"),
        ({"date": "2026-08"}, "2026-08 is no day"),
        ({"evidence": "a/b"}, "expected 'owner/name path@commit'"),
    ],
)
def test_what_is_wrong_with_a_tag_that_moves_is_said(change, said):
    found = problems(seen=[{**SEEN, **change}])
    assert any(said in problem for problem in found), found


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"digest": "sha256:0a"}, "64 hexadecimal digits"),
        ({"digest": "sha256:" + "0A" * 32}, "64 hexadecimal digits"),
        ({"repository": "myorg/sglang"}, "no family"),
        ({"version": None, "built_by": None, "tag": "dev"}, "it says nothing"),
        ({"version": "0.5.10"}, "version 0.5.10 beside the tag v0.5.9-cu130"),
        ({"version": None}, "version missing beside the tag"),
        ({"version": "0.5.99", "tag": "dev"}, "0.5.99 is no release"),
        ({"built_by": "soon"}, "soon is no day"),
        ({"checked": "2023-01-01"}, "2023-01-01 is not between"),
        ({"tag": "nightly-dev-20260702-0123456", "version": None}, "before the day in the tag"),
        ({"evidence": ["https://a.example"]}, "expected 'owner/name path@commit'"),
    ],
)
def test_what_is_wrong_with_a_digest_is_said(change, said):
    row = {key: value for key, value in {**DIGEST, **change}.items() if value is not None}
    found = problems(digests=[row])
    assert any(said in problem for problem in found), found


def test_rows_are_in_order_and_given_once():
    later = {**DIGEST, "digest": "sha256:" + "0b" * 32}
    assert problems(digests=[DIGEST, later]) == []
    assert "does not belong after" in problems(digests=[later, DIGEST])[0]
    assert "does not belong after" in problems(digests=[DIGEST, DIGEST])[0]
    assert "does not belong after" in problems(seen=[SEEN, SEEN])[0]
    assert "does not belong after" in problems(moving_tags=["b", "a"])[0]
    assert problems(vendor=VENDOR, moving_tags=["v0.5.9"]) == [
        "moving_tags: v0.5.9: the grammar reads it already"
    ]
    twice = CHECK.problems(
        {
            "releases": [],
            "staging": [],
            "moving_tags": [],
            "private_others": [],
            "vendor": [VENDOR] * 2,
        },
        {"seen": []},
        {"digest": []},
    )
    assert twice == ["vendor: a/b is given twice"]


def test_the_command_prints_what_is_wrong(capsys, monkeypatch):
    assert CHECK.main([]) == 0
    monkeypatch.setattr(CHECK, "problems", lambda *_tables: ["one", "two"])
    assert CHECK.main([]) == 1
    assert capsys.readouterr().out == "one\ntwo\n"
    assert CHECK.main(["x"]) == 2
    assert "Usage: check_map.py" in capsys.readouterr().err
