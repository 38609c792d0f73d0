"""The action as a workflow has it: installed once, from a copy of the project."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))

from actions_runner import Runner
from trees import ROOT, copy_project

SABOTAGE = "import os, pathlib\npathlib.Path(os.environ['SABOTAGED']).touch()\n"
MODULES = (
    *("venv.py", "ensurepip.py", "pip.py", "json.py", "io.py", "tempfile.py", "subprocess.py"),
    *("servelint.py", "servelint_builtins.py", "sitecustomize.py", "usercustomize.py", "types.py"),
    *("hatchling.py", "packaging.py", "libcst.py", "tools/github_action.py"),
)


@pytest.fixture(scope="session", name="action")
def make_action(tmp_path_factory):
    """The project as it stands in the work tree, below a path that wants quotes."""
    where = tmp_path_factory.mktemp("actions") / "ow ner" / "$servelint"
    copy_project(where, "action.yml", "tools")
    return where


@pytest.fixture(scope="session", name="sabotaged")
def make_sabotaged(tmp_path_factory):
    """A checkout that holds modules by the names of what Python imports, and what they leave."""
    where = tmp_path_factory.mktemp("sabotaged")
    for name in MODULES:
        (where / name).parent.mkdir(exist_ok=True)
        (where / name).write_text(SABOTAGE)
    return where, where.parent / f"{where.name}-was-run"


@pytest.fixture(scope="session", name="installing")
def make_installing(action, sabotaged, tmp_path_factory):
    """The job that really installs, in a checkout that means harm, with a plugin of a stranger."""
    where, mark = sabotaged
    environment = {"PYTHONPATH": str(where), "SABOTAGED": str(mark)}
    runner = Runner(action, where, tmp_path_factory.mktemp("ru nner"), environment)
    job = runner.run({"plugins": f"\n{ROOT / 'examples' / 'third-party-plugin'}\n"})
    assert job.steps["install"].code == 0, job.printed
    return job


@pytest.fixture(name="act")
def make_act(action, installing, tmp_path):
    """Run the action on a directory, with what is installed already."""

    def act(workspace: Path, inputs=None, **environment):
        temp = tmp_path / "runner temp"
        temp.mkdir(exist_ok=True)
        done = {"install": installing.steps["install"].outputs}
        return Runner(action, workspace, temp, environment).run(inputs, done)

    return act
