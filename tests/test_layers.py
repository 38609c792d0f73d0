"""The law of imports, and that the core knows no product."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SRC = ROOT / "src" / "servelint"
PLUGINS = ROOT / "plugins"

NOUNS = {
    "source",
    "unit",
    "facts",
    "value",
    "inside",
    "reference",
    "engine",
    "deployment",
    "advisory",
    "finding",
    "verdict",
    "rule",
    "statement",
    "listing",
    "pools",
    "plugin",
    "policy",
}
TOOLS = {"config", "context", "plugins", "advisory_file"}
"""Modules below the verbs that are neither nouns nor steps of the pipeline."""

PRODUCTS = re.compile(
    r"sglang|vllm|dynamo|kimi|deepseek|srtctl|dstack|trtllm|mooncake|nixl|lmsys", re.I
)


def module_of(path: Path) -> str:
    parts = path.relative_to(SRC).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def imports(path: Path) -> set[str]:
    """The servelint modules that a file imports, at any depth of its code."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return {
        name.removeprefix("servelint").lstrip(".")
        for name in found
        if name.split(".")[0] == "servelint"
    }


MODULES = {module_of(path): path for path in sorted(SRC.rglob("*.py"))}


def allowed(module: str, target: str) -> bool:  # noqa: PLR0911  # one law a line
    head, top = target.split(".", maxsplit=1)[0], module.split(".", maxsplit=1)[0]
    if head in NOUNS or not target:
        return True
    if top in NOUNS:
        return False
    if top == "syntax":
        return head == "syntax"
    if top == "readers":
        same = target.split(".")[:2] == module.split(".")[:2]
        return head == "syntax" or target == "readers" or same
    if top == "reporters":
        return head == "reporters"
    if head in ("cli", "pipeline"):
        return top == "cli"
    return not (top in TOOLS and head not in TOOLS)


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_one_way(module: str) -> None:
    wrong = {target for target in imports(MODULES[module]) if not allowed(module, target)}
    assert module == "api" or not wrong


@pytest.mark.parametrize("module", MODULES)
def test_the_core_names_no_product(module: str) -> None:
    named = PRODUCTS.findall(MODULES[module].read_text(encoding="utf-8"))
    assert not named


def test_only_the_command_line_prints_and_exits() -> None:
    for module, path in MODULES.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Name) and node.id in ("print", "SystemExit", "exit"):
                assert module == "cli", f"{module} uses {node.id}"


def test_plugins_import_the_api_only() -> None:
    for path in PLUGINS.rglob("*.py"):
        assert imports(path) <= {"api"}, path


def test_the_core_imports_one_name_of_the_plugins() -> None:
    names = {path.stem for path in PLUGINS.iterdir()}
    for path in MODULES.values():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            found = {alias.name for alias in node.names} if isinstance(node, ast.Import) else set()
            assert found & names <= {"servelint_builtins"}


@pytest.mark.parametrize("path", [*SRC.rglob("*.py"), *PLUGINS.rglob("*.py")], ids=str)
def test_modules_and_functions_stay_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 300
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            doc = first.end_lineno - first.lineno + 1 if ast.get_docstring(node) else 0
            assert node.end_lineno - node.lineno - doc < 40, f"{node.name} is long"
