"""The pages of advisories and rules: printed, listed, and written down as they are."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from servelint.advisory import Condition
from servelint.cli import main
from servelint.config import Config
from servelint.page import condition_text, kind, page
from servelint.pipeline import records

ROOT = Path(__file__).parent.parent
RECORDS = records(Config(str(ROOT)))


def tool():
    spec = importlib.util.spec_from_file_location("build_docs", ROOT / "tools/build_docs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pages_below_docs_are_current():
    """If this fails: ``python tools/build_docs.py``."""
    wanted = tool().texts(RECORDS.values())
    there = {
        path.relative_to(ROOT / "docs").as_posix(): path.read_text(encoding="utf-8")
        for path in [ROOT / "docs/rules.md", *(ROOT / "docs/rules").glob("*.md")]
    }
    assert there == wanted


@pytest.mark.parametrize("record", RECORDS.values(), ids=lambda record: record.id)
def test_every_record_has_a_page_that_says_what_and_what_to_do(record):
    text = page(record)
    assert text.startswith(f"# {record.id}: {record.title}\n")
    assert f"severity {record.severity}" in text
    assert "## What to do" in text
    assert len(record.body) > 80
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


def test_a_page_is_printed(capsys):
    assert main(["explain", "SGL-2026-0001"]) == 0
    assert capsys.readouterr().out == page(RECORDS["SGL-2026-0001"])


def test_an_unknown_id_is_told_with_those_that_are(capsys):
    assert main(["explain", "SGL-1"]) == 2
    assert "unknown id 'SGL-1'; known are " in capsys.readouterr().err


def test_all_are_listed(capsys):
    assert main(["rules"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert {line.split()[0] for line in lines} == set(RECORDS)
    assert {kind(record) for record in RECORDS.values()} == {"advisory", "rule"}


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (Condition("role", ("prefill", "both")), "the role is `prefill` or `both`"),
        (Condition("--b", ("x",), negated=True), "`--b` is not `x`"),
        (Condition("--b", test="set"), "`--b` is given"),
        (Condition("A", ("false",), test="like", whom="every"), "in both roles, `A` means `false`"),
        (Condition("A", ("3",), test="below", whom="any"), "in one of the roles, `A` is below `3`"),
    ],
)
def test_a_condition_reads_as_a_clause(condition, text):
    assert condition_text(condition) == text
