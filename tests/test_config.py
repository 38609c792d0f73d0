"""What a configuration file may say, which one counts, and what is said of a wrong one."""

from __future__ import annotations

import os

import pytest
from trees import fill

from servelint.config import MAX_BYTES, Config, ConfigError, find_root, read_config

OTHERS = (
    "known are advisories, allow, fail-on, ignore, override, plugins, profiles, select, severity, "
    "unknown-version, version"
)


def read(root, file=""):
    return read_config(Config(str(root)), file)


def error_of(root, file=""):
    with pytest.raises(ConfigError) as caught:
        read(root, file)
    return str(caught.value)


# -- what is read -------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("servelint.toml", ""),
        ("pyproject.toml", "[tool.servelint]\n"),
        ("pyproject.toml", '[project]\nname = "x"\n[ tool . "servelint" ]\n'),
        ("pyproject.toml", "[tool]\nother = 1\n[tool.servelint]\n"),
    ],
)
def test_every_key_is_read(tmp_path, name, head):
    keys = 'fail-on = "low"\nselect = ["a", "b"]\nignore = []\nunknown-version = "warn"\n'
    fill(tmp_path, {name: head + keys})
    assert read(tmp_path) == Config(
        str(tmp_path), fail_on="low", select=("a", "b"), unknown_version="warn", file=name
    )


def test_what_is_asked_of_reports_is_read_and_checked_later(tmp_path):
    text = """
        profiles = ["a"]
        severity = { A-1 = "low" }
        ignore = [{ id = "x" }]
        allow = [{ digest = 1 }]
        override = [{}]
    """
    fill(tmp_path, {"servelint.toml": text})
    config = read(tmp_path)
    assert (config.profiles, config.severity, config.ignore) == (("a",), {"A-1": "low"}, ())
    assert config.ignores == ({"id": "x"},)
    assert (config.allows, config.overrides) == (({"digest": 1},), ({},))


@pytest.mark.parametrize(
    "text",
    ['tool.servelint.fail-on = "high"', '[tool]\nservelint = { fail-on = "high" }'],
)
def test_any_spelling_of_the_table_is_read(tmp_path, text):
    fill(tmp_path, {"pyproject.toml": text})
    assert read(tmp_path).fail_on == "high"


@pytest.mark.parametrize(
    "text",
    ["", '[project]\nname = "x"', '[project]\ndependencies = ["servelint"]', "tool = 3", "a = ["],
)
def test_a_project_without_the_table_configures_nothing(tmp_path, text):
    """Nor is it the configuration file, which would end all filtering when it is named."""
    fill(tmp_path, {"pyproject.toml": text})
    assert read(tmp_path) == Config(str(tmp_path))


def test_an_empty_table_is_a_configuration(tmp_path):
    fill(tmp_path, {"pyproject.toml": "[tool.servelint]"})
    assert read(tmp_path).file == "pyproject.toml"


def test_the_own_file_wins_as_a_whole(tmp_path):
    shared = '[tool.servelint]\nfail-on = "never"\nignore = ["x"]\n'
    fill(tmp_path, {"servelint.toml": 'fail-on = "note"', "pyproject.toml": shared})
    config = read(tmp_path)
    assert (config.fail_on, config.ignore, config.file) == ("note", (), "servelint.toml")


def test_a_named_file_wins_over_both(tmp_path):
    fill(tmp_path, {"servelint.toml": 'fail-on = "note"', "ci/strict.toml": 'fail-on = "low"'})
    config = read(tmp_path, str(tmp_path / "ci/strict.toml"))
    assert (config.fail_on, config.file) == ("low", "ci/strict.toml")


def test_files_below_the_root_are_not_searched(tmp_path):
    fill(tmp_path, {"sub/servelint.toml": 'fail-on = "note"'})
    assert read(tmp_path) == Config(str(tmp_path))


# -- what is refused ----------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fail_on = 'low'", f"unknown key 'fail_on'; {OTHERS}"),
        (
            "[tool.servelint]\nfail-on = 'low'",
            "unknown key 'tool'; leave out `tool.servelint` here",
        ),
        ("root = '/'", f"unknown key 'root'; {OTHERS}"),
        ('"\\u001b[31m" = 1', f"unknown key '\\x1b[31m'; {OTHERS}"),
        (
            "fail-on = 'urgent'",
            "fail-on: 'urgent'; expected one of critical, high, medium, low, note, never",
        ),
        (
            "fail-on = ['low']",
            "fail-on: ['low']; expected one of critical, high, medium, low, note, never",
        ),
        (
            "fail-on = 3",
            "fail-on: 3; expected one of critical, high, medium, low, note, never",
        ),
        ("unknown-version = true", "unknown-version: True; expected one of fail, warn, ignore"),
        ("select = 'SGL-2026-0001'", "select: expected a list of texts"),
        ("ignore = ['a', 1]", "ignore: expected a list of texts"),
        ("ignore = { a = 'b' }", "ignore: expected a list of texts"),
        ("ignore = ['a', { id = 'b' }]", "ignore: expected tables, [[ignore]]"),
        ("allow = ['a']", "allow: expected tables, [[allow]]"),
        ("severity = ['a']", "severity: expected a table, such as severity.ID"),
    ],
)
def test_a_wrong_key_or_value_is_told_with_file_and_key(tmp_path, text, message):
    fill(tmp_path, {"servelint.toml": text})
    assert error_of(tmp_path) == f"{tmp_path}/servelint.toml: {message}"


@pytest.mark.parametrize("value", ["3", "'x'", "[]", "[{}]"])
def test_a_table_that_is_none_is_told(tmp_path, value):
    fill(tmp_path, {"pyproject.toml": f"[tool]\nservelint = {value}"})
    assert error_of(tmp_path) == f"{tmp_path}/pyproject.toml: tool.servelint: expected a table"


@pytest.mark.parametrize(
    "text",
    [
        "fail-on = low",
        "<<<<<<< HEAD",
        b"ignore = ['\xff']",
        b"\xff\xfef\0",
        f"ignore = {'[' * 100_000}",
        f"x = {'1' * 5000}",
        "fail-on = 'low'\nfail-on = 'high'",
    ],
    ids=["bare", "conflict", "latin", "utf-16", "deep", "number", "twice"],
)
@pytest.mark.parametrize("name", ["servelint.toml", "pyproject.toml"])
def test_what_is_not_toml_ends_the_run(tmp_path, name, text):
    text = text if isinstance(text, bytes) else text.encode()
    fill(tmp_path, {name: b"# servelint\n" + text})
    assert error_of(tmp_path).startswith(f"{tmp_path}/{name}: not TOML: ")


def test_a_long_value_is_not_quoted_in_full(tmp_path):
    fill(tmp_path, {"servelint.toml": f"fail-on = '{'x' * 100_000}'"})
    assert len(error_of(tmp_path)) < 400 + len(str(tmp_path))


@pytest.mark.parametrize("name", ["servelint.toml", "pyproject.toml"])
def test_a_file_that_is_too_large_is_told(tmp_path, name):
    fill(tmp_path, {name: b"# servelint\n" + b"#" * MAX_BYTES})
    assert error_of(tmp_path) == f"{tmp_path}/{name}: larger than 5 MB"


def test_what_is_no_file_is_told_and_never_waited_for(tmp_path):
    own = tmp_path / "servelint.toml"
    message = f"{own}: not a regular file"
    os.mkfifo(own)
    assert error_of(tmp_path) == message
    own.unlink()
    os.symlink("gone", own)
    assert error_of(tmp_path) == message
    own.unlink()
    own.mkdir()
    assert error_of(tmp_path) == message


def test_a_project_file_that_is_no_file_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pyproject.toml")
    assert read(tmp_path) == Config(str(tmp_path))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
@pytest.mark.parametrize("name", ["servelint.toml", "pyproject.toml"])
def test_a_file_that_may_not_be_read_is_told(tmp_path, name):
    """Nobody knows whether it says something."""
    fill(tmp_path, {name: ""})
    os.chmod(tmp_path / name, 0)
    assert error_of(tmp_path) == f"{tmp_path}/{name}: cannot be read: Permission denied"


def test_a_named_project_file_needs_the_table(tmp_path):
    fill(tmp_path, {"pyproject.toml": "[project]"})
    file = str(tmp_path / "pyproject.toml")
    assert error_of(tmp_path, file) == f"{file}: has no table [tool.servelint]"


# -- names --------------------------------------------------------------------


def test_names_filter_unless_the_root_or_the_configuration_is_among_them():
    assert Config("/r").names == ()
    assert Config("/r", ("a", "b/c")).names == ("a", "b/c")
    assert Config("/r", ("a", ".")).names == ()
    assert Config("/r", ("a", "x.toml"), file="x.toml").names == ()
    assert Config("/r", ("a", "servelint.toml")).names == ("a", "servelint.toml")


def test_the_root_is_the_nearest_ancestor_with_git(tmp_path):
    fill(tmp_path, {".git/HEAD": "", "a/b/c.yaml": "", "a/sub/.git": "gitdir: x", "a/sub/d/e": ""})
    assert find_root(str(tmp_path / "a/b")) == str(tmp_path)
    assert find_root(str(tmp_path / "a/b/c.yaml")) == str(tmp_path)
    assert find_root(str(tmp_path / "a/sub/d/e")) == str(tmp_path / "a/sub")
    assert find_root(str(tmp_path / "a/sub")) == str(tmp_path / "a/sub")


def test_without_git_the_root_is_the_directory(tmp_path, monkeypatch):
    fill(tmp_path, {"a/b.yaml": ""})
    monkeypatch.chdir(tmp_path / "a")
    for path in (".", "b.yaml", str(tmp_path / "a"), str(tmp_path / "a/b.yaml"), "../a"):
        assert find_root(path) == str(tmp_path / "a")


def test_the_root_holds_no_link(tmp_path):
    fill(tmp_path, {"real/.git/HEAD": "", "real/a/b.yaml": ""})
    os.symlink("real/a", tmp_path / "link")
    for path in ("link", "link/b.yaml", "link/../a"):
        assert find_root(str(tmp_path / path)) == str(tmp_path / "real")
