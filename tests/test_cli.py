"""The command line: what is read, what is shown, how it ends."""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import subprocess

import pytest
from trees import POD, clean_environment, command, fill, git, servelint

from servelint import __version__
from servelint.cli import main
from servelint_builtins import DATA_DATE

MOVING = POD.replace("v0.5.9", "latest")
"""A disaggregated server of which nobody can tell the version: one finding of medium."""

FIXED = POD.replace("v0.5.9", "v0.5.22")
BROKEN = "command: [sglang\n"
SCRIPT = "python3 -m sglang.launch_server --disaggregation-mode prefill\n"


pytestmark = pytest.mark.usefixtures("git_as_it_comes")


@pytest.fixture
def shown(run):
    """The places of findings and the paths of skips that a run shows."""

    def call(*words):
        code, out, err = run("check", "--format", "json", *words)
        assert code in (0, 1), err
        report = json.loads(out)
        places = [f"{found['primary']['path']} {found['id']}" for found in report["findings"]]
        return sorted(places) + sorted(f"{skip['path']} skip" for skip in report["skips"])

    return call


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """Two directories with a finding each; in one also a skip."""
    root = tmp_path / "tree"
    fill(root, {"one/a.yaml": POD, "one/bad.yaml": BROKEN, "two/b.yaml": MOVING, "c.yaml": "a: 1"})
    git(root, "init", "-q")
    monkeypatch.chdir(root)
    return root


ONE = ["one/a.yaml SGL-2026-0001", "one/bad.yaml skip"]
TWO = ["two/b.yaml unknown-version"]
BOTH = [ONE[0], *TWO, ONE[1]]


# -- what is shown ------------------------------------------------------------


def test_without_names_everything_is_shown(repository, shown, monkeypatch):
    assert shown() == shown(".") == shown(repository) == BOTH
    monkeypatch.chdir(repository / "one")
    assert shown() == shown("..") == BOTH


def test_a_directory_shows_what_has_a_place_in_it(repository, shown, monkeypatch):
    assert shown("one") == shown("one/") == shown("./two/../one") == ONE
    assert shown("two") == TWO
    assert shown("one", "two") == BOTH
    monkeypatch.chdir(repository / "two")
    assert shown(".") == shown("b.yaml") == TWO
    assert shown("../one") == ONE
    monkeypatch.chdir("/")
    assert shown(repository / "two") == TWO


def test_a_name_is_no_prefix(repository, shown):
    fill(repository, {"on/a.yaml": POD})
    assert shown("on") == ["on/a.yaml SGL-2026-0001"]
    assert shown("one/a.yaml") == ONE[:1]


def test_no_finding_is_lost_when_the_names_are_split(repository, shown):
    """Hook runners give many names to several processes."""
    fill(repository, {"requirements.txt": "sglang==0.5.9\n", "run/serve.sh": SCRIPT})
    names = ["requirements.txt", "run/serve.sh", "one/a.yaml", "one/bad.yaml", "two/b.yaml"]
    assert {found for name in names for found in shown(name)} == set(shown(*names)) == set(shown())


def test_everything_is_read_whatever_is_named(repository, shown):
    fill(repository, {"requirements.txt": "sglang==0.5.9\n", "run/serve.sh": SCRIPT})
    found = ["requirements.txt SGL-2026-0001"]
    assert shown("run") == shown("run/serve.sh") == shown("requirements.txt") == found


def test_the_root_among_the_names_shows_all_and_a_named_file_counts(repository, shown):
    fill(repository, {".gitignore": "left.yaml", "left.yaml": POD})
    assert shown(".") == BOTH
    assert shown(".", "left.yaml") == sorted(["left.yaml SGL-2026-0001", *BOTH[:2]]) + BOTH[2:]


def test_the_configuration_among_the_names_shows_all(repository, shown):
    fill(repository, {"servelint.toml": "", "ci/lint.toml": ""})
    assert shown("servelint.toml") == BOTH
    assert shown("servelint.toml", "two/b.yaml") == BOTH
    assert shown("--config", "ci/lint.toml", "ci/lint.toml", "c.yaml") == BOTH
    assert shown("--config", "ci/lint.toml", "servelint.toml") == []
    assert shown("--no-config", "servelint.toml") == []


def test_a_project_file_is_the_configuration_when_it_has_the_table(repository, shown):
    fill(repository, {"pyproject.toml": "[project]\n"})
    assert shown("pyproject.toml") == []
    fill(repository, {"pyproject.toml": "[tool.servelint]\n"})
    assert shown("pyproject.toml") == BOTH


@pytest.mark.usefixtures("repository")
def test_names_with_nothing_to_say_print_nothing(run):
    assert run("c.yaml") == (0, "", "")
    code, out, _ = run()
    assert (code, out.count("2 findings")) == (1, 1)


def test_a_name_through_a_link_is_the_place_where_it_leads(repository, shown, monkeypatch):
    os.symlink("one", repository / "link")
    os.symlink("two/b.yaml", repository / "b.yaml")
    assert shown("link/a.yaml") == ONE[:1]
    assert shown("link") == ONE
    assert shown("b.yaml") == TWO
    os.symlink(repository, repository.parent / "other")
    monkeypatch.chdir(repository.parent / "other/one")
    assert shown("a.yaml") == shown(repository.parent / "other/one/a.yaml") == ONE[:1]


def test_all_and_deployments_are_filtered_as_findings_are(repository, run):
    fill(repository, {"one/ok.yaml": FIXED, "two/ok.yaml": FIXED})
    code, out, _ = run("--all", "two")
    assert "two/ok.yaml:4:15: fixed" in out
    assert "one/" not in out
    code, out, _ = run("deployments", "two/ok.yaml")
    assert code == 0
    assert set(re.findall(r"\w+/\w+\.yaml", out)) == {"two/ok.yaml"}
    code, out, _ = run("--format", "json", "one/ok.yaml")
    assert [len(json.loads(out)[key]) for key in ("findings", "deployments")] == [0, 1]
    assert json.loads(out)["summary"]["components"] == 1


@pytest.mark.usefixtures("repository")
def test_facts_are_filtered_by_names(run):
    code, out, _ = run("facts", "two")
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert {(row["fact"], row["path"]) for row in rows} == {
        ("image", "two/b.yaml"),
        ("launch", "two/b.yaml"),
    }


def test_a_skip_of_the_whole_root_is_shown_with_any_name(repository, run):
    fill(repository, {".git/config": "[core\n"})
    code, out, _ = run("c.yaml")
    assert code == 0
    assert out.startswith(".:1: skipped (unreadable): git cannot be used (fatal: bad config")
    assert run("--strict", "c.yaml")[0] == 1


def test_relevant_are_the_files_that_a_reader_took(tmp_path, run):
    files = {"a.yaml": POD, "b.yaml": "# sglang", "bad.yaml": BROKEN, "LICENSE": "sglang"}
    files |= {"binary.yaml": b"sglang\0", "c.yaml": "a: 1", "tool": b"\x7fELF\0sglang\0"}
    fill(tmp_path, files)
    summary = json.loads(run("--format", "json", tmp_path)[1])["summary"]
    assert (summary["files"], summary["relevant"], summary["skipped"]) == (7, 3, 2)


# -- the root -----------------------------------------------------------------


def test_a_given_root_wins(repository, shown, run):
    fill(repository, {"servelint.toml": "fail-on = 'never'", "two/servelint.toml": "oops = 1"})
    assert shown("--root", "one") == ["a.yaml SGL-2026-0001", "bad.yaml skip"]
    assert shown("--root", "one", "one/bad.yaml") == ["bad.yaml skip"]
    assert shown("--root", ".", "two") == TWO
    assert run("--root", "two")[0] == 2
    assert run("--root", "one")[0] == 1
    assert run()[0] == 0


def test_outside_git_the_root_is_the_directory_given(tmp_path, shown, monkeypatch):
    fill(tmp_path, {"sub/a.yaml": POD, "b.yaml": POD})
    monkeypatch.chdir(tmp_path)
    assert shown("sub") == ["a.yaml SGL-2026-0001"]
    assert shown() == ["b.yaml SGL-2026-0001", "sub/a.yaml SGL-2026-0001"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["one", "../other"], "../other: outside the root ROOT; use --root"),
        (["one", "/"], "/: outside the root ROOT; use --root"),
        (["two", "../other/x.yaml"], "../other/x.yaml: outside the root ROOT; use --root"),
        (["one", "away/x.yaml"], "away/x.yaml: outside the root ROOT; use --root"),
        (["--root", "two", "one"], "one: outside the root ROOT/two; use --root"),
        (["gone.yaml"], "gone.yaml: no such file or directory"),
        (["one", "one/gone"], "one/gone: no such file or directory"),
        (["one/a.yaml/x"], "one/a.yaml/x: no such file or directory"),
        (["--root", "gone"], "gone: no such file or directory"),
        (["--root", "c.yaml"], "c.yaml: --root wants a directory"),
        (["--config", "gone.toml"], "gone.toml: no such configuration file"),
        (["--config", "one"], "one: no such configuration file"),
        (["bad\x1b]0;title\x07\u202e.yaml"], "bad\\x1b]0;title\\x07\\u202e.yaml: no such file"),
        (["two\nlines"], "two\\nlines: no such file or directory"),
        ([os.fsdecode(b"\xff.yaml")], "\\udcff.yaml: no such file or directory"),
    ],
    ids=lambda value: ascii(value) if isinstance(value, list) else "",
)
@pytest.mark.parametrize("name", ["check", "facts", "deployments"])
def test_what_cannot_be_done_is_one_sentence(repository, run, name, words, message):
    fill(repository.parent, {"other/x.yaml": POD})
    os.symlink("../other", repository / "away")
    code, out, err = run(name, *words)
    assert (code, out) == (2, "")
    assert err.startswith("servelint: " + message.replace("ROOT", str(repository)))
    assert err.count("\n") == 1
    assert err.removesuffix("\n").isprintable()


@pytest.mark.usefixtures("repository")
def test_a_selected_id_that_nothing_has_ends_the_run(run):
    """Nothing would ever be reported, and that would look clean."""
    code, out, err = run("--select", "SGL-2026-0001", "--select", "SGL-0")
    assert (code, out) == (2, "")
    assert err.startswith("servelint: select: unknown id 'SGL-0'; known are SGL-2026-0001, ")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--fail-on", "urgent"], "invalid choice: 'urgent'"),
        (["--fail", "high"], "unrecognized arguments: --fail"),
        (["--\x1b[31m\n"], "unrecognized arguments: --\\x1b[31m\\n"),
        (["--config", "a", "--no-config"], "not allowed with argument"),
        (["--format", "xml"], "invalid choice: 'xml' (choose from 'text', 'json', 'sarif', "),
        (["--format", "sarif="], "no file is named after sarif="),
        (["facts", "--strict"], "unrecognized arguments: --strict"),
    ],
)
def test_what_is_not_an_option_ends_with_2(repository, capsys, words, message):
    fill(repository, {"high": ""})
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    err = capsys.readouterr().err
    assert message in err
    assert all(line.isprintable() for line in err.splitlines())


# -- how it ends --------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words", "code"),
    [
        ("a: 1", [], 0),
        (FIXED, [], 0),
        (FIXED, ["--strict", "--fail-on", "note"], 0),
        (POD, [], 1),
        (POD, ["--fail-on", "critical"], 1),
        (POD, ["--fail-on", "never"], 0),
        (POD, ["--fail-on", "never", "--strict"], 0),
        (POD, ["--select", "SGL-2026-0002"], 1),
        (POD, ["--select", "unknown-version"], 0),
        (POD, ["--ignore", "SGL-2026-0001"], 1),
        (POD, ["--select", "SGL-2026-0001", "--ignore", "SGL-2026-0001"], 0),
        (MOVING, [], 1),
        (MOVING, ["--fail-on", "high"], 0),
        (MOVING, ["--fail-on", "low"], 1),
        (MOVING, ["--fail-on", "high", "--strict"], 1),
        (MOVING, ["--fail-on", "never", "--strict"], 1),
        (MOVING, ["--ignore", "unknown-version", "--strict"], 0),
        (BROKEN, [], 0),
        (BROKEN, ["--fail-on", "note"], 0),
        (BROKEN, ["--strict"], 1),
        (BROKEN, ["--strict", "--fail-on", "never"], 1),
    ],
)
def test_exit_codes(tmp_path, run, text, words, code):
    fill(tmp_path, {"a.yaml": text})
    assert run(*words, tmp_path)[0] == code
    assert run("check", tmp_path, "--format", "json", *words)[0] == code


@pytest.mark.parametrize(
    ("config", "words", "code"),
    [
        ("unknown-version = 'warn'", [], 0),
        ("unknown-version = 'warn'", ["--fail-on", "low"], 1),
        ("unknown-version = 'ignore'", ["--fail-on", "low"], 0),
        ("unknown-version = 'ignore'", ["--fail-on", "note"], 1),
        ("unknown-version = 'warn'", ["--no-config"], 1),
        ("fail-on = 'high'", [], 0),
        ("fail-on = 'high'", ["--fail-on", "medium"], 1),
        ("select = ['SGL-2026-0001']", [], 1),
        ("select = ['unknown-version']", [], 1),
        ("ignore = ['unknown-version']", [], 0),
        ("ignore = ['SGL-2026-0001']", ["--ignore", "SGL-2026-0002"], 0),
        ("ignore = ['unknown-version']", ["--select", "unknown-version"], 0),
        ("nonsense = 1", [], 2),
        ("nonsense = 1", ["--no-config"], 1),
    ],
)
def test_the_command_line_wins_over_the_configuration(tmp_path, run, config, words, code):
    fill(tmp_path, {"a.yaml": MOVING, "servelint.toml": config})
    assert run(tmp_path, *words)[0] == code


def test_facts_and_deployments_judge_nothing(tmp_path, run):
    fill(tmp_path, {"a.yaml": POD, "servelint.toml": "fail-on = 'note'"})
    for words in (["facts"], ["deployments"], ["deployments", "--format", "json"]):
        code, out, err = run(*words, tmp_path)
        assert (code, err) == (0, "")
        assert out.count("a.yaml") >= 2


# -- the real thing -----------------------------------------------------------


def test_a_bare_command_is_check(repository):
    assert servelint(cwd=repository) == servelint("check", cwd=repository)
    assert servelint("two", cwd=repository) == servelint("check", "two", cwd=repository)
    version = servelint("--version", cwd=repository).out
    assert version == f"servelint {__version__} (data of {DATA_DATE})\n"
    assert servelint("--help", cwd=repository).out.startswith("usage: servelint ")
    assert servelint("two", "-h", cwd=repository).out.startswith("usage: servelint check ")


def test_names_of_files_are_never_options(tmp_path):
    names = ["--help", "-x.yaml", "check", "a b.yaml", ":!x.yaml", "a\nb.yaml", "\x1b[31m.yaml"]
    names.append(os.fsdecode(b"\xff.yaml"))
    fill(tmp_path, {name: POD if "." in name else f"#!/bin/sh\n{SCRIPT}" for name in names})
    git(tmp_path, "init", "-q")
    done = servelint("--format", "json", "--", *names, cwd=tmp_path)
    report = json.loads(done.out)
    paths = {found["primary"]["path"] for found in report["findings"]}
    assert paths | {skip["path"] for skip in report["skips"]} == set(names)
    shown = servelint("--fail-on", "note", "--", *names, cwd=tmp_path)
    assert shown.code == 1
    assert all(line.isprintable() for line in shown.out.splitlines())


def test_a_tree_is_no_place_to_import_from(tmp_path):
    trap = "open('sprung', 'w')\n"
    names = ["argparse.py", "servelint.py", "json.py", "sitecustomize.py", "ruamel/__init__.py"]
    fill(tmp_path, {"a.yaml": POD, **dict.fromkeys(names, trap)})
    assert servelint(cwd=tmp_path).code == 1
    assert not (tmp_path / "sprung").exists()


def test_a_commit_hook_sees_what_is_committed(repository):
    words = shlex.join(command("two/b.yaml"))
    fill(repository, {".git/hooks/pre-commit": f"#!/bin/sh\nexec {words} >seen 2>&1\n"})
    (repository / ".git/hooks/pre-commit").chmod(0o755)
    git(repository, "add", ".")
    author = {
        f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    done = subprocess.run(
        ["git", "commit", "-m", "one file", "two/b.yaml"],
        cwd=repository,
        env=clean_environment(**author),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1
    seen = (repository / "seen").read_text()
    assert seen.startswith("two/b.yaml:3:12: medium unknown-version")
    assert "skipped" not in seen


def through_a_terminal(cwd, **env):
    """What a run writes to a terminal."""
    ours, theirs = os.openpty()
    with subprocess.Popen(
        command(), cwd=cwd, env=clean_environment(**env), stdout=theirs, stdin=theirs
    ):
        os.close(theirs)
        data = b""
        while block := read_terminal(ours):
            data += block
    os.close(ours)
    return data.decode()


def read_terminal(handle):
    try:
        return os.read(handle, 1 << 16)
    except OSError as error:
        if error.errno != errno.EIO:  # the other end is closed
            raise
        return b""


def test_colour_is_for_terminals_that_want_it(repository):
    plain = {"TERM": "xterm", "NO_COLOR": ""}
    assert "\x1b[1;31mcritical\x1b[0m" in through_a_terminal(repository, **plain)
    assert "\x1b" not in through_a_terminal(repository, **plain | {"NO_COLOR": "1"})
    assert "\x1b" not in through_a_terminal(repository, **plain | {"TERM": "dumb"})
    assert "\x1b" not in servelint(cwd=repository, **plain).out


def test_a_terminal_without_a_size_is_as_wide_as_a_pipe(repository):
    """Commit hooks get one: as wide as nothing is, lines would be cut to shreds."""
    seen = through_a_terminal(repository, TERM="dumb").replace("\r\n", "\n")
    assert seen == servelint(cwd=repository).out
    assert any(80 < len(line) <= 100 for line in seen.splitlines() if line.startswith("   "))


def test_who_closes_the_pipe_has_seen_enough(repository):
    fill(repository, {f"many/{number}.yaml": POD for number in range(300)})
    with subprocess.Popen(
        command(),
        cwd=repository,
        env=clean_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 1


def test_what_cannot_be_written_is_said(repository):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            command(),
            cwd=repository,
            env=clean_environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (
        2,
        b"servelint: cannot write: No space left on device\n",
    )


def test_output_may_be_closed(repository):
    line = shlex.join(command())
    for closed in (">&-", ">&- 2>&-", "<&- >/dev/null"):
        done = subprocess.run(
            ["sh", "-c", f"{line} {closed}"],
            cwd=repository,
            env=clean_environment(),
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (1, b"")


def test_a_directory_that_is_gone_is_said(tmp_path, monkeypatch, run):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    message = "servelint: the current directory: No such file or directory\n"
    assert run() == run("--root", tmp_path) == (2, "", message)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-16", "utf-8"])
def test_any_encoding_will_do(tmp_path, encoding):
    fill(tmp_path, {"é→.yaml": POD, "bad→.yaml": BROKEN})
    done = subprocess.run(
        command("--format", "text", "."),
        cwd=tmp_path,
        env=clean_environment(PYTHONIOENCODING=encoding),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, b"")
    arrow = "→" if encoding.startswith("utf") else "\\u2192"
    assert f"bad{arrow}.yaml:2: skipped" in done.stdout.decode(encoding)


def test_errors_are_told_in_any_encoding(tmp_path):
    done = servelint("→\x07.yaml", cwd=tmp_path, PYTHONIOENCODING="ascii")
    assert (done.code, done.err) == (2, "servelint: \\u2192\\x07.yaml: no such file or directory\n")
