"""The template language: places, what is not known, ways, bounds.

That its values are Helm's is shown in test_helm_oracle.py.
"""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from servelint.source import Route, Source
from servelint.syntax.gotemplate import (
    Chart,
    Engine,
    Release,
    TemplateProblem,
    TooDeep,
    TooSlow,
)
from servelint.syntax.gotemplate.automaton import has_match
from servelint.syntax.gotemplate.functions import FUNCTIONS
from servelint.syntax.gotemplate.parser import parse
from servelint.syntax.gotemplate.texts import of_source, plain
from servelint.syntax.interpolation import HOLE
from servelint.syntax.yaml_data import load

NAME = "web/templates/a.yaml"


def source(path, text):
    return Source(path, text, "yaml", Route(path))


def engine(template, values="", release=None, **templates):
    texts = {"a.yaml": template, **{f"{name}.tpl": text for name, text in templates.items()}}
    sources = {f"templates/{name}": source(f"c/{name}", text) for name, text in texts.items()}
    data = load(source("c/values.yaml", values))
    meta = load(source("c/Chart.yaml", "name: web\nappVersion: 1.2.3\n"))[0]
    return Engine(Chart("web", data[0] if data else None, meta, sources), release)


def render(template, values="", release=None, **templates):
    return engine(template, values, release, **templates).render(NAME, Route("web"), "v")


def text_of(template, values="", release=None, **templates):
    (result,) = render(template, values, release, **templates)
    return result.source.text.replace(HOLE[0], "<").replace(HOLE[1], ">")


def places(template, values="", **templates):
    """The pieces of a text: what it says, where it stands, where it is written."""
    (result,) = render(template, values, None, **templates)
    files = {"c/a.yaml": template, "c/values.yaml": values}
    files |= {f"c/{name}.tpl": text for name, text in templates.items()}
    files["c/Chart.yaml"] = "name: web\nappVersion: 1.2.3\n"
    found = []
    whole = result.source
    for start, end, leaves in whole.runs(0, len(whole.text)):
        span = whole.span(start, end)
        written = [(leaf.path[2:], files[leaf.path][leaf.start : leaf.end]) for leaf in leaves]
        found.append((whole.text[start:end], files[span.path][span.start : span.end], written))
    return found


# -- places -----------------------------------------------------------------------------------


def joined(found):
    """Pieces with the same place put together, as runs are cut for the map alone."""
    said = []
    for text, at, written in found:
        if said and said[-1][1] == at and said[-1][2][:1] == [one[0] for one in written][:1]:
            said[-1] = (said[-1][0] + text, at, said[-1][2], said[-1][3] + written)
        else:
            said.append((text, at, [one[0] for one in written], written))
    return [
        (text, at, names[0] if names else "", "".join(part for _, part in written))
        for text, at, names, written in said
    ]


def test_text_outside_of_actions_stands_for_itself():
    assert joined(places("a: b\n")) == [("a: b\n", "a: b\n", "", "")]


@pytest.mark.parametrize(
    ("pipe", "said", "written"),
    [
        (".Values.tag", "v1.2-rc", "v1.2-rc"),
        (".Values.tag | trimPrefix `v`", "1.2-rc", "1.2-rc"),
        (".Values.tag | trunc 4", "v1.2", "v1.2"),
        (".Values.tag | trunc -2", "rc", "rc"),
        ("default `x` .Values.tag", "v1.2-rc", "v1.2-rc"),
        ("coalesce .Values.none .Values.tag", "v1.2-rc", "v1.2-rc"),
        ("splitList `-` .Values.tag | last", "rc", "rc"),
        ("regexFind `[0-9.]+` .Values.tag", "1.2", "1.2"),
        ("tpl .Values.tag .", "v1.2-rc", "v1.2-rc"),
        ("(fromYaml (toYaml .Values)).tag", "v1.2-rc", "v1.2-rc"),
        (".Values.tag | toJson | fromJsonArray | first", None, None),
    ],
)
def test_what_is_left_of_a_value_is_written_where_it_is(pipe, said, written):
    template = f"{{{{ {pipe} }}}}"
    if said is None:
        assert HOLE[0] in render(template, "tag: v1.2-rc")[0].source.text
        return
    found = joined(places(template, "tag: v1.2-rc"))
    assert found == [(said, template, "values.yaml", written)]


def test_what_a_function_adds_is_written_nowhere_or_at_its_literal():
    found = joined(places('{{ printf "%s:%s" "img" .Values.tag | quote }}', "tag: 1.0-x"))
    assert [(text, name, written) for text, _, name, written in found] == [
        ('"', "", ""),
        ("img:", "a.yaml", "img:"),
        ("1.0-x", "values.yaml", "1.0-x"),
        ('"', "", ""),
    ]


def test_text_of_a_named_template_stands_at_the_action_that_takes_it_in():
    helper = '{{ define "n" }}img:{{ .Values.tag }}{{ end }}'
    found = joined(places('image: {{ include "n" . }}', "tag: v1", helpers=helper))
    assert found == [
        ("image: ", "image: ", "", ""),
        ("img:", '{{ include "n" . }}', "helpers.tpl", "img:"),
        ("v1", '{{ include "n" . }}', "values.yaml", "v1"),
    ]


def test_the_items_of_toyaml_keep_their_places():
    found = places("a: {{- toYaml .Values.l | nindent 2 }}", "l:\n- --x=1\n- 'it''s'\n- 5\n")
    written = [text for _, _, leaves in found for _, text in leaves]
    assert written == ["--x=1", "it''s", "5"]
    assert "".join(text for text, _, leaves in found if leaves) == "--x=1it's5"


def test_numbers_and_truth_values_keep_their_places():
    found = places("{{ .Values.num }},{{ .Values.yes_ }},{{ .Values.oct }}", VALUES_OF_ALL_KINDS)
    assert ["".join(text for text, _, leaves in found if leaves)] == ["8true15"]
    assert {leaf for _, _, leaves in found for leaf in leaves} == {
        ("values.yaml", "8"),
        ("values.yaml", "yes"),
        ("values.yaml", "017"),
    }


VALUES_OF_ALL_KINDS = "{num: 8, yes_: yes, oct: 017}"


def test_nil_in_a_list_is_written_the_same_way_for_every_verb():
    found = places("{{ printf `%v-%s-%q` .Values.l .Values.l (dict `k` nil) }}", "l: [null, a]")
    assert "".join(text for text, _, _ in found) == '[<nil> a]-[<nil> a]-map["k":<nil>]'


def test_the_version_of_the_chart_is_written_in_its_file():
    assert joined(places("{{ .Chart.AppVersion }}"))[0][2:] == ("Chart.yaml", "1.2.3")


# -- what is not known ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pipe", "said"),
    [
        (".Release.Name", "<{{ .Release.Name }}>"),
        ('printf "%s-%s" .Release.Name "x"', "<{{ .Release.Name }}>-x"),
        (".Release.Name | quote", '"<{{ .Release.Name }}>"'),
        ("randAlphaNum 5 | b64enc", "<b64enc (randAlphaNum 5)>"),
        ("mystery .Values.a | default 1", "<default 1 (mystery b)>"),
        ('include "nowhere" .', '<include "nowhere">'),
        ("(mystery).x.y", "<mystery.x.y>"),
        ("toYaml (list 1 (mystery))", "- 1\n- <mystery>"),
        ('index (dict "a" (mystery)) "a"', "<mystery>"),
        ('join "," (list "a" .Release.Name)', "a,<{{ .Release.Name }}>"),
        ('trimSuffix "-x" (print .Release.Name "-x")', "<{{ .Release.Name }}>"),
        ('hasSuffix "-x" (print .Release.Name "-x")', "true"),
        ('eq (print "a" .Release.Name) "bc"', "false"),
        ("ternary 1 2 (empty .Release.Name)", "2"),
        ("sha256sum .Release.Name", '<sha256sum "{{ .Release.Name }}">'),
    ],
)
def test_what_is_not_known_stands_in_a_hole(pipe, said):
    said = said.replace("mystery b", 'mystery "b"')
    assert text_of(f"{{{{ {pipe} }}}}", "a: b") == said


def test_a_hole_has_no_line_break():
    assert "\n" not in text_of("{{ mystery `a\nb` }}")


def test_equal_writings_of_what_is_cut_off_are_equal():
    pipe = 'printf "%s-%s" .Release.Name "x" | trunc 63 | trimSuffix "-"'
    one, other = text_of(f"{{{{ {pipe} }}}} {{{{ {pipe} }}}}").split("> ")
    assert one + ">" == other
    assert ".Release.Name" in one


def ways(template, values="", **templates):
    found = render(template, values, None, **templates)
    return [(one.source.text, [way for _, way in one.assumed]) for one in found]


def test_a_condition_that_nobody_knows_goes_both_ways():
    template = "{{ if mystery }}a{{ else }}b{{ end }}"
    assert ways(template) == [("a", [True]), ("b", [False])]


def test_what_is_not_known_but_not_empty_goes_one_way():
    template = "{{ if (genCA `a` 365).Cert | b64enc }}a{{ else }}b{{ end }}"
    assert ways(template) == [("a", [])]


def test_equal_conditions_are_taken_alike():
    template = "{{ if mystery }}a{{ end }}{{ if mystery }}b{{ end }}{{ if other }}c{{ end }}"
    assert {text for text, _ in ways(template)} == {"ab", "abc", "c", ""}


def test_a_range_over_what_nobody_knows_runs_once_or_not():
    found = [
        text for text, _ in ways("{{ range $k, $v := mystery }}[{{ $v.x }}]{{ else }}-{{ end }}")
    ]
    assert found == [f"[{HOLE[0]}(item mystery).x{HOLE[1]}]", "-"]


def test_apis_of_others_may_be_there_or_not():
    template = '{{ if .Capabilities.APIVersions.Has "example.com/v1" }}a{{ else }}b{{ end }}'
    assert [text for text, _ in ways(template)] == ["a", "b"]
    assert text_of(template, release=Release(apis=frozenset({"example.com/v1"}))) == "a"
    assert text_of(template, release=Release(apis=frozenset())) == "b"


def test_too_many_ways_are_told():
    template = "".join(f"{{{{ if m{number} }}}}{number}{{{{ end }}}}" for number in range(6))
    found = render(template)
    assert len(found) == 16
    assert all(one.is_cut for one in found)
    assert not any(one.is_cut for one in render("{{ if mystery }}a{{ end }}"))


def test_a_way_that_fails_is_left_out():
    assert ways('{{ if mystery }}{{ fail "no" }}{{ end }}x') == [("x", [False])]


def test_a_refusal_is_told_with_its_place():
    with pytest.raises(TemplateProblem) as caught:
        render("a\n{{ required `give it` .Values.x }}")
    problem = caught.value
    assert (problem.detail, problem.path, problem.is_wanted) == ("give it", "c/a.yaml", True)
    assert problem.offset == 5


def test_the_bodies_that_were_not_run_are_told():
    template = (
        "{{ if .Values.up }}a{{ if .Values.down }}b{{ end }}{{ else }}c{{ end }}"
        "{{ range .Values.l }}d{{ else }}e{{ end }}{{ with .Values.up }}f{{ end }}"
    )
    (result,) = render(template, "{up: true, down: false, l: []}")
    assert [template[one.start : one.end] for one in result.untaken] == ["b", "c", "d"]


# -- parsing ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("template", "at"),
    [
        ("ab{{ if true }}", 2),
        ("ab{{ end }}", 2),
        ("{{ 1", 4),
        ("{{ 'a }}", 3),
        ("{{ (1 }}", 3),
        ("{{ 1 ) }}", 5),
        ("{{ a | }}", 9),
        ("{{ if true }}{{ else }}{{ else }}{{ end }}", 23),
        ("{{ define x }}{{ end }}", 0),
        ("{{ else if }}", 0),
        ("{{ ; }}", 3),
        ('{{ "\\q" }}', 3),
        ("{{ 99999999999999999999 }}", 3),
    ],
)
def test_what_cannot_be_parsed_is_told_with_its_place(template, at):
    with pytest.raises(TemplateProblem) as caught:
        parse(of_source(source("a", template)), "a")
    assert (caught.value.offset, caught.value.path) == (at, "a")
    assert "\n" not in caught.value.detail


def test_a_file_that_cannot_be_parsed_takes_only_its_names_away():
    found = engine('{{ include "n" . }}', bad='{{ define "n" }}x')
    assert [problem.path for problem in found.problems] == ["c/bad.tpl"]
    (result,) = found.render(NAME, Route("web"))
    assert HOLE[0] in result.source.text


# -- bounds -----------------------------------------------------------------------------------

ENDLESS = {
    "include": ('{{ define "r" }}{{ include "r" . }}{{ end }}{{ include "r" . }}', TooDeep),
    "template": ('{{ define "r" }}{{ template "r" . }}{{ end }}{{ template "r" . }}', TooDeep),
    "tpl": ("{{ tpl .Values.bomb . }}", TooDeep),
    "until": ("{{ range until 1000000 }}x{{ end }}", TooSlow),
    "range-int": ("{{ range 1000000000 }}x{{ end }}", TooSlow),
    "loops": ("{{ range until 9999 }}{{ range until 9999 }}{{ end }}{{ end }}", TooSlow),
    "seq": ("{{ seq 1 99999999 }}", TooSlow),
    "repeat": ("{{ repeat 999999999 `ab` }}", TooSlow),
    "indent": ("{{ indent 999999999 `ab` }}", TooSlow),
    "doubling": (
        "{{ $x := `ab` }}{{ range until 60 }}{{ $x = print $x $x }}{{ end }}{{ $x }}",
        TooSlow,
    ),
    "list-doubling": (
        "{{ $x := list 1 }}{{ range until 60 }}{{ $x = concat $x $x }}{{ end }}",
        TooSlow,
    ),
    "nested-lists": (
        "{{ $x := list 1 }}{{ range until 9000 }}{{ $x = list $x }}{{ end }}{{ toYaml $x }}",
        TooDeep,
    ),
    "wide-lists": (
        "{{ $x := list 1 }}{{ range until 40 }}{{ $x = list $x $x }}{{ end }}{{ toJson $x }}",
        TooSlow,
    ),
    "own-self": ("{{ $d := dict }}{{ $_ := set $d `a` $d }}{{ $d }}", TooSlow),
    "parentheses": ("{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}", TooDeep),
    "branches": ("{{ if 1 }}" * 5000 + "{{ end }}" * 5000, TooDeep),
    "else-if": ("{{ if 0 }}" + "{{ else if 0 }}" * 5000 + "{{ end }}", TooDeep),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_hostile_templates_end_soon(name):
    template, kind = ENDLESS[name]
    start = time.process_time()
    with pytest.raises(kind):
        render(template, "bomb: '{{ tpl .Values.bomb . }}'")
    assert time.process_time() - start < 5


def test_patterns_that_may_take_long_are_not_tried():
    start = time.process_time()
    template = '{{ regexFind "(a+)+$" .Values.s }} {{ regexFind "a*a*a*a*b" .Values.s }}'
    assert text_of(template, "s: " + "a" * 3000).count("<") == 2
    template = '{{ regexMatch "(a+)+b" .Values.s }} {{ regexMatch "a*a*a*a*$" .Values.s }}'
    assert text_of(template, "s: " + "a" * 3000) == "false true"
    assert time.process_time() - start < 1


def test_many_templates_that_nobody_can_decide_end_soon():
    template = "{{ range until 900 }}{{ if mystery . }}x{{ end }}{{ end }}"
    start = time.process_time()
    found = render(template)
    assert 1 <= len(found) <= 16
    assert found[0].is_cut
    assert time.process_time() - start < 5


def caught(do):
    """What something gives, and the problem that it tells instead."""
    try:
        return do(), None
    except TemplateProblem as problem:
        return None, problem


PATTERNS = st.recursive(
    st.sampled_from(["a", "b", "[ab]", "[^a]", ".", r"\.", "c", "", "^", "$", r"\w", "[a-b-]"]),
    lambda inner: st.one_of(
        st.builds("{}{}".format, inner, inner),
        st.builds("({}|{})".format, inner, inner),
        st.builds(
            "(?:{}){}".format, inner, st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "{0,}"])
        ),
    ),
    max_leaves=6,
)


@settings(max_examples=300, deadline=None)
@given(PATTERNS, st.text("abc.-", max_size=8))
def test_matches_are_those_of_the_slow_way(pattern, text):
    expected = re.search(pattern.replace("$", r"\Z"), text, re.ASCII) is not None
    assert has_match(pattern, text) == expected


VALUES = st.sampled_from(
    [
        *(".Values.s", ".Values.l", ".Values.m", ".Values.none", ".Release.Name", "mystery"),
        *('""', '"a[b"', "-1", "3", "2.5", "1e300", "5000000000", "true", "nil", "(dict)"),
        *("(list 1 nil)", "(dict `a` 1)", ".", "$", ".Files", ".Capabilities"),
        *("(.Files.Glob `*`)", "(semver `1.2.3`)", "(.Files.Get 1)", "(.Files.Glob `[z-a]`)"),
    ]
)
CALLS = st.builds(
    lambda name, values: f"({' '.join((name, *values))})",
    st.sampled_from(sorted(FUNCTIONS)),
    st.lists(VALUES, max_size=4),
)
PIPES = st.builds(
    lambda name, values, last: f"{last} | {' '.join((name, *values))}",
    st.sampled_from(sorted(FUNCTIONS)),
    st.lists(st.one_of(VALUES, CALLS), max_size=3),
    st.one_of(CALLS, VALUES.filter(lambda value: value != "nil")),
)


@settings(max_examples=400, deadline=None)
@given(st.lists(st.one_of(PIPES, CALLS), min_size=1, max_size=3))
def test_any_call_gives_a_value_or_tells_a_problem(pipes):
    template = "".join(f"{{{{ {pipe} }}}}\n" for pipe in pipes)
    found, problem = caught(lambda: render(template, "{s: a.b-c, l: [a, 1, {b: c}], m: {a: {}}}"))
    assert found if problem is None else problem.path == "c/a.yaml"


@settings(max_examples=300, deadline=None)
@given(st.text("{}-.$|()\"'`\\ \nabif0=:,[]*/&", max_size=30))
def test_any_text_is_a_template_or_tells_a_problem(text):
    template, problem = caught(lambda: parse(plain("{{" + text), "p"))
    if problem is None:
        assert template.body.end == len(text) + 2
    else:
        assert 0 <= problem.offset <= len(text) + 2
        assert problem.path == "p"
