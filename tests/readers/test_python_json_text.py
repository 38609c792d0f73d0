"""What Python makes of data with ``json.dumps``, in the words of a command."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import quoted, shown

from servelint.facts import Launch
from servelint.read import read
from servelint.source import Route, Source

START = "import json, os, subprocess\n"


def words(text):
    """The words of the one command that a text holds."""
    source = Source("a.py", text, "python", Route("a.py"), needles=("tool.launch",))
    (launch,) = (item for item in read(source) if isinstance(item, Launch))
    return launch.argv


def word(code, before=""):
    """The word that an expression is in a command."""
    return shown(words(f'{START}{before}subprocess.run(["tool.launch", "--x", {code}])\n')[2])


@pytest.mark.parametrize(
    ("code", "made"),
    [
        (
            "json.dumps({'a': 'b', 'c': [1, 2.5, True, None]})",
            '{"a": "b", "c": [1, 2.5, true, null]}',
        ),
        ("json.dumps(dict(a='b'))", '{"a": "b"}'),
        ("json.dumps({})", "{}"),
        ("json.dumps([])", "[]"),
        ("json.dumps('say \"x\"')", '"say \\"x\\""'),
        ("json.dumps({'a': os.environ['A']})", '{"a": "<A>"}'),
        ("json.dumps({'a': f'{os.environ[\"A\"]}-b'})", '{"a": "<A>-b"}'),
        ("json.dumps({'a': unknown()})", '{"a": "<runtime-value>"}'),
        ("json.dumps({unknown(): 1})", "<runtime-value>"),
        ("json.dumps({**unknown()})", "<runtime-value>"),
        ("json.dumps(unknown())", "<runtime-value>"),
    ],
)
def test_data_is_one_text(code, made):
    assert word(code) == made


def test_each_alternative_is_a_text_of_its_own():
    before = "role = 'a' if unknown() else 'b'\n"
    assert word("json.dumps({'role': role})", before) == '{"role": "a"}|{"role": "b"}'
    before = "data = {'role': 'a'} if unknown() else ['b']\n"
    assert word("json.dumps(data)", before) == '{"role": "a"}|["b"]'


def test_a_value_is_told_where_it_was_written():
    text = START + (
        "config = {'role': 'prefill'}\n"
        'subprocess.run(["tool.launch", "--x", json.dumps(config)])\n'
    )
    value = words(text)[2]
    assert shown(value) == '{"role": "prefill"}'
    assert any("prefill" in quoted(text, span) for span in (value.span, *value.trail))


def test_data_that_nests_too_deep_is_not_told():
    assert word(f"json.dumps({'[' * 30}{']' * 30})") == "<runtime-value>"


DATA = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.text("ab\"\\é\n'", max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('ab"é'), inner, max_size=3),
    max_leaves=8,
)


@given(DATA)
def test_what_is_made_is_what_python_makes(data):
    assert word(f"json.dumps({data!r})") == json.dumps(data)
