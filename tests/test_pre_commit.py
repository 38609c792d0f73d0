"""The hooks, run by the real pre-commit on a real repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from servelint.cli import parser

ROOT = Path(__file__).parent.parent
PROJECT = ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml", "src", "plugins")
LAUNCH = "exec python -m sglang.launch_server --model-path m --disaggregation-mode prefill\n"
LOCK = '[[package]]\nname = "sglang"\nversion = "{}"\n'


def git(where: Path, *args: str) -> None:
    command = [
        "git",
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@example",
        "-c",
        "commit.gpgsign=false",
    ]
    subprocess.run([*command, *args], cwd=where, check=True, capture_output=True)


@pytest.fixture(scope="module", name="hooks")
def make_hooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository that holds the project as it stands in the work tree."""
    where = tmp_path_factory.mktemp("hooks")
    for name in PROJECT:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, where / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, where / name)
    git(where, "init", "-q")
    git(where, "add", ".")
    git(where, "commit", "-qm", "the project")
    return where


@pytest.fixture(name="repository")
def make_repository(tmp_path: Path) -> Path:
    """A project whose launch script and lockfile are a problem only together."""
    (tmp_path / "serve.sh").write_text(f"#!/bin/sh\n{LAUNCH}")
    (tmp_path / "uv.lock").write_text(LOCK.format("0.5.23"))
    (tmp_path / "notes.txt").write_text("nothing\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


@pytest.fixture(scope="module", name="home")
def make_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pre-commit-home")


def try_repo(repository: Path, hooks: Path, home: Path, hook: str) -> tuple[int, str]:
    env = {**os.environ, "PRE_COMMIT_HOME": str(home), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "try-repo", str(hooks), hook, "--color=never"],
        cwd=repository,
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return done.returncode, done.stdout + done.stderr


def test_a_change_of_the_lockfile_alone_finds_the_problem_of_the_launch_script(
    repository: Path, hooks: Path, home: Path
) -> None:
    (repository / "uv.lock").write_text(LOCK.format("0.5.19"))
    git(repository, "add", "uv.lock")
    code, out = try_repo(repository, hooks, home, "servelint")
    assert code == 1
    assert "uv.lock:3:12: critical SGL-2026-0001 affected" in out
    assert "launch serve.sh:2:" in out


def test_a_change_of_an_unrelated_file_prints_nothing(
    repository: Path, hooks: Path, home: Path
) -> None:
    (repository / "uv.lock").write_text(LOCK.format("0.5.19"))
    git(repository, "commit", "-qam", "a problem that is there already")
    (repository / "notes.txt").write_text("something\n")
    git(repository, "add", "notes.txt")
    code, out = try_repo(repository, hooks, home, "servelint")
    assert code == 0
    assert "Passed" in out
    assert "SGL-2026" not in out


def test_the_hook_for_the_whole_repository_finds_it_whatever_changed(
    repository: Path, hooks: Path, home: Path
) -> None:
    (repository / "uv.lock").write_text(LOCK.format("0.5.19"))
    git(repository, "commit", "-qam", "a problem that is there already")
    code, out = try_repo(repository, hooks, home, "servelint-all")
    assert code == 1
    assert "SGL-2026-0001" in out


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
