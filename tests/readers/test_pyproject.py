"""pyproject.toml: the dependency tables of several tools."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servelint.facts import Requirement
from servelint.finding import Skip
from servelint.readers.pyproject import read
from servelint.source import Route, Source
from servelint.value import Text


def items(text):
    return list(read(Source("app/pyproject.toml", text, "pyproject", Route("app/pyproject.toml"))))


def quote(text, at):
    return text[at.span.start : at.span.end]


def meaning(fact):
    value = fact.version or fact.specifier
    return value and value.text


def summary(text):
    """Kind, name, quote and the known version or specifier of each fact."""
    return [(fact.kind, fact.name, quote(text, fact), meaning(fact)) for fact in items(text)]


@pytest.mark.parametrize(
    ("header", "key"),
    [
        ("project", "dependencies"),
        ("project.optional-dependencies", "any-extra"),
        ("dependency-groups", "any-group"),
        ("tool.uv", "dev-dependencies"),
        ("tool.uv", "constraint-dependencies"),
        ("tool.uv", "override-dependencies"),
        ("tool.pdm.dev-dependencies", "any-group"),
        ("tool.hatch.envs.any-env", "dependencies"),
        ("tool.hatch.envs.any-env", "extra-dependencies"),
        ("tool.flit.metadata", "requires"),
        ("tool.flit.metadata.requires-extra", "any-extra"),
    ],
)
@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_arrays_of_requirements(header, key, line_break):
    lines = [
        "# é",
        f"[{header}]",
        f"{key} = [",
        '  "Foo[a]==1.0", # c',
        "  'bar>=1,<2; python_version > \"3\"',",
        '  "baz",',
        '  "qux @ git+https://h/x@v1",',
        "  \"gone; sys_platform == 'win32'\",",
        "]",
    ]
    text = line_break.join(lines)
    assert summary(text) == [
        ("pinned", "foo", "Foo[a]==1.0", "1.0"),
        ("range", "bar", "bar>=1,<2", ">=1,<2"),
        ("unpinned", "baz", "baz", None),
        ("vcs", "qux", "qux @ git+https://h/x@v1", "git+https://h/x@v1"),
    ]
    assert [fact.owner.steps for fact in items(text)] == [
        ("requirement", index) for index in range(4)
    ]


def test_other_arrays_are_not_read():
    tables = ('[build-system]\nrequires = ["a==1"]', '[project]\nkeywords = ["b==1"]')
    assert items("\n".join((*tables, '[tool.x]\ndependencies = ["c==1"]'))) == []


def test_escapes_keep_the_quotes_exact():
    text = '[project]\ndependencies = ["f\\u006fo==1.0; extra == \\"x\\"", """\\\n  bar==2"""]\n'
    foo, bar = items(text)
    assert (foo.name, quote(text, foo), quote(text, foo.version)) == (
        "foo",
        "f\\u006fo==1.0",
        "1.0",
    )
    assert (bar.name, quote(text, bar)) == ("bar", "bar==2")


def test_groups_that_include_groups():
    text = '[dependency-groups]\na = ["x==1"]\nb = [{include-group = "a"}, "y==2"]\n'
    assert [fact.name for fact in items(text)] == ["x", "y"]


def test_a_bad_entry_leaves_the_others():
    text = '[project]\ndependencies = ["a==1", "b b", 3, "", "c==${V}", "d"]\n'
    found = items(text)
    assert [fact.name for fact in found if isinstance(fact, Requirement)] == ["a", "d"]
    skips = [item for item in found if isinstance(item, Skip)]
    assert [quote(text, skip) for skip in skips] == [
        "b b",
        "dependencies",
        "dependencies",
        "c==${V}",
    ]
    assert {skip.reason for skip in skips} == {"syntax"}


def test_a_text_where_an_array_belongs():
    text = '[project]\ndependencies = "a==1"\n'
    (skip,) = items(text)
    assert (skip.reason, quote(text, skip)) == ("syntax", "dependencies")


@pytest.mark.parametrize(
    ("table", "kind", "specifier"),
    [
        ('{ git = "https://h/x" }', "vcs", "https://h/x"),
        ('{ git = "https://h/x", rev = "abc" }', "vcs", "https://h/x@abc"),
        ('{ tag = "v0.5", git = "https://h/x" }', "vcs", "https://h/x@v0.5"),
        ('{ git = "https://h/x", branch = "main" }', "vcs", "https://h/x@main"),
        ('{ url = "https://h/x.zip" }', "url", "https://h/x.zip"),
        ('{ path = "../foo", editable = true }', "path", "../foo"),
        ("{ workspace = true }", "path", "workspace"),
        (
            '[{ git = "https://h/m", marker = "sys_platform == \'darwin\'" }, { path = "x" }]',
            "path",
            "x",
        ),
    ],
)
def test_uv_sources_move_a_package(table, kind, specifier):
    text = f'[project]\ndependencies = ["Foo==1.0", "bar"]\n[tool.uv.sources]\nfoo = {table}\n'
    foo, bar = items(text)
    assert (foo.kind, foo.version, foo.specifier.text) == (kind, None, specifier)
    assert quote(text, foo) == "Foo==1.0"
    assert quote(text, foo.specifier) == specifier.partition("@")[0]
    assert (bar.kind, bar.name) == ("unpinned", "bar")


def test_the_tag_of_a_uv_source_is_in_the_trail():
    source = '[tool.uv.sources.foo]\ngit = "https://h/x"\ntag = "v0.5"\n'
    text = '[project]\ndependencies = ["foo"]\n' + source
    (fact,) = items(text)
    (parts,) = fact.specifier.readings
    assert [type(part) for part in parts] == [Text, Text, Text]
    (place,) = fact.specifier.trail
    assert text[place.start : place.end] == "v0.5"


@pytest.mark.parametrize("table", ['{ index = "x" }', "{ workspace = false }", '"x"', "[]"])
def test_uv_sources_that_move_nothing(table):
    text = f'[project]\ndependencies = ["foo==1.0"]\n[tool.uv.sources]\nfoo = {table}\n'
    assert summary(text) == [("pinned", "foo", "foo==1.0", "1.0")]


def test_the_wheel_of_a_uv_source_tells_the_version():
    source = '[tool.uv]\nsources = { foo = { url = "https://h/foo-1.2-py3-none-any.whl" } }\n'
    text = '[project]\ndependencies = ["foo"]\n' + source
    (fact,) = items(text)
    assert (fact.kind, fact.version.text, quote(text, fact.version)) == ("url", "1.2", "1.2")


def test_editable_development_dependencies():
    text = '[tool.pdm.dev-dependencies]\na = ["-e file:///${PROJECT_ROOT}/sub#egg=sub"]\n'
    (fact,) = items(text)
    assert (fact.kind, fact.name) == ("path", "sub")
    assert quote(text, fact) == "file:///${PROJECT_ROOT}/sub#egg=sub"


@pytest.mark.parametrize(
    ("entry", "kind", "meaning", "quoted"),
    [
        ('foo = "^1.2.3"', "range", ">=1.2.3,<2", 'foo = "^1.2.3'),
        ('foo = "~1.2"', "range", ">=1.2,<1.3", 'foo = "~1.2'),
        ('foo = ">=1.0,<2.0"', "range", ">=1.0,<2.0", 'foo = ">=1.0,<2.0'),
        ('foo = "1.*"', "range", "==1.*", 'foo = "1.*'),
        ('foo = "*"', "unpinned", None, 'foo = "*'),
        ('foo = "1.2.3"', "pinned", "1.2.3", 'foo = "1.2.3'),
        ('"Foo" = "==1.2.3"', "pinned", "1.2.3", 'Foo" = "==1.2.3'),
        (
            'foo = {version = "^0.5.9", extras = ["a"]}',
            "range",
            ">=0.5.9,<0.6",
            'foo = {version = "^0.5.9',
        ),
        (
            'foo = {git = "https://h/x", tag = "v1"}',
            "vcs",
            "https://h/x@v1",
            'foo = {git = "https://h/x',
        ),
        ('foo = {path = "../x", develop = true}', "path", "../x", 'foo = {path = "../x'),
        (
            'foo = {url = "https://h/x.zip"}',
            "url",
            "https://h/x.zip",
            'foo = {url = "https://h/x.zip',
        ),
        ('foo = {extras = ["a"]}', "unpinned", None, "foo"),
        ('foo.version = "1.0"', "pinned", "1.0", 'foo.version = "1.0'),
    ],
)
@pytest.mark.parametrize("table", ["dependencies", "dev-dependencies", "group.any.dependencies"])
def test_poetry_constraints(entry, kind, meaning, quoted, table):
    text = f'[tool.poetry.{table}]\npython = "^3.10"\n{entry}\n'
    assert summary(text) == [(kind, "foo", quoted, meaning)]


def test_a_poetry_range_quotes_what_is_written():
    text = '[tool.poetry.dependencies]\nfoo = "^1.2"\nbar = "==1.5"\n'
    foo, bar = items(text)
    assert (quote(text, foo.specifier), quote(text, bar.version)) == ("^1.2", "1.5")


def test_a_poetry_table_of_its_own():
    text = '[tool.poetry.dependencies.foo]\nversion = "1.0"\n'
    assert summary(text) == [("pinned", "foo", 'foo]\nversion = "1.0', "1.0")]


def test_poetry_alternatives_are_readings():
    (fact,) = items('[tool.poetry.dependencies]\nfoo = "^1 || ^3"\n')
    assert fact.specifier.texts == (">=1,<2", ">=3,<4")
    (fact,) = items(f'[tool.poetry.dependencies]\nfoo = "{" || ".join(map(str, range(20)))}"\n')
    assert fact.specifier.reason == "many-values"


def test_poetry_entries_by_platform():
    text = (
        "[tool.poetry.dependencies]\nfoo = [\n"
        '  {version = "1.0", platform = "darwin"},\n'
        '  {version = "2.0", markers = "sys_platform == \'win32\'"},\n'
        '  {version = "3.0", platform = "linux"},\n'
        '  "4.0",\n]\n'
    )
    assert [fact.version.text for fact in items(text)] == ["3.0", "4.0"]


def test_poetry_tables_that_only_add_to_the_project():
    text = (
        '[project]\ndependencies = ["foo==1"]\n[tool.poetry.dependencies]\nfoo = {source = "x"}\n'
    )
    assert summary(text) == [("pinned", "foo", "foo==1", "1")]


@pytest.mark.parametrize("entry", ['foo = "latest"', "foo = 1", "foo = {version = 1}", 'foo = ""'])
def test_poetry_entries_that_say_nothing(entry):
    text = f"[tool.poetry.dependencies]\n{entry}\n"
    (skip,) = items(text)
    assert (skip.reason, quote(text, skip)) == ("syntax", "foo")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('[project]\r\ndependencies = ["a==1"\r\nb = 1\r\n', "b = 1"),
        ("[project]\na = {x = 1,\n y = 2}\n", "a = {x = 1,"),
        ("<html>", "<html>"),
    ],
)
def test_what_is_not_toml_is_one_skip(text, line):
    (skip,) = items(text)
    assert (skip.path, skip.stage, skip.reason) == ("app/pyproject.toml", "read", "syntax")
    assert quote(text, skip) == line


def test_too_deep():
    (skip,) = items("a = " + "[" * 3_000)
    assert skip.reason == "too-deep"


@pytest.mark.parametrize(
    "text",
    [
        "project = 1",
        "project = [{dependencies = ['a']}]",
        "[tool]\nuv = 1\npoetry = 'x'\npdm = []",
        "[tool.uv.sources]\na = 1",
        "[tool.poetry]\ndependencies = 'x'",
        "[[project.dependencies]]\nx = 1",
        "",
    ],
)
def test_other_shapes_say_nothing(text):
    assert items(text) == []


LINES = st.sampled_from(
    [
        *(
            "[project]",
            "[tool.uv.sources]",
            "[tool.poetry.dependencies]",
            "[dependency-groups]",
            "[tool.uv]",
        ),
        *(
            'dependencies = ["a==1", """b\r\n>=2""", 1, []]',
            "dev = ['c', {}]",
            "a = {git = 'x', rev = 1}",
        ),
        *(
            "a = [{path = ''}, 1]",
            "b = '^1'",
            'b = ""',
            "workspace.workspace = true",
            "sources.a.url = 'x'",
        ),
        *(
            "c = {version = [], url = 1}",
            "python = '3'",
            "optional-dependencies = 1",
            "[[project]]",
            '"\\u0000" = "*"',
        ),
    ]
)


@given(st.lists(LINES, max_size=8).map("\n".join) | st.text("[]{}=.,\"'\\\n ab1"))
def test_any_text_is_read(text):
    for item in items(text):
        assert 0 <= item.span.start <= item.span.end <= len(text)
        if isinstance(item, Requirement) and item.version is not None:
            assert quote(text, item.version) == item.version.text


def test_extras_of_the_project_itself_are_no_requirement():
    text = (
        '[project]\nname = "My.Engine"\n[project.optional-dependencies]\n'
        'all = ["my-engine[test]", "other==1"]\ntest = ["pytest"]\n'
    )
    found = read(Source("pyproject.toml", text, "pyproject", Route("pyproject.toml")))
    assert [item.name for item in found] == ["other", "pytest"]


@pytest.mark.parametrize(
    "text",
    [
        '[project]\ndependencies = ["ai-dynamo[A_b,sglang]==1.1.1"]\n',
        '[tool.poetry.dependencies]\nai-dynamo = {version = "1.1.1", extras = ["A_b", "sglang"]}\n',
        '[tool.poetry.dependencies]\nai-dynamo=[{version="1.1.1", extras = ["a.b", "sglang"]}]\n',
        '[tool.pixi.pypi-dependencies]\nai-dynamo={version="==1.1.1", extras=["A_b", "sglang"]}\n',
    ],
)
def test_extras_are_told(text):
    (fact,) = items(text)
    assert (fact.name, fact.version.text) == ("ai-dynamo", "1.1.1")
    assert fact.extras == ("a-b", "sglang")


def test_extras_of_a_package_that_comes_from_elsewhere():
    text = (
        '[project]\ndependencies = ["foo[a]", "lfoo==1", "foo-kt==2"]\n'
        '[tool.uv.sources]\nfoo = { git = "https://h/o/foo", tag = "v1" }\n'
        '[tool.poetry.dependencies]\nbar = { git = "https://h/o/bar", extras = ["b"] }\n'
    )
    assert [(fact.name, fact.kind, fact.extras) for fact in items(text)] == [
        ("foo", "vcs", ("a",)),
        ("lfoo", "pinned", ()),
        ("foo-kt", "pinned", ()),
        ("bar", "vcs", ("b",)),
    ]
