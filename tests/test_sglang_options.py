"""The option tables of the SGLang plugin, and the tool that makes them."""

import importlib.util
import json
import re
from pathlib import Path

import pytest
from packaging.version import Version

from servelint_sglang.engine import load_engine
from servelint_sglang.tables import data_path, option_table

ROOT = Path(__file__).parent.parent
ENGINE = load_engine()
NAMES = {name: option for option in ENGINE.options for name in option.names}
ROUTER = {name: option for option in ENGINE.router_options for name in option.names}


def prefixed(text):
    """The canonical options that argparse would take ``text`` for, over all releases."""
    if text in NAMES:
        return {NAMES[text].names[0]}
    return {option.names[0] for name, option in NAMES.items() if name.startswith(text)}


def tool():
    spec = importlib.util.spec_from_file_location("make_options", ROOT / "tools/make_options.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_option_of_every_release_is_there():
    negative = [option for option in ENGINE.options if option.names[0].startswith("--no-")]
    assert len(ENGINE.options) - len(negative) == 622
    assert len(negative) == 13
    assert len(ENGINE.releases) == 101
    assert (ENGINE.releases[0], ENGINE.releases[-1]) == ("0.4.0", "0.5.23")


def test_releases_ascend():
    versions = [Version(release) for release in ENGINE.releases]
    assert versions == sorted(set(versions))
    assert [str(version) for version in versions] == list(ENGINE.releases)


def test_no_spelling_belongs_to_two_options():
    assert len(NAMES) == sum(len(option.names) for option in ENGINE.options)
    assert len(ROUTER) == sum(len(option.names) for option in ENGINE.router_options)


def test_an_option_is_well_formed():
    options = [*ENGINE.options, *ENGINE.router_options]
    assert not [one for one in options if one.values not in {"0", "1", "?", "+"}]
    names = [name for option in options for name in option.names]
    assert not [name for name in names if not re.fullmatch(r"--[a-z0-9-]+", name)]


def test_an_option_lives_in_known_releases():
    order = {release: number for number, release in enumerate(ENGINE.releases)}
    for option in ENGINE.options:
        assert order[option.first] <= order[option.last or ENGINE.releases[-1]], option


def test_the_life_of_an_option_is_that_of_all_its_spellings():
    option = NAMES["--speculative-dflash-draft-window-size"]
    assert option.names[0] == "--speculative-draft-window-size"
    assert (option.first, option.last) == ("0.5.11", "")
    rows = {next(iter(row["names"])): row["names"] for row in option_table()["options"]}
    assert rows[option.names[0]]["--speculative-dflash-draft-window-size"] == ["0.5.11", "0.5.19"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("--mem-frac", "--mem-fraction-static"),
        ("--context-len", "--context-length"),
        ("--tp", "--tp-size"),
        ("--dp", "--dp-size"),
        ("--ep", "--ep-size"),
        ("--model", "--model-path"),
        ("--disaggregation-m", "--disaggregation-mode"),
        ("--disaggregation-t", "--disaggregation-transfer-backend"),
        ("--disaggregation-enable", "--disaggregation-enable-kv-checksum"),
        ("--max-total", "--max-total-tokens"),
        ("--prefill-only-d", "--prefill-only-disable-kv-cache"),
        ("--data-parallel-size", "--dp-size"),
    ],
)
def test_a_prefix_that_means_one_option(written, meant):
    assert prefixed(written) == {meant}


@pytest.mark.parametrize("written", ["--disagg", "--pp", "--context", "--page", "--no"])
def test_a_prefix_that_means_several(written):
    assert len(prefixed(written)) > 1


def test_underscores_and_made_up_flags_are_no_options():
    assert prefixed("--disaggregation_mode") == set()
    assert prefixed("--decode-only") == set()


@pytest.mark.parametrize(
    ("name", "values", "first", "last"),
    [
        ("--disaggregation-mode", "1", "0.4.4.post2", ""),
        ("--disaggregation-transfer-backend", "1", "0.4.5.post1", ""),
        ("--disaggregation-enable-kv-checksum", "0", "0.5.21", ""),
        ("--disaggregation-decode-tp", "1", "0.4.7.post1", "0.5.9"),
        ("--enable-pd-role-switch", "0", "0.5.21", ""),
        ("--cuda-graph-bs", "+", "0.4.1.post5", "0.5.19"),
        ("--lora-paths", "+", "0.4.0", ""),
        ("--model-checksum", "?", "0.5.8", ""),
        ("--hybrid-kvcache-ratio", "?", "0.4.9", "0.5.13.post1"),
    ],
)
def test_options_that_verdicts_rest_on(name, values, first, last):
    option = NAMES[name]
    assert (option.values, option.first, option.last) == (values, first, last)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("--prefill", "+"),
        ("--decode", "+"),
        ("--prefill-selector", "+"),
        ("--decode-selector", "+"),
        ("--worker-urls", "+"),
        ("--pd-disaggregation", "0"),
        ("--mini-lb", "0"),
        ("--policy", "1"),
        ("--prefill-policy", "1"),
        ("--port", "1"),
    ],
)
def test_options_of_the_routers(name, values):
    assert ROUTER[name].values == values


# -- the tool -----------------------------------------------------------------

FLAGS = {
    "removed_options": [
        {"option": "--wide", "replaced_by": "--size 2"},
        {"option": "--gone", "replaced_by": None},
        {"option": "--old", "replaced_by": "--fast on"},
    ],
    "meta": {"releases": ["1.0", "1.1", "2.0"]},
    "flags": [
        {
            "canonical": "--size",
            "options": {
                "--len": {"first_release": "1.0", "last_release": "1.1"},
                "--size": {"first_release": "1.1", "last_release": None},
            },
            "negatives": [],
            "takes_value": True,
            "nargs": None,
        },
        {
            "canonical": "--many",
            "options": {"--many": {"first_release": "1.0", "last_release": None}},
            "negatives": [],
            "takes_value": True,
            "nargs": "*",
        },
        {
            "canonical": "--fast",
            "options": {"--fast": {"first_release": "2.0", "last_release": None}},
            "negatives": ["--no-fast"],
            "takes_value": False,
            "nargs": None,
        },
        {
            "canonical": "--ratio",
            "options": {"--ratio": {"first_release": "1.0", "last_release": None}},
            "negatives": [],
            "takes_value": False,
            "takes_value_history": [
                {"from": "1.0", "takes_value": True},
                {"from": "2.0", "takes_value": False},
            ],
            "nargs": None,
        },
    ],
}

TABLE = """\
{"releases": ["1.0", "1.1", "2.0"],
"options": [
{"names": {"--fast": ["2.0", ""]}, "values": "0"},
{"names": {"--many": ["1.0", ""]}, "values": "+"},
{"names": {"--no-fast": ["2.0", ""]}, "values": "0"},
{"names": {"--ratio": ["1.0", ""]}, "values": "?"},
{"names": {"--size": ["1.1", ""], "--len": ["1.0", "1.1"]}, "values": "1"}
],
"replaced": {
"--old": "--fast on",
"--wide": "--size 2"
}}
"""


def test_the_tool_writes_one_line_for_each_option(tmp_path):
    flags, table = tmp_path / "flags.json", tmp_path / "options.json"
    flags.write_text(json.dumps(FLAGS), encoding="utf-8")
    assert tool().main([str(flags), str(table)]) == 0
    assert table.read_text(encoding="utf-8") == TABLE


def test_the_order_of_the_input_does_not_matter(tmp_path):
    turned = {**FLAGS, "flags": FLAGS["flags"][::-1]}
    flags, table = tmp_path / "flags.json", tmp_path / "options.json"
    flags.write_text(json.dumps(turned), encoding="utf-8")
    tool().main([str(flags), str(table)])
    assert table.read_text(encoding="utf-8") == TABLE


def test_a_wrong_command_line_is_told(capsys):
    assert tool().main([]) == 2
    assert "Usage: make_options.py FLAGS OPTIONS" in capsys.readouterr().err


def test_the_shipped_table_is_as_the_tool_writes_it():
    text = Path(data_path("options.json")).read_text(encoding="utf-8")
    table = json.loads(text)
    assert tool().render(table["releases"], table["options"], table["replaced"]) == text
