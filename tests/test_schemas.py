"""The JSON schemas are current, and say of files and reports what servelint says of them."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import jsonschema
import pytest
from trees import fill, servelint

from servelint.baseline import accepted, read, without, written
from servelint.config import BASELINE, KEYS, Config, ConfigError, read_config
from servelint.config_schema import schema
from servelint.finding import (
    CONFIDENCES,
    COUNTS,
    SEVERITIES,
    SKIP_REASONS,
    STAGES,
    STATUSES,
)
from servelint.pipeline import records, run
from servelint.policy_file import policy
from servelint.pools import ROLES
from servelint.reporters import Options
from servelint.reporters.json import SCHEMA, deployments, report
from servelint.statement_file import said

ROOT = Path(__file__).parent.parent
SCHEMAS = ROOT / "docs" / "schemas"
TREES = [*sorted(ROOT.glob("tests/cases/*/*/tree")), *sorted(ROOT.glob("examples/*"))]
CONFIGURATIONS = [
    path
    for part in ("examples", "tests")
    for path in sorted(ROOT.glob(f"{part}/**/servelint.toml"))
]
TODAY = "2026-11-30"
DIGEST = "sha256:" + "1" * 64

CONFIG = json.loads((SCHEMAS / "config.schema.json").read_text(encoding="utf-8"))
REPORT = json.loads((SCHEMAS / "report.schema.json").read_text(encoding="utf-8"))


def closed(schema):
    """A schema that refuses what it does not describe."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    whole = {key: closed(value) for key, value in schema.items()}
    if schema.get("type") == "object" and "properties" in schema:
        whole.setdefault("additionalProperties", False)
    return whole


OF_CONFIG = jsonschema.Draft7Validator(CONFIG)
OF_REPORT = jsonschema.Draft7Validator(closed(REPORT))


@pytest.mark.parametrize("one", [CONFIG, REPORT, closed(REPORT)])
def test_they_are_schemas(one):
    jsonschema.Draft7Validator.check_schema(one)


# -- configuration ------------------------------------------------------------


def test_the_schema_of_configurations_is_current():
    """Else: `servelint config schema > docs/schemas/config.schema.json`."""
    text = (SCHEMAS / "config.schema.json").read_text(encoding="utf-8")
    assert text == json.dumps(schema(), indent=2) + "\n"
    assert servelint("config", "schema", cwd=ROOT).out == text
    assert set(CONFIG["properties"]) == {*KEYS, "sglang", "vllm"}


def plain(value):
    """Data of TOML as that of JSON."""
    return json.loads(json.dumps(value, default=lambda one: one.isoformat()))


def is_taken(root, text):
    """Whether a run with a configuration starts."""
    fill(root, {"servelint.toml": text})
    try:
        config = read_config(Config(str(root), today=TODAY))
        policy(config, records(config))
        said(config)
    except ConfigError:
        return False
    return True


GOOD = [
    "",
    'fail-on = "never"\nunknown-version = "ignore"\nselect = []\nignore = ["SGL-2026-0002"]',
    'profiles = ["exposure"]\n[severity]\nSGL-2026-0002 = "low"',
    '[[ignore]]\nid = "SGL-2026-0001"\nreason = "x"\nuntil = 2027-01-31\npaths = ["a/**"]',
    '[[ignore]]\nid = ["SGL-2026-0001", "unknown-version"]\nreason = "x"\nuntil = "2027-01-31"',
    f'[[allow]]\ndigest = "{DIGEST}"\nreason = "x"',
    '[[override]]\npaths = ["a"]\nseverity = { SGL-2026-0001 = "note" }',
    '[[override]]\npaths = ["a"]\nunknown-version = "warn"\nignore = ["SGL-2026-0001"]',
    '[[version]]\npaths = ["a"]\npackage = "sglang"\nversion = "0.5.22"\nevidence = "x"',
    (
        '[[version]]\npaths = ["a"]\npackage = "sglang"\nversion = "1"\nevidence = "x"\n'
        'by = "Ann"\ndate = 2026-01-01\nwaives = ["SGL-2026-0001"]\nreason = "x"'
    ),
    '[sglang]\nminimum-version = "0.5.22"\ntenancy = "single"',
]


@pytest.mark.parametrize("text", GOOD)
def test_what_a_run_takes_is_valid(tmp_path, text):
    assert is_taken(tmp_path, text)
    OF_CONFIG.validate(plain(tomllib.loads(text)))


@pytest.mark.parametrize(
    "text",
    [
        'fail-on = "urgent"',
        "fail-on = 3",
        'fail_on = "low"',
        "unknown-version = true",
        'select = "SGL-2026-0001"',
        "ignore = ['a', 1]",
        "ignore = { a = 'b' }",
        "ignore = ['SGL-2026-0001', { id = 'SGL-2026-0002', reason = 'x' }]",
        "severity = ['a']",
        'severity.SGL-2026-0001 = "never"',
        '[[ignore]]\nid = "SGL-2026-0001"',
        '[[ignore]]\nreason = "x"',
        '[[ignore]]\nid = []\nreason = "x"',
        '[[ignore]]\nid = "SGL-2026-0001"\nreason = " "',
        '[[ignore]]\nid = "SGL-2026-0001"\nreason = "x"\npaths = "a"',
        '[[ignore]]\nid = "SGL-2026-0001"\nreason = "x"\npaths = []',
        '[[ignore]]\nid = "SGL-2026-0001"\nreason = "x"\nuntil = "soon"',
        '[[ignore]]\nid = "SGL-2026-0001"\nreason = "x"\nwhy = "y"',
        '[[allow]]\ndigest = "sha256:1"\nreason = "x"',
        f'[[allow]]\ndigest = "{DIGEST}"',
        '[[override]]\npaths = ["a"]',
        '[[override]]\nignore = ["SGL-2026-0001"]',
        '[[override]]\npaths = ["a"]\nseverity = { SGL-2026-0001 = "never" }',
        '[[version]]\npaths = ["a"]\npackage = "sglang"\nevidence = "x"',
        (
            '[[version]]\npaths = ["a"]\npackage = "sglang"\nversion = "1"\nevidence = "x"\n'
            'waives = ["SGL-2026-0001"]'
        ),
        "sglang = 3",
        "advisories = 'policy'",
        "plugins = [1]",
        "profiles = 'exposure'",
    ],
)
def test_what_a_run_refuses_is_not_valid(tmp_path, text):
    assert not is_taken(tmp_path, text)
    assert not OF_CONFIG.is_valid(plain(tomllib.loads(text)))


@pytest.mark.parametrize("path", CONFIGURATIONS, ids=str)
def test_every_configuration_of_the_project_is_valid(path):
    OF_CONFIG.validate(plain(tomllib.loads(path.read_text(encoding="utf-8"))))


# -- report -------------------------------------------------------------------


@pytest.mark.parametrize("tree", TREES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_report_is_valid(tree):
    config = Config(str(tree), today=TODAY)
    made = run(config if tree.name == "third-party-plugin" else read_config(config))
    OF_REPORT.validate(json.loads(report(made, Options())))
    OF_REPORT.validate(json.loads(deployments(made)))
    known = read(BASELINE, written(accepted(made.findings)))
    quiet = without(made, known, whole=True)
    told = json.loads(report(quiet, Options()))
    OF_REPORT.validate(told)
    assert told["findings"] == []
    assert len(told["suppressed"]) == len(made.findings) + len(made.suppressed)
    assert quiet.notes == made.notes


def test_the_lists_of_the_schema_are_those_of_reports():
    parts = REPORT["definitions"]
    finding = parts["finding"]["properties"]
    assert REPORT["properties"]["schema"] == {"const": SCHEMA}
    assert finding["severity"]["enum"] == list(SEVERITIES)
    assert finding["status"]["enum"] == list(STATUSES[:2])
    assert finding["confidence"]["enum"] == list(CONFIDENCES)
    assert parts["decided"]["properties"]["status"]["enum"] == list(STATUSES)
    assert parts["component"]["properties"]["role"]["enum"] == list(ROLES)
    assert parts["skip"]["properties"]["stage"]["enum"] == list(STAGES)
    assert set(parts["skip"]["properties"]["reason"]["enum"]) == SKIP_REASONS
    assert set(parts["summary"]["properties"]) == {*COUNTS, "seconds"}
    assert set(finding) < set(parts["suppressed"]["properties"])


@pytest.mark.parametrize(
    "change",
    [
        lambda told: told.pop("findings"),
        lambda told: told.update(schema="servelint/2"),
        lambda told: told.update(more=1),
        lambda told: told["findings"][0].update(severity="never"),
        lambda told: told["findings"][0].update(fingerprint=None),
        lambda told: told["findings"][0]["primary"].pop("label"),
        lambda told: told["findings"][0]["primary"]["start"].update(line=0),
        lambda told: told["findings"][0]["components"][0].update(version={}),
        lambda told: told["deployments"][0]["components"][0].pop("status"),
        lambda told: told["summary"].update(files=-1),
    ],
)
def test_what_is_no_report_is_not_valid(change):
    made = run(Config(str(ROOT / "examples" / "kubernetes-pd")))
    told = json.loads(report(made, Options()))
    assert OF_REPORT.is_valid(told)
    change(told)
    assert not OF_REPORT.is_valid(told)
