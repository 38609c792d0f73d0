"""What people ask not to be told: that, for a reason, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import advisory, component, image, place, resolution, row

from servelint.advisory import Condition
from servelint.config import Config
from servelint.deployment import Deployment
from servelint.judge import check, judge
from servelint.parts import UNKNOWN_ID, parts_of
from servelint.patterns import path_pattern
from servelint.policy import Measure, Override, Policy, Suppression
from servelint.remarks import EXPIRED, INVALID, LATE, REASONLESS, UNUSED, remark
from servelint.report import findings
from servelint.rule import Hit, Rule
from servelint.source import Span
from servelint.suppress import Wishes, share, with_comments

PREFILL, DECODE = "engine serve --mode prefill", "engine serve --mode decode"
TWO = (advisory(id="ADV-1"), advisory(id="ADV-2", severity="high"))
IDS = {"ADV-1", "ADV-2", "bad-flag", UNKNOWN_ID, UNUSED.id, REASONLESS.id, EXPIRED.id}
ONE, OTHER = "sha256:" + "1" * 64, "sha256:" + "2" * 64
FIRST_FLAG = place(text="--x", label="flag", start=2)
RULE = Rule(
    "bad-flag", "a bad flag", "high", "drop it", "", lambda whole: (
        Hit(each, "it is bad", (FIRST_FLAG,)) for each in whole.components
    )
)  # fmt: skip


def told(*versions, **where):
    """A resolution with its evidence at a place."""
    return resolution(*versions, evidence=(place(**where),))


def unknown(**where):
    return resolution(reason="mutable-tag", evidence=(place(text="engine:latest", **where),))


def comment(*ids, start=500, end=500, path="run.sh", at=9000, **changes):
    """A comment that speaks of the text from ``start`` to ``end``."""
    span = Span(path, at, at + 10)
    values = {"reason": "why", "reach": Span(path, start, end), "ids": ids}
    return Suppression(span, f"ignore[{', '.join(ids)}]", **(values | changes))


def entry(*ids, paths=(), at=9000, **changes):
    """A row of [[ignore]]."""
    patterns = tuple(map(path_pattern, paths))
    return Suppression(Span("conf", at, at + 5), "row", "why", ids=ids, paths=patterns, **changes)


def allow(digest, at=9500):
    """A row of [[allow]]."""
    return Suppression(Span("conf", at, at + 5), "row", "why", digest=digest)


def judged(*servers, records=TWO, rules=()):
    groups = [Deployment((server,), ()) for server in servers]
    return [v for group in groups for v in (*judge(group, records), *check(group, rules))]


def found(*servers, wishes=(), records=TWO, rules=(), remarks=(), policy=None, **config):
    """What is told of servers that each stand alone."""
    settings = Config("/root", **config)
    measure = Measure(settings.severity, settings.unknown_version, frozenset(settings.ignore))
    asked = policy or Policy(measure, suppressions=tuple(wishes))
    verdicts = judged(*servers, records=records, rules=rules)
    return findings(verdicts, (*records, *rules), settings, remarks, asked)


def causes(result):
    """The causes of each finding that is told, and of each that is not; remarks left out."""
    kept = [one.causes for one in result.findings if one.components]
    return kept, [each.finding.causes for each in result.suppressed]


def notes(result):
    """The ids and messages of remarks."""
    return [(one.id, one.message) for one in result.findings if not one.components]


SERVER = component(PREFILL, told("1.0"))


# -- what is named, and nothing else ------------------------------------------


def test_without_a_wish_everything_is_told():
    assert causes(found(SERVER)) == ([("ADV-1", "ADV-2")], [])


@pytest.mark.parametrize("wish", [comment, entry])
def test_one_cause_of_a_finding_hides_no_other(wish):
    result = found(SERVER, wishes=[wish("ADV-1")])
    assert causes(result) == ([("ADV-2",)], [("ADV-1",)])
    (kept,) = result.findings
    (lost,) = result.suppressed
    assert (kept.id, kept.severity) == ("ADV-2", "high")
    assert (lost.finding.severity, lost.by.reason) == ("critical", "why")
    assert "ADV-1" not in kept.message


@pytest.mark.parametrize("wish", [comment, entry])
def test_all_causes_hide_the_finding(wish):
    assert causes(found(SERVER, wishes=[wish("ADV-1", "ADV-2")])) == ([], [("ADV-1", "ADV-2")])
    assert causes(found(SERVER, wishes=[wish("ADV-1"), wish("ADV-2", at=9100)])) == (
        [],
        [("ADV-1",), ("ADV-2",)],
    )


def test_of_two_wishes_for_one_cause_the_nearer_gives_the_reason_and_both_are_used():
    wishes = [entry("ADV-1", at=1), replace(comment("ADV-1"), reason="beside it")]
    result = found(SERVER, wishes=wishes)
    assert [each.by.reason for each in result.suppressed] == ["beside it"]
    assert notes(result) == []


@pytest.mark.parametrize("wish", [comment, entry])
def test_another_id_hides_nothing(wish):
    for name in ("bad-flag", UNKNOWN_ID):
        result = found(SERVER, wishes=[wish(name)], rules=(replace_rule(),))
        assert causes(result) == ([("ADV-1", "ADV-2")], [])


def replace_rule():
    """The rule, which finds nothing."""
    return replace(RULE, check=lambda _: ())


def test_a_rule_is_not_hidden_by_the_id_of_an_advisory_and_the_other_way_round():
    everything = {"rules": (RULE,)}
    result = found(SERVER, wishes=[comment("ADV-1", "ADV-2")], **everything)
    assert causes(result) == ([("bad-flag",)], [("ADV-1", "ADV-2")])
    result = found(SERVER, wishes=[entry("bad-flag")], **everything)
    assert causes(result) == ([("ADV-1", "ADV-2")], [("bad-flag",)])


# -- versions that cannot be told ---------------------------------------------

UNTOLD = component(PREFILL, unknown())


@pytest.mark.parametrize("wish", [comment, entry])
def test_an_unknown_version_is_hidden_by_its_own_id(wish):
    result = found(UNTOLD, wishes=[wish(UNKNOWN_ID)])
    assert causes(result) == ([], [("ADV-1", "ADV-2")])
    assert result.suppressed[0].finding.id == UNKNOWN_ID
    assert notes(result) == []


def test_an_unknown_version_is_told_for_the_cause_that_is_left():
    result = found(UNTOLD, wishes=[comment("ADV-1")])
    assert causes(result) == ([("ADV-2",)], [("ADV-1",)])
    assert result.findings[0].id == UNKNOWN_ID


def test_a_version_that_may_be_affected_is_not_unknown():
    server = component(PREFILL, told("1.0", "1.4"))
    assert causes(found(server, wishes=[entry(UNKNOWN_ID)])) == ([("ADV-1", "ADV-2")], [])


def test_an_unknown_version_is_hidden_where_the_other_doubts_are_hidden_too():
    records = (
        advisory(id="ADV-1", severity="low"),
        advisory(row(fixed="1.2", when=(Condition("--transfer-port", ("1",)),)), id="ADV-2"),
    )
    server = component(f"{PREFILL} --transfer-port $P", unknown())
    parts = parts_of(judged(server, records=records))
    assert [part.is_unknown for part in parts] == [True]
    wishes = [comment("ADV-2"), comment(UNKNOWN_ID, at=9100)]
    result = found(server, wishes=wishes, records=records)
    assert causes(result) == ([], [("ADV-2",), ("ADV-1",)])


# -- where a wish counts ------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "end", "hides"),
    [
        (500, 511, True),
        (490, 500, True),
        (490, 499, False),
        (510, 520, True),
        (511, 520, False),
        (0, 2, True),  # the launch
        (28, 300, False),  # between the launch and the image
    ],
)
def test_a_comment_counts_on_the_lines_of_any_place(start, end, hides):
    result = found(SERVER, wishes=[comment("ADV-1", "ADV-2", start=start, end=end)])
    assert place().span == Span("run.sh", 500, 511)
    assert (causes(result)[0] == []) is hides


def test_a_comment_of_another_file_does_not_count():
    wishes = [comment("ADV-1", "ADV-2", start=0, end=9000, path="other.sh")]
    assert causes(found(SERVER, wishes=wishes))[0] == [("ADV-1", "ADV-2")]


def test_a_comment_beside_one_server_leaves_the_others_of_the_finding():
    shared = told("1.0", path="values.yaml")
    servers = (component(PREFILL, shared), component(DECODE, shared, start=100))
    result = found(*servers, wishes=[comment("ADV-1", "ADV-2", start=90, end=130)])
    (kept,), (lost,) = result.findings, result.suppressed
    assert kept.components == servers[:1]
    assert lost.finding.components == servers[1:]
    assert "prefill" in kept.message
    assert "decode" not in kept.message


def test_a_comment_at_what_servers_share_counts_for_all():
    shared = told("1.0", path="values.yaml")
    servers = (component(PREFILL, shared), component(DECODE, shared, start=100))
    result = found(*servers, wishes=[comment("ADV-1", "ADV-2", path="values.yaml")])
    assert causes(result) == ([], [("ADV-1", "ADV-2")])
    assert result.suppressed[0].finding.components == servers


@pytest.mark.parametrize(
    ("paths", "hides"),
    [
        ((), True),
        (("deploy",), True),
        (("deploy/**",), True),
        (("uv.lock",), True),
        (("else", "deploy/run.sh"), True),
        (("run.sh",), False),
        (("else",), False),
        (("deploy/other.sh",), False),
    ],
)
def test_an_entry_counts_where_its_paths_say(paths, hides):
    server = component(PREFILL, told("1.0", path="uv.lock"), path="deploy/run.sh")
    result = found(server, wishes=[entry("ADV-1", "ADV-2", paths=paths)])
    assert (causes(result)[0] == []) is hides


def test_what_an_overlay_takes_from_a_base_is_not_hidden_with_the_base():
    overlay = component(PREFILL, told("1.0", path="prod/kustomization.yaml"), path="base/pod.yaml")
    owner = replace(overlay.owner, unit="prod/kustomization.yaml")
    overlay = replace(overlay, owner=owner)
    everything = ("ADV-1", "ADV-2")
    assert causes(found(overlay, wishes=[entry(*everything, paths=("base",))]))[0] == [everything]
    assert causes(found(overlay, wishes=[entry(*everything, paths=("prod",))]))[0] == []


@pytest.mark.parametrize("variant", ["chart/values-dev.yaml", "chart/values-dev.yaml (2)"])
def test_a_chart_is_meant_by_its_directory_its_templates_and_its_values(variant):
    plain = component(PREFILL, told("1.0", path="chart/values.yaml"), path="chart/templates/a.yaml")
    server = replace(plain, owner=replace(plain.owner, unit="chart"), variant=variant)
    for name in ("chart", "chart/templates", "chart/values.yaml", "chart/values-dev.yaml"):
        assert causes(found(server, wishes=[entry("ADV-1", "ADV-2", paths=(name,))]))[0] == []
    at_root = replace(server, owner=replace(plain.owner, unit="."), variant="")
    assert (
        causes(found(at_root, wishes=[entry("ADV-1", "ADV-2", paths=("chart/templates",))]))[0]
        == []
    )
    wishes = [entry("ADV-1", "ADV-2", paths=("chart/values-prod.yaml",))]
    assert causes(found(server, wishes=wishes))[0] == [("ADV-1", "ADV-2")]


# -- images that are allowed --------------------------------------------------


def pinned(*digests, version=None, **changes):
    names = "|".join(f"site/llm@{each}" if each else "site/llm:7" for each in digests)
    return component(PREFILL, version or told("1.0"), image=image(names, start=500), **changes)


@pytest.mark.parametrize("version", [told("1.0"), told("1.0", "1.4"), unknown()])
def test_an_image_that_is_allowed_by_its_digest_is_not_told(version):
    result = found(pinned(ONE, version=version), wishes=[allow(ONE)])
    assert causes(result) == ([], [("ADV-1", "ADV-2")])
    assert notes(result) == []


def test_of_several_images_all_must_be_allowed():
    both = [allow(ONE), allow(OTHER, at=9600)]
    assert causes(found(pinned(ONE, OTHER), wishes=[allow(ONE)]))[0] == [("ADV-1", "ADV-2")]
    assert causes(found(pinned(ONE, ""), wishes=both))[0] == [("ADV-1", "ADV-2")]
    assert causes(found(pinned(ONE, OTHER), wishes=both))[0] == []


@pytest.mark.parametrize(
    "server",
    [
        pinned(OTHER),
        pinned(""),
        SERVER,
        pinned(ONE, version=replace(told("1.0"), via="install")),
        pinned(ONE, version=replace(told("1.0"), via="vcs")),
        component(PREFILL, told("1.0"), image=image(f"$REPO@{ONE}")),
    ],
    ids=["other", "no digest", "no image", "installed over it", "checked out over it", "open"],
)
def test_another_image_is_told(server):
    assert causes(found(server, wishes=[allow(ONE)]))[0] == [("ADV-1", "ADV-2")]


def test_an_allowed_image_says_nothing_of_how_it_is_started():
    assert causes(found(pinned(ONE), wishes=[allow(ONE)], rules=(RULE,)))[0] == [("bad-flag",)]


# -- ids that are not told at all ---------------------------------------------


def test_what_is_ignored_leaves_no_trace_and_its_suppression_is_not_idle():
    result = found(SERVER, wishes=[comment("ADV-1")], ignore=("ADV-1",))
    assert causes(result) == ([("ADV-2",)], [])
    assert notes(result) == []
    result = found(UNTOLD, wishes=[comment(UNKNOWN_ID)], ignore=(UNKNOWN_ID,))
    assert (causes(result), notes(result)) == (([], []), [])


def test_a_selection_counts_for_what_is_not_told_too():
    result = found(SERVER, wishes=[comment("ADV-1")], select=("ADV-2",))
    assert causes(result) == ([("ADV-2",)], [])
    result = found(SERVER, wishes=[comment("ADV-1")], select=("ADV-1",))
    assert causes(result) == ([], [("ADV-1",)])


# -- names of findings --------------------------------------------------------


def prints(result):
    return [one.fingerprint for one in result.findings if one.components]


def test_the_names_of_others_stay():
    servers = [
        component(PREFILL, told("1.0", start=500 + 100 * index), start=1000 + 100 * index)
        for index in range(3)
    ]
    first, second, third = prints(found(*servers))
    hidden = found(*servers, wishes=[comment("ADV-1", "ADV-2", start=500, end=540)])
    assert prints(hidden) == [second, third]
    assert [each.finding.fingerprint for each in hidden.suppressed] == [first]
    hidden = found(*servers, wishes=[comment("ADV-1", start=600, end=640)])
    assert sorted(prints(hidden)) == sorted([first, second, third])
    assert hidden.suppressed[0].finding.fingerprint not in (first, second, third)


@pytest.mark.parametrize("ignore", [("ADV-1",), ("ADV-2",)])
def test_the_names_stay_whatever_is_ignored_or_weighs_less(ignore):
    servers = [component(PREFILL, told("1.0", start=500 + 100 * n), start=2000 * n) for n in (0, 1)]
    names = prints(found(*servers))
    assert prints(found(*servers, ignore=ignore)) == names
    low = Override(Span("conf", 0, 1), (path_pattern("run.sh"),), severity={"ADV-1": "note"})
    assert sorted(prints(found(*servers, policy=Policy(overrides=(low,))))) == sorted(names)


def test_what_becomes_equal_to_another_finding_joins_it_and_keeps_its_name():
    records = (
        advisory(row(when=(Condition("--transfer-backend", ("x",)),)), id="ADV-1"),
        advisory(id="ADV-2"),
    )
    shared = told("1.0", path="values.yaml")
    servers = (
        component(f"{PREFILL} --transfer-backend x", shared),
        component(f"{DECODE} --transfer-backend y", shared, start=100),
    )
    plain = found(*servers, records=records)
    assert causes(plain)[0] == [("ADV-1", "ADV-2"), ("ADV-2",)]
    joined = found(*servers, records=records, wishes=[entry("ADV-1")])
    assert causes(joined) == ([("ADV-2",)], [("ADV-1",)])
    assert joined.findings[0].components == servers
    assert prints(joined) == prints(plain)[1:]
    assert joined.suppressed[0].finding.fingerprint == prints(plain)[0]


def test_two_parts_of_one_finding_are_two_names():
    shared = told("1.0", path="values.yaml")
    servers = (component(PREFILL, shared), component(DECODE, shared, start=100))
    (name,) = prints(found(*servers))
    result = found(*servers, wishes=[comment("ADV-1", start=0, end=20)])
    assert causes(result) == ([("ADV-1", "ADV-2"), ("ADV-2",)], [("ADV-1",)])
    first, second = prints(result)
    assert first == name
    assert len({first, second, result.suppressed[0].finding.fingerprint}) == 3


# -- what findings weigh ------------------------------------------------------


def weights(*servers, **asked):
    return [(one.id, one.severity) for one in found(*servers, **asked).findings]


def test_an_id_weighs_what_is_configured():
    assert weights(SERVER, severity={"ADV-1": "note"}) == [("ADV-2", "high")]
    assert weights(SERVER, severity={"ADV-1": "low", "ADV-2": "note"}) == [("ADV-1", "low")]
    assert weights(SERVER, severity={"ADV-2": "critical"}) == [("ADV-1", "critical")]
    assert weights(SERVER, rules=(RULE,), severity={"bad-flag": "low"}) == [
        ("ADV-1", "critical"),
        ("bad-flag", "low"),
    ]


def test_what_is_not_proven_does_not_weigh_more_than_medium():
    may = component(PREFILL, told("1.0", "1.4"))
    apart = component(PREFILL, replace(told("1.0"), clears=False))
    record = (advisory(severity="low"),)
    for server in (may, apart):
        assert weights(server, records=record) == [("ADV-1", "low")]
        for severity, wanted in (("critical", "medium"), ("note", "note")):
            asked = {"ADV-1": severity}
            assert weights(server, records=record, severity=asked) == [("ADV-1", wanted)]


def test_what_weighs_less_for_a_reason_goes_on_to():
    record = advisory(severity="critical")
    (verdict,) = judged(SERVER, records=(record,))
    helped = replace(verdict, severity="low")
    config = Config("/root", severity={"ADV-1": "high"})
    assert findings((helped,), (record,), config).findings[0].severity == "low"
    config = Config("/root", severity={"ADV-1": "note"})
    assert findings((helped,), (record,), config).findings[0].severity == "note"


def test_a_context_weighs_a_configured_severity_too():
    server = component(PREFILL, told("1.0", path="docs/a.md"), path="docs/a.md")
    assert weights(server, severity={"ADV-1": "high"}) == [("ADV-1", "medium")]


def test_an_unknown_version_weighs_what_its_id_is_given():
    nothing = component(PREFILL, resolution(reason="no-evidence"))
    for server in (UNTOLD, nothing):
        assert weights(server, severity={UNKNOWN_ID: "high"}) == [(UNKNOWN_ID, "high")]
    assert weights(UNTOLD, severity={UNKNOWN_ID: "note"}) == [(UNKNOWN_ID, "note")]
    asked = {"severity": {"ADV-1": "low", "ADV-2": "low"}}
    assert weights(UNTOLD, **asked) == [(UNKNOWN_ID, "low")]


def over(path, **changes):
    return Override(Span("conf", 0, 1), (path_pattern(path),), **changes)


def test_an_override_counts_below_its_paths_and_the_last_one_counts_most():
    servers = [
        component(PREFILL, told("1.0", path=path), path=path) for path in ("a/run.sh", "b/run.sh")
    ]
    overrides = (
        over("a", severity={"ADV-1": "low", "ADV-2": "low"}),
        over("a/run.sh", severity={"ADV-2": "medium"}),
        over("a", ignore=("ADV-1",)),
        over("c", ignore=("ADV-2",)),
    )
    result = found(*servers, policy=Policy(overrides=overrides))
    assert [(one.id, one.severity, one.causes) for one in result.findings] == [
        ("ADV-1", "critical", ("ADV-1", "ADV-2")),
        ("ADV-2", "medium", ("ADV-2",)),
    ]
    assert result.suppressed == ()


def test_an_override_says_what_an_unknown_version_weighs():
    servers = [
        component(PREFILL, unknown(path=path), path=path) for path in ("a/run.sh", "b/run.sh")
    ]
    policy = Policy(overrides=(over("b", unknown_version="ignore"),))
    assert weights(*servers, policy=policy) == [(UNKNOWN_ID, "medium"), (UNKNOWN_ID, "note")]
    policy = Policy(overrides=(over("b", ignore=(UNKNOWN_ID,)),))
    assert weights(*servers, policy=policy) == [(UNKNOWN_ID, "medium")]


# -- remarks ------------------------------------------------------------------

REMARK = remark(EXPIRED, "it ended", place(path="map.toml"))


@pytest.mark.parametrize(
    "wish", [comment(EXPIRED.id, path="map.toml"), entry(EXPIRED.id, paths=("map.toml",))]
)
def test_a_remark_is_suppressed_like_a_finding(wish):
    result = found(remarks=[REMARK], wishes=[wish])
    assert result.findings == ()
    assert [each.finding.id for each in result.suppressed] == [EXPIRED.id]


def test_a_remark_elsewhere_or_of_another_kind_is_told():
    for wish in (comment(EXPIRED.id), comment("ADV-1", path="map.toml"), entry("ADV-1")):
        assert EXPIRED.id in [name for name, _ in notes(found(remarks=[REMARK], wishes=[wish]))]


def test_a_remark_weighs_what_is_asked_for_and_may_be_ignored():
    result = found(remarks=[REMARK], severity={EXPIRED.id: "high"})
    assert result.findings[0].severity == "high"
    assert found(remarks=[REMARK], ignore=(EXPIRED.id,)).findings == ()
    policy = Policy(overrides=(over("map.toml", ignore=(EXPIRED.id,)),))
    assert found(remarks=[REMARK], policy=policy).findings == ()


def test_what_hides_nothing_is_told_by_id():
    result = found(SERVER, wishes=[comment("ADV-1", UNKNOWN_ID), entry("ADV-2", paths=("x",))])
    assert notes(result) == [
        (UNUSED.id, "nothing is reported here as ADV-2."),
        (UNUSED.id, f"nothing is reported here as {UNKNOWN_ID}."),
    ]
    assert {one.severity for one in result.findings if not one.components} == {"note"}
    assert result.findings[-1].primary.text == f"ignore[ADV-1, {UNKNOWN_ID}]"
    assert notes(found(SERVER, wishes=[allow(ONE)])) == [
        (UNUSED.id, "nothing is reported of an image with this digest.")
    ]


def test_with_names_given_nobody_knows_what_is_idle():
    assert notes(found(SERVER, wishes=[comment("bad-flag")], paths=("run.sh",))) == []


def test_what_is_not_judged_is_not_idle():
    assert notes(found(SERVER, wishes=[comment("of-a-profile")])) == []


def test_the_remark_about_an_idle_wish_can_be_suppressed_and_is_never_idle_itself():
    own = comment("ADV-1", UNUSED.id, start=9000, end=9020)
    result = found(wishes=[own])
    assert result.findings == ()
    assert [each.finding.id for each in result.suppressed] == [UNUSED.id]
    assert notes(found(wishes=[entry(UNUSED.id)])) == []


# -- comments of the texts that were read -------------------------------------


def read(text, path="a.yaml", known=IDS, policy=None):
    return with_comments(policy or Policy(), {path: text}, known)


def test_a_comment_is_a_suppression_with_its_lines():
    text = "a: 1\n# servelint: ignore[ADV-1, bad-flag] it is patched\nb: 2\n"
    policy, wrong = read(text)
    (one,) = policy.suppressions
    assert wrong == ()
    assert (one.ids, one.reason) == (("ADV-1", "bad-flag"), "it is patched")
    assert text[one.reach.start : one.reach.end] == text.removeprefix("a: 1\n").removesuffix("\n")
    assert text[one.span.start : one.span.end] == one.text == text.split("\n")[1]


def test_comments_come_before_entries_and_in_order():
    policy = Policy(suppressions=(entry("ADV-1"),))
    texts = dict.fromkeys(("b.yaml", "a.yaml"), "# servelint: ignore[ADV-1] x")
    asked, _ = with_comments(policy, texts, IDS)
    assert [one.span.path for one in asked.suppressions] == ["a.yaml", "b.yaml", "conf"]


@pytest.mark.parametrize("path", ["a.json", "a.JSON", "x/a.ipynb", "Pipfile.lock"])
def test_json_has_no_comments(path):
    assert read("# servelint: ignore[ADV-1] x\n# servelint: ignore[typo] x", path) == (Policy(), ())


@pytest.mark.parametrize(
    ("text", "kinds", "messages", "ids"),
    [
        ("ignore[ADV-1]", [REASONLESS], ["nothing stands behind ignore[ADV-1]."], []),
        ("ignore[ADV-1] --", [REASONLESS], ["nothing stands behind ignore[ADV-1]."], []),
        ("ignore[typo] why", [INVALID], ["nothing has the id typo."], []),
        ("ignore[typo]", [INVALID], ["nothing has the id typo."], []),
        ("ignore[ADV-1, typo] why", [INVALID], ["nothing has the id typo."], ["ADV-1"]),
        ("ignore", [INVALID], ["expected ignore[ID] reason."], []),
        ("ignore[adv-1] why", [INVALID], ["nothing has the id adv-1."], []),
    ],
)
def test_a_comment_that_is_not_right_is_told_and_does_not_count(text, kinds, messages, ids):
    whole = f"x: 1  # servelint: {text}\n"
    policy, wrong = read(whole)
    assert [one.id for one in wrong] == [kind.id for kind in kinds]
    assert [one.message for one in wrong] == messages
    assert {one.severity for one in wrong} == {"low"}
    assert [name for one in policy.suppressions for name in one.ids] == ids
    for one in wrong:
        span = one.primary.span
        assert whole[span.start : span.end] == f"# servelint: {text}"


def test_an_entry_past_its_last_day_is_told_and_does_not_count():
    late = entry("ADV-1", until="2026-11-29")
    policy, wrong = read("", policy=Policy(expired=(late,)))
    assert policy.suppressions == ()
    assert [(one.id, one.message) for one in wrong] == [(LATE.id, "row ended on 2026-11-29.")]
    assert late.is_expired("2026-11-30")
    assert not late.is_expired("2026-11-29")
    assert not late.is_expired("")
    assert not entry("ADV-1").is_expired("2026-11-30")


def test_a_comment_in_a_string_speaks_of_its_own_line_only():
    text = 'note: "# servelint: ignore[ADV-1] x"\nimage: engine:v1.0\n'
    policy, _ = read(text, "run.sh")
    at = text.index("engine:")
    server = component(PREFILL, told("1.0", start=at), start=at + 100)
    assert causes(found(server, policy=policy)) == ([("ADV-1", "ADV-2")], [])


# -- nothing is lost ----------------------------------------------------------

SPOTS = st.tuples(st.integers(0, 40), st.integers(0, 15)).map(lambda at: (at[0], at[0] + at[1]))
NAMES = st.lists(st.sampled_from(sorted(IDS)), min_size=1, max_size=3, unique=True)
WISHES = st.one_of(
    st.builds(lambda ids, spot: comment(*ids, start=spot[0], end=spot[1]), NAMES, SPOTS),
    st.builds(
        lambda ids, paths: entry(*ids, paths=paths), NAMES, st.sampled_from([(), ("run.sh",)])
    ),
    st.just(allow(ONE)),
)
SERVERS = st.builds(
    lambda text, version, start, digest: component(
        text, version, start=start, image=image(f"site/llm@{digest}", start=start)
    ),
    st.sampled_from([PREFILL, DECODE, f"{PREFILL} $ARGS", "engine serve"]),
    st.sampled_from([told("1.0", start=30), told("1.0", "1.4", start=20), unknown(start=10)]),
    st.integers(0, 40),
    st.sampled_from([ONE, OTHER]),
)


def in_order(wishes):
    """Comments come sorted by their places, and their lines with them."""
    comments = [one for one in wishes if one.reach]
    reaches = sorted(one.reach for one in comments)
    ends = sorted(one.end for one in reaches)
    spans = (Span("run.sh", one.start, end) for one, end in zip(reaches, ends, strict=True))
    placed = [replace(one, reach=reach) for one, reach in zip(comments, spans, strict=True)]
    return (*placed, *(one for one in wishes if not one.reach))


@given(
    st.lists(SERVERS, max_size=4), st.lists(WISHES, max_size=4), st.sets(st.sampled_from(["ADV-1"]))
)
def test_a_verdict_is_kept_or_taken_by_what_names_it(servers, wishes, ignored):
    asked = Wishes(Policy(suppressions=in_order(wishes)))
    for part in parts_of(judged(*servers, rules=(RULE,))):
        shared = share(part, asked, ignored)
        kept = shared.kept.verdicts if shared.kept is not None else ()
        taken = [verdict for _, lost in shared.taken for verdict in lost.verdicts]
        left = [verdict for verdict in part.verdicts if verdict.cause not in ignored]
        assert sorted(map(id, (*kept, *taken))) == sorted(map(id, left))
        for by, lost in shared.taken:
            for verdict in lost.verdicts:
                is_unknown = UNKNOWN_ID in by.ids and verdict.doubt == "version"
                allowed = by.digest and not verdict.by_rule
                assert verdict.cause in by.ids or is_unknown or allowed


@given(st.lists(SERVERS, max_size=5), st.lists(WISHES, max_size=4))
def test_names_are_different_and_those_of_untouched_findings_stay(servers, wishes):
    plain = found(*servers, rules=(RULE,))
    result = found(*servers, rules=(RULE,), wishes=in_order(wishes))
    every = [*result.findings, *(each.finding for each in result.suppressed)]
    assert len({one.fingerprint for one in every}) == len(every)
    before = {(one.causes, one.primary, one.components): one.fingerprint for one in plain.findings}
    for one in result.findings:
        key = (one.causes, one.primary, one.components)
        assert before.get(key, one.fingerprint) == one.fingerprint


COMMENTED = st.lists(
    st.sampled_from(
        [
            *("# servelint: ignore[ADV-1] x\n", "a: b # servelint: ignore[ADV-2] y\n"),
            *("image: c\n", "\n", "  // servelint: ignore[bad-flag] z\n", "a\r\n", "last"),
        ]
    ),
    max_size=12,
).map("".join)


@given(COMMENTED, st.integers(0, 200), st.integers(0, 60))
def test_a_comment_is_near_what_shares_a_line_with_what_it_speaks_of(text, start, size):
    policy, wrong = read(text)
    span = Span("a.yaml", min(start, len(text)), min(start + size, len(text)))
    assert wrong == ()
    lines = {text.count("\n", 0, at) for at in range(span.start, max(span.end, span.start + 1))}
    wanted = [
        one
        for one in policy.suppressions
        if lines.intersection(
            range(text.count("\n", 0, one.reach.start), text.count("\n", 0, one.reach.end) + 1)
        )
    ]
    assert list(Wishes(policy).near([span], [])) == wanted
