"""The justfile reader: what recipes give to a shell, and where it is written."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import commands_of, facts_of, launches_of, never_fails, quoted, shown

from servelint.facts import Uses
from servelint.finding import Skip
from servelint.readers import claim, justfile
from servelint.source import Route, Source


def sources(text):
    found = justfile.read(Source("justfile", text, "justfile", Route("justfile")))
    return [item for item in found if isinstance(item, Source)]


def commands(text):
    return commands_of("justfile", text)


def only_launch(text):
    (launch,) = launches_of("justfile", text)
    return launch


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("justfile", "justfile"),
        ("a/Justfile", "justfile"),
        (".justfile", "justfile"),
        ("x/gpu.just", "justfile"),
        ("justfile.bak", ""),
        ("just", "shebang"),
    ],
)
def test_claims(path, language):
    assert claim(path) == language


# -- recipes ------------------------------------------------------------------


def test_each_line_of_a_recipe_is_a_shell_text_of_its_own():
    text = "# c\nall: a b\n    one x\n\n    two\n\na:\n\tthree\nb: # c\n"
    assert [source.text for source in sources(text)] == ["one x", "two", "three"]
    assert [source.owner.steps for source in sources(text)] == [
        ("recipe", 0, "line", 0),
        ("recipe", 0, "line", 1),
        ("recipe", 1, "line", 0),
    ]
    assert commands("all:\n  A=1; one $A\n  two $A\n") == [["one", "1"], ["two", "<A>"]]


def test_signs_for_just_are_no_words():
    text = "@all:\n  @one\n  -two\n  @-three\n  -@ four\n"
    assert commands(text) == [["one"], ["two"], ["three"], ["four"]]


def test_continued_lines_are_one_command():
    text = "all:\n    @srv --a \\\n        --b\\\n    c\n    next\n"
    first, second = launches_of("justfile", text)
    assert [word.text for word in first.argv] == ["srv", "--a", "--bc"]
    assert quoted(text, first.span) == "srv --a \\\n        --b\\\n    c"
    assert [word.text for word in second.argv] == ["next"]


def test_spans_are_those_of_the_justfile():
    text = "# é\nall:\n  @srv $X '$Y' \"z\" # c\r\n"
    launch = only_launch(text)
    assert [quoted(text, word.span) for word in launch.argv] == ["srv", "$X", "'$Y'", '"z"']
    assert [shown(word) for word in launch.argv] == ["srv", "<X>", "$Y", "z"]


def test_lines_outside_of_recipes_are_no_commands():
    text = (
        "set export := false\nalias b := all\nimport 'x.just'\nmod y\nexport A := 'srv'\n"
        "  srv\n[private]\n\nunexport B\nall:\n  two\n#three\n  four\n"
    )
    assert commands(text) == [["two"]]


def test_a_script_is_one_text():
    text = (
        "all:\n    #!/usr/bin/env -S bash -e\n    for r in one two; do\n        srv --r $r \\\n"
        "            --b\n    done\n\n    last\n"
    )
    (source,) = sources(text)
    assert source.owner.steps == ("recipe", 0)
    assert source.text.splitlines()[1:3] == ["for r in one two; do", "    srv --r $r \\"]
    assert commands(text) == [["srv", "--r", "one|two", "--b"], ["last"]]


def test_scripts_for_other_programs_are_not_read():
    assert commands("all:\n  #!/usr/bin/env python3\n  srv\n") == []
    assert commands("[script('python3')]\nall:\n  srv\n") == []
    assert commands("set shell := ['nu', '-c']\nall:\n  srv\n") == []
    assert commands("set script-interpreter := ['perl']\n[script]\nall:\n  srv\n") == []


def test_what_shells_read_is_read():
    assert commands("[private, script('bash')]\nall:\n  A=1\n  srv $A\n") == [["srv", "1"]]
    assert commands("[script]\nall:\n  A=1\n  srv $A\n") == [["srv", "1"]]
    assert commands("set shell := ['/bin/zsh', '-c']\nall:\n  srv\n") == [["srv"]]


# -- values -------------------------------------------------------------------


def test_a_variable_is_known_where_it_is_used_and_points_at_its_definition():
    text = "tag := \"v1\"\nimg := 'reg/x:' + tag\nall:\n  run {{img}} --t={{ tag }}\n"
    launch = only_launch(text)
    assert [word.text for word in launch.argv] == ["run", "reg/x:v1", "--t=v1"]
    assert [quoted(text, word.span) for word in launch.argv] == ["run", "{{img}}", "--t={{ tag }}"]
    assert [quoted(text, span) for span in launch.argv[1].trail] == ["reg/x:", "tag", "v1"]


@pytest.mark.parametrize(
    ("definitions", "value"),
    [
        ("v := 'a'", "a"),
        ('v := "a\\tb\\u{e9}\\\n c"', "a\tbé c"),
        ('v := """\n    a\n      b\n    """', "a\n  b\n"),
        ("v := ('a' + 'b') # c", "ab"),
        ("v := 'a' / 'b'", "a/b"),
        ("v := / 'b'", "/b"),
        ("v-w := 'a'\nv := v-w", "a"),
        ("v := w\nw := 'a'", "a"),
        ("v := w", "<w>"),
        ("v := v", "<just_value>"),
        ("export v := 'a'", "a"),
        ("v := env('X')", "<X>"),
        ("v := env_var_or_default('X', 'a' + 'b')", "<X=ab>"),
        ("v := env('X', w)\nw := 'a'", "<X=a>"),
        ("v := x'$X/a'", "<X>/a"),
        ("v := `date`", "<just_command>"),
        ("v := f'{{x}}'", "<just_format>"),
        ("v := uppercase('a')", "<just_uppercase>"),
        ("v := if a == 'b' { 'c' } else if d != 'e' { 'f' } else { 'g' }", "<just_if>"),
        ("v := 'a' == 'b'", "<just_value>"),
        ("v := 'a' 'b'", "<just_value>"),
        ("v := ", "<just_value>"),
        ("", "<v>"),
    ],
)
def test_values_of_variables(definitions, value):
    launch = only_launch(f'{definitions}\nall:\n  srv "{{{{v}}}}"\n')
    assert shown(launch.argv[1]) == value


def test_a_value_may_be_several_words():
    text = "args := '--a 1 --b'\nall:\n  srv {{args}} {{none}}\n"
    assert commands(text) == [["srv", "--a", "1", "--b", "<none>"]]


def test_a_value_with_quotes_is_put_in_place():
    text = "t := 'v1'\nargs := \"--a 'b c' --d '\" + t + \" e'\"\nall:\n  srv {{args}} x\n"
    launch = only_launch(text)
    assert [shown(word) for word in launch.argv] == ["srv", "--a", "b c", "--d", "v1 e", "x"]
    assert quoted(text, launch.argv[2].span) == "{{args}}"
    assert quoted(text, launch.argv[4].trail[-1]) == "v1"


def test_just_fills_in_between_single_quotes_too():
    text = "t := 'v1'\nall:\n  srv 'a {{t}} $X' \"{{t}}\"\n"
    assert commands(text) == [["srv", "a v1 $X", "v1"]]
    assert commands("t := 'v1'\nall:\n  bash -c 'srv {{t}}'\n") == [["srv", "v1"]]


def test_braces_that_are_doubled_are_braces():
    assert commands("all:\n  srv '{{{{' {{'}}'}}\n") == [["srv", "{{", "}}"]]


def test_expressions_may_stand_in_place():
    text = "a := 'x'\nall:\n  srv {{ a + '.y' }} {{ a / env('B') }} {{ f(a) }} {{ }}\n"
    assert commands(text) == [["srv", "x.y", "x/<B>", "<just_f>", "<just_value>"]]


def test_exported_variables_are_environment():
    text = "export A := '1'\nB := '2'\nall $C='3' $D:\n  srv\n"
    launch = only_launch(text)
    env = {item.name: item for item in launch.env}
    assert {name: shown(item.value) for name, item in env.items()} == {
        "A": "1",
        "C": "<C=3>",
    }
    assert quoted(text, env["A"].value.span) == "'1'"
    assert [item.name for item in only_launch(f"set export\n{text}").env] == ["A", "B", "C"]


# -- parameters ---------------------------------------------------------------


def test_a_parameter_is_open_and_hides_the_variable_of_its_name():
    text = "role := 'no'\nall role port='1' *rest:\n  srv {{role}} {{port}} {{rest}}\n"
    assert commands(text) == [["srv", "<role>", "<port=1>", "<rest>"]]
    assert commands("a := 'x'\nall a=a b=a:\n  srv {{a}} {{b}}\n") == [
        ["srv", "<a=x>", "<b=<a=x>>"],
    ]


def test_a_recipe_is_read_once_for_each_way_in_which_it_is_asked_for():
    text = (
        "base := '80'\nport := base\n_srv role port *rest:\n  srv {{role}} {{port}} {{rest}}\n"
        "p: (_srv 'one' port '--a' '--b')\nd x: p && (_srv x port + '1')\n"
    )
    assert commands(text) == [
        ["srv", "one", "80", "--a", "--b"],
        ["srv", "<x>", "801", "<rest>"],
    ]
    first, second = launches_of("justfile", text)
    assert first.owner.steps[:4] == ("recipe", 0, "call", 0)
    assert second.owner.steps[:4] == ("recipe", 0, "call", 1)
    assert [quoted(text, span) for span in first.argv[1].trail] == ["one"]


def test_the_same_way_twice_is_one_way():
    text = "_srv role='a':\n  srv {{role}}\np: (_srv 'b')\nd: (_srv 'b')\n"
    assert commands(text) == [["srv", "b"]]
    assert commands(f"{text}e: _srv\n") == [["srv", "b"], ["srv", "<role=a>"]]


def test_too_many_ways_are_none():
    calls = "".join(f"r{n}: (_srv '{n}')\n" for n in range(17))
    assert commands(f"_srv role:\n  srv {{{{role}}}}\n{calls}") == [["srv", "<role>"]]


# -- files of variables -------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "target", "written"),
    [
        ("set dotenv-load", "a/.env", "set dotenv-load"),
        ("set dotenv-load := true", "a/.env", "set dotenv-load := true"),
        ("set dotenv-load\nset dotenv-filename := 'x.env'", "a/x.env", None),
        ('set dotenv-path := "../b/.env"', "b/.env", None),
    ],
)
def test_files_of_variables(settings, target, written):
    (uses,) = facts_of("justfile", f"{settings}\n", "a/justfile")
    assert isinstance(uses, Uses)
    assert (uses.target, uses.how) == (target, "env-file")
    assert quoted(settings, uses.span) == (written or settings.splitlines()[-1])


def test_a_file_of_variables_that_is_not_loaded_is_not_asked_for():
    assert facts_of("justfile", "set dotenv-load := false\n") == []


# -- hostile texts ------------------------------------------------------------


def test_a_file_that_is_too_long_is_a_skip():
    (skip,) = facts_of("justfile", "all:\n  srv\n" + "#" * justfile.MAX_CHARACTERS)
    assert (skip.reason, skip.detail) == ("too-large", "more than 400,000 characters: not read")


def test_too_many_lines_are_a_skip():
    text = "all:\n" + "  srv\n" * (justfile.MAX_TEXTS + 1)
    *found, skip = facts_of("justfile", text)
    assert len(found) == justfile.MAX_TEXTS
    assert isinstance(skip, Skip)
    assert (skip.reason, skip.detail) == (
        "too-slow",
        "only the first 2,000 lines of recipes were read",
    )
    assert skip.span.end == len(text) - 1


def test_too_many_variables_are_a_skip():
    exports = "".join(f"export a{n} := 'b'\n" for n in range(2000))
    found = list(
        justfile.read(Source("a", exports + "all:\n" + "  srv\n" * 100, "justfile", Route("a")))
    )
    assert isinstance(found[-1], Skip)
    assert 10 < len(found) < 50


@pytest.mark.parametrize(
    "text",
    [
        "all:\n  " + "{{" * 50_000 + "\n",
        "all:\n  " + "{{a}}" * 10_000 + "\n",
        "all:\n  " + "{{'" * 50_000 + "\n",
        "all:\n  " + "{{" + "(" * 50_000 + "}}\n",
        "all:\n" + "  \\\n" * 50_000,
        "a := " + "(" * 100_000,
        "a := " + "x(" * 60_000,
        "a := " + "if " * 100_000,
        "a := " + "/ " * 100_000,
        "a := " + "a == " * 100_000,
        "a := " + "env('A', " * 40_000,
        "a := '" + "\n" * 100_000,
        "a := " + "'" * 100_001,
        "a := '''" + "\n  x" * 100_000 + "'''\nall:\n  {{a}}\n",
        "".join(f"v{n} := v{n + 1} + v{n + 1} + '\"'\n" for n in range(60)) + "all:\n  {{v0}}\n",
        "".join(f"v{n} := v{n + 1} + v{n + 1}\n" for n in range(60)) + "all:\n  {{v0}}\n",
        "v0 := 'a'\n"
        + "".join(f"v{n + 1} := v{n}\n" for n in range(1500))
        + "all:\n"
        + "".join(f"  srv {{{{v{n}}}}}\n" for n in range(1500)),
        "all" + " a" * 50_000 + ":\n  srv\n",
        "all:" + " (all 'a')" * 50_000 + "\n  srv\n",
        "a a:a\n" * 60_000,
        "".join(f"a{n} b: a{n + 1}\n" for n in range(20_000)),
        "".join(f"a{n} := 'b'\n" for n in range(20_000)) + "all:\n  srv\nb:\n  c\n" * 1000,
        "x" * 200_000,
        "[" * 200_000,
        "(\n" * 100_000,
    ],
)
def test_texts_made_to_be_slow_are_not(text):
    start = time.process_time()
    list(justfile.read(Source("a", text, "justfile", Route("a"))))
    assert time.process_time() - start < 3


SIGNS = [
    *("{{", "}}", "{{a}}", "{{{{", "a", "b-c", " ", "\n", "\r\n", "\n  ", "\n\t", ":", ":=", "="),
    *(
        "'",
        '"',
        "'''",
        '"""',
        "`",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "+",
        "/",
        "*",
        "$",
        "@",
        "-",
        "\\",
    ),
    *("#", "#!", "#!/bin/sh", "export ", "set ", "shell", "export", "env(", "if ", "else ", "é"),
    *("x'", "f'", "\\\n", ",", "==", "&&", "all:\n  srv ", "script", "\\u{e9}", "\\u{110000}"),
]


@given(st.lists(st.sampled_from(SIGNS), max_size=50).map("".join))
def test_no_text_fails(text):
    never_fails("justfile", text)


PLAIN = st.text("abcXYZ019._/:@%+,é世", min_size=1, max_size=6)


@given(st.lists(PLAIN, min_size=1, max_size=5), PLAIN)
def test_plain_words_are_quoted_by_their_spans(words, value):
    text = f"# é\nv := '{value}'\nall:\n  @srv {' '.join(words)} {{{{ v }}}} {value}\n"
    launch = only_launch(text)
    assert [word.text for word in launch.argv] == ["srv", *words, value, value]
    for word in launch.argv:
        assert quoted(text, word.span) in (word.text, "{{ v }}")
