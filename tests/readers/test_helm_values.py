"""Which values a chart is given: who names them, in which order they count."""

from __future__ import annotations

import pytest
from charts import CHART, files_of, plain, quoted

from servelint.readers.helm import commands, manifests
from servelint.readers.helm.layers import given
from servelint.readers.helm.loading import Loader
from servelint.readers.helm.scope import scope
from servelint.readers.helm.settings import json_settings, literal, settings
from servelint.source import Route, Source
from servelint.unit import Files


def source(text):
    return Source("run.sh", text, "text", Route("run.sh"))


def said(text, read=settings, **options):
    return plain(given(tuple(read(source(text), **options))))


# -- settings -------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a=1", {"a": "1"}),
        ("a.b.c=x,d=y", {"a": {"b": {"c": "x"}}, "d": "y"}),
        ("a={x,y}", {"a": ["x", "y"]}),
        ("a={}", {"a": []}),
        ("a[1].b=x", {"a": [None, {"b": "x"}]}),
        (r"a\.b=x\,y", {"a.b": "x,y"}),
        ("a=", {"a": ""}),
        ("a=null", {"a": None}),
        ("a=b=c", {"a": "b=c"}),
        ("a=x,a=y", {"a": "y"}),
        ("a.b=x,a=y", {"a": "y"}),
        ("a", {}),
        ("", {}),
        ("=x", {}),
        ("a=1,b", {"a": "1"}),
        ("a[9999999]=x", {}),
    ],
)
def test_settings_are_paths_and_values(text, values):
    assert said(text) == values


@pytest.mark.parametrize(
    ("text", "style"),
    [("1", ""), ("true", ""), ("0", ""), ("017", "'"), ("0.5", "'"), ("v1", "'"), ("1e3", "'")],
)
def test_only_whole_numbers_and_truth_values_are_no_strings(text, style):
    (setting,) = settings(source(f"a={text}"))
    assert setting.value.style == style
    (setting,) = settings(source(f"a={text}"), strings=True)
    assert setting.value.style == "'"


def test_settings_in_json_and_literal_ones():
    assert said('a.b={"c": [1, 2]}', json_settings) == {"a": {"b": {"c": ["1", "2"]}}}
    assert said('{"a": {"b": 1}}', json_settings) == {"a": {"b": "1"}}
    assert said("a={", json_settings) == {}
    assert said("a.b=x,{y}", literal) == {"a": {"b": "x,{y}"}}


def test_a_setting_stands_where_it_is_written():
    (setting,) = settings(source(r"--set image.tag=v1\,2"[6:]))
    assert setting.value.text == "v1,2"
    span = setting.value.source.span(0, 2)
    assert r"image.tag=v1\,2"[span.start : span.end] == "v1"


# -- commands -------------------------------------------------------------

TREE = {
    "deploy/chart/Chart.yaml": CHART,
    "deploy/chart/values.yaml": "tag: a\n",
    "deploy/prod.yaml": "tag: b\n",
    "deploy/more.yaml": "tag: c\n",
}


def released(script, path="deploy/run.sh", more=()):
    files = files_of({**TREE, path: script, **dict(more)})
    return files, list(commands.releases(files, {"deploy/chart"}))


def values_of(files, release):
    loader = Loader(files)
    layers = [loader.table(one) if isinstance(one, str) else one for one in release.layers]
    return given(layers)


@pytest.mark.parametrize(
    ("line", "named", "tag"),
    [
        ("helm install app ./chart -f prod.yaml", ["deploy/prod.yaml"], "b"),
        (
            "helm upgrade --install app ./chart --values=prod.yaml,more.yaml",
            ["deploy/prod.yaml", "deploy/more.yaml"],
            "c",
        ),
        (
            "helm upgrade -i app chart -f more.yaml -f prod.yaml",
            ["deploy/more.yaml", "deploy/prod.yaml"],
            "b",
        ),
        ("helm template ./chart --set tag=d -f prod.yaml", ["deploy/prod.yaml"], "d"),
        ("helm -n x install -g ./chart --set-string tag=1 --timeout 5m", [], "1"),
        ("helm install app deploy/chart --set-file tag=prod.yaml", [], "tag: b\n"),
        ("cd deploy && helm install app ./chart -f ./prod.yaml", ["deploy/prod.yaml"], "b"),
        ('helm install app "$HERE/chart" -f "$HERE/prod.yaml"', ["deploy/prod.yaml"], "b"),
        ('D=prod; helm install app ./chart -f "$D.yaml"', ["deploy/prod.yaml"], "b"),
        ("helm install app ./chart -f prod.yaml -f secret.yaml", ["deploy/prod.yaml"], "b"),
    ],
)
def test_a_command_names_values(line, named, tag):
    files, (release,) = released(line)
    assert release.chart == "deploy/chart"
    assert list(release.files) == named
    assert values_of(files, release).text("tag") == tag


@pytest.mark.parametrize(
    "line",
    [
        "helm install app other/chart -f prod.yaml",
        "helm install app oci://host/chart -f prod.yaml",
        "helm repo add chart ./chart",
        "helm list",
        "kubectl install app ./chart",
        "helm install",
    ],
)
def test_other_commands_name_none(line):
    _, found = released(line)
    assert found == []


def test_a_setting_of_a_command_points_at_the_script():
    files, (release,) = released("helm install a ./chart \\\n  --set 'image.tag=v1' --set n=$X\n")
    values = values_of(files, release)
    assert quoted(files, values.get("image", "tag")) == ("deploy/run.sh", "v1")
    assert values.text("n") == "\ue000${X}\ue001" or "X" in values.text("n")


# -- manifests ------------------------------------------------------------


def told(path, text):
    files = files_of({**TREE, path: text})
    return files, list(manifests.releases(files, {"deploy/chart"}))


ARGO = """
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    spec:
      source:
        path: deploy/chart
        helm:
          valueFiles: [../prod.yaml]
          values: |
            tag: x
          parameters:
            - {name: image.tag, value: "1.0", forceString: true}
"""
SEVERAL = """
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    spec:
      sources:
        - path: ./deploy/chart
          helm: {valueFiles: [$it/deploy/prod.yaml, /deploy/more.yaml], valuesObject: {a: y}}
        - ref: it
"""
FLUX = """
    apiVersion: helm.toolkit.fluxcd.io/v2
    kind: HelmRelease
    spec:
      chart: {spec: {chart: ./deploy/chart, valuesFiles: [deploy/prod.yaml]}}
      values: {a: z}
"""
HELMFILE = """
    releases:
      - name: app
        chart: ./chart
        values: [prod.yaml, {a: w}, missing.yaml]
        set: [{name: b.c, value: 1}]
      - {name: other, chart: repo/chart, values: [prod.yaml]}
"""
KUSTOMIZE = """
    helmGlobals: {chartHome: .}
    helmCharts:
      - {name: chart, valuesFile: prod.yaml, valuesInline: {a: v}}
"""


@pytest.mark.parametrize(
    ("path", "text", "named", "values"),
    [
        (
            "apps/a.yaml",
            ARGO,
            ["deploy/prod.yaml"],
            {"tag": "x", "image": {"tag": "1.0"}},
        ),
        (
            "a.yaml",
            SEVERAL,
            ["deploy/prod.yaml", "deploy/more.yaml"],
            {"tag": "c", "a": "y"},
        ),
        ("f.yaml", FLUX, ["deploy/prod.yaml"], {"tag": "b", "a": "z"}),
        (
            "deploy/helmfile.yaml",
            HELMFILE,
            ["deploy/prod.yaml"],
            {"tag": "b", "a": "w", "b": {"c": "1"}},
        ),
        ("deploy/kustomization.yaml", KUSTOMIZE, ["deploy/prod.yaml"], {"tag": "b", "a": "v"}),
    ],
)
def test_a_manifest_names_values(path, text, named, values):
    files, (release,) = told(path, text)
    assert list(release.files) == named
    assert plain(values_of(files, release)) == values


def test_values_in_a_block_of_a_manifest_stand_there():
    files, (release,) = told("apps/a.yaml", ARGO)
    assert quoted(files, values_of(files, release).get("tag")) == ("apps/a.yaml", "x")


@pytest.mark.parametrize("text", ["kind: Application\n\tx", "releases: 1\n", "helmCharts: [1]\n"])
def test_a_manifest_that_says_nothing_names_none(text):
    _, found = told("a.yaml", text)
    assert found == []


# -- layers ---------------------------------------------------------------


def scoped(texts, user=None):
    files = files_of({"user.yaml": user or "{}", **texts})
    loader = Loader(files)
    return scope(loader.chart("c"), loader.table("user.yaml")), files


PARENT = """
    name: whole
    dependencies:
      - {name: part, alias: p, condition: p.enabled, tags: [extra]}
"""


def test_a_part_sees_its_own_values_below_those_of_the_whole():
    found, _ = scoped(
        {
            "c/Chart.yaml": PARENT,
            "c/values.yaml": "p: {b: whole, c: whole}\nglobal: {g: whole}\n",
            "c/charts/part/Chart.yaml": "name: part\n",
            "c/charts/part/values.yaml": "{a: own, b: own, c: own, global: {g: own, h: own}}",
        },
        user="p: {c: user}",
    )
    (inner,) = found.inner
    assert inner.chart.inside == "whole/charts/p"
    assert plain(inner.values) == {
        "a": "own",
        "b": "whole",
        "c": "user",
        "global": {"g": "whole", "h": "own"},
    }


@pytest.mark.parametrize(
    ("user", "is_on"),
    [
        ("{}", True),
        ("p: {enabled: false}", False),
        ("p: {enabled: 'false'}", True),
        ("tags: {extra: false}", False),
        ("{tags: {extra: false}, p: {enabled: true}}", True),
        ("tags: {extra: true}", True),
    ],
)
def test_conditions_switch_parts_before_tags_do(user, is_on):
    tree = {"c/Chart.yaml": PARENT, "c/charts/part/Chart.yaml": "name: part\n"}
    found, _ = scoped(tree, user)
    assert bool(found.inner) is is_on


def test_a_chart_that_nothing_lists_is_part_when_it_is_there():
    found, _ = scoped({"c/Chart.yaml": "name: c", "c/charts/x/Chart.yaml": "name: y"})
    assert [inner.chart.name for inner in found.inner] == ["y"]


def test_a_part_beside_the_chart_is_found_and_a_circle_ends():
    tree = {
        "c/Chart.yaml": "name: c\ndependencies: [{name: d, repository: 'file://../d'}]",
        "d/Chart.yaml": "name: d\ndependencies: [{name: c, repository: 'file://../c'}]",
    }
    found, _ = scoped(tree)
    assert [one.chart.inside for one in found.whole()] == ["c", "c/charts/d"]
    assert found.inner[0].chart.missing == ("c",)


@pytest.mark.parametrize(("wanted", "is_there"), [("2.x.x", True), ("1.x.x", False)])
def test_a_library_beside_the_chart_is_a_part_when_its_version_fits(wanted, is_there):
    beside = f"dependencies: [{{name: lib, repository: 'oci://host', version: {wanted}}}]"
    tree = {
        "all/c/Chart.yaml": f"name: c\n{beside}\n",
        "all/lib/Chart.yaml": "name: lib\ntype: library\nversion: 2.3.4\n",
    }
    chart = Loader(files_of(tree)).chart("all/c")
    assert [one.name for one in chart.dependencies] == (["lib"] if is_there else [])
    assert chart.missing == (() if is_there else ("lib",))


def test_a_part_that_is_not_there_is_missing():
    found, _ = scoped({"c/Chart.yaml": PARENT})
    assert found.chart.missing == ("part",)


def test_a_whole_imports_values_of_its_parts():
    tree = {
        "c/Chart.yaml": (
            "name: c\ndependencies:\n"
            "  - {name: p, import-values: [data, {child: in, parent: x.y}]}\n"
        ),
        "c/values.yaml": "x: {y: {b: whole}}",
        "c/charts/p/Chart.yaml": "name: p",
        "c/charts/p/values.yaml": "{exports: {data: {e: 1}}, in: {a: part, b: part}}",
    }
    found, _ = scoped(tree)
    assert plain(found.values.get("x")) == {"y": {"a": "part", "b": "whole"}}
    assert found.values.text("e") == "1"


def test_null_takes_away_a_value_of_the_chart_also_across_files():
    loader = Loader(
        files_of(
            {
                "c/Chart.yaml": CHART,
                "c/values.yaml": "{a: 1, b: {c: 1, d: 1}}",
                "one.yaml": "{a: 2, b: {c: 2}}",
                "two.yaml": "{a: null, b: {c: null}}",
            }
        )
    )
    user = given((loader.table("one.yaml"), loader.table("two.yaml")))
    assert plain(scope(loader.chart("c"), user).values) == {"b": {"d": "1"}}


def test_values_that_are_no_yaml_are_skipped_and_said_so():
    loader = Loader(files_of({"c/Chart.yaml": CHART, "c/values.yaml": "a: [\n"}))
    loader.chart("c")
    (skip,) = loader.skips
    assert (skip.path, skip.stage, skip.reason) == ("c/values.yaml", "read", "syntax")


def test_a_root_without_charts_is_not_looked_at():
    def never(path):
        raise AssertionError(path)

    from servelint.readers.helm.find import units

    assert list(units(Files(("a.yaml",), frozenset({"a.yaml"}), never))) == []
