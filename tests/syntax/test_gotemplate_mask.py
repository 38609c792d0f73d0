"""Templates as YAML with all their branches, at their own offsets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servelint.syntax.gotemplate import TemplateProblem
from servelint.syntax.gotemplate.mask import masked
from servelint.syntax.interpolation import HOLE
from servelint.syntax.yaml import documents, fields

DEPLOYMENT = """\
{{- if .Values.on }}
kind: Deployment  # {{ a comment }}
metadata:
  labels: {{- include "labels" . | nindent 4 }}
    own: label
spec:
  {{- with .Values.image }}
  image: "{{ .repository }}:{{ .tag | default "latest" }}"
  {{- end }}
  command: [serve, --port={{ .Values.port }}]
  args:
    - --model
    - {{ .Values.model }}
    {{- toYaml .Values.args | nindent 4 }}
  {{- if .Values.fast }}
  mode: fast
  {{- else }}
  mode: slow
  {{- end }}
{{- end }}
"""


def shape(text):
    return [place for place, sign in enumerate(text) if sign in "\r\n"]


def test_every_line_keeps_its_place():
    found = masked(DEPLOYMENT)
    assert len(found.text) == len(DEPLOYMENT)
    assert shape(found.text) == shape(DEPLOYMENT)
    assert "{{" not in found.text


def test_the_text_is_yaml_with_both_branches():
    found = masked(DEPLOYMENT)
    assert not found.dropped
    (tree,) = documents(found.text)
    top = fields(tree)
    assert list(top) == ["kind", "metadata", "spec"]
    assert list(fields(fields(top["metadata"].value)["labels"].value)) == ["own"]
    spec = fields(top["spec"].value)
    image = spec["image"].value
    assert DEPLOYMENT[image.start : image.end] == (
        '"{{ .repository }}:{{ .tag | default "latest" }}"'
    )
    assert [item.value[:2] for item in spec["args"].value.items] == ["--", f"{HOLE[0]}{{"[:1] + "_"]
    assert found.text.count("mode:") == 2


def test_what_gives_a_text_is_a_hole_with_its_writing():
    found = masked("a: {{ .Values.x }}\n").text
    assert found == f"a: {HOLE[0]}__.Values.x__{HOLE[1]}\n"


@pytest.mark.parametrize(
    "line",
    [
        "{{/* a comment */}}",
        "{{ $x := 1 }}",
        "{{- $x = 2 -}}",
        "{{ $k, $v := 1 }}",
        '{{ include "a" . }}',
        "{{ toYaml .Values }}",
        "  {{ end }}",
        '{{ fail "x" }}',
        "{{ a }} {{ b }}",
        "{{ a\n}}",
    ],
)
def test_lines_without_text_of_their_own_become_blank(line):
    text = f"a: 1\n{line}\nb: 2\n".replace("{{ end }}", "{{ if 1 }}{{ end }}")
    found = masked(text)
    assert found.text.split() == ["a:", "1", "b:", "2"]
    assert shape(found.text) == shape(text)


def test_an_action_over_lines_is_a_hole_in_its_first():
    text = 'a: {{ printf\n  "%s"\n  .x }}\nb: 1\n'
    found = masked(text).text
    assert shape(found) == shape(text)
    assert list(fields(documents(found)[0])) == ["a", "b"]


def test_branches_that_exclude_each_other_are_left_out_only_where_they_must():
    text = "a:\n{{ if x }}\n  b: 1\n{{ else }}\n- c\n{{ end }}\nd: 1\n"
    found = masked(text)
    assert [text[start:end] for start, end in found.dropped] == ["\n- c\n"]
    assert list(fields(documents(found.text)[0])) == ["a", "d"]


def test_a_line_that_is_no_yaml_is_left_out():
    text = "a: 1\n\tb: {{ x }}\nc: 2\n"
    found = masked(text)
    assert [text[start:end] for start, end in found.dropped] == ["\tb: {{ x }}"]
    assert list(fields(documents(found.text)[0])) == ["a", "c"]


def test_what_cannot_be_yaml_is_told_with_its_place():
    text = "a: 1\n" + "\t- [x\n" * 40
    with pytest.raises(TemplateProblem) as caught:
        masked(text)
    assert caught.value.offset >= 5


def test_an_action_without_an_end_is_told():
    with pytest.raises(TemplateProblem):
        masked("a: {{ b\nc: d")


PIECES = st.sampled_from(
    [
        *("a: ", "b:\n", "  - ", "x", "\n", "\r\n", "{{ .x }}", "{{- if a }}", "{{ else }}"),
        *("{{ end }}", "{{/* c */}}", '{{ "}}" }}', "{{ a\n | nindent 2 }}", "{{`x`}}", "# c"),
        *("|\n", '"', "'"),
    ]
)


def caught(text):
    """The mask of a text, and the problem that is told instead."""
    try:
        return masked(text), None
    except TemplateProblem as problem:
        return None, problem


@given(st.lists(PIECES, max_size=12))
def test_any_mask_is_yaml_of_equal_length(pieces):
    text = "".join(pieces)
    found, problem = caught(text)
    if found is None:
        assert 0 <= problem.offset <= len(text)
        return
    documents(found.text)
    assert len(found.text) == len(text)
    assert shape(found.text) == shape(text)
    for start, end in found.dropped:
        assert not found.text[start:end].strip()
