"""The scanner finds every string that tomllib finds, where it stands."""

from __future__ import annotations

import contextlib
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servelint.source import Route, Source
from servelint.syntax.toml_scanner import MAX_DEPTH, MAX_STRINGS, TomlError, decode
from servelint.syntax.toml_strings import embed, parse, refusal


def leaves(node, path=()):
    """Every string of parsed TOML by its path."""
    if isinstance(node, str):
        return {path: node}
    found = {}
    if isinstance(node, dict | list):
        for key, child in node.items() if isinstance(node, dict) else enumerate(node):
            found |= leaves(child, (*path, key))
    return found


def values(text):
    toml = parse(text)
    return {path: decode(text, string)[0] for path, string in toml.strings.items()}


def written(text):
    """The content of each string as it stands between its quotes."""
    return {path: text[at.start : at.end] for path, at in parse(text).strings.items()}


def quoted_key(text, *path):
    start, end = parse(text).keys[path]
    return text[start:end]


def test_content_lies_between_the_quotes():
    text = 'a = "x"  # "c"\nb = \'y "z"\'\nc = ""\n'
    assert written(text) == {("a",): "x", ("b",): 'y "z"', ("c",): ""}


def test_paths_go_through_tables_arrays_and_inline_tables():
    text = (
        'top = "0"\n[a.b]\nc = ["1", ["2"], {d.e = "3"}]\n'
        '[[p]]\nn = "4"\n[p.q]\nr = "5"\n[[p]]\nn = "6"\n[[p.s]]\nt = "7"\n'
    )
    assert written(text) == {
        ("top",): "0",
        ("a", "b", "c", 0): "1",
        ("a", "b", "c", 1, 0): "2",
        ("a", "b", "c", 2, "d", "e"): "3",
        ("p", 0, "n"): "4",
        ("p", 0, "q", "r"): "5",
        ("p", 1, "n"): "6",
        ("p", 1, "s", 0, "t"): "7",
    }


def test_other_values_are_passed_over():
    text = "a = [1979-05-27 07:32:00, 1_000, -inf, true, 0x1F] # [\nb = 1.5\nc = {d = 1}\ne = 'x'\n"
    assert written(text) == {("e",): "x"}


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_strings_over_several_lines(line_break):
    lines = [
        'a = """',
        "one",
        'two"""""',
        "b = '''x",
        "y''''",
        'c = """"""',
        'd = """a \\',
        '  b"""',
    ]
    text = line_break.join(lines)
    assert values(text) == leaves(tomllib.loads(text))
    assert written(text)["a",] == f'one{line_break}two""'
    assert written(text)["b",] == f"x{line_break}y'"


def test_a_header_in_a_string_is_text():
    assert written('a = """\n[b]\nc = "d"\n"""\n') == {("a",): '[b]\nc = "d"\n'}


def test_keys_are_quoted_without_their_quotes():
    text = '[t."x.y"]\n"a\\u0062" = 1\nc.d = 2\n'
    assert quoted_key(text, "t", "x.y") == "x.y"
    assert quoted_key(text, "t", "x.y", "ab") == "a\\u0062"
    assert quoted_key(text, "t", "x.y", "c", "d") == "d"


def test_an_embedded_string_maps_to_the_file():
    text = '# é\na = "x \\"y\\" \\u0041bc"\n'
    source = Source("f", text, "toml", Route("f"))
    child = embed(source, parse(text).strings["a",], "word", "step")
    assert child.text == 'x "y" Abc'
    assert child.owner.steps == ("step",)
    for piece in ('"y"', "Abc", "bc"):
        at = child.text.index(piece)
        span = child.span(at, at + len(piece))
        assert tomllib.loads(f'v = "{text[span.start : span.end]}"')["v"] == piece


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a = 1\nb = [1\nc = 2\n", "c = 2"),
        ("a = 1\r\nb = {x = 1,\r\n y = 2}\r\n", "b = {x = 1,"),
        ("<html>\n", "<html>"),
        ("a = 1\nb = \n", "b = "),
        ("a = '\\ud800'\na = 1", "a = 1"),
        ('"\\uZZZZ" = 1', '"\\uZZZZ" = 1'),
    ],
)
def test_what_is_not_toml_is_refused_at_its_line(text, line):
    with pytest.raises(TomlError) as caught:
        parse(text)
    skip = refusal(Source("f", text, "toml", Route("f")), caught.value)
    assert skip.reason == "syntax"
    assert skip.detail.startswith("not TOML: ")
    assert text[skip.span.start : skip.span.end] == line


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 5_000,
        "a = " + "{a = " * 5_000,
        ".".join("a" * (MAX_DEPTH + 1)) + " = 1",
        "[" + ".".join("a" * 50_000) + "]",
        "[" + ".".join("a" * MAX_DEPTH) + "]\na = 1",
    ],
)
def test_deep_texts_are_refused_before_the_parser_sees_them(text):
    with pytest.raises(TomlError) as caught:
        parse(text)
    assert caught.value.reason == "too-deep"


def test_the_number_of_strings_is_bounded():
    with pytest.raises(TomlError) as caught:
        parse("a = [" + "''," * (MAX_STRINGS + 1) + "]")
    assert caught.value.reason == "too-large"


ESCAPES = st.sampled_from(["\\n", '\\"', "\\\\", "\\u00e9", "\\U0001F600", "\\t"])
PLAIN = st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\"'\\"))
BREAKS = st.sampled_from(["\n", "\r\n"])
BASIC = st.lists(PLAIN | ESCAPES, max_size=4).map("".join)
LONG = st.lists(PLAIN | ESCAPES | BREAKS | st.just('"x') | st.just("\\\n  "), max_size=5).map(
    "".join
)
STRINGS = (
    BASIC.map('"{}"'.format)
    | PLAIN.map("'{}'".format)
    | LONG.map('"""{}"""'.format)
    | st.lists(PLAIN | BREAKS | st.just("''x"), max_size=4).map("".join).map("'''{}'''".format)
)
SCALARS = STRINGS | st.sampled_from(["1", "-2.5e3", "true", "1979-05-27T07:32:00Z", "inf"])
GAPS = st.sampled_from(["", " ", "\n", "\r\n", " # c ] } \" '\n"])


def arrays(items):
    rows = st.lists(st.tuples(GAPS, items, GAPS).map("".join), max_size=3)
    return st.tuples(rows, st.sampled_from(["", ","])).map(
        lambda found: f"[{','.join(found[0])}{found[1] if found[0] else ''}]"
    )


def names():
    bare = st.text("abc-_1", min_size=1, max_size=3)
    return bare | BASIC.map('"{}"'.format) | PLAIN.map("'{}'".format)


def tables(items):
    pairs = st.lists(st.tuples(names(), items).map(" = ".join), max_size=3)
    return pairs.map(lambda found: "{" + ", ".join(found) + "}")


VALUES = st.recursive(SCALARS, lambda items: arrays(items) | tables(items), max_leaves=8)
KEYS = st.lists(names(), min_size=1, max_size=2).map(" . ".join)
LINES = (
    st.tuples(KEYS, VALUES).map(" = ".join)
    | KEYS.map("[{}]".format)
    | KEYS.map("[[{}]]".format)
    | st.just("# comment [a] = \"'")
)


@given(st.lists(LINES, max_size=8), BREAKS)
def test_every_string_of_tomllib_is_found(lines, line_break):
    text = line_break.join(lines)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        with pytest.raises(TomlError):
            parse(text)
        return
    assert values(text) == leaves(data)


@given(st.lists(LINES, max_size=3))
def test_pieces_map_each_character_of_a_value(lines):
    text = "\n".join(lines)
    with contextlib.suppress(TomlError):
        for string in parse(text).strings.values():
            value, pieces = decode(text, string)
            assert sum(piece.end - piece.start for piece in pieces) == len(value)
            for piece in pieces:
                taken = text[piece.origin_start : piece.origin_end]
                assert string.start <= piece.origin_start <= piece.origin_end <= string.end
                if "\\" not in taken and "\r" not in taken:
                    assert value[piece.start : piece.end] == taken


@given(st.text("[]{}=.,#\"'\\\n\r \tabux01é"))
def test_any_text_is_read_or_refused(text):
    with contextlib.suppress(TomlError):
        assert values(text) == leaves(tomllib.loads(text))
