"""Plugins of others and records of a site: what takes part, and what is said of what cannot."""

from __future__ import annotations

import importlib.metadata
import sys
from dataclasses import replace
from types import ModuleType, SimpleNamespace

import pytest
from made_up import ENGINE
from trees import fill

from servelint import plugins, read
from servelint.advisory import Advisory, Affected, Condition
from servelint.cli import main
from servelint.config import Config, ConfigError, read_config
from servelint.finding import Report
from servelint.pipeline import facts, run
from servelint.plugins import (
    Plugin,
    PluginError,
    SettingError,
    TextReader,
    chosen,
    load,
    needles,
    registry_of,
    spoken,
)
from servelint.rule import Hit, Rule

RECORD = """\
+++
id = "{id}"
package = "{package}"
severity = "high"
published = "2026-11-02"
recommended = "0.5.22"
{keys}
[[affected]]
fixed = "0.5.22"
[affected.when]
{when}
+++

# A title

Text.
"""
POD = """\
containers:
  - name: server
    image: lmsysorg/sglang:v0.5.22
    command: [python3, -m, sglang.launch_server, --disaggregation-mode, prefill]
"""


def advisory(name="OWN-1", package="made-up", when=()):
    row = Affected("", "1.0", tuple(when))
    return Advisory(name, package, "t", "high", "2026-01-01", "1.0", (row,), (), (), "")


def rule(name="own-rule", check=lambda _: ()):
    return Rule(name, "t", "low", "r", "b", check)


OWN = replace(ENGINE, id="own", packages=("made-up",))


@pytest.fixture(name="installed")
def install(monkeypatch):
    """Makes plugins of others: name -> what is made of no settings or some, or a module."""
    points = []

    def add(name, make, giver="", value=""):
        module = f"own_{name}_{len(points)}"
        holder = ModuleType(module)
        holder.plugin = make
        monkeypatch.setitem(sys.modules, module, holder)
        giver = giver or f"servelint-{name}"
        dist = SimpleNamespace(name=giver, version="1.0")
        points.append(SimpleNamespace(name=name, value=value or module, dist=dist))

    def entry_points(*, group):
        assert group == "servelint.plugins"
        return tuple(points)

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    kept = (read._readers_of, plugins._chosen, plugins._unsearched)
    for one in kept:
        one.cache_clear()
    yield add
    for one in kept:
        one.cache_clear()


def registry(*names, tables=(), root="/", advisories=()):
    return registry_of(
        Config(root, plugins=names, tables=dict(tables), advisories=tuple(advisories))
    )


def complaint(*names, tables=(), root="/", advisories=()):
    with pytest.raises(ConfigError) as caught:
        registry(*names, tables=tables, root=root, advisories=advisories)
    return str(caught.value)


# -- which take part ----------------------------------------------------------


def test_only_the_named_ones_take_part_and_in_their_order(installed):
    for name in ("one", "two", "three"):
        installed(name, lambda name=name: Plugin(name, needles=(name,)))
    own = [plugin.name for plugin in registry("three", "one").plugins]
    assert own == ["sglang", "vllm", "three", "one"]


def test_a_name_that_stands_twice_is_one_plugin(installed):
    installed("own", lambda: Plugin("own", rules=(rule(),)))
    assert [plugin.name for plugin in registry("own", "own").plugins][2:] == ["own"]


def test_a_built_in_one_may_be_named_and_nobody_takes_its_place(installed):
    installed("sglang", lambda: Plugin("sglang"), giver="somebody-else")
    assert [plugin.rules != () for plugin in registry("sglang").plugins] == [True, False]


def test_its_needles_count_where_it_is_chosen_only(installed):
    installed("own", lambda: Plugin("own", needles=("own-word",)))
    assert b"own-word" not in needles()
    with chosen(("own",)):
        assert needles()[-1] == b"own-word"
        assert b"sglang" in needles()


def test_programs_of_python_are_searched_for_what_its_engines_are_called(installed):
    installed("own", lambda: Plugin("own", engines=(OWN,), needles=("own-word",)))
    assert spoken() == ()
    with chosen(("own",)):
        words = spoken()
    assert {"own-word", "made-up==", "made-up[", " ".join(OWN.programs[0].words)} <= set(words)


def test_without_a_name_nobody_looks_for_plugins(monkeypatch):
    monkeypatch.setattr(importlib.metadata, "entry_points", None)
    assert [plugin.name for plugin in registry().plugins] == ["sglang", "vllm"]
    assert spoken() == ()


# -- which cannot -------------------------------------------------------------


def test_one_that_is_not_installed(installed):
    assert complaint("own") == "plugins: 'own' is not installed; installed are none"
    installed("other", lambda: Plugin("other"))
    assert complaint("own") == "plugins: 'own' is not installed; installed are other"


def test_one_name_of_two_distributions(installed):
    for giver in ("right", "left"):
        installed("own", lambda: Plugin("own"), giver=giver)
    assert complaint("own") == "plugins: 'own' is given by left 1.0, right 1.0; keep one of them"


def test_one_that_ends_the_program_does_not_end_it_well(installed):
    installed("own", sys.exit)
    assert complaint("own") == "plugin own (of servelint-own 1.0) cannot be loaded: SystemExit: "


def test_an_interrupt_is_none_of_its_faults(installed):
    def interrupted():
        raise KeyboardInterrupt

    installed("own", interrupted)
    with pytest.raises(KeyboardInterrupt):
        registry("own")


@pytest.mark.parametrize("value", ["", "no.such.module", "..up", "a b", ":plugin"])
def test_an_entry_point_that_leads_nowhere(installed, value):
    installed("own", None, value=value or " ")
    assert complaint("own").startswith("plugin own (of servelint-own 1.0) cannot be loaded: ")


@pytest.mark.parametrize("more", [":plugin", ":plugin [extra]", " [extra]"])
def test_an_entry_point_may_name_the_function_and_extras(installed, more):
    installed("own", lambda: Plugin("own"), value=f"own_own_0{more}")
    assert registry("own").plugins[-1].name == "own"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"engines": (1,)}, "engines: expected a tuple of Engine"),
        ({"engines": [OWN]}, "engines: expected a tuple of Engine"),
        ({"advisories": ("a",)}, "advisories: expected a tuple of Advisory"),
        ({"rules": rule()}, "rules: expected a tuple of Rule"),
        ({"readers": ("yaml",)}, "readers: expected a tuple of TextReader"),
        ({"needles": (b"word",)}, "needles: expected a tuple of str"),
        ({"needles": "word"}, "needles: expected a tuple of str"),
        ({"needles": ("",)}, "needles: an empty text is in every file"),
    ],
)
def test_one_that_gives_something_else(installed, given, said):
    installed("own", lambda: Plugin("own", **given))
    assert complaint("own") == f"plugin own (of servelint-own 1.0): {said}"


# -- settings -----------------------------------------------------------------


def test_its_table_is_given_to_it(installed):
    seen = []

    def make(table=None):
        seen.append(table)
        return Plugin("own")

    installed("own", make)
    registry("own", tables={"own": {"a": 1}})
    assert seen == [{"a": 1}]


def test_its_complaint_about_a_setting_names_the_table(installed):
    def make(table=()):
        raise SettingError("a: expected a number" if table else "never")

    installed("own", make)
    assert complaint("own", tables={"own": {"a": 1}}) == "table own: a: expected a number"


@pytest.mark.parametrize("name", ["own"])
def test_a_table_for_a_plugin_without_settings(installed, name):
    installed("own", lambda: Plugin("own"))
    said = f"table {name}: this plugin has no settings"
    assert complaint("own", tables={name: {}}) == said


def test_a_table_of_a_plugin_that_is_not_named_is_an_unknown_key(tmp_path):
    fill(tmp_path, {"servelint.toml": "[own]\na = 1\n"})
    with pytest.raises(ConfigError, match="unknown key 'own'"):
        read_config(Config(str(tmp_path)))
    fill(tmp_path, {"servelint.toml": 'plugins = ["own"]\n[own]\na = 1\n'})
    assert read_config(Config(str(tmp_path))).tables == {"own": {"a": 1}}


# -- records ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"advisories": (advisory("SGL-2026-0001"),)}, "SGL-2026-0001: two records have this id"),
        ({"rules": (rule("unknown-option"),)}, "unknown-option: two records have this id"),
        ({"advisories": (advisory(), advisory())}, "OWN-1: two records have this id"),
        (
            {"rules": (rule("OWN-1"),), "advisories": (advisory(),)},
            "OWN-1: two records have this id",
        ),
        ({"engines": (replace(OWN, id="sglang"),)}, "sglang: two engines have this id"),
        (
            {"advisories": (advisory(package="unmade"),)},
            "OWN-1: package: no engine has 'unmade'",
        ),
        (
            {"advisories": (advisory(when=[Condition("--no-such", ("x",))]),)},
            "OWN-1: no release of made-up has --no-such",
        ),
        (
            {"advisories": (advisory(when=[Condition("--no-such.key", ("x",), whom="any")]),)},
            "OWN-1: no release of made-up has --no-such.key",
        ),
    ],
)
def test_records_that_cannot_be_right(installed, given, said):
    whole = {"engines": (OWN,), **given}
    installed("own", lambda: Plugin("own", **whole))
    assert complaint("own") == said


def test_conditions_on_a_role_a_variable_and_an_option_are_right(installed):
    subjects = ("role", "SOME_NAME", OWN.role_flag, OWN.options[0].names[0])
    record = advisory(when=[Condition(name, ("x",)) for name in subjects])
    installed("own", lambda: Plugin("own", engines=(OWN,), advisories=(record,)))
    assert registry("own").advisories[-1] == record


# -- what fails in a run ------------------------------------------------------


def fails(*_):
    raise LookupError("no such row")


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"rules": (rule(check=fails),)}, "own-rule"),
        ({"engines": (replace(OWN, resolve_image=fails),)}, "resolve_image"),
    ],
)
def test_a_function_that_fails_ends_the_run_and_is_told_as_its_fault(
    installed, tmp_path, capsys, given, name
):
    installed("own", lambda: Plugin("own", **given))
    other = "---\ncontainers:\n  - {name: other, image: x/y:1, command: [start]}\n"
    fill(tmp_path, {"pod.yaml": POD + other, "servelint.toml": 'plugins = ["own"]\n'})
    assert main(["check", "--root", str(tmp_path)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == (
        f"servelint: plugin own (of servelint-own 1.0): {name} failed: LookupError: no such row\n"
    )


def test_a_rule_that_fails_after_its_first_hit_is_told_too(installed, tmp_path):
    def check(deployment):
        yield Hit(deployment.components[0], "one", ())
        raise LookupError("no such row")

    installed("own", lambda: Plugin("own", rules=(rule(check=check),)))
    fill(tmp_path, {"pod.yaml": POD})
    with pytest.raises(PluginError, match="own-rule failed: LookupError: no such row"):
        run(Config(str(tmp_path), plugins=("own",)))


def test_a_reader_that_cannot_be_imported_costs_what_it_would_read(installed, tmp_path):
    reader = TextReader("yaml", ("containers",), "no_such_module")
    installed("own", lambda: Plugin("own", readers=(reader,)))
    fill(tmp_path, {"pod.yaml": POD})
    report = run(Config(str(tmp_path), plugins=("own",)))
    (skip,) = report.skips
    assert (skip.path, skip.reason) == ("pod.yaml", "plugin-error")
    assert "No module named 'no_such_module'" in skip.detail


def test_one_that_cannot_be_used_ends_every_run_also_where_nothing_is_relevant(installed, tmp_path):
    installed("own", fails)
    for command in (run, facts):
        with pytest.raises(PluginError, match="LookupError: no such row"):
            command(Config(str(tmp_path), plugins=("own",)))
    assert isinstance(run(Config(str(tmp_path))), Report)


# -- records of the site ------------------------------------------------------


def record(**changes):
    texts = {"id": "SITE-1", "package": "sglang", "keys": "", "when": 'role = ["prefill"]'}
    return RECORD.format(**texts | changes)


def test_records_of_the_site_are_judged_without_any_plugin(tmp_path):
    text = 'advisories = ["./policy"]\n'
    fill(tmp_path, {"pod.yaml": POD, "servelint.toml": text, "policy/SITE-1.md": record()})
    config = read_config(Config(str(tmp_path)))
    assert [one.id for one in registry_of(config).advisories][-1] == "SITE-1"
    old = POD.replace("0.5.22", "0.5.21")
    fill(tmp_path, {"pod.yaml": old})
    causes = [cause for finding in run(config).findings for cause in finding.causes]
    assert "SITE-1" in causes


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "cannot be read: No such file or directory"),
        ({"policy/notes.txt": ""}, "holds no advisory (ID.md)"),
        (
            {"policy/README.md": "# Policy\n"},
            "README.md: expected '+++', TOML, '+++', a '# Title' line and text",
        ),
        (
            {"policy/SITE-2.md": record()},
            "SITE-2.md: id is 'SITE-1', expected the name of the file",
        ),
        (
            {"policy/SITE-1.md": record(keys="fixes = 1")},
            "SITE-1.md: fixes: unknown key, expected affected, aliases, ",
        ),
        (
            {"policy/SITE-1.md": record(when='"--page-size" = { above = 1 }')},
            "SITE-1.md: affected[0].when.--page-size.above: unknown key, expected ",
        ),
    ],
)
def test_what_is_wrong_in_a_folder_of_the_site_names_it_the_file_and_the_key(tmp_path, files, said):
    fill(tmp_path, files)
    told = complaint(root=str(tmp_path), advisories=["./policy"])
    assert told.startswith(f"advisories: ./policy: {said}")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"package": "unmade"}, "SITE-1: package: no engine has 'unmade'"),
        ({"when": '"--pagesize" = { set = true }'}, "SITE-1: no release of sglang has --pagesize"),
    ],
)
def test_a_record_of_the_site_that_fits_no_engine(tmp_path, changes, said):
    fill(tmp_path, {"policy/SITE-1.md": record(**changes)})
    assert complaint(root=str(tmp_path), advisories=["policy"]) == said


def test_a_record_of_the_site_under_a_name_that_is_taken(tmp_path):
    taken = record(id="SGL-2026-0001")
    fill(tmp_path, {"policy/SGL-2026-0001.md": taken})
    said = "SGL-2026-0001: two records have this id"
    assert complaint(root=str(tmp_path), advisories=["policy"]) == said
    assert load().advisories


def test_images_are_written_down_with_the_engines_of_the_chosen_plugins(
    installed, tmp_path, capsys
):
    installed("own", lambda _=None: Plugin("own", engines=(OWN,)))
    fill(tmp_path, {"servelint.toml": 'plugins = ["own"]\n[own]\n'})
    words = ["images", "add", "x/y:1", "--version", "1.0", "--package", "made-up"]
    assert main([*words, "--root", str(tmp_path)]) == 0, capsys.readouterr().err
    assert 'package = "made-up"' in (tmp_path / "servelint-images.toml").read_text()
