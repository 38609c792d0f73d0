"""The YAML tree: where its nodes stand and what its mappings say."""

from __future__ import annotations

import pytest

from servelint.syntax import yaml
from servelint.syntax.yaml import (
    Alias,
    Mapping,
    Scalar,
    Sequence,
    YamlProblem,
    deref,
    documents,
    fields,
    segments,
)

TREES = [
    "",
    "# nothing\n",
    "a: 1\nb: [x, 'y', \"z\"]\n",
    "a: &x !!str 'q'\nb: *x\n",
    "a: !t &x  # why\n\n  q r\nb: *x\n",
    "- !t\n  a: b\n- &x\n  - c\n- ? d\n  : e\n",
    "k: &x !t\n- a\n- b\nl: !t {a: 1}\nm: &y [1]\n",
    "[a: b, {c: d}: e]\n",
    "a:\nb: ~\nc: !!null\nd:\n-\n- x\n",
    "a: |\n  x\n\n# c\nb: >-\n  y\n   z\n",
    "- a: |2\n     x\n- |1+\n  y\n\n- - >1\n   z\n",
    "--- |1\n x\n--- >\n y\n",
    "a: 1\n---\n---\n- 2\n...\n",
    "%TAG !e! tag:e,1:\n---\n!e!x d\n",
    "é: '😀'\n😀: \"\\u00e9 é\"\nz: |\n  é\n",
    "a: 'x\r\n  y'\r\nb: |\r\n  z\r\nc: 1\r\n",
    "base: &b {a: 1}\nc:\n  <<: *b\n  d: 2\n",
    "? |\n  k\n: v\n",
    "a: {b: [c, {d: *x}]}\n",
    "a: [\n",
    "a: 'b\n",
    "a: b: c\n",
    "a: \x01\n",
]


def only(text):
    (tree,) = documents(text)
    return tree


def outline(node):
    """A node as nested tuples, which compare by value."""
    if isinstance(node, Scalar):
        return (node.value, node.style, node.start, node.end, node.indent, node.tag)
    if isinstance(node, Alias):
        return (node.name, outline(node.target), node.start, node.end)
    if isinstance(node, Mapping):
        pairs = [(outline(key), outline(value)) for key, value in node.entries]
        return ("mapping", pairs, node.start, node.end, node.flow, node.tag)
    if isinstance(node, Sequence):
        return ("sequence", [*map(outline, node.items)], node.start, node.end, node.flow, node.tag)
    return node


def attempt(text):
    try:
        return [outline(tree) for tree in documents(text)]
    except YamlProblem as problem:
        return problem.reason, problem.offset


def problem_of(text):
    with pytest.raises(YamlProblem) as caught:
        documents(text)
    return caught.value


def texts(mapping):
    """Each key with the text of its value, aliases followed."""
    return {key: deref(entry.value)[0].value for key, entry in fields(mapping).items()}


@pytest.mark.skipif(yaml.CParser is None, reason="this platform has the pure parser only")
@pytest.mark.parametrize("text", TREES)
def test_both_parsers_build_the_same_tree(monkeypatch, text):
    fast = attempt(text)
    monkeypatch.setattr(yaml, "_events", yaml._pure_events)
    assert attempt(text) == fast


@pytest.mark.parametrize(
    ("text", "quoted", "value", "tag"),
    [
        ("k: plain text # c", "plain text", "plain text", ""),
        ("k: 'it''s'", "'it''s'", "it's", ""),
        ('k: "a\\tb"', '"a\\tb"', "a\tb", ""),
        ("k: &x !!str 'q'", "'q'", "q", "tag:yaml.org,2002:str"),
        ("k: !t &x q", "q", "q", "!t"),
        ("k: &x  # comment\n  !u  # 'no\n\n  q", "q", "q", "!u"),
        ("k: !<tag:x,1:y> q", "q", "q", "tag:x,1:y"),
        ("k: &x ?q", "?q", "?q", ""),
        ("k: |\n  x\n  y\n\n\n# c\nz: 1", "|\n  x\n  y", "x\ny\n", ""),
        ("k: !t |+ # c\n  x  \n\n", "|+ # c\n  x  ", "x  \n\n", "!t"),
        ("k: |\n  x", "|\n  x", "x", ""),
        ("k: >-\r\n  x\r\n  y\r\n", ">-\r\n  x\r\n  y", "x y", ""),
        ("k: |\nz: 1", "|", "", ""),
        ("k: ''", "''", "", ""),
    ],
)
def test_a_scalar_stands_behind_its_properties(text, quoted, value, tag):
    scalar = fields(only(text))["k"].value
    assert text[scalar.start : scalar.end] == quoted
    assert (scalar.value, scalar.tag) == (value, tag)


@pytest.mark.parametrize("text", ["k:\nz: 1", "k:   \n\nz: 1", "k: !t  \nz: 1", "k: &x  # c\nz: 1"])
def test_an_empty_value_stands_behind_its_key_and_properties(text):
    scalar = fields(only(text))["k"].value
    assert scalar.start == scalar.end == len(text.splitlines()[0].partition("#")[0].rstrip())


@pytest.mark.parametrize(
    ("text", "quoted", "flow"),
    [
        ("k: [a, b] # c", "[a, b]", True),
        ("k: !t &x  {a: b}\n", "{a: b}", True),
        ("k:\n  a: b\n  c: d\n\n# c\nz: 1", "a: b\n  c: d", False),
        ("k: &x !t # c\n  a: b\nz: 1", "a: b", False),
        ("k: &x\n  ? a\n  : b\nz: 1", "? a\n  : b", False),
        ("k:\n- a\n- b\n\nz: 1", "- a\n- b", False),
        ("k: !t\n- a\n- b\nz: 1", "- a\n- b", False),
        ("k: !t\n  - a\n  - b\nz: 1", "- a\n  - b", False),
        ("k: [a: b , c]", "[a: b , c]", True),
    ],
)
def test_a_collection_stands_behind_its_properties(text, quoted, flow):
    node = fields(only(text))["k"].value
    assert text[node.start : node.end] == quoted
    assert node.flow is flow


def test_a_pair_without_braces_ends_with_its_value():
    text = "[a: b , c]"
    pair = only(text).items[0]
    assert isinstance(pair, Mapping)
    assert text[pair.start : pair.end] == "a: b"


@pytest.mark.parametrize(
    ("text", "indent"),
    [("k: x", 0), ("k: [x]", 0), ("k: [{a: x}]", 0), ("- - x", 2), ("k:\n- x", 0), ("x", -1)],
)
def test_a_scalar_knows_the_column_of_its_block(text, indent):
    node = only(text)
    while not isinstance(node, Scalar):
        node = node.entries[-1][1] if isinstance(node, Mapping) else node.items[-1]
    assert (node.value, node.indent) == ("x", indent)


def test_offsets_are_code_points():
    text = "😀: &x y\né: ['日本', \"\\U0001F600\", 語]\n"
    scalars = fields(only(text))["é"].value.items
    quoted = [text[scalar.start : scalar.end] for scalar in scalars]
    assert quoted == ["'日本'", '"\\U0001F600"', "語"]


def test_a_second_byte_order_mark_shifts_nothing():
    text = "\ufeffa: b"
    scalar = fields(only(text))["a"].value
    assert text[scalar.start : scalar.end] == "b"


def test_documents_are_kept_apart_and_empty_ones_are_none():
    assert documents("") == ()
    assert documents("# c\n") == ()
    first, second, third = documents("a: 1\n---\n---\n- 2\n...\n")
    assert isinstance(first, Mapping)
    assert second is None
    assert isinstance(third, Sequence)


def test_an_alias_stands_where_its_name_is():
    text = "a: &x 1\nb: [*x, *x]\n"
    first, second = fields(only(text))["b"].value.items
    assert [text[alias.start : alias.end] for alias in (first, second)] == ["*x", "*x"]
    assert first.start < second.start
    assert (first.name, first.target.value) == ("x", "1")
    assert first.target is second.target
    assert deref(first) == (first.target, (first,))


def test_an_alias_is_of_the_last_anchor_before_it():
    tree = only("- &x 1\n- &x 2\n- *x\n- &y [&y 3]\n- *y\n")
    assert tree.items[2].target is tree.items[1]
    assert tree.items[4].target is tree.items[3].items[0]


@pytest.mark.parametrize(
    ("text", "at"),
    [("&x [a, *x]", "*x"), ("a: *y\n", "*y"), ("- &y 1\n--- *y\n", "*y")],
)
def test_an_alias_of_nothing_finished_is_refused(text, at):
    problem = problem_of(text)
    assert problem.reason == "syntax"
    assert text[problem.offset :].startswith(at)


def test_the_last_of_duplicate_keys_wins():
    text = "a: 1\nb: 2\n'a': 3\n"
    found = fields(only(text))
    assert texts(only(text)) == {"a": "3", "b": "2"}
    assert text[found["a"].key.start : found["a"].key.end] == "'a'"
    assert len(only(text).entries) == 3


def test_merge_keys_fill_in_what_is_not_there():
    text = "x: &x {a: 1, b: 1}\ny: &y {b: 2, c: 2}\nz:\n  c: 3\n  <<: [*x, *y]\n  d: *x\n"
    mapping = fields(only(text))["z"].value
    found = fields(mapping)
    assert {key: deref(entry.value)[0].start for key, entry in found.items()} == {
        "a": text.index("1"),
        "b": text.index("1}"),
        "c": text.index("3"),
        "d": text.index("{a"),
    }
    assert [alias.name for alias in found["a"].aliases] == ["x"]
    assert found["c"].aliases == ()
    assert isinstance(found["d"].value, Alias)


def test_merges_of_merges_keep_every_alias():
    text = "x: &x {a: 1}\ny: &y {<<: *x, b: 2}\nl: &l [*y]\nz: {<<: *l}\n"
    found = fields(fields(only(text))["z"].value)
    assert [alias.name for alias in found["a"].aliases] == ["l", "y", "x"]
    assert [alias.name for alias in found["b"].aliases] == ["l", "y"]


def test_the_last_of_two_merge_keys_wins():
    assert texts(only("<<: {a: 1, b: 1}\n<<: {a: 2}\n")) == {"a": "2", "b": "1"}


def test_a_mapping_that_is_merged_many_times_is_read_once():
    merge = Scalar("<<", "", 0, 2, 0, "")
    mapping = only("a: 1")
    for _ in range(60):
        parents = Sequence((mapping, mapping), 4, 8, flow=True, tag="")
        mapping = Mapping(((merge, parents),), 0, 8, flow=False, tag="")
    assert set(fields(mapping)) == {"a"}


@pytest.mark.parametrize("key", ["'<<'", '"<<"', "!!str <<"])
def test_a_quoted_merge_key_is_a_key(key):
    assert set(fields(only(f"{key}: {{a: 1}}\n"))) == {"<<"}


def test_keys_that_are_no_scalars_are_left_out():
    assert texts(only("x: &x k\n[a]: 1\n{b: 1}: 2\n*x : 3\n<<: 4\n")) == {"x": "k", "k": "3"}


def test_segments_are_part_of_the_door():
    text = "a: 'b'"
    (segment,) = segments(text, fields(only(text))["a"].value)
    assert text[segment.origin_start : segment.origin_end] == "b"


def test_a_text_that_was_just_read_is_not_parsed_again():
    assert documents("a: 1\n") is documents("a: 1\n")
    for _ in range(2):  # a problem is told each time
        with pytest.raises(YamlProblem):
            documents("a: [")
