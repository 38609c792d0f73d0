"""Commands that install packages: what they name, from where, and what they do to what is there."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servelint.facts import Requirement, Uses
from servelint.readers.shell import read
from servelint.source import Route, Source, Span
from servelint.syntax.installs import installed
from servelint.value import Open, Text, known

PATH = "deploy/run.sh"


def facts(text, path=PATH, owner=None):
    source = Source(path, text, "shell", owner or Route(path))
    return [item for item in read(source) if isinstance(item, Requirement | Uses)]


def packages(text):
    return [item for item in facts(text) if isinstance(item, Requirement)]


def quote(text, at):
    return text[at.span.start : at.span.end]


def asked(text):
    """Kind, name and what is quoted as version or specifier of each package."""
    return [
        (one.kind, one.name, quote(text, value) if value else "")
        for one in packages(text)
        for value in (one.version or one.specifier,)
    ]


@pytest.mark.parametrize(
    "command",
    [
        "pip install",
        "pip3.11 -q install",
        "/opt/venv/bin/pip3 install",
        "python -m pip install",
        "python3.12 -I -u -m pip --no-cache-dir install",
        "$PYTHON -m pip install",
        "uv pip install --system",
        "uv --quiet pip install",
        "python -m uv pip install",
        "uv add --dev",
        "uv tool install --python 3.12",
        "pipx install",
        "pipx inject app",
        "pipenv install --index x",
        "pdm add -dG x",
        "poetry add --group x",
        "conda install -y -c x -n env",
        "mamba create --name=env",
        "micromamba install --channel x",
        "pixi add --feature x",
        "pixi global install -c x",
    ],
)
def test_programs_that_install(command):
    text = f"{command} foo==1.0\n"
    found = [one for one in asked(text) if one[1] == "foo"]
    assert found == [("pinned", "foo", "1.0")]
    assert {one.runs for one in packages(text)} == {True}


@pytest.mark.parametrize(
    "command",
    [
        "pip download",
        "pip uninstall -y",
        "pip wheel",
        "pip install --dry-run",
        "pip install -t x",
        "pip install --target=x",
        "uv sync --extra",
        "uv run",
        "uv pip compile",
        "conda remove",
        "conda install -d",
        "poetry add --dry-run",
        "pixi add --git https://h/o/x",
        "python -m http.server",
        "python pip install",
        "apt-get install",
        "install",
        "",
    ],
)
def test_commands_that_install_nothing_there(command):
    assert packages(f"{command} foo==1.0\n") == []


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("foo", ("unpinned", "foo", "")),
        ("'Foo.Bar[x] >=1,<2'", ("range", "foo-bar", ">=1,<2")),
        ("git+https://h/o/foo.git@v1", ("vcs", "foo", "git+https://h/o/foo.git@v1")),
        (
            "'foo @ git+https://h/o/x@v1#subdirectory=python'",
            ("vcs", "foo", "git+https://h/o/x@v1#subdirectory=python"),
        ),
        ("./dist/foo-1.0-py3-none-any.whl", ("path", "foo", "1.0")),
        ("https://h/foo-1.0%2Bcu1-cp38-abi3-linux_x86_64.whl", ("url", "foo", "1.0%2Bcu1")),
        ("-e git+https://h/o/x@v1#egg=foo", ("vcs", "foo", "git+https://h/o/x@v1#egg=foo")),
        (
            "--editable=git+https://h/o/foo@v1",
            ("vcs", "foo", "--editable=git+https://h/o/foo@v1"),
        ),
    ],
)
def test_words_that_name_a_package(word, expected):
    text = f"pip install --index-url https://index.example/simple -i x {word} --pre\n"
    assert asked(text) == [expected]


@pytest.mark.parametrize(
    "word", [".", "-e .", "-e 'python[all]'", "./python", "dist/*.whl", "$NAME", "'a b'", "foo=1"]
)
def test_words_that_tell_no_name(word):
    assert packages(f"pip install {word}\n") == []


def test_extras_are_told():
    text = (
        "pip install 'foo[A_b,c]==1' -e 'git+https://h/x#egg=bar[d]' ./baz-1-py3-none-any.whl[e]\n"
        "uv add --extra f foo==1\n"
        "poetry add -E g --extras 'h i' 'foo[j]@1'\n"
        "uv run --with 'foo[k]==1' srv\n"
        "pip install foo[$L,m]==1\n"
    )
    assert [one.extras for one in packages(text)] == [
        *(("a-b", "c"), ("d",), ("e",), ("f",), ("j", "g", "h", "i"), ("k",), ("m",))
    ]


@pytest.mark.parametrize(
    ("word", "kind", "meant"),
    [
        ("foo@^1.2", "range", ">=1.2,<2"),
        ("foo@1.2", "pinned", "1.2"),
        ("'foo==1.2'", "pinned", "1.2"),
        ("'foo>=1.2'", "range", ">=1.2"),
        ("foo@latest", "unpinned", None),
        ("git+https://h/o/foo.git#v1", "vcs", "git+https://h/o/foo.git@v1"),
        (
            "'git+https://h/o/foo#v1&subdirectory=python'",
            "vcs",
            "git+https://h/o/foo@v1#subdirectory=python",
        ),
    ],
)
def test_words_of_poetry(word, kind, meant):
    (one,) = packages(f"poetry add {word}\n")
    value = one.version or one.specifier
    assert (one.name, one.kind, value and value.text) == ("foo", kind, meant)


def test_words_of_conda_and_pixi():
    text = "conda install c::foo=1.0=0 'bar>=2' pip\npixi add --pypi 'foo[x]==1.0'\n"
    assert asked(text) == [
        ("pinned", "foo", "1.0"),
        ("range", "bar", ">=2"),
        ("unpinned", "pip", ""),
        ("pinned", "foo", "1.0"),
    ]


def test_what_is_open_stays_open():
    text = (
        "pip install foo[x]==${V} 'foo @ git+https://h/o/x@'$R ${D}/foo-${V}-py3-none-any.whl\n"
        'pip install "foo>=${V}"\n'
        "conda install foo=${V}\n"
        "poetry add foo@$V\n"
    )
    pin, vcs, wheel, bound, conda, poetry = packages(text)
    hole = Open("V", "${V}", splits=True)
    assert pin.version.readings == ((hole,),)
    assert (vcs.kind, vcs.specifier.readings[0][0]) == ("vcs", Text("git+https://h/o/x@"))
    assert vcs.specifier.readings[0][1].name == "R"
    assert (wheel.name, wheel.kind, wheel.version.readings) == ("foo", "path", ((hole,),))
    assert bound.kind == "range"
    assert [part.text for part in bound.specifier.readings[0]] == [">=", "${V}"]
    assert [one.version.readings[0][0].name for one in (conda, poetry)] == ["V", "V"]


def test_a_known_variable_leaves_its_trail():
    text = 'V=1.0\npip install "foo==$V" foo@git+https://h/x@v$V\n'
    pin, vcs = packages(text)
    assert (pin.version.text, vcs.specifier.text) == ("1.0", "git+https://h/x@v1.0")
    assert [quote(text, Holder(at)) for at in pin.version.trail] == ["1.0"]
    assert quote(text, pin.version) == '"foo==$V"'


class Holder:
    def __init__(self, span):
        self.span = span


@pytest.mark.parametrize(
    ("line", "effect"),
    [
        ("pip install foo==1", "sure"),
        ("pip install 'foo>=1'", "sure"),
        ("pip install foo", "keeps"),
        ("pip install -U foo", "sure"),
        ("uv add foo", "keeps"),
        ("pip install 'foo==1; python_version > \"3\"'", ""),
        ("pip install foo==$V", "sure"),
        ("pip install foo==${V}", "sure"),
        ("pip install foo==${V:-1; x}", ""),
        ("pip install foo==1 --no-deps", ""),
        ("/opt/venv/bin/pip install foo==1", ""),
        ("pip install -c c.txt foo==1", ""),
        ("uv add foo==1", ""),
        ("uv tool install foo==1", ""),
        ("pipx install foo==1", ""),
        ("conda install foo==1", ""),
        ("conda install foo", ""),
        ("poetry add foo==1", ""),
        ("pdm add foo", ""),
        ("pip install https://h/foo-1-py3-none-any.whl", "sure"),
        ("pip install https://h/foo-1.zip#egg=foo", ""),
        ("pip install git+https://h/o/foo@v1.0", "sure"),
        ("pip install git+https://h/o/foo@v1.0.post1#subdirectory=python", "sure"),
        ("pip install git+https://h/o/foo@0123abcd", ""),
        ("pip install git+https://h/o/foo@main", ""),
        ("pip install --force-reinstall git+https://h/o/foo@main", "sure"),
        ("pip install -e git+https://h/o/foo@main", "sure"),
        ("if x; then pip install foo==1; fi", ""),
    ],
)
def test_what_an_install_does_to_what_is_there(line, effect):
    (one,) = packages(f"{line}\n")
    assert one.effect == effect


def test_files_of_requirements_of_a_script():
    text = (
        "pip install -r a.txt -c ../c.txt --requirement=sub/b.txt -rd.txt foo\nuv pip sync e.txt\n"
    )
    uses = [item for item in facts(text) if isinstance(item, Uses)]
    assert [(one.how, one.target) for one in uses] == [
        ("requirements", "deploy/a.txt"),
        ("constraints", "c.txt"),
        ("requirements", "deploy/sub/b.txt"),
        ("requirements", "deploy/d.txt"),
        ("requirements", "deploy/e.txt"),
    ]
    assert quote(text, uses[0]) == "a.txt"
    assert [one.name for one in packages(text)] == ["foo"]


@pytest.mark.parametrize(
    "text",
    [
        "pip install -r /app/a.txt\n",
        "pip install -r ../../a.txt\n",
        "pip install -r $FILE\n",
        "pip install -r https://h/a.txt\n",
        "cd app && pip install -r a.txt\n",
        "pip install -r\n",
    ],
)
def test_files_that_cannot_be_placed(text):
    assert facts(text) == []


def test_a_file_in_a_container_says_nothing_of_the_repository():
    assert facts("pip install -r a.txt\n", "p.yaml", Route("p.yaml", ("spec", 0))) == []


def test_a_build_takes_its_files_of_requirements_from_the_repository():
    owner = Route("d/Dockerfile", ("stage", 0, "run", 0))
    text = "pip install -r /app/a.txt && cd x && pip install -r b.txt -r $C -r https://h/d.txt\n"
    uses = facts(text, "d/Dockerfile", owner)
    assert [(one.how, one.target) for one in uses] == [
        ("requirements", "d/app/a.txt"),
        ("requirements", "d/b.txt"),
    ]


def test_forks_and_bundles_are_packages_of_their_own():
    text = "pip install 'ai-dynamo[sglang]==1.1.1' sglang-kt==0.5.6 lsglang==1\n"
    assert [(one.name, one.extras, one.version.text) for one in packages(text)] == [
        ("ai-dynamo", ("sglang",), "1.1.1"),
        ("sglang-kt", (), "0.5.6"),
        ("lsglang", (), "1"),
    ]


def test_quotes_are_left_out_only_where_the_text_shows_them():
    text = "pip install \"foo==1.0\" foo\\[a\\]==1.0 f'oo'==1.0\n"
    quotes = [quote(text, one.version) for one in packages(text)]
    assert quotes == ["1.0", "foo\\[a\\]==1.0", "f'oo'==1.0"]


@given(st.lists(st.text(alphabet="fo-eri=[].:/@#$ ^~1+g", max_size=12), max_size=8))
def test_no_words_break_it(words):
    span = Span(PATH, 0, 10)
    argv = [known(word, span) for word in ("pip", "install", *words)]
    for item in installed(argv, PATH, Route(PATH, ("command", 0)), "pip install"):
        assert 0 <= item.span.start <= item.span.end <= 10


@pytest.mark.parametrize(
    "text",
    [
        "pip install " + " ".join(f'"foo{number}==1"' for number in range(4_000)),
        "pip install -r a.txt 'foo==1' bar\n" * 1_000,
        "pip install git+https://h/" + "a/" * 100_000,
        'pip install "foo' + "[" * 100_000 + '"',
        "poetry add " + "a@" * 50_000,
        "pip " + "-q " * 5_000 + "install foo",
    ],
)
def test_long_commands_are_read_in_time(text):
    start = time.process_time()
    facts(text)
    assert time.process_time() - start < 4  # a tenth of it on an idle machine


@pytest.mark.parametrize("program", ["pip3.9", "python3.9 -m pip"])
def test_the_programs_of_one_release_may_install_for_another_than_the_one_that_runs(program):
    text = f"set -e\n{program} install sglang==0.5.22\n"
    (one,) = packages(text)
    assert one.effect == ""
    (plain,) = packages(text.replace("3.9", "3"))
    assert plain.effect == "sure"
