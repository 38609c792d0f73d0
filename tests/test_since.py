"""`--since`: a report on what changed, which is that of giving the names; git runs nothing."""

from __future__ import annotations

import json
import os
import subprocess

import pytest
from trees import POD, fill, git, servelint

from servelint import git as asked

pytestmark = pytest.mark.usefixtures("git_as_it_comes")

MOVING = POD.replace("v0.5.9", "latest")
IDENTITY = {
    "GIT_AUTHOR_NAME": "t",
    "GIT_AUTHOR_EMAIL": "t@example",
    "GIT_COMMITTER_NAME": "t",
    "GIT_COMMITTER_EMAIL": "t@example",
}


@pytest.fixture
def root(tmp_path, monkeypatch):
    where = tmp_path / "tree"
    fill(where, {"one/a.yaml": POD, "two/b.yaml": MOVING, "c.yaml": "a: 1\n"})
    git(where, "init", "-q")
    commit(where)
    git(where, "tag", "first")
    monkeypatch.chdir(where)
    return where


def commit(root):
    git(root, "add", "-A")
    git(root, "commit", "-qm", "x", "--allow-empty", **IDENTITY)


@pytest.fixture
def shown(run):
    """The paths of findings and skips that a check shows, and its exit code."""

    def call(*words):
        code, out, err = run("check", "--format", "json", *words)
        assert code in (0, 1), err
        told = json.loads(out)
        paths = [one["primary"]["path"] for one in told["findings"]]
        return sorted(paths) + [one["path"] for one in told["skips"]], code

    return call


def append(path, text="# more\n"):
    with open(path, "a", encoding="utf-8") as file:
        file.write(text)


# -- what counts as changed ---------------------------------------------------


def test_nothing_changed_and_nothing_is_said(root):
    done = servelint("check", "--since", "first", cwd=root)
    assert (done.code, done.out, done.err) == (0, "", "")


def test_changes_of_the_work_tree_the_index_and_commits_count(root, shown):
    assert shown()[0] == ["one/a.yaml", "two/b.yaml"]
    append(root / "one/a.yaml")
    assert shown("--since", "first") == (["one/a.yaml"], 1)
    git(root, "add", "-A")
    assert shown("--since", "first") == (["one/a.yaml"], 1)
    commit(root)
    assert shown("--since", "first") == (["one/a.yaml"], 1)
    assert shown("--since=HEAD~1") == (["one/a.yaml"], 1)
    assert shown("--since", "HEAD") == ([], 0)
    append(root / "two/b.yaml")
    assert shown("--since", "HEAD")[0] == ["two/b.yaml"]
    assert shown("--since", "first")[0] == ["one/a.yaml", "two/b.yaml"]


def test_new_files_count_and_ignored_ones_do_not(root, shown):
    fill(root, {"new/d.yaml": POD, "left/e.yaml": POD, ".gitignore": "left\n"})
    assert shown("--since", "first")[0] == ["new/d.yaml"]


def test_a_change_that_was_taken_back_is_none(root, shown):
    append(root / "one/a.yaml")
    commit(root)
    fill(root, {"one/a.yaml": POD})
    assert shown("--since", "first")[0] == []
    assert shown("--since", "HEAD")[0] == ["one/a.yaml"]


def test_a_file_that_was_only_touched_is_not_changed(root, shown):
    os.utime(root / "one/a.yaml", (1, 1))
    os.chmod(root / "two/b.yaml", 0o644)
    assert asked.changed(str(root), "first") == frozenset()
    assert shown("--since", "first")[0] == []


def test_deleted_and_moved_files_are_no_skips(root, shown):
    (root / "c.yaml").unlink()
    assert shown("--since", "first")[0] == []
    os.rename(root / "one/a.yaml", root / "one/moved.yaml")
    assert shown("--since", "first")[0] == ["one/moved.yaml"]
    git(root, "add", "-A")
    assert shown("--since", "first")[0] == ["one/moved.yaml"]
    commit(root)
    assert shown("--since", "first")[0] == ["one/moved.yaml"]
    (root / "one/moved.yaml").unlink()
    assert shown("--since", "HEAD")[0] == []


def test_a_file_that_is_no_longer_tracked_is_new(root, shown):
    git(root, "rm", "-q", "--cached", "one/a.yaml")
    assert shown("--since", "first")[0] == ["one/a.yaml"]


def test_a_link_counts_and_so_does_where_it_leads(root, shown):
    os.symlink("../one/a.yaml", root / "two/link.yaml")
    assert shown("--since", "first")[0] == ["one/a.yaml"]
    os.symlink("/nowhere", root / "gone")
    os.symlink("/", root / "all")
    assert shown("--since", "first")[0] == ["one/a.yaml"]


@pytest.mark.parametrize("name", ["a b.yaml", "ä.yaml", "line\nend.yaml", "-x.yaml", ":!x.yaml"])
def test_any_name_is_understood(root, shown, name):
    fill(root, {name: POD})
    assert shown("--since", "first")[0] == [name]
    commit(root)
    assert shown("--since", "first")[0] == [name]


# -- which names that gives ---------------------------------------------------


def test_it_is_the_same_as_giving_the_names(root):
    fill(root, {"requirements.txt": "sglang==0.5.9\n", "bad.yaml": "command: [sglang\n"})
    append(root / "two/b.yaml")
    names = ["requirements.txt", "bad.yaml", "two/b.yaml"]
    since = servelint("check", "--since", "first", cwd=root)
    named = servelint("check", *names, cwd=root)
    assert (since.code, since.out) == (named.code, named.out)
    assert since.code == 1


def test_names_that_are_given_too_limit_it_further(root, shown):
    append(root / "one/a.yaml")
    append(root / "two/b.yaml")
    assert shown("--since", "first", "two")[0] == ["two/b.yaml"]
    assert shown("--since", "first", "two", "c.yaml")[0] == ["two/b.yaml"]
    assert shown("--since", "first", "c.yaml")[0] == []
    assert shown("--since", "first", ".")[0] == ["one/a.yaml", "two/b.yaml"]


def test_it_works_from_a_directory_below_and_with_a_root_below(root, shown, monkeypatch):
    append(root / "one/a.yaml")
    append(root / "two/b.yaml")
    monkeypatch.chdir(root / "one")
    assert shown("--since", "first")[0] == ["one/a.yaml", "two/b.yaml"]
    assert shown("--since", "first", ".")[0] == ["one/a.yaml"]
    assert shown("--since", "first", "--root", "../two")[0] == ["b.yaml"]
    monkeypatch.chdir("/")
    assert shown("--since", "first", "--root", root / "one")[0] == ["a.yaml"]


def test_settings_of_git_change_nothing(root, shown, monkeypatch):
    fill(root, {"one/f.txt": "x"})
    for key, value in {
        "diff.relative": "true",
        "diff.renames": "copies",
        "diff.noprefix": "true",
        "core.quotePath": "true",
        "diff.ignoreSubmodules": "none",
        "core.abbrev": "7",
    }.items():
        git(root, "config", key, value)
    append(root / "two/b.yaml")
    monkeypatch.chdir(root / "one")
    assert shown("--since", "first")[0] == ["two/b.yaml"]


@pytest.mark.parametrize(
    "name", ["servelint.toml", "servelint-images.toml", "servelint-pools.toml"]
)
def test_a_change_of_a_file_by_which_all_is_judged_shows_all(root, shown, name):
    fill(root, {name: ""})
    assert shown("--since", "first")[0] == ["one/a.yaml", "two/b.yaml"]
    commit(root)
    assert shown("--since", "HEAD")[0] == []
    (root / name).unlink()
    assert shown("--since", "HEAD")[0] == ["one/a.yaml", "two/b.yaml"]
    assert shown("--since", "HEAD", "one")[0] == ["one/a.yaml"]


def test_a_baseline_that_changes_shows_all_and_one_that_is_left_out_does_not(root, shown):
    assert servelint("baseline", cwd=root).code == 0
    commit(root)
    fill(root, {"new.yaml": POD})
    assert shown("--since", "HEAD")[0] == ["new.yaml"]
    fill(root, {"servelint-baseline.json": '{"schema": "servelint-baseline/1", "findings": []}'})
    assert shown("--since", "HEAD")[0] == ["new.yaml", "one/a.yaml", "two/b.yaml"]
    (root / "servelint-baseline.json").unlink()
    assert shown("--since", "HEAD")[0] == ["new.yaml", "one/a.yaml", "two/b.yaml"]


def test_an_advisory_of_the_site_that_changes_shows_all(root, shown):
    source = os.path.join(os.path.dirname(__file__), "..", "plugins", "servelint_sglang")
    with open(os.path.join(source, "advisories", "SGL-2026-0004.md"), encoding="utf-8") as file:
        text = file.read().replace("SGL-2026-0004", "SITE-1")
    fill(root, {"servelint.toml": 'advisories = ["./policy/"]', "policy/SITE-1.md": text})
    commit(root)
    assert shown("--since", "HEAD")[0] == []
    append(root / "policy/SITE-1.md", "\nMore.\n")
    assert shown("--since", "HEAD")[0] == ["one/a.yaml", "two/b.yaml"]


# -- what goes wrong ----------------------------------------------------------


@pytest.mark.parametrize(
    "revision",
    ["none", "", "first..HEAD", "-x", "--help", "--since=1", "HEAD:c.yaml", "\x1b[31m", "é"],
)
def test_what_is_no_commit_ends_the_run_with_a_sentence(root, revision):
    done = servelint("check", f"--since={revision}", cwd=root)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("servelint: --since '")
    assert done.err.endswith("': not a commit of this repository\n")
    assert done.err.count("\n") == 1
    assert "\x1b" not in done.err


def test_outside_of_git_the_run_ends_with_a_sentence(tmp_path):
    fill(tmp_path, {"a.yaml": POD})
    done = servelint("check", "--since", "HEAD", cwd=tmp_path, GIT_CEILING_DIRECTORIES="/")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("servelint: --since 'HEAD': git cannot be asked (fatal: not a git")
    assert done.err.count("\n") == 1


def test_before_the_first_commit_there_is_no_revision(tmp_path):
    fill(tmp_path, {"a.yaml": POD})
    git(tmp_path, "init", "-q")
    done = servelint("check", "--since", "HEAD", cwd=tmp_path)
    assert (done.code, done.err) == (
        2,
        "servelint: --since 'HEAD': not a commit of this repository\n",
    )


def evil(root, name="evil"):
    """A filter that leaves a trace when git runs it, for a file that git wants to compare."""
    trace = root.parent / "trace"
    command = f"touch {trace}; cat"
    for key in ("clean", "smudge", "process"):
        git(root, "config", f"filter.{name}.{key}", command)
    git(root, "config", f"filter.{name}.required", "true")
    fill(root, {".gitattributes": f"*.yaml filter={name}\n"})
    future = 4_000_000_000  # later than the index was written: git looks into such files
    os.utime(root / "one/a.yaml", (future, future))
    return trace


def test_no_filter_of_the_repository_is_run(root, shown):
    trace = evil(root)
    assert shown("--since", "first")[0] == []
    assert not trace.exists()
    subprocess.run(["git", "diff", "--quiet", "first"], cwd=root, check=False)
    assert trace.exists(), "git would have run it"


def test_a_filter_that_cannot_be_switched_off_ends_the_run(root):
    git(root, "config", "filter.a=b.clean", "cat")
    done = servelint("check", "--since", "first", cwd=root)
    assert done.code == 2
    assert "its configuration has a filter with = in its name" in done.err
