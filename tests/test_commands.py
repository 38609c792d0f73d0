"""Command lines: programs, options, roles, and above all what stays unread."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import ENGINE, invocation, launch, span, value

from servelint.commands import CommandReader
from servelint.engine import Option, Program
from servelint.facts import Launch
from servelint.options import OptionTable
from servelint.source import Route
from servelint.value import Value, concat, known

SERVE = "engine serve"


def flags(text):
    """Canonical name -> text of the last occurrence; True for one without a value."""
    given_flags = invocation(text).flags
    return {flag.name: True if flag.value is None else flag.value.written for flag in given_flags}


def roles(text):
    return invocation(text).roles


def is_open(text):
    return invocation(text).open


# -- programs -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "program", "kind"),
    [
        ("python3 -m engine.launch --trust", "python3 -m engine.launch", "server"),
        ("engine serve --trust", "engine serve", "server"),
        ("/opt/bin/engine serve", "/opt/bin/engine serve", "server"),
        ("python /app/engine/launch.py --trust", "/app/engine/launch.py", "server"),
        ("engine/launch.py", "engine/launch.py", "server"),
        ("numactl -N 0 python -m engine.launch", "python -m engine.launch", "server"),
        ("-m engine.launch", "-m engine.launch", "server"),
        ("$PYTHON -m engine.launch", "$PYTHON -m engine.launch", "server"),
        ("python -m engine_router --prefill http://a", "python -m engine_router", "router"),
        ("engine-all --router-policy x", "engine-all", "server"),
    ],
)
def test_programs_are_found_by_consecutive_words(text, program, kind):
    read = invocation(text)
    assert (read.engine, read.program, read.kind) == (ENGINE, program, kind)


@pytest.mark.parametrize(
    "text",
    [
        "python -m other.launch --mode prefill",
        "engine",
        "engine bench serve",
        "myengine serve",
        "engine serve-all",
        "python engine_launch.py",
        "/opt/xengine/launch.py",
        "python -m engine.launch_other",
        "engine <runtime-value>",
        "engine serve|bench",
    ],
)
def test_other_programs_are_not_the_engines(text):
    read = invocation(text)
    assert read.engine is None
    assert read.roles == ("none",)
    assert read.kind == ""


@pytest.mark.parametrize("talker", ["echo", "/bin/echo", "printf", "grep", "[", "pkill"])
def test_a_command_that_only_names_a_program_does_not_run_it(talker):
    assert invocation(f"{talker} engine serve --mode prefill").engine is None


def test_no_words_are_no_program():
    read = invocation("")
    assert (read.engine, read.program, read.flags, read.open) == (None, "", (), False)


def test_the_first_engine_that_owns_a_program_wins():
    other = replace(ENGINE, id="other", programs=(Program(("other",), "server"),))
    read = CommandReader((ENGINE, other)).read(launch("other --mode prefill"))
    assert read.engine is other


# -- options ------------------------------------------------------------------


def test_values_stand_apart_or_after_an_equals_sign():
    text = f"{SERVE} --model-path m --transfer-port=7 --mode=prefill --trust"
    assert flags(text) == {
        "--model-path": "m",
        "--transfer-port": "7",
        "--mode": "prefill",
        "--trust": True,
    }


def test_a_value_may_hold_equals_signs_and_may_be_empty():
    assert flags(f"{SERVE} --model-path=a=b") == {"--model-path": "a=b"}
    assert flags(f"{SERVE} --model-path=") == {"--model-path": ""}


def test_aliases_are_told_by_the_canonical_name():
    assert flags(f"{SERVE} --model m") == {"--model-path": "m"}


def test_a_flag_takes_no_word():
    assert flags(f"{SERVE} --trust --mode prefill") == {"--trust": True, "--mode": "prefill"}
    assert flags(f"{SERVE} --trust word --mode prefill")["--trust"] is True


def test_an_option_of_several_words_takes_all_until_the_next_option():
    text = f"{SERVE} --graph-sizes 1 -2 3 --mode prefill"
    assert flags(text) == {"--graph-sizes": "1", "--mode": "prefill"}


def test_an_optional_value_is_taken_or_not():
    assert flags(f"{SERVE} --profile dir --trust") == {"--profile": "dir", "--trust": True}
    assert flags(f"{SERVE} --profile --trust") == {"--profile": True, "--trust": True}


@pytest.mark.parametrize("number", ["-1", "-0", "-1.5", "-.5"])
def test_negative_numbers_are_values(number):
    assert flags(f"{SERVE} --bias {number} --trust") == {"--bias": number, "--trust": True}


def test_a_dash_is_a_value_and_a_short_option_is_not():
    assert flags(f"{SERVE} --bias - --trust")["--bias"] == "-"
    assert flags(f"{SERVE} --bias -x --trust")["--bias"] is True


def test_the_last_of_several_counts():
    read = invocation(f"{SERVE} --mode prefill --mode=null")
    assert read.last("--mode").value.text == "null"
    assert read.roles == ("none",)
    assert roles(f"{SERVE} --mode null --mod=x --mode decode") == ("decode",)
    assert read.last("--trust") is None


def test_options_before_the_program_are_not_its_own():
    assert flags("runner --mode prefill engine serve --trust") == {"--trust": True}
    assert flags("runner --mode prefill -- python -m engine.launch") == {}


def test_the_flag_keeps_its_words_as_written():
    text = f"{SERVE} --mod=x --mode prefill"
    read = invocation(text)
    flag = read.last("--mode")
    assert text[flag.written.span.start : flag.written.span.end] == "--mode"
    assert text[flag.value.span.start : flag.value.span.end] == "prefill"


# -- abbreviations ------------------------------------------------------------


def test_a_unique_beginning_is_the_option():
    text = f"{SERVE} --transfer-b x --tru --graph 1"
    assert flags(text) == {"--transfer-backend": "x", "--trust": True, "--graph-sizes": "1"}


def test_a_beginning_is_looked_for_over_all_releases():
    """``--profile`` is gone in the newest release; an old one still reads ``--prof``."""
    assert flags(f"{SERVE} --prof dir") == {"--profile": "dir"}


def test_an_exact_name_beats_the_longer_ones_that_it_begins():
    assert flags(f"{SERVE} --mode prefill") == {"--mode": "prefill"}


def test_two_names_of_one_option_are_not_ambiguous():
    table = OptionTable((Option(("--model-path", "--model-name"), "1", ""),))
    assert table.find("--model")[0] == "--model-path"
    assert not table.is_ambiguous("--model")


def test_an_ambiguous_beginning_stays_as_written_and_opens_the_launch():
    """A release that had only one of the options takes it: ``--mod decode`` may be the role."""
    read = invocation(f"{SERVE} --mod decode")
    assert [flag.name for flag in read.flags] == ["--mod"]
    assert read.roles == ("unknown",)
    assert invocation(f"{SERVE} --mod=decode").roles == ("unknown",)


def test_an_unheard_option_stays_as_written_and_takes_one_word():
    read = invocation(f"{SERVE} --new 1 --trust")
    assert [flag.name for flag in read.flags] == ["--new", "--trust"]
    assert read.flags[0].value.text == "1"
    assert not read.open
    assert read.roles == ("none",)


# -- options of routers -------------------------------------------------------


def test_a_router_has_options_of_its_own_and_no_role():
    read = invocation("python -m engine_router --prefill http://a http://b --pol x --mode prefill")
    assert [flag.name for flag in read.flags] == ["--prefill", "--policy", "--mode"]
    assert read.roles == ("none",)
    assert invocation("python -m engine_router $ARGS").roles == ("none",)


def test_a_program_with_a_prefix_takes_both_and_keeps_them_apart():
    text = "engine-all --router-policy x --mode prefill --router-pre a"
    assert flags(text) == {"--router-policy": "x", "--mode": "prefill", "--router-prefill": "a"}
    assert roles(text) == ("prefill",)


# -- open launches ------------------------------------------------------------


@pytest.mark.parametrize(
    "rest",
    [
        "$ARGS",
        "<runtime-value>",
        "--trust $ARGS",
        "--mode-switch <runtime-value>",
        "--$NAME x",
        "-$NAME",
        "--transfer-$KIND x",
        "--$NAME=x",
        "--new $ARGS",
        "--graph-sizes 1 2 $ARGS",
        "--profile $ARGS",
        "--trust|--mode",
        "|--trust",
        "word --model-path m $ARGS",
        "$ARGS --trust",
    ],
)
def test_words_that_may_hold_options_open_a_launch(rest):
    read = invocation(f"{SERVE} {rest}")
    assert read.open
    assert read.roles == ("unknown",)


@pytest.mark.parametrize(
    "rest",
    [
        "",
        "word",
        "--model-path $MODEL",
        "--model-path=$MODEL",
        "--graph-sizes $SIZES",
        "--model-path m|n",
        "model-$SIZE",
        "a|b",
        "--new value",
        "-- word",
        "-O3 -Dx=$Y",
    ],
)
def test_values_and_plain_words_do_not(rest):
    read = invocation(f"{SERVE} {rest}")
    assert not read.open
    assert read.roles == ("none",)


def test_an_empty_piece_before_a_name_hides_nothing():
    word = concat([known("", span()), value("$ARGS")], span())
    words = (known("engine", span()), known("serve", span()), word)
    read = CommandReader((ENGINE,)).read(Launch(span=span(), owner=Route("f"), argv=words))
    assert read.open


def test_a_known_role_stays_known_in_an_open_launch():
    read = invocation(f"{SERVE} --mode prefill $ARGS")
    assert read.open
    assert read.roles == ("prefill",)


# -- roles --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ("", ("none",)),
        ("--mode prefill", ("prefill",)),
        ("--mode=decode", ("decode",)),
        ("--mode null", ("none",)),
        ("--mode PREFILL", ("unknown",)),
        ("--mode $ROLE", ("unknown",)),
        ("--mode=$ROLE", ("unknown",)),
        ("--mode pre$REST", ("unknown",)),
        ("--mode prefill|decode", ("prefill", "decode")),
        ("--mode=prefill|--mode=decode", ("prefill", "decode")),
        ("--mode prefill|<runtime-value>", ("unknown",)),
        ("--mode null|decode", ("none", "decode")),
        ("--mode null|other", ("none", "unknown")),
        ("--mode prefill --mode-switch", ("both",)),
        ("--mode-switch --mode decode", ("both",)),
        ("--mode prefill|decode --mode-switch", ("both",)),
        ("--mode null|decode --mode-switch", ("none", "both")),
        ("--mode null --mode-switch", ("none",)),
        ("--mode-switch", ("none",)),
        ("--mode", ("none",)),
    ],
)
def test_roles(rest, expected):
    assert roles(f"{SERVE} {rest}") == expected


def test_a_role_without_any_reading_is_unknown():
    words = (*launch(f"{SERVE} --mode").argv, Value((), span()))
    read = CommandReader((ENGINE,)).read(Launch(span=span(), owner=Route("f"), argv=words))
    assert read.roles == ("unknown",)


# -- wrappers -----------------------------------------------------------------


def test_a_wrapper_in_an_image_of_the_engine_is_read_with_its_table():
    reader = CommandReader((ENGINE,))
    wrapper = launch("./start.sh --mod x --mode prefill --tru")
    read = reader.read(wrapper, ENGINE)
    assert (read.engine, read.program, read.kind) == (ENGINE, "./start.sh", "server")
    assert read.roles == ("prefill",)
    assert read.last("--trust") is not None


def test_an_unknown_program_opens_a_launch():
    assert CommandReader((ENGINE,)).read(launch("$COMMAND --trust"), ENGINE).roles == ("unknown",)


@pytest.mark.parametrize("text", ["./start.sh --mode prefill", "--mode prefill", "--mode=prefill"])
def test_the_role_flag_is_seen_on_any_program_and_on_bare_arguments(text):
    reader = CommandReader((ENGINE,))
    assert reader.has_role_flag(reader.read(launch(text)))
    assert not reader.has_role_flag(reader.read(launch("./start.sh --trust")))


# -- the property -------------------------------------------------------------

WORDS = ["--mode", "--mode=decode", "--mod", "prefill", "null", "--trust", "--new", "-1", "word"]


@given(st.lists(st.sampled_from(WORDS), max_size=6), st.integers(0, 6))
def test_an_unknown_word_never_makes_a_launch_sure_of_having_no_role(rest, at):
    """A word that may be anything may take the place of a value, but it clears nothing."""
    rest = [*rest[:at], "<runtime-value>", *rest[at:]]
    read = invocation(" ".join((SERVE, *rest)))
    if read.roles == ("none",):
        flag = read.last("--mode")
        swallowed = any(one.value is not None and one.value.reason for one in read.flags)
        assert flag is not None or swallowed
