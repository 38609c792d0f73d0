"""Texts that would end the process inside the parser are refused before it sees them."""

from __future__ import annotations

import time

import pytest

from servelint.facts import Launch
from servelint.finding import Skip
from servelint.read import read
from servelint.source import Route, Source

NEEDLES = ("tool.launch",)
RUN = 'import subprocess\nsubprocess.run(["python3", "-m", "tool.launch", "--half", "one"])\n'


def found(text: str) -> list:
    source = Source("a.py", text, "python", Route("a.py"), needles=NEEDLES)
    return list(read(source))


def test_a_launch_is_read() -> None:
    (launch,) = found(RUN)
    assert isinstance(launch, Launch)
    assert [word.text for word in launch.argv] == ["python3", "-m", "tool.launch", "--half", "one"]
    spans = [RUN[word.span.start : word.span.end] for word in launch.argv]
    assert [span.strip('"') for span in spans] == [word.text for word in launch.argv]


@pytest.mark.parametrize(
    "line",
    [
        "a = " + "+".join(["1"] * 7500),
        "a = " + "[" * 1500 + "]" * 1500,
        "a = b" + ".c" * 2000,
        "a = b" + ".c()" * 2000,
        "(" * 300 + ")" * 300,
        "a = " + "-" * 5000 + "1",
        "a = " + "not " * 5000 + "1",
        "if a:\n    pass\n" + "elif b:\n    pass\n" * 1500,
    ],
)
def test_what_ends_the_process_is_a_skip(line: str) -> None:
    start = time.perf_counter()
    items = found(f"{RUN}{line}\n")
    assert [item for item in items if isinstance(item, Skip)]
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize(
    "text",
    [
        '"""python3 -m tool.launch --half one"""\n',
        "# python3 -m tool.launch --half one\n",
        'print("python3 -m tool.launch --half one")\n',
        'assert cmd == ["python3", "-m", "tool.launch", "--half", "one"]\n',
        'log.info("run: python3 -m tool.launch --half %s", half)\n',
    ],
)
def test_what_is_only_said_is_no_launch(text: str) -> None:
    assert not [item for item in found(text) if isinstance(item, Launch)]


def test_a_text_that_is_no_python_is_scanned_by_lines_and_said_to_be() -> None:
    text = RUN.replace("])", "]")
    items = found(text)
    (skip,) = [item for item in items if isinstance(item, Skip)]
    assert (skip.reason, "line by line" in skip.detail) == ("syntax", True)
