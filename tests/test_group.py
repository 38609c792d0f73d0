"""Deployments: who is paired with whom, and who must not be."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import ENGINE, component

from servelint.group import deployments

PREFILL, DECODE = "engine serve --mode prefill", "engine serve --mode decode"
ROUTER, PLAIN = "python -m engine_router --prefill a", "engine serve"
UNKNOWN = "engine serve $ARGS"


def files(*pairs, **changes):
    """Components of command lines, by path."""
    return [component(text, path=path, **changes) for path, text in pairs]


def shape(parts):
    """The paths of each deployment."""
    return [tuple(one.owner.unit for one in group.components) for group in deployments(parts)]


def test_what_stands_in_one_file_is_one_deployment():
    parts = files(("a", PREFILL), ("a", DECODE), ("a", ROUTER))
    (group,) = deployments(parts)
    assert group.components == tuple(parts)
    assert group.links == ("file a",)


def test_one_component_has_no_link():
    (group,) = deployments(files(("a", PREFILL)))
    assert group.links == ()


def test_a_plain_server_stands_alone_even_in_the_same_file():
    assert shape(files(("a", PREFILL), ("a", PLAIN), ("a", DECODE))) == [("a", "a"), ("a",)]


def test_a_server_of_unknown_role_belongs_to_the_halves_of_its_file():
    assert shape(files(("a", UNKNOWN), ("a", ROUTER))) == [("a", "a")]


def test_variants_are_apart():
    parts = [
        *files(("a", PREFILL), variant="dev"),
        *files(("a", DECODE), variant="prod"),
        *files(("b", DECODE), variant="dev"),
    ]
    assert shape(parts) == [("a", "b"), ("a",)]


# -- pairs of files -----------------------------------------------------------


def test_the_only_two_of_a_directory_are_a_pair_whatever_their_names():
    (group,) = deployments(files(("x/one", PREFILL), ("x/two", DECODE)))
    assert group.links == ("directory x",)
    (top,) = deployments(files(("one", PREFILL), ("two", DECODE)))
    assert top.links == ("directory .",)


def test_the_prefill_half_comes_first():
    assert shape(files(("x/a", DECODE), ("x/b", PREFILL))) == [("x/b", "x/a")]


def test_a_pair_keeps_the_links_of_its_files():
    parts = files(("x/a", PREFILL), ("x/a", ROUTER), ("x/b", DECODE))
    (group,) = deployments(parts)
    assert group.links == ("file x/a", "directory x")


def test_other_directories_are_no_pair():
    assert shape(files(("x/a", PREFILL), ("y/a", DECODE))) == [("x/a",), ("y/a",)]
    assert shape(files(("x/a", PREFILL), ("x/y/a", DECODE))) == [("x/a",), ("x/y/a",)]


def test_two_candidates_are_paired_by_name_only():
    parts = files(
        ("x/small-prefill.yaml", PREFILL), ("x/large-prefill.yaml", PREFILL), ("x/d.yaml", DECODE)
    )
    assert len(shape(parts)) == 3
    parts = files(
        ("x/small-prefill.yaml", PREFILL),
        ("x/large-prefill.yaml", PREFILL),
        ("x/large-decode.yaml", DECODE),
    )
    assert shape(parts) == [
        ("x/small-prefill.yaml",),
        ("x/large-prefill.yaml", "x/large-decode.yaml"),
    ]


@pytest.mark.parametrize(
    ("prefill", "decode"),
    [
        ("prefill.yaml", "decode.yaml"),
        ("m-prefill-8.yaml", "m-decode-8.yaml"),
        ("m_p.sh", "m_d.sh"),
        ("p-m.sh", "d-m.sh"),
        ("m-p1.sh", "m-d1.sh"),
        ("Prefill-m.yaml", "Decode-m.yaml"),
        ("prefillserver.yaml", "decodeserver.yaml"),
        ("m-prefiller.yaml", "m-decoder.yaml"),
    ],
)
def test_names_that_differ_in_the_role_word_only_are_equal(prefill, decode):
    others = (("z-prefill", PREFILL), ("z-decode", DECODE))
    assert shape(files((prefill, PREFILL), (decode, DECODE), *others)) == [
        (prefill, decode),
        ("z-prefill", "z-decode"),
    ]


@pytest.mark.parametrize(
    ("prefill", "decode"),
    [
        ("cap.yaml", "cad.yaml"),  # the letters of a word are no role
        ("m-prefill-8.yaml", "m-decode-4.yaml"),
        ("a-prefill.yaml", "b-decode.yaml"),
        ("m-prefill.yaml", "m-decode.sh"),
    ],
)
def test_other_names_are_not(prefill, decode):
    others = (("z-prefill", PREFILL), ("z-decode", DECODE))
    assert shape(files((prefill, PREFILL), (decode, DECODE), *others)) == [
        (prefill,),
        (decode,),
        ("z-prefill", "z-decode"),
    ]


def test_equal_names_in_several_ways_are_no_pair():
    parts = files(("m-p", PREFILL), ("m-prefill", PREFILL), ("m-d", DECODE))
    assert len(shape(parts)) == 3
    parts = files(("m-p", PREFILL), ("m-d", DECODE), ("m-decode", DECODE))
    assert len(shape(parts)) == 3


@pytest.mark.parametrize("text", [UNKNOWN, f"{PREFILL} --mode-switch"])
def test_only_a_single_known_role_is_paired(text):
    assert shape(files(("x/a", text), ("x/b", DECODE))) == [("x/a",), ("x/b",)]


def test_a_file_with_both_roles_is_complete():
    parts = files(("x/a", PREFILL), ("x/a", DECODE), ("x/b", DECODE))
    assert shape(parts) == [("x/a", "x/a"), ("x/b",)]


def test_halves_of_different_engines_are_no_pair():
    other = replace(ENGINE, id="other")
    parts = [*files(("x/a", PREFILL)), *files(("x/b", DECODE), engine=other)]
    assert shape(parts) == [("x/a",), ("x/b",)]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a-p", "a-d", "b-prefill", "x/p", "x/d", "x/e"]),
            st.sampled_from([PREFILL, DECODE, ROUTER, PLAIN, UNKNOWN]),
        ),
        max_size=8,
    )
)
def test_every_component_stands_in_exactly_one_deployment(pairs):
    parts = files(*pairs)
    placed = [one for group in deployments(parts) for one in group.components]
    assert len(placed) == len(parts)
    assert {id(one) for one in placed} == {id(one) for one in parts}
