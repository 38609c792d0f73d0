"""The template language against Helm itself: the same charts, rendered by both.

What servelint does not know stands in a hole and is taken for anything; all else is equal.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from servelint.source import Route, Source
from servelint.syntax.gotemplate import Chart, Engine, Release, TemplateProblem
from servelint.syntax.gotemplate.charts import DEFAULT_APIS
from servelint.syntax.interpolation import HOLE
from servelint.syntax.yaml_data import Leaf, Member, Table, load, merge

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Helm comes as a wheel for Linux")

RELEASE = Release("rel", "default", apis=DEFAULT_APIS)
META = "apiVersion: v2\nname: web\nversion: 0.1.0\nappVersion: 1.2.3\nkeywords: [a, b]\n"
VALUES = """\
image: {repository: registry.example/app, tag: v1.0-rc, digest: ""}
args: [--port=8080, "--name=a b", '--it''s', plain]
env: {MODE: fast, LEVEL: 3, DEBUG: true, RATIO: 0.50}
replicas: 2
big: 1234567
exact: 0.10
port: "8080"
octal: 017
clock: 12:30:45
answer: yes
nothing: null
empty: ""
zero: 0
off: false
script: |
  set -e
    indented
  exec app
resources: {limits: {cpu: 1, memory: 1Gi}, requests: {}}
items: [{name: b, value: 2}, {name: a, value: 1, nil: ~}]
nested: {one: {two: {three: deep}}}
template: 'v-{{ .Values.replicas }}-{{ .Release.Name | upper }}'
long: "a line that is much longer than eighty characters so that the emitter has to fold it here"
"""

EXPRESSIONS = {
    "fields": ".Values.image.tag|.Values.nested.one.two.three|$.Values.port|.Values.absent|"
    ".Values.nested.absent|(index .Values.items 0).name|(dict `a` (dict `b` 1)).a.b",
    "numbers": ".Values.replicas|.Values.big|.Values.exact|.Values.octal|.Values.clock|"
    ".Values.answer|.Values.off|.Values.zero|1.0|1e6|0x10|017|'a'|1_000|true",
    "defaults": 'default "x" .Values.empty|default "x" .Values.nothing|default 5 .Values.zero|'
    '.Values.image.tag | default "y"|coalesce .Values.empty .Values.port|coalesce nil ""|'
    'required "needed" .Values.port|ternary "a" "b" .Values.answer|ternary 1 2 .Values.off|'
    'default "only"|empty .Values.empty|empty .Values.resources',
    "printf": 'printf "%s:%s" .Values.image.repository .Values.image.tag|printf "%d" 5|'
    'printf "%v %v" .Values.replicas .Values.args|printf "%05d|%-5d|%5d|%x" 42 42 42 255|'
    'printf "%q" "a\\"b\\n"|printf "%t %f %.2f %g" true 1.5 1.256 2.5|printf "%s" 5|'
    'printf "%d" .Values.replicas|printf "%s %s" "a"|printf "a" 1 "b"|printf "%%"|'
    'printf "%5s|%-5s|%.2s" "ab" "ab" "abc"|printf "%s" (list "a" "b")|printf "%v" nil|'
    'printf "%T" .Values.replicas|printf "%c" 65|printf "%+d" 3|printf "%6.2f" 3.14159',
    "print": 'print "a" 1 2 "b"|print nil|println "a" 1|print .Values.args .Values.env|'
    'cat "a" 1 nil "b"|print',
    "indents": '"a\\nb" | indent 2|"a\\n\\nb" | nindent 4|nindent 2 ""|.Values.script | indent 3|'
    ".Values.script | nindent 8",
    "trims": 'trim "  a "|trimAll "$" "$5$"|trimSuffix "-" "a--"|trimPrefix "v" .Values.image.tag|'
    'trunc 3 .Values.image.tag|trunc -3 .Values.image.tag|trunc 50 "a"|substr 1 3 "abcdef"|'
    'abbrev 5 "abcdefgh"|nospace "a b c"|trunc 2 "日本"|trimSuffix "-" ""|trunc 0 "abc"',
    "quotes": 'quote .Values.replicas|quote "a\\"b" nil 1|squote "it\'s"|quote|quote .Values.args|'
    '.Values.exact | quote|.Values.answer | quote|quote "é\\t\\\\"|squote .Values.octal',
    "cases": 'upper "aé"|lower "ABC"|title "foo bar-baz a_b"|untitle "Foo Bar"|swapcase "aBc"|'
    'repeat 3 "ab"|plural "one" "many" 2',
    "replaces": 'replace "a" "bb" "banana"|replace "." "-" "1.2.3"|contains "an" "banana"|'
    'hasPrefix "v" .Values.image.tag|hasSuffix "rc" .Values.image.tag|contains "" "a"',
    "regexes": 'regexMatch "^v[0-9]" .Values.image.tag|regexFind "[0-9.]+" "v1.2"|'
    'regexFindAll "[a-z]" "a1b2" -1|regexReplaceAll "a(b)" "xab" "${1}-$1"|'
    'regexReplaceAllLiteral "a" "aa" "$1"|regexSplit "-" "a-b-c" 2|regexQuoteMeta "a.b"|'
    'regexReplaceAll "a*" "baac" "x"|mustRegexMatch "a$" "ba"',
    "splits": 'split "," "a,b"|(split ":" "a:b:c")._1|splitList "," "a,b"|splitn ":" 2 "a:b:c"|'
    'splitList "" "abc"|join "-" (list 1 "a" nil true)|join "," .Values.args|join "," "x"|'
    'splitList "," "a,b" | last',
    "lists": 'list 1 "a"|list 1 2 | first|list 1 2 | last|rest (list 1 2 3)|initial (list 1 2)|'
    "append (list 1) 2|prepend (list 1) 0|concat (list 1) (list 2 3)|reverse (list 1 2)|"
    'uniq (list 1 1 "1" 2)|compact (list 1 "" 0 nil "a")|has 1 (list 1 2)|has "1" (list 1)|'
    'without (list 1 2 3) 2|slice (list 1 2 3) 1 2|sortAlpha (list "b" 10 "a" 9)|'
    'chunk 2 (list 1 2 3)|first list|has "a" nil|toStrings (list 1 "a")|tuple 1 2',
    "counts": "until 3|untilStep 0 10 5|untilStep 5 0 -2|seq 3|seq 1 2 5|seq 3 1|until 0|"
    "len .Values.args|len .Values.env|len `日本`|len .Values.script",
    "maps": 'dict "b" 1 "a" 2|dict "a"|get (dict "a" 1) "a"|get (dict) "a"|hasKey .Values "port"|'
    'hasKey .Values "nothing"|pluck "a" (dict "a" 1) (dict "a" 2) (dict)|keys (dict "a" 1)|'
    'values (dict "a" 1)|pick (dict "a" 1 "b" 2) "a"|omit (dict "a" 1 "b" 2) "a"|'
    'dig "one" "two" "x" .Values.nested|dig "one" "none" "x" .Values.nested|'
    'unset (dict "a" 1) "a"|set (dict) "a" 1|deepCopy .Values.resources',
    "merges": 'merge (dict "a" 1) (dict "a" 2 "b" 3)|mergeOverwrite (dict "a" 1) (dict "a" 2)|'
    'merge (dict "a" "" "d" (dict "x" 0)) (dict "a" 1 "d" (dict "x" 5 "y" 1))|'
    'mergeOverwrite (dict "a" (dict "x" 1)) (dict "a" nil)|merge (dict) (dict "a" nil)|'
    'mustMergeOverwrite (dict "a" 1) (dict "a" false)|merge (dict "a" (dict)) (dict "a" 5)',
    "equality": 'eq 1 1|eq "a" "b" "a"|ne 1 2|lt 1 2|le 2 2|gt "b" "a"|ge 1.5 1.5|eq nil nil|'
    "eq .Values.absent nil|eq .Values.replicas 2.0|eq (int .Values.replicas) 2|not .Values.off|"
    'and 1 0 2|or 0 "" "x"|and .Values.port .Values.image|or .Values.zero .Values.empty|'
    "and .Values.absent .Values.absent.x|deepEqual (list 1) (list 1)|all 1 0|any 0 1",
    "arithmetic": 'add 1 2.7 "3"|sub 5 7|mul 2 3 4|div 7 2|div -7 2|mod -7 3|max 1 3 2|min 3 1|'
    'add1 1|addf 0.1 0.2|subf 3 1.1|mulf 0.1 3|divf 1 3|floor 1.5|ceil "1.2"|round 2.5 0|'
    "round 123.456 1|max .Values.replicas 1.9",
    "conversions": 'int "3"|int "3.7"|'
    'int 3.7|int "08"|int64 "0x10"|int true|int nil|float64 "1.5"|'
    'atoi "5"|toString 1.0|.Values.big | int|.Values.port | int | add 1|toDecimal "777"|'
    'int "1_000"|int64 .Values.big | toString',
    "kinds": "kindOf .Values.replicas|kindOf .Values.env|kindOf .Values.args|kindOf nil|"
    'typeOf .Values.args|typeOf 1|typeOf (add 1 2)|kindIs "string" .Values.port|'
    'typeIs "bool" true|kindIs "invalid" .Values.absent|typeOf .Values|typeOf (until 2)',
    "yaml": "toYaml .Values.env|toYaml .Values.args|toYaml .Values.items|toYaml .Values.script|"
    'toYaml .Values.long|toYaml .Values.resources|toYaml "no"|toYaml (dict "y" "1e3" "a" "x: y")|'
    "toYaml nil|toYaml (list)|toYaml (list (list 1 2) (dict `a` (list 1)))|toYaml .Values.nested|"
    "toYamlPretty .Values.items|toYaml .Values.big|toYaml .Values.octal|toYaml 1.5|"
    'toYaml (dict "t" "2001-01-01" "u" "12:30" "v" "0x1F" "w" "~" "x" " a" "z" "a\\tb")',
    "json": 'toJson .Values.env|toJson .Values.args|toRawJson "<&>"|toJson "<é>"|'
    "toJson .Values.big|"
    'toPrettyJson .Values.items|toPrettyJson (dict)|toJson (list nil true 1.5 "a\\nb")',
    "reading": '(fromYaml "a: 017").a|fromYaml "a: [1, {b: c}]"|fromJson "{\\"a\\":1.0}"|'
    'fromYamlArray "[1, two]"|fromJsonArray "[1]"|fromYaml ""',
    "sums": 'b64enc "a"|b64dec "YQ=="|sha256sum "a"|sha1sum "a"|adler32sum "a"|b32enc "a"|'
    'sha512sum "" | trunc 9|urlquery "a b&"|html "<a>"',
    "versions": 'semverCompare ">=1.2-0" "1.3.0-x"|semverCompare "^1.2" "v1.5.0"|'
    'semverCompare "~1.2.0 || >2" "1.2.9"|semverCompare ">=1.0" "1.1-rc1"|semver "1.2"|'
    '(semver "v1.2.3").Minor|semverCompare "1 - 2" "2.0.5"|semverCompare "!=1.2" "1.2.5"|'
    'semverCompare ">1.2" "1.2.5"|semverCompare "<=1.2" "1.2.5"|semverCompare "^0.2.3" "0.2.9"|'
    'semverCompare ">=1.19-0" .Capabilities.KubeVersion.GitVersion|semverCompare "1.2.x" "1.2.5"|'
    'semverCompare "^0" "0.9.0"|semverCompare ">=1.2.3, <2" "1.5.0"|semverCompare "*" "1.0.0"',
    "paths": 'base "/a/b.c"|dir "/a/b"|ext "a.b"|clean "a//b/../c"|isAbs "/a"|base "a/"|'
    '(urlParse "http://h:1/p?q#f").host|urlJoin (dict "scheme" "http" "host" "h" "path" "/p")',
    "release": ".Release.Name|.Release.Namespace|.Release.Service|.Release.IsInstall|"
    ".Release.IsUpgrade|.Release.Revision|.Chart.Name|.Chart.AppVersion|.Chart.Version|"
    ".Chart.Keywords|.Template.Name|.Template.BasePath|.Chart.IsRoot|.Chart.Type",
    "cluster": '.Capabilities.APIVersions.Has "apps/v1"|.Capabilities.KubeVersion.Version|'
    '.Capabilities.APIVersions.Has "example.com/v1"|.Capabilities.KubeVersion.Major|'
    'lookup "v1" "Secret" "a" "b"|.Capabilities.KubeVersion',
    "chance": "randAlphaNum 5|uuidv4|now|genPrivateKey `rsa` | trunc 3|"
    "(genCA `a` 365).Cert | b64enc|(genSelfSignedCert `a` nil nil 9).Key | indent 2",
    "tpl": "tpl .Values.template .|tpl `{{ .a }}` (dict `a` 1)|tpl `plain` .|"
    "tpl (toYaml .Values.env) .|tpl `{{ .Values.absent }}` . | quote",
    "pipes": '"a" | printf "%s-%s" "b"|.Values.port | int | eq 8080|5 | le 3|'
    'list 1 2 | toString|(list 1 2) | join "-" | quote|dict "a" 1 | toJson | b64enc',
    "literals": '"a\\n\\t\\"\\u00e9\\x41"|`r\\n`|-5|.5|1.5e3|"日本"',
}
"""Expressions by what they show; a bar without blanks around it parts them."""

TEMPLATES = {
    "trim-left": "a\n  {{- .Values.port }}\nb",
    "trim-right": "a {{ .Values.port -}}  \n  b",
    "trim-both": "a\n{{- /* a comment */ -}}\n b {{- 1 -}} {{- 2 }} c",
    "comment": "{{/* one\nline */}}x{{- /* two */}}",
    "if": "{{ if .Values.off }}a{{ else if .Values.port }}b{{ else }}c{{ end }}",
    "if-else": "{{ if not .Values.port }}a{{ else }}c{{ end }}|{{ if .Values.zero }}z{{ end }}",
    "with": "{{ with .Values.image }}{{ .tag }}{{ $.Values.port }}{{ end }}"
    "{{ with .Values.empty }}x{{ else }}none{{ end }}"
    "{{ with $x := .Values.port }}{{ $x }}{{ end }}",
    "else-with": "{{ with .Values.empty }}x{{ else with .Values.port }}{{ . }}{{ end }}",
    "range-list": "{{ range .Values.args }}- {{ . | quote }}\n{{ end }}",
    "range-pairs": "{{ range $i, $e := .Values.args }}{{ $i }}={{ $e }};{{ end }}",
    "range-map": "{{ range $k, $v := .Values.env }}{{ $k }}={{ $v }};{{ end }}",
    "range-int": "{{ range 3 }}{{ . }}{{ end }}{{ range $i := until 2 }}{{ $i }}{{ end }}",
    "range-else": "{{ range .Values.absent }}x{{ else }}none{{ end }}",
    "jumps": "{{ range $i, $e := list 1 2 3 4 }}{{ if eq $i 1 }}{{ continue }}{{ end }}"
    "{{ if eq $i 3 }}{{ break }}{{ end }}{{ $e }}{{ end }}",
    "variables": "{{ $x := 1 }}{{ if true }}{{ $x = 2 }}{{ $x := 3 }}{{ $x }}{{ end }}{{ $x }}",
    "define": '{{ define "t" }}<{{ .a }}>{{ end }}{{ template "t" (dict "a" 1) }}{{ template "t" }}'
    '{{ include "t" (dict "a" "b") | upper | nindent 2 }}',
    "block": '{{ block "b" .Values.image }}{{ .tag }}{{ end }}{{ include "b" (dict "tag" 1) }}',
    "nil-in-include": '{{ define "n" }}{{ .none }}{{ end }}{{ include "n" . | quote }}'
    '{{ eq (include "n" .) "" }}',
    "mutation": '{{ $d := dict "a" (dict "b" 1) }}{{ $_ := set $d.a "c" 2 }}{{ $d }}'
    '{{ $e := deepCopy $d }}{{ $_ = set $e.a "z" 1 }}{{ $d }}{{ $m := merge (dict) $d }}'
    '{{ $_ = unset $m.a "b" }}{{ $d }}',
    "accumulate": "{{ $all := list }}{{ range .Values.items }}"
    "{{ $all = append $all .name }}{{ end }}{{ $all | sortAlpha | join `,` }}",
    "yaml-block": "env:\n  {{- range $k, $v := .Values.env }}\n  - name: {{ $k }}\n"
    "    value: {{ $v | quote }}\n  {{- end }}\nargs: {{- toYaml .Values.args | nindent 2 }}\n",
    "script": "command:\n- sh\n- -c\n- |\n{{ .Values.script | indent 2 }}\n",
    "nested": "{{ with .Values.nested }}{{ with .one }}{{ range $k, $v := .two }}{{ $k }}{{ $v }}"
    "{{ end }}{{ end }}{{ end }}",
    "recursion": '{{ define "r" }}{{ if gt (int .n) 0 }}{{ .n }}{{ include "r" (dict "n" (sub '
    ".n 1)) }}{{ end }}{{ end }}{{ include `r` (dict `n` 5) }}",
    "multi-line-action": "{{ printf\n  `%s`\n  .Values.port\n}}",
    "fail": '{{ fail "no" }}',
    "fail-not-taken": '{{ if .Values.off }}{{ fail "no" }}{{ end }}ok',
    "required": '{{ required "give it" .Values.absent }}',
    "wrong-field": "{{ .Values.port.x }}",
    "nil-field": "{{ .Values.absent.x }}",
    "wrong-types": "{{ eq .Values.replicas 2 }}",
    "wrong-argument": "{{ upper 5 }}",
    "wrong-range": '{{ range "abc" }}{{ end }}',
    "no-end": "{{ if true }}x",
    "bad-index": "{{ index (list 1) 5 }}",
}


@dataclass
class Tree:
    """The files of a chart."""

    files: dict[str, str] = field(default_factory=dict)

    def by_helm(self, root) -> dict[str, str] | None:
        """What Helm makes of it, by template; None when it refuses."""
        import helm_python

        for path, text in self.files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8", newline="")
        try:
            with helm_python.Chart.load(str(root)) as chart:
                return chart.render({}, name="rel", namespace="default")
        except helm_python.HelmError:
            return None

    def chart(self, base: str = "", over: Table | None = None, shared: Any = None) -> Chart:
        """The chart below ``base``, its values merged with those of its parent."""
        meta = self._table(f"{base}Chart.yaml")
        values = merge(self._table(f"{base}values.yaml"), over)
        assert isinstance(values, Table)
        if shared is not None:
            own = values.get("global")
            key = Leaf(source("", "global"))
            both = merge(own, shared)
            values = Table({**values.members, "global": Member(key, both)})
        below = values.get("global") or Table({})
        names = sorted({path.split("/")[1] for path in self._inside(base) if "charts/" in path[:7]})
        subcharts = tuple(
            self.chart(f"{base}charts/{name}/", values.get(name) or Table({}), below)
            for name in names
        )
        own = {path: text for path, text in self._inside(base).items() if path[:7] != "charts/"}
        return Chart(
            meta.text("name"),
            values,
            meta,
            {p: source(base + p, t) for p, t in own.items() if p.startswith("templates/")},
            {p: source(base + p, t) for p, t in own.items() if not is_known(p)},
            subcharts,
        )

    def _inside(self, base: str) -> dict[str, str]:
        return {p[len(base) :]: t for p, t in self.files.items() if p.startswith(base)}

    def _table(self, path: str) -> Table:
        found = load(source(path, self.files.get(path, "{}")))
        return found[0] if found and isinstance(found[0], Table) else Table({})


def is_known(path: str) -> bool:
    return path.startswith("templates/") or path in ("Chart.yaml", "values.yaml")


def source(path: str, text: str) -> Source:
    return Source(path, text, "yaml", Route(path))


def single(template: str, values: str = VALUES, **more: str) -> Tree:
    files = {"Chart.yaml": META, "values.yaml": values, "templates/a.yaml": template}
    return Tree({**files, **more})


def agrees(text: str, helm: str) -> bool:
    """True when a text is Helm's, but for its holes."""
    parts = re.split(f"{HOLE[0]}[^{HOLE[1]}]*{HOLE[1]}", text)
    if len(parts) == 1:
        return text == helm
    if not helm.startswith(parts[0]) or not helm.endswith(parts[-1]):
        return False
    at = len(parts[0])
    for part in parts[1:-1]:
        at = helm.find(part, at) + len(part)
        if at < len(part):
            return False
    return at + len(parts[-1]) <= len(helm)


def problem_of(engine: Engine, name: str) -> TemplateProblem | None:
    """Why a template does not come out."""
    try:
        engine.render(name, Route("web"))
    except TemplateProblem as problem:
        return problem
    return None


def check(tree: Tree, root) -> set[str]:
    """Compare all templates of a chart; gives those that have holes."""
    helm = tree.by_helm(root)
    engine = Engine(tree.chart(), RELEASE)
    if helm is None:
        assert any(problem_of(engine, name) for name in engine.names)
        return set()
    assert set(helm) == set(engine.names)
    holed = set()
    for name in engine.names:
        texts = [one.source.text for one in engine.render(name, Route("web"))]
        assert any(agrees(text, helm[name]) for text in texts), (texts, helm[name])
        if any(HOLE[0] in text for text in texts):
            holed.add(name)
    return holed


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_expressions_are_worth_what_helm_says(name, tmp_path):
    lines = re.split(r"(?<! )\|(?! )", EXPRESSIONS[name])
    assert len(lines) > 3
    template = "".join(f"{number}: {{{{ {line} }}}}\n" for number, line in enumerate(lines))
    holed = check(single(template), tmp_path)
    assert bool(holed) == (name in ("chance", "trims"))


@pytest.mark.parametrize("name", TEMPLATES)
def test_statements_do_what_helm_does(name, tmp_path):
    assert not check(single(TEMPLATES[name]), tmp_path)


# -- whole charts -----------------------------------------------------------------------------

HELPERS = """\
{{/* Names. */}}
{{- define "web.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "web.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "web.labels" -}}
app.kubernetes.io/name: {{ include "web.name" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "web.image" -}}
{{- $tag := .image.tag | default .root.Chart.AppVersion -}}
{{- if .image.digest -}}
{{ .image.repository }}@{{ .image.digest }}
{{- else -}}
{{ .image.repository }}:{{ $tag }}
{{- end -}}
{{- end -}}
"""

DEPLOYMENT = """\
{{- if .Values.enabled }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "web.fullname" . }}
  labels: {{- include "web.labels" . | nindent 4 }}
  annotations:
    checksum/config: {{ include (print $.Template.BasePath "/config.yaml") . | sha256sum }}
spec:
  replicas: {{ .Values.replicas }}
  template:
    spec:
      containers:
        - name: {{ .Chart.Name }}
          image: {{ include "web.image" (dict "image" .Values.image "root" $) | quote }}
          {{- with .Values.command }}
          command:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          args:
            - --model={{ required "a model" .Values.model }}
            {{- range $key, $value := .Values.flags }}
            {{- if kindIs "bool" $value }}
            {{- if $value }}
            - --{{ $key | kebabcase | default $key }}
            {{- end }}
            {{- else }}
            - {{ printf "--%s=%v" $key $value | quote }}
            {{- end }}
            {{- end }}
            {{- if gt (int .Values.parallel) 1 }}
            - --parallel
            - {{ .Values.parallel | quote }}
            {{- end }}
          {{- if .Values.extraEnv }}
          env: {{- tpl (toYaml .Values.extraEnv) $ | nindent 12 }}
          {{- end }}
          resources: {{- toYaml .Values.resources | nindent 12 }}
{{- end }}
"""

DEPLOYMENT_VALUES = """\
enabled: true
nameOverride: ""
replicas: 2
model: &model org/model
image: {repository: registry.example/app, tag: "", digest: ""}
command: [python3, -m, server]
flags: {port: 8080, mem-fraction: 0.85, trust: true, quiet: false, served-name: *model}
parallel: 4
extraEnv:
  - {name: A, value: '{{ .Values.model }}'}
  - name: B
    valueFrom: {secretKeyRef: {name: '{{ include "web.fullname" . }}', key: k}}
resources: {limits: {cpu: "4", memory: 8Gi}}
"""

CONFIG = """\
kind: ConfigMap
data:
  {{- (.Files.Glob "conf/*").AsConfig | nindent 2 }}
  one: {{ .Files.Get "conf/a.ini" | quote }}
  none: {{ .Files.Get "absent" | quote }}
  {{- range $path, $_ := .Files.Glob "**.sh" }}
  {{ base $path }}: |
{{ $.Files.Get $path | indent 4 }}
  {{- end }}
  {{- range .Files.Lines "conf/a.ini" }}
  # {{ . }}
  {{- end }}
"""


def deployment(values: str = DEPLOYMENT_VALUES, **more: str) -> Tree:
    return Tree(
        {
            "Chart.yaml": META,
            "values.yaml": values,
            "templates/_helpers.tpl": HELPERS,
            "templates/deployment.yaml": DEPLOYMENT.replace(" | kebabcase | default $key", ""),
            "templates/config.yaml": CONFIG,
            "conf/a.ini": "x=1\ny=2\n",
            "conf/b.ini": "z: 3",
            "run/start.sh": "#!/bin/sh\nexec app\n",
            **more,
        }
    )


DIGEST = "digest: sha256:" + "0" * 64
OVERRIDES = {
    "default": {},
    "off": {"enabled: true": "enabled: false"},
    "tag": {'tag: ""': "tag: v1.2"},
    "number-tag": {'tag: ""': "tag: 1.10"},
    "digest": {'digest: ""': DIGEST},
    "one-process": {"parallel: 4": "parallel: 1"},
    "no-command": {"command: [python3, -m, server]": "command: []"},
    "no-model": {"model: &model org/model": "model: &model ''"},
    "other-name": {'nameOverride: ""': "nameOverride: rel"},
    "block-command": {"command: [python3, -m, server]": "command:\n  - sh\n  - |\n    a\n    b"},
}


@pytest.mark.parametrize("name", OVERRIDES)
def test_a_deployment_comes_out_as_helm_makes_it(name, tmp_path):
    values = DEPLOYMENT_VALUES
    for old, new in OVERRIDES[name].items():
        assert old in values
        values = values.replace(old, new)
    assert not check(deployment(values), tmp_path)


def with_subcharts() -> Tree:
    child = {
        "Chart.yaml": "apiVersion: v2\nname: db\nversion: 1.0.0\n",
        "values.yaml": "port: 1\nname: child\nglobal: {zone: child, own: 1}\n",
        "templates/_h.tpl": '{{ define "shared" }}child{{ end }}{{ define "db.x" }}x{{ end }}',
        "templates/db.yaml": "{{ .Values.port }} {{ .Values.name }} {{ .Values.global }} "
        '{{ .Chart.Name }} {{ .Template.Name }} {{ include "shared" . }} {{ .Chart.IsRoot }} '
        '{{ .Values.extra | default "none" }} {{ .Files.Get "a.txt" }}',
        "a.txt": "of the child",
        "charts/leaf/Chart.yaml": "apiVersion: v2\nname: leaf\nversion: 1.0.0\n",
        "charts/leaf/values.yaml": "deep: 0\n",
        "charts/leaf/templates/leaf.yaml": '{{ .Values | toJson }} {{ include "db.x" . }}',
    }
    return Tree(
        {
            "Chart.yaml": META,
            "values.yaml": "global: {zone: parent}\n"
            "db: {port: 5432, extra: {a: b}, leaf: {deep: 1}}\n",
            "templates/_h.tpl": '{{ define "shared" }}parent{{ end }}',
            "templates/web.yaml": '{{ .Values.db }} {{ include "shared" . }} '
            '{{ include "db.x" . }} '
            "{{ .Subcharts.db.Values.port }} {{ .Subcharts.db.Chart.Name }}",
            "charts/lib/Chart.yaml": "apiVersion: v2\nname: lib\nversion: 1.0.0\ntype: library\n",
            "charts/lib/templates/_l.tpl": '{{ define "lib.l" }}{{ .Chart.Name }}{{ end }}',
            "templates/lib.yaml": '{{ include "lib.l" . }}',
            **{f"charts/db/{path}": text for path, text in child.items()},
        }
    )


def test_subcharts_have_values_files_and_names_of_their_own(tmp_path):
    assert not check(with_subcharts(), tmp_path)


# -- made up templates ------------------------------------------------------------------------

WORDS = st.text("abcXY01 -_.:/'\"\\#{}é\n\t", max_size=8)
SCALARS = st.one_of(
    WORDS,
    st.integers(-(10**9), 10**9),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.none(),
)
DATA = st.fixed_dictionaries(
    {
        "s": WORDS,
        "t": WORDS,
        "n": st.integers(-100, 10**7),
        "v": SCALARS,
        "l": st.lists(SCALARS, max_size=3),
        "m": st.dictionaries(st.text("abXY_", min_size=1, max_size=3), SCALARS, max_size=3),
    }
)
PLACES = st.sampled_from(
    [
        *(".Values.s", ".Values.t", ".Values.v", ".Values.n", ".Values.l", ".Values.m"),
        *(".Values.m.a", "(first .Values.l)", "$.Values.s", ".Release.Name"),
        *('"lit-eral"', "`raw`", "3", "true"),
    ]
)
KEEPING = (
    *("toString", "quote", "squote", "trim", "nindent 2", "indent 3", "toYaml", "toJson", "print"),
    *("default `d`", "trunc 3", "trunc -2", "trimSuffix `-`", "trimPrefix `a`", "title | lower"),
    *("printf `%v-%s` .Values.v", "printf `<%q>`", "replace `a` `bc`", "join `,`", "toPrettyJson"),
    *("splitList `-` | last", "list | toYaml", "dict `k` | toJson", "default .Values.t", "cat 1"),
    *("regexFind `[a-z0-9]+`", "regexReplaceAll `(b)c` `$1`", "ternary `y` `n`", "empty | quote"),
)
CHANGING = ("upper", "b64enc", "sha256sum", "len", "kindOf", "int | add 1", "float64", "typeOf")


def pipes(functions: tuple[str, ...]) -> st.SearchStrategy[str]:
    chain = st.lists(st.sampled_from(functions), max_size=3)
    return st.builds(lambda place, more: " | ".join((place, *more)), PLACES, chain)


def statements(functions: tuple[str, ...]) -> st.SearchStrategy[str]:
    pipe = pipes(functions)
    opens, closes = st.sampled_from(["{{ ", "{{- "]), st.sampled_from([" }}", " -}}"])
    action = st.builds(lambda a, p, z: f"{a}{p}{z}", opens, pipe, closes)
    text = st.sampled_from(["x", "\n", "  ", "- a: ", "\n  b\n"])
    return st.recursive(
        st.one_of(action, text),
        lambda inner: st.one_of(
            st.builds("".join, st.lists(inner, min_size=2, max_size=4)),
            st.builds("{{{{ if {} }}}}{}{{{{ else }}}}{}{{{{ end }}}}".format, pipe, inner, inner),
            st.builds("{{{{- with {} }}}}{{{{ . }}}}{}{{{{ end }}}}".format, pipe, inner),
            st.builds("{{{{ range .Values.l }}}}[{{{{ . }}}}]{}{{{{ end -}}}}".format, inner),
            st.builds(
                "{{{{ range $k, $v := .Values.m }}}}{{{{ $k }}}}{{{{ $v }}}}{}{{{{ end }}}}".format,
                inner,
            ),
        ),
        max_leaves=6,
    )


MANY = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@MANY
@given(data=DATA, templates=st.lists(statements(KEEPING + CHANGING), min_size=1, max_size=4))
def test_made_up_templates_come_out_as_helm_makes_them(data, templates, tmp_path_factory):
    for template in templates:
        tree = single(template, json.dumps(data, ensure_ascii=False))
        check(tree, tmp_path_factory.mktemp("chart"))


@MANY
@given(data=DATA, template=statements(KEEPING))
def test_what_came_from_a_place_is_written_there(data, template):
    values = json.dumps(data, ensure_ascii=False)
    tree = single(template, values)
    try:
        results = Engine(tree.chart(), RELEASE).render("web/templates/a.yaml", Route("web"))
    except TemplateProblem:
        return
    for result in results:
        text = result.source.text
        for start, end, leaves in result.source.runs(0, len(text)):
            span = result.source.span(start, end)
            assert template[span.start : span.end]
            for leaf in leaves:
                written = tree.files[leaf.path][leaf.start : leaf.end]
                assert written == text[start:end] or len(written) != end - start
