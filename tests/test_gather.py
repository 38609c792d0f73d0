"""Which files a run reaches, beyond those that hold a word of a product."""

from __future__ import annotations

import pytest
from trees import fill

from servelint.config import Config
from servelint.pipeline import facts, run

RUN = "python3 -m sglang.launch_server --disaggregation-mode decode\n"


def versions(root):
    """What the requirements say that a run finds, one line each."""
    import json

    rows = (json.loads(line) for line in facts(Config(str(root))).splitlines())
    return sorted(row["version"] for row in rows if row["fact"] == "requirement")


@pytest.mark.parametrize("place", ["scripts/pins.txt", "pins.txt"])
def test_a_list_that_a_script_installs_is_found_where_the_script_may_be_started(tmp_path, place):
    fill(tmp_path, {"scripts/run.sh": f"pip install -r pins.txt\n{RUN}", place: "sglang==0.5.9\n"})
    assert versions(tmp_path) == ["0.5.9", "0.5.9"]  # what the list says, and what the script does
    assert not run(Config(str(tmp_path))).skips


def test_a_list_that_a_script_names_and_nobody_has_is_not_asked_for(tmp_path):
    fill(tmp_path, {"scripts/run.sh": f"pip install -r made/elsewhere.txt\n{RUN}"})
    assert not run(Config(str(tmp_path))).skips


def test_a_list_that_a_list_names_must_be_there(tmp_path):
    fill(tmp_path, {"requirements.txt": "-r more.txt\nsglang==0.5.9\n"})
    (skip,) = run(Config(str(tmp_path))).skips
    assert (skip.path, skip.reason) == ("more.txt", "unreadable")
