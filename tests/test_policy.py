"""What a configuration asks of reports: how it is read, what is refused, what comes of it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import ENGINE, advisory
from trees import POD, fill, servelint

from servelint.config import Config, ConfigError, read_config
from servelint.finding import SEVERITIES
from servelint.pipeline import run
from servelint.plugins import Plugin, Registry, load
from servelint.policy import Policy
from servelint.policy_file import policy
from servelint.profiles import judged
from servelint.rule import Rule

IDS = {"A-1", "A-2", "unknown-version"}
TODAY = "2026-11-30"
DIGEST = "sha256:" + "1" * 64


def asked(root, text, name="servelint.toml", today=TODAY):
    fill(root, {name: text})
    return policy(read_config(Config(str(root), today=today)), IDS)


def refused(root, text, name="servelint.toml"):
    with pytest.raises(ConfigError) as error:
        asked(root, text, name)
    return str(error.value).replace(f"{root}/", "")


# -- what is read -------------------------------------------------------------

ROWS = f"""\
[[PREFIXignore]]
id = "A-1"
paths = ["old/**"]
reason = "goes away"
until = 2026-12-24
[[PREFIXignore]]
reason = "  both are patched "
id = ["A-1", "A-2"]
[[PREFIXallow]]
digest = "{DIGEST}"
reason = "our build"
until = "2027-01-01"
[[PREFIXoverride]]
paths = ["lab"]
severity = {{ A-1 = "low", unknown-version = "note" }}
unknown-version = "warn"
ignore = ["A-2"]
"""


@pytest.mark.parametrize(
    ("name", "prefix"), [("servelint.toml", ""), ("pyproject.toml", "tool.servelint.")]
)
def test_entries_say_what_they_say_and_where(tmp_path, name, prefix):
    text = ROWS.replace("PREFIX", prefix)
    found = asked(tmp_path, text, name)
    first, both, image = found.suppressions
    assert (first.ids, first.reason, first.until) == (("A-1",), "goes away", "2026-12-24")
    assert first.is_about(["new/a", "old/a/b"])
    assert not first.is_about(["new/a"])
    assert (both.ids, both.reason, both.until) == (("A-1", "A-2"), "both are patched", "")
    assert both.is_about(["anything"])
    assert (image.digest, image.ids, image.until) == (DIGEST, (), "2027-01-01")
    (lab,) = found.overrides
    assert lab.severity == {"A-1": "low", "unknown-version": "note"}
    assert (lab.unknown_version, lab.ignore) == ("warn", ("A-2",))
    spans = [one.span for one in (*found.suppressions, lab)]
    assert {span.path for span in spans} == {name}
    assert [text[span.start : span.end] for span in spans] == ["A-1", "A-1", DIGEST, "lab"]
    assert [one.text for one in found.suppressions] == [
        "[[ignore]] A-1",
        "[[ignore]] A-1, A-2",
        f"[[allow]] {DIGEST}",
    ]
    assert found.texts == {name: text}


def test_tables_in_a_list_are_the_same(tmp_path):
    (one,) = asked(tmp_path, 'ignore = [{ id = "A-1", reason = "x" }]').suppressions
    assert (one.ids, one.reason) == (("A-1",), "x")


def test_a_list_of_texts_is_what_is_not_told_at_all(tmp_path):
    found = asked(tmp_path, 'ignore = ["A-1"]\nunknown-version = "warn"\nseverity.A-2 = "low"')
    assert found.suppressions == ()
    assert found.measure.ignore == {"A-1"}
    assert found.measure.unknown_version == "warn"
    assert found.measure.severity == {"A-2": "low"}


def test_without_entries_no_file_is_read():
    assert policy(Config("/nowhere"), IDS) == Policy()


def test_an_entry_counts_up_to_its_last_day(tmp_path):
    row = '[[ignore]]\nid = "A-1"\nreason = "x"\nuntil = 2026-11-30\n'
    assert len(asked(tmp_path, row).suppressions) == 1
    late = asked(tmp_path, row, today="2026-12-01")
    assert (late.suppressions, len(late.expired)) == ((), 1)
    assert asked(tmp_path, row, today="").expired == ()


# -- what is refused ----------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        ("[[ignore]]\nid='A-1'", "servelint.toml:2: reason is missing"),
        ("[[ignore]]\nid='A-1'\nreason=' '", "servelint.toml:2: reason: expected a text"),
        ("\n[[ignore]]\nreason='x'", "servelint.toml:3: id is missing"),
        ("[[ignore]]\nid=1\nreason='x'", "servelint.toml:2: id: expected a list of ids"),
        ("[[ignore]]\nid=[]\nreason='x'", "servelint.toml:2: id: expected a list of ids"),
        ("[[ignore]]\nid='*'\nreason='x'", "servelint.toml:2: id: expected a list of ids"),
        (
            "[[ignore]]\nid='A-9'\nreason='x'",
            "servelint.toml:2: id: unknown id 'A-9'; known are A-",
        ),
        ("[[ignore]]\nid=['A-1','a-1']\nreason='x'", "2: id: unknown id 'a-1'; known are A-1, A-2"),
        (
            "[[ignore]]\nid='A-1'\nreason='x'\npath='y'",
            "2: unknown key 'path'; known are id, paths",
        ),
        ("[[ignore]]\nid='A-1'\nreason='x'\nuntil='soon'", "until: expected a day such as 2027"),
        ("[[ignore]]\nid='A-1'\nreason='x'\npaths='y'", "paths: expected a list of patterns"),
        ("[[ignore]]\nid='A-1'\nreason='x'\npaths=[]", "paths: expected a list of patterns"),
        ("[[allow]]\nreason='x'", "servelint.toml:2: digest is missing"),
        (f"[[allow]]\ndigest='{DIGEST}'", "servelint.toml:2: reason is missing"),
        ("[[allow]]\ndigest='v1'\nreason='x'", "digest: 'v1'; expected sha256: and 64 hex digits"),
        ("[[override]]\nignore=['A-1']", "servelint.toml:2: paths is missing"),
        ("[[override]]\npaths=['a']", "servelint.toml:2: changes nothing; known are paths, sev"),
        ("[[override]]\npaths=['a']\nignore=['A-9']", "servelint.toml:2: unknown id 'A-9'"),
        ("[[override]]\npaths=['a']\nseverity={A-9='low'}", "servelint.toml:2: unknown id 'A-9'"),
        (
            "[[override]]\npaths=['a']\nseverity={A-1='off'}",
            "severity: expected ids with one of cr",
        ),
        ("[[override]]\npaths=['a']\nseverity={A-1=[]}", "severity: expected ids with one of cr"),
        (
            "[[override]]\npaths=['a']\nseverity='low'",
            "severity: expected ids with one of critical",
        ),
        ("[[override]]\npaths=['a']\nunknown-version='off'", "'off'; expected one of fail, warn"),
        ("[[override]]\npaths=['a']\nfail-on='low'", "unknown key 'fail-on'; known are paths"),
        ("ignore = ['A-1', { id = 'A-2' }]", "servelint.toml: ignore: expected tables, [[ignore]]"),
        ("ignore = ['A-9']", "ignore: unknown id 'A-9'; known are A-1, A-2, unknown-version"),
        ("allow = 'x'", "servelint.toml: allow: expected tables, [[allow]]"),
        ("override = {}", "servelint.toml: override: expected tables, [[override]]"),
        ("severity = 'low'", "servelint.toml: severity: expected a table, such as severity.ID"),
        (
            "severity.A-1 = 'off'",
            "servelint.toml: severity: 'A-1': 'off'; expected one of critical",
        ),
        ("severity.A-1 = ['low']", "servelint.toml: severity: 'A-1': ['low']; expected one of"),
        ("severity.A-9 = 'low'", "servelint.toml: severity: unknown id 'A-9'; known are A-1"),
        ("profiles = 'x'", "servelint.toml: profiles: expected a list of texts"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path, rows, wanted):
    assert wanted in refused(tmp_path, rows)


def test_both_forms_of_ignore_at_once_are_no_toml(tmp_path):
    text = 'ignore = ["A-1"]\n[[ignore]]\nid = "A-2"\nreason = "x"\n'
    assert "not TOML" in refused(tmp_path, text)


@given(
    st.dictionaries(
        st.sampled_from(["id", "paths", "reason", "until", "digest", "severity", "ignore"]),
        st.sampled_from(
            ["'A-1'", "['A-1']", "1", "['**']", "2026-01-01", "{A-1='low'}", "true", "' '", "[]"]
        ),
        max_size=4,
    ),
    st.sampled_from(["ignore", "allow", "override"]),
)
def test_any_entry_is_read_or_refused(tmp_path_factory, row, array):
    text = f"[[{array}]]\n" + "".join(f"{key} = {value}\n" for key, value in row.items())
    try:
        found = asked(tmp_path_factory.mktemp("root"), text)
    except ConfigError:
        return
    for one in (*found.suppressions, *found.expired):
        assert one.reason
        assert bool(one.ids) != bool(one.digest)


# -- profiles -----------------------------------------------------------------


def registry():
    rule = Rule("r-1", "a rule", "low", "do it", "", lambda _: (), profile="lab")
    records = (advisory(id="A-1"), replace(advisory(id="A-2"), profile="exposure"))
    return Registry(
        (Plugin("made-up", (ENGINE,), records, (rule, replace(rule, id="r-2", profile=""))),)
    )


@pytest.mark.parametrize(
    ("profiles", "wanted"),
    [
        ((), ["A-1", "r-2"]),
        (("exposure",), ["A-1", "A-2", "r-2"]),
        (("lab",), ["A-1", "r-1", "r-2"]),
        (("lab", "exposure", "lab"), ["A-1", "A-2", "r-1", "r-2"]),
    ],
)
def test_what_has_a_profile_is_judged_where_that_is_asked_for(profiles, wanted):
    advisories, rules = judged(registry(), Config("/root", profiles=profiles))
    assert [one.id for one in (*advisories, *rules)] == wanted


@pytest.mark.parametrize("name", ["exposures", "", "A-2"])
def test_an_unknown_profile_is_refused(name):
    with pytest.raises(ConfigError) as error:
        judged(registry(), Config("/root", profiles=("lab", name)))
    assert str(error.value) == f"profiles: unknown profile {name!r}; known are exposure, lab"
    with pytest.raises(ConfigError, match="unknown profile 'lab'; there are none"):
        judged(Registry(()), Config("/root", profiles=("lab",)))


def test_what_is_selected_and_never_judged_is_refused():
    for name, profile in (("A-2", "exposure"), ("r-1", "lab")):
        with pytest.raises(ConfigError) as error:
            judged(registry(), Config("/root", select=("A-1", name)))
        wanted = f'select: {name}: it is judged only with profiles = ["{profile}"]'
        assert str(error.value) == wanted
        judged(registry(), Config("/root", select=(name,), profiles=(profile,)))


# -- whole runs ---------------------------------------------------------------

ADMISSION = "SGL-2026-0001"
HEAD, IMAGE, COMMAND = POD.partition("    image:")[0], *POD.splitlines()[2:]


def reported(root, *names, **files):
    fill(root, {name.replace("_", "."): text for name, text in files.items()})
    return run(read_config(Config(str(root), names, today=TODAY)))


def causes(report):
    return {cause for one in report.findings for cause in one.causes}


PLAIN = {ADMISSION, "SGL-2026-0002"}


def test_a_comment_in_a_file_hides_one_cause(tmp_path):
    before = reported(tmp_path, pod_yaml=POD)
    assert causes(before) >= PLAIN
    comment = f"    # servelint: ignore[{ADMISSION}] patched\n"
    after = reported(tmp_path, pod_yaml=HEAD + comment + f"{IMAGE}\n{COMMAND}\n")
    assert causes(after) == causes(before) - {ADMISSION}
    (one,) = after.suppressed
    assert (one.finding.causes, one.by.reason) == ((ADMISSION,), "patched")
    assert after.counts["suppressed"] == 1
    assert after.counts["affected"] == before.counts["affected"] == 1
    assert [each.status for each in after.standings] == ["affected"]
    assert [one.fingerprint for one in after.findings if PLAIN & {*one.causes}] == [
        one.fingerprint for one in before.findings if PLAIN & {*one.causes}
    ]


def test_a_comment_counts_at_any_file_of_the_proof(tmp_path):
    script = "python3 -m sglang.launch_server --disaggregation-mode decode  # MARK\n"
    lock = "sglang==0.5.9  # MARK\n"
    mark = f"servelint: ignore[{', '.join(sorted(PLAIN))}] see the runbook"
    for marked in ("run_sh", "requirements_txt"):
        files = {"run_sh": script, "requirements_txt": lock}
        files = {
            name: text.replace("MARK", mark if name == marked else "x")
            for name, text in files.items()
        }
        report = reported(tmp_path, **files)
        assert not causes(report) & PLAIN
        assert {cause for each in report.suppressed for cause in each.finding.causes} == PLAIN


def test_an_entry_of_the_configuration_hides_below_its_paths(tmp_path):
    conf = f'[[ignore]]\nid = "{ADMISSION}"\npaths = ["old"]\nreason = "goes away"\n'
    fill(tmp_path, {"old/pod.yaml": POD, "new/pod.yaml": POD})
    report = reported(tmp_path, servelint_toml=conf)
    told = {one.primary.span.path for one in report.findings if ADMISSION in one.causes}
    assert told == {"new/pod.yaml"}
    assert [each.finding.primary.span.path for each in report.suppressed] == ["old/pod.yaml"]


def test_names_filter_what_is_suppressed_too(tmp_path):
    text = POD.replace("v0.5.9", f"v0.5.9  # servelint: ignore[{ADMISSION}] x")
    fill(tmp_path, {"a.yaml": text, "b.yaml": text, "c.yaml": "x: 1"})
    assert reported(tmp_path).counts["suppressed"] == 2
    report = reported(tmp_path, "a.yaml")
    assert [each.finding.primary.span.path for each in report.suppressed] == ["a.yaml"]
    assert report.counts["suppressed"] == 1
    assert reported(tmp_path, "c.yaml").suppressed == ()


def test_what_is_idle_is_told_in_whole_runs_only(tmp_path):
    text = "# servelint: ignore[unknown-version] x\n" + POD
    assert "unused-suppression" in causes(reported(tmp_path, pod_yaml=text))
    assert "unused-suppression" not in causes(reported(tmp_path, "pod.yaml"))


def test_an_allowed_digest_leaves_the_status_of_the_server(tmp_path):
    text = POD.replace("v0.5.9", f"v0.5.9@{DIGEST}")
    conf = f'[[tool.servelint.allow]]\ndigest = "{DIGEST}"\nreason = "our own build"\n'
    before = reported(tmp_path, pod_yaml=text)
    after = reported(tmp_path, pod_yaml=text, pyproject_toml=conf)
    assert causes(before) >= PLAIN
    assert after.findings == ()
    assert [each.status for each in after.standings] == [one.status for one in before.standings]
    assert after.counts["suppressed"] == len(before.findings)


@pytest.mark.parametrize("severity", SEVERITIES)
def test_an_id_weighs_what_is_configured(tmp_path, severity):
    conf = f'select = ["{ADMISSION}"]\n[severity]\n{ADMISSION} = "{severity}"\n'
    (one,) = reported(tmp_path, pod_yaml=POD, servelint_toml=conf).findings
    assert (one.id, one.severity) == (ADMISSION, severity)


def test_a_profile_is_judged_on_demand(tmp_path):
    exposed = {one.id for one in load().advisories if one.profile == "exposure"}
    assert exposed
    plain = reported(tmp_path, pod_yaml=POD)
    assert not causes(plain) & exposed
    asked = reported(tmp_path, pod_yaml=POD, servelint_toml='profiles = ["exposure"]')
    assert causes(plain) < causes(asked)
    assert causes(asked) - causes(plain) <= exposed


def test_a_suppression_for_a_profile_that_is_off_is_not_idle(tmp_path):
    name = next(one.id for one in load().advisories if one.profile == "exposure")
    text = f"# servelint: ignore[{name}] behind a firewall\n{POD}"
    assert "unused-suppression" not in causes(reported(tmp_path, pod_yaml=text))


@pytest.mark.parametrize(
    "conf",
    [
        '[[ignore]]\nid = "SGL-2026-9999"\nreason = "x"\n',
        'severity.SGL-2026-9999 = "low"',
        'profiles = ["no-such-profile"]',
        'ignore = ["SGL-2026-9999"]',
    ],
)
def test_a_typo_ends_the_run(tmp_path, conf):
    with pytest.raises(
        ConfigError, match=r"unknown (id|profile) '(SGL-2026-9999|no-such-profile)'"
    ):
        reported(tmp_path, pod_yaml=POD, servelint_toml=conf)


# -- what is printed ----------------------------------------------------------


def test_what_is_suppressed_is_counted_and_listed_on_demand(tmp_path):
    mark = f"  # servelint: ignore[{ADMISSION}] \u202ered\n"
    fill(tmp_path, {"pod.yaml": HEAD + IMAGE + mark + COMMAND + "\n"})
    done = servelint("--select", ADMISSION, cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert "1 suppressed" in done.out
    assert "red" not in done.out
    done = servelint("--select", ADMISSION, "--all", cwd=tmp_path)
    line = done.out.splitlines()[0]
    start = f"pod.yaml:3:12: suppressed (critical {ADMISSION} affected): "
    assert line == start + "\\u202ered (pod.yaml:3:36)"


def test_the_json_report_says_what_is_suppressed_why_and_where(tmp_path):
    mark = f"  # servelint: ignore[{ADMISSION}] patched\n"
    fill(tmp_path, {"pod.yaml": HEAD + IMAGE + mark + COMMAND + "\n"})
    done = servelint("--select", ADMISSION, "--format", "json", cwd=tmp_path)
    document = json.loads(done.out)
    assert document["findings"] == []
    (one,) = document["suppressed"]
    assert (one["id"], one["status"], one["reason"]) == (ADMISSION, "affected", "patched")
    assert one["suppression"]["path"] == "pod.yaml"
    assert one["suppression"]["start"]["line"] == 3
    assert one["suppression"]["text"] == mark.strip()
    assert one["fingerprint"]
    assert document["summary"]["suppressed"] == 1
