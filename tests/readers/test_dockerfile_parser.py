"""The structure of Dockerfiles: equal to what docker's own parser says, on generated files."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from servelint.syntax.dockerfile import parse, structure
from servelint.syntax.dockerfile_lines import read_lines
from servelint.syntax.dockerfile_patterns import apply
from servelint.syntax.dockerfile_words import (
    SPACES,
    blank_words,
    json_words,
    quoted_words,
    split_head,
    split_once,
)

EXAMPLES = 2_500

NAMES = st.sampled_from(
    [
        *("FROM", "from", "RUN", "RUN", "Run", "COPY", "ADD", "ENV", "ARG", "CMD", "ENTRYPOINT"),
        *("LABEL", "SHELL", "USER", "WORKDIR", "EXPOSE", "ONBUILD RUN", "onbuild copy", "nonsense"),
    ]
)
BLANKS = st.sampled_from([" ", " ", " ", "  ", "\t", " \v", "\f"])
WORDS = st.sampled_from(
    [
        *("a", "b=c", "é=è", "x:1", "&&", "#", "#c", "--flag", "--from=a", "--mount=type=x,from=y"),
        *("'q r'", '"q r"', "don't", '"open', "a\\ b", "a`b", "\\", "`", "\\\\", "``", "--", "-"),
        *("$V", "${V}", "${V:-<<E}", "${V:-d e}", "${V:?w}", "${V+x}", "${V", "${V[@]}"),
        *(
            "$(",
            "$((1<<2))",
            "<<",
            "<<<E",
            "[",
            "]",
            "[1]",
            "[]",
            '["a"]',
            '["a", "b c"]',
            '["a",]',
        ),
        *(
            '["\\u00e9\\n\\\\", "`"]',
            "['a']",
            '["a"] x',
            '["a"',
            "=",
            "a=",
            "=a",
            '"k k"=v',
            "\x1c",
        ),
    ]
)
"""Substitutions with ``#``, ``%`` and ``/`` are younger than the parser that is compared with."""
MARKS = st.sampled_from(
    [
        *("<<E", "<<-E", '<<"E"', "<<'E'", "<<E F", "<<E <<-F", "3<<E", "<<E>f", "x<<E", "(<<E)"),
        *('"<<E"', "<< E", '<<""', "<<$E", "<<E\\", '<<"E F"', '["<<E"]', "<<${E:-F}", '<<E"F"'),
    ]
)
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", " \n", "\n\n"])
CONTINUATIONS = st.sampled_from(
    [
        *(
            "\\\n",
            "`\n",
            " \\\n",
            " `\n",
            "\\ \t\n",
            "`\r\n",
            " \\\n\n",
            " \\\n# c\n",
            " `\n  # c `\n",
        ),
        *(" \\\n \t\n", "\\\\\n", "``\n", "\\\v\n", " \\\n\\\n", " \\\n#\\\n"),
    ]
)


@st.composite
def _instruction(draw):
    text = draw(NAMES)
    for _ in range(draw(st.integers(0, 5))):
        kind = draw(st.integers(0, 9))
        text += draw(CONTINUATIONS) if kind == 0 else draw(BLANKS)
        text += draw(MARKS) if kind == 9 else draw(WORDS)
    return text + draw(ENDS)


@st.composite
def _heredoc(draw):
    text = draw(st.sampled_from(["RUN ", "COPY ", "ADD --chown=a ", "ONBUILD RUN ", "run \\\n "]))
    text += draw(MARKS) + draw(st.sampled_from(["", " /x", " | sh", " && \\\n  y"])) + "\n"
    for _ in range(draw(st.integers(0, 3))):
        text += draw(
            st.sampled_from(["FROM evil\n", "x \\\n", "\tE\n", " E\n", "# c\n", "\n", "F\n"])
        )
    return text + draw(
        st.sampled_from(["E\n", "\tE\n", "E\r\n", "E\nF\n", "EF\n", "E F\n", "$E\n", "E>f\n"])
    )


LINES = st.sampled_from(
    ["\n", "# c\n", "  # c \\\n", "\\\n", " \n", "\t#\n", "`\n", "FR\\\nOM x\n"]
)
DIRECTIVES = st.sampled_from(
    [
        *(
            "",
            "",
            "# escape=`\n",
            "#escape = \\\n",
            "# syntax=x\n#  ESCAPE=`\n",
            "# c\n# escape=`\n",
        ),
        *("\n# escape=`\n", " # escape=`\n", "# other=x\n# escape=`\n", "# escape=`\n# syntax=x\n"),
    ]
)
FILES = st.builds(
    lambda head, body, tail: head + "".join(body) + tail,
    DIRECTIVES,
    st.lists(_instruction() | _heredoc() | LINES, max_size=5),
    st.sampled_from(["", "", "RUN a", "RUN a \\", "RUN a \\\n# c", "CMD b`", "RUN \\\n\n\n"]),
)


def last_line(text, instruction):
    """The line on which an instruction ends, its here-documents included."""
    if instruction.heredocs:
        return text.count("\n", 0, instruction.heredocs[-1].terminator[1]) + 1
    return instruction.last + 1


def words_of(text, escape, kind, start, end):
    """The values of an instruction as docker's parser has them, by our ways to split."""
    if kind in ("CMD", "ENTRYPOINT", "RUN", "SHELL", "COPY", "ADD"):
        listed = json_words(text, start, end)
        if listed is not None:
            return tuple(word.text for word in listed)
    if kind in ("FROM", "COPY", "ADD", "EXPOSE"):
        return tuple(text[slice(*place)] for place in blank_words(text, start, end))
    if kind == "ARG":
        return tuple(text[slice(*place)] for place in quoted_words(text, start, end, escape))
    if kind in ("ENV", "LABEL"):
        words = [text[slice(*place)] for place in quoted_words(text, start, end, escape)]
        if words and "=" not in words[0]:
            parts = split_once(text, start, end)
            return tuple(text[slice(*place)] for place in parts)
        return tuple(piece for word in words for piece in word.split("=", 1))
    return (text[start:end],) if start < end else ()


def outcome(command):
    """Name, lines, options and values; joined text without here-documents."""
    return (
        (command.cmd or "").upper(),
        command.start_line,
        command.end_line,
        command.flags,
        command.value,
        (command.original or "").split("\n")[0],
        tuple((doc.name, doc.content) for doc in command.heredocs),
    )


def seen_by_docker(flag):
    """Docker's parser takes options byte by byte."""
    return flag.text.encode().decode("latin-1")


def own_outcome(text, dockerfile, instruction):
    joined = instruction.text
    name = joined[slice(*split_head(joined, 0, len(joined))[0])].upper()
    start, end = instruction.arguments
    inside = name == "ONBUILD"  # the package shows neither options nor here-documents there
    values = words_of(joined, dockerfile.escape, instruction.name, start, end)
    heredocs = tuple((doc.mark.name, text[slice(*doc.body)]) for doc in instruction.heredocs)
    return (
        name,
        instruction.first + 1,
        last_line(text, instruction),
        () if inside else tuple(map(seen_by_docker, instruction.flags)),
        values,
        joined,
        () if inside else heredocs,
    )


MARKED = str.maketrans("\\#\x1c", "___")


def value_of(text):
    """Everything behind the name, without what the rewriting may replace."""
    return text.strip(SPACES).translate(MARKED).rstrip("_ \t\v\f")


KNOWN = frozenset(
    [
        "FROM",
        "RUN",
        "COPY",
        "ADD",
        "ENV",
        "ARG",
        "CMD",
        "ENTRYPOINT",
        "LABEL",
        "SHELL",
        "USER",
        "WORKDIR",
        "EXPOSE",
    ]
)


def comparable(instruction):
    return instruction.name in KNOWN


@settings(max_examples=EXAMPLES, deadline=None)
@given(FILES)
def test_equal_to_dockers_own_parser(text):
    oracle = pytest.importorskip("dockerfile", reason="no wheel of docker's parser here")
    ours = parse(text)
    try:
        theirs = oracle.parse_string(text)
    except oracle.GoParseError:
        reject()
    theirs = [command for command in theirs if command.cmd]
    pairs = list(zip(theirs, ours.instructions, strict=True))
    for command, instruction in pairs:
        expected, found = outcome(command), own_outcome(text, ours, instruction)
        if not comparable(instruction):  # docker's parser knows no values of these
            expected, found = expected[:3] + expected[5:], found[:3] + found[5:]
        assert found == expected
    assert not ours.problems
    rows = structure(read_lines(text).rewritten)
    for command, row in zip(theirs, rows, strict=True):
        rest = command.original.split("\n")[0].strip(SPACES)[len(command.cmd) :]
        assert value_of(row["value"]) == value_of(rest)


# -- what is levelled, one by one: these hold where docker's parser cannot be had ------------


@pytest.mark.parametrize("word", ["${V", "${V:-", '"${V"'])
def test_a_substitution_that_never_closes_names_no_end_of_a_body(word):
    assert [one.name for one in parse(f"FROM a\nRUN cat <<{word}\nx\n").instructions] == [
        *("FROM", "RUN", "X")
    ]


def told(text):
    return [(one.name, one.first, one.last, one.text) for one in parse(text).instructions]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("RUN a \\\n\n# c\n  b\n", [("RUN", 0, 3, "RUN a   b")]),
        ("RUN a \\\n # c \\\n b", [("RUN", 0, 2, "RUN a  b")]),
        ("RUN a \\", [("RUN", 0, 0, "RUN a ")]),
        ("RUN a \\\n\n# c\n", [("RUN", 0, 2, "RUN a ")]),
        ("RUN a \\ \t\nb", [("RUN", 0, 1, "RUN a b")]),
        ("RUN a \\\\\nRUN b", [("RUN", 0, 0, "RUN a \\\\"), ("RUN", 1, 1, "RUN b")]),
        ("RUN a \\\v\nRUN b", [("RUN", 0, 0, "RUN a \\\v"), ("RUN", 1, 1, "RUN b")]),
        ("RUN a`\nRUN b", [("RUN", 0, 0, "RUN a`"), ("RUN", 1, 1, "RUN b")]),
        (
            "# escape=`\nRUN a`\nb\nRUN c\\\nRUN d",
            [
                ("RUN", 1, 2, "RUN ab"),
                ("RUN", 3, 3, "RUN c\\"),
                ("RUN", 4, 4, "RUN d"),
            ],
        ),
        ("# check=skip=all\n# escape=`\nRUN a`\nb", [("RUN", 2, 3, "RUN ab")]),
        ("# c\n# escape=`\nRUN a\\\nb", [("RUN", 2, 3, "RUN ab")]),
        ("FROM\\\n a", [("FROM", 0, 1, "FROM a")]),
        ("FR\\\nOM a", [("FROM", 0, 1, "FROM a")]),
        ("\\\nFROM #\n", [("FROM", 0, 1, "FROM #")]),
        ("\\\n\\\n", []),
        ("FROM", [("FROM", 0, 0, "FROM")]),
        ("RUN a\r\n\r\nRUN b \\\r\n c\r\n", [("RUN", 0, 0, "RUN a"), ("RUN", 2, 3, "RUN b  c")]),
        ("RUN <<E\nFROM evil \\\nE\nRUN b", [("RUN", 0, 0, "RUN <<E"), ("RUN", 3, 3, "RUN b")]),
        ("COPY <<-E /x\n\tE\nRUN b", [("COPY", 0, 0, "COPY <<-E /x"), ("RUN", 2, 2, "RUN b")]),
        (
            "ONBUILD ADD <<E /x\nE\nRUN b",
            [("ADD", 0, 0, "ONBUILD ADD <<E /x"), ("RUN", 2, 2, "RUN b")],
        ),
        ("RUN echo '<<E'\nRUN b", [("RUN", 0, 0, "RUN echo '<<E'"), ("RUN", 1, 1, "RUN b")]),
        ('RUN ["<<E"]\nRUN b', [("RUN", 0, 0, 'RUN ["<<E"]'), ("RUN", 1, 1, "RUN b")]),
        ("RUN a << E\nRUN b", [("RUN", 0, 0, "RUN a << E"), ("RUN", 1, 1, "RUN b")]),
        ("RUN a <<<E\nRUN b", [("RUN", 0, 0, "RUN a <<<E"), ("RUN", 1, 1, "RUN b")]),
        ("ENV A=<<E\nRUN b", [("ENV", 0, 0, "ENV A=<<E"), ("RUN", 1, 1, "RUN b")]),
        (
            "RUN ${A/b/c} ${D#e} <<E\nx\nE\nRUN b",
            [
                ("RUN", 0, 0, "RUN ${A/b/c} ${D#e} <<E"),
                ("RUN", 3, 3, "RUN b"),
            ],
        ),
        ("RUN\xa0a", [("RUN_A", 0, 0, "RUN\xa0a")]),
        ("\u2028RUN a", [("RUN", 0, 0, "RUN a")]),
    ],
)
def test_levelled(text, expected):
    assert told(text) == expected


@given(FILES | st.text())
def test_the_rewritten_text_has_as_many_lines(text):
    rows = text.split("\n")
    assert read_lines(text).rewritten.count("\n") == len(rows) - (not rows[-1])


@given(FILES | st.text())
def test_the_joined_text_is_that_of_the_file(text):
    for instruction in parse(text).instructions:
        assert "".join(instruction.text[s.start : s.end] for s in instruction.segments) == (
            instruction.text
        )
        for segment in instruction.segments:
            piece = text[segment.origin_start : segment.origin_end]
            assert piece == instruction.text[segment.start : segment.end]


@given(st.text(max_size=80))
def test_a_surrogate_is_no_obstacle(text):
    assert len(told(f"RUN {text}\ud800\nCMD x")) >= 1


def test_the_parser_prints_nothing_and_writes_nothing(tmp_path):
    code = (
        "from servelint.syntax.dockerfile import parse\n"
        "assert parse('FROM a\\nRUN b \\\\').instructions"
    )
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-X",
            "dev",
            "-c",
            f"import sys; sys.path[:0] = {sys.path!r}\n{code}",
        ],
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    assert (done.stdout, done.stderr, list(tmp_path.iterdir())) == (b"", b"", [])


def test_patterns_take_off_what_bash_takes_off():
    chance = random.Random(20261130)
    cases = [
        (
            "".join(chance.choices("ab.", k=chance.randint(0, 7))),
            chance.choice(["#", "##", "%", "%%", "/", "//"]),
            "".join(chance.choices("ab.*?", k=chance.randint(1, 4))),
        )
        for _ in range(400)
    ]
    cases = [case for case in cases if "/" not in case[1] or not set("*?") & set(case[2])]
    script = "".join(
        f"V='{value}'; echo \"<${{V{operator}{pattern}{'/x' if '/' in operator else ''}}}>\"\n"
        for value, operator, pattern in cases
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    ours = [f"<{apply(operator, value, pattern, 'x')}>" for value, operator, pattern in cases]
    assert done.stdout.splitlines() == ours


def test_patterns_that_docker_refuses_or_that_are_too_long_are_not_told():
    assert apply("#", "abc", "\\a") is None
    assert apply("#", "abc", "a\\") is None
    assert apply("#", "*bc", "\\*") == "bc"
    assert apply("##", "a" * 5_000, "*a*a*a*a") is None
