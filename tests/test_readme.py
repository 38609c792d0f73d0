"""The README shows what the program really prints."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from servelint.arguments import REPORTS
from servelint.cli import main
from servelint.config import Config
from servelint.page import kind
from servelint.pipeline import records, run
from servelint.reporters import Options
from servelint.reporters.text import report

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```\w*\n(.*?)^```$", README, re.S | re.M)


def help_text() -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), pytest.raises(SystemExit) as stop:
        main(["check", "--help"])
    assert stop.value.code == 0
    return out.getvalue()


def test_the_help_is_the_help() -> None:
    assert help_text() in BLOCKS


def test_the_finding_is_a_finding() -> None:
    printed = report(run(Config(str(ROOT / "examples" / "kubernetes-pd"))), Options())
    findings = printed.split("\n\n")
    assert any(f"{block.rstrip()}" in findings for block in BLOCKS)


def test_every_example_stands_in_the_table() -> None:
    for folder in (ROOT / "examples").iterdir():
        assert f"`examples/{folder.name}`" in README


def table(first: str) -> str:
    """The table whose first column is called so."""
    return README.split(f"\n| {first} |", 1)[1].split("\n\n", 1)[0]


def test_every_format_stands_in_the_table() -> None:
    assert tuple(re.findall(r"^\| `(\w+)` \|", table("name"), re.M)) == REPORTS


def test_the_ids_that_it_names_are_ids() -> None:
    named = set(re.findall(r"`((?:SGL|VLLM)-\d{4}-\d{4})`", README))
    rows = re.findall(r"^\| (`[a-z].*?) \|", table("id"), re.M)
    named |= {name for row in rows for name in re.findall(r"`([a-z][a-z-]+)`", row)}
    assert named <= set(records(Config(str(ROOT))))
    assert len(named) > 10


def test_the_number_of_rules_is_theirs() -> None:
    every = records(Config(str(ROOT))).values()
    counted = sum(kind(one) == "rule" for one in every)
    assert f"[{counted} rules](docs/rules.md)" in README


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "docs/architecture.md"])
def test_what_the_documents_name_is_there(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    files = ("src", "plugins", "tests", "tools", "examples")
    there = [f"/{path.relative_to(ROOT)}" for top in files for path in (ROOT / top).rglob("*")]
    tops = "tests|tools|plugins|src|examples|syntax"
    for path in set(re.findall(rf"`((?:{tops})/[\w./-]+|\w+\.py)`", text)) - {"setup.py"}:
        assert any(one.endswith(f"/{path.rstrip('/')}") for one in there), path
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        assert ((ROOT / name).parent / link).exists(), link


def test_no_machine_of_ours_is_named() -> None:
    for path in ROOT.rglob("*"):
        hidden = any(part.startswith(".venv") or part == ".git" for part in path.parts)
        if path.suffix in {".md", ".py", ".toml", ".sh", ".yaml"} and not hidden:
            text = path.read_text(encoding="utf-8", errors="replace")
            assert "/wo" + "rk/" not in text, path
