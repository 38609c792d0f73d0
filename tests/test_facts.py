"""Values: what is known of them, and what must never be taken for known."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import span, value

from servelint.value import MAX_READINGS, Text, Unknown, Value, concat, known, one_of, unknown


def test_a_known_value_is_its_text():
    assert known("a", span()).text == "a"
    assert known("a", span()).texts == ("a",)
    assert known("a", span()).reason == ""


def test_the_empty_text_is_known():
    assert Value(((),), span()).text == ""
    assert known("", span()).text == ""


def test_several_readings_have_no_single_text_and_equal_ones_count_once():
    assert value("a|b").text is None
    assert value("a|b").texts == ("a", "b")
    assert one_of([known("a", span(0)), known("a", span(5))], span()).text == "a"


def test_one_unknown_reading_makes_the_texts_unknown():
    assert value("a|<runtime-value>").texts is None
    assert value("a|<runtime-value>").reason == "runtime-value"
    assert value("a$B").texts is None
    assert value("a$B").reason == "unset-variable"


def test_a_value_without_readings_is_not_known():
    assert Value((), span()).texts is None
    assert Value((), span()).written == ""
    assert one_of([], span()).reason == "runtime-value"


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("--mode=prefill", "--mode=prefill"),
        ("--mode=$ROLE", "--mode="),
        ("--mode=prefill|--mode=decode", "--mode="),
        ("--mode=a|--mode=a$X", "--mode=a"),
        ("--mode|prefill", ""),
        ("$A=b", ""),
        ("ab|abc|abd", "ab"),
    ],
)
def test_the_head_is_what_all_readings_begin_with(text, head):
    assert value(text).head == head


@given(st.lists(st.text("ab", max_size=4), min_size=1, max_size=4))
def test_every_reading_begins_with_the_head_and_no_longer_text_would_do(texts):
    held = one_of([known(text, span()) for text in texts], span())
    assert all(text.startswith(held.head) for text in texts)
    following = {text[: len(held.head) + 1] for text in texts}
    assert len(following) > 1 or held.head in texts


def test_the_tail_drops_the_head_of_every_reading():
    assert value("--mode=prefill|--mode=decode").tail(7).texts == ("prefill", "decode")
    assert value("--mode=$ROLE").tail(7).written == "$ROLE"
    assert value("--mode=").tail(7).text == ""
    joined = concat([known("--mo", span()), known("de=x", span())], span())
    assert joined.tail(7).text == "x"


@given(st.lists(st.text("ab=", max_size=3), max_size=4), st.integers(0, 12))
def test_the_tail_is_the_rest_of_the_text(pieces, count):
    held = concat([known(piece, span()) for piece in pieces], span())
    if count <= len(held.head):
        assert held.tail(count).text == "".join(pieces)[count:]


def test_concat_is_every_combination():
    joined = concat([value("a|b"), known("-", span()), value("c|d")], span())
    assert joined.texts == ("a-c", "a-d", "b-c", "b-d")


def test_too_many_combinations_are_many_values_with_the_places_they_came_through():
    five = Value(tuple((Text(str(n), (span(n),)),) for n in range(5)), span())
    joined = concat([five, five, known("end", span())], span())
    assert joined.reason == "many-values"
    assert joined.written == "00end"
    assert joined.trail == tuple(span(n) for n in range(5))


def test_too_many_choices_are_many_values():
    exactly = one_of([known(str(n), span()) for n in range(MAX_READINGS)], span())
    assert len(exactly.texts) == MAX_READINGS
    more = one_of([*(known(str(n), span()) for n in range(MAX_READINGS)), value("x")], span())
    assert more.reason == "many-values"
    assert more.written == "0"


def test_the_trail_names_every_place_once_in_order():
    parts = (Text("a", (span(1), span(2))), Unknown("runtime-value", "?", (span(2), span(3))))
    assert Value((parts,), span()).trail == (span(1), span(2), span(3))


def test_a_value_can_stand_elsewhere_and_cannot_be_changed():
    moved = value("a").at(span(7, 8))
    assert (moved.text, moved.span) == ("a", span(7, 8))
    with pytest.raises(FrozenInstanceError):
        moved.span = span()


def test_unknown_keeps_its_writing():
    held = unknown("template-function", "{{ x }}", span(), (span(4),))
    assert (held.written, held.reason, held.trail) == ("{{ x }}", "template-function", (span(4),))
