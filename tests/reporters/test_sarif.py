"""SARIF: what code scanning asks for, and nothing that a strict reader would refuse."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from unicodedata import category
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given
from made_reports import PATH, TEXT, at, finding, hostile, made_of, report, skip, suppressed

from servelint.reporters import Options, sarif
from servelint.reporters.described import Described
from servelint.reporters.sarif_places import uri
from servelint.source import Span

RECORD = Described(
    "ADV-1", "A title", "high", "One paragraph.", "# Page\n\ntext\n", ("security", "advisory"), ""
)


def run_of(given_report, **options):
    text = sarif.report(given_report, Options(**options))
    assert text.isascii()
    assert text.endswith("}\n")
    log = json.loads(text)
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = log["runs"]
    return run


def result_of(found, **options):
    (result,) = run_of(report(found), **options)["results"]
    return result


def test_a_result_has_its_place_in_code_points():
    (place,) = result_of(finding(at("--mode, prefill")))["locations"]
    assert place == {
        "physicalLocation": {
            "artifactLocation": {"uri": PATH, "uriBaseId": "%SRCROOT%"},
            "region": {
                "startLine": 3,
                "startColumn": 14,
                "endLine": 3,
                "endColumn": 29,
                "snippet": {"text": "--mode, prefill"},
            },
        }
    }
    run = run_of(report(finding()))
    assert run["columnKind"] == "unicodeCodePoints"
    assert list(run["originalUriBaseIds"]) == ["%SRCROOT%"]


def test_the_message_leads_to_the_places_below_it():
    image = at("mirror/engine:v1.0", "value", "v1.0")
    result = result_of(finding(at("kind"), related=(image, *finding().related)))
    assert result["message"]["text"] == (
        "critical ADV-1 affected: Memory is not given back."
        " A prefill server runs Engine 1.0, which is before 1.2. Fix: upgrade to 1.3."
        " Shown by: [flag](1), [value](2)."
    )
    assert [(one["id"], one["message"]["text"]) for one in result["relatedLocations"]] == [
        (1, "flag: --mode prefill"),
        (2, "value: v1.0"),
    ]


@pytest.mark.parametrize(
    ("severity", "level", "score"),
    [
        ("critical", "error", 9.0),
        ("high", "error", 7.0),
        ("medium", "warning", 4.0),
        ("low", "note", 0.1),
        ("note", "note", 0.1),
    ],
)
def test_levels(severity, level, score):
    run = run_of(report(finding(severity=severity)), records={"ADV-1": RECORD})
    (rule,), (result,) = run["tool"]["driver"]["rules"], run["results"]
    assert result["level"] == level
    assert float(rule["properties"]["security-severity"]) > score
    assert isinstance(rule["properties"]["security-severity"], str)
    assert rule["defaultConfiguration"] == {"level": "error"}


def test_a_rule_carries_its_page():
    record = replace(RECORD, url="https://records.example/1", tags=tuple(map(str, range(30))))
    (rule,) = run_of(report(finding()), records={"ADV-1": record})["tool"]["driver"]["rules"]
    assert (rule["id"], rule["name"], rule["helpUri"]) == ("ADV-1", "A title", record.url)
    assert rule["shortDescription"] == {"text": "A title"}
    assert rule["fullDescription"] == {"text": "One paragraph."}
    assert rule["help"] == {"text": "# Page\n\ntext\n", "markdown": "# Page\n\ntext\n"}
    assert rule["properties"]["tags"] == list(map(str, range(10)))


def test_a_record_that_is_not_known_is_described_by_its_finding():
    (rule,) = run_of(report(finding()))["tool"]["driver"]["rules"]
    assert rule["shortDescription"] == rule["fullDescription"]
    assert rule["help"]["text"] == "Memory is not given back"
    assert "helpUri" not in rule


def test_each_rule_stands_once_and_weighs_as_much_as_its_worst_finding():
    other = finding(at("kind"), id="a-rule", severity="low", fingerprint="1")
    run = run_of(report(finding(severity="low", fingerprint="2"), finding(), other))
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["ADV-1", "a-rule"]
    assert rules[0]["properties"]["security-severity"] == "9.5"
    assert [rules[one["ruleIndex"]]["id"] for one in run["results"]] == [
        one["ruleId"] for one in run["results"]
    ]


def test_suppressed_findings_are_there_only_when_all_is_asked_for():
    run = report(finding(), suppressed=(suppressed(),))
    (told,) = run_of(run)["results"]
    assert told["suppressions"] == []
    told, hidden = run_of(run, all=True)["results"]
    assert told["suppressions"] == []
    assert hidden["partialFingerprints"] == {"servelint/v1": "beef"}
    (one,) = hidden["suppressions"]
    assert (one["kind"], one["status"], one["justification"]) == (
        "external",
        "accepted",
        "patched by us",
    )
    assert one["location"]["physicalLocation"]["region"]["startLine"] == 1


def test_a_comment_is_a_suppression_in_the_source():
    comment = suppressed(reach=Span(PATH, 0, 9))
    (result,) = run_of(report(suppressed=(comment,)), all=True)["results"]
    assert result["suppressions"][0]["kind"] == "inSource"


def test_what_was_left_out_is_a_notification():
    spot = at("args").span
    run = run_of(
        report(skips=(skip(PATH, span=spot), skip(".", "outside-root", "x")), notes=("it is old",))
    )
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is True
    root, part, note = invocation["toolExecutionNotifications"]
    assert "locations" not in root
    assert root["descriptor"] == {"id": "skipped/outside-root"}
    assert part["message"]["text"] == f"{PATH}: skipped (syntax): a bracket is not closed."
    assert part["locations"][0]["physicalLocation"]["region"]["startLine"] == 3
    assert part["properties"] == {"stage": "read", "reason": "syntax"}
    assert (note["level"], note["message"]) == ("note", {"text": "it is old."})
    known = [one["id"] for one in run["tool"]["driver"]["notifications"]]
    assert known == ["skipped/outside-root", "skipped/syntax"]


def test_the_limits_of_code_scanning_are_kept(monkeypatch):
    monkeypatch.setattr(sarif, "MAX_RESULTS", 2)
    monkeypatch.setattr(sarif, "MAX_LOCATIONS", 4)
    spots = tuple(replace(at("kind", "value"), span=Span(PATH, n, n + 1)) for n in range(9))
    every = [finding(severity=one, related=spots) for one in ("low", "critical", "high")]
    run = run_of(report(*every))
    assert [one["properties"]["severity"] for one in run["results"]] == ["critical", "high"]
    assert all(len(one["relatedLocations"]) == 3 for one in run["results"])
    (told,) = run["invocations"][0]["toolExecutionNotifications"]
    assert told["message"]["text"] == "1 findings are left out: code scanning takes 2."


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a b/c.yaml", "a%20b/c.yaml"),
        ("é#?%.yaml", "%C3%A9%23%3F%25.yaml"),
        ("c:d.yaml", "c%3Ad.yaml"),
        ("a\nb\\c", "a%0Ab%5Cc"),
        ("\udcff", "%FF"),
        ("\ud800", "%ED%A0%80"),
    ],
)
def test_paths_are_relative_uris(path, expected):
    assert uri(path) == expected
    found = finding(replace(at("kind"), span=Span(path, 0, 4)), related=())
    (result,) = run_of(report(found, texts={path: TEXT}), prefix="x y/")["results"]
    where = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert where == f"x%20y/{expected}"


def test_without_the_text_of_the_file_it_is_its_first_line():
    (result,) = run_of(report(finding(), texts={}))["results"]
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 1}


def test_a_region_shows_all_of_its_text_or_nothing():
    text = "x" * 501
    for size, shown in ((500, True), (501, False)):
        found = finding(replace(at("kind"), span=Span(PATH, 0, size)), related=())
        (result,) = run_of(report(found, texts={PATH: text}))["results"]
        assert ("snippet" in result["locations"][0]["physicalLocation"]["region"]) is shown


def test_an_empty_report_is_a_whole_run():
    run = run_of(report())
    assert run["results"] == run["tool"]["driver"]["rules"] == []
    assert run["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]


LINK = re.compile(r"(?<!\\)\[((?:[^\[\]\\]|\\.)*)\]\(([^)]*)\)")
"""An embedded link, by the grammar of the standard."""


@pytest.mark.parametrize("text", ["[a](b)", "[a\\](b)", "[a\\\\](b)", "[", "](b)"])
def test_a_scanned_link_is_none(text):
    result = result_of(finding(message=text))
    assert LINK.findall(result["message"]["text"]) == [("flag", "1")]


@given(hostile)
def test_nothing_that_was_scanned_makes_a_link_or_breaks_a_reader(text):
    run = run_of(made_of(text), all=True)
    for result in run["results"]:
        links = LINK.findall(result["message"]["text"])
        assert links == [
            (one["message"]["text"].split(":")[0], str(one["id"]))
            for one in result["relatedLocations"]
        ]
        assert not {category(char) for char in result["message"]["text"]} & {"Cc", "Cf", "Cs"}
        for place in (*result["locations"], *result["relatedLocations"]):
            name = place["physicalLocation"]["artifactLocation"]["uri"]
            assert re.fullmatch(r"[\w.~%/-]+", name, re.A)
            assert unquote_to_bytes(name)
            region = place["physicalLocation"]["region"]
            assert region["startLine"] >= 1
            assert (region.get("endLine", 1), region.get("endColumn", 1)) >= (
                region["startLine"],
                region.get("startColumn", 1),
            )
    assert not any("\ud800" <= char <= "\udfff" for char in texts_of(run))
    assert "##[" not in sarif.report(made_of(text), Options(all=True))


def texts_of(value):
    """All texts of a document in one."""
    if isinstance(value, dict):
        return "".join(map(texts_of, value.values()))
    return "".join(map(texts_of, value)) if isinstance(value, list) else str(value)
