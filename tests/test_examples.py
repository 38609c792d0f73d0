"""The examples say what the README says of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from servelint.config import Config
from servelint.pipeline import run

EXAMPLES = Path(__file__).parent.parent / "examples"
FINDINGS = {
    "kubernetes-pd": [("SGL-2026-0001", "affected", "critical")] * 2,
    "lockfile-and-script": [("SGL-2026-0001", "affected", "critical")],
    "single-node": [],
    "model-named-tag": [("unknown-version", "under_investigation", "medium")] * 2,
    "healthy-pd": [],
}


def test_every_example_is_tested() -> None:
    assert {path.name for path in EXAMPLES.iterdir() if path.is_dir()} == set(FINDINGS)


@pytest.mark.parametrize("name", FINDINGS)
def test_example(name: str) -> None:
    report = run(Config(str(EXAMPLES / name)))
    found = [(each.id, each.status, each.severity) for each in report.findings]
    assert found == FINDINGS[name]
    assert not report.skips


def test_the_lockfile_and_the_script_are_one_finding() -> None:
    (finding,) = run(Config(str(EXAMPLES / "lockfile-and-script"))).findings
    assert finding.primary.span.path == "uv.lock"
    assert {place.span.path for place in finding.related} == {"serve.sh"}
    assert {component.role for component in finding.components} == {"prefill", "decode"}


def test_a_single_node_is_counted_as_not_affected() -> None:
    report = run(Config(str(EXAMPLES / "single-node")))
    assert report.counts["not_affected"] == 1


def test_a_healthy_pair_is_counted_as_fixed() -> None:
    report = run(Config(str(EXAMPLES / "healthy-pd")))
    assert report.counts["fixed"] == 2
    assert len(report.deployments) == 1
