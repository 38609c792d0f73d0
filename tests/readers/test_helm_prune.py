"""What of a text is new, and which templates need rendering at all."""

from __future__ import annotations

import textwrap

import pytest
from charts import plain

from servelint.readers.helm.needed import Needs
from servelint.readers.helm.prune import pruned, ranges
from servelint.source import Route, Source, Span
from servelint.syntax.yaml_data import load


def kept(text):
    """What stays of a text in which the new parts stand between ``<`` and ``>``."""
    text = textwrap.dedent(text).lstrip("\n")
    plain_text, spans, start = "", [], 0
    for char in text:
        if char == "<":
            start = len(plain_text)
        elif char == ">":
            spans.append(Span("t.yaml", start, len(plain_text)))
        else:
            plain_text += char
    (data,) = load(Source("t.yaml", plain_text, "yaml", Route("t.yaml")))
    found = pruned(data, ranges(spans))
    return None if found is None else plain(found)


def test_a_word_of_a_command_keeps_the_command_and_what_is_beside_it():
    found = kept("""
        kind: Pod
        spec:
          nodes: [a]
          containers:
            - name: one
              image: i
              env: [{name: A, value: b}]
              args: [x, <y>]
              probe: {exec: {command: [z]}}
            - name: two
              args: [x]
    """)
    one = {"name": "one", "image": "i", "env": [{"name": "A", "value": "b"}], "args": ["x", "y"]}
    assert found == {"kind": "Pod", "spec": {"containers": [one]}}


def test_a_new_component_leaves_out_those_beside_it():
    found = kept("""
        spec:
          first: {image: i, command: [a]}
        <  second: {image: i, command: [b]}
        >  third: {image: i, command: [c]}
    """)
    assert found == {"spec": {"second": {"image": "i", "command": ["b"]}}}


@pytest.mark.parametrize(
    "text",
    [
        "{image: i, command: [a], <hostNetwork: true>}",
        "{image: <i>, command: [a]}",
        "{env: [<{name: A, value: b}>], command: [a]}",
        "{command: [a]}",
        "<hostNetwork: true>",
    ],
)
def test_what_runs_nothing_new_is_left_out(text):
    assert kept(text) is None


def test_a_script_of_which_a_line_is_new_is_kept_alone():
    found = kept("""
        kind: ConfigMap
        data:
          a.sh: |
            one
            <two
        >  b.sh: |
            one
            two
          c: d
    """)
    assert found == {"kind": "ConfigMap", "data": {"a.sh": "one\ntwo\n", "c": "d"}}


def test_ranges_that_touch_are_one_and_empty_ones_none():
    found = ranges([Span("a", 5, 9), Span("a", 1, 3), Span("a", 3, 4), Span("b", 2, 2)])
    assert found.ranges["a"] == ((1, 5), (4, 9))
    assert not found.touch(Span("b", 2, 3))
    assert found.touch(Span("a", 3, 4))
    assert not found.touch(Span("a", 4, 5))
    assert found.touch(Span("a", 4, 6))
    assert not found.touch(Span("a", 9, 12))
    assert not found.touch(Span("c", 1, 2))


# -- needs ----------------------------------------------------------------

HELPERS = """
{{- define "a.labels" }}app: {{ .Values.name }}{{ include "a.name" . }}{{ end }}
{{- define "a.name" }}{{ .Values.full.name }}{{ end }}
"""
OTHERS = '{{ define "a.pod" }}image: {{ .Values.image }}{{ end }}'


def need(template):
    texts = {"t.yaml": template, "_h.tpl": HELPERS, "_o.tpl": OTHERS}
    return Needs(texts).of("t.yaml")


@pytest.mark.parametrize(
    ("template", "files", "runs", "keys"),
    [
        ("kind: Role", {"t.yaml"}, False, set()),
        ("image: {{ .Values.tag }}", {"t.yaml"}, True, {"tag"}),
        ('{{ include "a.labels" . }}', {"t.yaml", "_h.tpl"}, False, {"name", "full"}),
        ('{{- template "a.pod" . -}}', {"t.yaml", "_o.tpl"}, True, {"image"}),
        ("{{ include `a.pod` $ }}", {"t.yaml", "_o.tpl"}, True, {"image"}),
        (
            "{{ include .Chart.Name . }}",
            {"t.yaml", "_h.tpl", "_o.tpl"},
            True,
            {"name", "full", "image"},
        ),
        ("{{ toYaml .Values.pods }}", {"t.yaml"}, True, {"pods"}),
        ("{{ tpl .Values.x . }}", {"t.yaml", "_h.tpl", "_o.tpl"}, True, None),
        ("{{ $v := .Values }}{{ $v.x }}", {"t.yaml"}, False, None),
        ('{{ index .Values "x" }}', {"t.yaml"}, False, None),
        ('{{ include "missing" . }}', {"t.yaml"}, False, set()),
        ("kind: Role\nargs: x\n---\nkind: ServiceAccount\n", {"t.yaml"}, False, set()),
        ("kind: Role\n---\nkind: Pod\nargs: x\n", {"t.yaml"}, True, set()),
        ('kind: Role\n---\n{{ include "a.pod" . }}', {"t.yaml", "_o.tpl"}, True, {"image"}),
        ("kind: {{ .Values.kind }}\nargs: x\n", {"t.yaml"}, True, {"kind"}),
    ],
)
def test_a_template_needs_what_it_may_come_to_hold(template, files, runs, keys):
    found = need(template)
    assert found.files == files
    assert found.runs is runs
    assert found.keys == keys
