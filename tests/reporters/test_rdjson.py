"""The Reviewdog Diagnostic Format: columns are bytes, and unknown keys would be refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from made_reports import PATH, at, finding, hostile, made_of, report, skip

from servelint.reporters import Options
from servelint.reporters.described import Described
from servelint.reporters.rdjson import report as written


def diagnostics(run, **options):
    text = written(run, Options(**options))
    assert text.isascii()
    document = json.loads(text)
    assert list(document) == ["source", "diagnostics"]
    assert document["source"] == {"name": "servelint"}
    return document["diagnostics"]


def test_a_finding_is_a_diagnostic_with_columns_in_bytes():
    assert diagnostics(report(finding())) == [
        {
            "message": "critical ADV-1 affected: Memory is not given back."
            " A prefill server runs Engine 1.0, which is before 1.2. Fix: upgrade to 1.3.",
            "location": {
                "path": PATH,
                "range": {"start": {"line": 2, "column": 8}, "end": {"line": 2, "column": 26}},
            },
            "severity": "ERROR",
            "code": {"value": "ADV-1"},
            "related_locations": [
                {
                    "message": "flag: --mode prefill",
                    "location": {
                        "path": PATH,
                        "range": {
                            # é has two bytes, the face four
                            "start": {"line": 3, "column": 18},
                            "end": {"line": 3, "column": 33},
                        },
                    },
                }
            ],
        }
    ]


@pytest.mark.parametrize(
    ("severity", "called"),
    [
        ("critical", "ERROR"),
        ("high", "ERROR"),
        ("medium", "WARNING"),
        ("low", "INFO"),
        ("note", "INFO"),
    ],
)
def test_severities(severity, called):
    assert diagnostics(report(finding(severity=severity)))[0]["severity"] == called


def test_a_record_with_an_address_is_linked():
    record = Described("ADV-1", "t", "high", "s", "p", (), "https://records.example/1")
    (one,) = diagnostics(report(finding()), records={"ADV-1": record})
    assert one["code"] == {"value": "ADV-1", "url": "https://records.example/1"}


def test_what_was_left_out_is_information():
    spot = at("args").span
    whole, part = diagnostics(report(skips=(skip(PATH, span=spot), skip(PATH))), prefix="a/")
    assert whole["location"] == {"path": f"a/{PATH}", "range": {"start": {"line": 1}}}
    assert part["location"]["range"]["start"] == {"line": 3, "column": 1}
    assert part["code"] == {"value": "skipped-syntax"}
    assert part["severity"] == "INFO"


@given(hostile)
def test_any_text_comes_out_printable(text):
    every = diagnostics(made_of(text))
    assert len(every) == 4
    for one in every:
        shown = one["message"] + one["location"]["path"]
        assert not any(ord(char) < 32 or "\ud800" <= char <= "\udfff" for char in shown)
        spot = one["location"]["range"]
        end = spot.get("end", spot["start"])
        assert (end["line"], end.get("column", 1)) >= (
            spot["start"]["line"],
            spot["start"].get("column", 1),
        )
