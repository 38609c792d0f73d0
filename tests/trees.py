"""Trees on disk, git in them, and the real command line."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROJECT = ("pyproject.toml", "README.md", "LICENSE", "src", "plugins")
"""What the project is built from."""

POD = """\
containers:
  - name: server
    image: lmsysorg/sglang:v0.5.9
    command: [python3, -m, sglang.launch_server, --disaggregation-mode, prefill]
"""
"""An affected server: image, flag and launch stand in one file."""

START = "from servelint.cli import entry; entry()"


def clean_environment(**changes):
    """The environment without what git reads, also of the user's and the machine's settings.

    Tests may run in a git hook, and where git is set up in some way.
    """
    env = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    return {**env, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", **changes}


def fill(root, files):
    """Write files, by path relative to ``root``; a text is written as UTF-8."""
    for name, content in files.items():
        path = os.path.join(root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())


def copy(source, target):
    """Copy a file or a directory, without what Python leaves in it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(source, target)


def copy_project(where, *more):
    """The project as it stands in the work tree, with ``more`` of its files: building it leaves
    nothing behind there.
    """
    for name in (*PROJECT, *more):
        copy(ROOT / name, where / name)


def git(directory, *args, **env):
    """Run git; it must succeed."""
    subprocess.run(
        ["git", *args], cwd=directory, env=clean_environment(**env), check=True, capture_output=True
    )


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str


def command(*args, start=START):
    """The words that start the command line as its console script does.

    -P: the scanned directory is no place to import from.
    """
    return [sys.executable, "-P", "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{start}", *args]


def ended(words, cwd, **env):
    """Run a program, which must end by itself."""
    done = subprocess.run(
        words,
        cwd=cwd,
        env=clean_environment(**env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=False,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def servelint(*args, cwd, **env):
    """Run the command line to its end. It must end by itself, and with no traceback."""
    done = ended(command(*args), cwd, **env)
    assert "Traceback" not in done.err, done.err
    assert done.code in (0, 1, 2)
    return done
