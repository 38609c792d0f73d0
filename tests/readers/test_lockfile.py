"""Lockfiles: one fact for each locked package, found without parsing the whole file."""

from __future__ import annotations

import re
import statistics
import time
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servelint.facts import Requirement
from servelint.finding import Skip
from servelint.readers.lockfile.toml import _parsed, read
from servelint.source import Route, Source
from servelint.syntax.package_name import normalise

UV = """\
version = 1
revision = 2
requires-python = ">=3.10"
resolution-markers = [
    "python_full_version >= '3.12'",
    "python_full_version < '3.12'",
]

[manifest]
overrides = [{ name = "never", specifier = "==9" }]

[[manifest.dependency-metadata]]
name = "never"
version = "9"
requires-dist = ["never==9"]

[[package]]
name = "app"
version = "0.1.0"
source = { editable = "." }
dependencies = [
    { name = "foo-bar", extra = ["a", "b"], marker = "sys_platform == 'linux'" },
    { name = "other" },
]

[package.optional-dependencies]
all = [
    { name = "never", version = "9" },
]

[package.metadata]
requires-dist = [{ name = "never", specifier = "==9" }]

[package.metadata.requires-dev]
dev = [{ name = "never", version = "9" }]

[[package]]
name = "foo-bar"
version = "1.0.post1"
source = { registry = "https://index.example/simple" }
sdist = { url = "https://files.example/foo-bar-1.0.tar.gz", hash = "sha256:00", size = 1 }
wheels = [
    { url = "https://files.example/foo_bar-1.0-py3-none-any.whl", hash = "sha256:11", size = 2 },
]

[[package]]
name = "other"
version = "2.0"
source = { git = "https://h/other?subdirectory=python&rev=v2#0123abcd" }
"""

POETRY = """\
# This file is written by a tool.

[[package]]
name = "Foo.Bar"
version = "1.0"
description = "A \\"quoted\\" word \\\\ and [[package]]"
optional = false
python-versions = ">=3.8"
groups = ["main"]
markers = "python_version >= \\"3.10\\""
files = [
    {file = "foo_bar-1.0-py3-none-any.whl", hash = "sha256:00"},
]

[package.dependencies]
name = ">=9"
version = "9"
"dotted.name" = {version = "*", optional = true, markers = "extra == \\"x\\""}

[package.extras]
all = ["never (>=9)"]

[[package]]
name = "from-git"
version = "2.0"
files = []
develop = false

[package.source]
type = "git"
url = "https://h/from-git"
reference = "v2"
resolved_reference = "0123abcd"

[[package]]
name = "from-index"
version = "3.0"

[package.source]
type = "legacy"
url = "https://index.example/simple"
reference = "x"

[metadata]
lock-version = "2.1"
content-hash = "00"

[metadata.files]
never = []
"""

PDM = """\
[metadata]
groups = ["default"]
lock_version = "4.5.0"

[[package]]
name = "foo"
version = "1.0"
requires_python = ">=3.8"
summary = ""
groups = ["default"]
dependencies = [
    "never>=9",
]

[[package]]
name = "from-git"
version = "2.0"
git = "https://h/from-git"
ref = "v2"
revision = "0123abcd"

[[package]]
name = "from-path"
version = "3.0"
path = "./sub"
editable = true
"""

PYLOCK = """\
lock-version = "1.0"
created-by = "a tool"

[[packages]]
name = "foo"
version = "1.0"
index = "https://index.example/simple"
wheels = [
    {name = "never.whl", upload-time = 2024-01-01T00:00:00Z, hashes = {sha256 = "00"}}, # c
]

[[packages]]
name = "from-git"
vcs = { type = "git", url = "https://h/from-git", commit-id = "0123abcd" }

[[packages]]
name = "from-path"
[packages.directory]
path = "./sub"

[[packages]]
name = "from-url"
version = "4.0"
[packages.archive]
url = "https://h/x.zip"
[packages.archive.hashes]
sha256 = "00"

[[packages.wheels]]
name = "never"
version = "9"
"""


def source(text, needles=()):
    return Source("sub/uv.lock", text, "lockfile", Route("sub/uv.lock"), needles=needles)


def items(text):
    return list(read(source(text)))


def quote(text, at):
    return text[at.span.start : at.span.end]


def summary(text):
    """Kind, name, version and location of each fact, as quoted from the file."""
    return [
        (
            fact.kind,
            fact.name,
            fact.version and quote(text, fact.version),
            fact.specifier and quote(text, fact.specifier),
        )
        for fact in items(text)
    ]


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            UV,
            [
                ("path", "app", "0.1.0", "."),
                ("locked", "foo-bar", "1.0.post1", None),
                ("vcs", "other", "2.0", "https://h/other?subdirectory=python&rev=v2#0123abcd"),
            ],
        ),
        (
            POETRY,
            [
                ("locked", "foo-bar", "1.0", None),
                ("vcs", "from-git", "2.0", "https://h/from-git"),
                ("locked", "from-index", "3.0", None),
            ],
        ),
        (
            PDM,
            [
                ("locked", "foo", "1.0", None),
                ("vcs", "from-git", "2.0", "https://h/from-git"),
                ("path", "from-path", "3.0", "./sub"),
            ],
        ),
        (
            PYLOCK,
            [
                ("locked", "foo", "1.0", None),
                ("vcs", "from-git", None, "https://h/from-git"),
                ("path", "from-path", None, "./sub"),
                ("url", "from-url", "4.0", "https://h/x.zip"),
            ],
        ),
    ],
    ids=["uv", "poetry", "pdm", "pylock"],
)
def test_the_packages_of_each_format(text, facts, line_break):
    text = "# é\n" + text
    text = text.replace("\n", line_break)
    tomllib.loads(text)
    assert summary(text) == facts
    assert list(_parsed(source(text), 0, len(text))) == items(text)


def test_a_fact_quotes_from_the_name_to_the_version():
    _, fact, _ = items(UV)
    assert quote(UV, fact) == 'foo-bar"\nversion = "1.0.post1'
    assert fact.version.text == "1.0.post1"
    assert fact.owner == Route("sub/uv.lock", ("package", "foo-bar"))


def test_the_order_of_name_and_version_does_not_matter():
    text = '[[package]]\nversion = "1"\nname = "A_b"\n'
    (fact,) = items(text)
    assert quote(text, fact) == '1"\nname = "A_b'
    assert fact.owner.steps == ("package", "a-b")


def package(name, version, *lines):
    return "\n".join(["[[package]]", f'name = "{name}"', f'version = "{version}"', *lines, ""])


def test_forks_are_one_fact_each():
    text = (
        package("foo", "1", "resolution-markers = [\"python_version < '3.12'\"]")
        + package("foo", "2", "resolution-markers = [", "  \"python_version >= '3.12'\",", "]")
        + package("foo", "2")
    )
    facts = items(text)
    assert [fact.version.text for fact in facts] == ["1", "2", "2"]
    assert {fact.owner for fact in facts} == {Route("sub/uv.lock", ("package", "foo"))}


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("resolution-markers = [\"sys_platform == 'darwin'\"]", False),
        ("resolution-markers = [\"sys_platform == 'darwin'\", \"sys_platform == 'linux'\"]", True),
        ("marker = \"sys_platform == 'win32'\"", False),
        ('markers = "sys_platform == \\"win32\\""', False),
        ("markers = \"sys\\u005fplatform == 'win32'\"", False),
        ("markers = {main = \"os_name == 'nt'\", dev = \"os_name == 'posix'\"}", True),
        ('markers = "platform_machine == \\"arm64\\""', True),
    ],
)
def test_forks_for_other_systems_are_left_out(line, kept):
    text = package("foo", "1", line) + package("bar", "2")
    assert [fact.name for fact in items(text)] == (["foo"] if kept else []) + ["bar"]
    assert list(_parsed(source(text), 0, len(text))) == items(text)


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        ('{ git = "https://h/x" }', "vcs"),
        ('{ url = "https://h/x" }', "url"),
        ('{ path = "https://h/x" }', "path"),
        ('{ directory = "https://h/x" }', "path"),
        ('{ virtual = "https://h/x" }', "path"),
        ('{ type = "git", url = "https://h/x" }', "vcs"),
        ('{ type = "url", url = "https://h/x" }', "url"),
        ('{ type = "file", url = "https://h/x" }', "path"),
        ('{ type = "directory", url = "https://h/x" }', "path"),
    ],
)
def test_where_a_package_comes_from(table, kind):
    text = package("foo", "1", f"source = {table}")
    assert summary(text) == [(kind, "foo", "1", "https://h/x")]


@pytest.mark.parametrize("quotes", ['"""', "'''"])
def test_a_header_in_a_string_over_several_lines_is_text(quotes):
    hidden = package("never", "9")
    text = package("foo", "1", f"description = {quotes}", hidden, quotes) + package("bar", "2")
    assert [fact.name for fact in items(text)] == ["foo", "bar"]
    assert [quote(text, fact.version) for fact in items(text)] == ["1", "2"]


@pytest.mark.parametrize(
    "text",
    [
        "[[ package ]] # c\nname = 'foo'\nversion = '1'\n",
        '  [["package"]]\nname = "foo"\nversion = "1"\n',
        '\t[[package]]\n"name" = "foo"\n"version" = "1"',
        'package = [{name = "foo", version = "1"}]\n',
        '[[package]]\nname = "foo"\nversion = "\\u0031"\n',
        '[[package]]\nname = "foo"\nversion = "1"\nodd = [\n[1],\n["[[package]]"]\n]\n',
        '[[package]]\nname = "foo"\nversion = "1"\n[package."odd".x]\nversion = "2"\n',
    ],
)
def test_unusual_writing(text):
    (fact,) = items(text)
    assert (fact.name, fact.version.text) == ("foo", "1")
    assert quote(text, fact.version) in ("1", "\\u0031")


@pytest.mark.parametrize(
    "line",
    [
        "<<<<<<< HEAD",
        "=======",
        'name = "twice"',
        'source = { git = "x"',
        'wheels = [\n    { url = "x" hash = "y" },\n]',
        "wheels = [\n    { url = },\n]",
        "dependencies = [",
        'description = "x',
        'description = "\\q"',
        "broken",
        '[package.source]\nurl = "a"\nurl = "b"',
    ],
)
def test_a_broken_block_leaves_the_others(line):
    broken = package("broken", "9", line)
    text = package("foo", "1") + broken + package("bar", "2") + "[metadata]\nx = 1\n"
    first, skip, last = items(text)
    assert (first.name, last.name) == ("foo", "bar")
    assert isinstance(skip, Skip)
    assert (skip.path, skip.stage, skip.reason) == ("sub/uv.lock", "read", "syntax")
    assert skip.detail.startswith("not TOML: ")
    assert quote(text, skip) == broken.rstrip()


def test_a_conflict_before_the_first_block():
    text = "<<<<<<< HEAD\nversion = 1\n" + package("foo", "1")
    skip, fact = items(text)
    assert quote(text, skip) == "<<<<<<< HEAD\nversion = 1"
    assert fact.name == "foo"


@pytest.mark.parametrize(
    ("lines", "quoted"),
    [
        ('[[package]]\nversion = "1"\n', "[[package]]"),
        ('[[package]]\nname = "foo"\n', "foo"),
        ("[[package]]\nname = 1\nversion = 2", "[[package]]"),
        ("package = ['foo']", "package = ['foo']"),
    ],
)
def test_a_block_without_name_or_version(lines, quoted):
    (skip,) = items(lines)
    assert (skip.reason, quote(lines, skip)) == ("syntax", quoted)
    assert skip.detail.startswith("expected a ")


def test_what_is_not_toml_is_one_skip():
    (skip,) = items("<html>\n<body>")
    assert (skip.reason, quote("<html>\n<body>", skip)) == ("syntax", "<html>")
    (skip,) = items(package("foo", "1", 'x = """', "unclosed"))
    assert skip.reason == "syntax"


@pytest.mark.parametrize("text", ["", "# nothing\n", "version = 1\n", "[package]\nname = 'x'\n"])
def test_a_lock_without_packages(text):
    assert items(text) == []


def large_lock():
    """A lock of about 1.2 MB in the shape that tools write."""
    address, digest = "https://files.example/p-1.0-cp3", "0123456789abcdef" * 8
    rows = "\n".join(
        f'    {{ url = "{address}{index}.whl", hash = "sha256:{digest}", size = {index} }},'
        for index in range(1, 40)
    )
    blocks = (
        package(
            f"p-{index}",
            f"1.{index}",
            'source = { registry = "https://index.example/simple" }',
            "dependencies = [",
            '    { name = "q", marker = "sys_platform == \'linux\'" },',
            "]",
            f"wheels = [\n{rows}\n]\n",
            "[package.metadata]",
            'requires-dist = [{ name = "q", specifier = ">=1" }]\n',
        )
        for index in range(140)
    )
    return 'version = 1\nrequires-python = ">=3.10"\n\n' + "\n".join(blocks)


def seconds(function):
    """The best of several runs: what the work costs, not what the machine does beside it."""
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - start)
    return best


def test_a_large_lock_costs_a_fraction_of_parsing_it():
    text = large_lock()
    assert 1_150_000 < len(text) < 1_300_000
    assert len(items(text)) == 140
    assert seconds(lambda: items(text)) < seconds(lambda: tomllib.loads(text)) / 4


LINES = st.sampled_from(
    [
        *("[[package]]", "[[package]] # c", "[package.source]", "[package.metadata]", "[metadata]"),
        *(
            'name = "a"',
            "name = 'B_.c'",
            'version = "1.0"',
            'version = "\\u0031"',
            'version = "2" # c',
        ),
        *(
            'source = { registry = "r" }',
            'source = { git = "g" }',
            'source = {editable=".", x=["name"]}',
        ),
        *(
            'type = "git"',
            'url = "u"',
            'git = "h"',
            "optional = false",
            "size = 12",
            "x = 1.5e3",
            "x = 01",
        ),
        *(
            'y = [\n  { name = "n", e = ["f"] }, # c\n  "g",\n]',
            "y = [[1], [2]]",
            "y = [\n[1],\n]",
            "y = [1 2]",
        ),
        *(
            '"quoted" = { a = { b = "c" } }',
            '"name" = "q"',
            "z.name = 'x'",
            "",
            "# [[package]]",
            "=",
            "<<<<",
        ),
        *(
            "markers = \"os_name == 'nt'\"",
            "markers = 'x'",
            "[[package.y]]",
            "[[other]]",
            "t = 2024-01-01",
        ),
        *(
            "z = '''\n[[package]]\n'''",
            'z = """',
            "[[packages]]",
            "\t[[package]]",
            "{ name = 'never' },",
        ),
    ]
)
TEXTS = st.tuples(st.lists(LINES, max_size=14), st.sampled_from(["\n", "\r\n"])).map(
    lambda found: found[1].join(found[0])
)


@given(TEXTS)
def test_blocks_say_what_the_whole_text_says(text):
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    found = sorted(
        (fact.name, fact.version.text if fact.version else "")
        for fact in items(text)
        if isinstance(fact, Requirement)
    )
    whole = [item for item in _parsed(source(text), 0, len(text)) if isinstance(item, Requirement)]
    assert found == sorted((fact.name, fact.version.text if fact.version else "") for fact in whole)
    names = {
        normalise(entry["name"])
        for table in ("package", "packages")
        if isinstance(entries := data.get(table), list)
        for entry in entries
        if isinstance(entry, dict) and isinstance(entry.get("name"), str)
    }
    assert {name for name, _ in found} <= names


@given(TEXTS | st.text("[]{}=.,\"'\\\n \tpackgenmvrsio1#"))
def test_any_text_is_read(text):
    for item in items(text):
        assert 0 <= item.span.start <= item.span.end <= len(text)
        if isinstance(item, Requirement) and item.version is not None:
            written = quote(text, item.version)
            assert tomllib.loads(f'v = "{written}"')["v"] == item.version.text


NEEDED = """\
version = 1

[[package]]
name = "Other"
version = "1"
dependencies = [{ name = "foo-bar" }]

[package.metadata]
requires-dist = [{ name = "foo-bar" }]

[[package]]  # a fork
name = 'foo_bar'
version = "2"
marker = "sys_platform == 'linux'"

[[package]]
version = "3"
name = "other"

[[package]]
name = "foo-bar-more"
version = "4"
"""


def test_with_needles_only_blocks_whose_name_holds_one_are_read():
    source = Source("uv.lock", NEEDED, "lockfile", Route("uv.lock"), needles=("Foo_Bar",))
    found = [(item.name, NEEDED[item.span.start : item.span.end]) for item in read(source)]
    assert found == [
        ("foo-bar", "foo_bar'\nversion = \"2"),
        ("other", '3"\nname = "other'),  # its name does not come first: read like any other
        ("foo-bar-more", 'foo-bar-more"\nversion = "4'),
    ]


OLD_POETRY = """\
[[package]]
name = "Foo"
version = "1.0"
description = "x"
category = "main"
optional = false
python-versions = ">=3.7"

[package.extras]
all = ["never (>=9)"]
"a.b" = ["never"]

[[package]]
name = "foo"
version = "2.0"
category = "dev"
optional = false
python-versions = "*"

[extras]
x = ["foo"]

[metadata]
lock-version = "1.1"
content-hash = "00"

[metadata.files]
foo = [
    {file = "foo-1.0.tar.gz", hash = "sha256:00"},
]
never = []
"""


def test_an_old_lock_of_poetry_with_two_versions_of_a_package():
    facts = items(OLD_POETRY)
    assert [(fact.name, fact.version.text, fact.extras) for fact in facts] == [
        ("foo", "1.0", ()),
        ("foo", "2.0", ()),
    ]
    assert list(_parsed(source(OLD_POETRY), 0, len(OLD_POETRY))) == facts


@pytest.mark.parametrize(
    ("lines", "meant"),
    [
        (
            [
                "[package.source]",
                'type = "git"',
                'url = "https://h/x"',
                'reference = "v1"',
                'resolved_reference = "0123abcd"',
            ],
            "https://h/x?rev=v1#0123abcd",
        ),
        (
            ['git = "https://h/x"', 'ref = "v1"', 'revision = "0123abcd"'],
            "https://h/x?rev=v1#0123abcd",
        ),
        (
            ['vcs = { type = "git", url = "https://h/x", commit-id = "0123abcd" }'],
            "https://h/x#0123abcd",
        ),
        (['source = { git = "https://h/x?rev=v1#0123abcd" }'], "https://h/x?rev=v1#0123abcd"),
    ],
)
def test_a_repository_is_told_with_its_state(lines, meant):
    text = package("foo", "1", *lines)
    (fact,) = items(text)
    assert (fact.kind, fact.specifier.text) == ("vcs", meant)
    assert quote(text, fact.specifier).startswith("https://h/x")
    assert {text[at.start : at.end] for at in fact.specifier.trail} <= {"v1", "0123abcd"}
    assert list(_parsed(source(text), 0, len(text))) == [fact]


def test_extras_that_a_lock_tells():
    text = package("ai-dynamo", "1.1.1", 'extras = ["SGLang", "b"]') + package("other", "1")
    (fact,) = read(source(text, needles=("sglang",)))
    assert (fact.name, fact.extras) == ("ai-dynamo", ("sglang", "b"))
    assert next(_parsed(source(text), 0, len(text))) == fact


def test_needles_keep_forks():
    text = "".join(package(name, "1") for name in ("lsglang", "sglang-kt", "other", "SGLang_x"))
    facts = list(read(source(text, needles=("sglang", "SGLang"))))
    assert [fact.name for fact in facts] == ["lsglang", "sglang-kt", "sglang-x"]


def realistic(packages):
    """A lock as uv writes it, with hashes and files."""
    blocks = ["version = 1\nrevision = 3\n"]
    for number in range(packages):
        file = (
            f'{{ url = "https://files.example/{number:064d}/p{number}-1.0-py3-none-any.whl", '
            f'hash = "sha256:{number:064d}", size = {number}, '
            'upload-time = "2025-09-10T12:00:00.123Z" }'
        )
        lines = (
            'source = { registry = "https://index.example/simple" }',
            "dependencies = [",
            *(
                f'    {{ name = "p{other}", marker = "sys_platform == \'linux\'" }},'
                for other in "123"
            ),
            "]",
            f"sdist = {file}",
            "wheels = [",
            *[f"    {file},"] * 4,
            "]",
            "",
        )
        blocks.append(package(f"p{number}", "1.0", *lines))
    blocks.insert(packages // 2, package("sglang", "0.5.9"))
    return "".join(blocks)


def test_a_long_lock_takes_about_as_long_as_a_few_looks_for_its_names():
    text = realistic(900)
    assert len(text) > 1_000_000
    ours, scans = [], []
    for _ in range(9):
        start = time.perf_counter()
        found = list(read(source(text, needles=("sglang", "SGLang", "sgl-dev"))))
        middle = time.perf_counter()
        re.findall(r'^name = "([^"]+)"', text, re.MULTILINE)
        scans.append(time.perf_counter() - middle)
        ours.append(middle - start)
        assert [fact.version.text for fact in found] == ["0.5.9"]
    assert statistics.median(ours) < 8 * statistics.median(scans)
