"""Verdicts: a wrong "fixed" or "not affected" is the worst that this program can say."""

from __future__ import annotations

from itertools import product

import pytest
from made_up import ENGINE, REAL_BACKEND, ROLES, advisory, component, env, place, resolution, row

from servelint.advisory import Affected, Condition, Mitigated
from servelint.deployment import Deployment, Range, Release
from servelint.judge import judge
from servelint.value import Value

SERVE = "engine serve"
PREFILL = f"{SERVE} --mode prefill"
BOTH_ROWS = advisory(row(when=(ROLES, REAL_BACKEND)))
BACKEND_X = advisory(row(when=(ROLES, Condition("--transfer-backend", ("x",)))))


def verdict(text=PREFILL, version="1.0", record=None, beside=(), **changes):
    """The one verdict of one record on one server."""
    server = component(text, version, **changes)
    deployment = Deployment((server, *beside), ())
    mine = [one for one in judge(deployment, [record or advisory()]) if one.component is server]
    (only,) = mine
    return only


def status(*args, **changes):
    return verdict(*args, **changes).status


# -- the plain answers --------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "version", "expected"),
    [
        (PREFILL, "1.0", "affected"),
        (f"{SERVE} --mode decode", "1.1.post1", "affected"),
        (f"{PREFILL} --mode-switch", "1.0", "affected"),
        (PREFILL, "1.2rc1", "affected"),
        (PREFILL, "1.2", "fixed"),
        (PREFILL, "1.2.post1+cu126", "fixed"),
        (SERVE, "1.0", "not_affected"),
        (f"{SERVE} --mode null", "1.0", "not_affected"),
        (SERVE, "1.2", "not_affected"),
        (PREFILL, "1.2.dev0", "under_investigation"),
        (PREFILL, "nonsense", "under_investigation"),
    ],
)
def test_role_and_version_decide(text, version, expected):
    assert status(text, version) == expected


def test_an_affected_verdict_is_as_severe_and_sure_as_its_evidence():
    got = verdict()
    assert (got.severity, got.confidence, got.doubt) == ("critical", "high", "")
    assert got.range == "is before 1.2"
    assert got.why == "before 1.2"
    low = verdict(version=resolution("1.0", confidence="low"))
    assert (low.status, low.severity, low.confidence) == ("affected", "critical", "low")


def test_the_reasons_are_told():
    assert verdict(version="1.2").why == "fixed in 1.2"
    assert verdict(SERVE).why == "not disaggregated"
    fake = verdict(f"{PREFILL} --transfer-backend fake", record=BOTH_ROWS)
    assert (fake.status, fake.why) == ("not_affected", "--transfer-backend excludes it")
    assert verdict(record=advisory(row(fixed=""))).why == "no version fixes"


def test_a_version_before_the_flaw_is_not_said_to_be_fixed():
    record = advisory(row(introduced="1.1", fixed="1.2"))
    assert verdict(version="1.0", record=record).why == "not among the affected versions"


# -- versions that cannot be told ---------------------------------------------


def test_an_unknown_version_is_under_investigation_at_most_medium():
    got = verdict(version=resolution(reason="mutable-tag"))
    assert (got.status, got.doubt, got.severity) == ("under_investigation", "version", "medium")
    assert got.why == "mutable-tag"
    small = verdict(version=resolution(reason="mutable-tag"), record=advisory(severity="low"))
    assert small.severity == "low"


def test_some_affected_candidates_are_under_investigation():
    got = verdict(version=resolution("1.0", "1.2"))
    assert (got.status, got.doubt) == ("under_investigation", "candidates")
    assert status(version=resolution("1.0", "1.1")) == "affected"
    assert status(version=resolution("1.2", "1.3")) == "fixed"


def test_no_candidates_and_no_reason_clear_nothing():
    assert status(version=resolution()) == "under_investigation"


def test_evidence_that_may_not_clear_accuses_only():
    assert status(version=resolution("1.0", clears=False)) == "affected"
    got = verdict(version=resolution("1.3", clears=False))
    assert (got.status, got.doubt) == ("under_investigation", "version")
    assert status(version=resolution("1.0", "1.3", clears=False)) == "under_investigation"


def test_evidence_that_may_not_clear_does_not_accuse_a_plain_server():
    assert status(SERVE, resolution("1.3", clears=False)) == "not_affected"


def test_a_plain_server_is_not_affected_whatever_its_version():
    assert status(SERVE, resolution(reason="no-evidence")) == "not_affected"


# -- conditions on options ----------------------------------------------------


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ("", "affected"),  # the default is not fake
        ("--transfer-backend x", "affected"),
        ("--transfer-backend fake", "not_affected"),
        ("--transfer-backend x --transfer-backend fake", "not_affected"),
        ("--transfer-backend fake --transfer-b=x", "affected"),
        ("--transfer-backend $BACKEND", "under_investigation"),
        ("--transfer-backend x|fake", "under_investigation"),
        ("--transfer-backend x|y", "affected"),
        ("--transfer-backend=fake|--transfer-backend=fake", "not_affected"),
    ],
)
def test_a_negated_condition(rest, expected):
    assert status(f"{PREFILL} {rest}", record=BOTH_ROWS) == expected


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ("", "not_affected"),  # the default is another
        ("--transfer-backend x", "affected"),
        ("--transfer-backend y", "not_affected"),
        ("--transfer-backend $BACKEND", "under_investigation"),
        ("--transfer-backend x|y", "under_investigation"),
    ],
)
def test_a_positive_condition(rest, expected):
    assert status(f"{PREFILL} {rest}", record=BACKEND_X) == expected


def test_a_flag_is_true_and_its_absence_is_empty():
    asks = advisory(row(when=(Condition("--trust", ("true",)),)))
    assert status(f"{SERVE} --trust", record=asks) == "affected"
    assert status(SERVE, record=asks) == "not_affected"
    denies = advisory(row(when=(Condition("--trust", ("true",), negated=True),)))
    assert status(f"{SERVE} --trust", record=denies) == "not_affected"
    assert status(SERVE, record=denies) == "affected"


def test_without_conditions_every_server_is_affected():
    assert status(SERVE, record=advisory(row(when=()))) == "affected"


def test_a_value_without_readings_is_unknown():
    server = component(f"{PREFILL} --transfer-backend x")
    flag = server.invocation.last("--transfer-backend")
    object.__setattr__(flag, "value", Value((), flag.value.span))
    (got,) = judge(Deployment((server,), ()), [BACKEND_X])
    assert (got.status, got.doubt) == ("under_investigation", "condition")


def test_one_sure_no_decides_whatever_else_is_unknown():
    text = f"{SERVE} --transfer-backend $BACKEND"
    assert status(text, resolution(reason="untagged"), record=BACKEND_X) == "not_affected"
    text = f"{SERVE} --mode $ROLE --transfer-backend y"
    assert status(text, record=BACKEND_X) == "not_affected"


def test_a_doubtful_condition_names_itself():
    got = verdict(f"{PREFILL} --transfer-backend $BACKEND", record=BACKEND_X)
    assert (got.doubt, got.why, got.severity) == ("condition", "--transfer-backend", "medium")


# -- open launches ------------------------------------------------------------


def test_an_assumed_default_accuses_with_less_confidence():
    got = verdict(f"{PREFILL} $ARGS", record=BOTH_ROWS)
    assert (got.status, got.confidence, got.severity) == ("affected", "medium", "critical")
    told = verdict(f"{PREFILL} --transfer-backend x $ARGS", record=BOTH_ROWS)
    assert (told.status, told.confidence) == ("affected", "high")


def test_an_assumed_default_never_clears():
    got = verdict(f"{PREFILL} $ARGS", record=BACKEND_X)
    assert (got.status, got.doubt, got.severity) == ("under_investigation", "condition", "low")


def test_a_fixed_version_clears_an_open_launch():
    assert status(f"{PREFILL} $ARGS", "1.2", record=BACKEND_X) == "fixed"
    assert status(f"{SERVE} $ARGS", "1.2") == "fixed"


# -- conditions on variables --------------------------------------------------

SWITCHED_OFF = advisory(row(when=(ROLES, Condition("HOLD", ("0", "false")))))


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ((), "not_affected"),
        ((env("HOLD", "0"),), "affected"),
        ((env("HOLD", "1"),), "not_affected"),
        ((env("HOLD", "$HOLD"),), "under_investigation"),
        ((env("HOLD", "0|1"),), "under_investigation"),
        ((env("HOLD", "0"), env("HOLD", "1")), "not_affected"),
        ((env("HOLD", "1"), env("HOLD", "0")), "affected"),
        ((env("HOLDING", "0"),), "not_affected"),
    ],
)
def test_a_condition_on_a_variable_is_told_by_the_last_setting(variables, expected):
    assert status(record=SWITCHED_OFF, variables=variables) == expected


# -- unknown roles ------------------------------------------------------------

WRAPPED = f"{SERVE} $ARGS"


def test_an_unknown_role_alone_is_counted_and_silent():
    got = verdict(WRAPPED)
    assert (got.status, got.silent) == ("under_investigation", True)
    assert verdict(WRAPPED, resolution(reason="untagged")).silent


@pytest.mark.parametrize(
    ("beside", "silent"),
    [
        (PREFILL, False),
        ("python -m engine_router --prefill a", False),
        ("python -m engine_router --policy a", True),
        (f"{SERVE} --transfer-port 1", False),
        (SERVE, True),
        (WRAPPED, True),
    ],
)
def test_an_unknown_role_speaks_beside_something_about_disaggregation(beside, silent):
    other = component(beside, start=100)
    assert verdict(WRAPPED, beside=(other,)).silent is silent


def test_an_unknown_role_speaks_with_an_option_or_a_variable_about_disaggregation():
    assert not verdict(f"{WRAPPED} --transfer-port 1").silent
    assert not verdict(WRAPPED, variables=(env("ENGINE_PD_TIMEOUT", "1"),)).silent
    assert verdict(WRAPPED, variables=(env("ENGINE_LOG", "1"),)).silent


def test_the_role_flag_itself_is_evidence():
    got = verdict(f"{SERVE} --mode $ROLE")
    assert (got.status, got.doubt, got.silent) == ("under_investigation", "role", False)
    assert got.severity == "medium"


def test_a_known_role_is_never_silent():
    assert not verdict().silent
    assert not verdict(version=resolution(reason="untagged")).silent


def test_a_record_that_asks_no_role_is_not_silenced_by_an_unknown_one():
    everybody = advisory(row(when=()))
    got = verdict(WRAPPED, record=everybody)
    assert (got.status, got.silent) == ("affected", False)


# -- several ranges, several records ------------------------------------------


def by_backend(first, second):
    """Fixed for most in one release, for a backend in a later one."""
    rows = (
        row(fixed="1.2", when=(ROLES, REAL_BACKEND)),
        row(introduced="1.2", fixed="1.3", when=(ROLES, Condition("--transfer-backend", ("x",)))),
    )
    return status(f"{PREFILL} {first}", second, record=advisory(*rows))


@pytest.mark.parametrize(
    ("rest", "version", "expected"),
    [
        ("--transfer-backend x", "1.1", "affected"),
        ("--transfer-backend x", "1.2", "affected"),
        ("--transfer-backend x", "1.3", "fixed"),
        ("--transfer-backend y", "1.1", "affected"),
        ("--transfer-backend y", "1.2", "fixed"),
        ("", "1.2", "fixed"),
        ("$ARGS", "1.2", "under_investigation"),
        ("--transfer-backend $B", "1.2", "under_investigation"),
        ("--transfer-backend $B", "1.3", "fixed"),
        ("--transfer-backend fake", "1.1", "not_affected"),
    ],
)
def test_the_worst_range_counts(rest, version, expected):
    assert by_backend(rest, version) == expected


def test_a_withdrawn_record_says_nothing():
    server = component()
    assert judge(Deployment((server,), ()), [advisory(withdrawn="2026-02-01")]) == ()


def test_a_record_of_another_package_says_nothing():
    assert judge(Deployment((component(),), ()), [advisory(package="other")]) == ()


def test_routers_are_not_judged():
    router = component("python -m engine_router --prefill a")
    assert judge(Deployment((router,), ()), [advisory(row(when=()))]) == ()


def test_every_server_of_a_deployment_gets_a_verdict_of_every_record():
    servers = (component(), component(f"{SERVE} --mode decode", start=100))
    records = [advisory(), advisory(id="ADV-2")]
    got = judge(Deployment(servers, ()), records)
    assert [(one.component, one.cause) for one in got] == [
        (server, record.id) for server, record in product(servers, records)
    ]


# -- places -------------------------------------------------------------------


def test_a_verdict_shows_the_role_flag_then_the_condition_then_the_launch():
    text = f"{PREFILL} --transfer-backend x"
    variable = env("HOLD", "0")
    record = advisory(
        row(
            when=(
                ROLES,
                Condition("--transfer-backend", ("x",)),
                Condition("HOLD", ("0",)),
            )
        )
    )
    pinned = resolution("1.0", evidence=(place(),))
    got = verdict(text, pinned, record=record, variables=(variable,))
    assert got.version == (place(),)
    shown = [(one.label, text[one.span.start : one.span.end]) for one in got.places]
    assert shown == [
        ("flag", "--mode prefill"),
        ("flag", "--transfer-backend x"),
        ("env", ""),
        ("launch", text),
    ]
    assert got.places[2].span == variable.span


# -- the whole table ----------------------------------------------------------

UNSURE = (resolution(reason="untagged"), resolution("1.0", "1.3"), resolution("1.3", clears=False))


@pytest.mark.parametrize("version", UNSURE)
@pytest.mark.parametrize("rest", ["", "$ARGS", "--transfer-backend $B", "--transfer-backend x"])
@pytest.mark.parametrize("mode", ["prefill", "decode", "$ROLE", "null|decode"])
def test_nothing_is_cleared_by_what_is_not_known(mode, rest, version):
    text = f"{SERVE} --mode {mode} {rest}"
    roles = ("decode",) if "|" in mode else ("",)
    for role in roles:
        got = status(text, version, record=BOTH_ROWS, role=role)
        assert got in ("affected", "under_investigation")


def test_a_range_is_judged_by_the_releases_of_the_engine():
    assert status(version=resolution(candidates=(Range("<1.2"),))) == "affected"
    assert status(version=resolution(candidates=(Range(">=1.0"),))) == "under_investigation"
    assert status(version=resolution(candidates=(Range(">=1.2"),))) == "fixed"
    assert Release("1.4").version == ENGINE.releases[-1]


# -- how a condition looks ----------------------------------------------------


DECODE = f"{SERVE} --mode decode"


def when(*conditions):
    return advisory(row(when=(ROLES, *conditions)))


@pytest.mark.parametrize(
    ("condition", "words", "variables", "expected"),
    [
        (Condition("--trust", test="set"), " --trust", (), "affected"),
        (Condition("--trust", test="set"), "", (), "not_affected"),
        (Condition("--trust", test="set", negated=True), "", (), "affected"),
        (Condition("--transfer-port", test="set"), " --transfer-port $PORT", (), "affected"),
        (Condition("HOLD", test="set"), "", (("HOLD", ""),), "affected"),
        (Condition("HOLD", test="set"), "", (), "not_affected"),
        (Condition("HOLD", ("false",), test="like"), "", (("HOLD", "No"),), "affected"),
        (Condition("HOLD", ("false",), test="like"), "", (("HOLD", "off"),), "not_affected"),
        (Condition("HOLD", ("false",), test="like"), "", (), "not_affected"),
        (Condition("HOLD", ("true",), test="like"), "", (("HOLD", "YES"),), "affected"),
        (Condition("HOLD", ("true",), test="like"), "", (("HOLD", "$X"),), "under_investigation"),
        (Condition("WAIT", ("30",), test="below"), "", (("WAIT", "29.5"),), "affected"),
        (Condition("WAIT", ("30",), test="below"), "", (("WAIT", "30"),), "not_affected"),
        (Condition("WAIT", ("30",), test="below"), "", (), "not_affected"),
        (Condition("WAIT", ("30",), test="below"), "", (("WAIT", "x"),), "under_investigation"),
    ],
)
def test_a_condition_looks_at_its_subject(condition, words, variables, expected):
    given = tuple(env(name, text) for name, text in variables)
    assert verdict(PREFILL + words, record=when(condition), env=given).status == expected


EVERY = Condition("HOLD", ("1",), whom="every")
ANY = Condition("HOLD", ("1",), whom="any")


@pytest.mark.parametrize(
    ("condition", "own", "other", "expected"),
    [
        (EVERY, "1", "1", "affected"),
        (EVERY, "1", "0", "not_affected"),
        (EVERY, "0", "1", "not_affected"),
        (EVERY, "1", "$X", "under_investigation"),
        (EVERY, "1", None, "under_investigation"),
        (EVERY, "0", None, "not_affected"),
        (ANY, "1", "0", "affected"),
        (ANY, "0", "1", "affected"),
        (ANY, "0", "0", "not_affected"),
        (ANY, "0", "$X", "under_investigation"),
        (ANY, "1", None, "affected"),
        (ANY, "0", None, "under_investigation"),
    ],
)
def test_a_condition_on_the_pair_asks_both_halves(condition, own, other, expected):
    peers = () if other is None else (component(DECODE, "1.0", env=(env("HOLD", other),)),)
    got = verdict(record=when(condition), env=(env("HOLD", own),), beside=peers)
    assert got.status == expected


def test_what_helps_weighs_less_in_its_versions_only():
    helps = Mitigated("1.1", "1.2", (EVERY,), "medium", "it is held")
    record = advisory(row(fixed="1.3"), mitigated=(helps,))
    peer = component(DECODE, "1.1", env=(env("HOLD", "1"),))
    held = {"record": record, "env": (env("HOLD", "1"),), "beside": (peer,)}
    assert verdict(version="1.1", **held).severity == "medium"
    assert verdict(version="1.1", **held).why == "it is held"
    assert verdict(version="1.0", **held).severity == "critical"
    assert verdict(version="1.2", **held).severity == "critical"
    assert verdict(version="1.1", **(held | {"beside": ()})).severity == "critical"
    assert verdict(version="1.1", **(held | {"env": ()})).severity == "critical"


def test_what_is_recorded_is_told_apart_from_what_looks_the_same():
    record = advisory(
        Affected("", "", (ROLES,), last_affected="1.1", basis="recorded"),
        Affected("", "", (ROLES,), basis="observed"),
    )
    known, seen = verdict(version="1.1", record=record), verdict(version="1.2", record=record)
    assert (known.severity, known.confidence) == ("critical", "high")
    assert known.range == "is recorded as affected up to 1.1"
    assert (seen.status, seen.severity, seen.confidence) == ("affected", "low", "medium")
    assert "may have the flaw too" in seen.range
    assert "ends with 1.1" in seen.range


def test_the_end_of_a_record_is_included():
    record = advisory(Affected("", "", (ROLES,), last_affected="1.1"))
    assert [status(version=one, record=record) for one in ("1.1", "1.1.post1", "1.2")] == [
        "affected",
        "fixed",
        "fixed",
    ]


def test_a_range_may_weigh_differently():
    record = advisory(row(fixed="1.1"), Affected("1.1", "1.3", (ROLES,), severity="low"))
    assert verdict(version="1.0", record=record).severity == "critical"
    assert verdict(version="1.2", record=record).severity == "low"


def test_what_is_done_otherwise_stands_alone():
    assert verdict(record=advisory(remedy="switch it off")).alone
    assert not verdict().alone
