"""Options that take a JSON object: each key of it is an option."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import ENGINE, component, launch, value

from servelint.advisory import Condition
from servelint.commands import CommandReader
from servelint.conditions import Answer, hold
from servelint.deployment import Deployment, Flag
from servelint.engine import Option, Program
from servelint.group import deployments
from servelint.object_options import MAX_KEYS, MAX_TEXT, with_keys

OBJECT = "--pair"


def role_of(invocation):
    flag = invocation.last("--pair.role")
    return flag.value.texts or ("unknown",) if flag is not None else ("none",)


KEYED = replace(
    ENGINE,
    programs=(
        *ENGINE.programs,
        Program(("Pair",), "server", inside=OBJECT),
        Program(("engine", "run"), "server", operands=1),
    ),
    options=(*ENGINE.options, Option((OBJECT,), "1", "")),
    role_flag=OBJECT,
    role_of=role_of,
    object_options=(OBJECT,),
    takes_underscores=True,
)


def flag(text, name=OBJECT):
    return Flag(name, value(name), value(text))


def keys(*flags):
    """The options behind the ones given, with what is known of each."""
    found = with_keys(flags, (OBJECT,))
    assert found[: len(flags)] == flags
    return {one.name: one.value.texts for one in found[len(flags) :]}


def read(text, engine=KEYED):
    return CommandReader((engine,)).read(launch(text))


def test_every_leaf_of_an_object_is_an_option():
    text = '{"role": "prefill", "inner": {"on": true, "many": [{"at": 1.5}, null]}}'
    assert keys(flag(text)) == {
        "--pair.role": ("prefill",),
        "--pair.inner.on": ("true",),
        "--pair.inner.many.0.at": ("1.5",),
        "--pair.inner.many.1": ("null",),
    }


def test_a_key_stands_where_the_whole_option_does():
    whole = flag('{"role": "prefill"}')
    (key,) = with_keys((whole,), (OBJECT,))[1:]
    assert (key.written, key.value.span) == (whole.written, whole.value.span)


def test_what_is_not_known_stays_so_where_it_stands():
    text = '{"role": "$ROLE", "name": "a-$TAG", "rank": $RANK, "port": 1}'
    (*_, role, name, rank, port) = with_keys((flag(text),), (OBJECT,))
    assert [one.value.text for one in (role, name, rank, port)] == [None, None, None, "1"]
    assert name.value.written == "a-$TAG"
    assert rank.value.reason == "unset-variable"


def test_a_last_comma_says_nothing():
    assert keys(flag('{"role": "decode", "list": [1, 2,], }')) == {
        "--pair.role": ("decode",),
        "--pair.list.0": ("1",),
        "--pair.list.1": ("2",),
    }
    assert keys(flag('{"text": ",}"}')) == {"--pair.text": (",}",)}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "prefill",
        "$CONFIG",
        "[1]",
        '{"role": ',
        "{'role': 'prefill'}",
        '{"a": "' + "x" * MAX_TEXT + '"}',
        json.dumps({str(number): 1 for number in range(MAX_KEYS + 1)}),
        '{"a":' * 5_000 + "1" + "}" * 5_000,
    ],
)
def test_a_text_that_is_no_object_has_no_keys(text):
    assert keys(flag(text)) == {}


def test_one_of_several_objects_has_the_keys_of_all():
    assert keys(flag('{"role": "prefill"}|{"role": "decode", "port": 1}')) == {
        "--pair.role": ("prefill", "decode"),
        "--pair.port": ("", "1"),
    }
    assert keys(flag('{"role": "prefill"}|$OTHER')) == {}


def test_the_last_of_several_objects_counts():
    assert keys(flag('{"role": "prefill"}'), flag('{"port": 1}')) == {"--pair.port": ("1",)}


def test_keys_given_one_by_one_replace_an_object():
    single = flag("decode", "--pair.role")
    inner = flag('{"a": 1}', "--pair.inner")
    assert keys(flag('{"role": "prefill", "port": 1}'), single, inner) == {"--pair.inner.a": ("1",)}


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
        max_leaves=20,
    )
)
def test_any_json_is_read_and_texts_come_back(data):
    text = json.dumps({"key": data})
    (whole,) = (Flag(OBJECT, value("--pair"), replace(value("x"), readings=((_text(text),),))),)
    found = with_keys((whole,), (OBJECT,))
    if isinstance(data, str) and not any("\ue000" <= char <= "\uf8ff" for char in data):
        assert found[1].value.text == data


def _text(text):
    (part,) = value("x").readings[0]
    return replace(part, text=text)


# -- on a command line --------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        'engine serve --pair \'{"role":"decode"}\'',
        'engine serve \'--pair={"role":"decode"}\'',
        "engine serve --pair.role decode",
        "engine serve --pair.role=decode",
        "Pair --role decode",
    ],
)
def test_the_ways_to_give_a_key(text):
    assert read(text).roles == ("decode",)
    assert CommandReader((KEYED,)).has_half(launch(text))


def test_underscores_are_hyphens_in_names_and_not_in_keys():
    found = read("engine serve --model_path m --pair.the_role=x")
    assert [one.name for one in found.flags] == ["--model-path", "--pair.the_role"]
    plain = read("engine serve --model_path m", ENGINE)
    assert [one.name for one in plain.flags] == ["--model_path"]


def test_each_object_that_may_be_meant_gives_its_role():
    text = 'engine serve --pair \'{"role":"prefill"}|{"role":"decode"}\''
    assert read(text).roles == ("prefill", "decode")


@pytest.mark.parametrize(
    ("word", "is_open"), [("model", False), ("$MODEL", False), ("<runtime-value>", True)]
)
def test_an_operand_is_no_option(word, is_open):
    assert read(f"engine run {word} --trust").open is is_open
    assert read(f"engine run {word} $MORE").open is True
    assert read("engine serve $MODEL").open is True


def test_a_program_that_says_nothing_of_a_pair_has_no_half():
    reader = CommandReader((KEYED,))
    assert not reader.has_half(launch("engine serve --trust"))
    assert not reader.has_half(launch("other --pair x"))
    assert reader.has_half(launch("engine serve $ARGS"))


# -- in conditions ------------------------------------------------------------


def answer(text, condition):
    read_one = component(text, role="both", engine=KEYED, invocation=read(text))
    return hold((condition,), read_one, Deployment((read_one,), ()))


INNER = 'engine serve --pair \'{"kind":"many","inner":[{"kind":"fast"}]}\''


@pytest.mark.parametrize(
    ("subject", "values", "holds"),
    [
        ("--pair.kind", ("many",), "yes"),
        ("--pair.kind", ("fast",), "no"),
        ("--pair.*kind", ("fast",), "yes"),
        ("--pair.*kind", ("slow",), "no"),
        ("--pair.other", ("x",), "no"),
        ("--pair.*other", ("x",), "no"),
    ],
)
def test_a_condition_may_be_on_a_key_or_on_any_of_several(subject, values, holds):
    assert answer(INNER, Condition(subject, values)).holds == holds
    turned = {"yes": "no", "no": "yes"}[holds]
    assert answer(INNER, Condition(subject, values, negated=True)).holds == turned


@pytest.mark.parametrize("subject", ["--pair.kind", "--pair.*kind"])
def test_a_key_of_an_object_that_could_not_be_read_is_not_known(subject):
    assert answer("engine serve --pair $X", Condition(subject, ("a",))).holds == "maybe"
    assert answer("engine serve --pair $X", Condition(subject, test="set")).holds == "maybe"
    open_one = answer("engine serve $X", Condition(subject, ("a",)))
    assert (open_one.holds, open_one.assumed) == ("no", True)


def test_a_missing_key_of_an_object_is_surely_missing_whatever_else_is_open():
    text = 'engine serve --pair \'{"kind":"many"}\' $MORE'
    assert answer(text, Condition("--pair.other", ("x",))) == Answer("no", why="--pair.other")


# -- beside other engines -----------------------------------------------------


def test_halves_of_two_engines_in_one_file_are_no_pair():
    other = replace(KEYED, id="other")
    one = component("engine serve --mode prefill", path="pair.sh")
    two = component("engine serve --pair.role decode", engine=other, role="decode", path="pair.sh")
    assert [len(group.components) for group in deployments((one, two))] == [1, 1]


def test_options_by_a_pattern_count_as_the_last_of_each_name():
    given_here = (flag("1", "--pair.a"), flag("2", "--pair.b"), flag("3", "--pair.a"), flag("x"))
    invocation = replace(component("serve").invocation, flags=given_here)
    assert [one.value.text for one in invocation.alike("--pair.*")] == ["3", "2"]
    assert invocation.alike("--pair.a") == (given_here[2],)
    assert invocation.alike("--pair.*b") == (given_here[1],)
    assert invocation.alike("--other") == invocation.alike("--other.*") == ()
