"""Findings: one cause is one finding, and its identity outlives edits of other lines."""

from __future__ import annotations

from dataclasses import replace

import pytest
from made_up import (
    ENGINE,
    REAL_BACKEND,
    ROLES,
    advisory,
    component,
    env,
    image,
    place,
    resolution,
    row,
    span,
)

from servelint.advisory import Condition
from servelint.config import Config
from servelint.context import context_of, weigh
from servelint.deployment import Build, Deployment, Range
from servelint.finding import SEVERITIES, Skip
from servelint.judge import judge
from servelint.report import NOT_JUDGED, UNKNOWN_ID, findings, shown, standings
from servelint.source import Route

PREFILL, DECODE = "engine serve --mode prefill", "engine serve --mode decode"
OPEN_ROLE = "engine serve --mode $ROLE"


def told(*versions, **where):
    """A resolution with its evidence at a place."""
    return resolution(*versions, evidence=(place(**where),))


def unknown(reason="mutable-tag", **where):
    return resolution(reason=reason, evidence=(place(text="engine:latest", **where),))


def found(*servers, records=None, **config):
    """The findings of servers that each stand alone."""
    records = records or (advisory(),)
    verdicts = [one for server in servers for one in judge(Deployment((server,), ()), records)]
    return findings(verdicts, records, Config("/root", **config)).findings


def only(*servers, **changes):
    (one,) = found(*servers, **changes)
    return one


# -- one cause, one finding ---------------------------------------------------


def test_servers_that_share_their_evidence_are_one_finding():
    shared = told("1.0", path="values.yaml")
    servers = [component(PREFILL, shared), component(DECODE, shared, start=100)]
    one = only(*servers)
    assert one.components == tuple(servers)
    assert one.primary.span.path == "values.yaml"
    flags = [at.span.start for at in one.related if at.label == "flag"]
    launches = [at.span.start for at in one.related if at.label == "launch"]
    assert (len(flags), launches) == (2, [0, 100])


def test_equal_versions_at_two_places_are_two_findings():
    servers = (component(PREFILL, told("1.0")), component(DECODE, told("1.0", start=900)))
    assert len(found(*servers)) == 2


def test_several_records_that_one_upgrade_closes_are_causes_of_one_finding():
    records = (advisory(id="ADV-2", severity="high"), advisory(id="ADV-1", recommended="1.4"))
    one = only(component(PREFILL, told("1.0")), records=records)
    assert (one.id, one.causes) == ("ADV-1", ("ADV-1", "ADV-2"))
    assert one.severity == "critical"
    assert one.title == "the title of ADV-1"
    assert one.remedy == "upgrade both roles together to Engine 1.4 or later"


def test_other_causes_are_another_finding():
    records = (
        advisory(id="ADV-1"),
        advisory(row(when=(ROLES, Condition("--transfer-backend", ("x",)))), id="ADV-2"),
    )
    shared = told("1.0")
    servers = (
        component(f"{PREFILL} --transfer-backend x", shared),
        component(f"{DECODE} --transfer-backend y", shared, start=100),
    )
    got = found(*servers, records=records)
    assert [one.causes for one in got] == [("ADV-1", "ADV-2"), ("ADV-1",)]


def test_servers_without_evidence_are_findings_of_their_own():
    nothing = resolution(reason="no-evidence")
    servers = (component(PREFILL, nothing), component(DECODE, nothing, steps=(1,), start=100))
    assert len(found(*servers)) == 2


def test_shared_evidence_in_another_context_is_another_finding():
    shared = told("1.0", path="uv.lock")
    servers = (component(PREFILL, shared), component(PREFILL, shared, path="docs/a.md"))
    assert [one.context for one in found(*servers)] == ["deployment", "docs"]


def test_what_is_not_affected_fixed_or_silent_makes_no_finding():
    assert found(component("engine serve", told("1.0"))) == ()
    assert found(component(PREFILL, told("1.2"))) == ()
    assert found(component("engine serve $ARGS", told("1.0"))) == ()


# -- the places of a finding --------------------------------------------------


def test_the_version_is_the_place_to_edit_and_without_it_the_role_flag():
    one = only(component(PREFILL, told("1.0")))
    assert one.primary == place()
    assert [at.label for at in one.related] == ["flag", "launch"]
    bare = only(component(PREFILL, resolution(reason="no-evidence")))
    assert (bare.primary.label, bare.primary.text) == ("flag", "--mode prefill")


def test_an_image_that_cannot_be_decided_is_the_place_to_edit():
    private = image("registry.example/llm:7", start=300)
    lock = resolution("1.4", clears=False, final=False, evidence=(place(path="uv.lock"),))
    one = only(component(PREFILL, lock, image=private))
    assert (one.id, one.primary.span) == (UNKNOWN_ID, private.span)
    assert "uv.lock" in {at.span.path for at in one.related}


def test_each_place_is_named_once():
    one = only(component(PREFILL, told("1.0"), image=image("engine:v1.0")))
    assert len({at.span for at in one.places()}) == len(one.places())
    assert one.primary.label == "image"


# -- ids and severities -------------------------------------------------------


def test_an_unknown_version_is_the_rule_with_the_records_as_causes():
    records = (advisory(), advisory(id="ADV-2", severity="low"))
    one = only(component(PREFILL, unknown()), records=records)
    assert (one.id, one.causes) == (UNKNOWN_ID, ("ADV-1", "ADV-2"))
    assert (one.status, one.severity) == ("under_investigation", "medium")


def test_candidates_of_which_some_are_affected_keep_the_id_of_the_record():
    one = only(component(PREFILL, told("1.0", "1.4")))
    assert (one.id, one.status, one.severity) == ("ADV-1", "under_investigation", "medium")
    assert one.remedy == "pin Engine 1.3 or later, in both roles"


@pytest.mark.parametrize(
    ("setting", "severity"), [("fail", "medium"), ("warn", "low"), ("ignore", "note")]
)
def test_what_an_unknown_version_weighs_is_configured(setting, severity):
    assert only(component(PREFILL, unknown()), unknown_version=setting).severity == severity


def test_an_unknown_version_weighs_no_more_than_what_it_may_be():
    record = advisory(severity="low")
    assert only(component(PREFILL, unknown()), records=(record,)).severity == "low"


@pytest.mark.parametrize("setting", ["fail", "warn"])
def test_without_any_evidence_of_a_version_it_is_low(setting):
    server = component(PREFILL, resolution(reason="no-evidence"))
    assert only(server, unknown_version=setting).severity == "low"


def test_the_least_sure_verdict_tells_the_confidence():
    shared = told("1.0")
    servers = (component(f"{PREFILL} $ARGS", shared), component(DECODE, shared, start=100))
    record = advisory(row(when=(ROLES, REAL_BACKEND)))
    assert only(*servers, records=(record,)).confidence == "medium"


# -- contexts -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "context"),
    [
        ("run.sh", "deployment"),
        ("deploy/pod.yaml", "deployment"),
        ("docs/guide.sh", "docs"),
        ("README.md", "docs"),
        ("deploy/NOTES.RST", "docs"),
        ("Docs/x.yaml", "docs"),
        ("tests/x.yaml", "test"),
        ("a/e2e/b/x.yaml", "test"),
        ("docs/tests/x.yaml", "test"),
        ("examples/x.yaml", "example"),
        ("recipes/x.yaml", "example"),
        ("test.yaml", "deployment"),
        ("latest/x.yaml", "deployment"),
        ("contest/x.yaml", "deployment"),
    ],
)
def test_the_path_tells_the_context(path, context):
    assert context_of(path) == context


@pytest.mark.parametrize("severity", SEVERITIES)
@pytest.mark.parametrize("is_unknown", [True, False])
def test_a_context_only_lowers_a_severity(severity, is_unknown):
    def weight(context):
        return SEVERITIES.index(weigh(severity, context, is_unknown=is_unknown))

    low, medium = SEVERITIES.index("low"), SEVERITIES.index("medium")
    assert weigh(severity, "deployment", is_unknown=is_unknown) == severity
    assert weight("test") == max(SEVERITIES.index(severity), low)
    cap = low if is_unknown else medium
    assert weight("docs") == weight("example") == max(SEVERITIES.index(severity), cap)


@pytest.mark.parametrize(
    ("path", "affected", "undecided"),
    [
        ("run.sh", "critical", "medium"),
        ("docs/run.sh", "medium", "low"),
        ("examples/run.sh", "medium", "low"),
        ("tests/run.sh", "low", "low"),
    ],
)
def test_the_file_of_the_launch_decides_wherever_its_version_stands(path, affected, undecided):
    lock = {"path": "uv.lock"}
    assert only(component(PREFILL, told("1.0", **lock), path=path)).severity == affected
    assert only(component(PREFILL, unknown(**lock), path=path)).severity == undecided


# -- what is selected ---------------------------------------------------------

TWO = (advisory(id="ADV-1"), advisory(id="ADV-2", severity="high"))


def test_an_ignored_record_is_no_cause():
    one = only(component(PREFILL, told("1.0")), records=TWO, ignore=("ADV-1",))
    assert (one.id, one.causes, one.severity) == ("ADV-2", ("ADV-2",), "high")
    assert found(component(PREFILL, told("1.0")), records=TWO, ignore=("ADV-1", "ADV-2")) == ()


def test_an_ignored_rule_hides_unknown_versions_only():
    servers = (component(PREFILL, unknown()), component(PREFILL, told("1.0"), start=100))
    assert [one.id for one in found(*servers, ignore=(UNKNOWN_ID,))] == ["ADV-1"]


def test_a_selection_is_by_id_or_cause():
    servers = (component(PREFILL, unknown()), component(PREFILL, told("1.0"), start=100))
    assert [one.id for one in found(*servers, select=(UNKNOWN_ID,))] == [UNKNOWN_ID]
    assert [one.id for one in found(*servers, select=("ADV-1",))] == ["ADV-1", UNKNOWN_ID]
    assert found(*servers, select=("ADV-9",)) == ()


def test_findings_come_worst_first_then_by_place():
    servers = (
        component(PREFILL, unknown(start=1)),
        component(PREFILL, told("1.0", start=900), start=100),
        component(PREFILL, told("1.0", start=700), start=200),
    )
    got = [(one.severity, one.primary.span.start) for one in found(*servers)]
    assert got == [("critical", 700), ("critical", 900), ("medium", 1)]


def at(path):
    return place(path=path)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ((), True),
        (("a/b.yaml",), True),
        (("a",), True),
        (("a/b",), False),
        (("b.yaml",), False),
        (("x", "a/c.yaml"), True),
    ],
)
def test_a_finding_is_shown_when_any_place_lies_in_what_was_named(names, expected):
    assert shown((at("a/b.yaml"), at("a/c.yaml")), names) is expected


def test_skips_and_facts_are_filtered_like_findings():
    assert shown((Skip("a/b", "read", "syntax"),), ("a",))
    assert not shown((Skip("a/b", "read", "syntax"),), ("b",))
    assert shown((image("engine:v1", path="a/b"),), ("a/b",))


# -- fingerprints -------------------------------------------------------------


def prints(*servers, **changes):
    return [one.fingerprint for one in found(*servers, **changes)]


def server(start=500, steps=(0, "spec", 1), text="engine:v1.0", path="run.sh"):
    """A server whose evidence stands at a place of its own."""
    evidence = place(path, start, text, steps=steps)
    return component(PREFILL, resolution("1.0", evidence=(evidence,)), start=start + 1000)


def test_fingerprints_outlive_moved_lines_and_lists():
    (plain,) = prints(server())
    assert prints(server(start=77)) == [plain]
    assert prints(server(steps=(3, "spec", 0))) == [plain]


def test_fingerprints_tell_what_differs():
    others = (
        server(600, text="engine:v1.1"),
        server(700, path="other.sh"),
        server(800, steps=(0, "other", 1)),
    )
    assert len(set(prints(server(), *others))) == 4


def test_equal_findings_have_different_fingerprints_that_outlive_moved_lines():
    first = prints(server(), server(start=700))
    assert len(set(first)) == 2
    assert prints(server(start=90), server(start=2700)) == first


def test_a_new_record_leaves_fingerprints_as_they_are():
    (before,) = prints(server(), records=(advisory(severity="high"),))
    worse = (advisory(severity="high"), advisory(id="ADV-0", severity="critical"))
    assert prints(server(), records=worse) == [before]


def test_an_unknown_version_has_another_fingerprint_than_an_affected_one():
    known = component(PREFILL, told("1.0"))
    dark = component(PREFILL, resolution(reason="untagged", evidence=(place(),)))
    assert prints(known) != prints(dark)


def test_a_selection_leaves_fingerprints_as_they_are():
    """The finding that is not selected still is the first of two equals."""

    def by_backend(name, **changes):
        asks = (ROLES, Condition("--transfer-backend", (name,)))
        return advisory(row(when=asks), **changes)

    records = (by_backend("x", id="ADV-1"), by_backend("y", id="ADV-2", severity="high"))
    servers = [
        replace(server(start), invocation=component(text).invocation)
        for start, text in (
            (500, f"{PREFILL} --transfer-backend x"),
            (700, f"{PREFILL} --transfer-backend y"),
        )
    ]
    first, second = prints(*servers, records=records)
    assert first != second
    assert prints(*servers, records=records, select=("ADV-1",)) == [first]
    assert prints(*servers, records=records, select=("ADV-2",)) == [second]


# -- messages -----------------------------------------------------------------


def test_what_is_said_of_an_affected_server():
    one = only(component(PREFILL, told("1.0")))
    assert one.message == (
        "a prefill server runs Engine 1.0 (from the image tag), which is before 1.2."
    )


def test_the_highest_fix_of_all_causes_is_the_floor():
    records = (advisory(row(fixed="1.10")), advisory(row(fixed="1.9"), id="ADV-2"))
    one = only(component(PREFILL, told("1.0")), records=records)
    assert one.message.endswith("which is before 1.10 (ADV-1) and 1.9 (ADV-2).")


def test_what_no_version_fixes_is_said_so():
    one = only(component(PREFILL, told("1.0")), records=(advisory(row(fixed="")),))
    assert one.message.endswith("(from the image tag), which no version fixes.")


def test_several_servers_and_open_arguments_are_said():
    shared = told("1.0")
    servers = (component(f"{PREFILL} $ARGS", shared), component(DECODE, shared, start=100))
    record = advisory(row(when=(ROLES, REAL_BACKEND)))
    message = only(*servers, records=(record,)).message
    assert message.startswith("2 servers (prefill and decode) run Engine 1.0")
    assert "Some of its arguments could not be read" in message


def test_nothing_is_said_to_be_assumed_that_is_written_out():
    message = only(component(f"{PREFILL} $ARGS", told("1.0"))).message
    assert "assumed" not in message


def test_ranges_and_builds_are_said_as_people_write_them():
    ranged = resolution(candidates=(Range("<1.2"),), via="requirement", evidence=(place(),))
    assert "Engine <1.2 (by requirement)" in only(component(PREFILL, ranged)).message
    built = resolution(candidates=(Build("main", "2026-01-01"),), evidence=(place(),))
    record = advisory(row(merged="2026-09-06"))
    message = only(component(PREFILL, built), records=(record,)).message
    assert "built from main on 2026-01-01" in message


def test_why_a_version_is_unknown_is_said_with_what_would_settle_it():
    one = only(component(PREFILL, replace(unknown(), detail="ask the builder")))
    assert one.message == (
        "a prefill server runs Engine, version unknown: engine:latest "
        "(the tag can move, so it names no version)."
    )
    assert one.remedy.startswith("ask the builder; if that is below 1.3, upgrade")


def test_a_scope_that_may_not_clear_says_why():
    lock = resolution("1.4", clears=False, evidence=(place(path="uv.lock"),))
    inside = component(PREFILL, lock, image=image("private:1"))
    assert "says 1.4, but the container has packages of its own" in only(inside).message
    apart = component(f"ssh host {PREFILL}", lock)
    assert "says 1.4, but the command that starts it may have" in only(apart).message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (OPEN_ROLE, "if it is disaggregated, which cannot be told"),
        (f"{PREFILL} --transfer-backend $B", "--transfer-backend is not known for certain"),
    ],
)
def test_a_doubt_is_said(text, words):
    record = advisory(row(when=(ROLES, REAL_BACKEND)))
    assert words in only(component(text, told("1.0")), records=(record,)).message


def test_the_worst_verdict_speaks_for_a_mixed_group_in_any_order():
    """One record is in doubt by its version, the other by its candidates."""
    both = resolution("1.1", "1.3", clears=False, evidence=(place(),))
    records = [
        advisory(row(fixed="1.2"), id="ADV-1", severity="medium"),
        advisory(row(fixed="1.0"), id="ADV-2", severity="low"),
    ]
    for order in (records, records[::-1]):
        one = only(component(PREFILL, both), records=order)
        assert one.id == "ADV-1"
        assert "some of these versions are affected" in one.message
        assert one.remedy.startswith("pin Engine")


def test_a_doubtful_version_in_a_mixed_group_is_said():
    both = resolution("1.1", "1.3", clears=False, evidence=(place(),))
    records = [
        advisory(row(fixed="1.2"), id="ADV-1", severity="low"),
        advisory(row(fixed="1.0"), id="ADV-2", severity="medium"),
    ]
    one = only(component(PREFILL, both, image=image("private:1")), records=records)
    assert one.id == "ADV-2"
    assert one.message.endswith(
        "a package in scope says 1.1 or 1.3, but the container has packages of its own."
    )


def test_every_server_has_a_name_in_messages():
    record = advisory(row(when=()))
    texts = ("engine serve", f"{PREFILL} --mode-switch", OPEN_ROLE)
    messages = [only(component(text, told("1.0")), records=(record,)).message for text in texts]
    assert [message.partition(" runs")[0] for message in messages] == [
        "a plain server",
        "a prefill-and-decode server",
        "a possibly disaggregated server",
    ]


# -- standings ----------------------------------------------------------------


def stands(*servers, records=None):
    group = Deployment(servers, ())
    verdicts = judge(group, records or (advisory(),))
    return [(one.status, one.why) for one in standings((group,), verdicts)]


def test_every_component_has_a_standing():
    router = component("python -m engine_router --prefill a", start=100)
    assert stands(component(PREFILL, told("1.0")), router) == [
        ("affected", "before 1.2"),
        ("not_affected", "a router serves no tokens itself"),
    ]
    assert stands(component(), records=(advisory(package="other"),)) == [
        ("not_affected", NOT_JUDGED)
    ]


def test_the_worst_verdict_is_the_standing():
    records = (advisory(row(fixed="1.1"), id="ADV-1"), advisory(row(fixed="1.4"), id="ADV-2"))
    assert stands(component(PREFILL, told("1.2")), records=records) == [("affected", "before 1.4")]
    assert stands(component(PREFILL, told("1.4")), records=records) == [
        ("fixed", "fixed in 1.1; fixed in 1.4")
    ]


def test_a_silent_verdict_is_counted():
    assert stands(component("engine serve $ARGS", told("1.0")))[0][0] == "under_investigation"


def test_the_made_up_places_are_where_they_say():
    assert env("A", "b").span == span(800, 803)
    assert component(PREFILL, path="x").owner == Route("x")
    assert ENGINE.packages == (advisory().package,)
