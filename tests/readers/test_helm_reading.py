"""What a chart comes to: its variants, where each value is written, and what is off by default."""

from __future__ import annotations

import textwrap
import time

import pytest
from charts import CHART, WORD, files_of
from hypothesis import given
from hypothesis import strategies as st

from servelint.facts import Image, Launch
from servelint.finding import Skip
from servelint.read import read
from servelint.readers.helm import read_unit, units
from servelint.source import Source
from servelint.unit import LATENT


def read_chart(texts, **options):
    """The files, facts and skips of the one chart among some files."""
    files = files_of({"app/Chart.yaml": CHART, **texts}, **options)
    (unit,) = units(files)
    found = []
    for item in read_unit(unit, files):
        found.extend(read(item) if isinstance(item, Source) else (item,))
    facts = [item for item in found if not isinstance(item, Skip)]
    return files, facts, [item for item in found if isinstance(item, Skip)]


def images(facts):
    """Variant and reference of each image of what is on."""
    return [pair for pair in every_image(facts) if pair[0] != LATENT]


def every_image(facts):
    return [(fact.variant, fact.reference.text) for fact in facts if isinstance(fact, Image)]


def commands(facts):
    """Variant and words of each launch."""
    return [
        (fact.variant, [word.written for word in fact.argv])
        for fact in facts
        if isinstance(fact, Launch)
    ]


def places(files, value):
    """Where a value is written, as path and quoted text."""
    return [(span.path, files.text(span.path)[span.start : span.end]) for span in value.trail]


def template(text):
    return textwrap.dedent(text).lstrip("\n")


POD = template("""
    kind: Pod
    containers:
        - name: one
          image: "{{ .Values.image.name }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
          command: [engine-x, serve]
          args:
            - --model
            - {{ .Values.model }}
            {{- if .Values.half }}
            - --half
            - {{ .Values.half }}
            {{- end }}
""")
VALUES = f"image: {{name: reg/{WORD}, tag: v1}}\nmodel: m\nhalf: ''\n"
TREE = {"app/templates/pod.yaml": POD, "app/values.yaml": VALUES}


# -- variants -------------------------------------------------------------


def test_the_chart_as_it_is_and_each_values_file_are_variants():
    more = {"app/values-prod.yaml": "image: {tag: v2}\n"}
    files, facts, skips = read_chart({**TREE, **more})
    assert skips == []
    assert images(facts) == [("", f"reg/{WORD}:v1"), ("app/values-prod.yaml", f"reg/{WORD}:v2")]
    plain, prod, _ = (fact for fact in facts if isinstance(fact, Image))
    assert places(files, plain.reference) == [
        ("app/values.yaml", f"reg/{WORD}"),
        ("app/values.yaml", "v1"),
    ]
    assert places(files, prod.reference)[-1] == ("app/values-prod.yaml", "v2")
    at = files.text("app/templates/pod.yaml")[plain.span.start : plain.span.end]
    assert at.strip('"') == (
        "{{ .Values.image.name }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
    )
    assert plain.owner != prod.owner


def test_values_that_change_nothing_give_nothing_again():
    more = {
        "app/values-a.yaml": "other: 1\n",
        "app/values-b.yaml": "image: {}\n",
        "app/values-c.yaml": "replicas: 3\n",
    }
    _, facts, _ = read_chart({**TREE, **more})
    assert [variant for variant, _ in images(facts)] == [""]


def test_files_that_are_named_together_are_one_variant():
    script = "helm upgrade -i a ./app -f app/values-b.yaml -f app/values-a.yaml --set model=x\n"
    more = {
        "app/values-a.yaml": "image: {tag: a}\n",
        "app/values-b.yaml": "image: {tag: b}\n",
        "run.sh": script,
    }
    files, facts, _ = read_chart({**TREE, **more})
    assert images(facts) == [("", f"reg/{WORD}:v1"), ("app/values-a.yaml", f"reg/{WORD}:a")]
    launch = [fact for fact in facts if isinstance(fact, Launch)][1]
    assert launch.argv[-1].text == "x"
    assert places(files, launch.argv[-1]) == [("run.sh", "x")]


def test_a_setting_alone_is_a_variant_by_the_name_of_the_script():
    _, facts, _ = read_chart({**TREE, "run.sh": "helm install a ./app --set image.tag=v3\n"})
    assert images(facts)[1] == ("run.sh", f"reg/{WORD}:v3")


def test_a_setting_that_nobody_knows_is_unknown():
    _, facts, _ = read_chart({**TREE, "run.sh": "helm install a ./app --set image.tag=$TAG\n"})
    reference = [fact for fact in facts if isinstance(fact, Image)][1].reference
    assert reference.text is None
    assert reference.reason == "template-function"
    assert reference.head == f"reg/{WORD}:"


def test_values_of_another_chart_are_read_as_they_stand():
    more = {"app/values-other.yaml": f"server: {{image: 'reg/{WORD}:v9', command: [engine-x]}}\n"}
    _, facts, _ = read_chart({**TREE, **more})
    assert images(facts)[-1] == ("", f"reg/{WORD}:v9")


def test_more_values_files_than_are_read_are_told():
    more = {f"app/values-{n:02}.yaml": f"image: {{tag: t{n}}}\n" for n in range(20)}
    _, facts, skips = read_chart({**TREE, **more})
    assert len(images(facts)) == 17
    (skip,) = skips
    assert (skip.path, skip.reason) == ("app/values-16.yaml", "too-large")
    assert "4 are not read" in skip.detail


# -- images ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "reference"),
    [
        (f"image: {{name: reg/{WORD}, tag: ''}}", f"reg/{WORD}:2.5.0"),
        (f"image: {{name: reg/{WORD}}}", f"reg/{WORD}:2.5.0"),
        (f"image: {{name: reg/{WORD}, tag: 1.10}}", f"reg/{WORD}:1.1"),
        (f"image: {{name: reg/{WORD}, tag: '1.10'}}", f"reg/{WORD}:1.10"),
    ],
)
def test_a_tag_and_the_version_of_the_app(values, reference):
    _, facts, _ = read_chart({**TREE, "app/values.yaml": values})
    assert images(facts) == [("", reference)]


HELPER = template("""
    {{- define "app.image" -}}
    {{- $registry := .Values.global.imageRegistry | default .Values.image.registry -}}
    {{- if .Values.image.digest -}}
    {{ printf "%s/%s@%s" $registry .Values.image.repository .Values.image.digest }}
    {{- else -}}
    {{ printf "%s/%s:%s" $registry .Values.image.repository (toString .Values.image.tag) }}
    {{- end -}}
    {{- end -}}
""")


@pytest.mark.parametrize(
    ("more", "reference"),
    [
        ("", f"docker.io/{WORD}:v1"),
        ("global: {imageRegistry: mirror}", f"mirror/{WORD}:v1"),
        ("image: {digest: 'sha256:00'}", f"docker.io/{WORD}@sha256:00"),
    ],
)
def test_an_image_from_a_helper(more, reference):
    values = f"image: {{registry: docker.io, repository: {WORD}, tag: v1}}\nglobal: {{}}\n"
    texts = {
        "app/templates/_helpers.tpl": HELPER,
        "app/templates/pod.yaml": 'image: {{ include "app.image" . }}\ncommand: [engine-x]\n',
        "app/values.yaml": values,
        "app/values-it.yaml": more or "{}",
    }
    _, facts, skips = read_chart(texts)
    assert skips == []
    assert images(facts)[-1][1] == reference


# -- shapes of arguments --------------------------------------------------


@pytest.mark.parametrize(
    ("shape", "values"),
    [
        ('args: [engine-x, {{ join ", " .Values.args }}]', "args: [--a, '1', --b]"),
        ("args:\n  - engine-x\n  {{- toYaml .Values.args | nindent 2 }}", "args: [--a, '1', --b]"),
        (
            "args:\n  - engine-x\n{{- range .Values.args }}\n  - {{ . | quote }}\n{{- end }}",
            "args: [--a, 1, --b]",
        ),
        (
            (
                "args:\n  - engine-x\n{{- range $k, $v := .Values.args }}\n  - --{{ $k }}\n{{- "
                'if not (kindIs "bool" $v) }}\n  - {{ $v | quote }}\n{{- end }}\n{{- end }}'
            ),
            "args: {a: 1, b: true}",
        ),
        (
            "command:\n  - sh\n  - -c\n  - |\n    engine-x {{ .Values.args | nindent 6 | trim }}\n",
            "args: |\n  --a 1 \\\n  --b\n",
        ),
        (
            'command: [sh, -c, {{ printf "engine-x %s" .Values.args | quote }}]',
            "args: --a 1 --b",
        ),
        (
            "command:\n  - sh\n  - -c\n  - |\n    engine-x {{ tpl .Values.args $ }}\n",
            "size: 1\nargs: --a {{ .Values.size }} --b",
        ),
        ("{{ toYaml .Values.pod }}", "pod: {args: [engine-x, --a, '1', --b]}"),
        (
            "{{ tpl (toYaml .Values.pod) . }}",
            "size: 1\npod: {args: [engine-x, --a, '{{ .Values.size }}', --b]}",
        ),
    ],
)
def test_arguments_in_values_of_any_shape(shape, values):
    texts = {
        "app/templates/pod.yaml": f"image: reg/{WORD}:v1\n{shape}\n",
        "app/values.yaml": values,
    }
    _, facts, skips = read_chart(texts)
    assert skips == []
    assert commands(facts) == [("", ["engine-x", "--a", "1", "--b"])]


def test_an_argument_points_at_the_values_file():
    texts = {
        "app/templates/pod.yaml": "command: [engine-x, {{ .Values.mode }}]\n",
        "app/values.yaml": f"mode: half # {WORD}\n",
    }
    files, facts, _ = read_chart(texts)
    (launch,) = (fact for fact in facts if isinstance(fact, Launch))
    assert places(files, launch.argv[-1]) == [("app/values.yaml", "half")]
    span = launch.argv[-1].span
    assert files.text(span.path)[span.start : span.end] == "{{ .Values.mode }}"


# -- off by default -------------------------------------------------------


def test_what_no_values_switch_on_is_off_by_default():
    files, facts, skips = read_chart(TREE)
    assert skips == []
    plain, off = (fact for fact in facts if isinstance(fact, Launch))
    assert (plain.variant, off.variant) == ("", LATENT)
    assert [word.written for word in plain.argv] == ["engine-x", "serve", "--model", "m"]
    assert [word.written for word in off.argv[:5]] == [
        "engine-x",
        "serve",
        "--model",
        "m",
        "--half",
    ]
    assert off.argv[5].reason == "template-function"
    flag = off.argv[4].span
    assert files.text(flag.path)[flag.start : flag.end] == "--half"
    assert every_image(facts)[-1] == (LATENT, f"reg/{WORD}:v1")


def test_what_a_values_file_switches_on_is_not():
    _, facts, _ = read_chart({**TREE, "app/values-half.yaml": "half: first\n"})
    variants = [variant for variant, _ in commands(facts)]
    assert variants == ["", "app/values-half.yaml"]


def test_of_components_only_the_one_that_is_off_is_said_to_be():
    pods = template("""
        one: {image: reg/engine-x:v1, command: [engine-x, one]}
        {{- if .Values.two.enabled }}
        two: {image: "{{ .Values.two.image }}", command: [engine-x, two]}
        {{- end }}
        {{- range .Values.more }}
        {{ .name }}: {image: reg/engine-x:v1, command: [engine-x, "{{ .name }}", more]}
        {{- end }}
    """)
    values = "two: {enabled: false, image: 'reg/engine-x:v2'}\nmore: []\n"
    _, facts, _ = read_chart({"app/templates/a.yaml": pods, "app/values.yaml": values})
    assert every_image(facts)[1] == (LATENT, "reg/engine-x:v2")
    assert [variant for variant, _ in commands(facts)] == ["", LATENT, LATENT]
    assert [words[-1] for _, words in commands(facts)] == ["one", "two", "more"]


def test_branches_that_exclude_each_other_are_all_read():
    pods = template("""
        image: reg/engine-x:v1
        {{- if eq .Values.mode "a" }}
        command: [engine-x, a]
        {{- else if eq .Values.mode "b" }}
        command: [engine-x, b]
        {{- else }}
        command: [engine-x, c]
        {{- end }}
    """)
    _, facts, _ = read_chart({"app/templates/a.yaml": pods, "app/values.yaml": "mode: c\n"})
    assert sorted((variant, words[-1]) for variant, words in commands(facts)) == [
        ("", "c"),
        (LATENT, "a"),
        (LATENT, "b"),
    ]
    assert len({fact.owner for fact in facts if isinstance(fact, Launch)}) == 3


def test_what_is_off_may_require_what_is_not_there():
    pod = template("""
        image: reg/engine-x:v1
        {{- if .Values.on }}
        command: [engine-x, {{ required "a mode" .Values.mode }}, --on]
        {{- end }}
    """)
    _, facts, skips = read_chart({"app/templates/a.yaml": pod})
    assert skips == []
    ((variant, words),) = commands(facts)
    assert (variant, words[-1]) == (LATENT, "--on")


def test_a_part_that_is_switched_off_is_off_by_default():
    texts = {
        "app/Chart.yaml": "name: app\ndependencies: [{name: sub, condition: sub.enabled}]\n",
        "app/values.yaml": "sub: {enabled: false, image: 'reg/engine-x:v1'}\n",
        "app/charts/sub/Chart.yaml": "name: sub\n",
        "app/charts/sub/templates/a.yaml": "image: {{ .Values.image }}\ncommand: [engine-x]\n",
    }
    _, facts, _ = read_chart(texts)
    assert every_image(facts) == [(LATENT, "reg/engine-x:v1")]
    _, facts, _ = read_chart({**texts, "app/values-on.yaml": "sub: {enabled: true}\n"})
    assert images(facts) == [("app/values-on.yaml", "reg/engine-x:v1")]


def test_what_nobody_knows_goes_both_ways():
    pod = template("""
        image: reg/engine-x:v1
        {{- if .Capabilities.APIVersions.Has "x/y" }}
        command: [engine-x, a]
        {{- else }}
        command: [engine-x, b]
        {{- end }}
    """)
    _, facts, _ = read_chart({"app/templates/a.yaml": pod})
    assert commands(facts) == [("", ["engine-x", "a"]), ("", ["engine-x", "b"])]
    first, second = (fact for fact in facts if isinstance(fact, Launch))
    assert first.owner != second.owner


# -- what fails -----------------------------------------------------------


def test_values_that_a_chart_asks_for_may_come_from_a_variant():
    pod = 'image: reg/engine-x:{{ required "a tag" .Values.tag }}\ncommand: [engine-x]\n'
    texts = {"app/templates/a.yaml": pod, "app/values-x.yaml": "tag: v1\n"}
    _, facts, skips = read_chart(texts)
    assert skips == []
    assert images(facts) == [("app/values-x.yaml", "reg/engine-x:v1")]


@pytest.mark.parametrize(
    "tag",
    ['{{ required "a tag" .Values.tag }}', '{{ .Values.tag | required "a tag" }}'],
)
def test_a_chart_that_refuses_its_own_values_is_read_all_the_same(tag):
    pod = f"image: {{{{ .Values.name }}}}:{tag}\ncommand: [engine-x]\n"
    values = "name: reg/engine-x\n"
    _, facts, skips = read_chart({"app/templates/a.yaml": pod, "app/values.yaml": values})
    assert skips == []
    (image,) = (fact for fact in facts if isinstance(fact, Image))
    assert (image.variant, image.reference.reason) == ("", "template-function")
    assert image.reference.head == "reg/engine-x:"


def test_a_template_that_is_none_is_skipped_with_its_place():
    texts = {"app/templates/a.yaml": 'image: reg/engine-x:v1\na: {{ "\n'}
    _, _, skips = read_chart(texts)
    (skip,) = skips
    assert (skip.path, skip.stage, skip.reason) == ("app/templates/a.yaml", "read", "template")
    assert skip.span.start == texts["app/templates/a.yaml"].index(chr(34))


def test_includes_of_charts_that_are_not_there_are_unknown():
    pod = template("""
        metadata:
          labels:
            {{- include "common.labels" . | nindent 4 }}
            own: label
        image: {{ include "common.image" . }}
        command: [engine-x]
    """)
    _, facts, skips = read_chart({"app/templates/a.yaml": pod})
    assert skips == []
    (image,) = (fact for fact in facts if isinstance(fact, Image))
    assert image.reference.reason == "template-function"
    assert commands(facts) == [("", ["engine-x"])]


def test_a_chart_that_is_needed_and_not_there_is_told():
    chart = "name: app\ndependencies: [{name: common, repository: 'oci://host/x'}]\n"
    pod = 'image: {{ include "common.image" . }}\ncommand: [engine-x]\n'
    _, _, skips = read_chart({"app/Chart.yaml": chart, "app/templates/a.yaml": pod})
    assert [(skip.path, skip.reason) for skip in skips] == [("app/Chart.yaml", "template")]
    assert "common" in skips[0].detail
    label = 'a: {{ include "common.label" . }}\nimage: reg/engine-x:v1\n'
    _, _, skips = read_chart({"app/Chart.yaml": chart, "app/templates/a.yaml": label})
    assert skips == []


def test_signs_of_yaml_in_what_is_unknown_do_no_harm():
    pod = 'a: [{{ include "x: \'#y" . }}]\nimage: reg/engine-x:v1\n'
    _, facts, skips = read_chart({"app/templates/a.yaml": pod})
    assert skips == []
    assert images(facts) == [("", "reg/engine-x:v1")]


def test_a_chart_that_takes_too_long_says_so(monkeypatch):
    monkeypatch.setattr("servelint.readers.helm.reading.MAX_SECONDS", -1.0)
    _, facts, skips = read_chart(TREE)
    assert images(facts) == []
    assert [(skip.path, skip.reason) for skip in skips] == [("app/Chart.yaml", "too-slow")]


def test_only_templates_that_may_say_something_are_rendered():
    texts = {**TREE, "app/templates/role.yaml": 'kind: Role\n{{ fail "never" }}\n'}
    _, _, skips = read_chart(texts)
    assert skips == []


def test_custom_resources_are_read_as_they_stand():
    texts = {**TREE, "app/crds/a.yaml": f"image: reg/{WORD}:v7\n"}
    _, facts, _ = read_chart(texts)
    assert ("", f"reg/{WORD}:v7") in images(facts)


def test_a_chart_that_fails_on_its_own_values_is_read_all_the_same():
    pod = 'image: reg/engine-x:v1\n{{ if not .Values.a }}{{ fail "no" }}{{ end }}\ncommand: [a]\n'
    _, facts, skips = read_chart({"app/templates/a.yaml": pod})
    assert skips == []
    assert images(facts) == [("", "reg/engine-x:v1")]


def test_a_broken_template_is_read_with_all_its_branches():
    pod = "image: reg/engine-x:v1\nargs: [a, {{ .Values.a.b.c }}]\n"
    _, facts, skips = read_chart({"app/templates/a.yaml": pod})
    assert skips == []
    assert every_image(facts) == [("", "reg/engine-x:v1")]


def test_a_variant_that_fails_takes_nothing_from_the_others():
    pod = "image: reg/engine-x:v1\nargs: [a, {{ index .Values.a 1 }}]\n"
    texts = {"app/templates/a.yaml": pod, "app/values.yaml": "a: [x, z]\n"}
    _, facts, skips = read_chart({**texts, "app/values-b.yaml": "a: []\n"})
    assert skips == []
    assert commands(facts) == [("", ["a", "z"])]


NAMED = template("""
    image: reg/engine-x:{{ required "a tag" .Values.tag }}
    args: [a, {{ index .Values.list 0 }}]
""")


@pytest.mark.parametrize(
    ("values", "found", "told"),
    [
        ("tag: v2\n", ["reg/engine-x:v1", "reg/engine-x:v2"], []),
        ("tag: null\n", ["reg/engine-x:v1", None], []),
        ("list: []\n", ["reg/engine-x:v1"], ["app/templates/a.yaml"]),
    ],
)
def test_a_variant_that_something_names_is_read_or_said_to_fail(values, found, told):
    texts = {
        "app/templates/a.yaml": NAMED,
        "app/values.yaml": "tag: v1\nlist: [x]\n",
        "other/x.yaml": values,
        "run.sh": "helm install a ./app -f other/x.yaml\n",
    }
    _, facts, skips = read_chart(texts)
    assert [reference for _, reference in images(facts)] == found
    assert [skip.path for skip in skips] == told
    assert all(skip.detail.startswith("with other/x.yaml: ") for skip in skips)


# -- any input ------------------------------------------------------------

PIECES = st.sampled_from(
    [
        *("image: reg/engine-x:v1\n", "args:\n", "- --a\n", "{{ .Values.a }}\n", "a: ", "---\n"),
        *("{{- if .Values.a }}\n", "{{- else }}\n", "{{- end }}\n", "{{ range .Values.b }}\n"),
        *('{{- include "x" . }}\n', "{{ with .Values.c }}\n", "{{ toYaml .Values }}", "{{", "}}"),
        *("{{ tpl .Values.d . }}\n", '{{ define "x" }}\n', "{{ fail .Values.a }}\n", "  ", "\t"),
        *("{{ $x := .Values.b }}", "{{ $x.y.z }}\n", "{{ break }}", "\ue000", "\ue001", "|\n", "'"),
    ]
)
VALUES_PIECES = st.sampled_from(
    ["a: 1\n", "b: [1, {y: 2}]\n", "c: {z: engine-x}\n", "d: '{{ .Values.a }}'\n", "a: &a [*a]\n"]
)


@given(st.lists(PIECES, max_size=14), st.lists(VALUES_PIECES, max_size=4), st.text(max_size=30))
def test_no_chart_crashes_the_reader(pieces, values, text):
    texts = {
        "app/templates/a.yaml": "".join(pieces) + f"# {WORD}\n",
        "app/templates/b.yaml": text + f"\nargs: {WORD}\n",
        "app/values.yaml": "".join(values),
        "app/values-x.yaml": text,
        "run.sh": f"helm install a ./app --set '{text}'\n",
    }
    files, facts, skips = read_chart(texts)
    assert not [skip for skip in skips if skip.reason == "plugin-error"]
    for item in (*facts, *skips):
        if item.span is not None:
            assert 0 <= item.span.start <= item.span.end <= len(files.text(item.span.path))


def test_a_chart_of_many_templates_and_values_files_takes_seconds():
    helper = (
        '{{- define "x" }}{{ range until 20 }}a{{ . }}: {{ $.Values.image }}\n{{ end }}{{ end }}'
    )
    texts = {f"app/templates/a{n}.yaml": POD for n in range(250)}
    texts |= {f"app/templates/b{n}.yaml": "kind: Role\nname: {{ .Chart.Name }}" for n in range(250)}
    texts |= {f"app/values-{n}.yaml": f"replicas: {n}\n" for n in range(30)}
    texts |= {"app/templates/_h.tpl": helper, "app/values.yaml": VALUES}
    start = time.process_time()
    _, facts, _ = read_chart(texts)
    assert time.process_time() - start < 10
    assert len(images(facts)) == 250
