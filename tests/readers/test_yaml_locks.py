"""pixi.lock and conda-lock.yml: long lists in YAML of which few items are parsed."""

from __future__ import annotations

import re
import statistics
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from requirement_facts import items_of, quote, requirements_of, summary

from servelint.facts import Image
from servelint.finding import Skip
from servelint.source import Route
from servelint.syntax.yaml_items import holding, items

PIXI = """\
version: 6
environments:
  default:
    channels:
    - url: https://conda.example/x/
    packages:
      linux-64:
      - conda: https://conda.example/x/noarch/foo-bar-1.0-pyh1_0.conda
      - pypi: https://files.example/qux-3.0-py3-none-any.whl
      osx-arm64:
      - conda: https://conda.example/x/osx-arm64/foo-bar-0.9-0.conda
      - pypi: https://files.example/qux-3.0-py3-none-any.whl
packages:
- conda: https://conda.example/x/noarch/foo-bar-1.0-pyh1_0.conda
  sha256: '00'
  depends:
  - never >=1
- conda: https://conda.example/x/osx-arm64/foo-bar-0.9-0.conda
  sha256: '11'
- pypi: https://files.example/qux-3.0-py3-none-any.whl
  name: Qux
  version: '3.0'
  requires_dist:
  - never==1 ; extra == 'a'
- pypi: ./here
  name: here
  version: 0.1
  editable: true
- pypi: git+https://h/o/repo?rev=v1#0123abcd
  name: repo
  version: 0.2
"""

OLDER = """\
version: 5
environments: {}
packages:
- kind: conda
  name: foo
  version: 1.0
  build: py_0
  url: https://conda.example/linux-64/foo-1.0-py_0.conda
- kind: pypi
  name: bar
  version: 2.0
  path: ./bar
"""

CONDA = """\
# made by a tool
version: 1
metadata:
  platforms: [linux-64, osx-64]
package:
  - name: foo
    version: 1.0
    manager: conda
    platform: linux-64
    dependencies:
      never: '>=1'
    url: https://conda.example/linux-64/foo-1.0-0.conda
  - name: foo
    version: 0.9
    manager: conda
    platform: osx-64
  - name: Bar_Baz
    version: "2.0"
    manager: pip
    platform: linux-64
    url: git+https://h/o/bar@v2
"""


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_packages_of_pixi(line_break):
    text = ("# é\n" + PIXI).replace("\n", line_break)
    location = "git+https://h/o/repo?rev=v1#0123abcd"
    facts = requirements_of("lockfile", text, "pixi.lock")
    assert summary(text, facts) == [
        ("locked", "foo-bar", "1.0", "1.0", ()),
        ("locked", "qux", "3.0", "3.0", ()),
        ("path", "here", "0.1", "0.1", ()),
        ("vcs", "repo", "0.2", "0.2", ()),
    ]
    assert facts[3].specifier.text == quote(text, facts[3].specifier) == location
    assert quote(text, facts[0]) == "foo-bar-1.0"
    assert quote(text, facts[1]) == f"Qux{line_break}  version: '3.0"
    assert facts[0].owner == Route("pixi.lock", ("package", "foo-bar"))


def test_older_locks_of_pixi():
    facts = requirements_of("lockfile", OLDER, "pixi.lock")
    assert summary(OLDER, facts) == [
        ("locked", "foo", "1.0", "1.0", ()),
        ("path", "bar", "2.0", "2.0", ()),
    ]


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_packages_of_conda_lock(line_break):
    text = CONDA.replace("\n", line_break)
    facts = requirements_of("lockfile", text, "gpu.conda-lock.yml")
    assert summary(text, facts) == [
        ("locked", "foo", "1.0", "1.0", ()),
        ("vcs", "bar-baz", "2.0", "2.0", ()),
    ]
    assert quote(text, facts[0]) == f"foo{line_break}    version: 1.0"


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("pixi.lock", PIXI.replace("Qux", "SGLang"), "sglang"),
        ("conda-lock.yml", CONDA.replace("Bar_Baz", "SGLang.kt"), "sglang-kt"),
    ],
)
def test_needles_leave_out_other_packages(path, text, name):
    text = text.replace("never", "sglang")  # what others ask for is no package of its own
    (fact,) = requirements_of("lockfile", text, path, needles=("sglang", "sgl-dev"))
    assert fact.name == name


def test_another_file_of_the_name_is_yaml():
    text = "containers:\n- image: reg/e:v1\n"
    (image,) = items_of("lockfile", text, "conda-lock.yml")
    assert isinstance(image, Image)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("pixi.lock", "version: 6\n"),
        ("pixi.lock", "packages: [a]\n"),
        ("pixi.lock", "packages:\n- a: [\n"),
        ("conda-lock.yml", "package:\n- name: *x\n"),
    ],
)
def test_what_cannot_be_read_is_named(path, text):
    (skip,) = items_of("lockfile", text, path)
    assert isinstance(skip, Skip)
    assert (skip.stage, skip.reason) == ("read", "syntax")


def test_the_items_of_a_list_end_where_it_ends():
    text = "a:\n- never\nb: # c\n\n  # c\n  - one\n    two\n\n# c\n  - three\nc: 1\n  - never\n"
    found = [text[start:end] for start, end in items(text, "b")]
    assert found == ["  - one\n    two\n\n# c\n", "  - three\n"]
    assert items(text, "c") is None
    assert items(text, "d") is None


@given(st.text(alphabet="-: ab\n#\r", max_size=40))
def test_items_never_overlap(text):
    places = items("a:\n" + text, "a") or ()
    assert list(places) == sorted(places)
    assert all(start < end for start, end in places)


def test_words_are_found_in_every_spelling():
    text = "- x\n- İ sGL_.dev\n- sgldev\n"
    places = ((0, 4), (4, 17), (17, len(text)))
    assert list(holding(text, places, ("sgl-dev",))) == [(4, 17)]
    assert list(holding(text, places, ())) == list(places)


def long_lock(rows):
    row = (
        "- pypi: https://files.example/p{0}-1.0-py3-none-any.whl\n  name: p{0}\n  version: '1.0'\n"
    )
    row += "  sha256: " + "0" * 64 + "\n  requires_dist:\n" + "  - a>=1 ; extra == 'b'\n" * 8
    return "version: 6\npackages:\n" + "".join(row.format(number) for number in range(rows))


def test_a_long_lock_takes_about_as_long_as_two_looks_at_its_lines():
    text = long_lock(4_000) + "- pypi: x\n  name: sglang\n  version: 0.5.9\n"
    ours, scans = [], []
    for _ in range(7):
        start = time.perf_counter()
        found = requirements_of("lockfile", text, "pixi.lock", needles=("sglang", "sgl-dev"))
        middle = time.perf_counter()
        re.findall(r"^- ", text, re.MULTILINE)
        scans.append(time.perf_counter() - middle)
        ours.append(middle - start)
        assert [fact.name for fact in found] == ["sglang"]
    assert statistics.median(ours) < 12 * statistics.median(scans)


@pytest.mark.parametrize(
    "text",
    [
        "packages:\n" + "\n" * 1_000_000 + "- ",
        "packages:\n" + " " * 1_000_000 + "- ",
        "packages:\n- " + "[" * 200_000,
        "packages:\n" + "- sglang: 1\n" * 20_000,
        "environments:\n" + " linux:\n" * 200_000 + "packages:\n- pypi: sglang\n",
    ],
)
def test_hostile_locks_end_in_time(text):
    start = time.process_time()
    items_of("lockfile", text, "pixi.lock", needles=("sglang",))
    assert time.process_time() - start < 5


@given(st.text(alphabet="-: name'version1pyi[]{}&*\n#é", max_size=60))
def test_no_text_breaks_them(text):
    for path, key in (("pixi.lock", "packages"), ("conda-lock.yml", "package")):
        whole = f"{key}:\n- name: foo\n{text}"
        for item in items_of("lockfile", whole, path):
            assert not isinstance(item, Skip) or item.reason != "plugin-error"
            assert 0 <= item.span.start <= item.span.end <= len(whole)
