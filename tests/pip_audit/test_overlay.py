"""What is served for a version, what is not, and what is said of it."""

from __future__ import annotations

import json

import pytest
from audited import PAIR, SINGLE
from hypothesis import given
from hypothesis import strategies as st
from packaging.version import Version
from trees import fill, git

from servelint.advisory import Advisory, Affected
from servelint.cli.audits import _overlay
from servelint.config import Config, read_config
from servelint.overlay import _floor, held
from servelint.pipeline import images
from servelint.versions import parse

BOTH = {"x_SGL-2026-0001", "x_SGL-2026-0002"}


@pytest.fixture
def overlay(tmp_path):
    def make(files, assume="auto"):
        fill(tmp_path, files)
        git(tmp_path, "init", "--quiet")
        return _overlay(read_config(Config(str(tmp_path), today="2026-11-30")), assume)

    return make


def ids(records):
    return {one["id"] for one in records}


def fixes(one):
    events = one["affected"][0]["ranges"][0]["events"]
    return [event["fixed"] for event in events if "fixed" in event]


def test_a_pair_is_found_and_its_places_stand_in_the_summary(overlay):
    found = overlay({"serve.sh": PAIR}).answer("sglang", "0.5.19")
    assert ids(found) >= BOTH
    assert all("(it applies here: serve.sh:3, serve.sh:4)" in one["summary"] for one in found)
    assert all(one["database_specific"]["evidence"][0] == "serve.sh:3" for one in found)


def test_a_single_server_is_told_and_not_served(overlay):
    made = overlay({"serve.sh": SINGLE})
    assert made.answer("sglang", "0.5.19") == ()
    (note,) = made.notes
    assert "SGL-2026-0001, SGL-2026-0002" in note
    assert note.endswith("not served: not disaggregated (serve.sh:2)")


def test_only_what_the_version_is_in_is_served_or_told(overlay):
    made = overlay({"serve.sh": PAIR})
    assert made.answer("sglang", "0.5.22") == ()
    assert "SGL-2026-0001" not in "".join(made.notes)
    assert made.answer("requests", "2.0") == ()


def test_an_audit_that_fixes_is_sent_to_the_floor_and_not_to_the_first_fix(overlay):
    found = overlay({"serve.sh": PAIR}).answer("sglang", "0.5.19")
    assert [fixes(one) for one in found] == [["0.5.22"]] * len(found)


def test_the_floor_of_the_site_counts(overlay):
    site = '[sglang]\nminimum-version = "0.5.23"\n'
    found = overlay({"serve.sh": PAIR, "servelint.toml": site}).answer("sglang", "0.5.19")
    assert {"0.5.23"} == {fix for one in found for fix in fixes(one)}


def test_a_backend_that_is_fixed_later_is_served_later(overlay):
    backend = "--disaggregation-transfer-backend mori --disaggregation-mode"
    made = overlay({"serve.sh": PAIR.replace("--disaggregation-mode", backend)})
    assert "x_SGL-2026-0002" in ids(made.answer("sglang", "0.5.21"))


def test_where_nothing_starts_a_server_it_cannot_be_excluded(overlay):
    made = overlay({"requirements.txt": "sglang==0.5.19\n"})
    found = made.answer("sglang", "0.5.19")
    assert ids(found) >= BOTH
    assert all("(may apply: nothing in this repository shows" in one["summary"] for one in found)
    assert "served, as it cannot be excluded" in "".join(made.notes)


def test_what_takes_an_option_is_not_served_where_nothing_shows_one(overlay):
    found = overlay({"requirements.txt": "sglang==0.5.12\n"}).answer("sglang", "0.5.12")
    assert "x_SGL-2026-0004" not in ids(found)  # asks for an option that is off by default


def test_arguments_that_are_not_read_do_not_exclude(overlay):
    made = overlay({"serve.sh": 'python3 -m sglang.launch_server "$@"\n'})
    found = made.answer("sglang", "0.5.19")
    assert ids(found) >= BOTH
    assert (
        "may apply: whether it is disaggregated cannot be told (serve.sh:1)"
        in (found[0]["summary"])
    )


def test_a_file_that_cannot_be_read_does_not_exclude(overlay):
    broken = "a: [sglang, --disaggregation-mode\n"
    made = overlay({"serve.sh": SINGLE, "deploy/pod.yaml": broken})
    assert ids(made.answer("sglang", "0.5.19")) >= BOTH
    assert "deploy/pod.yaml could not be read" in "".join(made.notes)


def test_a_guide_that_cannot_be_read_is_no_doubt(overlay):
    broken = "a: [sglang, --disaggregation-mode\n"
    assert overlay({"serve.sh": SINGLE, "docs/p.yaml": broken}).answer("sglang", "0.5.19") == ()


@pytest.mark.parametrize("path", ["README.md", "tests/serve.sh", "examples/serve.sh"])
def test_what_guides_and_tests_start_does_not_exclude(overlay, path):
    text = f"```bash\n{SINGLE}```\n" if path.endswith(".md") else SINGLE
    found = overlay({path: text}).answer("sglang", "0.5.19")
    assert ids(found) >= BOTH
    assert "nothing but guides, examples and tests shows how" in found[0]["summary"]


def test_what_a_guide_shows_is_found(overlay):
    found = overlay({"docs/serve.sh": PAIR}).answer("sglang", "0.5.19")
    assert "(it applies here: docs/serve.sh:3" in found[0]["summary"]


def test_a_chart_that_can_switch_it_on_does_not_exclude(overlay):
    template = (
        "{{- if .Values.pd.enabled }}\n"
        "kind: Pod\nspec:\n  containers:\n    - image: lmsysorg/sglang:v0.5.22\n"
        "      command: [python3, -m, sglang.launch_server, --disaggregation-mode, prefill]\n"
        "{{- end }}\n"
    )
    files = {
        "chart/Chart.yaml": "apiVersion: v2\nname: c\nversion: 1.0.0\n",
        "chart/values.yaml": "pd: {enabled: false}\n",
        "chart/templates/pod.yaml": template,
    }
    made = overlay({**files, "serve.sh": SINGLE})
    found = made.answer("sglang", "0.5.19")
    assert ids(found) >= BOTH
    assert "may apply: it is off by default and can be switched on" in found[0]["summary"]


def test_what_weighs_less_under_the_settings_of_the_site_is_told(overlay):
    site = '[sglang]\ntenancy = "single"\n'
    made = overlay({"serve.sh": PAIR, "servelint.toml": site})
    found = ids(made.answer("sglang", "0.5.19"))
    assert "x_SGL-2026-0001" in found
    assert "x_SGL-2026-0003" not in found
    assert "SGL-2026-0003 not served: here it weighs low" in "".join(made.notes)


def test_names_of_files_cannot_speak_to_a_terminal(overlay):
    made = overlay({"a\x1b[2J\nb.sh": PAIR})
    found = made.answer("sglang", "0.5.19")
    assert ids(found) >= BOTH
    texts = [one["summary"] for one in found] + found[0]["database_specific"]["evidence"]
    assert all(text.isprintable() for text in texts)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    root = tmp_path_factory.mktemp("whole")
    fill(root, {"serve.sh": PAIR})
    return _overlay(Config(str(root)), "auto")


@given(st.text(max_size=40))
def test_what_is_no_version_is_not_excluded(whole, text):
    """And nothing that a lockfile may hold brings an audit down."""
    found = ids(whole.answer("sglang", text))
    version = parse(text)
    assert ("x_SGL-2026-0001" in found) == (
        version is None or version.is_devrelease or version < Version("0.5.20")
    )


def test_development_versions_are_not_excluded(overlay):
    found = overlay({"serve.sh": PAIR}).answer("sglang", "0.5.20.dev7")
    assert "x_SGL-2026-0001" in ids(found)


def test_local_parts_and_spellings_of_names_do_not_hide(overlay):
    made = overlay({"serve.sh": PAIR})
    assert ids(made.answer("SGLang", "0.5.19+cu126")) >= BOTH


def test_single_can_be_assumed_and_a_contradiction_is_told(overlay):
    made = overlay({"serve.sh": PAIR}, "single")
    assert made.answer("sglang", "0.5.19") == ()
    assert "taken for a single server, although serve.sh:3 starts one half" in "".join(made.notes)


def test_disaggregated_can_be_assumed(overlay):
    found = overlay({"serve.sh": SINGLE}, "disaggregated").answer("sglang", "0.5.19")
    assert ids(found) >= BOTH
    assert all("(taken for disaggregated)" in one["summary"] for one in found)


def test_what_the_configuration_leaves_out_is_told(overlay):
    made = overlay({"serve.sh": PAIR, "servelint.toml": 'ignore = ["SGL-2026-0001"]\n'})
    assert "x_SGL-2026-0001" not in ids(made.answer("sglang", "0.5.19"))
    assert "SGL-2026-0001 not served: the configuration leaves it out" in "".join(made.notes)


def test_what_weighs_little_is_told_and_fails_no_audit(overlay):
    made = overlay({"serve.sh": PAIR})
    assert "x_SGL-2026-0005" not in ids(made.answer("sglang", "0.5.21"))
    assert "SGL-2026-0005 not served: here it weighs low" in "".join(made.notes)


def test_a_site_may_want_to_fail_for_it(overlay):
    made = overlay({"serve.sh": PAIR, "servelint.toml": 'fail-on = "low"\n'})
    assert "x_SGL-2026-0005" in ids(made.answer("sglang", "0.5.21"))


def test_a_pin_that_people_speak_for_is_not_served(overlay):
    pin = "sglang==0.5.19  # servelint: ignore[SGL-2026-0001] patched in our index\n"
    made = overlay({"serve.sh": PAIR, "requirements.txt": pin})
    found = ids(made.answer("sglang", "0.5.19"))
    assert "x_SGL-2026-0001" not in found
    assert "x_SGL-2026-0002" in found
    assert "SGL-2026-0001 not served: suppressed there" in "".join(made.notes)


def test_a_word_for_an_image_speaks_for_no_package(overlay):
    pod = (
        "containers:\n  - image: lmsysorg/sglang:v0.5.19"
        "  # servelint: ignore[SGL-2026-0001] patched\n"
        "    command: [python3, -m, sglang.launch_server, --disaggregation-mode, decode]\n"
    )
    made = overlay({"pod.yaml": pod})
    assert "x_SGL-2026-0001" in ids(made.answer("sglang", "0.5.19"))


def test_a_record_is_found_by_its_id_once_it_was_given(overlay):
    made = overlay({"serve.sh": PAIR})
    assert made.record("x_SGL-2026-0001") is None
    (one,) = (each for each in made.answer("sglang", "0.5.19") if each["id"].endswith("0001"))
    assert made.record("x_SGL-2026-0001") == one
    assert json.loads(json.dumps(one)) == one


def test_versions_in_images_are_told_and_those_that_are_not_known(tmp_path):
    rows = ("v0.5.19", "v0.5.19-cu126", "v0.5.22", "latest")
    files = {
        f"{at}.yaml": f"containers:\n  - image: lmsysorg/sglang:{tag}\n"
        for at, tag in enumerate(rows)
    }
    fill(tmp_path, files)
    git(tmp_path, "init", "--quiet")
    found = held(images(Config(str(tmp_path), today="2026-11-30")))
    assert set(found) == {("sglang", "0.5.19"), ("sglang", "0.5.22"), ("sglang", "")}
    assert found["sglang", "0.5.19"] == (
        "lmsysorg/sglang:v0.5.19",
        "lmsysorg/sglang:v0.5.19-cu126",
    )


@pytest.mark.parametrize(
    ("recommended", "ends", "floor"),
    [
        ("", ("0.5.9", "0.5.21", "0.5.20"), "0.5.21"),
        ("0.5.8", ("0.5.9", "0.5.10"), "0.5.10"),
        ("0.5.22", ("0.5.9", "0.5.30"), "0.5.22"),
        ("", ("0.5.7", ""), ""),
    ],
)
def test_the_version_to_go_to_is_compared_as_a_version(recommended, ends, floor):
    advisory = Advisory("A", "engine", "T", "high", "2026-01-02", recommended, (), (), (), "")
    rows = tuple(Affected("", end, ()) for end in ends)
    assert _floor(advisory, rows, "0.5.8") == floor
