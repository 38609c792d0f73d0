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
    "helm-chart": [("SGL-2026-0001", "affected", "critical")],
    "kustomize-overlay": [("SGL-2026-0002", "affected", "high")],
    "launcher-recipe": [("SGL-2026-0002", "affected", "high")],
    "healthy-pd": [],
    "healthy-chart": [],
    "github-workflow": [],  # nothing is deployed; how it runs: tests/github
    "third-party-plugin": [],  # without the plugin; with it: test_third_party_plugin.py
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


PRIMARY = {
    "helm-chart": ("values-prod.yaml", "v0.5.19-cu130"),
    "kustomize-overlay": ("overlays/us/kustomization.yaml", "v0.5.20-cu130"),
    "launcher-recipe": ("recipe.yaml", "lmsysorg/sglang:v0.5.21-cu130"),
}
"""The file and the text that a user would change."""


@pytest.mark.parametrize("name", PRIMARY)
def test_the_finding_points_to_what_a_user_would_change(name: str) -> None:
    (finding,) = run(Config(str(EXAMPLES / name))).findings
    span = finding.primary.span
    text = (EXAMPLES / name / span.path).read_text(encoding="utf-8")
    assert (span.path, text[span.start : span.end]) == PRIMARY[name]


@pytest.mark.parametrize("name", ["helm-chart", "kustomize-overlay"])
def test_the_other_environment_is_counted_as_fixed(name: str) -> None:
    counts = run(Config(str(EXAMPLES / name))).counts
    assert (counts["affected"], counts["fixed"]) == (2, 2)


def test_a_healthy_chart_is_fixed_with_each_file_of_values() -> None:
    assert run(Config(str(EXAMPLES / "healthy-chart"))).counts["fixed"] == 4
