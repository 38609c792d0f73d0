"""One requirement becomes one fact whose parts are quoted exactly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.requirements import InvalidRequirement
from packaging.requirements import Requirement as Parsed
from packaging.utils import canonicalize_name

from servelint.facts import Requirement
from servelint.finding import Skip
from servelint.source import Route, Source
from servelint.syntax.pep508 import MAX_LENGTH, is_location, read_location, read_requirement
from servelint.value import Open, Text


def source(text):
    return Source("f", text, "requirement", Route("f", ("requirement", 0)))


def quote(text, at):
    return text[at.span.start : at.span.end]


@pytest.mark.parametrize(
    ("text", "kind", "quoted", "version", "specifier"),
    [
        ("Foo.Bar==1.0", "pinned", "Foo.Bar==1.0", "1.0", None),
        (
            "  foo[a, b] == 1.0+cu1 ; python_version>'3'",
            "pinned",
            "foo[a, b] == 1.0+cu1",
            "1.0+cu1",
            None,
        ),
        ("foo===1.0", "pinned", "foo===1.0", "1.0", None),
        ("foo==1.0,", "pinned", "foo==1.0", "1.0", None),
        ("foo==0.4.6.*", "range", "foo==0.4.6.*", None, "==0.4.6.*"),
        ("foo==1.0,<2", "range", "foo==1.0,<2", None, "==1.0,<2"),
        ("foo >=1, <2 ", "range", "foo >=1, <2", None, ">=1, <2"),
        ("foo (>=1,<2) ; extra == 'x'", "range", "foo (>=1,<2", None, ">=1,<2"),
        ("foo~=1.0", "range", "foo~=1.0", None, "~=1.0"),
        ("foo", "unpinned", "foo", None, None),
        ("foo()", "unpinned", "foo", None, None),
        ("foo [x] ; extra == 'y'", "unpinned", "foo [x]", None, None),
        (
            "foo @ git+https://h/x@v1#egg=y",
            "vcs",
            "foo @ git+https://h/x@v1#egg=y",
            None,
            "git+https://h/x@v1#egg=y",
        ),
        (
            "foo@https://h/x.zip ; extra == 'y'",
            "url",
            "foo@https://h/x.zip",
            None,
            "https://h/x.zip",
        ),
        ("foo @ file:///x", "path", "foo @ file:///x", None, "file:///x"),
        (
            "foo @ ./foo-1.0-py3-none-any.whl",
            "path",
            "foo @ ./foo-1.0-py3-none-any.whl",
            "1.0",
            "./foo-1.0-py3-none-any.whl",
        ),
        (
            "foo @ https://h/bar-1.0-py3-none-any.whl",
            "url",
            "foo @ https://h/bar-1.0-py3-none-any.whl",
            None,
            "https://h/bar-1.0-py3-none-any.whl",
        ),
    ],
)
def test_kinds_and_quotes(text, kind, quoted, version, specifier):
    fact = read_requirement(source(text))
    assert fact.kind == kind
    assert quote(text, fact) == quoted
    for value, expected in ((fact.version, version), (fact.specifier, specifier)):
        assert (value and value.text) == expected
        assert value is None or quote(text, value) == expected
    assert fact.name in ("foo", "foo-bar")
    assert fact.owner == Route("f", ("requirement", 0))
    assert not fact.runs


@pytest.mark.parametrize(
    ("text", "name", "kind", "version"),
    [
        ("git+https://h/x@ref#egg=Na.me", "na-me", "vcs", None),
        ("git+https://h/x@ref#subdirectory=python&egg=foo[all]", "foo", "vcs", None),
        ("git+ssh://git@h/x.git@v1#subdirectory=python", "x", "vcs", None),
        ("git+https://h/o/x@some/branch", "x", "vcs", None),
        ("git+git@h:o/x.git", "x", "vcs", None),
        ("git+https://h/o/x.git#subdirectory=pkgs/Foo_Bar", "foo-bar", "vcs", None),
        ("git+https://h", "", "vcs", None),
        ("https://h/foo_bar-1.0%2Bcu1-1-cp3-abi3-any.whl#sha256=0", "foo-bar", "url", "1.0+cu1"),
        ("wheels/foo-1-py3-none-any.whl", "foo", "path", "1"),
        ("foo-1-py3-none-any.whl", "foo", "path", "1"),
        ("foo-1.tar.gz", "", "path", None),
        (".", "", "path", None),
        (".[all]", "", "path", None),
        ("../x", "", "path", None),
        ("file:///x", "", "path", None),
    ],
)
def test_locations(text, name, kind, version):
    assert is_location(text)
    fact = read_location(source(text))
    assert (fact.name, fact.kind) == (name, kind)
    assert (fact.version and fact.version.text) == version
    assert fact.specifier.text == quote(text, fact) == text


@pytest.mark.parametrize(
    "text", ["foo", "foo==1.0", "foo @ git+https://h/x", "foo[a]@./x", "foo>=1 ; a == '/'"]
)
def test_names_are_no_locations(text):
    assert not is_location(text)


def test_the_version_of_a_wheel_is_quoted_as_written():
    text = "https://h/foo-1.0%2Bcu1-cp3-abi3-any.whl"
    assert quote(text, read_location(source(text)).version) == "1.0%2Bcu1"


@pytest.mark.parametrize(
    "text",
    [
        "./x ; sys_platform == 'win32'",
        "./x;sys_platform == 'win32'",
        "https://h/x; os_name == 'nt'",
    ],
)
def test_locations_for_other_systems_do_not_apply(text):
    assert read_location(source(text)) is None


def test_a_location_keeps_other_markers_out_of_its_quote():
    text = "https://h/x;y ; python_version > '3'"
    assert quote(text, read_location(source(text))) == "https://h/x;y"


@pytest.mark.parametrize("text", ["foo==1; sys_platform == 'win32'", "foo @ ./x ; os_name == 'nt'"])
def test_requirements_for_other_systems_do_not_apply(text):
    assert read_requirement(source(text)) is None


@pytest.mark.parametrize(
    "text", ["", " ", "foo==", "foo bar", "é==1", "foo;", "foo==${V}", "foo @ ", "-x"]
)
def test_what_is_no_requirement_is_refused_with_the_expectation(text):
    skip = read_requirement(source(text))
    assert (skip.stage, skip.reason) == ("read", "syntax")
    assert skip.detail.startswith("Expected")
    assert quote(text, skip) == text


@pytest.mark.parametrize("text", ["./a b", "", " ", ";", "; x"])
def test_what_is_no_location_is_refused(text):
    assert read_location(source(text)).reason == "syntax"


def test_long_texts_are_not_parsed():
    assert read_requirement(source("a" * (MAX_LENGTH + 1))).reason == "too-large"
    assert read_requirement(source("a; " + "(" * (MAX_LENGTH - 3))).reason == "syntax"


@pytest.mark.parametrize(
    ("text", "kind", "parts"),
    [
        ("foo==${VER}", "pinned", (Open("VER", "${VER}"),)),
        (
            "foo==1.${A}.${B}",
            "pinned",
            (Text("1."), Open("A", "${A}"), Text("."), Open("B", "${B}")),
        ),
        ("foo>=${A},<2", "range", (Text(">="), Open("A", "${A}"), Text(",<2"))),
        ("foo ${SPEC}", "range", (Open("SPEC", "${SPEC}"),)),
        ("foo[x]${SPEC}", "range", (Open("SPEC", "${SPEC}"),)),
        (
            "foo @ git+https://${T}@h/x",
            "vcs",
            (Text("git+https://"), Open("T", "${T}"), Text("@h/x")),
        ),
    ],
)
def test_variables_stay_open(text, kind, parts):
    fact = read_requirement(source(text), expand=True)
    value = fact.version or fact.specifier
    assert fact.kind == kind
    assert value.readings == (parts,)
    assert value.reason == "unset-variable"
    assert text.endswith(quote(text, value))


@pytest.mark.parametrize("text", ["${NAME}==1", "foo${X}==1", "foo${X}", "${X}"])
def test_a_variable_in_the_name_hides_the_package(text):
    assert read_requirement(source(text), expand=True).reason == "template"


def test_variables_of_other_tools_are_not_expanded():
    assert read_requirement(source("foo==${ver}"), expand=True).reason == "syntax"


def test_a_variable_in_the_host_leaves_the_wheel_known():
    fact = read_location(source("https://${HOST}/foo-1.0-py3-none-any.whl"), expand=True)
    assert (fact.name, fact.version.text) == ("foo", "1.0")


def test_a_variable_in_the_version_of_a_wheel_is_open():
    text = "https://h/v${V}/foo-1.${V}-py3-none-any.whl"
    fact = read_location(source(text), expand=True)
    assert (fact.name, fact.kind) == ("foo", "url")
    assert fact.version.readings == ((Text("1."), Open("V", "${V}")),)
    assert quote(text, fact.version) == "1.${V}"
    unread = read_location(source(text))
    assert (unread.name, unread.version) == ("", None)


@pytest.mark.parametrize(
    ("text", "extras"),
    [
        ("foo==1", ()),
        ("foo[]==1", ()),
        ("foo [ A.b , c_D,c-d ] ==1", ("a-b", "c-d")),
        ("foo[a] @ https://h/x.zip", ("a",)),
        ("foo[a]", ("a",)),
        ("foo[a]>=1", ("a",)),
        ("git+https://h/x#egg=foo[a,b]&subdirectory=c", ("a", "b")),
        ("git+https://h/x#subdirectory=c&egg=foo", ()),
        (".[a]", ("a",)),
        ("./dist/foo-1-py3-none-any.whl[a]", ("a",)),
    ],
)
def test_extras_are_normalised(text, extras):
    found = read_location(source(text)) if is_location(text) else read_requirement(source(text))
    assert found.extras == extras


def test_an_extra_that_is_open_is_left_out():
    fact = read_requirement(source("foo[a,${B}]==1"), expand=True)
    assert (fact.extras, fact.version.text) == (("a",), "1")


PIECES = st.sampled_from(
    [
        *(
            "foo",
            "Foo_.b",
            "[a]",
            "[a,b]",
            " ",
            "==",
            "===",
            ">=",
            "<",
            "1.0",
            "2.*",
            ",",
            ";",
            "(",
            ")",
        ),
        *(
            "sys_platform == 'win32'",
            "python_version > '3'",
            "@",
            " @ ",
            "git+https://h/x",
            "./x",
            "${V}",
        ),
    ]
)


@given(st.lists(PIECES, max_size=9).map("".join))
def test_agrees_with_packaging(text):
    item = read_requirement(source(text))
    try:
        parsed = Parsed(text)
    except InvalidRequirement:
        assert isinstance(item, Skip)
        return
    if item is None:
        assert "win32" in text
        return
    assert isinstance(item, Requirement)
    assert item.name == canonicalize_name(parsed.name)
    assert (item.kind == "unpinned") == (not parsed.specifier and parsed.url is None)
    if item.kind == "pinned":
        (clause,) = parsed.specifier
        assert quote(text, item.version) == item.version.text == clause.version
    elif item.specifier is not None:
        written = quote(text, item.specifier)
        assert written == item.specifier.text
        assert (
            Parsed(f"x {written}").specifier == parsed.specifier
            if parsed.url is None
            else written == parsed.url
        )


@given(st.text("a1.-_[]@=<>!~,; ()${}V/\\'\"\n\0é#&%whl+git:"))
def test_any_text_is_read_or_refused(text):
    for item in (
        read_requirement(source(text), expand=True),
        read_location(source(text), expand=True),
    ):
        assert item is None or 0 <= item.span.start <= item.span.end <= len(text)
