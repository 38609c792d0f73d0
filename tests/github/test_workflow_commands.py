"""The parser of commands by lines whose meaning is known, and what the action prints by it."""

from __future__ import annotations

import contextlib
import importlib.util
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from workflow_commands import Command, annotations, commands


@pytest.mark.parametrize(
    ("printed", "found"),
    [
        ("::error::x", Command("error", "x")),
        (" \t::Error file=a,line=1::x", Command("error", "x", {"file": "a", "line": "1"})),
        ("::error file=a%2Cb%3A%25,col=::x", Command("error", "x", {"file": "a,b:%"})),
        ("::notice ::a%0Ab%250A", Command("notice", "a\nb%0A")),
        ("said ##[add-mask]x", Command("add-mask", "x")),
        ("##[warning file=a%3B;line=2]x%5D", Command("warning", "x]", {"file": "a;", "line": "2"})),
        ("before\r::error::x", Command("error", "x")),
    ],
)
def test_a_line_that_is_a_command(printed, found):
    assert commands(printed) == [found]


@pytest.mark.parametrize(
    "printed",
    ["said ::error::x", "::error:x", "::unknown::x", "##[unknown]x", "##[error", ":: error::x"],
)
def test_a_line_that_is_none(printed):
    assert commands(printed) == []


def test_nothing_counts_until_the_token_comes():
    printed = "::stop-commands::T0\n::error::x\n##[error]x\n::t0::\n::error::y\n"
    assert commands(printed) == [Command("error", "y")]


def test_columns_of_a_range_of_lines_are_dropped():
    (found,) = commands("::error file=a,line=1,endLine=2,col=3,endColumn=4::x")
    assert found.place == ("a", "1", "2", "", "")


def test_ten_of_a_kind_are_shown():
    printed = "".join(f"::error::{n}\n" for n in range(12)) + "::notice::n\n"
    assert [one.data for one in annotations(printed)] == [*map(str, range(10)), "n"]


SCRIPT = Path(__file__).parent.parent.parent / "tools" / "github_action.py"
SIGNS = st.one_of(
    st.sampled_from(["::", "%", "%0A", "%250D", "\r", "\n", "##[", "]", ","]), st.text()
)


@given(st.lists(SIGNS).map("".join))
def test_whatever_a_message_quotes_stays_a_message(message):
    spec = importlib.util.spec_from_file_location("github_action", SCRIPT)
    action = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(action)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        action.annotate("error", message)
    expected = [Command("error", message, {"title": "servelint"})]
    assert commands(printed.getvalue()) == expected
