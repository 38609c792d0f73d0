"""The summary of a job: tables that no scanned text can leave."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from made_reports import PATH, commands, finding, hostile, made_of, report, skip, with_servers
from made_up import component, resolution

from servelint.deployment import Deployment
from servelint.reporters import Options, summary_markdown
from servelint.reporters.summary_markdown import code, prose
from servelint.reporters.summary_markdown import report as written
from servelint.verdict import Standing

SAID = "affected: Memory is not given back. A prefill server runs Engine 1.0, which is before 1.2."

CELL = re.compile(r"(?:\\.|[^|\\])*")
"""A cell of a row: a table takes a sign behind a backslash for itself."""


def cells(row):
    assert row.startswith("| ")
    assert row.endswith(" |")
    return [cell.strip() for cell in CELL.findall(row[1:-1]) if cell]


def test_findings_servers_and_what_was_left_out():
    run = report(finding(), skips=(skip(),), counts={"files": 2, "relevant": 1})
    assert written(run, Options()).split("\n") == [
        "### servelint: 1 finding (1 critical) in 2 files, 1 relevant; data of 2026-11-30",
        "",
        "#### Findings",
        "",
        "| severity | id | where | what | to do |",
        "|---|---|---|---|---|",
        f"| critical | `ADV-1` | `{PATH}:2:8` | {SAID} | upgrade to 1.3 |",
        "",
        "#### Left out",
        "",
        "| where | why |",
        "|---|---|",
        "| `deploy/b.yaml` | skipped (syntax)\\: a bracket is not closed |",
        "",
    ]


def test_each_server_has_its_verdict_and_why():
    unknown = component(path=PATH, version=resolution(reason="untagged"), variant="prod")
    run = with_servers(("fixed", "1.0 has it"))
    run = report(
        deployments=(*run.deployments, Deployment((unknown,), ())),
        standings=(*run.standings, Standing(unknown, "under_investigation", "it has no tag")),
    )
    rows = [cells(row) for row in written(run, Options()).split("\n") if row.startswith("| ")]
    assert rows == [
        ["deployment", "where", "what runs", "verdict", "why"],
        ["1", f"`{PATH}:1:1`", "engine server prefill `1.0`", "fixed", "1.0 has it"],
        [
            "2",
            f"`{PATH}:1:1`",
            "engine server prefill of an unknown version (untagged), `prod`",
            "cannot tell",
            "it has no tag",
        ],
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a b", "`a b`"),
        ("", ""),
        ("a`b", "``a`b``"),
        ("`a", "`` `a ``"),
        ("a``", "``` a`` ```"),
        ("<a>", "`<a>`"),
        ("a|b", "a\\|b"),
        ("a\\|b", "a\\\\\\|b"),
        ("a\nb", "`a b`"),
    ],
)
def test_code_spans(text, expected):
    assert code(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.5.9, or 1.0", "0.5.9, or 1.0"),
        ("[a](https://x)", "\\[a\\](https\\://x)"),
        ("<img> & `x` *b* _c_ ~d~", "\\<img\\> \\& \\`x\\` \\*b\\* \\_c\\_ \\~d\\~"),
        ("www.a.example @b", "www\\.a.example \\@b"),
        ("a\\|b", "a\\\\\\|b"),
    ],
)
def test_prose(text, expected):
    assert prose(text) == expected


def test_a_long_table_is_folded_and_a_long_text_is_cut(monkeypatch):
    skips = tuple(skip(f"f{number:03}.yaml") for number in range(200))
    text = written(report(skips=skips[:30]), Options())
    assert "<details>" not in text
    text = written(report(skips=skips), Options())
    assert "<details><summary>Left out (200)</summary>\n\n| where" in text
    assert text.endswith(" |\n\n</details>\n")
    monkeypatch.setattr(summary_markdown, "MAX_BYTES", 2000)
    cut = written(report(skips=skips), Options())
    assert len(cut.encode()) <= 2000
    assert cut.endswith(" |\n\n</details>\n\nThere is more: this summary is cut.\n")
    assert text.startswith(cut.partition("\n\n</details>")[0])


@given(hostile)
def test_no_text_leaves_its_cell(text):
    said = written(made_of(text), Options())
    rows = [cells(line) for line in said.split("\n") if line.startswith("| ")]
    assert [len(row) for row in rows] == [5, 5, 5, 5, 5, 2, 2, 2]
    outside = re.sub(r"(?<!\\)(`+)(?!`).*?(?<!`)\1(?!`)", "", said)
    assert not re.search(r"(?<!\\)(?:\\\\)*(?:<(?!/?details|/?summary)|\]\()", outside)
    assert "\x1b" not in said
    assert not commands(said)
