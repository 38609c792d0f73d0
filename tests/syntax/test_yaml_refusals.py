"""What YAML trees refuse, where they say so, and how long hostile texts may take."""

from __future__ import annotations

import gc
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servelint.syntax import yaml
from servelint.syntax.yaml import Sequence, YamlProblem, documents, fields


def only(text):
    (tree,) = documents(text)
    return tree


def problem_of(text):
    with pytest.raises(YamlProblem) as caught:
        documents(text)
    return caught.value


@pytest.mark.parametrize("opening", ["[", "- ", "{", "? ", "{a: ", "[[? "])
def test_hostile_nesting_is_refused_at_once(opening):
    started = time.perf_counter()
    problem = problem_of(opening * 100_000)
    assert time.perf_counter() - started < (20 if yaml.CParser is None else 2)
    levels = sum(opening.count(mark) for mark in "[-{?")
    assert problem.reason == "too-deep"
    assert problem.offset == 500 * len(opening) // levels


def test_five_hundred_levels_are_not_too_deep():
    assert isinstance(only("[" * 500 + "]" * 500), Sequence)


@pytest.mark.parametrize("opening", ["[", "- ", "{"])
def test_the_pure_parser_counts_levels_too(monkeypatch, opening):
    monkeypatch.setattr(yaml, "_events", yaml._pure_events)
    problem = problem_of(opening * 600)
    assert (problem.reason, problem.offset) == ("too-deep", 500 * len(opening))


def test_aliases_that_multiply_cost_nothing():
    lines = ["a0: &a0 [x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 60)]
    started = time.perf_counter()
    tree = only("\n".join(lines))
    assert len(fields(tree)["a59"].value.items) == 9
    assert time.perf_counter() - started < 1


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ((f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}" for n in range(1, 60)), "too-large"),
        ((f"a{n}: &a{n} {{<<: *a{n - 1}, k{n}: 1}}" for n in range(1, 3_000)), "too-deep"),
    ],
)
def test_merges_that_multiply_are_refused(lines, reason):
    assert problem_of("\n".join(["a0: &a0 {k: v}", *lines])).reason == reason


def test_a_long_chain_of_merges_is_followed():
    lines = [f"a{n}: &a{n} {{<<: *a{n - 1}, k{n}: 1}}" for n in range(1, 400)]
    tree = only("\n".join(["a0: &a0 {k: v}", *lines]))
    found = fields(fields(tree)["a399"].value)
    assert len(found) == 400
    assert len(found["k"].aliases) == 399


def test_more_nodes_than_a_million_are_refused(monkeypatch):
    monkeypatch.setattr("servelint.syntax.yaml_builder.MAX_NODES", 4)
    assert len(only("[a, b, c]").items) == 3
    problem = problem_of("[a, b, c, d, e]")
    assert (problem.reason, problem.offset) == ("too-large", 13)


def test_a_flood_of_tag_directives_is_refused():
    flood = "".join(f"%TAG !a{n}! b\n" for n in range(101)) + "--- a\n"
    assert problem_of(flood).reason == "too-large"
    assert problem_of(flood.replace("\n", "\r")).reason == "too-large"
    assert only("a: |\n" + "  %TAG\n" * 200) is not None


PLACES = [
    ("a: 1\né: 'x\n", "", "found unexpected end of stream"),
    ("😀é: b: c\n", ": c\n", "mapping values are not allowed"),
    ("a: [1\nb: 2\n", ": 2\n", "did not find expected ',' or ']'"),
    ("😀: \x01\n", "\x01\n", "the character U+0001 is not allowed"),
    ("😀: \ud800\n", "\ud800\n", "the character U+D800 is not allowed"),
    ("😀: \ufffe\n", "\ufffe\n", "the character U+FFFE is not allowed"),
    ("a: x\x00y\n", "\x00y\n", "the character U+0000 is not allowed"),
    ("%YAML 3.0\n--- a\n", "%YAML 3.0\n--- a\n", "incompatible YAML document"),
]


@pytest.mark.skipif(yaml.CParser is None, reason="this platform has the pure parser only")
@pytest.mark.parametrize(("text", "rest", "detail"), PLACES)
def test_broken_text_is_a_problem_with_a_place(text, rest, detail):
    problem = problem_of(text)
    assert problem.reason == "syntax"
    assert text[problem.offset :] == rest
    assert detail in problem.detail


@pytest.mark.parametrize(("text", "rest", "_detail"), PLACES)
def test_the_pure_parser_finds_the_same_places(monkeypatch, text, rest, _detail):
    monkeypatch.setattr(yaml, "_events", yaml._pure_events)
    problem = problem_of(text)
    assert problem.reason == "syntax"
    assert text[problem.offset :] == rest
    assert "\n" not in problem.detail


def test_what_only_the_pure_parser_stumbles_over_is_a_problem(monkeypatch):
    monkeypatch.setattr(yaml, "_events", yaml._pure_events)
    assert problem_of('a: "\\UFFFFFFFF"').reason == "syntax"


@given(st.text("ab:-?,[]{}|>&*!%#'\"\\ \t\n\r\x85\u2028é😀\ufeff\x00\ud8001+<"))
def test_any_text_is_trees_or_a_problem(text):
    try:
        places = [(tree.start, tree.end) for tree in documents(text) if tree is not None]
    except YamlProblem as problem:
        places = [(problem.offset, len(text))]
    assert all(0 <= start <= end <= len(text) for start, end in places)


def test_collecting_garbage_goes_on_afterwards():
    documents("a: 1")
    problem_of("a: [")
    assert gc.isenabled()
