"""The JSON report: its keys are a contract, and nothing in it is ever null."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from servelint.deployment import (
    Build,
    Candidate,
    Component,
    Deployment,
    Invocation,
    Range,
    Release,
    Resolution,
)
from servelint.engine import Engine
from servelint.facts import Launch
from servelint.finding import Finding, Report, Skip
from servelint.reporters import Options
from servelint.reporters.json import report
from servelint.source import Route, Span
from servelint.value import known
from servelint.verdict import Place, Standing

PATH = "deploy/a.yaml"
TEXT = "image: registry/engine:v1\r\nargs: é --mode prefill\r\n"


def span(quote: str) -> Span:
    start = TEXT.index(quote)
    return Span(PATH, start, start + len(quote))


def component(*candidates: Candidate, reason: str = "", role: str = "prefill") -> Component:
    engine = Engine("engine", "Engine", ("engine",), (), (), (), (), "--mode", {})
    launch = Launch(
        span=span("--mode prefill"), owner=Route(PATH), argv=(known("engine", span("--mode")),)
    )
    return Component(
        owner=Route(PATH),
        engine=engine,
        kind="server",
        role=role,
        variant="prod",
        invocation=Invocation(launch, engine, "engine", "server", (role,), (), open=False),
        env=(),
        image=None,
        requirements=(),
        resolution=Resolution("engine", candidates, reason, "tag" if candidates else ""),
    )


def finding(*components: Component, severity: str = "high", text: str = "v1") -> Finding:
    return Finding(
        id="ADV-1",
        causes=("ADV-1", "ADV-2"),
        title="A title",
        status="affected",
        severity=severity,
        confidence="high",
        context="deployment",
        message="A message.",
        remedy="Use v2.",
        primary=Place(span("registry/engine:v1"), Route(PATH), text, "image"),
        related=(Place(span("--mode prefill"), Route(PATH), "--mode prefill", "flag"),),
        components=components,
        fingerprint="f00d",
        fixes=("raise the tag",),
    )


def written(run: Report) -> dict[str, Any]:
    text = report(run, Options())
    assert text.endswith("}\n")
    assert text.isascii()
    document: dict[str, Any] = json.loads(text)
    return document


def nulls(value: object) -> bool:
    if isinstance(value, dict):
        return any(map(nulls, value.values()))
    return any(map(nulls, value)) if isinstance(value, list) else value is None


@pytest.fixture(name="run")
def whole_run() -> Report:
    one = component(Release("0.5.5"))
    return Report(
        findings=(finding(one),),
        deployments=(Deployment((one,), ("same file",)),),
        standings=(Standing(one, "affected", "0.5.5 is before 0.5.20"),),
        skips=(Skip(PATH, "read", "syntax", "bad", span("args")), Skip("b", "read", "binary")),
        counts={"files": 2, "relevant": 1, "components": 1, "affected": 1, "skipped": 2},
        data_date="2026-11-30",
        seconds=0.12345,
        texts={PATH: TEXT},
    )


def test_the_keys_are_those_of_the_contract(run: Report) -> None:
    document = written(run)
    (found,) = document["findings"]
    (deployment,) = document["deployments"]
    assert list(document) == [
        "schema", "data_date", "findings", "suppressed", "deployments", "skips", "notes",
        "summary",
    ]  # fmt: skip
    assert list(found) == [
        "id", "causes", "title", "status", "severity", "confidence", "context", "message",
        "components", "primary", "related", "fixes", "fingerprint",
    ]  # fmt: skip
    place = ["path", "start", "end", "label", "text"]
    assert [list(each) for each in (found["primary"], *found["related"])] == [place, place]
    own = ["engine", "role", "version", "via", "variant", "launch"]
    assert list(found["components"][0]) == own
    assert list(found["components"][0]["launch"]) == ["path", "start", "end"]
    assert list(deployment) == ["components", "links"]
    assert list(deployment["components"][0]) == [*own, "status", "why", "evidence"]
    assert [list(skip) for skip in document["skips"]] == [
        ["path", "line", "stage", "reason", "detail"]
    ] * 2
    assert list(document["summary"]) == [
        "files", "relevant", "components", "affected", "unknown", "not_affected", "fixed",
        "skipped", "suppressed", "seconds",
    ]  # fmt: skip
    assert not nulls(document)


def test_the_values_come_through(run: Report) -> None:
    document = written(run)
    (found,) = document["findings"]
    assert document["schema"] == "servelint/1"
    assert document["data_date"] == "2026-11-30"
    assert found["causes"] == ["ADV-1", "ADV-2"]
    assert found["fixes"] == ["raise the tag"]
    assert found["fingerprint"] == "f00d"
    assert found["primary"] == {
        "path": PATH,
        "start": {"line": 1, "column": 8, "offset": 7},
        "end": {"line": 1, "column": 26, "offset": 25},
        "label": "image",
        "text": "v1",
    }
    assert found["components"][0] == {
        "engine": "engine",
        "role": "prefill",
        "version": "0.5.5",
        "via": "tag",
        "variant": "prod",
        "launch": {
            "path": PATH,
            "start": {"line": 2, "column": 9, "offset": 35},
            "end": {"line": 2, "column": 23, "offset": 49},
        },
    }
    assert document["deployments"][0]["links"] == ["same file"]
    assert document["skips"] == [
        {"path": "b", "line": 1, "stage": "read", "reason": "binary", "detail": ""},
        {"path": PATH, "line": 2, "stage": "read", "reason": "syntax", "detail": "bad"},
    ]
    summary = document["summary"]
    assert (summary["files"], summary["fixed"], summary["seconds"]) == (2, 0, 0.123)


@pytest.mark.parametrize(
    ("candidates", "expected"),
    [
        ((Release("0.5.5"),), "0.5.5"),
        ((Release("0.5.5"), Release("0.5.6")), {"one_of": ["0.5.5", "0.5.6"]}),
        ((Range(">=0.5,<0.6"),), {"one_of": [">=0.5,<0.6"]}),
        ((Build("main", "2026-09-01", "abc"),), {"one_of": ["main@2026-09-01"]}),
        ((Build("main", "", "abc"), Release("1")), {"one_of": ["main@abc", "1"]}),
        ((), {"unknown": "untagged"}),
    ],
)
def test_versions(candidates: tuple[Candidate, ...], expected: object) -> None:
    one = component(*candidates, reason="" if candidates else "untagged")
    document = written(Report((finding(one),), texts={PATH: TEXT}))
    assert document["findings"][0]["components"][0]["version"] == expected


def test_every_component_tells_what_was_decided_of_it() -> None:
    one, other = component(Release("1")), component(Release("1"), role="decode")
    standings = (Standing(other, "affected", "before 2"), Standing(one, "fixed", "fixed in 1"))
    run = Report((), (Deployment((one, other), ()),), standings)
    first, second = written(run)["deployments"][0]["components"]
    assert (first["status"], first["why"]) == ("fixed", "fixed in 1")
    assert (second["status"], second["why"]) == ("affected", "before 2")


def test_findings_stand_worst_first() -> None:
    low, critical = finding(severity="low"), finding(severity="critical")
    document = written(Report((low, critical), texts={PATH: TEXT}))
    assert [found["severity"] for found in document["findings"]] == ["critical", "low"]


def test_without_the_text_of_the_file_only_the_offset_is_told() -> None:
    primary = written(Report((finding(),)))["findings"][0]["primary"]
    assert primary["start"] == {"offset": 7}
    assert primary["end"] == {"offset": 25}


def test_hostile_text_is_escaped_and_comes_back() -> None:
    hostile = "\x1b[2J\x7f\x9b\u202e\ud800"
    found = replace(finding(text=hostile), title=hostile)
    run = Report((found,), skips=(Skip(hostile, "read", "syntax", hostile),), texts={PATH: TEXT})
    text = report(run, Options(color=True, all=True))
    assert all(" " <= char <= "~" or char == "\n" for char in text)
    document = written(run)
    assert document["findings"][0]["title"] == hostile
    assert document["skips"][0]["path"] == document["skips"][0]["detail"] == hostile


def test_an_empty_report_has_all_keys() -> None:
    document = written(Report())
    assert document["findings"] == document["deployments"] == document["skips"] == []
    assert document["data_date"] == ""
    assert set(document["summary"].values()) == {0}
