"""Templates of the Jinja family as texts in the language that they write."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servelint.source import Route, Source
from servelint.syntax.jinja import variants
from servelint.syntax.jinja_signs import hidden, revealed
from servelint.syntax.jinja_tags import tags


def texts(text, accepts=bool):
    """The texts of a template with its expressions as they are written."""
    return [revealed(one.text) for one in made(text, accepts)]


def made(text, accepts=bool):
    return variants(Source("a.j2", text, "jinja", Route("a.j2")), "yaml", accepts)


def test_tags_and_comments_are_left_out_with_their_lines() -> None:
    text = "a: 1\n{# no #}\n{% for x in y %}\n- {{ x }}\n{%- endfor -%}\nb: 2{# no #}\n"
    assert texts(text) == ["a: 1\n- {{ x }}\nb: 2\n"]


def test_branches_that_exclude_each_other_are_texts_of_their_own() -> None:
    text = (
        "{% if a %}\none\n{% if b %}\nin\n{% endif %}\n{% elif c %}\ntwo\n"
        "{% else %}\nthree\n{% endif %}\nall\n"
    )
    assert texts(text) == ["one\nin\nall\n", "two\nall\n", "three\nall\n"]


def test_a_block_without_another_branch_is_left_out_only_when_it_must_be() -> None:
    text = "a: 1\n{% if x %}\nb: 2\n{% endif %}\n"
    assert texts(text) == ["a: 1\nb: 2\n"]
    assert texts(text, lambda one: "b" not in one) == ["a: 1\n"]


def test_a_block_on_one_line_is_an_expression() -> None:
    text = "run{% if x %} --a {{ b }}{% endif %} --c\n"
    assert texts(text) == ["run{{ if x %) --a (( b ))(% endif }} --c\n"]


def test_an_expression_of_lines_of_its_own_is_left_out_only_when_it_must_be() -> None:
    text = "a: 1\n  {{ more | indent(2) }}\n"
    assert texts(text) == [text]
    assert texts(text, lambda one: revealed(one) == one) == ["a: 1\n"]


def test_what_a_block_sets_is_no_text_and_raw_text_is_no_template() -> None:
    text = "{% set a %}\nno\n{% endset %}\n{% set b = 1 %}\n{% raw %}\n{{ a }}\n{% endraw %}\n"
    (one,) = made(text)
    assert one.text == "{{ a }}\n"


def test_the_end_of_a_go_template_closes_what_it_closes() -> None:
    text = "{{- range .a }}\n- {{ .x }}\n{{- end }}\n{{ if .b }}\nb\n{{ else }}\nc\n{{ end }}\n"
    assert texts(text) == ["- {{ .x }}\nb\n", "- {{ .x }}\nc\n"]


def test_signs_in_quotes_close_nothing() -> None:
    text = """{{ a | default('}}') }}{% if "%}" %}{{ b"""
    assert [text[tag.start : tag.end] for tag in tags(text)] == [
        "{{ a | default('}}') }}",
        """{% if "%}" %}""",
    ]


@given(st.text())
def test_a_hidden_expression_comes_back_as_long_as_it_was(text: str) -> None:
    whole = "{{" + text + "}}"
    assert revealed(hidden(whole)) == whole
    assert len(hidden(whole)) == len(whole)


PIECES = st.sampled_from(
    [
        *("a: 1\n", "{{ x }}", "{% if a %}", "{% else %}", "{% endif %}", "\n", " ", "b"),
        *("{% for x in y %}", "{% endfor %}", "{# c #}", "{% set q %}", "{% endset %}", "{{", "'"),
        *("{% raw %}", "{% endraw %}", "%}", "{% elif b %}", "{{ if }}", "{{ end }}"),
    ]
)


@given(st.lists(PIECES, max_size=25).map("".join))
def test_every_character_points_at_itself(text: str) -> None:
    for one in made(text):
        shown = revealed(one.text)
        for at, sign in enumerate(shown):
            span = one.span(at, at + 1)
            assert text[span.start : span.end] == sign or sign in "(){}"


@pytest.mark.parametrize(
    "sign", ["{{", "{%", "{#", "{% if x %}", "{{ a }}", "{% if a %}{% endif %}"]
)
def test_many_signs_take_no_time(sign: str) -> None:
    made(sign * 15_000)
