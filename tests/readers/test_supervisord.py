"""The reader of configurations of supervisord."""

from __future__ import annotations

import configparser
import shlex
import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from reading import commands_of, facts_of, launches_of, never_fails, quoted, shown

from servelint.facts import Env, Image, Launch
from servelint.finding import Skip
from servelint.readers import claim
from servelint.source import Route, Source
from servelint.syntax.exec_words import UnclosedQuoteError
from servelint.syntax.supervisord import settings, words


def program(*lines):
    return "\n".join(("[program:srv]", *lines, ""))


def variables(text):
    return [item for item in facts_of("supervisord", text) if isinstance(item, Env)]


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("supervisord.conf", "supervisord"),
        ("docker/Supervisord-gpu.conf", "supervisord"),
        ("api.supervisor.conf", "supervisord"),
        ("etc/supervisor/conf.d/api.conf", "supervisord"),
        ("supervisord.d/api.ini", "supervisord"),
        ("nginx.conf", ""),
        ("setup.ini", ""),
        ("supervisor.py", "python"),
        ("conf", "shebang"),
    ],
)
def test_claims(path, language):
    assert claim(path) == language


def test_a_command_and_its_words_are_quoted():
    text = "# é\n[supervisord]\nnodaemon=true\n" + program(
        *('Command = /opt/srv --a \'b c\' "d\\"e"  ; no', "   # no", "  --f \\", " --g", "user: x")
    )
    (launch,) = launches_of("supervisord", text)
    assert [word.text for word in launch.argv] == [*("/opt/srv", "--a", "b c", 'd"e', "--f", "--g")]
    assert [quoted(text, word.span) for word in launch.argv][:4] == [
        *("/opt/srv", "--a", "'b c'", '"d\\"e"')
    ]
    assert quoted(text, launch.span).endswith("--f \\\n --g")
    assert launch.owner.steps[:2] == ("program:srv", "command")


def test_only_programs_have_commands():
    text = "".join(
        f"[{section}]\ncommand={number}\n"
        for number, section in enumerate(
            ("program:a", "group:b", "fcgi-program:c", "eventlistener:d", "program", "x:program:e")
        )
    )
    assert commands_of("supervisord", text) == [["0"], ["2"], ["3"]]


def test_of_equal_settings_the_last_counts():
    text = program("command=one", "command=two") + program("environment=A=1", "environment=")
    assert commands_of("supervisord", text) == [["two"]]
    assert variables(text) == []


@pytest.mark.parametrize(
    ("written", "word"),
    [
        ("a|b", "a|b"),
        ("'$A `b` $(c)'", "$A `b` $(c)"),
        ("$A", "$A"),
        (r"a\ b", "a b"),
        (r"'a\'", "a\\"),
        (r'"a\n\\"', r"a\n" + "\\"),
        ("100%%", "100%"),
        ("%(program_name)s-x", "srv-x"),
        ("80%(process_num)02d", "80<process_num>"),
        ("%(ENV_B)s", "<ENV_B>"),
        ("%(ENV_A)s", "<A>"),
        ("'%(here)s/x'", "<here>/x"),
        ("''", ""),
        ("{{ role }}", "<template-function>"),
    ],
)
def test_words_are_not_those_of_a_shell(written, word):
    text = program(f"command=srv {written}", "environment=A=1")
    (launch,) = launches_of("supervisord", text)
    assert [shown(value) for value in launch.argv] == ["srv", word]


def test_a_text_for_a_shell_is_read_as_one():
    text = program('command=bash -c "srv --a $B --c %(ENV_D)s && exec next > log"')
    assert commands_of("supervisord", text) == [["srv", "--a", "<B>", "--c", "<ENV_D>"], ["next"]]
    (first, _) = launches_of("supervisord", text)
    assert quoted(text, first.span) == "srv --a $B --c %(ENV_D)s"


def test_what_docker_runs_is_what_counts():
    text = program("command=docker run reg/x:%(ENV_TAG)s srv")
    image, launch = facts_of("supervisord", text)
    assert isinstance(image, Image)
    assert shown(image.reference) == "reg/x:<ENV_TAG>"
    assert quoted(text, image.span) == "reg/x:%(ENV_TAG)s"
    assert launch.container


def test_variables_belong_to_their_program_or_to_all():
    text = "[supervisord]\nenvironment=ALL=1\n" + program(
        *("command=srv", "environment=A=\"b, c\",D='e',", "  F=%(here)s/g%%,H={{ i }},J=")
    )
    found = variables(text)
    assert [(env.name, shown(env.value), env.owner.steps) for env in found] == [
        ("ALL", "1", ()),
        ("A", "b, c", ("program:srv",)),
        ("D", "e", ("program:srv",)),
        ("F", "<here>/g%", ("program:srv",)),
        ("H", "<template-function>", ("program:srv",)),
        ("J", "", ("program:srv",)),
    ]
    assert [quoted(text, env.span) for env in found][:3] == ["ALL=1", 'A="b, c"', "D='e'"]
    assert [quoted(text, env.value.span) for env in found][:3] == ["1", "b, c", "e"]


def test_a_quote_that_is_not_closed_is_a_skip():
    text = program("command=srv 'a b") + "[program:two]\ncommand=two\n"
    skip, launch = facts_of("supervisord", text)
    assert isinstance(skip, Skip)
    assert (skip.reason, skip.detail) == (
        "syntax",
        "command of [program:srv]: a quote is not closed",
    )
    assert quoted(text, skip.span) == "'a b"
    assert isinstance(launch, Launch)


def test_a_file_that_is_too_long_is_a_skip():
    (skip,) = facts_of("supervisord", program("command=srv") + "#" * 100_000)
    assert (skip.reason, skip.detail) == ("too-large", "more than 100,000 characters: not read")


def test_a_file_without_programs_is_nothing():
    assert facts_of("supervisord", "") == []
    assert facts_of("supervisord", "key = value\n[unix_http_server]\nfile=/x\n") == []


@pytest.mark.parametrize(
    "text",
    [
        program("command=srv " + " " * 95_000 + "x"),
        program("command=srv" + "\n a" * 20_000),
        program("command=" + "\\" * 95_000),
        program("environment=" + "A" * 95_000),
        program("environment=" + 'A="' * 30_000),
        program("command=" + "%(" * 45_000),
        program(" " * 95_000 + "x"),
        "x" + " " * 95_000 + "y",
        "[" * 95_000,
        "a" * 5_000_000,
    ],
)
def test_texts_made_to_be_slow_are_not(text):
    start = time.process_time()
    facts_of("supervisord", text)
    assert time.process_time() - start < 3


# -- compared with the parsers that supervisord uses --------------------------

LINES = ["a", "Key", "=", ":", " ", "  ", "\n", "#", ";", "[x]", "[y]", "\t", "\r\n", '"', "é"]


@given(st.lists(st.sampled_from(LINES), max_size=16).map("".join))
def test_settings_are_those_of_the_parser(text):
    text = f"[s]\n{text}"
    # Of several signs for a comment in one line the parser only sees some.
    assume(all(line.count(";") + line.count("#") < 2 for line in text.split("\n")))
    parser = configparser.RawConfigParser(inline_comment_prefixes=(";", "#"), strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    expected = {
        (section, key): value.split()
        for section in parser.sections()
        for key, value in parser.items(section)
    }
    source = Source("x.conf", text, "supervisord", Route("x.conf"))
    found = {(item.section, item.key): item.value.text.split() for item in settings(source)}
    assert found == expected


WORDS = ["a", "b c", " ", '"', "'", "\\", "\\n", '\\"', "\t", "é", "=", "|", "$x", "#", "{", "\n"]


@given(st.lists(st.sampled_from(WORDS), max_size=10).map("".join))
def test_words_are_those_of_the_splitter(text):
    assume("{{" not in text and "\\\n" not in text and not text.endswith("\\"))
    try:
        expected = shlex.split(text)
    except ValueError:
        expected = None
    try:
        found = [word.text for word in words(text, lambda name: ("", name))]
    except UnclosedQuoteError:
        found = None
    assert found == expected


TOKENS = [
    *("[program:x]\n", "command=", "environment=", "A=b", ",", "\n", "\r\n", "\n ", "\\", " "),
    *("'", '"', "%(ENV_A)s", "%(", "%%", "%", ";", "#", "srv", "é", "{{ x }}", "$", "|", "[", "]"),
]


@given(st.lists(st.sampled_from(TOKENS), max_size=40).map("".join))
def test_no_text_fails(text):
    never_fails("supervisord", text)
