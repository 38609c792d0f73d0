"""The Makefile reader: what recipes give to a shell, and where it is written."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import shown

from servelint.facts import Launch
from servelint.finding import Skip
from servelint.readers import makefile, shell
from servelint.source import Route, Source


def sources(text):
    return list(makefile.read(Source("Makefile", text, "makefile", Route("Makefile"))))


def launches(text):
    found, todo = [], sources(text)
    while todo:
        item = todo.pop(0)
        assert not isinstance(item, Skip)
        if isinstance(item, Launch):
            found.append(item)
        else:
            todo = [*shell.read(item), *todo]
    return found


def commands(text):
    return [[shown(word) for word in launch.argv] for launch in launches(text)]


def quoted(text, span):
    return text[span.start : span.end]


def test_each_recipe_line_is_a_shell_text_of_its_own():
    text = "all: a b\n\tone x\n\n\ttwo\nother:\n\tthree\n"
    assert [source.text for source in sources(text)] == ["one x\n", "two\n", "three\n"]
    assert [source.language for source in sources(text)] == ["shell"] * 3
    assert [source.owner for source in sources(text)] == [
        Route("Makefile", ("recipe", number)) for number in range(3)
    ]


def test_variables_of_the_shell_do_not_reach_the_next_line():
    assert commands("all:\n\tA=1; one $$A\n\ttwo $$A\n") == [["one", "1"], ["two", "<A>"]]
    text = ".ONESHELL:\nall:\n\tA=1\n\ttwo $$A\nb:\n\tthree $$A\n"
    assert commands(text) == [["two", "1"], ["three", "<A>"]]


def test_signs_for_make_are_no_words():
    assert commands("all:\n\t@one\n\t-two\n\t+@ three\n") == [["one"], ["two"], ["three"]]


def test_continued_lines_are_one_command():
    text = "all:\n\t@srv --a \\\n\t\t--b \\\r\n\t--c\n"
    (launch,) = launches(text)
    assert [word.text for word in launch.argv] == ["srv", "--a", "--b", "--c"]
    assert quoted(text, launch.span) == "srv --a \\\n\t\t--b \\\r\n\t--c"


def test_spans_are_those_of_the_makefile():
    text = "# é\nall:\n\t@srv $$X '$$Y' \"z\"\n"
    (launch,) = launches(text)
    assert [quoted(text, word.span) for word in launch.argv] == ["srv", "$$X", "'$$Y'", '"z"']
    assert [shown(word) for word in launch.argv] == ["srv", "<X>", "$Y", "z"]


def test_a_recipe_on_the_line_of_its_rule():
    assert commands("all: b ; @srv x\n") == [["srv", "x"]]
    assert commands("all: ## run; it\n\tsrv\n") == [["srv"]]


def test_lines_outside_of_recipes_are_no_commands():
    text = "\tno\nA = no\ndefine B\n\tno\nendef\n# no\ninclude no\nifeq (a,b)\nendif\nall:\n\tsrv\n"
    assert commands(text) == [["srv"]]


def test_a_variable_is_known_where_it_is_used_and_points_at_its_definition():
    text = "TAG := v1\nIMG = reg/x:$(TAG)\nall:\n\trun $(IMG) --t=${TAG}\n"
    (launch,) = launches(text)
    assert [word.text for word in launch.argv] == ["run", "reg/x:v1", "--t=v1"]
    assert [quoted(text, word.span) for word in launch.argv] == ["run", "$(IMG)", "--t=${TAG}"]
    trail = [quoted(text, span) for span in launch.argv[1].trail]
    assert trail == ["reg/x:", "$(TAG)", "v1"]


@pytest.mark.parametrize(
    ("definitions", "value"),
    [
        ("V = a", "a"),
        ("V := a # comment", "a"),
        ("V ::= a", "a"),
        ("export V=a", "a"),
        ("override V = a", "a"),
        ("V ?= a", "<V=a>"),
        ("V = a\nV ?= b", "a"),
        ("V = a\nV += b", "a b"),
        ("V = a\nV = b", "a|b"),
        ("ifdef X\nV = a\nelse\nV = b\nendif", "a|b|<V>"),
        ("V = a\nifdef X\nV = b\nendif", "a|b"),
        ("V = a\nx: V = b", "a|b"),
        ("V = $(W)", "<W>"),
        ("V = $(shell date)", "<make_value>"),
        ("V = $(V)", "<V>"),
        ("V = $$HOME/x", "<HOME>/x"),
        ("W = $(V)\nV = a", "a"),
        ("V-x = a\nV = $(V-x)", "a"),
        ("V != date", "<make_value>"),
        ("", "<V>"),
    ],
)
def test_values_of_variables(definitions, value):
    (launch,) = launches(f'{definitions}\nall:\n\tsrv "$(V)"\n')
    readings = shown(launch.argv[1]).rstrip().split("|")
    assert sorted(map(str.rstrip, readings)) == sorted(value.split("|"))


def test_a_value_may_be_several_words():
    text = "ARGS = --a 1 \\\n   --b\nall:\n\tsrv $(ARGS) $(NONE)\n"
    assert commands(text) == [["srv", "--a", "1", "--b", "<NONE>"]]


def test_a_value_with_quotes_is_put_in_place():
    text = "T = v1\nARGS = --a 'b c' --d \"$(T) e\"\nall:\n\tsrv $(ARGS) x\n"
    assert commands(text) == [["srv", "--a", "b c", "--d", "v1 e", "x"]]
    (launch,) = launches(text)
    assert quoted(text, launch.argv[2].span) == "$(ARGS)"


def test_make_expands_inside_single_quotes_too():
    text = "T = v1\nall:\n\tsrv 'a $(T) $$X' \"$(T)\"\n"
    assert commands(text) == [["srv", "a v1 $X", "v1"]]
    assert commands("T = v1\nall:\n\tbash -c 'srv $(T)'\n") == [["srv", "v1"]]


def test_what_make_computes_is_open():
    text = "all: x\n\tsrv $(shell cat $(F)) $(or $(A),b) $@ $< $(@D) $(X:.c=.o) $(call f,x)\n"
    assert commands(text) == [
        [
            *("srv", "<make_shell>", "<make_or>", "<make_target>", "<make_source>"),
            *("<make_target>", "<make_value>", "<make_call>"),
        ]
    ]


def test_exported_variables_are_environment():
    text = "export A = 1\nB = 2\nexport B\nC = 3\nall:\n\tsrv\n"
    (launch,) = launches(text)
    env = {item.name: item for item in launch.env}
    assert {name: item.value.text for name, item in env.items()} == {"A": "1", "B": "2"}
    assert quoted(text, env["B"].value.span) == "2"
    assert [item.name for item in launches("A = 1\nexport\nall:\n\tsrv\n")[0].env] == ["A"]


def test_too_many_recipes_are_a_skip():
    text = "all:\n" + "\tsrv\n" * (makefile.MAX_RECIPES + 1)
    *found, skip = sources(text)
    assert len(found) == makefile.MAX_RECIPES
    assert (skip.stage, skip.reason) == ("read", "too-slow")
    assert skip.span.end == len(text) - 1


@pytest.mark.parametrize(
    "text",
    [
        "all:\n\t" + "$(" * 30_000 + "\n",
        "all:\n\t" + "$$" * 100_000 + "\n",
        "all:\n\t" + "\\" * 100_001 + "\n",
        "all:\n\t" + "\\\n" * 50_000 + "\n",
        "".join(f"V{n} = $(V{n + 1}) '$(V{n + 1})'\n" for n in range(60)) + "all:\n\tsrv $(V0)\n",
        "".join(f"V{n} = $(V{n + 1}) $(V{n + 1})\n" for n in range(60)) + "all:\n\tsrv $(V0)\n",
        "V = a\n" + "V += $(V)\n" * 2_000 + "all:\n\tsrv $(V)\n",
        "x" * 200_000,
        " " * 200_000 + "=",
    ],
)
def test_texts_made_to_be_slow_are_not(text):
    start = time.process_time()
    sources(text)
    assert time.process_time() - start < 2


SIGNS = ["$(", "${", ")", "}", "$$", "$", "\t", "\n", ":", "=", ":=", "?=", "+=", "\\\n", "\\", "'"]
TOKENS = [
    *SIGNS,
    *(
        '"',
        "#",
        ";",
        "A",
        "B-c",
        " ",
        "@",
        "-",
        "a b",
        "é",
        "\r\n",
        "ifdef ",
        "endif",
        "define ",
        "endef",
    ),
    *("export ", ".ONESHELL:", "all:\n\t", "shell ", "!=", "%", ","),
]


@given(st.lists(st.sampled_from(TOKENS), max_size=50).map("".join))
def test_no_text_raises(text):
    for source in sources(text):
        assert source.text.endswith("\n")
        for item in shell.read(source):
            if isinstance(item, Launch):
                assert 0 <= item.span.start <= item.span.end <= len(text)


PLAIN = st.text("abcXYZ019._/:@%+,é世", min_size=1, max_size=6)


@given(st.lists(PLAIN, min_size=1, max_size=5), PLAIN)
def test_plain_words_are_quoted_by_their_spans(words, value):
    text = f"# é\nall:\n\t@srv {' '.join(words)} $$X {value}\n"
    (launch,) = launches(text)
    for word in launch.argv:
        assert quoted(text, word.span) in (word.text, "$$X")


# -- define -----------------------------------------------------------------------------------

DEFINED = """define start
@srv --mode $(1) \\
  --port $(PORT)
-other $(2)
endef
PORT = 80
one:
\t$(call start,a,b c)
two:
\t$(call start,$(MODE))
MODE := d
"""


def test_what_is_defined_is_called_with_words():
    assert commands(DEFINED)[:2] == [["srv", "--mode", "a", "--port", "80"], ["other", "b", "c"]]
    assert commands(DEFINED)[2] == ["srv", "--mode", "d", "--port", "80"]
    assert quoted(DEFINED, launches(DEFINED)[0].span) == "$(call start,a,b c)"


def test_what_is_defined_is_a_value():
    text = "override define run =\nsrv --a\n\nother\nendef\nall:\n\t$(run)\n"
    assert commands(text) == [["srv", "--a"], ["other"]]


def test_a_call_of_what_is_not_known_stays_open():
    assert commands("all:\n\t$(call nothing,a) b\n") == [["<make_call>", "b"]]
    twice = "define x\nsrv\nendef\ndefine x\nother\nendef\nall:\n\t$(call x)\n"
    assert commands(twice) == [["<make_call>"]]


@pytest.mark.parametrize(
    "text",
    [
        "define x\n" * 20_000,
        "define x\n$(call x,$(1))\nendef\nall:\n\t$(call x,a)\n",
        "define x\n" + "srv $(1)\n" * 20_000 + "endef\nall:\n" + "\t$(call x,a)\n" * 1_000,
        "all:\n" + "\t$(call x" + ",$(A)" * 20_000 + ")\n",
    ],
)
def test_definitions_made_to_be_slow_are_not(text):
    start = time.process_time()
    sources(text)
    assert time.process_time() - start < 4  # half of it on an idle machine
