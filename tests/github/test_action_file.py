"""What action.yml and the example workflows say, without running them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from actions_runner import EXPRESSION, load

ROOT = Path(__file__).parent.parent.parent
ACTION = ROOT / "action.yml"
WORKFLOWS = sorted((ROOT / "examples" / "github-workflow" / ".github" / "workflows").iterdir())
TEXTS = [ACTION, *WORKFLOWS]


def tool(name: str) -> str:
    """The path of a program of the test group."""
    here = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    found = shutil.which(name, path=here)
    if found is None:
        pytest.skip(f"{name} is not installed: pip install {name}")
    return found


def said(*command: object) -> tuple[int, str]:
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False, timeout=120
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_it_is_valid(path):
    schema = "vendor.github-actions" if path == ACTION else "vendor.github-workflows"
    code, out = said(tool("check-jsonschema"), "--builtin-schema", schema, path)
    assert code == 0, out


def test_the_schema_sees_what_is_wrong(tmp_path):
    text = ACTION.read_text(encoding="utf-8")
    (tmp_path / "action.yml").write_text(text.replace("      shell: bash\n", "", 1))
    command = (tool("check-jsonschema"), "--builtin-schema", "vendor.github-actions")
    assert said(*command, tmp_path / "action.yml")[0] == 1


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_an_auditor_has_nothing_to_say(path):
    code, out = said(tool("zizmor"), "--offline", "--no-config", "--persona", "auditor", path)
    assert code == 0, out
    assert "No findings to report" in out


def test_the_auditor_sees_what_is_wrong(tmp_path):
    text = ACTION.read_text(encoding="utf-8")
    wrong = text.replace("      run: |\n", "      run: |\n        echo ${{ inputs.paths }}\n", 1)
    (tmp_path / "action.yml").write_text(wrong)
    code, out = said(tool("zizmor"), "--offline", "--no-config", tmp_path / "action.yml")
    assert code != 0
    assert "template-injection" in out


def steps(path):
    whole = load(path)
    if "runs" in whole:
        return whole["runs"]["steps"]
    return [step for job in whole["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_no_script_holds_an_expression(path):
    for step in steps(path):
        assert not EXPRESSION.search(step.get("run", ""))


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_what_others_wrote_is_pinned_to_a_commit_with_its_version(path):
    used = re.findall(r"^ *(?:- )?uses: (.*)$", path.read_text(encoding="utf-8"), re.M)
    assert used
    for one in used:
        assert re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one)


def test_every_input_is_used_and_has_a_description_and_a_default():
    whole = load(ACTION)
    used = set(re.findall(r"\$\{\{[^}]*\binputs\.([\w-]+)", ACTION.read_text(encoding="utf-8")))
    assert used == set(whole["inputs"])
    for one in whole["inputs"].values():
        assert one["description"]
        assert isinstance(one["default"], str)


def test_every_variable_of_a_step_is_read():
    script = (ROOT / "tools" / "github_action.py").read_text(encoding="utf-8")
    for step in steps(ACTION):
        for name in step.get("env", {}):
            short = name.removeprefix("SERVELINT_").lower().replace("_", "-")
            assert name in script or f'"{short}"' in script or f"${name}" in step["run"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_gives_inputs_and_reads_outputs_that_there_are(path):
    whole = load(ACTION)
    (used,) = [step for step in steps(path) if "/servelint@" in step.get("uses", "")]
    assert set(used.get("with", {})) <= set(whole["inputs"])
    read = re.findall(r"steps\.servelint\.outputs\.([\w-]+)", path.read_text(encoding="utf-8"))
    assert set(read) <= set(whole["outputs"])


def test_a_workflow_may_do_what_it_needs_and_no_more():
    may = {path.name: job["permissions"] for path in WORKFLOWS for job in jobs(path)}
    assert may == {
        "servelint.yml": {"contents": "read"},
        "servelint-code-scanning.yml": {
            "actions": "read",
            "contents": "read",
            "security-events": "write",
        },
    }


def jobs(path):
    whole = load(path)
    assert whole["permissions"] == {}
    return whole["jobs"].values()
