"""Segments: every character of a value leads back to the characters that made it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from servelint.source import Route, Segment, Source
from servelint.syntax import yaml
from servelint.syntax.yaml import Alias, Mapping, Scalar, Sequence, documents, fields, segments

needs_c_parser = pytest.mark.skipif(
    yaml.CParser is None, reason="the pure parser reads some blanks and breaks otherwise"
)
BREAKS = "\n\r\x85\u2028\u2029"


def scalars(text):
    waiting = list(documents(text))
    while waiting:
        node = waiting.pop()
        if isinstance(node, Scalar):
            yield node
        elif isinstance(node, Mapping):
            waiting.extend(part for entry in node.entries for part in entry)
        elif isinstance(node, Sequence):
            waiting.extend(node.items)
        else:
            assert node is None or isinstance(node, Alias)


def runs(text, scalar):
    """Each piece of the value and the source that it maps to."""
    return [
        (scalar.value[s.start : s.end], text[s.origin_start : s.origin_end])
        for s in segments(text, scalar)
    ]


def proved(value, source):
    """True when ``source`` makes ``value``, character by character or as one escape."""
    if len(value) == len(source):
        same = zip(value, source, strict=True)
        return all(to == of or (to in " \n" and of in BREAKS) for to, of in same)
    return len(value) == 1 and (source in {"''", "\r\n"} or source.startswith("\\"))


def assert_exact(text):
    for scalar in scalars(text):
        found = segments(text, scalar)
        assert [s.start for s in found] == [0, *(s.end for s in found[:-1])]
        assert found[-1].end == len(scalar.value)
        places = [place for s in found for place in (s.origin_start, s.origin_end)]
        assert places == sorted(places)
        assert all(proved(*run) for run in runs(text, scalar)), runs(text, scalar)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("k: a b", [("a b", "a b")]),
        ("k: a\n  b", [("a ", "a\n"), ("b", "b")]),
        ("k: a  \n\n\n  b", [("a", "a"), ("\n\n", "\n\n"), ("b", "b")]),
        ("k: a\r\n  b", [("a", "a"), (" ", "\r\n"), ("b", "b")]),
        ("k: a\u2028 b", [("a\u2028", "a\u2028"), ("b", "b")]),
        ("k: a\x85 b", [("a ", "a\x85"), ("b", "b")]),
        ("k: ''", [("", "")]),
        ("k: 'it''s'", [("it", "it"), ("'", "''"), ("s", "s")]),
        ("k: 'a \n  b'", [("a", "a"), (" ", "\n"), ("b", "b")]),
        (
            'k: "a\\x41\\u00e9\\U0001F600"',
            [("a", "a"), *zip("Aé😀", ("\\x41", "\\u00e9", "\\U0001F600"), strict=True)],
        ),
        (
            'k: "\\\\ \\"\\/\\t"',
            [("\\", "\\\\"), (" ", " "), ('"', '\\"'), ("/", "\\/"), ("\t", "\\t")],
        ),
        ('k: "a \\\n   b"', [("a ", "a "), ("b", "b")]),
        ('k: "a\\\n\n   b"', [("a", "a"), ("\n", "\n"), ("b", "b")]),
        ('k: "a\\  \n  b"', [("a", "a"), (" ", "\\ "), (" ", "\n"), ("b", "b")]),
        ("k: |\n  a\n   b\n", [("a\n", "a\n"), (" b\n", " b\n")]),
        ("k: |-\n  a\n\n  b\n", [("a\n\n", "a\n\n"), ("b", "b")]),
        ("k: |+\n  a\n\n\n", [("a\n\n\n", "a\n\n\n")]),
        ("k: |\r\n  a\r\n", [("a", "a"), ("\n", "\r\n")]),
        ("k: |2\n    a\n", [("  a\n", "  a\n")]),
        ("- k: |2\n      a\n", [("  a\n", "  a\n")]),
        ("- k: b\n- |2\n    a\n", [("  a\n", "  a\n")]),
        ("--- |1\n  a\n", [(" a\n", " a\n")]),
        ("k: >\n  a\n  b\n\n  c\n", [("a ", "a\n"), ("b", "b"), ("\n", "\n"), ("c\n", "c\n")]),
        ("k: >\n  a\n   b\n  c\n", [("a\n", "a\n"), (" b\n", " b\n"), ("c\n", "c\n")]),
        ("k: >-\n\n  a", [("\n", "\n"), ("a", "a")]),
        ("k: |\n\n \n   a\n", [("\n", "\n"), ("\n", "\n"), ("a\n", "a\n")]),
    ],
)
@pytest.mark.parametrize("events", ["_events", "_pure_events"])
def test_pieces(monkeypatch, events, text, expected):
    monkeypatch.setattr(yaml, "_events", getattr(yaml, events))
    scalar = max(scalars(text), key=lambda scalar: scalar.start)
    assert runs(text, scalar) == expected


WORD = st.text("ab-é😀語:'\"\\,{#", min_size=1, max_size=6)
BREAK = st.sampled_from(["\n", "\r\n"])
BLANKS = st.text(" \t", max_size=3)


def folded(word):
    """Words with blanks or folded line breaks between them."""
    blank_lines = st.lists(st.builds(" {}{}".format, BLANKS, BREAK), max_size=2).map("".join)
    gap = st.builds("{}{}{}  ".format, BLANKS, BREAK, blank_lines)
    between = st.one_of(st.sampled_from([" ", "  "]), gap)
    return st.builds(
        str.__add__, word, st.lists(st.builds(str.__add__, between, word)).map("".join)
    )


many = settings(max_examples=2_500, deadline=None)
"""Four styles: 10,000 scalars in all."""


@needs_c_parser
@many
@given(folded(st.text("abé😀語'\"\\", min_size=1)))
def test_plain_scalars_are_exact(body):
    assert_exact(f"k: x{body}\nz: 1\n")


@many
@given(folded(WORD.map(lambda word: word.replace("'", "''"))))
def test_single_quoted_scalars_are_exact(body):
    assert_exact(f"k: '{body}'\nz: 1\n")


ESCAPED = st.one_of(
    st.text("abé😀' ", min_size=1, max_size=4),
    st.sampled_from(["\\" + code for code in '0abtnvfre "/\\N_LP']),
    st.integers(0, 0xFF).map(lambda n: f"\\x{n:02x}"),
    st.integers(0, 0xD7FF).map(lambda n: f"\\u{n:04X}"),
    st.integers(0x10000, 0x10FFFF).map(lambda n: f"\\U{n:08x}"),
    st.sampled_from(
        ["\\\n", "\\\n   ", "\\\r\n  ", "\\\n \n\n  ", "\n  ", " \t\r\n ", "\n\n \n ", "\\\t"]
    ),
)


@many
@given(st.lists(ESCAPED, max_size=12).map("".join))
def test_double_quoted_scalars_are_exact(body):
    assert_exact(f'k: "{body}"\nz: 1\n')


@st.composite
def block_scalars(draw):
    """A block scalar under a key: any chomping, deeper, blank and overlong blank lines."""
    parent = draw(st.sampled_from(["k: ", "- ", "- k: ", "- - ", "k:\n    l: ", "k:\n- "]))
    column = {"- k: ": 2, "- - ": 2, "k:\n    l: ": 4}.get(parent, 0)
    width = draw(st.integers(1, 4))
    explicit = draw(st.booleans())
    chomping = draw(st.sampled_from(["", "-", "+"]))
    order = [str(width) if explicit else "", chomping]
    header = draw(st.sampled_from("|>")) + "".join(draw(st.permutations(order)))
    end = draw(BREAK)
    lines = draw(st.lists(st.one_of(WORD, BLANKS, WORD.map(lambda word: "  " + word)), max_size=7))
    first = [] if explicit else ["first"]
    body = [" " * (column + width) + line for line in first + lines]
    short = draw(st.sampled_from(["", " "]))
    tail = draw(st.sampled_from(["", end, end + end, end + short + end]))
    return parent + header + end + end.join(body) + tail


@many
@given(block_scalars())
def test_block_scalars_are_exact(text):
    try:
        documents(text)
    except yaml.YamlProblem:  # a tab where the indentation should be
        assert "\t" in text
    else:
        assert_exact(text)


@needs_c_parser
@pytest.mark.parametrize("line", BREAKS)
@pytest.mark.parametrize(
    "body", ["a{0} b", "'a{0}{0} b'", '"a{0} \\{0} b"', "|\n  a{0}  b\n", ">\n {0}  a{0}  b\n"]
)
def test_every_kind_of_break_is_exact(body, line):
    assert_exact("k: " + body.format(line))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("xyz", (Segment(0, 3, 3, 5),)),
        ("xy", (Segment(0, 1, 3, 5), Segment(1, 2, 3, 5))),
        ("x", (Segment(0, 1, 3, 5),)),
    ],
)
def test_a_value_that_cannot_be_rebuilt_maps_as_a_whole(value, expected):
    text = "k: ab"
    assert segments(text, Scalar(value, "", 3, 5, 0, "")) == expected
    source = Source("f", text, "yaml", Route("f")).embed(value, expected, "text")
    for at in range(len(value)):
        assert source.span(at, at + 1) == source.span(0, len(value))


@needs_c_parser
def test_the_end_of_a_document_is_not_text():
    (scalar,) = scalars("--- |+\n\n...\n")
    assert runs("--- |+\n\n...\n", scalar) == [("\n", "\n")]


def test_an_embedded_text_points_at_its_words():
    text = 'run: >-\n  first --flag\n  second\nother: "a\\tb"\n'
    found = fields(documents(text)[0])
    source = Source("f", text, "yaml", Route("f"))
    command = found["run"].value
    child = source.embed(command.value, segments(text, command), "shell")
    span = child.span(command.value.index("--flag"), len(command.value))
    assert text[span.start : span.end] == "--flag\n  second"
    quoted = found["other"].value
    child = source.embed(quoted.value, segments(text, quoted), "shell")
    span = child.span(1, 2)
    assert text[span.start : span.end] == "\\t"


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("k: ''\nz: 1\n", "k: '"),
        ("k:\nz: 1\n", "k:"),
        ("k: |\nz: 1\n", "k: |"),
        ("k: >- # c\n\nz: 1\n", "k: >- # c"),
    ],
)
def test_an_empty_value_has_a_place(text, before):
    empty = fields(documents(text)[0])["k"].value
    assert segments(text, empty) == (Segment(0, 0, len(before), len(before)),)
