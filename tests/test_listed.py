"""What commands install from files of requirements: which file, and what that may change."""

import json
import time

import pytest
from trees import fill

from servelint.config import Config
from servelint.facts import Uses
from servelint.listed import lists_of
from servelint.pipeline import run
from servelint.source import Route, Span

IMAGE = "lmsysorg/sglang:v0.5.22"
ROLE = "--disaggregation-mode decode"
WORDS = ["python3", "-m", "sglang.launch_server", *ROLE.split()]
START = f"CMD {json.dumps(WORDS)}"
BUILD = f"FROM {IMAGE}\nCOPY . /app\nRUN cd /app && pip install -r /app/requirements.txt\n{START}\n"


def status(root, files):
    """The status of the only server, and the versions that it may run."""
    fill(root, files)
    report = run(Config(str(root)))
    ((component,),) = (deployment.components for deployment in report.deployments)
    told = [getattr(one, "version", "") for one in component.resolution.candidates]
    findings = {finding.status for finding in report.findings}
    return findings, told


@pytest.mark.parametrize("place", ["requirements.txt", "build/requirements.txt"])
def test_what_a_build_installs_from_a_file_may_replace_what_its_image_holds(tmp_path, place):
    files = {"build/Dockerfile": BUILD, place: "sglang==0.5.19\n"}
    assert status(tmp_path, files) == ({"under_investigation"}, ["0.5.19", "0.5.22"])


@pytest.mark.parametrize("line", ["sglang==0.5.22", "sglang>=0.5.10", "sglang", "other==1"])
def test_what_is_there_already_stays(tmp_path, line):
    files = {"Dockerfile": BUILD, "requirements.txt": f"{line}\n# sglang\n"}
    assert status(tmp_path, files) == (set(), ["0.5.22"])


def test_a_file_of_another_directory_is_another_one(tmp_path):
    files = {"build/Dockerfile": BUILD, "other/requirements.txt": "sglang==0.5.19\n"}
    assert status(tmp_path, files) == (set(), ["0.5.22"])


def test_what_a_file_takes_from_another_one_is_installed_too(tmp_path):
    files = {
        "Dockerfile": BUILD,
        "requirements.txt": "-r requirements-serve.txt\n# sglang\n",
        "requirements-serve.txt": "sglang==0.5.19\n",
    }
    assert status(tmp_path, files) == ({"under_investigation"}, ["0.5.19", "0.5.22"])


def test_files_that_take_each_other_end(tmp_path):
    files = {
        "Dockerfile": BUILD,
        "requirements.txt": "-r requirements-b.txt\nsglang==0.5.19\n",
        "requirements-b.txt": "-r requirements.txt\n-r requirements-b.txt\nsglang==0.5.19\n",
    }
    assert status(tmp_path, files) == ({"under_investigation"}, ["0.5.19", "0.5.22"])


def test_what_a_service_builds_holds_what_its_build_installs(tmp_path):
    service = f"python3 -m sglang.launch_server {ROLE}"
    files = {
        "compose.yaml": f"services:\n  d:\n    build: .\n    command: {service}\n",
        "Dockerfile": BUILD.replace(START, ""),
        "requirements.txt": "sglang==0.5.19\n",
    }
    assert status(tmp_path, files) == ({"under_investigation"}, ["0.5.19", "0.5.22"])


def test_a_script_that_installs_a_release_and_then_a_file_may_run_either(tmp_path):
    launch = f"python3 -m sglang.launch_server {ROLE}"
    script = f"set -e\npip install sglang==0.5.22\npip install -r pins.txt\n{launch}\n"
    files = {"run.sh": script, "pins.txt": "sglang==0.5.19\n"}
    found, told = status(tmp_path, files)
    assert (found, sorted(told)) == ({"under_investigation"}, ["0.5.19", "0.5.22"])


def test_files_that_all_take_each_other_are_no_work():
    names = [f"r{number}.txt" for number in range(300)]
    facts = [
        Uses(span=Span(one, 0, 1), owner=Route(one), target=other, how="requirements")
        for one in names
        for other in names
    ]
    start = time.process_time()
    assert lists_of(facts) == {}
    assert time.process_time() - start < 1
