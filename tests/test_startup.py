"""What a run costs that has nothing to say: it imports next to nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ALLOWED = {
    "servelint",
    "servelint.arguments",
    "servelint.cli",
    "servelint.cli.judging",
    "servelint.cli.terminal",
    "servelint.config",
    "servelint.discover",
    "servelint.finding",
    "servelint.git",
    "servelint.pipeline",
    "servelint.readers",
    "servelint.reporters",
    "servelint.reporters.lines",
    "servelint.reporters.summary",
    "servelint.reporters.text",
    "servelint_builtins",
}
FORBIDDEN = {
    *("importlib.metadata", "json", "hashlib", "pathlib", "typing", "tomllib", "logging", "rich"),
    *("packaging", "ruamel", "tree_sitter", "libcst", "asyncio", "multiprocessing", "unicodedata"),
    *("servelint_sglang", "decimal", "random", "tempfile", "urllib"),
}
SCRIPT = """
import sys
before = set(sys.modules)
from servelint.cli import main
code = main(sys.argv[1:])
sys.stderr.write("\\n".join(sorted(set(sys.modules) - before)))
raise SystemExit(code)
"""


@pytest.fixture(name="quiet_tree")
def make_quiet_tree(tmp_path: Path) -> Path:
    for number in range(50):
        (tmp_path / f"file{number}.yaml").write_text(f"a: {number}\n")
    return tmp_path


def modules_after(tree: Path, *args: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{SCRIPT}", *args],
        cwd=tree,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.split("\n"))


@pytest.mark.parametrize("in_git", [True, False])
def test_a_run_without_relevant_files_imports_only_what_it_needs(
    quiet_tree: Path, *, in_git: bool
) -> None:
    if in_git:
        subprocess.run(["git", "init", "-q"], cwd=quiet_tree, check=True)
    loaded = modules_after(quiet_tree, "check", ".")
    own = {name for name in loaded if name.startswith("servelint")}
    assert own == (ALLOWED if in_git else ALLOWED - {"servelint.git"})
    assert not {
        name for name in loaded for bad in FORBIDDEN if name == bad or name.startswith(f"{bad}.")
    }


def test_a_run_with_few_relevant_files_starts_no_processes(quiet_tree: Path) -> None:
    relevant = "containers: [{image: lmsysorg/sglang:v0.5.10, command: [sglang, serve]}]\n"
    for number in range(20):
        (quiet_tree / f"file{number}.yaml").write_text(relevant)
    loaded = modules_after(quiet_tree, "check", "--fail-on", "never", ".")
    assert "servelint.readers.yaml" in loaded
    assert not {name for name in loaded if name.split(".")[0] in ("multiprocessing", "pickle")}
