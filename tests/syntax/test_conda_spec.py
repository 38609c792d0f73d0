"""Packages as conda asks for them, with their versions in PEP 440."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.specifiers import SpecifierSet

from servelint.source import Route, Source
from servelint.syntax.conda_spec import MAX_LENGTH, conda_to_pep440, read_conda


def spec(text):
    return read_conda(Source("f", text, "requirement", Route("f", ("requirement", 0))))


def quote(text, at):
    return text[at.span.start : at.span.end]


@pytest.mark.parametrize(
    ("text", "kind", "quoted", "meant"),
    [
        ("foo==1.0", "pinned", "1.0", ("1.0",)),
        ("foo == 1.0", "pinned", "1.0", ("1.0",)),
        ("foo 1.0", "pinned", "1.0", ("1.0",)),
        ("foo 1.0 py_0", "pinned", "1.0", ("1.0",)),
        ("chan-nel/linux-64::foo=1.0=py_0", "pinned", "1.0", ("1.0",)),
        ("foo=1.0=*cuda*", "pinned", "1.0", ("1.0",)),
        ("foo=1.0.post1", "pinned", "1.0.post1", ("1.0.post1",)),
        ("foo[version='1.0', build=x]", "pinned", "1.0", ("1.0",)),
        ("foo=1.0", "range", "=1.0", ("==1.0.*",)),
        ("foo =1.0", "range", "=1.0", ("==1.0.*",)),
        ("foo=1.0[build=x]", "range", "=1.0", ("==1.0.*",)),
        ("foo=1.*", "range", "=1.*", ("==1.*",)),
        ("foo=1*", "range", "=1*", ("==1.*",)),
        ("foo>=1,<2.0a0", "range", ">=1,<2.0a0", (">=1,<2.0a0",)),
        ("foo >=1, <2 *cuda", "range", ">=1, <2", (">=1,<2",)),
        ("foo=>1", "range", "=>1", (">1",)),
        ("foo!=1.*", "range", "!=1.*", ("!=1.*",)),
        ("foo~=1.2", "range", "~=1.2", ("~=1.2",)),
        ("foo>=2|=1.0", "range", ">=2|=1.0", (">=2", "==1.0.*")),
        ('foo[version=">=1"]', "range", ">=1", (">=1",)),
    ],
)
def test_what_is_asked_for(text, kind, quoted, meant):
    fact = spec(text)
    value = fact.version or fact.specifier
    assert (fact.name, fact.kind, quote(text, value)) == ("foo", kind, quoted)
    assert value.texts == meant
    assert (fact.version is None) == (kind == "range")
    assert quote(text, fact) == text[text.index("foo") : value.span.end]


@pytest.mark.parametrize("text", ["Foo_Bar", "foo.bar *", "c::foo-bar", "foo-bar=*=cuda"])
def test_any_version(text):
    fact = spec(text)
    assert (fact.name, fact.kind) == ("foo-bar", "unpinned")
    assert (fact.version, fact.specifier) == (None, None)


@pytest.mark.parametrize(
    "text",
    ["", "=1", "foo>", "foo=1=2=3", "./a.conda", "https://h/foo-1-0.conda", "foo = = 1", "foo[a"],
)
def test_what_is_no_package(text):
    assert spec(text) is None
    assert spec("foo " + "x" * MAX_LENGTH) is None


@pytest.mark.parametrize("text", ["1.0..", "1|", ">=1,,<2", "a b", "x" * (MAX_LENGTH + 1)])
def test_versions_that_are_none(text):
    assert conda_to_pep440(text) is None


@given(st.text(alphabet="fo1.0=<>!~|,* []:'\"-ä", max_size=20))
def test_whatever_stands_there_is_quoted(text):
    fact = spec(text)
    for value in (fact.version, fact.specifier) if fact is not None else ():
        if value is not None:
            for each in value.texts or ():
                SpecifierSet(each if value is fact.specifier else f"=={each}")
            assert quote(text, value) in quote(text, fact)
