"""Advisories as OSV records: by the rules of the format, and by what readers of it insist on."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from servelint.advisory import Advisory, Affected, Condition
from servelint.osv import Narrowed, osv_id, record
from servelint.plugins import load

ADVISORIES = load().advisories
MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z")
KEYS = {
    *("schema_version", "id", "modified", "published", "withdrawn", "aliases", "summary"),
    *("details", "affected", "references", "database_specific"),
}
KINDS = {"ADVISORY", "FIX", "REPORT", "WEB"}

MADE = Advisory(
    id="SITE-1",
    package="engine",
    title="A title",
    severity="high",
    published="2026-01-02",
    recommended="2.0",
    affected=(
        Affected("", "1.5", (Condition("role", ("decode",)),)),
        Affected("1.5", "1.7", (Condition("--backend", ("fake",), negated=True),)),
        Affected("1.8", "", (), last_affected="1.9"),
    ),
    references=("https://forge.example/o/r/pull/7", "https://forge.example/o/r/issues/8", "x"),
    aliases=("CVE-2026-1",),
    body="Body.",
)


@pytest.mark.parametrize("advisory", ADVISORIES, ids=lambda one: one.id)
def test_every_record_has_the_shape_of_the_format(advisory):
    told = record(advisory)
    assert set(told) <= KEYS
    assert told["id"] == f"x_{advisory.id}"
    assert told["aliases"][0] == advisory.id
    assert MOMENT.fullmatch(told["modified"])
    assert MOMENT.fullmatch(told["published"])
    assert "\n" not in told["summary"]
    assert {one["type"] for one in told["references"]} <= KINDS
    (affected,) = told["affected"]
    assert affected["package"]["purl"] == f"pkg:pypi/{advisory.package}"
    for one in affected["ranges"]:
        assert one["type"] == "ECOSYSTEM"
        assert len([event for event in one["events"] if "introduced" in event]) == 1
        assert all(len(event) == 1 and all(event.values()) for event in one["events"])
        assert not {"fixed", "last_affected"} <= {key for event in one["events"] for key in event}
    assert json.loads(json.dumps(told)) == told


def test_ranges_are_told_with_their_ends_and_conditions():
    (affected,) = record(MADE)["affected"]
    assert [one["events"] for one in affected["ranges"]] == [
        [{"introduced": "0"}, {"fixed": "1.5"}],
        [{"introduced": "1.5"}, {"fixed": "1.7"}],
        [{"introduced": "1.8"}, {"last_affected": "1.9"}],
    ]
    first, second, third = affected["ecosystem_specific"]["conditions"]
    assert first == {"fixed": "1.5", "when": ["the role is decode"]}
    assert second["when"] == ["--backend is not fake"]
    assert third == {"introduced": "1.8", "last_affected": "1.9", "when": []}


def test_equal_ranges_are_told_once():
    row = MADE.affected[0]
    (affected,) = record(replace(MADE, affected=(row, row)))["affected"]
    assert len(affected["ranges"]) == 1


def test_references_are_told_by_kind_and_no_text_passes_for_a_link():
    assert record(MADE)["references"] == [
        {"type": "FIX", "url": "https://forge.example/o/r/pull/7"},
        {"type": "REPORT", "url": "https://forge.example/o/r/issues/8"},
    ]


def test_a_narrowed_record_advises_one_version():
    narrowed = Narrowed(MADE.affected[2:], "2.0", "Shown\nhere", ("a.sh:1",))
    told = record(MADE, ("engine", "engine-cuda"), narrowed, modified="2026-03-04")
    assert [one["package"]["name"] for one in told["affected"]] == ["engine", "engine-cuda"]
    assert told["affected"][0]["ranges"] == [
        {"type": "ECOSYSTEM", "events": [{"introduced": "1.8"}, {"fixed": "2.0"}]}
    ]
    assert told["summary"] == "Shown here"
    assert told["database_specific"]["evidence"] == ["a.sh:1"]
    assert told["modified"] == "2026-03-04T00:00:00Z"


def test_what_is_withdrawn_says_so():
    told = record(replace(MADE, withdrawn="2026-02-03"))
    assert told["withdrawn"] == "2026-02-03T00:00:00Z"
    assert "withdrawn" not in record(MADE)
    assert osv_id("SITE-1") == "x_SITE-1"
