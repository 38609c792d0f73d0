"""The hooks, run by pre-commit and prek themselves on real repositories."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from trees import ROOT, clean_environment, copy_project, fill, git

from servelint.cli import parser

PLUGIN = ROOT / "examples" / "third-party-plugin"
PYTHON_SCRIPTS = os.path.dirname(sys.executable)

LAUNCH = "#!/bin/sh\nexec python -m sglang.launch_server --model-path m --disaggregation-mode {}\n"
LOCK = '[[package]]\nname = "sglang"\nversion = "{}"\n'
FILES = {
    "serve.sh": LAUNCH.format("prefill"),
    "uv.lock": LOCK.format("0.5.23"),
    "notes.txt": "nothing\n",
}
"""A launch script and a lockfile that are a problem only together."""

AFFECTED = LOCK.format("0.5.19")
FOUND = "uv.lock:3:12: critical SGL-2026-0001 affected"


@dataclass(frozen=True)
class Runner:
    """What runs the hooks of ``hooks``, a repository with the project in it."""

    module: str
    home: Path
    hooks: Path

    def configure(self, where: Path, *lines: str, hook: str = "servelint") -> None:
        """What a user adds, with more lines of the hook."""
        keys = "".join(f"    {line}\n" for line in lines)
        text = f"repos:\n- repo: {self.hooks}\n  rev: v1\n  hooks:\n  - id: {hook}\n{keys}"
        fill(where, {".pre-commit-config.yaml": text})

    def environment(self) -> dict[str, str]:
        own = {
            "PRE_COMMIT_HOME": str(self.home),
            "PREK_HOME": str(self.home),
            # prek installs with uv, which stands beside the interpreter.
            "PATH": os.pathsep.join((PYTHON_SCRIPTS, os.environ["PATH"])),
            "PYTHONPATH": "",
            "GIT_AUTHOR_NAME": "t",
            "GIT_AUTHOR_EMAIL": "t@example",
            "GIT_COMMITTER_NAME": "t",
            "GIT_COMMITTER_EMAIL": "t@example",
        }
        return clean_environment(**own)

    def call(self, where: Path, *words: str) -> tuple[int, str]:
        done = subprocess.run(
            words,
            cwd=where,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        return done.returncode, done.stdout + done.stderr

    def run(self, where: Path, *args: str) -> tuple[int, str]:
        return self.call(where, sys.executable, "-m", self.module, "run", "--color", "never", *args)

    def install(self, where: Path) -> None:
        """As a hook of git, which then runs at every commit."""
        code, out = self.call(where, sys.executable, "-m", self.module, "install")
        assert code == 0, out

    def commit(self, where: Path, *args: str) -> tuple[int, str]:
        return self.call(where, "git", "commit", "-m", "a change", *args)


@pytest.fixture(scope="module", name="hooks")
def make_hooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository that holds the project as it stands in the work tree."""
    where = tmp_path_factory.mktemp("hooks")
    copy_project(where, ".pre-commit-hooks.yaml")
    begin(where)
    git(where, "tag", "v1")
    return where


@pytest.fixture(scope="module", name="runner", params=["pre_commit", "prek"])
def make_runner(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, hooks: Path
) -> Runner:
    return Runner(request.param, tmp_path_factory.mktemp(request.param), hooks)


@pytest.fixture(name="repository")
def make_repository(tmp_path: Path) -> Path:
    fill(tmp_path, FILES)
    begin(tmp_path)
    return tmp_path


def begin(where: Path) -> None:
    git(where, "init", "-q", "-b", "main")
    commit(where)


def commit(where: Path) -> None:
    """Commit all, without hooks."""
    git(where, "add", "--all")
    who = ("-c", "user.name=t", "-c", "user.email=t@example")
    git(where, *who, "commit", "-q", "--no-verify", "-m", "as it was")


def change(where: Path, name: str, text: str) -> None:
    """Write a file, and stage it."""
    fill(where, {name: text})
    git(where, "add", name)


# -- what a commit changes ----------------------------------------------------


def test_three_lines_find_the_problem_at_its_line(runner: Runner, repository: Path) -> None:
    change(repository, "uv.lock", AFFECTED)
    runner.configure(repository)
    git(repository, "add", ".")
    code, out = runner.run(repository, "--all-files")
    assert code == 1
    assert FOUND in out
    assert "launch serve.sh:2:" in out


def test_a_change_of_the_lockfile_alone_finds_the_problem_of_the_launch_script(
    runner: Runner, repository: Path
) -> None:
    runner.configure(repository)
    commit(repository)
    change(repository, "uv.lock", AFFECTED)
    code, out = runner.run(repository)
    assert code == 1
    assert FOUND in out


def test_a_change_of_an_unrelated_file_prints_nothing(runner: Runner, repository: Path) -> None:
    fill(repository, {"uv.lock": AFFECTED})
    runner.configure(repository)
    commit(repository)
    change(repository, "notes.txt", "something\n")
    code, out = runner.run(repository)
    assert code == 0
    assert "Passed" in out
    assert "SGL-2026" not in out


def test_a_deletion_is_seen_by_the_hook_for_the_whole_repository(
    runner: Runner, repository: Path
) -> None:
    """The lockfile of an image that was fixed is gone: the other one counts now."""
    fill(repository, {"requirements.txt": "sglang==0.5.19\n"})
    runner.configure(repository, hook="servelint-all")
    commit(repository)
    git(repository, "rm", "-q", "uv.lock")
    code, out = runner.run(repository)
    assert code == 1
    assert "requirements.txt:1:" in out
    assert "SGL-2026-0001" in out
    runner.configure(repository)
    git(repository, "add", ".pre-commit-config.yaml")
    code, out = runner.run(repository)
    assert (code, "SGL-2026" in out) == (0, False), "the file that changed is not to blame"


def test_a_commit_is_judged_as_it_is_staged(runner: Runner, repository: Path) -> None:
    runner.configure(repository)
    commit(repository)
    change(repository, "uv.lock", AFFECTED)
    fill(repository, {"uv.lock": LOCK.format("0.5.23")})
    runner.install(repository)
    code, out = runner.commit(repository)
    assert code == 1
    assert FOUND in out
    git(repository, "add", "uv.lock")
    change(repository, "notes.txt", "more\n")
    fill(repository, {"uv.lock": AFFECTED})
    code, out = runner.commit(repository)
    assert code == 0, out


def test_a_commit_of_named_files_is_judged_without_what_else_is_staged(
    runner: Runner, repository: Path
) -> None:
    """``git commit FILE`` hands an index of its own to the hooks, in ``GIT_INDEX_FILE``."""
    runner.configure(repository)
    commit(repository)
    runner.install(repository)
    change(repository, "uv.lock", AFFECTED)
    fill(repository, {"serve.sh": LAUNCH.format("decode")})
    code, out = runner.commit(repository, "serve.sh")
    assert code == 0, out
    change(repository, "serve.sh", LAUNCH.format("prefill"))
    code, out = runner.commit(repository, "uv.lock")
    assert code == 1
    assert FOUND in out


def test_a_repository_without_a_commit(runner: Runner, tmp_path: Path) -> None:
    fill(tmp_path, {**FILES, "uv.lock": AFFECTED})
    runner.configure(tmp_path)
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", ".")
    code, out = runner.run(tmp_path)
    assert code == 1
    assert FOUND in out


def test_many_files_are_handed_over_in_several_calls(runner: Runner, repository: Path) -> None:
    """Each call reads everything, and reports on its own files."""
    names = [f"texts/{'of-some-length-' * 2}{number:04}.txt" for number in range(6000)]
    fill(repository, dict.fromkeys(names, "nothing\n"))
    fill(repository, {"uv.lock": AFFECTED})
    runner.configure(repository)
    commit(repository)
    code, out = runner.run(repository, "--all-files")
    assert code == 1
    assert 1 <= out.count(FOUND) <= 2, "once for each call that has a file of the finding"


# -- where the project is -----------------------------------------------------


def test_a_project_in_a_subdirectory(runner: Runner, tmp_path: Path) -> None:
    fill(tmp_path, {f"services/llm/{name}": text for name, text in FILES.items()})
    fill(tmp_path, {"services/llm/uv.lock": AFFECTED, "other/notes.txt": "nothing\n"})
    runner.configure(tmp_path, "args: [--root, services/llm]", "files: ^services/llm/")
    begin(tmp_path)
    code, out = runner.run(tmp_path, "--all-files")
    assert code == 1
    assert FOUND in out


def test_run_from_a_subdirectory(runner: Runner, repository: Path) -> None:
    fill(repository, {"uv.lock": AFFECTED, "docs/index.txt": "nothing\n"})
    runner.configure(repository)
    commit(repository)
    code, out = runner.run(repository / "docs", "--all-files")
    assert code == 1
    assert FOUND in out


def test_notes_are_seen_on_success_with_verbose(runner: Runner, repository: Path) -> None:
    fill(repository, {"uv.lock": AFFECTED})
    runner.configure(repository, "args: [--fail-on, never]", "verbose: true")
    commit(repository)
    code, out = runner.run(repository, "--all-files")
    assert code == 0
    assert FOUND in out


# -- plugins of others --------------------------------------------------------


def test_a_plugin_of_somebody_else(runner: Runner, repository: Path) -> None:
    shutil.copytree(PLUGIN, repository / "plugin")
    shutil.copytree(PLUGIN / "fleet", repository, dirs_exist_ok=True)
    plugin = os.fspath(repository / "plugin")
    runner.configure(repository, f"additional_dependencies: ['{plugin}']")
    commit(repository)
    code, out = runner.run(repository, "--files", "fleet.yaml")
    assert code == 1
    assert re.search(r"fleet\.yaml:\d+:\d+: \w+ ACME-2026-0001", out), out


def test_the_entries_are_commands_of_the_program() -> None:
    from ruamel.yaml import YAML

    hooks = YAML(typ="safe").load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert [hook["id"] for hook in hooks] == ["servelint", "servelint-all"]
    for hook in hooks:
        program, *args = hook["entry"].split()
        assert program == "servelint"
        assert parser().parse_args(args).command == "check"
        assert set(hook) <= {
            *("id", "name", "description", "entry", "language", "types"),
            *("require_serial", "pass_filenames", "always_run"),
        }
