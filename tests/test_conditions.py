"""Conditions that a server meets only where somebody opted for something."""

from __future__ import annotations

from dataclasses import replace

import pytest
from made_up import ROLES, advisory, component, resolution, row

from servelint.advisory import Condition
from servelint.advisory_file import AdvisoryError, load_advisory
from servelint.conditions import is_remote
from servelint.deployment import Deployment
from servelint.judge import judge

PREFILL = "engine serve --mode prefill"
NAMED = Condition("--model-path", ("*-vl-*", "*vision*"), test="glob")
REMOTE = Condition("--transfer-port", test="remote")
SET = Condition("--trust", test="set")


def judged(words, *conditions, version="1.0", remedy="", **changes):
    rows = replace(row(when=(ROLES, *conditions)), **changes)
    server = component(f"{PREFILL} {words}", version)
    (only,) = judge(Deployment((server,), ()), [advisory(rows, remedy=remedy)])
    return only


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("10.0.0.1:20000", True),
        ("0.0.0.0", True),
        ("tcp://prefill-0:20000", True),
        ("localhost.example:1", True),
        ("::", True),
        ("127.0.0.1", False),
        ("127.0.0.1:20000", False),
        ("http://LOCALHOST:80/", False),
        ("[::1]:20000", False),
        ("::1", False),
        ("", False),
    ],
)
def test_an_address_is_remote_or_of_its_own_machine(address, expected):
    assert is_remote(address) is expected


@pytest.mark.parametrize(
    ("words", "condition", "expected"),
    [
        ("--model a/Some-VL-7B", NAMED, "affected"),
        ("--model a/some-7b", NAMED, "not_affected"),
        ("--model $MODEL", NAMED, "under_investigation"),
        ("--transfer-port 10.0.0.1:1", REMOTE, "affected"),
        ("--transfer-port 127.0.0.1:1", REMOTE, "not_affected"),
        ("--transfer-port $HOST:1", REMOTE, "under_investigation"),
        ("", REMOTE, "not_affected"),
    ],
)
def test_a_name_and_an_address(words, condition, expected):
    assert judged(words, condition).status == expected


@pytest.mark.parametrize("condition", [NAMED, REMOTE, SET])
def test_what_nothing_points_to_is_counted_and_makes_no_finding(condition):
    one = judged("$MORE", condition)
    assert (one.status, one.silent) == ("under_investigation", True)


def test_an_option_with_a_default_is_told_where_it_may_be_another():
    one = judged("$MORE", Condition("--transfer-backend", ("slow",)))
    assert (one.status, one.silent) == ("under_investigation", False)


def test_an_address_that_is_given_and_not_known_is_told():
    assert not judged("--transfer-port $HOST:1", REMOTE).silent


def test_code_that_looks_alike_accuses_only_who_surely_runs_it():
    seen = {"introduced": "1.0", "fixed": "", "basis": "observed"}
    assert judged("--trust", SET, **seen).status == "affected"
    assert judged("$MORE", SET, **seen).status == "not_affected"
    assert judged("--transfer-port $HOST:1", REMOTE, **seen).status == "not_affected"


def test_a_remedy_of_its_own_stands_alone_only_for_a_version_that_is_known():
    unknown = resolution(reason="unpinned")
    assert judged("", remedy="switch it off").alone
    assert not judged("", version=unknown, remedy="switch it off").alone


FRONT = """\
+++
id = "X-1"
package = "engine"
severity = "high"
published = "2026-01-01"
recommended = "1.1"
[[affected]]
fixed = "1.1"
[affected.when]
{when}
+++

# A flaw
"""


def loaded(tmp_path, when):
    path = tmp_path / "X-1.md"
    path.write_text(FRONT.format(when=when), encoding="utf-8")
    return load_advisory(str(path)).affected[0].when


def test_a_file_says_globs_and_addresses(tmp_path):
    assert loaded(tmp_path, '"--model-path" = { glob = ["*-vl-*", "*vision*"] }') == (NAMED,)
    assert loaded(tmp_path, '"--transfer-port" = { remote = true }') == (REMOTE,)


@pytest.mark.parametrize(
    ("when", "message"),
    [
        ('"--a" = { glob = [] }', "--a.glob: expected at least one text"),
        ('"--a" = { glob = "x" }', "--a.glob: expected a list of texts"),
        ('"--a" = { remote = 1 }', "--a.remote: expected true or false"),
        ("role = { remote = true }", "expected a list of roles"),
    ],
)
def test_a_file_that_says_them_wrong(tmp_path, when, message):
    with pytest.raises(AdvisoryError, match=message):
        loaded(tmp_path, when)
