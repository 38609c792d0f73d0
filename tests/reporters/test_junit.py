"""JUnit XML: tests that fail when the run does."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from made_reports import (
    PATH,
    at,
    finding,
    hostile,
    made_of,
    report,
    skip,
    suppressed,
    with_servers,
)

from servelint.reporters import Options
from servelint.reporters.junit import report as written


def suites(run, **options):
    text = written(run, Options(**options))
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ')
    assert text.isascii()
    top = ET.fromstring(text)
    for holder in (top, *top):
        cases = list(holder.iter("testcase"))
        assert holder.get("tests") == str(len(cases))
        assert holder.get("failures") == str(sum(one.find("failure") is not None for one in cases))
        assert holder.get("skipped") == str(sum(one.find("skipped") is not None for one in cases))
    return list(top)


def only(run, **options):
    (suite,) = suites(run, **options)
    (case,) = suite
    return case


def outcome(case):
    return next((one.tag for one in case if one.tag in ("failure", "skipped")), "passed")


def test_a_finding_is_a_test_that_fails():
    (suite,) = suites(report(finding(), seconds=0.5))
    (case,) = suite
    assert suite.get("name") == PATH
    assert case.attrib == {
        "name": "ADV-1: Memory is not given back",
        "classname": PATH,
        "file": PATH,
        "line": "2",
    }
    properties = {one.get("name"): one.get("value") for one in case.iter("property")}
    assert properties == {"fingerprint": "f00d", "severity": "critical"}
    failure = case.find("failure")
    assert failure.attrib == {
        "message": "critical ADV-1 affected: Memory is not given back",
        "type": "critical",
    }
    assert failure.text.split("\n") == [
        f"{PATH}:2:8: critical ADV-1 affected: Memory is not given back",
        f"flag {PATH}:3:14: --mode prefill",
        "A prefill server runs Engine 1.0, which is before 1.2.",
        "Fix: upgrade to 1.3.",
    ]


@pytest.mark.parametrize(
    ("severity", "options", "expected"),
    [
        ("medium", {}, "failure"),
        ("low", {}, "passed"),
        ("low", {"fail_on": "note"}, "failure"),
        ("critical", {"fail_on": "never"}, "passed"),
        ("high", {"fail_on": "critical"}, "passed"),
    ],
)
def test_it_fails_when_the_run_does(severity, options, expected):
    case = only(report(finding(severity=severity)), **options)
    assert outcome(case) == expected
    assert "Fix: upgrade to 1.3." in "".join(case.itertext())


def test_strict_makes_what_cannot_be_told_fail():
    run = report(finding(severity="low", status="under_investigation"), skips=(skip(PATH),))
    ((told, left_out),) = suites(run)
    assert (outcome(told), outcome(left_out)) == ("passed", "skipped")
    ((told, left_out),) = suites(run, strict=True)
    assert (outcome(told), outcome(left_out)) == ("failure", "failure")


def test_servers_without_a_finding_pass_or_are_skipped():
    run = with_servers(
        ("fixed", "1.3 has the fix"), ("under_investigation", "no version"), ("affected", "x")
    )
    ((fixed, unknown),) = suites(run)
    assert fixed.get("name") == "engine server prefill 1.0"
    assert (outcome(fixed), fixed.findtext("system-out")) == ("passed", "fixed: 1.3 has the fix")
    assert outcome(unknown) == "skipped"
    assert unknown.find("skipped").get("message") == "cannot tell: no version"


def test_no_two_tests_of_a_file_have_one_name():
    ((one, two),) = suites(report(finding(), finding(at("kind"))))
    assert {one.get("name"), two.get("name")} == {
        "ADV-1: Memory is not given back",
        "ADV-1: Memory is not given back (2)",
    }


def test_each_file_is_a_suite_below_the_top_of_the_repository():
    run = report(finding(), skips=(skip(),))
    assert [one.get("name") for one in suites(run, prefix="x/")] == [f"x/{PATH}", "x/deploy/b.yaml"]


def test_nothing_to_tell_is_a_test_that_passes():
    case = only(report(suppressed=(suppressed(),)))
    assert (case.get("name"), outcome(case)) == ("nothing to report", "passed")


@given(hostile)
def test_any_text_makes_a_document(text):
    every = [case for suite in suites(made_of(text)) for case in suite]
    assert sorted(map(outcome, every)) == ["failure", "passed", "skipped", "skipped", "skipped"]
    assert "##[" not in written(made_of(text), Options())
