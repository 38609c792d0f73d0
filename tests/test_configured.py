"""`config show`: what counts, where it is from, and that it is checked as a run checks it."""

from __future__ import annotations

import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trees import fill, servelint

from servelint.config import Config, read_config
from servelint.configured import Setting, as_json, as_toml, settings

FILE = """\
fail-on = "high"
severity.SGL-2026-0002 = "low"
"select" = ["unknown-version"]

[sglang]
minimum-version = "0.5.22"

[[override]]
paths = ["lab/**"]
severity = { SGL-2026-0001 = "medium" }

[[ignore]]
id = "SGL-2026-0001"
reason = "x"
until = 2027-01-31
"""


def origins(root, file="servelint.toml", text=FILE):
    fill(root, {file: text})
    return {one.name: one.origin for one in settings(read_config(Config(str(root))))}


def test_every_value_has_the_line_on_which_it_is_written(tmp_path):
    found = origins(tmp_path)
    assert found == {
        "fail-on": "servelint.toml:1",
        "severity.SGL-2026-0002": "servelint.toml:2",
        "select": "servelint.toml:3",
        "sglang.minimum-version": "servelint.toml:6",
        "override": "servelint.toml:8",
        "ignore": "servelint.toml:12",
        **dict.fromkeys(("allow", "plugins", "advisories", "profiles", "version"), "default"),
        "unknown-version": "default",
    }


def test_a_table_of_a_project_is_found(tmp_path):
    text = '[project]\nfail-on = 1\n[tool.servelint]\nselect = []\nfail-on = "low"\n'
    found = origins(tmp_path, "pyproject.toml", text)
    assert (found["select"], found["fail-on"]) == ("pyproject.toml:4", "pyproject.toml:5")
    assert found["ignore"] == "default"


def test_a_value_that_equals_the_default_is_of_the_file_that_says_it(tmp_path):
    assert origins(tmp_path, text='fail-on = "medium"')["fail-on"] == "servelint.toml:1"


@pytest.mark.parametrize(
    "text",
    ["severity = { A = 'low' }", "[severity]\nA = 'low'", '"severity" . "A" = "low"'],
)
def test_any_spelling_has_an_origin(tmp_path, text):
    assert origins(tmp_path, text=text)["severity.A"].startswith("servelint.toml")


def test_the_text_is_a_configuration_that_says_the_same(tmp_path):
    fill(tmp_path, {"servelint.toml": FILE})
    config = read_config(Config(str(tmp_path)))
    shown = as_toml(config, settings(config))
    assert 'fail-on = "high"  # servelint.toml:1\n' in shown
    assert shown.startswith(f"# root: {tmp_path}\n# configuration: servelint.toml\n")
    told = tomllib.loads(shown)
    assert told | tomllib.loads(FILE) == told
    fill(tmp_path, {"servelint.toml": shown})
    assert read_config(Config(str(tmp_path))) == config


VALUES = st.recursive(
    st.text() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.dates() | st.datetimes(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(st.text(), VALUES)
def test_any_value_is_written_as_toml(key, value):
    shown = as_toml(Config("/"), [Setting((key,), value, "default")])
    assert tomllib.loads(shown) == {key: value}
    assert all(char.isprintable() or char == "\n" for char in shown)


def test_json_holds_the_same(tmp_path):
    fill(tmp_path, {"servelint.toml": FILE, "servelint-baseline.json": ""})
    config = read_config(Config(str(tmp_path)))
    told = json.loads(as_json(config, settings(config)))
    assert told["files"] == {
        "root": str(tmp_path),
        "configuration": "servelint.toml",
        "images": "none",
        "pools": "none",
        "baseline": "servelint-baseline.json",
    }
    assert told["settings"][0] == {"key": "fail-on", "value": "high", "origin": "servelint.toml:1"}
    assert told["settings"][-2]["value"][0]["until"] == "2027-01-31"


def test_the_command_shows_what_the_command_line_asks_for(tmp_path):
    fill(tmp_path, {"servelint.toml": FILE, "ci.toml": 'fail-on = "note"'})
    assert "# servelint.toml:1" in servelint("config", "show", cwd=tmp_path).out
    done = servelint("config", "show", "--config", "ci.toml", cwd=tmp_path)
    assert (done.code, 'fail-on = "note"  # ci.toml:1\n' in done.out) == (0, True)
    done = servelint("config", "show", "--no-config", cwd=tmp_path)
    assert 'fail-on = "medium"  # default\n' in done.out
    assert "configuration: none" in done.out
    assert json.loads(servelint("config", "show", "--format", "json", cwd=tmp_path).out)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"servelint.toml": "fail-on = 'urgent'"}, "fail-on: 'urgent'; expected one of"),
        ({"servelint.toml": "ignore = ['A-1']"}, "ignore: unknown id 'A-1'"),
        ({"servelint.toml": "profiles = ['none']"}, "profiles: unknown profile 'none'"),
        ({"servelint.toml": "[[allow]]\nreason = 'x'"}, "servelint.toml:2: digest is missing"),
        ({"servelint.toml": "sglang.x = 1"}, "table sglang: unknown key 'x'"),
        ({"servelint.toml": "plugins = ['none']"}, "plugins: 'none' is not installed"),
        ({"servelint-images.toml": "x = 1"}, "servelint-images.toml: unknown key 'x'"),
    ],
)
def test_a_wrong_configuration_is_told_as_a_run_tells_it(tmp_path, files, message):
    fill(tmp_path, files)
    done = servelint("config", "show", cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_a_directory_of_that_name_is_still_checked(tmp_path):
    fill(tmp_path, {"config/a.yaml": "a: 1"})
    done = servelint("config", cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("no findings in 1 file")
