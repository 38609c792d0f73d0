"""JSON with places: it means what ``json`` says, and each string is where it stands."""

from __future__ import annotations

import contextlib
import json
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servelint.source import Route, Source
from servelint.syntax.json_strings import (
    MAX_DEPTH,
    MAX_VALUES,
    JsonError,
    JsonString,
    decode,
    parse_json,
)


def meant(text, value):
    """What ``json`` would make of a value; numbers and the like are None."""
    match value:
        case JsonString():
            return decode(text, value)[0]
        case list():
            return [meant(text, item) for item in value]
        case dict():
            return {key: meant(text, item) for key, item in value.items()}
    return None


def reduced(value):
    match value:
        case str():
            return re.sub("[\ud800-\udfff]", "\ufffd", value)
        case list():
            return [reduced(item) for item in value]
        case dict():
            return {reduced(key): reduced(item) for key, item in value.items()}
    return None


def refused(text):
    with pytest.raises(JsonError) as caught:
        parse_json(text)
    return caught.value


def test_strings_say_where_they_stand():
    text = '{"a": ["x", {"b": "é y"}], "c": 1, "d": "z"}'
    data = parse_json(text)
    places = [data["a"][0], data["a"][1]["b"], data["d"]]
    assert [text[place.start : place.end] for place in places] == ["x", "é y", "z"]
    assert data["c"] is None


def test_of_equal_keys_the_last_counts():
    text = '{"a": "x", "\\u0061": "y"}'
    assert meant(text, parse_json(text)) == {"a": "y"}


@pytest.mark.parametrize(
    ("written", "value", "quoted"),
    [
        (r"a\nb", "\n", r"\n"),
        (r"a\"b", '"', r"\""),
        (r"a\\nb", "\\", r"\\"),
        (r"a\/b", "/", r"\/"),
        (r"a\u00e9b", "é", r"\u00e9"),
        (r"a\ud83d\ude00b", "😀", r"\ud83d\ude00"),
        (r"a\ud83db", "\ufffd", r"\ud83d"),
        (r"a\ude00\ud83db", "\ufffd", r"\ude00"),
        ("a😀b", "😀", "😀"),
    ],
)
def test_an_escape_is_quoted_as_a_whole(written, value, quoted):
    text = f'["{written}"]'
    source = Source("a.json", text, "json", Route("a.json"))
    made, pieces = decode(text, parse_json(text)[0])
    child = source.embed(made, pieces, "text")
    assert made.startswith(f"a{value}")
    span = child.span(1, 2)
    assert text[span.start : span.end] == quoted
    whole = child.span(0, len(made))
    assert text[whole.start : whole.end] == written


def test_an_empty_string_has_a_place():
    text = '["a", ""]'
    source = Source("a.json", text, "json", Route("a.json"))
    made, pieces = decode(text, parse_json(text)[1])
    assert made == ""
    assert source.embed(made, pieces, "text").span(0, 0).start == text.rindex('"')


@pytest.mark.parametrize(
    ("text", "detail", "at"),
    [
        ("", "expected a value", 0),
        ("[1, ]", "expected a value", 4),
        ("[1 2]", "expected a comma", 3),
        ('{"a" 1}', "expected a colon", 5),
        ('{"a": 1, }', "expected a key", 9),
        ("{a: 1}", "expected a key", 1),
        ("[1] x", "expected the end of the text", 4),
        ('["a\nb"]', "expected a value", 1),
        ('["a', "expected a value", 1),
        (r'["\x"]', "expected a value", 1),
        ("[01]", "expected a comma", 2),
        ("<<<<<<< HEAD\n[]", "expected a value", 0),
    ],
)
def test_what_is_no_json_is_refused_where_it_breaks(text, detail, at):
    error = refused(text)
    assert (error.reason, str(error), error.offset) == ("syntax", f"not JSON: {detail}", at)


def test_depth_and_size_have_an_end():
    assert refused("[" * 100_000).reason == "too-deep"
    assert refused('{"a":' * 100_000).reason == "too-deep"
    deepest = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert parse_json(deepest) is not None
    assert refused("[" + "1," * MAX_VALUES + "1]").reason == "too-large"


@pytest.mark.parametrize(
    "text",
    [
        '"' + "\\" * 400_000,
        '["' + "\\u0041" * 100_000 + '"',
        "[" + "1" * 500_000,
        "[" + " " * 500_000,
        '{"a"' * 100_000,
        "-" * 500_000,
        '[""' + ',""' * 300_000 + "]",
    ],
)
def test_texts_made_to_be_slow_are_not(text):
    start = time.process_time()
    with contextlib.suppress(JsonError):
        parse_json(text)
    assert time.process_time() - start < 2


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(ANY_JSON, st.booleans(), st.sampled_from([None, 1, "\t"]))
def test_what_json_writes_is_read_alike(value, plain, indent):
    text = json.dumps(value, ensure_ascii=not plain, indent=indent)
    assert meant(text, parse_json(text)) == reduced(json.loads(text))


TOKENS = [
    *('"', '"a"', "\\", "\\n", "\\u00e9", "\\ud83d", "\\ude00", "é", "\x01", "[", "]", "{", "}"),
    *(",", ":", " ", "\n", "1", "0", "-", ".5", "e3", "null", "true", "NaN", "-Infinity", "x"),
]


@given(st.lists(st.sampled_from(TOKENS), max_size=12).map("".join))
def test_what_json_refuses_is_refused(text):
    try:
        expected = reduced(json.loads(text))
    except ValueError:
        assert refused(text).reason == "syntax"
    else:
        assert meant(text, parse_json(text)) == expected


@given(st.text(max_size=20), st.booleans())
def test_every_character_is_made_from_what_it_stands_for(value, plain):
    text = f"[{json.dumps(value, ensure_ascii=not plain)}]"
    source = Source("a.json", text, "json", Route("a.json"))
    made, pieces = decode(text, parse_json(text)[0])
    child = source.embed(made, pieces, "text")
    assert made == value
    for at, char in enumerate(made):
        span = child.span(at, at + 1)
        assert json.loads(f'"{text[span.start : span.end]}"') == char
