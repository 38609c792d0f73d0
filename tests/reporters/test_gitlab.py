"""Issues for the Code Quality widget of GitLab."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from made_reports import PATH, at, finding, hostile, made_of, report, skip, suppressed

from servelint.reporters import Options
from servelint.reporters.gitlab import report as written


def issues(run, **options):
    text = written(run, Options(**options))
    assert text.isascii()
    return json.loads(text)


def test_a_finding_is_an_issue():
    assert issues(report(finding())) == [
        {
            "type": "issue",
            "check_name": "ADV-1",
            "description": "critical ADV-1 affected: Memory is not given back."
            " A prefill server runs Engine 1.0, which is before 1.2. Fix: upgrade to 1.3.",
            "categories": ["Security"],
            "severity": "blocker",
            "fingerprint": "f00d",
            "location": {"path": PATH, "lines": {"begin": 2, "end": 2}},
        }
    ]


@pytest.mark.parametrize(
    ("severity", "called"),
    [
        ("critical", "blocker"),
        ("high", "critical"),
        ("medium", "major"),
        ("low", "minor"),
        ("note", "info"),
    ],
)
def test_severities(severity, called):
    assert issues(report(finding(severity=severity)))[0]["severity"] == called


def test_the_worst_comes_first_and_the_suppressed_not_at_all():
    run = report(finding(severity="low"), finding(at("kind")), suppressed=(suppressed(),))
    assert [one["severity"] for one in issues(run)] == ["blocker", "minor"]


def test_what_was_left_out_is_an_issue_with_a_name_that_no_edit_elsewhere_changes():
    early, late = (skip(PATH, span=at(quote).span) for quote in ("kind", "args"))
    other = skip(PATH, reason="too-large")
    first, second, third = issues(report(skips=(early, late, other)))
    assert (first["check_name"], first["severity"]) == ("skipped-too-large", "info")
    assert second["location"] == {"path": PATH, "lines": {"begin": 1, "end": 1}}
    assert third["location"]["lines"] == {"begin": 3, "end": 3}
    assert len({one["fingerprint"] for one in (first, second, third)}) == 3
    moved, _ = issues(report(skips=(late, other)))[::-1]
    assert moved["fingerprint"] == second["fingerprint"]


def test_lines_are_those_of_the_whole_place():
    (one,) = issues(report(finding(at("Pod\nimage:"))))
    assert one["location"]["lines"] == {"begin": 1, "end": 2}


def test_paths_begin_at_the_top_of_the_repository():
    (one,) = issues(report(finding()), prefix="a/")
    assert one["location"]["path"] == f"a/{PATH}"


def test_nothing_is_an_empty_array():
    assert written(report(), Options()) == "[]\n"


@given(hostile)
def test_any_text_comes_out_printable(text):
    run = made_of(text)
    every = issues(run)
    assert [one["fingerprint"] for one in every[:2]] == ["f00d", "beef"]
    assert len({one["fingerprint"] for one in every}) == 4
    assert "##[" not in written(run, Options())
    for one in every:
        for shown in (one["description"], one["location"]["path"]):
            assert not any(ord(char) < 32 or "\ud800" <= char <= "\udfff" for char in shown)
