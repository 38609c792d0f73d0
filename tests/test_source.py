"""Spans of sources, embedded ones above all: they must quote the file, whatever came between."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servelint.source import Route, Segment, Source, Span

FILE = 'run: "engine\\tserve --mode\\\n  prefill"\n'


def source(text, path="file.yaml"):
    return Source(path, text, "yaml", Route(path))


def quoted(child, start, end, text=FILE):
    at = child.span(start, end)
    assert at.path == child.path
    return text[at.start : at.end]


def test_a_file_maps_to_itself():
    assert source(FILE).span(5, 12) == Span("file.yaml", 5, 12)


def test_a_slice_quotes_the_file():
    child = source(FILE).slice(6, 12, "text")
    assert child.text == "engine"
    assert quoted(child, 2, 5) == "gin"


def test_an_escape_maps_as_a_whole_and_its_neighbours_exactly():
    at = FILE.index("\\t")
    pieces = (Segment(0, 6, 6, 12), Segment(6, 7, at, at + 2), Segment(7, 12, at + 2, at + 7))
    child = source(FILE).embed("engine\tserve", pieces, "shell")
    assert quoted(child, 6, 7) == "\\t"
    assert quoted(child, 5, 8) == "e\\ts"
    assert quoted(child, 7, 12) == "serve"


def test_a_joint_without_a_segment_does_not_widen_its_neighbours():
    parent = source("first\nsecond").embed(
        "first second", (Segment(0, 5, 0, 5), Segment(6, 12, 6, 12)), "shell"
    )
    child = parent.slice(0, 12, "word")
    assert quoted(child, 1, 3, "first\nsecond") == "ir"
    assert quoted(child, 4, 7, "first\nsecond") == "t\ns"


def test_part_of_a_run_that_maps_as_a_whole_still_maps_as_a_whole():
    """Six characters that two stood for: two of them must not map character by character."""
    parent = source("$X --mode").embed(
        "engine --mode", (Segment(0, 6, 0, 2), Segment(6, 13, 2, 9)), "shell"
    )
    child = parent.slice(2, 4, "word")
    assert quoted(child, 0, 1, "$X --mode") == "$X"
    assert quoted(child, 1, 2, "$X --mode") == "$X"


def test_a_whole_run_stays_whole_when_it_shrinks_to_the_length_of_its_origin():
    parent = source("ab").embed("abcd", (Segment(0, 4, 0, 2),), "shell")
    child = parent.embed("xy", (Segment(0, 2, 0, 4),), "word")
    assert child.span(0, 1) == child.span(1, 2) == Span("file.yaml", 0, 2)


@pytest.mark.parametrize("at", [0, 4, 7])
def test_an_empty_slice_of_embedded_text_stands_where_it_was_cut(at):
    parent = source(FILE).slice(5, 12, "shell")
    child = parent.slice(at, at, "text")
    assert child.span(0, 0) == Span("file.yaml", 5 + at, 5 + at)


def test_an_empty_slice_of_a_file_stands_where_it_was_cut():
    assert source(FILE).slice(9, 9, "text").span(0, 0) == Span("file.yaml", 9, 9)


def test_a_child_inherits_its_owner_plus_steps_and_the_container():
    parent = Source("f", "abc", "yaml", Route("f", (0,)), container=True)
    child = parent.slice(0, 2, "shell", "command", 1)
    assert child.owner == Route("f", (0, "command", 1))
    assert child.container
    assert child.language == "shell"
    assert not parent.embed("a", (Segment(0, 1, 0, 1),), "shell", container=False).container


def test_routes_hold_what_lies_below_them_in_the_same_unit_only():
    route = Route("f", (0, "spec"))
    assert route.holds(route)
    assert route.holds(route.child("containers", 1))
    assert not route.child(1).holds(route)
    assert not route.holds(Route("g", (0, "spec", 1)))
    assert not route.holds(Route("f", (0, "specs")))
    assert route.child("containers", 1, "env").keys() == ("spec", "containers", "env")


# -- the property -------------------------------------------------------------
#
# Beside every text stands the model of it: for each character the range of the
# file that it came from. What joins pieces came from the point where the last
# piece ended.


def derived(data, parent, model):
    size = len(parent.text)
    if data.draw(st.booleans(), "slice"):
        start = data.draw(st.integers(0, size - 1))
        end = data.draw(st.integers(start + 1, size))
        return parent.slice(start, end, "text"), model[start:end]
    text, child, pieces = "", [], []
    for start, end in cuts(data, size):
        taken = parent.text[start:end]
        cells = model[start:end]
        if data.draw(st.booleans(), "made from"):
            lengths = [n for n in range(1, 6) if n != end - start]
            length = data.draw(st.sampled_from(lengths))
            taken = "x" * length
            cells = [(model[start][0], model[end - 1][1])] * length
        pieces.append(Segment(len(text), len(text) + len(taken), start, end))
        joint = data.draw(st.sampled_from(["", " ", "\n\n"]))
        text += taken + joint
        child += [*cells, *[(cells[-1][1], cells[-1][1])] * len(joint)]
    return parent.embed(text, pieces, "text"), child


def cuts(data, size):
    """Increasing ranges of a text, with and without gaps, at least one."""
    found, at = [], 0
    while at < size and (not found or data.draw(st.booleans(), "more")):
        start = data.draw(st.integers(at, size - 1))
        end = data.draw(st.integers(start + 1, size))
        found.append((start, end))
        at = end
    return found


@given(st.text("abc\n", min_size=1, max_size=20), st.data())
def test_spans_of_nested_sources_are_those_of_the_characters(text, data):
    nested, model = source(text), [(at, at + 1) for at in range(len(text))]
    for _ in range(data.draw(st.integers(1, 4))):
        nested, model = derived(data, nested, model)
    assert len(nested.text) == len(model)
    start = data.draw(st.integers(0, len(model) - 1))
    end = data.draw(st.integers(start + 1, len(model)))
    first, last = model[start][0], model[end - 1][1]
    assert nested.span(start, end) == Span("file.yaml", first, max(first, last))


@given(st.text(min_size=1, max_size=30), st.data())
def test_slices_of_slices_quote_their_own_text(text, data):
    child = source(text)
    for _ in range(4):
        start = data.draw(st.integers(0, len(child.text)))
        end = data.draw(st.integers(start, len(child.text)))
        assert quoted(child, start, end, text) == child.text[start:end]
        child = child.slice(start, end, "text")
        assert quoted(child, 0, len(child.text), text) == child.text
