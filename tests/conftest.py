"""Makes ``made_up`` importable, and generated inputs the same for everybody where it matters."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

sys.path.append(str(Path(__file__).parent))

from trees import clean_environment

from servelint.cli import main

# In a job of GitHub Actions the text is followed by annotations, which the tests ask for by name.
os.environ.pop("GITHUB_ACTIONS", None)

# A change is not to fail for an input that chance brought up on the day that it lands: what a check
# in a clean clone generates is fixed. By hand, every run tries other inputs.
settings.register_profile("fixed", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("fixed")


@pytest.fixture
def git_as_it_comes(monkeypatch):
    """git without settings of the user, the machine, or a hook in which the tests run."""
    env = clean_environment()
    for name in set(os.environ) - set(env):
        monkeypatch.delenv(name)
    for name in set(env) - set(os.environ):
        monkeypatch.setenv(name, env[name])


@pytest.fixture
def run(capsys):
    """Run a command in this process: exit code, output, errors."""

    def call(*words):
        code = main([str(word) for word in words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call
