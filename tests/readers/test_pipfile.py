"""Pipfile: tables of packages with the constraints and locations of Pipenv."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import never_fails
from requirement_facts import items_of, quote, requirements_of, summary

from servelint.finding import Skip
from servelint.readers import claim

PIPFILE = """\
# é
[[source]]
url = "https://index.example/simple"
verify_ssl = true
name = "never"

[packages]
Foo-Bar = {version = "==1.0", extras = ["A_b", "c"]}
any = "*"
ranged = ">=1,<2"
bare = "1.0"
repo = {git = "https://h/o/repo.git", ref = "v1", editable = true, extras = ["x"]}
here = {path = ".", editable = true}
wheel = {file = "https://h/wheel-1.0-py3-none-any.whl"}
other-system = {version = "*", markers = "sys_platform == 'win32'"}
mac = {version = "*", sys_platform = "== 'darwin'"}
linux = {version = "==2", sys_platform = "== 'linux'"}
"dotted.name" = "==1.*"

[dev-packages]
tool = "==3"

[docs]
book = "==4"

[requires]
python_version = "3.12"

[scripts]
run = "never==1"
"""


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_all_tables_of_packages_are_read(line_break):
    text = PIPFILE.replace("\n", line_break)
    assert summary(text, requirements_of("pipfile", text)) == [
        ("pinned", "foo-bar", "1.0", "1.0", ("a-b", "c")),
        ("unpinned", "any", None, None, ()),
        ("range", "ranged", ">=1,<2", ">=1,<2", ()),
        ("pinned", "bare", "1.0", "1.0", ()),
        ("vcs", "repo", "https://h/o/repo.git@v1", "https://h/o/repo.git", ("x",)),
        ("path", "here", ".", ".", ()),
        ("url", "wheel", "1.0", "1.0", ()),
        ("pinned", "linux", "2", "2", ()),
        ("range", "dotted-name", "==1.*", "==1.*", ()),
        ("pinned", "tool", "3", "3", ()),
        ("pinned", "book", "4", "4", ()),
    ]


def test_a_fact_quotes_from_the_name_to_the_version():
    first, *_ = requirements_of("pipfile", PIPFILE)
    assert quote(PIPFILE, first) == 'Foo-Bar = {version = "==1.0'
    assert first.owner.steps == ("requirement", 0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[packages]\nfoo = 3\n", "syntax"),
        ("[packages]\nfoo = '=='\n", "syntax"),
        ("[packages\n", "syntax"),
    ],
)
def test_what_cannot_be_read_is_named(text, reason):
    (skip,) = items_of("pipfile", text)
    assert isinstance(skip, Skip)
    assert skip.reason == reason


def test_the_name_of_the_file_tells():
    assert claim("a/Pipfile") == "pipfile"
    assert claim("a/Pipfile.lock") == "lockfile"


@given(st.text(alphabet='[]packges="*{}.,\n=1 é', max_size=60))
def test_no_text_breaks_it(text):
    never_fails("pipfile", "[packages]\n" + text)
