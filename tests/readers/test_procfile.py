"""The Procfile reader."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import commands_of, facts_of, launches_of, never_fails, quoted

from servelint.readers import claim, procfile
from servelint.source import Route, Source


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("Procfile", "procfile"),
        ("a/Procfile.dev", "procfile"),
        ("Procfile-gpu", "procfile"),
        ("Procfile.md", "markdown"),
        ("Procfile.py", "python"),
        ("Procfiles", "shebang"),
    ],
)
def test_claims(path, language):
    assert claim(path) == language


def test_each_process_is_a_shell_text_of_its_own():
    text = "# é web: no\nweb: A=1 srv --x $PORT\r\n\nworker-1:\tbash -c 'one && two'  # c\n"
    source = Source("Procfile", text, "procfile", Route("Procfile"))
    children = list(procfile.read(source))
    assert [child.owner.steps for child in children] == [("web",), ("worker-1",)]
    assert children[0].text == "A=1 srv --x $PORT"
    assert commands_of("procfile", text) == [["srv", "--x", "<PORT>"], ["one"], ["two"]]
    first = launches_of("procfile", text)[0]
    assert quoted(text, first.span) == "srv --x $PORT"
    assert [env.name for env in first.env] == ["A"]


def test_what_is_no_process_is_nothing():
    assert commands_of("procfile", "web:\n: srv\n web: srv\nsrv\nhttp://x\nweb: \t\n") == [
        ["//x"],
    ]


def test_too_many_processes_are_a_skip():
    *found, skip = facts_of("procfile", "a: srv\n" * (procfile.MAX_PROCESSES + 1))
    assert len(found) == procfile.MAX_PROCESSES
    assert (skip.reason, skip.detail) == ("too-slow", "only the first 2,000 processes were read")


@given(st.text("ab:- \t\r\n#'\"$é|", max_size=40))
def test_no_text_fails(text):
    never_fails("procfile", text)
