"""The steps of the action, run as the runner runs them."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path

import pytest
from actions_runner import Runner, load
from workflow_commands import annotations, commands

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "examples"
RECORDED = Path(__file__).parent / "annotations"
NAMES = sorted(path.name for path in EXAMPLES.iterdir() if path.is_dir())

OLD = "lmsysorg/sglang:v0.5.19-cu130"
UPLOAD = "step 2"


def pod(image: str = OLD, role: str = "decode", name: str = "half") -> str:
    command = f"exec python3 -m sglang.launch_server --model-path m --disaggregation-mode {role}"
    return (
        f"kind: Pod\nmetadata: {{name: {name}}}\nspec:\n  containers:\n    - name: engine\n"
        f"      image: {json.dumps(image)}\n      command: [bash, -c, {json.dumps(command)}]\n"
    )


@pytest.fixture(name="workspace")
def make_workspace(tmp_path):
    """A checkout with two halves of a pair on an old release."""
    where = tmp_path / "work space"
    shutil.copytree(EXAMPLES / "kubernetes-pd", where)
    return where


# -- what comes out -----------------------------------------------------------


def test_a_pair_on_an_old_release_fails_with_two_annotations(act, workspace):
    job = act(workspace)
    assert job.steps["check"].code == 1
    assert job.outputs["findings"] == "2"
    found = annotations(job.printed)
    assert [(one.name, *one.place) for one in found] == [
        ("error", "decode.yaml", "15", "15", "18", "47"),
        ("error", "prefill.yaml", "15", "15", "18", "47"),
    ]
    assert all(one.properties["title"] == "servelint (SGL-2026-0001)" for one in found)
    assert commands(job.printed) == found


def test_the_log_has_the_text_and_the_summary_the_servers(act, workspace):
    job = act(workspace)
    assert "decode.yaml:15:18: critical SGL-2026-0001 affected" in job.printed
    assert "### servelint" in job.summary
    assert "#### Servers" in job.summary
    assert "SGL-2026-0001" in job.summary


def test_the_sarif_file_lies_outside_the_checkout_and_holds_the_findings(act, workspace):
    job = act(workspace)
    file = Path(job.outputs["sarif-file"])
    assert workspace not in file.parents
    (run,) = json.loads(file.read_text(encoding="utf-8"))["runs"]
    assert [one["ruleId"] for one in run["results"]] == ["SGL-2026-0001"] * 2


def test_the_checkout_stays_as_it_is(act, workspace):
    def tree():
        return {path: path.stat().st_mtime_ns for path in workspace.rglob("*")}

    before = tree()
    act(workspace)
    assert tree() == before


def test_no_variable_and_no_path_is_set_for_later_steps(act, workspace, installing):
    assert act(workspace).steps["check"].environment == ""
    assert installing.steps["install"].environment == ""


def test_a_healthy_pair_passes_without_a_word_on_its_lines(act, tmp_path):
    shutil.copytree(EXAMPLES / "healthy-pd", tmp_path / "healthy")
    job = act(tmp_path / "healthy")
    assert not job.failed
    assert job.outputs["findings"] == "0"
    assert commands(job.printed) == []
    assert "#### Servers" in job.summary


def test_two_uses_in_one_job_do_not_share_files(act, workspace):
    first, second = act(workspace), act(workspace)
    assert first.outputs["sarif-file"] != second.outputs["sarif-file"]


@pytest.mark.parametrize("name", NAMES)
def test_the_annotations_of_an_example_are_those_recorded(name, act, tmp_path):
    shutil.copytree(EXAMPLES / name, tmp_path / name)
    job = act(tmp_path / name)
    recorded = RECORDED / f"{name}.txt"
    printed = "".join(line + "\n" for line in job.printed.split("\n") if line.startswith("::"))
    if os.environ.get("CASES") == "update":
        recorded.unlink(missing_ok=True)
        if printed:
            recorded.write_text(printed, encoding="utf-8")
    assert printed == (recorded.read_text(encoding="utf-8") if recorded.exists() else "")


def test_only_examples_with_annotations_have_a_record():
    assert {path.stem for path in RECORDED.iterdir()} < set(NAMES)
    assert all(path.stat().st_size for path in RECORDED.iterdir())


def test_the_example_workflows_do_what_they_say(act, workspace):
    used = {
        path.name: step.get("with", {})
        for path in (EXAMPLES / "github-workflow" / ".github" / "workflows").iterdir()
        for job in load(path)["jobs"].values()
        for step in job["steps"]
        if "/servelint@" in step.get("uses", "")
    }
    lint = act(workspace, used["servelint.yml"])
    assert lint.failed
    assert lint.steps[UPLOAD].outcome == "skipped"
    scan = act(workspace, used["servelint-code-scanning.yml"])
    assert not scan.failed
    assert scan.steps[UPLOAD].inputs["sarif_file"] == scan.outputs["sarif-file"]


# -- what goes in -------------------------------------------------------------


def test_nothing_is_uploaded_unless_asked_for(act, workspace):
    assert act(workspace).steps[UPLOAD].outcome == "skipped"


def test_what_was_found_is_uploaded_although_the_check_failed(act, workspace):
    job = act(workspace, {"upload-sarif": "true", "category": "staging"})
    assert job.steps["check"].outcome == "failure"
    upload = job.steps[UPLOAD]
    assert upload.uses.startswith("github/codeql-action/upload-sarif@")
    assert upload.inputs == {"sarif_file": job.outputs["sarif-file"], "category": "staging"}


@pytest.mark.parametrize("name", ["annotations", "summary"])
def test_what_is_switched_off_is_not_written(name, act, workspace):
    job = act(workspace, {name: "false"})
    assert job.steps["check"].code == 1
    assert bool(commands(job.printed)) is (name != "annotations")
    assert bool(job.summary) is (name != "summary")


def test_findings_below_the_threshold_do_not_fail(act, workspace):
    job = act(workspace, {"fail-on": "never"})
    assert not job.failed
    assert job.outputs["findings"] == "2"


def test_only_what_is_named_is_reported(act, workspace):
    job = act(workspace, {"paths": "\n  decode.yaml  \n\n"})
    assert [one.place[0] for one in annotations(job.printed)] == ["decode.yaml"]


def test_arguments_are_lines(act, workspace):
    job = act(workspace, {"args": "--ignore\nSGL-2026-0001\n--fail-on=never\n--strict"})
    assert "SGL-2026-0001 affected" not in job.printed
    assert job.steps["check"].code == 0


def test_a_configuration_is_read_and_its_plugin_is_there(act, tmp_path):
    fleet = tmp_path / "fleet"
    shutil.copytree(EXAMPLES / "third-party-plugin" / "fleet", fleet)
    (fleet / "servelint.toml").rename(fleet / "our = config.toml")
    without = act(fleet)
    assert without.outputs["findings"] == "0"
    job = act(fleet, {"config": "our = config.toml"})
    assert int(job.outputs["findings"]) > 0


HARM = "$(touch a)`touch b`; touch c' || touch d #\"; touch e #\\"


@pytest.mark.parametrize(
    "name", ["paths", "config", "fail-on", "annotations", "summary", "upload-sarif", "args"]
)
def test_an_input_is_never_run(name, act, workspace):
    job = act(workspace, {name: HARM})
    assert job.steps["check"].code == 2, job.printed
    assert job.outputs == {"findings": "", "sarif-file": ""}
    assert sorted(os.listdir(workspace)) == ["decode.yaml", "prefill.yaml"]


def test_a_path_is_never_an_option(act, workspace):
    (workspace / "--all").mkdir()
    (workspace / "--all" / "pod.yaml").write_text(pod())
    job = act(workspace, {"paths": "--all"})
    assert [one.place[0] for one in annotations(job.printed)] == ["--all/pod.yaml"]


# -- what cannot be done ------------------------------------------------------


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"annotations": "yes"}, "The input annotations is true or false, not 'yes'."),
        ({"summary": ""}, "The input summary is true or false, not ''."),
        ({"upload-sarif": "True"}, "The input upload-sarif is true or false, not 'True'."),
        ({"fail-on": "worst"}, "invalid choice: 'worst'"),
        ({"paths": "absent.yaml"}, "absent.yaml: no such file or directory"),
        ({"paths": "a%0A::error::b"}, "a%0A::error::b: no such file or directory"),
        ({"config": "absent.toml"}, "absent.toml: no such configuration file"),
        ({"args": "--no-such-option"}, "--no-such-option"),
        ({"args": "--format\njson"}, "--format"),
        ({"args": "--help"}, "The arguments ask for no check."),
    ],
)
def test_a_wrong_input_fails_and_says_why(inputs, message, act, workspace):
    job = act(workspace, {"upload-sarif": "true", **inputs})
    assert job.steps["check"].code == 2
    (said,) = commands(job.printed)
    assert (said.name, said.properties) == ("error", {"title": "servelint"})
    assert message in said.data
    assert "\n" not in said.data
    assert job.outputs == {"findings": "", "sarif-file": ""}
    assert job.steps[UPLOAD].outcome == "skipped"


def test_an_error_that_quotes_the_configuration_gives_no_commands(act, workspace):
    key = "##[add-mask]a\\n::add-mask::b"
    (workspace / "servelint.toml").write_text(f'"{key}" = 1\n')
    job = act(workspace)
    assert job.steps["check"].code == 2
    assert [one.name for one in commands(job.printed)] == ["error"]


def fake(directory: Path, name: str, script: str) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    (directory / name).write_text(f"#!/bin/sh\n{script}\n")
    (directory / name).chmod(0o755)


OLD_PYTHON = 'case "$*" in *ensurepip*) exit 1;; esac; echo "old: $*"'
GOOD_PYTHON = 'case "$*" in *ensurepip*) exit 0;; esac; echo "good: $*"'


def install_with(pythons: dict[str, str], action, tmp_path):
    """The install step where only these programs are: path below ``tmp_path``, script."""
    for path, script in pythons.items():
        fake((tmp_path / path).parent, Path(path).name, script)
    workspace = tmp_path / "empty"
    workspace.mkdir()
    environment = {"PATH": str(tmp_path / "bin"), "RUNNER_TOOL_CACHE": str(tmp_path / "tool cache")}
    return Runner(action, workspace, tmp_path / "temp", environment).run().steps["install"]


def test_without_a_python_it_fails_and_says_what_to_do(action, tmp_path):
    step = install_with({"bin/python3": OLD_PYTHON}, action, tmp_path)
    assert step.code == 2
    (said,) = commands(step.printed)
    assert said.name == "error"
    assert "Python 3.11" in said.data
    assert "actions/setup-python" in said.data


@pytest.mark.parametrize("place", ["bin/python", "tool cache/Python/3.12.1/x64/bin/python3"])
def test_the_first_python_that_will_do_is_taken(place, action, tmp_path):
    pythons = {"bin/python3": OLD_PYTHON, place: GOOD_PYTHON}
    step = install_with(pythons, action, tmp_path)
    script = action / "tools" / "github_action.py"
    assert step.printed == f"good: -I -X utf8 {script} install\n"


def test_what_cannot_be_installed_fails_and_says_so(action, tmp_path):
    environment = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path)}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    job = Runner(action, tmp_path, tmp_path / "temp", environment).run()
    assert job.steps["install"].code == 2
    assert [one.name for one in commands(job.printed)] == ["error"]
    assert job.steps["check"].outcome == "skipped"
    assert job.outputs == {"findings": "", "sarif-file": ""}


# -- what is scanned ----------------------------------------------------------


def test_no_module_of_the_checkout_is_imported(act, installing, sabotaged):
    where, mark = sabotaged
    assert installing.steps["install"].code == 0
    job = act(where, PYTHONPATH=str(where), SABOTAGED=str(mark))
    assert job.steps["check"].code == 0, job.printed
    assert not mark.exists()


NAMES_OF_FILES = (
    "::error::x.yaml",
    "a%0A::add-mask::x.yaml",
    "a,line=1,title=x.yaml",
    "a\n::add-mask::x.yaml",
    "a\r::add-mask::x.yaml",
    "##[add-mask]x.yaml",
    " ::stop-commands::x.yaml",
    "a|b`c<img src=x>.yaml",
)


@pytest.mark.skipif(sys.platform == "win32", reason="such names cannot be there")
@pytest.mark.parametrize("shown", ["true", "false"])
def test_a_name_of_a_file_is_a_name(shown, act, tmp_path):
    where = tmp_path / "hostile"
    where.mkdir()
    for name in NAMES_OF_FILES:
        (where / name).write_text(pod())
    job = act(where, {"annotations": shown})
    assert job.outputs["findings"] == "8"
    found = commands(job.printed)
    assert [one.name for one in found] == (["error"] * 8 if shown == "true" else [])
    places = {one.place[:2] for one in found}
    assert places >= {(n, "6") for n in NAMES_OF_FILES if n.isprintable() and shown == "true"}
    assert not re.search(r"(?<!\\)<img", job.summary)
    assert "\n::add-mask" not in job.summary


TEXTS = (
    "##[add-mask]x",
    "\n::add-mask::x",
    "\r::stop-commands::x",
    "%0A::add-mask::x",
    "\u2028::add-mask::x",
    "\x85::add-mask::x",
)


@pytest.mark.parametrize("shown", ["true", "false"])
def test_a_text_of_a_file_is_a_text(shown, act, tmp_path):
    where = tmp_path / "hostile"
    for number, text in enumerate(TEXTS):
        below = where / str(number)
        below.mkdir(parents=True)
        (below / "a.yaml").write_text(pod(name=json.dumps(text)))
        (below / "b.yaml").write_text(pod(f"registry.example/{text}:latest", "prefill"))
        launch = f"python3 -m sglang.launch_server --model-path '{text}' \\\n"
        (below / "c.sh").write_text(f"{text}\n{launch}  --disaggregation-mode decode # {text}\n")
    job = act(where, {"annotations": shown})
    assert int(job.outputs["findings"]) >= len(TEXTS)
    found = commands(job.printed)
    assert {one.name for one in found} <= {"error", "warning", "notice"}
    assert all(one.properties["title"].startswith("servelint") for one in found)
    assert bool(found) is (shown == "true")


def test_of_more_than_ten_of_a_kind_the_first_says_so(act, tmp_path):
    where = tmp_path / "many"
    for number in range(14):
        (where / f"n{number}").mkdir(parents=True)
        (where / f"n{number}" / "pod.yaml").write_text(pod(name=f"n{number}"))
    job = act(where)
    assert job.outputs["findings"] == "14"
    found = annotations(job.printed)
    assert len(found) == 10
    assert "14" in found[0].data
    assert found[0].place == ("", "", "", "", "")
    assert all(one.place[0] for one in found[1:])
    assert commands(job.printed) == found


def test_paths_of_a_checkout_without_git_count_from_the_workspace(act, tmp_path):
    where = tmp_path / "w"
    for name in ("a", "b"):
        (where / name).mkdir(parents=True)
        (where / name / "pod.yaml").write_text(pod(name=name))
    job = act(where, {"paths": "b\na"})
    assert [one.place[0] for one in annotations(job.printed)] == ["a/pod.yaml", "b/pod.yaml"]


def test_paths_of_a_checkout_in_a_directory_count_from_its_top(act, tmp_path):
    repository = tmp_path / "w" / "sub"
    (repository / ".git").mkdir(parents=True)
    (repository / "deploy").mkdir()
    (repository / "deploy" / "pod.yaml").write_text(pod())
    job = act(tmp_path / "w", {"paths": "sub/deploy"})
    found = [one for one in annotations(job.printed) if one.name == "error"]
    assert [one.place[0] for one in found] == ["deploy/pod.yaml"]
