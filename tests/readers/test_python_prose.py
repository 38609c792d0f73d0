"""Texts that leave a script: commands for a shell are read, prose that names one is not."""

from __future__ import annotations

import pytest

from servelint.facts import Launch
from servelint.read import read
from servelint.source import Route, Source

COMMAND = "python3 -m tool.launch --half one"


def launches(before: str) -> list[Launch]:
    text = f"def f():\n    return {before + COMMAND!r}\n"
    source = Source("a.py", text, "python", Route("a.py"), needles=("tool.launch",))
    found = [item for item in read(source) if isinstance(item, Launch)]
    return [one for one in found if "tool.launch" in [word.text for word in one.argv]]


@pytest.mark.parametrize(
    "before",
    [
        "",
        "set -x\n",
        "export GPU=$(echo $GPUS | cut -d',' -f1)\n",
        "systemctl restart docker\n",
        "echo starting the server\n",
        "git commit -m 'start of the server'\n",
        "kind: Pod\nargs:\n  - |\n    exec ",
    ],
)
def test_a_command_is_read_whatever_runs_before_it(before: str) -> None:
    (launch,) = launches(before)
    assert launch.argv[-1].text == "one"


@pytest.mark.parametrize(
    "before", ["To start the server, run:\n", "Usage:\n", "This is a test. You can run\n"]
)
def test_prose_that_names_a_command_is_no_launch(before: str) -> None:
    assert not launches(before)
