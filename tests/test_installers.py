"""Commands that deploy a unit and name no product; files of units that cannot be read."""

from __future__ import annotations

import pytest
from trees import fill

import servelint_builtins
from servelint.discover import discover
from servelint.gather import gather
from servelint.installers import _about_charts
from servelint.link import components
from servelint.plugins import load

LAUNCH = "python3 -m sglang.launch_server --disaggregation-mode decode"
CHART = {
    "c/Chart.yaml": "apiVersion: v2\nname: c\nversion: 1.0.0\n",
    "c/values.yaml": "tag: v0.5.22\n",
    "c/templates/pod.yaml": (
        "kind: Pod\nspec:\n  containers:\n    - image: lmsysorg/sglang:{{ .Values.tag }}\n"
        f"      args: [{', '.join(LAUNCH.split())}]\n"
    ),
}
WORKFLOW = "on: push\njobs:\n  a:\n    steps:\n      - run: {0}\n"
SET = "helm upgrade --install x ./c --set tag=v0.5.19"


def gathered(root, files):
    fill(root, files)
    return gather(str(root), discover(str(root), (), servelint_builtins.NEEDLES))


def versions(root, files):
    """The versions that run, by variant."""
    found = components(gathered(root, files).facts, load().engines)
    return {one.variant: one.resolution.candidates[0].version for one in found}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("deploy.sh", f"{SET}\n"),
        ("Makefile", f"up:\n\t{SET}\n"),
        (".github/workflows/deploy.yml", WORKFLOW.format(SET)),
    ],
)
def test_a_command_in_any_file_may_install_a_chart(tmp_path, path, text):
    assert versions(tmp_path, CHART | {path: text}) == {"": "0.5.22", path: "0.5.19"}


def test_prose_installs_nothing(tmp_path):
    assert versions(tmp_path, CHART | {"README.md": f"Run `{SET}`.\n"}) == {"": "0.5.22"}


def test_a_command_in_any_file_may_name_the_files_of_a_project(tmp_path):
    files = {
        "compose.yaml": "# sglang\nservices: {}\n",
        "base.yml": f"services: {{a: {{image: 'lmsysorg/sglang:v0.5.22', command: {LAUNCH}}}}}\n",
        "over.yml": "services: {a: {image: 'lmsysorg/sglang:v0.5.19'}}\n",
        "run.sh": "docker compose -f base.yml -f over.yml up\n",
    }
    assert versions(tmp_path, files) == {"over.yml": "0.5.19"}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"# caf\xe9\ntag: v0.5.19\n", "encoding"),
        ("tag: v0.5.19\n".encode("utf-16"), "binary"),
        (b"a: b\n" * 1_100_000, "too-large"),
    ],
)
def test_a_file_of_a_unit_that_cannot_be_read_is_told(tmp_path, content, reason):
    skips = gathered(tmp_path, CHART | {"c/values-prod.yaml": content}).skips
    assert [(one.path, one.reason) for one in skips] == [("c/values-prod.yaml", reason)]


def test_a_command_about_other_charts_is_not_read(tmp_path):
    files = CHART | {
        "mine.sh": f"{SET}\n",
        "c/up.sh": "helm upgrade --install x . --set tag=v0.5.19\n",
        "other.sh": "helm install y ./another\n",
        "plain.sh": "ls c/\n",
    }
    fill(tmp_path, files)
    assert set(_about_charts(str(tmp_path), ["c/"])) == {"mine.sh", "c/up.sh"}
    assert set(_about_charts(str(tmp_path), ["c/", ""])) == {"mine.sh", "c/up.sh", "other.sh"}
    assert not list(_about_charts(str(tmp_path), []))
