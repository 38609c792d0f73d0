"""setup.cfg and tox.ini: each list is a text of requirements."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import never_fails
from requirement_facts import items_of, quote, requirements_of, summary

from servelint.facts import Uses
from servelint.readers import claim
from servelint.syntax.ini import values
from servelint.value import Open

SETUP = """\
[metadata]
name = é
install_requires = never==1

[options]
python_requires = >=3.11
install_requires =
    Foo[A]==1.0
    # never==2

    bar>=1 ; python_version > "3"
      ; never==3
packages = find:

[options.extras_require]
one = baz==1; qux==2
many =
\tbaz==3
"""

TOX = """\
[tox]
env_list = py

[testenv]
deps =
    foo==1.0
    py311,!gpu: bar==2.0
    git+https://h/o/repo@v1
    -r{toxinidir}/requirements.txt
    -c constraints.txt
    {[other]deps}
    baz=={env:BAZ_VERSION:3.0}
commands = pip install never==1

[testenv:docs]
deps = foo==2.0
"""


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_lists_of_setuptools(line_break):
    text = SETUP.replace("\n", line_break)
    facts = requirements_of("setup-cfg", text, "setup.cfg")
    assert summary(text, facts) == [
        ("pinned", "foo", "1.0", "1.0", ("a",)),
        ("range", "bar", ">=1", ">=1", ()),
        ("pinned", "baz", "1", "1", ()),
        ("pinned", "qux", "2", "2", ()),
        ("pinned", "baz", "3", "3", ()),
    ]
    assert quote(text, facts[0]) == "Foo[A]==1.0"
    assert len({fact.owner for fact in facts}) == len(facts)


def test_files_in_the_place_of_a_list():
    text = "[options]\ninstall_requires = file: a.txt, sub/b.txt\n"
    uses = items_of("setup-cfg", text, "pkg/setup.cfg")
    assert [(one.how, one.target, quote(text, one)) for one in uses] == [
        ("requirements", "pkg/a.txt", "a.txt"),
        ("requirements", "pkg/sub/b.txt", "sub/b.txt"),
    ]
    assert items_of("setup-cfg", text.replace("a.txt, sub", "/"), "setup.cfg") == []


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_lists_of_tox(line_break):
    text = TOX.replace("\n", line_break)
    facts = requirements_of("setup-cfg", text, "tox.ini")
    location = "git+https://h/o/repo@v1"
    foo, bar, repo, baz, last = facts
    assert summary(text, [foo, bar, repo, last]) == [
        ("pinned", "foo", "1.0", "1.0", ()),
        ("pinned", "bar", "2.0", "2.0", ()),
        ("vcs", "repo", location, location, ()),
        ("pinned", "foo", "2.0", "2.0", ()),
    ]
    assert baz.version.readings == ((Open("BAZ_VERSION", "${BAZ_VERSION}"),),)
    assert quote(text, baz.version) == "{env:BAZ_VERSION:3.0}"
    uses = [item for item in items_of("setup-cfg", text, "a/tox.ini") if isinstance(item, Uses)]
    assert [(one.how, one.target) for one in uses] == [
        ("requirements", "a/requirements.txt"),
        ("constraints", "a/constraints.txt"),
    ]


def test_the_names_of_the_files_tell():
    assert claim("a/setup.cfg") == claim("tox.ini") == "setup-cfg"
    assert claim("a/other.cfg") == claim("other.ini") == ""


def test_values_are_read_as_python_reads_them():
    text = "[a]\nk = 1\n  2\n\n  # c\n  3\nl: 4\n[b]\nm =\nn\no=5"
    found = [
        (one.section, one.key, [text[start:end] for start, end in one.lines])
        for one in values(text)
    ]
    assert found == [
        ("a", "k", ["1", "2", "3"]),
        ("a", "l", ["4"]),
        ("b", "m", []),
        ("b", "o", ["5"]),
    ]


@given(st.text(alphabet="foo=1[];:#{}env$ ,-r\n\té", max_size=60))
def test_no_text_breaks_it(text):
    never_fails("setup-cfg", f"[testenv]\ndeps = {text}\n[options]\ninstall_requires = {text}")
