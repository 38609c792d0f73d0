"""Which charts are read, and which files are theirs."""

from __future__ import annotations

import pytest
from charts import CHART, WORD, files_of

from servelint.readers.helm.find import units

PLAIN = {
    "app/Chart.yaml": CHART,
    "app/values.yaml": "tag: a\n",
    "app/templates/_helpers.tpl": "",
    "app/templates/pod.yaml": "kind: Pod\n",
    "app/crds/x.yaml": "",
    "app/README.md": "",
    "app/values.schema.json": "{}",
    "app/files/run.sh": "",
    "other/x.yaml": "",
}


def found(more, **options):
    return list(units(files_of({**PLAIN, **more}, **options)))


def taken(more, **options):
    (unit,) = found(more, **options)
    return set(unit.files)


def test_a_chart_without_a_relevant_file_is_no_unit():
    assert found({"other/x.yaml": f"image: {WORD}"}) == []


def test_a_chart_is_its_own_files():
    (unit,) = found({"app/values.yaml": f"image: {WORD}"})
    assert (unit.kind, unit.path) == ("helm", "app")
    assert unit.files == (
        "app/Chart.yaml",
        "app/crds/x.yaml",
        "app/templates/_helpers.tpl",
        "app/templates/pod.yaml",
        "app/values.yaml",
    )


@pytest.mark.parametrize(
    "path",
    [
        "app/values-prod.yaml",
        "app/values.prod.yaml",
        "app/values_prod.yml",
        "app/prod-values.yaml",
        "app/prod.values.yaml",
        "app/ci/test-values.yaml",
        "app/values/prod.yaml",
        "app/environments/prod.yaml",
        "app/environments/prod/eu.yaml",
        "app/charts/sub/values.yaml",
        "values-prod.yaml",
        "environments/prod/values.yaml",
        "values/prod.yaml",
    ],
)
def test_values_files_in_or_beside_a_chart_are_its(path):
    assert path in taken({"app/charts/sub/Chart.yaml": CHART, path: f"image: {WORD}"})


@pytest.mark.parametrize(
    "path",
    [
        "app/files/values-prod.yaml",
        "app/evaluation.yaml",
        "app/ci/config.yaml",
        "other/values-prod.yaml",
        "config.yaml",
        "app/notvalues.yaml",
        "app/templates/run.sh",
        "app/charts/sub/files/a.yaml",
        "app/charts/README.yaml",
    ],
)
def test_other_files_are_not(path):
    sub = {"app/charts/sub/Chart.yaml": CHART, "app/templates/pod.yaml": WORD}
    assert path not in taken({**sub, path: f"image: {WORD}"})


def test_manifests_in_a_directory_of_values_are_not():
    more = {"app/values.yaml": WORD, "app/environments/x.yaml": "apiVersion: v1\nkind: Pod\n"}
    assert "app/environments/x.yaml" not in taken(more)


def test_values_beside_two_charts_are_nobodys():
    more = {"two/Chart.yaml": CHART, "app/values.yaml": WORD, "values-prod.yaml": "{}"}
    assert "values-prod.yaml" not in taken(more)


def test_a_part_belongs_to_the_whole():
    more = {"app/charts/sub/Chart.yaml": CHART, "app/charts/sub/templates/a.yaml": WORD}
    assert "app/charts/sub/templates/a.yaml" in taken(more)


def test_a_chart_in_the_root():
    texts = {"Chart.yaml": CHART, "values.yaml": WORD, "templates/a.yaml": "", "x.yaml": ""}
    (unit,) = units(files_of(texts))
    assert (unit.path, unit.files) == (".", ("Chart.yaml", "templates/a.yaml", "values.yaml"))


def test_values_that_a_command_names_make_a_chart_relevant():
    script = "helm install a ../app -f ../other/x.yaml\n"
    more = {"run/install.sh": script, "other/x.yaml": f"image: {WORD}"}
    assert "other/x.yaml" in taken(more)


def test_a_setting_of_a_relevant_script_makes_a_chart_relevant():
    more = {"install.sh": f"helm install a ./app --set image={WORD}:v1\n"}
    assert "install.sh" not in taken(more)


def test_a_chart_that_takes_in_a_relevant_one_is_relevant():
    beside = "name: up\ndependencies:\n  - name: app\n    repository: file://../app\n"
    more = {"up/Chart.yaml": beside, "app/values.yaml": WORD}
    assert [unit.path for unit in found(more)] == ["app", "up"]
