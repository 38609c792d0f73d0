"""Documents for other programs, by what those programs validate them with."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import jsonschema
import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from junitparser import JUnitXml

from servelint.cli import main

ROOT = Path(__file__).parent.parent
TREES = (
    *("examples/kubernetes-pd", "examples/helm-chart", "examples/model-named-tag"),
    *("examples/single-node", "tests/cases/suite"),
)

MULTITOOL = "SARIF_MULTITOOL"
"""The variable that names Microsoft's validator of SARIF, if it is not on the path."""

KNOWN = {"SARIF2005"}
"""The tool has no address yet that could be named: found in every file that was looked at."""

URI = {"type": "string", "pattern": "^[a-z]+:"}
STATEMENT = {
    "type": "object",
    "required": ["vulnerability", "products", "status"],
    "properties": {
        "vulnerability": {"type": "object", "required": ["name"]},
        "products": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["@id"],
                "properties": {
                    "@id": {"type": "string", "pattern": "^pkg:"},
                    "subcomponents": {"items": {"required": ["@id"]}},
                },
            },
        },
        "status": {"enum": ["not_affected", "affected", "fixed", "under_investigation"]},
        "justification": {
            "enum": [
                "component_not_present",
                "vulnerable_code_not_present",
                "vulnerable_code_not_in_execute_path",
                "vulnerable_code_cannot_be_controlled_by_adversary",
                "inline_mitigations_already_exist",
            ]
        },
    },
    "allOf": [
        {
            "if": {"properties": {"status": {"const": "affected"}}},
            "then": {"required": ["action_statement"]},
        },
        {
            "if": {"properties": {"status": {"const": "not_affected"}}},
            "then": {"anyOf": [{"required": [k]} for k in ("justification", "impact_statement")]},
            "else": {"not": {"required": ["justification"]}},
        },
    ],
}
OPENVEX = {
    "type": "object",
    "required": ["@context", "@id", "author", "timestamp", "version", "statements"],
    "properties": {
        "@context": {"const": "https://openvex.dev/ns/v0.2.0"},
        "@id": URI,
        "author": {"type": "string", "minLength": 1},
        "timestamp": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"},
        "version": {"type": "integer", "minimum": 1},
        "statements": {"type": "array", "minItems": 1, "items": STATEMENT},
    },
}
"""What version 0.2.0 of OpenVEX asks for; nobody ships a schema of it."""


def multitool() -> str:
    """The validator; what needs it is skipped without it."""
    found = os.environ.get(MULTITOOL) or shutil.which("Sarif.Multitool")
    if not found:
        pytest.skip(f"SARIF NOT VALIDATED: {MULTITOOL} does not name Sarif.Multitool")
    return found


def check(tree: str, where: Path, name: str, *args: str) -> Path:
    file = where / f"report.{name}"  # the validator leaves out other names than *.sarif
    code = main(["check", "--root", str(ROOT / tree), "--format", f"{name}={file}", *args])
    assert code in (0, 1)
    return file


def export(tree: str, where: Path, kind: str) -> str:
    file = where / kind
    assert main(["export", kind, "--root", str(ROOT / tree), "--output", str(file)]) == 0
    return file.read_text(encoding="utf-8")


def validated(file: Path) -> set[str]:
    """The rules of SARIF and of code scanning that a file breaks."""
    out = file.with_suffix(".validated")
    words = ("validate", os.fspath(file), "--rule-kind", "Sarif;Gh", "--output", os.fspath(out))
    subprocess.run(
        (multitool(), *words),
        env={**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"},
        capture_output=True,
        check=False,
        timeout=300,
    )
    (run,) = json.loads(out.read_text(encoding="utf-8-sig"))["runs"]
    return {one["ruleId"] for one in run["results"]}


@pytest.mark.parametrize("tree", TREES)
def test_sarif_is_valid_for_its_schema_and_for_code_scanning(tree: str, tmp_path: Path) -> None:
    assert validated(check(tree, tmp_path, "sarif", "--all", "--strict")) == KNOWN


def test_the_validator_of_sarif_finds_faults(tmp_path: Path) -> None:
    file = check(TREES[0], tmp_path, "sarif")
    log = json.loads(file.read_text(encoding="utf-8"))
    del log["runs"][0]["results"][0]["message"]
    file.write_text(json.dumps(log), encoding="utf-8")
    assert validated(file) == {"JSON1002"}


@pytest.mark.parametrize("tree", TREES)
def test_junit_is_read_by_others(tree: str, tmp_path: Path) -> None:
    file = check(tree, tmp_path, "junit")
    read = JUnitXml.fromfile(os.fspath(file))
    cases = [case for suite in read for case in suite]
    assert cases
    assert read.tests == len(cases)
    assert read.failures == sum(case.is_failure for case in cases)


@pytest.mark.parametrize("tree", TREES)
def test_openvex_has_what_the_format_asks_for(tree: str, tmp_path: Path) -> None:
    jsonschema.validate(json.loads(export(tree, tmp_path, "openvex")), OPENVEX)


@pytest.mark.parametrize("tree", TREES)
def test_cyclonedx_is_valid_for_its_schema(tree: str, tmp_path: Path) -> None:
    text = export(tree, tmp_path, "cyclonedx")
    assert json.loads(text)["vulnerabilities"]
    fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    assert fault is None, fault
