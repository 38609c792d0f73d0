"""Which files are found, with and without git, and that nothing scanned can act."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
from trees import fill, git

from servelint.discover import MAX_BYTES, discover, read_text
from servelint.finding import Skip
from servelint.git import _ALWAYS as ALWAYS
from servelint.readers import MODULES, UNREAD, claim, claim_text

NEEDLES = (b"needle", b"second-word")
SCRIPT = "#!/usr/bin/env bash\nneedle\n"


pytestmark = pytest.mark.usefixtures("git_as_it_comes")


def found(root, *named):
    return discover(str(root), named, NEEDLES)


def told(discovery):
    return {(skip.path, skip.stage, skip.reason) for skip in discovery.skips}


@pytest.fixture(params=["git", "plain"])
def tree(request, tmp_path):
    """A directory that is the root of a repository, and one that is not."""
    root = tmp_path / "tree"
    root.mkdir()
    if request.param == "git":
        git(root, "init", "-q")
    return root


@pytest.fixture
def repository(tmp_path):
    root = tmp_path / "tree"
    root.mkdir()
    git(root, "init", "-q")
    return root


# -- what is relevant ---------------------------------------------------------


def test_a_claimed_name_and_a_needle_make_a_file_relevant(tree):
    fill(tree, {"b.yaml": "a: needle", "a/run.sh": "second-word", "c.yaml": "a: thread"})
    fill(tree, {"d.go": "needle", "e.unknown": "needle", "uv.lock": "NEEDLE"})
    assert found(tree).paths == ("a/run.sh", "b.yaml")
    assert not found(tree).skips


def test_nothing_relevant_is_nothing(tree):
    fill(tree, {"a.yaml": "a: 1"})
    assert found(tree).paths == found(tree).skips == ()


@pytest.mark.parametrize("name", ["LICENSE", "bin/tool", "notes/README", "data/0f3a"])
@pytest.mark.parametrize(
    "text", [b"needle\n", b"\x7fELF\0\0needle", b"\xff\xfe needle", b"#!/bin/x needle"]
)
def test_files_without_a_suffix_that_are_no_scripts_are_nobodys(tree, name, text):
    fill(tree, {name: text})
    fill(tree, {"run": SCRIPT})
    assert found(tree).paths == ("run",)
    assert found(tree, name).paths == ("run",)
    assert not found(tree, name).skips


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("#!/bin/sh", "shell"),
        ("#! /bin/bash -eu", "shell"),
        ("#!/usr/bin/env bash", "shell"),
        ("#!/usr/bin/env -S bash -e", "shell"),
        ("#!/usr/bin/env -i HOME=/ zsh", "shell"),
        ("#!/usr/bin/dash\r", "shell"),
        ("#!/bin/busybox sh", "shell"),
        ("#!/usr/bin/env fish", ""),
        ("#!/opt/my-sh/bin/python", ""),
        ("#!/usr/bin/python3 run.sh", ""),
        ("#!/usr/bin/env python3", ""),
        ("# /bin/sh", ""),
        ("", ""),
    ],
)
def test_the_first_line_tells_the_shell(line, language):
    assert claim_text("shebang", f"{line}\necho\n") == language


def test_a_needle_is_found_wherever_it_stands(tree):
    block = 1 << 20
    fill(tree, {"late.yaml": b"#" * (3 * block) + b"needle"})
    fill(tree, {"split.yaml": b"#" * (block - 3) + b"needle" + b"#" * block})
    fill(tree, {"split2.yaml": b"#" * (2 * block - 1) + b"needle"})
    fill(tree, {"none.yaml": b"#" * (2 * block)})
    assert found(tree).paths == ("late.yaml", "split.yaml", "split2.yaml")


def test_the_search_of_git_leaves_out_no_file_that_a_reader_takes(repository):
    assert {claim(f"a.{suffix}") for suffix in UNREAD} == {""}
    fill(repository, {"docs.md/tools.py/a.yaml": "needle"})
    assert found(repository).paths == ("docs.md/tools.py/a.yaml",)


def test_every_language_that_a_name_claims_has_a_reader():
    names = ["a.yml", "run.bash", "job.sbatch", "a.mk", "Makefile", "pyproject.toml", "pdm.lock"]
    names += ["requirements-dev.txt", "requirements/base.in", "x/constraints.txt", "pylock.a.toml"]
    assert {claim(name) for name in names} <= set(MODULES)
    nobodys = ["a.yaml.bak", ".yaml", "my_requirements", "poetry.lock.orig"]
    assert {claim(name) for name in nobodys} <= {"", "shebang"}


# -- what git tells -----------------------------------------------------------


def test_tracked_and_untracked_files_are_found_and_ignored_ones_are_not(repository):
    fill(repository, {"tracked.yaml": "needle", ".gitignore": "ignored.yaml\nout/\n"})
    git(repository, "add", ".")
    fill(repository, {"untracked.yaml": "needle", "ignored.yaml": "needle", "out/a.sh": "needle"})
    assert found(repository).paths == ("tracked.yaml", "untracked.yaml")


def test_a_file_that_is_tracked_although_it_is_ignored_is_found(repository):
    fill(repository, {".gitignore": "out/\nrun\n", "out/a.yaml": "needle", "run": SCRIPT})
    fill(repository, {"out/LICENSE": "needle", "out/b.yaml": "needle", "out/gone.yaml": "needle"})
    git(repository, "add", "-f", "out/a.yaml", "run", "out/LICENSE", "out/gone.yaml")
    os.unlink(repository / "out/gone.yaml")
    assert found(repository).paths == ("out/a.yaml", "run")
    assert not found(repository).skips


def test_ignored_files_count_when_they_are_named(repository):
    fill(
        repository, {".gitignore": "*\n", "a.yaml": "needle", "b.yaml": "needle", "c.go": "needle"}
    )
    assert found(repository).paths == ()
    assert found(repository, "a.yaml").paths == ("a.yaml",)
    assert found(repository, "c.go").paths == ()


def test_an_ignored_directory_counts_when_it_is_named(repository):
    fill(repository, {".gitignore": "out/\n", "out/a/b.yaml": "needle", "out/c.yaml": "needle"})
    fill(
        repository,
        {"in/kept.yaml": "needle", "in/.gitignore": "left.yaml", "in/left.yaml": "needle"},
    )
    assert found(repository, "out").paths == ("in/kept.yaml", "out/a/b.yaml", "out/c.yaml")
    assert found(repository, "in").paths == ("in/kept.yaml",)


def test_a_tracked_file_that_is_deleted_is_no_skip(repository):
    fill(repository, {"a.yaml": "needle", "b.yaml": "needle"})
    os.symlink("b.yaml", repository / "link.yaml")
    git(repository, "add", ".")
    os.unlink(repository / "b.yaml")
    os.unlink(repository / "link.yaml")
    assert found(repository).paths == ("a.yaml",)
    assert not found(repository).skips


def test_a_repository_inside_is_a_root_of_its_own(repository):
    fill(repository, {"a.yaml": "needle"})
    for name in ("inner", "other.yaml"):
        fill(repository, {f"{name}/b.yaml": "needle"})
        git(repository / name, "init", "-q")
    assert found(repository).paths == ("a.yaml",)
    assert found(repository).listed == 1
    assert not found(repository).skips
    assert found(repository / "inner").paths == ("b.yaml",)


def test_a_submodule_is_no_file(repository, tmp_path):
    fill(tmp_path, {"other/b.yaml": "needle"})
    git(tmp_path / "other", "init", "-q")
    git(tmp_path / "other", "add", ".")
    git(tmp_path / "other", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-m", "one")
    fill(repository, {"a.yaml": "needle"})
    os.rename(tmp_path / "other", repository / "inner.yaml")
    git(repository, "add", ".")
    assert found(repository).paths == ("a.yaml",)
    assert not found(repository).skips
    assert found(repository / "inner.yaml").paths == ("b.yaml",)


def test_a_root_below_the_repository_follows_its_rules(repository):
    fill(repository, {".gitignore": "left.yaml", "a.yaml": "needle"})
    fill(repository, {"sub/b.yaml": "needle", "sub/left.yaml": "needle", "sub/in/c.yaml": "needle"})
    git(repository, "config", "grep.fullName", "true")
    assert found(repository / "sub").paths == ("b.yaml", "in/c.yaml")


def test_a_root_that_the_repository_ignores_is_walked(repository):
    fill(repository, {".gitignore": "*\n", "sub/b.yaml": "needle"})
    assert found(repository / "sub").paths == ("b.yaml",)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("color.ui", "always"),
        ("color.grep", "always"),
        ("submodule.recurse", "true"),
        ("grep.fullName", "true"),
        ("grep.lineNumber", "true"),
        ("grep.column", "true"),
        ("grep.patternType", "perl"),
        ("grep.threads", "1"),
        ("core.quotePath", "true"),
        ("core.fsmonitor", "true"),
        ("core.untrackedCache", "true"),
        ("status.showUntrackedFiles", "no"),
    ],
)
def test_settings_of_git_change_nothing(repository, key, value):
    fill(repository, {"naïve.yaml": "needle", "sub/run.sh": "needle", "tracked.yaml": "needle"})
    git(repository, "add", "tracked.yaml")
    git(repository, "config", key, value)
    assert found(repository).paths == ("naïve.yaml", "sub/run.sh", "tracked.yaml")
    assert not found(repository).skips


@pytest.mark.parametrize("name", ["LITERAL", "GLOB", "NOGLOB", "ICASE"])
def test_how_git_was_told_to_read_paths_changes_nothing(repository, monkeypatch, name):
    fill(repository, {"sub/a.yaml": "needle"})
    monkeypatch.setenv(f"GIT_{name}_PATHSPECS", "1")
    assert found(repository).paths == ("sub/a.yaml",)
    assert not found(repository).skips


def test_the_index_of_a_partial_commit_is_used(repository, monkeypatch):
    """`git commit FILE` runs hooks with an index of its own."""
    fill(repository, {".gitignore": "forced.yaml", "forced.yaml": "needle"})
    index = str(repository / ".git/next-index-1.lock")
    git(repository, "add", "-f", "forced.yaml", GIT_INDEX_FILE=index)
    monkeypatch.chdir(repository)
    assert found(repository).paths == ()
    monkeypatch.setenv("GIT_INDEX_FILE", index)
    assert found(repository).paths == ("forced.yaml",)
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/next-index-1.lock")
    assert found(repository).paths == ("forced.yaml",)


def test_the_repository_of_a_hook_says_nothing_of_another_one(repository, tmp_path, monkeypatch):
    hook = tmp_path / "hook"
    fill(hook, {"own.yaml": "needle", "b.yaml": "needle"})
    git(hook, "init", "-q")
    git(hook, "add", ".")
    fill(repository, {"a.yaml": "needle", ".gitignore": "b.yaml", "b.yaml": "needle"})
    monkeypatch.chdir(hook)
    monkeypatch.setenv("GIT_DIR", str(hook / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(hook))
    monkeypatch.setenv("GIT_INDEX_FILE", str(hook / ".git/index"))
    assert found(repository).paths == ("a.yaml",)
    assert found(repository, "b.yaml").paths == ("a.yaml", "b.yaml")
    assert not found(repository).skips


# -- nothing scanned acts -----------------------------------------------------


@pytest.mark.parametrize("unknown", [[], ["GIT_NO_LAZY_FETCH"]])
def test_no_program_that_a_repository_names_is_run(repository, tmp_path, monkeypatch, unknown):
    """Nor by an old git, which does not know all that it is told."""
    for name in unknown:
        monkeypatch.delitem(ALWAYS, name)
    trap, mark = tmp_path / "trap.sh", tmp_path / "sprung"
    trap.write_text(f'#!/bin/sh\necho "$0 $*" >> {mark}\nexit 1\n')
    trap.chmod(0o755)
    fill(repository, {"a.yaml": "needle", "b.yaml": "needle", "bin": SCRIPT})
    fill(
        repository, {".gitattributes": "* diff=evil filter=evil merge=evil\n", ".gitignore": "x\n"}
    )
    git(repository, "add", ".")
    git(repository, "update-index", "--assume-unchanged", "b.yaml")
    git(repository, "update-index", "--skip-worktree", ".gitignore")
    os.unlink(repository / ".gitignore")  # git reads it from the index
    shutil.rmtree(repository / ".git/objects")  # a promisor remote would be asked for them
    (repository / ".git/objects/info").mkdir(parents=True)
    keys = ["core.fsmonitor", "core.pager", "pager.grep", "pager.ls-files", "core.editor"]
    keys += ["core.sshCommand", "core.gitProxy", "core.askPass", "core.alternateRefsCommand"]
    keys += ["diff.external", "diff.evil.textconv", "diff.evil.command", "alias.grep"]
    keys += ["filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "credential.helper"]
    keys += [
        "remote.origin.uploadpack",
        "gpg.program",
        "merge.evil.driver",
        "uploadpack.packObjectsHook",
    ]
    for key in keys:
        git(repository, "config", key, str(trap))
    git(repository, "config", "core.hooksPath", str(tmp_path))
    git(repository, "config", "core.repositoryFormatVersion", "1")
    git(repository, "config", "extensions.partialClone", "origin")
    git(repository, "config", "remote.origin.promisor", "true")
    git(repository, "config", "remote.origin.url", f"ext::{trap} %S")
    git(repository, "config", "protocol.ext.allow", "always")
    mark.unlink(missing_ok=True)
    assert found(repository, "a.yaml").paths == ("a.yaml", "b.yaml", "bin")
    assert not mark.exists(), mark.read_text()
    subprocess.run(["git", "status"], cwd=repository, capture_output=True, check=False)
    assert mark.exists(), "the trap does not work"


@pytest.mark.parametrize("broken", ["gitdir: /nowhere\n", "", "no such thing\n"])
def test_where_git_cannot_answer_all_files_are_searched_and_that_is_said(tmp_path, broken):
    fill(tmp_path, {".git": broken, ".gitignore": "a.yaml", "a.yaml": "needle"})
    discovery = found(tmp_path)
    assert discovery.paths == ("a.yaml",)
    (skip,) = discovery.skips
    assert (skip.path, skip.stage, skip.reason) == (".", "discover", "unreadable")
    assert skip.detail.startswith("git cannot be used (")
    assert skip.detail.endswith("): all files were searched, ignored ones too")


@pytest.mark.parametrize(
    ("config", "word"),
    [
        ("[core\n", "bad config"),
        ("[core]\nrepositoryformatversion = 77\n", "version"),
        ("[core]\nrepositoryformatversion = 0\nbare = true\n", "work tree"),
        ("[core]\nrepositoryformatversion = 0\nworktree = /nowhere\n", "work tree"),
    ],
)
def test_a_repository_that_git_refuses_is_said(repository, config, word):
    fill(repository, {".git/config": config, "a.yaml": "needle"})
    discovery = found(repository)
    assert discovery.paths == ("a.yaml",)
    assert told(discovery) == {(".", "discover", "unreadable")}
    assert word in discovery.skips[0].detail


def test_a_machine_without_git_is_said(repository, monkeypatch, tmp_path):
    fill(repository, {"a.yaml": "needle"})
    monkeypatch.setenv("PATH", str(tmp_path))
    discovery = found(repository)
    assert discovery.paths == ("a.yaml",)
    assert "git cannot be used (there is none on the PATH)" in discovery.skips[0].detail


@pytest.mark.parametrize("before", [".", "", "bin"])
def test_a_program_in_the_tree_is_not_taken_for_git(repository, monkeypatch, before):
    trap = f"#!/bin/sh\ntouch {repository}/sprung\n"
    fill(repository, {"git": trap, "bin/git": trap, "a.yaml": "needle"})
    for name in ("git", "bin/git"):
        (repository / name).chmod(0o755)
    monkeypatch.chdir(repository)
    monkeypatch.setenv("PATH", f"{before}{os.pathsep}{os.environ['PATH']}")
    assert found(repository).paths == ("a.yaml",)
    assert not found(repository).skips
    assert not (repository / "sprung").exists()


def test_a_work_tree_of_its_own_is_a_root(repository, tmp_path):
    fill(repository, {"a.yaml": "needle"})
    git(repository, "add", ".")
    git(repository, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-m", "one")
    git(repository, "worktree", "add", str(tmp_path / "other"))
    fill(tmp_path / "other", {"b.yaml": "needle", "c.yaml": "needle", ".gitignore": "c.yaml"})
    discovery = found(tmp_path / "other")
    assert discovery.paths == ("a.yaml", "b.yaml")
    assert not discovery.skips


# -- names --------------------------------------------------------------------

NAMES = ["a b.yaml", "-x.yaml", "--", "\n.yaml", "a\nb.sh", ":(top)a.yaml", ":!b.yaml", "*.yaml"]
NAMES += [
    "[ab].yaml",
    "\\.yaml",
    '"q".yaml',
    "é.yaml",
    "\x1b[31m.yaml",
    os.fsdecode(b"\xff\xfe.yaml"),
]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_any_name_of_a_file_is_found_and_can_be_named(tree, name):
    fill(tree, {name: SCRIPT})
    fill(tree, {f"sub/{name}": SCRIPT})
    fill(tree, {".gitignore": "sub/\n"})
    assert name in found(tree).paths
    assert f"sub/{name}" in found(tree, f"sub/{name}").paths
    assert not found(tree).skips
    assert read_text(str(tree), name) == SCRIPT


# -- links and special files --------------------------------------------------


def test_a_link_is_read_where_it_leads(tree):
    fill(tree, {"real/a.yaml": "needle", "odd.txt": "needle", "run.sh": SCRIPT})
    os.symlink("real/a.yaml", tree / "link.yaml")
    os.symlink("real", tree / "directory.yaml.d")
    os.symlink("run.sh", tree / "start")
    os.symlink("odd.txt", tree / "compose.yaml")
    discovery = found(tree)
    assert discovery.paths == ("compose.yaml", "real/a.yaml", "run.sh")
    assert not discovery.skips
    assert read_text(str(tree), "compose.yaml") == "needle"


def test_a_link_out_of_the_root_is_not_followed(tree, tmp_path):
    fill(tmp_path / "tree", {"a.yaml": "needle"})
    fill(tmp_path / "tree2", {"b.yaml": "needle"})
    os.symlink("../tree2/b.yaml", tree / "link.yaml")
    os.symlink("../tree2", tree / "sub")
    assert found(tree).paths == ("a.yaml",)
    assert told(found(tree)) == {("link.yaml", "discover", "outside-root")}
    for name in ("link.yaml", "sub/b.yaml", "../tree2/b.yaml", str(tmp_path / "tree2/b.yaml")):
        skip = read_text(str(tree), name)
        assert isinstance(skip, Skip)
        assert (skip.path, skip.reason) == (name, "outside-root")


def test_links_that_lead_nowhere_are_skips(tree):
    fill(tree, {"a.yaml": "needle"})
    os.symlink("loop.yaml", tree / "loop.yaml")
    os.symlink("gone", tree / "dangling.sh")
    os.symlink(".", tree / "self")
    os.symlink("loop", tree / "loop")
    discovery = found(tree)
    assert discovery.paths == ("a.yaml",)
    reason = ("discover", "unreadable")
    assert told(discovery) == {("loop.yaml", *reason), ("dangling.sh", *reason)}


def test_a_pipe_is_never_waited_for(tree):
    fill(tree, {"a.yaml": "needle"})
    for name in ("run.sh", "script"):
        os.mkfifo(tree / name)
    discovery = found(tree, "run.sh", "script")
    assert discovery.paths == ("a.yaml",)
    assert told(discovery) == {("run.sh", "discover", "unreadable")}
    assert discovery.skips[0].detail == "not a regular file"


def test_a_tracked_file_that_became_a_pipe_is_a_skip(repository):
    fill(repository, {"a.yaml": "needle", "run.sh": "needle"})
    git(repository, "add", ".")
    os.unlink(repository / "run.sh")
    os.mkfifo(repository / "run.sh")
    assert found(repository).paths == ("a.yaml",)
    assert told(found(repository)) == {("run.sh", "discover", "unreadable")}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_a_skip(tree):
    fill(
        tree,
        {"a.yaml": "needle", "locked.yaml": "needle", "LICENSE": "needle", "sub/b.sh": "needle"},
    )
    for name in ("locked.yaml", "LICENSE", "sub"):
        os.chmod(tree / name, 0)
    discovery = found(tree)
    os.chmod(tree / "sub", 0o700)
    reason = ("discover", "unreadable")
    assert discovery.paths == ("a.yaml",)
    assert told(discovery) == {("locked.yaml", *reason), ("sub", *reason)}
    assert {skip.detail for skip in discovery.skips} == {"Permission denied"}


# -- reading ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a: \xc3\xa9\r\n", "a: é\r\n"),
        (b"\xef\xbb\xbfa", "a"),
        (b"", ""),
        (b"x" * MAX_BYTES, "x" * MAX_BYTES),
        (b"a\0", "binary"),
        (b"a\xff", "encoding"),
        (b"\xff\xfea\0", "binary"),
        (b"x" * (MAX_BYTES + 1), "too-large"),
    ],
    ids=["utf-8", "mark", "empty", "largest", "nul", "latin", "utf-16", "larger"],
)
def test_the_text_of_a_file_or_why_there_is_none(tmp_path, data, expected):
    fill(tmp_path, {"a.yaml": data})
    text = read_text(str(tmp_path), "a.yaml")
    assert (text.reason if isinstance(text, Skip) else text) == expected


@pytest.mark.parametrize("name", ["gone.yaml", "gone/a.yaml", "a\0.yaml", "sub", "a" * 300])
def test_what_cannot_be_opened_is_a_skip(tmp_path, name):
    (tmp_path / "sub").mkdir()
    skip = read_text(str(tmp_path), name)
    assert isinstance(skip, Skip)
    assert (skip.path, skip.stage, skip.reason) == (name, "discover", "unreadable")


def test_many_files_leave_none_open(tmp_path):
    for number in range(300):
        os.mkfifo(tmp_path / f"{number}.yaml")
    limit = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))\n"
    code = (
        f"import sys; sys.path[:0] = {sys.path!r}\n{limit}from servelint.discover import discover\n"
    )
    code += "print({skip.detail for skip in discover('.', (), (b'needle',)).skips})"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "{'not a regular file'}\n"
