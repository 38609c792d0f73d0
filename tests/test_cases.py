"""Every folder below ``cases`` is a test: ``tree/`` and what a user would read of it.

``expected.txt`` holds one line a finding, one of what is suppressed and one a skip, sorted. With
``CASES=update`` in the environment it is written anew, to be reviewed as a diff.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from servelint.config import Config, read_config
from servelint.pipeline import run
from servelint.reporters.lines import Files, fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.finding import Finding, Report, Skip
    from servelint.policy import Suppressed

CASES = Path(__file__).parent / "cases"
TODAY = "2026-11-30"
FOLDERS = sorted(path.parent for path in CASES.glob("*/*/tree"))


def lines(report: Report) -> str:
    files = Files(report.texts)
    found = [finding_line(finding, files) for finding in report.findings]
    left = [skip_line(skip, files) for skip in report.skips]
    hidden = [suppressed_line(each, files) for each in report.suppressed]
    counts = ("affected", "unknown", "not_affected", "fixed")
    last = ", ".join(f"{report.counts[name]} {name}" for name in counts)
    return "".join(f"{line}\n" for line in (*sorted(found), *sorted(hidden), *sorted(left), last))


def finding_line(finding: Finding, files: Files) -> str:
    at = files.position(finding.primary.span.path, finding.primary.span.start)
    others = "".join(
        f" [{place.label} {place.span.path}:{where.line}:{where.column}]"
        for place in sorted(finding.related, key=lambda place: (place.label, place.span))
        if (where := files.position(place.span.path, place.span.start))
    )
    return (
        f"{finding.primary.span.path}:{at.line}:{at.column}: {finding.severity} {finding.id} "
        f"{finding.status} ({finding.confidence}): {fold(finding.message)}{others}"
    )


def suppressed_line(each: Suppressed, files: Files) -> str:
    found, by = each.finding, each.by.span
    at, written = (files.position(one.path, one.start) for one in (found.primary.span, by))
    return (
        f"{found.primary.span.path}:{at.line}:{at.column}: suppressed ({', '.join(found.causes)}) "
        f"by {by.path}:{written.line}:{written.column}: {fold(each.by.reason)}"
    )


def skip_line(skip: Skip, files: Files) -> str:
    return f"{skip.path}:{files.first_line(skip.span)}: {skip.stage} {skip.reason}: {skip.detail}"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_case(folder: Path) -> None:
    config = read_config(Config(str(folder / "tree"), today=TODAY))
    actual = lines(run(config))
    expected = folder / "expected.txt"
    if os.environ.get("CASES") == "update":
        expected.write_text(actual, encoding="utf-8")
    assert actual == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_naming_the_files_one_by_one_loses_no_finding(folder: Path) -> None:
    root = folder / "tree"
    whole = run(read_config(Config(str(root), today=TODAY)))
    names = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    parts = [run(read_config(Config(str(root), (name,), today=TODAY))) for name in names]
    found = {finding.fingerprint for part in parts for finding in part.findings}
    assert found == {finding.fingerprint for finding in whole.findings}
    hidden = {each.finding.fingerprint for part in parts for each in part.suppressed}
    assert hidden == {each.finding.fingerprint for each in whole.suppressed}
    skips = {(skip.path, skip.reason) for part in parts for skip in part.skips}
    assert skips == {(skip.path, skip.reason) for skip in whole.skips}


def test_every_advisory_and_rule_has_a_firing_and_a_silent_case() -> None:
    from servelint.plugins import load
    from servelint.remarks import REMARKS
    from servelint.report import UNKNOWN_ID

    ids = [advisory.id for advisory in load().advisories] + [UNKNOWN_ID]
    ids += [remark.id for remark in REMARKS]
    for name in ids:
        texts = [path.read_text(encoding="utf-8") for path in CASES.glob(f"{name}/*/expected.txt")]
        firing = [text for text in texts if f" {name} " in text]
        assert firing, f"{name} has no case in which it fires"
        assert len(firing) < len(texts), f"{name} has no case in which it stays silent"
