"""What the SGLang plugin gives: engine, advisories, and what is known of it before import."""

import ast
from pathlib import Path

import pytest
from packaging.version import Version

import servelint_builtins
from servelint.api import Plugin
from servelint_sglang import plugin
from servelint_sglang.images import resolve_image

PLUGIN = plugin()
(ENGINE,) = PLUGIN.engines
FIRST, SECOND = PLUGIN.advisories[:2]
BOTH_ROLES = ("prefill", "decode", "both")
BACKEND = "--disaggregation-transfer-backend"


def option_names(*tables):
    return {name for table in tables for option in table for name in option.names}


def test_the_plugin_gives_one_engine_and_its_advisories():
    assert isinstance(PLUGIN, Plugin)
    assert (PLUGIN.name, ENGINE.id, ENGINE.packages) == ("sglang", "sglang", ("sglang",))
    ids = [record.id for record in PLUGIN.advisories]
    assert ids[:2] == ["SGL-2026-0001", "SGL-2026-0002"]
    assert ids == sorted(ids)
    assert ENGINE.resolve_image is resolve_image


@pytest.mark.parametrize(
    ("words", "kind", "prefix"),
    [
        (("-m", "sglang.launch_server"), "server", ""),
        (("sglang", "serve"), "server", ""),
        (("-m", "dynamo.sglang"), "server", ""),
        (("sglang/launch_server.py",), "server", ""),
        (("-m", "sglang_router.launch_server"), "server", "--router-"),
        (("sglang-router", "server"), "server", "--router-"),
        (("-m", "sglang_router.launch_router"), "router", ""),
        (("-m", "sglang_router"), "router", ""),
        (("sglang-router", "launch"), "router", ""),
        (("smg", "launch"), "router", ""),
        (("amg", "launch"), "router", ""),
        (("-m", "sglang.srt.disaggregation.mini_lb"), "router", ""),
        (("-m", "sglang.srt.disaggregation.launch_lb"), "router", ""),
    ],
)
def test_programs(words, kind, prefix):
    found = [program for program in ENGINE.programs if program.words == words]
    assert [(program.kind, program.prefix) for program in found] == [(kind, prefix)]


def test_no_program_hides_a_longer_one_behind_it():
    programs = [program.words for program in ENGINE.programs]
    for number, words in enumerate(programs):
        for later in programs[number + 1 :]:
            assert later[: len(words)] != words


def test_roles_and_defaults():
    assert ENGINE.role_flag == "--disaggregation-mode"
    halves = {word: role for word, role in ENGINE.roles.items() if role != "none"}
    assert halves == {"prefill": "prefill", "decode": "decode"}
    assert {"null", "encode", "agg"} <= set(ENGINE.roles)
    assert ENGINE.role_switches == ("--enable-pd-role-switch",)
    assert ENGINE.roles[ENGINE.defaults[ENGINE.role_flag]] == "none"
    assert ENGINE.defaults[BACKEND] == "mooncake"
    assert ENGINE.defaults["--disaggregation-bootstrap-port"] == "8998"


def test_what_is_told_of_options_is_told_of_real_options():
    server = option_names(ENGINE.options)
    assert {ENGINE.role_flag, *ENGINE.role_switches, *ENGINE.defaults} <= server
    passed = {f"--router-{name[2:]}" for name in option_names(ENGINE.router_options)}
    known = server | option_names(ENGINE.router_options) | passed
    assert set(ENGINE.evidence_flags) <= known


def test_every_option_of_a_pair_is_evidence():
    pair = {name for name in option_names(ENGINE.options) if name.startswith("--disaggregation-")}
    assert len(pair) == 16
    assert pair <= set(ENGINE.evidence_flags)
    assert {"--pd-disaggregation", "--prefill", "--decode"} <= set(ENGINE.evidence_flags)
    assert {"--router-pd-disaggregation", "--router-prefill"} <= set(ENGINE.evidence_flags)
    ordinary = {"--model-path", "--max-prefill-tokens", "--chunked-prefill-size", "--policy"}
    assert not ordinary & set(ENGINE.evidence_flags)


def test_the_variables_of_a_pair_are_evidence():
    assert "SGLANG_DISAGGREGATION_BOOTSTRAP_TIMEOUT".startswith(ENGINE.evidence_env)
    assert not "SGLANG_USE_MODELSCOPE".startswith(ENGINE.evidence_env)


def test_the_hint_names_the_image_once():
    assert ENGINE.version_hint.split().count("IMAGE") == 1


# -- advisories ---------------------------------------------------------------


def backends(row):
    return next((c for c in row.when if c.subject == BACKEND), None)


def affects(advisory, version, backend):
    """Whether a half of a pair with a version and a backend is affected."""
    for row in advisory.affected:
        condition = backends(row)
        if (backend in condition.values) == condition.negated:
            continue
        above = not row.introduced or Version(row.introduced) <= Version(version)
        if above and Version(version) < Version(row.fixed):
            return True
    return False


@pytest.mark.parametrize(
    ("version", "backend", "first", "second"),
    [
        ("0.4.5.post1", "mooncake", True, True),
        ("0.5.5.post3", "nixl", True, True),
        ("0.5.19", "mooncake", True, True),
        ("0.5.19", "ascend", True, True),
        ("0.5.19", "mori", True, True),
        ("0.5.20rc1", "mooncake", True, True),
        ("0.5.20", "mooncake", False, True),
        ("0.5.20", "mori", False, True),
        ("0.5.21", "mooncake", False, False),
        ("0.5.21", "mooncake_tcp", False, False),
        ("0.5.21", "nixl", False, False),
        ("0.5.21", "mori", False, True),
        ("0.5.22", "mori", False, False),
        ("0.5.23", "mooncake", False, False),
        ("0.5.10", "fake", False, False),
    ],
)
def test_which_versions_are_affected(version, backend, first, second):
    assert affects(FIRST, version, backend) is first
    assert affects(SECOND, version, backend) is second


def test_only_halves_of_a_pair_are_affected():
    for row in (*FIRST.affected, *SECOND.affected):
        roles = [condition for condition in row.when if condition.subject == "role"]
        assert [(role.values, role.negated) for role in roles] == [(BOTH_ROLES, False)]


def test_the_days_of_the_fixes_on_main():
    assert [(row.merged, row.pull) for row in FIRST.affected] == [("2026-09-06", 36988)]
    days = [(row.merged, row.pull) for row in SECOND.affected]
    assert days == [("2026-09-24T14:35:11Z", 41023), ("", 37077)]


@pytest.mark.parametrize("record", PLUGIN.advisories, ids=lambda record: record.id)
def test_an_advisory_can_be_acted_on(record):
    assert record.package == "sglang"
    assert record.recommended or record.remedy
    for row in record.affected:
        pull = f"https://github.com/sgl-project/sglang/pull/{row.pull}"
        assert not row.pull or pull in record.references
    assert len(record.body) > 300
    if record.severity in ("critical", "high") and record.recommended:
        assert "\n## What to do\n" in record.body


def test_the_leaks_weigh_as_much_as_they_do():
    severities = {record.id: record.severity for record in PLUGIN.advisories}
    assert (severities["SGL-2026-0001"], severities["SGL-2026-0002"]) == ("critical", "high")
    assert {FIRST.recommended, SECOND.recommended} == {"0.5.22"}


# -- before import ------------------------------------------------------------


def test_what_is_known_before_import_is_literals_only():
    tree = ast.parse(Path(servelint_builtins.__file__).read_text(encoding="utf-8"))
    values = {}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            values[node.targets[0].id] = ast.literal_eval(node.value)
        else:
            assert isinstance(node, ast.Expr)
            assert isinstance(node.value, ast.Constant)
    assert values["PLUGINS"][0] == ("sglang", "servelint_sglang")
    assert values["DATA_DATE"] == "2026-11-30"
    assert values["NEEDLES"] == servelint_builtins.NEEDLES


@pytest.mark.parametrize(
    "line",
    [
        b"image: docker.io/lmsysorg/sglang:v0.5.9",
        b"image: rocm/sgl-dev:v0.5.10-rocm720-mi30x-20260427",
        b"SGLang==0.5.9",
        b"SGLANG_VERSION=0.5.9",
        b"python -m sglang.launch_server --port 1",
        b'args: ["--disaggregation-mode", "prefill"]',
        b"engine = Engine(disaggregation_mode=mode)",
        b"smg launch --pd-disaggregation --prefill http://p:1",
    ],
)
def test_a_line_that_makes_a_file_relevant(line):
    assert any(needle in line for needle in servelint_builtins.NEEDLES)


def test_needles_do_not_repeat_each_other():
    needles = servelint_builtins.NEEDLES
    assert not [(a, b) for a in needles for b in needles if a != b and a in b]
