"""Requirements files: one line, one fact, and a bad line does not end the file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servelint.facts import Requirement, Uses
from servelint.finding import Skip
from servelint.readers import requirements
from servelint.readers.requirements import read
from servelint.source import Route, Segment, Source
from servelint.value import Open


def items(text, path="deploy/requirements.txt"):
    return list(read(Source(path, text, "requirements", Route(path))))


def quote(text, at):
    return text[at.span.start : at.span.end]


def summary(text):
    """Kind, name and quote of each item."""
    return [
        (item.kind, item.name, quote(text, item))
        if isinstance(item, Requirement)
        else (item.how, item.target, quote(text, item))
        if isinstance(item, Uses)
        else (item.reason, "", quote(text, item))
        for item in items(text)
    ]


def test_each_line_is_a_fact_with_its_owner():
    text = "Foo==1.0\n\n# foo==9\nbar>=1,<2  # why\nbaz[x]\n"
    assert summary(text) == [
        ("pinned", "foo", "Foo==1.0"),
        ("range", "bar", "bar>=1,<2"),
        ("unpinned", "baz", "baz[x]"),
    ]
    steps = [item.owner.steps for item in items(text)]
    assert steps == [("requirement", index) for index in range(3)]


def test_duplicates_are_kept_apart():
    facts = items("foo==1\nfoo==2\nfoo==1\n")
    assert [fact.version.text for fact in facts] == ["1", "2", "1"]
    assert len({fact.owner for fact in facts}) == 3


def test_a_hash_sign_inside_a_word_is_no_comment():
    text = "foo @ https://h/x.zip#sha256=0 # c\nbar\t#c\n"
    assert [found[2] for found in summary(text)] == ["foo @ https://h/x.zip#sha256=0", "bar"]


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_continued_lines(line_break):
    text = line_break.join(
        [
            "# é",
            "foo==1.0 \\",
            "    --hash=sha256:00 \\",
            "    --hash=sha256:11",
            "bar \\",
            "  [x] \\",
            "  >=1",
            "",
        ]
    )
    foo, bar = items(text)
    assert quote(text, foo) == "foo==1.0"
    assert quote(text, foo.version) == "1.0"
    assert quote(text, bar) == line_break.join(["bar \\", "  [x] \\", "  >=1"])
    assert quote(text, bar.specifier) == ">=1"


def test_a_comment_line_ends_a_continued_line():
    assert summary("foo \\\n# c \\\nbar\n") == [
        ("unpinned", "foo", "foo"),
        ("unpinned", "bar", "bar"),
    ]


def test_a_comment_before_a_backslash_swallows_the_next_line():
    assert summary("foo # c \\\nbar\nbaz") == [
        ("unpinned", "foo", "foo"),
        ("unpinned", "baz", "baz"),
    ]


def test_a_blank_continued_line_still_separates():
    assert summary("foo==1\\\n  \\\n--hash=x\n") == [("pinned", "foo", "foo==1")]


def test_a_file_may_end_in_a_backslash():
    assert summary("foo==1 \\") == [("pinned", "foo", "foo==1")]


def test_options_of_a_requirement_are_left_out():
    text = 'foo==1 --config-settings="a=b" --hash sha256:0\n./x --global-option=y\n'
    assert summary(text) == [("pinned", "foo", "foo==1"), ("path", "", "./x")]


@pytest.mark.parametrize(
    "line",
    [
        *("-i https://index.example/simple", "-ihttps://index.example/simple", "--index-url=x"),
        *("--extra-index-url https://index.example/simple", "--find-links ./wheels", "-f x"),
        *("--trusted-host h", "--no-binary :all:", "--only-binary=foo", "--no-index", "--pre"),
        *("--prefer-binary", "--require-hashes", "--use-feature fast-deps"),
    ],
)
def test_options_that_ask_for_no_package_say_nothing(line):
    assert items(f"{line}\n") == []


@pytest.mark.parametrize(
    ("line", "how", "target", "quoted"),
    [
        ("-r base.txt", "requirements", "deploy/base.txt", "base.txt"),
        ("-rbase.txt", "requirements", "deploy/base.txt", "base.txt"),
        (
            "--requirement=./sub/../base.txt # c",
            "requirements",
            "deploy/base.txt",
            "./sub/../base.txt",
        ),
        ("--requirement ../base.txt", "requirements", "base.txt", "../base.txt"),
        ("-r 'my base.txt'", "requirements", "deploy/my base.txt", "my base.txt"),
        ("-c sub/c.txt --pre", "constraints", "deploy/sub/c.txt", "sub/c.txt"),
        ("--constraint=c.txt", "constraints", "deploy/c.txt", "c.txt"),
    ],
)
def test_other_files(line, how, target, quoted):
    (uses,) = items(line)
    assert (uses.how, uses.target, quote(line, uses)) == (how, target, quoted)
    assert uses.owner == Route("deploy/requirements.txt")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("-r ../../x.txt", "outside-root"),
        ("-r ../..", "outside-root"),
        ("-r /etc/x.txt", "outside-root"),
        ("-r file:///etc/x.txt", "outside-root"),
        ("-c https://h/x.txt", "remote"),
        ("-r ${DIR}/x.txt", "template"),
        ("-r", "syntax"),
        ("-r ''", "syntax"),
        ("-e ;", "syntax"),
        ("-e -r x", "syntax"),
        ("foo bar --hash=x", "syntax"),
        ("--requirementx y", "syntax"),
        ("--unheard-of", "syntax"),
        ("-", "syntax"),
        ("<<<<<<< HEAD", "syntax"),
        ("foo==", "syntax"),
        ("{% if x %}", "syntax"),
        ("${NAME}==1", "template"),
    ],
)
def test_a_bad_line_does_not_end_the_file(line, reason):
    text = f"a==1\n  {line}  # c\nb==2\n"
    first, skip, last = items(text)
    assert (first.name, last.name) == ("a", "b")
    assert last.owner.steps == ("requirement", 1)
    assert isinstance(skip, Skip)
    assert (skip.path, skip.stage, skip.reason) == ("deploy/requirements.txt", "read", reason)
    assert quote(text, skip) == line
    assert skip.detail


def test_a_bad_line_says_what_was_expected():
    (skip,) = items("foo==1 bar==2\n")
    assert skip.detail.startswith("Expected comma")


@pytest.mark.parametrize(
    ("line", "kind", "name", "location"),
    [
        ("-e git+https://h/x@ref#egg=foo", "vcs", "foo", "git+https://h/x@ref#egg=foo"),
        ("--editable=git+https://h/x#egg=foo[a]", "vcs", "foo", "git+https://h/x#egg=foo[a]"),
        ('-e "git+https://h/x@ref#egg=foo"', "vcs", "foo", "git+https://h/x@ref#egg=foo"),
        ("-e .", "path", "", "."),
        ("-e.[all]", "path", "", ".[all]"),
        ("-e ./x ; python_version > '3'", "path", "", "./x"),
        ("-e ./x --config-settings a=b", "path", "", "./x"),
        ("-e foo @ file:///x", "path", "foo", "file:///x"),
        ("git+https://h/x@ref", "vcs", "x", "git+https://h/x@ref"),
        ("./dir", "path", "", "./dir"),
        ("dir/sub[x]", "path", "", "dir/sub[x]"),
        ("foo @ git+https://h/x@v1 ; python_version > '3'", "vcs", "foo", "git+https://h/x@v1"),
        ("https://h/foo-1.0-py3-none-any.whl", "url", "foo", "https://h/foo-1.0-py3-none-any.whl"),
    ],
)
def test_locations(line, kind, name, location):
    (fact,) = items(line)
    assert (fact.kind, fact.name, fact.specifier.text) == (kind, name, location)
    assert quote(line, fact.specifier) == location
    assert quote(line, fact).endswith(location)


@pytest.mark.parametrize(
    "line",
    [
        "foo==1 ; sys_platform == 'win32'",
        'foo==1; platform_system == "Darwin"',
        "./x ; os_name == 'nt'",
        "-e ./x ; os_name == 'nt'",
    ],
)
def test_what_linux_never_installs_is_left_out(line):
    assert [item.name for item in items(f"{line}\nbar\n")] == ["bar"]


def test_environment_variables_stay_open():
    text = "foo==${VER}\n"
    (fact,) = items(text)
    assert fact.kind == "pinned"
    assert fact.version.readings == ((Open("VER", "${VER}"),),)
    assert quote(text, fact.version) == "${VER}"


def test_an_embedded_file_answers_in_the_coordinates_of_its_host():
    host = "cat > r.txt <<E\n  foo==1\n  bar \\\n  ==2\nE\n"
    pieces = (Segment(0, 7, 18, 25), Segment(7, 13, 27, 33), Segment(13, 17, 35, 39))
    text = "".join(host[piece.origin_start : piece.origin_end] for piece in pieces)
    source = Source("x/run.sh", host, "shell", Route("x/run.sh")).embed(
        text, pieces, "requirements", "r"
    )
    foo, bar = read(source)
    assert (quote(host, foo), quote(host, bar.version)) == ("foo==1", "2")
    assert foo.owner.steps == ("r", "requirement", 0)


def test_the_number_of_lines_is_bounded(monkeypatch):
    monkeypatch.setattr(requirements, "MAX_LINES", 2)
    text = "a\n# c\nb\n\nc==1\nd\n"
    assert summary(text) == [
        ("unpinned", "a", "a"),
        ("unpinned", "b", "b"),
        ("too-large", "", "c==1"),
    ]


def test_long_runs_of_blanks_cost_no_more_than_their_length():
    assert items(" " * 500_000 + "x" + " " * 500_000 + "#") != []
    assert items("./x" + " " * 500_000 + "y") != []
    assert items("foo[" + "${A}" * 100_000) != []


WORDS = st.sampled_from(
    [
        *(
            "foo",
            "==1.0",
            ">=2",
            "[x]",
            "\\",
            "\\\n",
            "\n",
            "\r\n",
            "\r",
            " ",
            "\t",
            "#",
            " # ",
            ";",
            "@",
        ),
        *(
            "-r ",
            "-c",
            "-e ",
            "--hash=x",
            "--requirement=",
            "../",
            "./x",
            "git+https://h/x#egg=y",
            "é",
        ),
        *("sys_platform == 'win32'", "${V}", "'", '"', "\u2028", "\x0c", "x-1-py3-none-any.whl"),
    ]
)


@given(st.lists(WORDS, max_size=14).map("".join) | st.text())
def test_any_text_is_read(text):
    for item in items(text):
        assert 0 <= item.span.start < item.span.end <= len(text)
        if isinstance(item, Requirement) and item.version is not None and item.version.text:
            written = quote(text, item.version)
            assert written == item.version.text or "%" in written or "\\" in written


NEEDED = """\
other==1
Foo_Bar[x]==2 ; python_version >= '3.9'
foo.bar-more>=3 \\
    --hash=sha256:00
third == 4 --hash=sha256:00
other2=>5
-r more.txt
./wheels/other.whl
fourth[foo-bar]
other @ https://h/foo-bar.zip
foo-bar @ git+https://h/x.git
"""


def test_with_needles_only_lines_that_hold_one_are_read():
    source = Source("r.txt", NEEDED, "requirements", Route("r.txt"), needles=("foo_bar",))
    found = [quote(NEEDED, item) for item in read(source)]
    assert found == [
        "Foo_Bar[x]==2",
        "foo.bar-more>=3",
        "more.txt",
        "./wheels/other.whl",
        "fourth[foo-bar]",
        "other @ https://h/foo-bar.zip",
        "foo-bar @ git+https://h/x.git",
    ]


@given(st.lists(st.sampled_from(NEEDED.splitlines(keepends=True)), max_size=8))
def test_needles_change_nothing_about_what_holds_one(lines):
    text = "".join(lines)
    every = list(read(Source("r.txt", text, "requirements", Route("r.txt"))))
    kept = list(read(Source("r.txt", text, "requirements", Route("r.txt"), needles=("foo-bar",))))
    spans = {item.span for item in kept}
    assert spans <= {item.span for item in every}
    left = [item for item in every if item.span not in spans]
    assert not any("foo" in quote(text, item).lower() for item in left)
