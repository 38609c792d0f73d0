"""What is known and not told again, and that nothing which got worse is kept quiet."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trees import POD, fill, git, servelint

from servelint import pipeline
from servelint.baseline import (
    MAX_NAMED,
    REASON,
    Known,
    accepted,
    read,
    tightened,
    without,
    written,
)
from servelint.config import BASELINE, Config, ConfigError
from servelint.finding import SEVERITIES, STATUSES, Finding, Report
from servelint.source import Route, Span
from servelint.verdict import Place

pytestmark = pytest.mark.usefixtures("git_as_it_comes")

NAME = "0123456789abcdef" * 2
OTHER = "f" * 32


def known(**changes):
    one = Known("A-1", "a.yaml", "It is old.", "high", "affected", ("A-1",), (), NAME)
    return replace(one, **changes)


def finding(**changes):
    place = Place(Span("a.yaml", 3, 8), Route("a.yaml"), "v1.0", "image")
    one = Finding(
        id="A-1",
        causes=("A-1",),
        title="",
        status="affected",
        severity="high",
        confidence="high",
        context="deployment",
        message="It is old.",
        remedy="",
        primary=place,
        related=(),
        components=(),
        fingerprint=NAME,
    )
    return replace(one, **changes)


def parsed(*entries):
    return read(BASELINE, written(entries))


def report(*findings, **more):
    return Report(findings=findings, counts={"suppressed": 0}, **more)


# -- what is kept quiet -------------------------------------------------------


def test_a_known_finding_is_suppressed_and_its_entry_is_where_that_is_written():
    found = without(report(finding()), parsed(known()))
    assert found.findings == ()
    (each,) = found.suppressed
    assert (each.finding, each.by.reason) == (finding(), REASON)
    assert found.counts["suppressed"] == 1
    span = each.by.span
    assert found.texts[span.path][span.start : span.end] == f'"{NAME}"'
    assert found.notes == ()


def test_a_new_finding_is_told():
    found = without(report(finding(fingerprint=OTHER), finding()), parsed(known()))
    assert [one.fingerprint for one in found.findings] == [OTHER]


def test_what_was_suppressed_before_stays_so_and_is_no_more_counted_than_once():
    first = without(report(finding()), parsed(known()))
    both = without(replace(first, findings=(finding(fingerprint=OTHER),)), parsed(known()))
    assert len(both.suppressed) == both.counts["suppressed"] == 1
    assert len(both.findings) == 1


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ({"severity": "medium"}, {}, "it weighs high, and did medium"),
        (
            {"status": "under_investigation"},
            {},
            "it is affected, and was under_investigation",
        ),
        ({}, {"causes": ("A-1", "A-2")}, "it has a new cause: A-2"),
        ({}, {"causes": ("A-3", "A-2"), "id": "A-3"}, "it has new causes: A-3, A-2"),
    ],
)
def test_what_got_worse_is_told_and_why(before, after, why):
    found = without(report(finding(**after)), parsed(known(**before)))
    assert (len(found.findings), found.suppressed) == (1, ())
    name = after.get("id", "A-1")
    assert found.notes == (f"{name} in a.yaml is in {BASELINE}, but got worse: {why}",)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"severity": "critical"}, {}),
        ({}, {"status": "under_investigation"}),
        ({"causes": ("A-1", "A-2")}, {}),
        ({"servers": (("a.yaml", 2),)}, {}),
        ({"message": "Otherwise.", "path": "b.yaml"}, {}),
    ],
)
def test_what_got_better_stays_quiet(before, after):
    found = without(report(finding(**after)), parsed(known(**before)))
    assert (found.findings, len(found.suppressed)) == ((), 1)


CAUSES = st.lists(st.sampled_from(["A-1", "A-2", "A-3"]), min_size=1, unique=True).map(tuple)
STATES = st.tuples(st.sampled_from(SEVERITIES), st.sampled_from(STATUSES), CAUSES)


@given(STATES, STATES)
def test_only_what_is_no_worse_in_any_way_is_kept_quiet(before, after):
    entry = known(severity=before[0], status=before[1], causes=before[2])
    found = finding(severity=after[0], status=after[1], causes=after[2])
    is_quiet = not without(report(found), parsed(entry)).findings
    assert is_quiet == (
        SEVERITIES.index(after[0]) >= SEVERITIES.index(before[0])
        and STATUSES.index(after[1]) >= STATUSES.index(before[1])
        and set(after[2]) <= set(before[2])
    )


def test_many_that_got_worse_are_counted():
    names = [f"{number:032x}" for number in range(MAX_NAMED + 3)]
    entries = [known(fingerprint=name, severity="low") for name in names]
    found = without(report(*(finding(fingerprint=name) for name in names)), parsed(*entries))
    assert len(found.notes) == MAX_NAMED + 1
    assert found.notes[-1] == f"3 more findings in {BASELINE} got worse"


def test_what_is_not_found_any_more_is_told_in_whole_runs_only():
    entries = parsed(known(), known(fingerprint=OTHER))
    note = "1 finding of servelint-baseline.json is not found any more: "
    note += "`servelint baseline --update` removes them"
    assert without(report(finding()), entries, whole=True).notes == (note,)
    assert without(report(finding()), entries).notes == ()
    assert "2 findings" in without(report(), entries, whole=True).notes[0]
    assert "are not" in without(report(), entries, whole=True).notes[0]


def test_what_is_suppressed_for_another_reason_is_there_all_the_same():
    first = without(report(finding()), parsed(known()))
    assert without(first, parsed(known()), whole=True).notes == ()


# -- what is written ----------------------------------------------------------


def test_a_file_is_sorted_and_comes_back_as_it_was():
    entries = [
        known(path="b.yaml", fingerprint="1" * 32, servers=(("b.yaml", 1), ("c (d)", 2))),
        known(path="a.yaml", id="B", causes=("B", "C"), fingerprint="2" * 32),
        known(path="a.yaml", message="\x1b é \ud800", fingerprint="3" * 32),
    ]
    text = written(entries)
    assert text.isascii()
    assert text == written(reversed(entries))
    assert read("x", text).known == (entries[2], entries[1], entries[0])


def test_an_update_removes_and_tightens_and_adds_nothing():
    entries = (known(severity="critical"), known(fingerprint=OTHER))
    better, new = finding(severity="low"), finding(fingerprint="a" * 32)
    assert tightened(entries, (better, new)) == accepted((better,))


def test_an_update_keeps_the_entry_of_what_got_worse():
    entry = known(severity="low")
    assert tightened((entry,), (finding(),)) == (entry,)


# -- what is refused ----------------------------------------------------------


def wrong(**changes):
    row = json.loads(written([known()]))["findings"][0] | changes
    return json.dumps({"schema": "servelint-baseline/1", "findings": [row]})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON"),
        ("<<<<<<< HEAD\n{}", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", 'expected an object with "schema": "servelint-baseline/1"'),
        ('{"schema": "servelint-baseline/2", "findings": []}', "expected an object with"),
        ('{"schema": "servelint-baseline/1"}', "findings is missing"),
        ('{"schema": "servelint-baseline/1", "findings": {}}', "findings: expected a list"),
        ('{"schema": "servelint-baseline/1", "findings": [], "x": 1}', "unknown key 'x'"),
        ('{"schema": "servelint-baseline/1", "findings": [1]}', "findings[0]: expected an object"),
        (wrong(line=3), "findings[0]: unknown key 'line'"),
        (wrong(id=3), "findings[0]: id: expected a text"),
        (wrong(severity="awful"), "severity: 'awful'; expected one of critical, high"),
        (wrong(severity=[]), "severity: []; expected one of critical, high"),
        (wrong(status="fine"), "status: 'fine'; expected one of affected"),
        (wrong(fingerprint="*"), "fingerprint: expected 32 hex digits"),
        (wrong(causes="A-1"), "causes: expected a list of ids"),
        (wrong(servers=3), "servers: expected whole numbers by file"),
        (wrong(servers={"a": True}), "servers: expected whole numbers by file"),
    ],
)
def test_a_wrong_file_is_refused(text, message):
    with pytest.raises(ConfigError) as error:
        read("b.json", text)
    assert str(error.value).startswith("b.json: ")
    assert message in str(error.value)


@pytest.mark.parametrize("key", ["id", "severity", "status", "causes", "servers", "fingerprint"])
def test_an_entry_without_a_key_is_refused(key):
    document = json.loads(written([known()]))
    del document["findings"][0][key]
    with pytest.raises(ConfigError, match=f"findings.0.: {key} is missing"):
        read("b.json", json.dumps(document))


def test_two_entries_with_one_name_are_refused():
    with pytest.raises(ConfigError, match=f"two entries have the fingerprint {NAME}"):
        parsed(known(), known(severity="low"))


@given(st.text() | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps))
def test_any_other_text_is_refused(text):
    with pytest.raises(ConfigError):
        read("b.json", text)


# -- the commands -------------------------------------------------------------

OLD = "pods/old.yaml"
NEW = "pods/new.yaml"


@pytest.fixture
def root(tmp_path, monkeypatch):
    fill(tmp_path, {OLD: POD, "note.txt": "nothing\n"})
    git(tmp_path, "init", "-q")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def shown(run):
    """What a check shows: the places of findings and of what is suppressed, and the exit code."""

    def run_(*words):
        code, out, err = run("check", "--format", "json", *words)
        assert code in (0, 1), err
        told = json.loads(out)
        hidden = [one["primary"]["path"] for one in told["suppressed"] if one["reason"] == REASON]
        return [one["primary"]["path"] for one in told["findings"]], hidden, code

    return run_


def test_with_a_baseline_only_what_is_new_fails(root, run, shown):
    assert shown() == ([OLD], [], 1)
    assert run("baseline") == (0, f"{BASELINE}: 1 finding (1 added, 0 removed)\n", "")
    assert shown() == ([], [OLD], 0)
    fill(root, {NEW: POD})
    assert shown() == ([NEW], [OLD], 1)
    assert shown("--no-baseline") == ([NEW, OLD], [], 1)
    assert shown(OLD) == ([], [OLD], 0)
    assert shown("--strict") == ([NEW], [OLD], 1)


def test_the_suppressed_are_counted_and_listed_with_where_that_is_written(root, run):
    run("baseline")
    code, out, _ = run("check", "--all")
    assert code == 0
    line = (root / BASELINE).read_text().splitlines()
    number = next(at for at, text in enumerate(line, 1) if '"fingerprint"' in text)
    assert f"affected): in the baseline ({BASELINE}:{number}:22)" in out
    assert "; 1 suppressed;" in out


def test_the_file_itself_is_not_read_as_something_that_runs(root, run):
    run("baseline")
    assert pipeline.run(Config(str(root))).counts["relevant"] == 1
    assert pipeline.run(Config(str(root))).counts["files"] == 3


def test_a_version_that_changes_is_new_and_what_is_gone_is_told_and_removed(root, run, shown):
    fill(root, {NEW: POD})
    run("baseline")
    fill(root, {OLD: POD.replace("v0.5.9", "v0.5.10")})
    (root / NEW).unlink()
    assert shown() == ([OLD], [], 1)
    _, out, _ = run("check")
    assert f"note: 2 findings of {BASELINE} are not found any more" in out
    assert "not found" not in run("check", OLD)[1]
    assert "not found" not in run("check", "--select", "unknown-version")[1]
    said = f"{BASELINE}: 0 findings (0 added, 2 removed); 1 finding beside it\n"
    assert run("baseline", "--update") == (0, said, "")
    assert shown() == ([OLD], [], 1)
    assert "not found" not in run("check")[1]


def test_a_finding_that_got_worse_fails_again(root, run, shown):
    fill(root, {"examples/pod.yaml": POD, "servelint.toml": 'fail-on = "note"'})
    run("baseline")
    assert shown()[2] == 0
    fill(root, {"servelint.toml": 'severity.SGL-2026-0001 = "critical"\nunknown-version = "fail"'})
    entries = json.loads((root / BASELINE).read_text())
    entries["findings"][0]["severity"] = "low"
    fill(root, {BASELINE: json.dumps(entries)})
    paths, hidden, code = shown()
    assert (len(paths), len(hidden), code) == (1, 1, 1)
    assert "got worse: it weighs" in run("check")[1]


def test_a_new_server_under_a_known_version_fails(root, run, shown):
    lock = '[[package]]\nname = "sglang"\nversion = "0.5.9"\n'
    start = "python3 -m sglang.launch_server --disaggregation-mode prefill\n"
    (root / OLD).unlink()
    fill(root, {"uv.lock": lock, "one.sh": start})
    run("baseline")
    assert shown() == ([], ["uv.lock"], 0)
    fill(root, {"two.sh": start})
    assert shown() == (["uv.lock"], [], 1)
    assert "it is about other servers: two.sh (prefill)" in run("check")[1]


def test_another_role_is_another_server(root, run, shown):
    run("baseline")
    fill(root, {OLD: POD.replace("prefill", "decode")})
    assert shown() == ([OLD], [], 1)
    assert f"it is about other servers: {OLD} (decode)" in run("check")[1]


def test_another_file_is_read_where_it_is_named(root, run, shown, monkeypatch):
    monkeypatch.chdir(root / "pods")
    assert run("baseline", "--file", "../ci.json")[1].startswith("ci.json: 1 finding ")
    assert shown() == ([OLD], [], 1)
    assert shown("--baseline", "../ci.json") == ([], [OLD], 0)
    fill(root, {NEW: POD})
    assert shown("--baseline", "../ci.json", "../note.txt") == ([], [], 0)
    assert shown("--baseline", "../ci.json", "../ci.json") == ([NEW], [OLD], 1)


def test_naming_the_baseline_shows_all(root, run, shown):
    run("baseline")
    fill(root, {NEW: POD})
    assert shown("note.txt") == ([], [], 0)
    assert shown("note.txt", BASELINE) == ([NEW], [OLD], 1)


@pytest.mark.parametrize(
    ("words", "text", "message"),
    [
        (["baseline", "--update"], None, f"{BASELINE}: there is none to update"),
        (["baseline"], "{", f"{BASELINE}: not JSON"),
        (["check"], "{", f"{BASELINE}: not JSON"),
        (["check"], b"\xff\xfe", f"{BASELINE}: not UTF-8"),
        (["check", "--baseline", "none.json"], None, "none.json: not a regular file"),
        (["check", "--baseline", "."], None, ".: not a regular file"),
        (["baseline", "--file", "none/x.json"], None, "none/x.json: cannot be written"),
    ],
)
def test_what_cannot_be_used_ends_the_run_with_a_sentence(root, words, text, message):
    if text is not None:
        fill(root, {BASELINE: text})
    done = servelint(*words, cwd=root)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"servelint: {message}")
    assert done.err.count("\n") == 1


def test_a_broken_baseline_can_be_left_out(root, shown):
    fill(root, {BASELINE: "{"})
    assert shown("--no-baseline") == ([OLD], [], 1)


def test_a_baseline_that_leads_out_of_the_root_is_not_followed(root, run, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    run("baseline")
    os.rename(root / BASELINE, other / "x.json")
    os.symlink(other / "x.json", root / BASELINE)
    done = servelint("check", cwd=root)
    assert (done.code, done.err) == (
        2,
        f"servelint: {BASELINE}: leads out of the root: not followed\n",
    )


def test_what_was_skipped_is_said_not_to_be_in_it(root, run):
    fill(root, {"bad.yaml": "command: [sglang\n"})
    assert run("baseline")[1] == (
        f"{BASELINE}: 1 finding (1 added, 0 removed); 1 skipped, and not in it\n"
    )
