"""Binding: which setting closes a name, and what never may be closed."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st
from made_up import env, image, launch, pin, span, value

from servelint.bind import bind
from servelint.environment import MAX_LENGTH, MAX_TRAIL
from servelint.facts import Setting, Uses
from servelint.source import Route
from servelint.value import Open, Text, Value


def closed(text, *settings, steps=()):
    """What a key becomes beside some settings."""
    key = Setting(span=span(500), owner=Route("run.sh", steps), key="k", value=value(text))
    return bind((*settings, key))[-1].value


def with_default(name, default, **where):
    """An image ``engine:${NAME:-default}``."""
    plain = image("engine:", **where)
    part = Open(name, f"${{{name}:-{default}}}", default=value(default).readings[0])
    parts = (*plain.reference.readings[0], part)
    return type(plain)(
        span=plain.span, owner=plain.owner, reference=Value((parts,), plain.reference.span)
    )


# -- which setting counts -----------------------------------------------------


def test_a_name_is_closed_by_a_setting_around_it():
    assert closed("engine:$TAG", env("TAG", "v1.0")).text == "engine:v1.0"


def test_a_setting_after_the_use_counts_too():
    bound = bind((image("engine:$TAG"), env("TAG", "v1.0")))
    assert bound[0].reference.text == "engine:v1.0"


def test_a_name_that_nothing_sets_stays_open():
    reference = closed("engine:$TAG", env("OTHER", "v1.0"))
    assert (reference.text, reference.reason, reference.written) == (
        None,
        "unset-variable",
        "engine:$TAG",
    )


def test_the_nearest_scope_wins_whatever_the_order():
    near, far = env("TAG", "v1.1", steps=("a", 0)), env("TAG", "v1.0", steps=("a",))
    for settings in ((near, far), (far, near)):
        assert closed("engine:$TAG", *settings, steps=("a", 0, "b")).text == "engine:v1.1"


def test_the_last_of_equals_wins():
    first, last = env("TAG", "v1.0", steps=("a",)), env("TAG", "v1.1", steps=("a",))
    assert closed("engine:$TAG", first, last, steps=("a",)).text == "engine:v1.1"


def test_neither_a_sibling_nor_a_child_nor_another_file_closes_a_name():
    settings = (
        env("TAG", "v1.4", steps=("b",)),
        env("TAG", "v1.4", steps=("a", 0)),
        env("TAG", "v1.4", path="other.sh"),
    )
    assert closed("engine:$TAG", *settings, steps=("a",)).reason == "unset-variable"


def test_an_unknown_setting_makes_the_value_unknown_and_never_falls_back_to_an_outer_one():
    near, far = env("TAG", "<runtime-value>", steps=("a",)), env("TAG", "v1.4")
    assert closed("engine:$TAG", far, near, steps=("a",)).reason == "runtime-value"


def test_the_environment_of_a_container_does_not_name_its_image():
    """It is set inside the container, when the image has long been chosen."""
    inner, outer = env("TAG", "v1.4", steps=("a", 0)), env("TAG", "v1.0", steps=("a",))
    named = image("engine:$TAG", steps=("a", 0))
    assert bind((named, inner))[0].reference.reason == "unset-variable"
    assert bind((named, inner, outer))[0].reference.text == "engine:v1.0"
    run = launch("engine serve --model-path $TAG", steps=("a", 0))
    assert bind((run, inner, outer))[0].argv[-1].text == "v1.4"


# -- defaults -----------------------------------------------------------------


def test_a_default_counts_where_nothing_is_set():
    assert bind((with_default("TAG", "v1.0"),))[0].reference.text == "engine:v1.0"


def test_a_setting_beats_a_default():
    facts = (env("TAG", "v1.1"), with_default("TAG", "v1.0"))
    assert bind(facts)[1].reference.text == "engine:v1.1"


def test_a_default_may_hold_names():
    facts = (env("OTHER", "v1.1"), with_default("TAG", "$OTHER"))
    assert bind(facts)[1].reference.text == "engine:v1.1"


def test_beside_an_empty_setting_the_default_is_possible_too():
    """``:-`` takes the default for an empty variable, ``-`` does not: neither may be dropped."""
    facts = (env("TAG", ""), with_default("TAG", "v1.0"))
    assert bind(facts)[1].reference.texts == ("engine:", "engine:v1.0")


# -- names that lead to names -------------------------------------------------


def test_names_lead_to_names():
    settings = (env("TAG", "v$NUMBER"), env("NUMBER", "1.0"))
    assert closed("engine:$TAG", *settings).text == "engine:v1.0"


def test_an_inner_name_is_looked_up_where_the_setting_stands():
    settings = (
        env("TAG", "v$NUMBER"),
        env("NUMBER", "1.0"),
        env("NUMBER", "1.4", steps=("a",)),
    )
    assert closed("engine:$TAG", *settings, steps=("a",)).text == "engine:v1.0"


def test_a_loop_is_a_runtime_value():
    loop = (env("A", "$B"), env("B", "$A"))
    assert closed("engine:$A", *loop).reason == "runtime-value"
    assert closed("engine:$B", *loop).reason == "runtime-value"


def test_a_name_in_its_own_setting_is_what_an_outer_setting_made_it():
    outer, inner = env("TAG", "v1"), env("TAG", "$TAG.0", steps=("a",))
    assert closed("engine:$TAG", inner, outer, steps=("a",)).text == "engine:v1.0"
    assert bind((outer, inner))[1].value.text == "v1.0"


def test_a_name_in_its_own_setting_is_what_an_earlier_equal_made_it():
    settings = (env("TAG", "v1"), env("TAG", "$TAG.0"), env("TAG", "$TAG.post1"))
    assert closed("engine:$TAG", *settings).text == "engine:v1.0.post1"
    assert bind(settings)[1].value.text == "v1.0"


def test_a_name_in_its_own_setting_falls_back_to_its_default():
    own = Value(((Open("TAG", "${TAG:-v1.0}", default=(Text("v1.0"),)),),), span(5, 9))
    setting = env("TAG", "x")
    setting = type(setting)(span=setting.span, owner=setting.owner, name="TAG", value=own)
    assert closed("engine:$TAG", setting).text == "engine:v1.0"


def test_a_name_that_is_only_its_own_setting_stays_open():
    assert closed("engine:$TAG", env("TAG", "$TAG")).reason == "unset-variable"


# -- several readings ---------------------------------------------------------


def test_every_reading_of_a_setting_is_kept():
    assert closed("engine:$TAG", env("TAG", "v1.0|v1.4")).texts == ("engine:v1.0", "engine:v1.4")


def test_too_many_readings_are_many_values():
    setting = env("N", "|".join("0123456789"))
    held = closed("engine:$N$N", setting)
    assert held.reason == "many-values"
    assert held.written == "engine:$N$N"
    assert setting.value.span in held.trail


# -- hostile input ------------------------------------------------------------


def doubling(depth, seed):
    """Each name is the one before it, twice."""
    settings = [env("A0", seed)]
    settings += [env(f"A{n}", f"$A{n - 1}$A{n - 1}") for n in range(1, depth)]
    return settings


def test_doubling_is_bounded():
    for seed in ("ha", "ha|hi", "x" * 5000, "<runtime-value>"):
        start = time.perf_counter()
        held = closed("engine:$A29", *doubling(30, seed))
        assert time.perf_counter() - start < 1
        assert held.texts is None
        assert sum(len(part.text) for part in held.readings[0]) < 2 * MAX_LENGTH


def test_a_few_long_texts_are_bounded_too():
    assert closed("$A3", *doubling(4, "x" * 5000)).text == "x" * 40_000
    assert closed("$A7", *doubling(8, "x" * 5000)).reason == "runtime-value"


def test_doubling_in_the_second_reading_is_bounded():
    settings = [env("A0", "x")]
    settings += [env(f"A{n}", f"x|$A{n - 1}$A{n - 1}") for n in range(1, 40)]
    assert closed("$A39", *settings).texts is None


def test_a_very_long_chain_is_a_runtime_value_and_a_short_one_is_read():
    long = [env("A0", "v1.0")]
    long += [env(f"A{n}", f"$A{n - 1}", start=20 * n) for n in range(1, 3000)]
    assert closed("engine:$A2999", *reversed(long)).reason == "runtime-value"
    for settings in (long, list(reversed(long))):
        assert closed(f"engine:$A{MAX_TRAIL - 1}", *settings).text == "engine:v1.0"
        assert closed(f"engine:$A{MAX_TRAIL}", *settings).reason == "runtime-value"


def test_defaults_within_defaults_end():
    nothing = env("NOTHING", "")
    settings = [nothing, env("A0", "v1.0")]
    for n in range(1, 3000):
        part = Open("NOTHING", "$", default=value(f"$A{n - 1}").readings[0])
        plain = env(f"A{n}", "x", start=20 * n)
        held = Value(((part,),), plain.value.span)
        settings.append(type(plain)(span=plain.span, owner=plain.owner, name=f"A{n}", value=held))
    assert "v1.0" in closed("$A2", *settings).texts
    assert closed("$A2999", *reversed(settings)).texts is None


def test_a_default_that_does_not_count_makes_no_loop():
    """``A=${B:-$C}`` beside ``C=$A``: B is set, so nothing leads to itself."""
    part = Open("B", "${B:-$C}", default=value("$C").readings[0])
    first = env("A", "x")
    first = type(first)(
        span=first.span, owner=first.owner, name="A", value=Value(((part,),), first.value.span)
    )
    assert closed("$C", first, env("B", "v1.0"), env("C", "$A")).text == "v1.0"


def test_many_settings_of_one_name_take_linear_time():
    settings = [env("A", "$A.", steps=(n,), start=10 * n) for n in range(4_000)]
    settings += [env("B", "$B.", start=10 * n) for n in range(4_000)]
    start = time.perf_counter()
    bind(settings)
    assert time.perf_counter() - start < 4


NAMES = ("A", "B", "C")


@given(
    st.lists(
        st.tuples(
            st.sampled_from(NAMES),
            st.lists(st.sampled_from(["x", "$A", "$B", "$C", "|", "<commit>"]), max_size=4),
            st.sampled_from([(), ("s",), ("s", 0)]),
        ),
        max_size=6,
    )
)
def test_binding_ends_and_knows_only_what_was_set(given_settings):
    settings = [env(name, "".join(parts), steps=steps) for name, parts, steps in given_settings]
    held = closed("$A", *settings, steps=("s", 0))
    known = [part for parts in held.readings for part in parts if isinstance(part, Text)]
    assert 1 <= len(held.readings) <= 16
    assert all(set(part.text) <= {"x"} for part in known)


# -- trails -------------------------------------------------------------------


def test_the_trail_leads_from_the_use_to_where_the_text_stands():
    outer, inner = env("TAG", "v$NUMBER", start=100), env("NUMBER", "1.0", start=200)
    held = closed("engine:$TAG", outer, inner)
    assert [part.trail for part in held.readings[0]] == [
        (),
        (outer.value.span,),
        (outer.value.span, inner.value.span),
    ]


def test_the_span_of_a_closed_value_stays_where_the_name_was_used():
    plain = image("engine:$TAG")
    assert bind((plain, env("TAG", "v1.0")))[0].reference.span == plain.reference.span


# -- every kind of fact -------------------------------------------------------


def test_all_facts_with_values_are_bound():
    other = env("NOW", "$X")
    run = launch("engine serve --mode $X", env=(other,))
    key = Setting(span=span(), owner=Route("run.sh"), key="k", value=value("$X"))
    locked, ranged = pin("$X", path="run.sh"), pin(">=$X", "range", path="run.sh")
    use = Uses(span=span(), owner=Route("run.sh"), target="a", how="source")
    setting = env("X", "1.0")
    bound = bind((setting, run, key, locked, ranged, other, use))
    assert bound[0] == setting
    assert bound[1].argv[-1].text == "1.0"
    assert bound[1].env[0].value.text == "1.0"
    assert bound[2].value.text == "1.0"
    assert bound[3].version.text == "1.0"
    assert bound[4].specifier.text == ">=1.0"
    assert bound[5].value.text == "1.0"
    assert bound[6] == use
