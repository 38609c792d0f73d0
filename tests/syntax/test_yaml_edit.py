"""Data that is changed keeps its places, and what is made has one."""

from __future__ import annotations

import pytest

from servelint.source import Route, Source, Span
from servelint.syntax.weave import Weaver
from servelint.syntax.yaml import YamlProblem
from servelint.syntax.yaml_data import MAX_DEPTH, Allowance, Table, load, write
from servelint.syntax.yaml_edit import made, place, put, size, with_member, without


def source(text, path="a.yaml"):
    return Source(path, text, "yaml", Route(path))


def loaded(text, path="a.yaml"):
    (data,) = load(source(text, path))
    return data


def test_what_is_put_for_another_stands_there_and_is_written_elsewhere():
    old = loaded("image: a/b:v1\n").get("image")
    new = loaded("tag: 'v2'\n", "b.yaml").get("tag")
    leaf = put(old, new)
    assert (leaf.text, leaf.style) == ("v2", "'")
    assert leaf.source.span(0, 2) == Span("a.yaml", 7, 13)
    assert list(leaf.source.runs(0, 2)) == [(0, 2, (Span("b.yaml", 6, 8),))]


def test_what_is_made_stands_for_a_whole_range():
    leaf = made("name", Span("a.yaml", 5, 9))
    assert leaf.source.span(1, 2) == Span("a.yaml", 5, 9)
    assert place(leaf) == Span("a.yaml", 5, 9)


def test_members_are_set_and_taken_away():
    table = loaded("a: 1\nb: 2\n")
    more = with_member(table, made("c", Span("a.yaml", 0, 0)), table.get("a"))
    same = with_member(more, made("a", Span("x", 0, 0)), table.get("b"))
    assert [(key, one.value.text) for key, one in same.members.items()] == [
        ("a", "2"),
        ("b", "2"),
        ("c", "1"),
    ]
    assert place(same) == Span("a.yaml", 0, 1)
    assert list(without(same, "a", "c").members) == ["b"]
    weaver = Weaver("a.yaml")
    write(weaver, same)
    assert weaver.source("yaml", Route("a.yaml")).text == "a: 2\nb: 2\nc: 1\n"


def test_where_nothing_is_there_is_no_place():
    assert place(Table({})) == place(()) == Span("", 0, 0)
    assert place((Table({}),)) == Span("", 0, 0)


def test_sizes_are_counted_up_to_a_limit():
    data = loaded("a: &x [one, two]\nb: [*x, *x]\n")
    assert size(data, 1_000) == 1 + 2 + 3 * (1 + 2 * (1 + 3)) + 1
    assert 5 < size(data, 5) < 40


def test_deep_and_many_items_are_refused():
    deep = "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1)
    with pytest.raises(YamlProblem) as caught:
        loaded(deep)
    assert caught.value.reason == "too-deep"
    assert loaded(deep[1:-1])
    allowance = Allowance(4)
    load(source("[a, b]"), allowance)
    with pytest.raises(YamlProblem) as caught:
        load(source("[a, b]"), allowance)
    assert caught.value.reason == "too-large"
