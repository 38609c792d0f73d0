"""pixi.toml, and the same tables in a pyproject.toml."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import never_fails
from requirement_facts import quote, requirements_of, summary

from servelint.readers import claim

PIXI = """\
[workspace]
name = "never"
channels = ["x"]
platforms = ["linux-64", "win-64"]

[dependencies]
exact = "1.0"
begins = "=1.0"
several = {version = ">=1,<2|3.*", channel = "x"}
any = "*"
repo = {git = "https://h/o/repo", tag = "v1"}

[pypi-dependencies]
Foo_Bar = {version = "==1.0", extras = ["x"]}
here = {path = "./here", editable = true}

[pypi-options.dependency-overrides]
forced = "==9"

[tasks]
never = "never==1"

[target.linux-64.dependencies]
linux = "1"

[target.win-64.dependencies]
never = "1"

[feature.a.dependencies]
in-feature = "==1"

[feature.a.pypi-dependencies]
in-feature = "==2"

[feature.a.target.unix.pypi-dependencies]
unix = "==3"

[feature.a.target.osx-arm64.pypi-dependencies]
never = "==3"
"""

EXPECTED = [
    ("pinned", "exact", "1.0", "1.0", ()),
    ("range", "begins", "==1.0.*", "=1.0", ()),
    ("range", "several", ">=1,<2|==3.*", ">=1,<2|3.*", ()),
    ("unpinned", "any", None, None, ()),
    ("vcs", "repo", "https://h/o/repo@v1", "https://h/o/repo", ()),
    ("pinned", "linux", "1", "1", ()),
    ("pinned", "in-feature", "1", "1", ()),
    ("pinned", "foo-bar", "1.0", "1.0", ("x",)),
    ("path", "here", "./here", "./here", ()),
    ("pinned", "in-feature", "2", "2", ()),
    ("pinned", "unix", "3", "3", ()),
    ("pinned", "forced", "9", "9", ()),
]


def test_all_tables_are_read_and_other_systems_left_out():
    facts = requirements_of("pixi", PIXI)
    assert summary(PIXI, facts) == EXPECTED
    assert quote(PIXI, facts[0]) == 'exact = "1.0'
    assert [fact.owner.steps for fact in facts] == [("requirement", n) for n in range(len(facts))]


def test_the_same_tables_of_a_project():
    text = PIXI.replace("[", "[tool.pixi.").replace('= [tool.pixi."', '= ["')
    text = '[project]\nname = "x"\ndependencies = []\n' + text
    assert summary(text, requirements_of("pyproject", text)) == EXPECTED


def test_the_name_of_the_file_tells():
    assert claim("pixi.toml") == "pixi"
    assert claim("pixi.lock") == "lockfile"


@pytest.mark.parametrize("table", ["dependencies", "feature.a.pypi-dependencies"])
@given(st.text(alphabet='[]="*{}.,|<>\n1 é', max_size=40))
def test_no_text_breaks_it(table, text):
    never_fails("pixi", f"[{table}]\nfoo = {text}\n")


def test_many_features_are_read_in_time():
    table = '[feature.f{0}.target.linux-64.dependencies]\na = "1"\n'
    text = "".join(table.format(number) for number in range(4_000))
    start = time.process_time()
    assert len(requirements_of("pixi", text)) == 4_000
    assert time.process_time() - start < 4  # a tenth of it on an idle machine
