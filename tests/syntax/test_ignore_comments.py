"""Comments that ask not to be told something: how they are written, of which lines they speak."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servelint.syntax.ignore_comments import (
    MAX_COMMENTS,
    MAX_IDS,
    SHAPE,
    WORD,
    ignore_comments,
)


def only(text):
    (one,) = ignore_comments(text)
    return one


def spoken_of(text):
    """The lines of which each comment speaks."""
    return [text[one.first : one.last] for one in ignore_comments(text)]


# -- how they are written -----------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "# servelint: ignore[A-1] why",
        "## servelint: ignore[A-1] why",
        "#servelint:ignore[A-1]why",
        "x: y\t#\tservelint: ignore [ A-1 ]:  why  ",
        "// servelint: ignore[A-1] -- why",
        "/// servelint: ignore[A-1] why",
        "<!-- servelint: ignore[A-1] why -->",
        "<!--servelint: ignore[A-1] why--> more",
        "{{/* servelint: ignore[A-1] why */}}",
        "{{- /* servelint: ignore[A-1] why */ -}}",
        "{/* servelint: ignore[A-1] why */}",
        "/* servelint: ignore[A-1] why",
        "{# servelint: ignore[A-1] why #}",
        "{#- servelint: ignore[A-1] why -#}",
        "# servelint: ignore[A-1] why\r\nx: y\r\n",
    ],
)
def test_every_style_of_comment_is_read(text):
    one = only(text)
    assert (one.ids, one.reason, one.wrong) == (("A-1",), "why", "")
    assert WORD in text[one.start : one.end]
    assert "y: " not in text[one.start : one.end]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("x # servelint: ignore[A] why  ", "# servelint: ignore[A] why"),
        ("<!-- servelint: ignore[A] why --> x", "<!-- servelint: ignore[A] why -->"),
        ("{{/* servelint: ignore[A] why */}}", "/* servelint: ignore[A] why */"),
        ("# servelint: ignore[A] why\r\nx", "# servelint: ignore[A] why"),
    ],
)
def test_the_place_of_a_comment_is_itself(text, wanted):
    one = only(text)
    assert text[one.start : one.end] == wanted


@pytest.mark.parametrize(
    "text",
    [
        "image: a#servelint: ignore[A] why",  # no comment in YAML, nor in a shell
        "http://servelint: ignore[A] why",
        "servelint: ignore[A] why",
        "# Servelint: ignore[A] why",
        "# servelint: see the manual",
        "# servelint: ignored[A] why",
        "# servelint: ignore-next[A] why",
        "#### servelint: ignore[A] why",
        "# servelint\n: ignore[A] why",
        "",
    ],
)
def test_other_text_is_none(text):
    assert ignore_comments(text) == ()


@pytest.mark.parametrize(
    ("body", "ids", "reason"),
    [
        ("[A, B-2,c.d_e] both are patched", ("A", "B-2", "c.d_e"), "both are patched"),
        ("[A,A] x", ("A",), "x"),
        ("[A] see [1]", ("A",), "see [1]"),
        ("[A] # not yet", ("A",), "# not yet"),
        ("[A] ä", ("A",), "ä"),
        ("[A]", ("A",), ""),
        ("[A] -- ", ("A",), ""),
        ("[A] ...", ("A",), ""),
    ],
)
def test_ids_and_reason(body, ids, reason):
    one = only(f"# servelint: ignore{body}")
    assert (one.ids, one.reason, one.wrong) == (ids, reason, "")


@pytest.mark.parametrize(
    "body",
    [
        *(" why", "", "(A) why", "[] why", "[ ] why", "[A,] why", "[A B] why"),
        *("[*] why", "[[A]] why", "[A why", f"[{','.join(['A'] * (MAX_IDS + 1))}] why"),
    ],
)
def test_what_names_nothing_is_wrong(body):
    one = only(f"# servelint: ignore{body}")
    assert (one.ids, one.reason, one.wrong) == ((), "", SHAPE)


# -- of which lines they speak ------------------------------------------------


def test_a_comment_behind_something_speaks_of_its_line_only():
    text = "a: 1\nb: 2 # servelint: ignore[A] why\nc: 3\n"
    assert spoken_of(text) == ["b: 2 # servelint: ignore[A] why"]


@pytest.mark.parametrize(
    "comment",
    [
        "# servelint: ignore[A] why",
        "  \t<!-- servelint: ignore[A] why -->  ",
        "{{- /* servelint: ignore[A] why */ -}}",
        "  {# servelint: ignore[A] why #}",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_one_that_has_its_line_to_itself_speaks_of_the_next_one(comment, end):
    text = f"a: 1{end}{comment}{end}b: 2{end}c: 3{end}"
    assert spoken_of(text) == [f"{comment}{end}b: 2{end}".removesuffix("\n")]


@pytest.mark.parametrize(
    "line",
    [
        "/* servelint: ignore[A] why */ b = 1",
        "- # servelint: ignore[A] why",
        "{{ x }} {{/* servelint: ignore[A] why */}}",
        " " * 201 + "# servelint: ignore[A] why",
    ],
)
def test_one_beside_something_is_not_above_the_next_line(line):
    assert spoken_of(f"{line}\nb: 2\n") == [line]


def test_several_in_a_column_speak_of_the_same_line():
    text = "# servelint: ignore[A] x\n# servelint: ignore[B] y\nb: 2 # servelint: ignore[C] z\nc: 3"
    first, second, third = spoken_of(text)
    assert first == text.removesuffix("\nc: 3")
    assert second == first.partition("\n")[2]
    assert third == second.partition("\n")[2]


def test_a_gap_or_another_comment_ends_what_one_speaks_of():
    for between in ("", "# see there"):
        text = f"# servelint: ignore[A] x\n{between}\nb: 2\n"
        assert spoken_of(text) == [f"# servelint: ignore[A] x\n{between}"]


def test_at_the_end_of_the_text_there_is_no_next_line():
    assert spoken_of("a\n# servelint: ignore[A] x") == ["# servelint: ignore[A] x"]
    assert spoken_of("a\n# servelint: ignore[A] x\n") == ["# servelint: ignore[A] x\n"]


def test_of_two_on_one_line_the_first_has_the_rest_as_its_reason():
    one = only("a # servelint: ignore[A] x # servelint: ignore[B] y")
    assert (one.ids, one.reason) == (("A",), "x # servelint: ignore[B] y")


def test_two_that_end_may_stand_on_one_line():
    text = "a\n<!-- servelint: ignore[A] x --> b <!-- servelint: ignore[B] y -->\nc"
    line = text.split("\n")[1]
    assert spoken_of(text) == [line, line]
    assert [one.ids for one in ignore_comments(text)] == [("A",), ("B",)]


# -- hostile texts ------------------------------------------------------------


def test_the_number_of_comments_is_bounded_and_that_is_told():
    found = ignore_comments("x # servelint: ignore[A] why\n" * (MAX_COMMENTS + 5))
    assert len(found) == MAX_COMMENTS
    assert [one.ids for one in found[:-1]] == [("A",)] * (MAX_COMMENTS - 1)
    assert found[-1].ids == ()
    assert "the others do not count" in found[-1].wrong


@pytest.mark.parametrize(
    "text",
    [
        "# " * 1_000_000 + "servelint:",
        " " * 1_000_000 + "# servelint: ignore[A] why",
        "#" + " " * 1_000_000 + "servelint: ignore[A] why",
        "/* servelint: ignore[A] x */ " * 50_000,
        "# servelint: ignore[" + "A," * 500_000,
        "# servelint: ignore\n" * 50_000,
    ],
    ids=["openers", "indent", "blanks", "line", "ids", "lines"],
)
def test_long_texts_are_read_in_time(text):
    assert len(ignore_comments(text)) <= MAX_COMMENTS


PIECES = st.sampled_from(
    [
        *("# ", "// ", "<!-- ", " -->", "/* ", "*/", "{{", "}}", "{# ", "#}", "\n", "\r\n", " "),
        *("servelint: ", "ignore", "[A]", "[A, b]", "[", "]", " why", "x: y", "\t", "\u2028", ""),
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=80))
def test_any_text_is_read(text):
    before = -1
    for one in ignore_comments(text):
        assert 0 <= one.first <= one.start < one.end <= one.last <= len(text)
        assert one.start > before
        assert one.first == 0 or text[one.first - 1] == "\n"
        assert one.last == len(text) or text[one.last] == "\n"
        assert bool(one.ids) != bool(one.wrong)
        assert "\n" not in text[one.start : one.end]
        before = one.start


@given(st.lists(PIECES, max_size=40).map("".join))
def test_what_they_speak_of_stands_in_order(text):
    found = ignore_comments(text)
    assert [one.first for one in found] == sorted(one.first for one in found)
    assert [one.last for one in found] == sorted(one.last for one in found)


@given(
    indent=st.text(" \t", max_size=8),
    ids=st.lists(st.from_regex(r"\A[A-Za-z][\w.-]{0,20}\Z"), min_size=1, max_size=4, unique=True),
    reason=st.from_regex(r"\A[a-z][a-z ,.]{0,30}[a-z]\Z"),
    marks=st.sampled_from([("# ", ""), ("// ", ""), ("<!-- ", " -->"), ("{{/* ", " */}}")]),
    below=st.from_regex(r"\A[a-z: ]{0,20}\Z"),
)
def test_what_is_written_is_read(indent, ids, reason, marks, below):
    line = f"{indent}{marks[0]}servelint: ignore[{', '.join(ids)}] {reason}{marks[1]}"
    text = f"x\n{line}\n{below}\nz"
    one = only(text)
    assert (one.ids, one.reason) == (tuple(ids), reason)
    assert text[one.first : one.last] == f"{line}\n{below}"
