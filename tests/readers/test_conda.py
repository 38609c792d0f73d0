"""Environments of conda, and files of the same names that are none."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import never_fails
from requirement_facts import items_of, quote, requirements_of, summary

from servelint.facts import Image, Uses
from servelint.finding import Skip
from servelint.readers import claim

ENVIRONMENT = """\
name: é
channels: [x]
dependencies:
  - python=3.12
  - "chan::foo=1.0=py_0"
  - foo-bar>=1,<2
  - pip
  - pip:
      - Foo[A,b]==1.0
      - 'git+https://h/o/repo@v1#subdirectory=python'
      - -r more/requirements.txt
      - foo==2 ; sys_platform == "win32"
variables:
  NEVER: foo==9
"""


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_packages_of_conda_and_of_pip(line_break):
    text = ENVIRONMENT.replace("\n", line_break)
    location = "git+https://h/o/repo@v1#subdirectory=python"
    facts = requirements_of("conda", text, "deploy/environment.yml")
    assert summary(text, facts) == [
        ("range", "python", "==3.12.*", "=3.12", ()),
        ("pinned", "foo", "1.0", "1.0", ()),
        ("range", "foo-bar", ">=1,<2", ">=1,<2", ()),
        ("unpinned", "pip", None, None, ()),
        ("pinned", "foo", "1.0", "1.0", ("a", "b")),
        ("vcs", "repo", location, location, ()),
    ]
    assert quote(text, facts[1]) == "foo=1.0"
    assert len({fact.owner for fact in facts}) == len(facts)


def test_files_of_requirements_stand_beside_the_environment():
    found = items_of("conda", ENVIRONMENT, "deploy/environment.yml")
    (use,) = [item for item in found if isinstance(item, Uses)]
    assert (use.how, use.target) == ("requirements", "deploy/more/requirements.txt")


def test_a_package_that_is_none_is_named():
    text = "name: x\ndependencies:\n- foo==1\n- '???'\n- bar==2\n"
    found = items_of("conda", text)
    (skip,) = [item for item in found if isinstance(item, Skip)]
    assert (skip.reason, quote(text, skip)) == ("syntax", "???")
    assert len(found) == 3


@pytest.mark.parametrize(
    "text",
    [
        "kind: Pod\nspec:\n  containers:\n  - image: reg/e:v1\n",
        "services:\n  a:\n    image: reg/e:v1\n",
        "apiVersion: v2\ndependencies:\n- image: reg/e:v1\n",
        "name: x\ndependencies:\n  image: reg/e:v1\n",
        "image: reg/e:v1\n---\nname: x\ndependencies: [foo==1]\n",
    ],
)
def test_other_files_of_the_name_are_yaml(text):
    found = [item for item in items_of("conda", text) if isinstance(item, Image)]
    assert [image.reference.text for image in found] == ["reg/e:v1"]
    assert found == [item for item in items_of("yaml", text) if isinstance(item, Image)]


def test_what_is_no_yaml_is_told_once():
    (skip,) = items_of("conda", "name: x\ndependencies: [\n")
    assert skip.reason == "syntax"


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("environment.yml", "conda"),
        ("a/environment.yaml", "conda"),
        ("environment-dev.yml", "conda"),
        ("gpu-environment.yml", "conda"),
        ("conda.yml", "conda"),
        ("conda_env.yaml", "conda"),
        ("conda-env.gpu.yml", "conda"),
        ("conda-lock.yml", "lockfile"),
        ("gpu.conda-lock.yml", "lockfile"),
        ("environments.yml", "yaml"),
        ("env.yml", "yaml"),
        (".github/workflows/conda.yml", "yaml"),
        ("chart/templates/environment.yaml", "yaml"),
    ],
)
def test_names_of_files(path, language):
    assert claim(path) == language


def test_a_huge_environment_is_read_in_time():
    text = "name: x\ndependencies:\n" + "- foo==1\n" * 60_000
    start = time.process_time()
    found = items_of("conda", text)
    assert time.process_time() - start < 5
    assert found[-1].reason == "too-large"


@given(st.text(alphabet="-:[]{}&*foo=1 >|\n\"'é", max_size=60))
def test_no_text_breaks_it(text):
    never_fails("conda", f"name: x\ndependencies:\n{text}")
