"""Pipfile.lock: the packages of each category."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import never_fails
from requirement_facts import items_of, quote, requirements_of, summary

from servelint.finding import Skip
from servelint.source import Route, Source

PATH = "sub/Pipfile.lock"
LOCK = """\
{
    "_meta": {
        "hash": {"sha256": "00"},
        "sources": [{"name": "foo", "url": "https://index.example/simple"}]
    },
    "default": {
        "Foo_Bar": {
            "extras": ["A_b"],
            "hashes": ["sha256:00", "sha256:11"],
            "index": "Foo_Bar",
            "markers": "python_version >= '3.8'",
            "version": "==1.0"
        },
        "repo": {"git": "https://h/o/repo.git", "ref": "0123abcd", "editable": true},
        "wheel": {"file": "https://h/wheel-1.whl"},
        "here": {"path": ".", "editable": true},
        "windows": {"version": "==1", "markers": "sys_platform == 'win32'"}
    },
    "develop": {
        "Foo_Bar": {"version": "==2.0"}
    },
    "docs": {
        "book": {"version": "===3.0"}
    }
}
"""


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_all_categories_are_read(line_break):
    text = LOCK.replace("\n", line_break)
    assert summary(text, requirements_of("lockfile", text, PATH)) == [
        ("locked", "foo-bar", "1.0", "1.0", ("a-b",)),
        ("vcs", "repo", "https://h/o/repo.git@0123abcd", "https://h/o/repo.git", ()),
        ("url", "wheel", "https://h/wheel-1.whl", "https://h/wheel-1.whl", ()),
        ("path", "here", ".", ".", ()),
        ("locked", "foo-bar", "2.0", "2.0", ()),
        ("locked", "book", "3.0", "3.0", ()),
    ]


def test_a_fact_quotes_from_the_name_to_the_version():
    first, *_, second, _ = requirements_of("lockfile", LOCK, PATH)
    assert quote(LOCK, first).startswith('Foo_Bar": {\n            "extras"')
    assert quote(LOCK, first).endswith('"version": "==1.0')
    assert quote(LOCK, second) == 'Foo_Bar": {"version": "==2.0'
    assert first.owner == second.owner == Route(PATH, ("package", "foo-bar"))


def test_needles_keep_names_and_extras():
    text = json.dumps(
        {
            "default": {
                "ai-dynamo": {"extras": ["sglang"], "version": "==1.1.1"},
                "sglang_kt": {"version": "==0.5.6"},
                "lsglang": {"version": "==1"},
                "other": {"version": "==1", "markers": "sglang"},
            }
        }
    )
    facts = requirements_of("lockfile", text, PATH, needles=("sglang",))
    assert [fact.name for fact in facts] == ["ai-dynamo", "sglang-kt", "lsglang"]
    assert facts[0].extras == ("sglang",)


def test_a_name_with_escapes_is_read():
    text = '{"default": {"f\\u006fo": {"version": "==1"}}}'
    (fact,) = requirements_of("lockfile", text, PATH)
    assert (fact.name, quote(text, fact.version)) == ("foo", "1")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"default": {"foo": {}}}', "syntax"),
        ('{"default": {"foo": {"version": "*"}}}', "syntax"),
        ('{"default": {"foo": 3}}', "syntax"),
        ("<<<<<<< ours\n{}", "syntax"),
        ("[" * 100_000, "too-deep"),
    ],
)
def test_what_cannot_be_read_is_named(text, reason):
    (skip,) = items_of("lockfile", text, PATH)
    assert isinstance(skip, Skip)
    assert skip.reason == reason


@pytest.mark.parametrize("text", ["[]", "3", '{"default": []}', '{"_meta": {"foo": {}}}'])
def test_other_json_says_nothing(text):
    assert items_of("lockfile", text, PATH) == []


def test_long_lists_are_read_in_time():
    row = '"sglang%d": {"hashes": [' + ", ".join(['"sha256:00"'] * 20) + '], "version": "==1"}'
    text = '{"default": {' + ", ".join(row % number for number in range(10_000)) + "}}"
    start = time.process_time()
    assert len(requirements_of("lockfile", text, PATH, needles=("sglang",))) == 10_000
    assert time.process_time() - start < 5


@given(st.text(alphabet='{}[]":,=1aversion \\n', max_size=60))
def test_no_text_breaks_it(text):
    source = Source(PATH, '{"default": {"foo": ' + text, "lockfile", Route(PATH))
    never_fails(source.language, source.text)
    for item in items_of("lockfile", source.text, PATH):
        assert not isinstance(item, Skip) or item.reason != "plugin-error"
