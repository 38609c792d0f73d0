"""``startup-log``: what two logs prove of a pair, and what they do not."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from server_logs import dump, numbers, read, refusal, row

SMALL, WHOLE, CONTEXT = 284_928, 2_097_152, 1_048_576


def pair(prefill, decode, release=18, prefill_more=None, decode_more=None, **said):
    """The judgement of a pair, each given as (pool, context)."""
    logs = {
        "p.log": [dump("prefill", release, **(prefill_more or {})), numbers(*prefill)],
        "d.log": [dump("decode", release, **(decode_more or {})), numbers(*decode)],
    }
    return read(logs, **said)[1]


def said_of(judgement):
    return " ".join(judgement.sentences)


# -- one row -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pool", "fits", "why"),
    [
        (CONTEXT, "yes", ()),
        (CONTEXT + 1, "yes", ()),
        (CONTEXT - 1, "no", ("1 tokens short",)),
        (SMALL, "no", ("763,648 tokens short",)),
    ],
)
def test_a_pool_fits_when_it_holds_the_whole_context(pool, fits, why):
    found = row([dump("prefill"), numbers(pool, CONTEXT)])
    assert (found.pool, found.context, found.fits, found.why) == (pool, CONTEXT, fits, why)


@pytest.mark.parametrize(
    ("line", "tags"),
    [
        (
            (
                "[2024-12-20 09:12:44 TP0] max_total_num_tokens=700, max_prefill_tokens=16, "
                "max_running_requests=9, context_len=900"
            ),
            "TP0",
        ),
        (
            (
                "[2025-04-16 10:00:00 DP1 TP0] max_total_num_tokens=700, chunked_prefill_size=-1, "
                "max_prefill_tokens=16, max_running_requests=9, context_len=900"
            ),
            "DP1 TP0",
        ),
        (
            (
                "[2025-08-20 07:07:08] max_total_num_tokens=700, chunked_prefill_size=None, "
                "max_prefill_tokens=16, max_running_requests=9, context_len=900, "
                "available_gpu_mem=2.1 GB"
            ),
            "",
        ),
        (
            (
                "[2026-10-30 03:00:00.517 DP0 ATTN_CP0 TP0 EP0] max_total_num_tokens=700, "
                "chunked_prefill_size=8, max_prefill_tokens=16, max_running_requests=9, "
                "context_len=900, available_cpu_mem=201.77 GB"
            ),
            "DP0 ATTN_CP0 TP0 EP0",
        ),
    ],
)
def test_the_line_of_every_release_is_read(line, tags):
    found = row([line])
    assert (found.pool, found.context, found.tags, found.line) == (700, 900, tags, 1)


@pytest.mark.parametrize(
    "line",
    [
        (
            "[2026-08-30 03:00:00 TP0] token_to_kv_pool_allocator memory leak detected! "
            "self.max_total_num_tokens=700, chunked_prefill_size=8, max_prefill_tokens=16, "
            "max_running_requests=9, context_len=900"
        ),
        (
            "self.max_total_num_tokens=700, max_prefill_tokens=1, max_running_requests=9, "
            "context_len=900"
        ),
        (
            "[2026-08-30 03:00:00] Receive: obj=GenerateReqInput(text='[2026-08-30 03:00:00 TP0] "
            "max_total_num_tokens=700, max_prefill_tokens=1, max_running_requests=9, "
            "context_len=900')"
        ),
        (
            "text='max_total_num_tokens=700, max_prefill_tokens=1, max_running_requests=9, "
            "context_len=900'"
        ),
    ],
)
def test_leak_checks_and_logged_prompts_are_no_startup_lines(line):
    rows, judgement = read({"a.log": [line]})
    assert rows == ()
    assert any("no startup line" in note for note in judgement.notes)


@pytest.mark.parametrize(
    ("release", "said", "factor"),
    [
        (15, {}, 1),
        (16, {"versions": {"": "0.5.16"}}, 1),
        (17, {"versions": {"": "0.5.17"}}, 4),
        (18, {}, 4),
        (20, {"versions": {"": "0.5.20"}}, 4),
        (21, {"versions": {"": "0.5.21"}}, 1),
        (23, {}, 1),
    ],
)
def test_the_pool_counts_times_dcp_size_in_some_releases_only(release, said, factor):
    found = row([dump("prefill", release, dcp_size=4), numbers(300, 1000)], **said)
    assert (found.least, found.most) == (300 * factor, 300 * factor)
    assert found.fits == ("yes" if factor == 4 else "no")


def test_dcp_size_without_a_version_leaves_both_open():
    line = "[2026-08-30 02:58:40] server_args=ServerArgs(disaggregation_mode='prefill', dcp_size=4"
    found = row([line, numbers(300, 1000)])
    assert (found.fits, found.least, found.most) == ("may", 300, 1200)
    assert "the version is not known" in found.why


def test_without_arguments_the_assumption_is_named():
    found = row([numbers(300, 1000)])
    assert (found.fits, found.assumed) == ("no", "--dcp-size is 1")
    assert row([numbers(300, 1000)], versions={"": "0.5.22"}).assumed == ""
    assert row([numbers(3000, 1000)]).assumed == ""


def test_a_sharded_cache_is_told_by_the_warning_only():
    sharded = dump("prefill", 23, enable_kv_cache_sharding=True)
    assert row([sharded, numbers(300, 1000)]).fits == "may"
    warning = (
        "[2026-08-30 02:59:59] KV pool holds 600 tokens, fewer than --context-length 1000. One"
    )
    found = row([sharded, warning, numbers(300, 1000)])
    assert (found.fits, found.least, found.why[0]) == ("no", 600, "by the server's own warning")


def test_a_pool_for_a_sliding_window_leaves_doubt():
    window = (
        "[2026-08-30 02:59:00] Use sliding window memory pool. full_layer_tokens=2000, "
        "swa_layer_tokens=400"
    )
    found = row([dump("prefill"), window, numbers(2000, 1000)])
    assert (found.fits, found.why) == ("may", ("the pool of the sliding window holds 400 tokens",))


# -- roles and versions --------------------------------------------------------


@pytest.mark.parametrize("release", [9, 18, 19, 23])
@pytest.mark.parametrize(
    ("mode", "role"), [("prefill", "prefill"), ("decode", "decode"), ("null", "none")]
)
def test_the_role_stands_in_the_arguments(mode, role, release):
    found = row([dump(mode, release), numbers(5, 9)])
    assert (found.role, found.role_by) == (role, "arguments")


def test_a_server_that_switches_roles_is_both():
    assert row([dump("decode", 21, enable_pd_role_switch=True), numbers(5, 9)]).role == "both"
    assert row([dump("null", 21, enable_pd_role_switch=True), numbers(5, 9)]).role == "none"


def test_people_know_the_role_better():
    log = [dump("decode"), numbers(5, 9)]
    assert row(log, roles={"a.log": "prefill"}).role_by == "option"
    assert row([numbers(5, 9)]).role == "unknown"


def test_a_line_of_decode_tells_the_role_where_the_arguments_are_missing():
    line = "[2026-08-30 02:59:00 TP0] KV cache is forced as chunk cache for decode server"
    found = row([line, numbers(5, 9)])
    assert (found.role, found.role_by) == ("decode", "log")


@pytest.mark.parametrize(
    ("release", "words"),
    [
        (9, "earlier than 0.5.11"),
        (11, "0.5.11 or later, earlier than 0.5.15"),
        (15, "0.5.15 or later, earlier than 0.5.17"),
        (18, "0.5.18"),
        (19, "0.5.19"),
        (20, "0.5.20"),
        (22, "0.5.22"),
        (23, "0.5.23 or later"),
    ],
)
def test_the_arguments_tell_the_release(release, words):
    found = row([dump("prefill", release), numbers(5, 9)])
    assert (found.version, found.version_by) == (words, "arguments")


def test_arguments_of_no_release_tell_none():
    """A build between two releases has some of what the next one brings."""
    mixed = dump("prefill", 19).replace("'dcp_size': 1, ", "")
    assert row([mixed, numbers(5, 9)]).version == ""
    late = dump("prefill", 18, enable_http_worker_reuseport=False)
    assert row([late, numbers(5, 9)]).version == ""


def test_a_line_that_a_later_release_brought_contradicts_the_arguments():
    warning = "[2026-08-30 02:59:59] KV pool holds 600 tokens, fewer than --context-length 1000."
    assert row([dump("prefill", 21), warning, numbers(600, 1000)]).version == ""
    assert row([dump("prefill", 23), warning, numbers(600, 1000)]).version == "0.5.23 or later"
    assert row([warning, numbers(600, 1000)]).version == "0.5.23 or later"


@pytest.mark.parametrize("text", ["0.5.21.dev5", "0.5.20rc1", "0.0.0.dev1+gabc"])
def test_a_version_without_a_place_in_the_order_tells_nothing(text):
    assert row([numbers(5, 9)], versions={"": text}).version == ""


def test_a_version_may_be_said_of_one_log():
    said = {"versions": {"p.log": "0.5.18", "": "0.5.22"}}
    rows, _ = read({"p.log": [numbers(5, 9)], "d.log": [numbers(5, 9)]}, **said)
    assert [found.version for found in rows] == ["0.5.18", "0.5.22"]


# -- what a server answers ---------------------------------------------------------


def answer(pool, limit, context=None, **more):
    """What ``/server_info`` gives, on one line."""
    row = {"disaggregation_mode": "prefill", "dcp_size": 1, "context_length": context}
    row |= {"max_total_num_tokens": pool, "max_req_input_len": limit, "version": "0.5.19"} | more
    return json.dumps(row | {"internal_states": [{"context_length": 5}]})


@pytest.mark.parametrize(
    ("pool", "limit", "context", "wanted"),
    [
        (300, 294, 1000, (1000, "no", 300, 300)),
        (2000, 994, 1000, (1000, "yes", 2000, 2000)),
        (2000, 994, None, (1000, "yes", 2000, 2000)),
        (300, 994, 1000, (1000, "yes", 1000, 1000)),  # ranks that share a context
        (300, 594, 1000, (1000, "no", 600, 600)),
        (300, 294, None, (0, "may", 300, 300)),
    ],
)
def test_an_answer_tells_the_limit_itself(pool, limit, context, wanted):
    found = row([answer(pool, limit, context, dcp_size=2)])
    assert (found.context, found.fits, found.least, found.most) == wanted
    assert (found.role, found.version, found.version_by) == ("prefill", "0.5.19", "log")


@pytest.mark.parametrize(
    "text",
    [
        '{"max_total_num_tokens": 5, "max_req_input_len": 9',
        '{"max_total_num_tokens": "5", "max_req_input_len": 9}',
        '{"max_total_num_tokens": 5, "max_req_input_len": -9}',
        '{"max_total_num_tokens": true, "max_req_input_len": 9}',
        '{"max_total_num_tokens": 5, "max_req_input_len": ' + "9" * 5000 + "}",
        '{"max_total_num_tokens, max_req_input_len": ' + "[" * 100_000,
    ],
)
def test_what_is_no_answer_gives_no_row(text):
    assert read({"a.json": [text]})[0] == ()


def test_answers_of_both_roles_are_judged_together():
    logs = {
        "p.json": answer(300, 294, 1000),
        "d.json": answer(2000, 994, 1000, disaggregation_mode="decode", version="0.5.21"),
    }
    _, found = read(logs)
    assert found.path == "open"
    assert "Prompts of 294 to 993 tokens are refused by prefill" in said_of(found)
    assert "If this prefill is a release" in said_of(found)


# -- pairs ---------------------------------------------------------------------


def test_a_small_pool_of_prefill_opens_the_way():
    found = pair((SMALL, CONTEXT), (WHOLE, CONTEXT))
    assert (found.path, found.fails) == ("open", True)
    assert "Prompts of 284,922 to 1,048,569 tokens are refused by prefill" in said_of(found)
    assert "which may be of other requests" in said_of(found)


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("0.5.19", "This prefill is 0.5.19 and hands one token"),
        ("0.5.20", "This prefill is 0.5.20 and refuses such a request with an error"),
        ("0.5.23", "This prefill is 0.5.23 and refuses such a request with an error"),
    ],
)
def test_the_version_of_prefill_decides_what_follows(version, words):
    found = pair((SMALL, CONTEXT), (WHOLE, CONTEXT), versions={"p.log": version})
    assert words in said_of(found)
    assert found.fails


@pytest.mark.parametrize("release", [19, 20, 21, 23])
def test_a_release_that_is_concluded_never_says_what_follows_for_sure(release):
    told = said_of(pair((SMALL, CONTEXT), (WHOLE, CONTEXT), release))
    assert "Before 0.5.20 prefill hands" in told
    assert "If this prefill is a release" in told


def test_two_equally_small_pools_leave_no_length_between_them():
    found = pair((SMALL, CONTEXT), (SMALL, CONTEXT))
    assert found.path == "closed"
    assert "Both roles refuse prompts of 284,922 tokens and more" in said_of(found)
    assert found.fails  # neither holds its context


def test_pools_that_fit_close_the_way_by_length_and_no_other():
    found = pair((WHOLE, CONTEXT), (WHOLE, CONTEXT))
    assert (found.path, found.fails) == ("closed", False)
    assert "any other refusal on prefill" in said_of(found)
    assert "safe" not in f"{said_of(found)} {' '.join(found.notes)}".lower()


def test_a_shorter_context_of_prefill_leaves_a_window_of_six_tokens():
    found = pair((WHOLE, 1000), (WHOLE, 2000))
    assert found.path == "open"
    told = said_of(found)
    assert "Prompts of 994 to 999 tokens are refused by prefill" in told
    assert "a handful of output tokens" in told
    assert "waits for it until a timeout" in told


@pytest.mark.parametrize(("drafts", "path"), [(5, "may-be-open"), (6, "may-be-open")])
def test_slots_for_drafts_may_close_the_window(drafts, path):
    more = {
        "speculative_algorithm": "EAGLE",
        "speculative_eagle_topk": 1,
        "speculative_num_steps": 1,
        "speculative_num_draft_tokens": drafts,
    }
    found = pair((WHOLE, 1000), (WHOLE, 2000), prefill_more=more)
    assert found.path == ("open" if drafts < 6 else path)


def test_a_shorter_context_of_decode_opens_nothing():
    found = pair((WHOLE, 2000), (WHOLE, 1000))
    assert found.path == "closed"
    assert "prefill computes what decode refuses" in said_of(found)


@pytest.mark.parametrize(
    ("prefill_cuts", "decode_cuts", "context", "path"),
    [
        (True, True, 2000, "closed"),
        (True, False, 2000, "may-be-open"),
        (False, True, 2000, "may-be-open"),
        (True, True, 1999, "may-be-open"),
    ],
)
def test_servers_that_cut_prompts_must_cut_them_at_one_length(
    prefill_cuts, decode_cuts, context, path
):
    found = pair(
        (WHOLE, 2000),
        (WHOLE, context),
        23,
        {"allow_auto_truncate": prefill_cuts},
        {"allow_auto_truncate": decode_cuts},
    )
    assert found.path == path
    assert "nothing compares the lengths, and no fix applies" in said_of(found)


def test_what_a_cutting_prefill_does_is_no_refusal():
    more = {"allow_auto_truncate": True}
    found = pair((SMALL, CONTEXT), (WHOLE, CONTEXT), 23, more)
    assert found.path == "open"
    assert "tokens are cut by prefill" in said_of(found)
    assert "0.5.20" not in said_of(found)


def test_the_gap_of_the_version_that_leaks_is_told_first():
    logs = {
        "new.log": [dump("prefill", 21), numbers(100, 1000)],
        "old.log": [dump("prefill", 21), numbers(900, 1000)],
        "d.log": [dump("decode", 21), numbers(1000, 1000)],
    }
    _, found = read(logs, versions={"new.log": "0.5.21", "old.log": "0.5.19"})
    first, leak, second, refusal_of_new, *_ = found.sentences
    assert first.startswith("Prompts of 894 to 993 tokens")
    assert "This prefill is 0.5.19 and hands one token" in leak
    assert second.startswith("Prompts of 94 to 993 tokens")
    assert "This prefill is 0.5.21 and refuses" in refusal_of_new


def test_the_least_of_several_logs_of_a_role_counts():
    logs = {
        "p1.log": [dump("prefill"), numbers(WHOLE, CONTEXT)],
        "p2.log": [dump("prefill"), numbers(SMALL, CONTEXT)],
        "d1.log": [dump("decode"), numbers(SMALL, CONTEXT)],
        "d2.log": [dump("decode"), numbers(WHOLE, CONTEXT)],
    }
    _, found = read(logs)
    assert found.path == "open"
    assert "(p2.log: 284,928)" in said_of(found)
    assert "(d2.log: 1,048,576)" in said_of(found)


def test_one_role_alone_cannot_tell():
    _, found = read({"p.log": [dump("prefill"), numbers(WHOLE, CONTEXT)]})
    assert (found.path, found.fails) == ("cannot-tell", False)
    assert "The two numbers of a decode server are missing" in said_of(found)
    assert "with a decode of at most 1,048,576 tokens of context" in said_of(found)
    _, found = read({"p.log": [dump("prefill"), numbers(SMALL, CONTEXT)]})
    assert (found.path, found.fails) == ("cannot-tell", True)
    assert "with a decode of at most" not in said_of(found)


def test_a_server_without_disaggregation_does_not_fail():
    _, found = read({"a.log": [dump("null"), numbers(SMALL, CONTEXT)]})
    assert (found.path, found.fails) == ("cannot-tell", False)


def test_very_many_ranks_that_differ_are_not_called_closed():
    def prefill(count):
        lines = [numbers(9000, 1000 + at, f" DP{at}") for at in range(count)]
        return [dump("prefill", dp_size=count), *lines]

    decode = [dump("decode"), numbers(9000, 900)]
    assert read({"p.log": prefill(300), "d.log": decode})[1].path == "closed"
    _, found = read({"p.log": prefill(301), "d.log": decode})
    assert found.path == "cannot-tell"
    assert found.sentences[0] == "More ranks differ than are compared."


def test_an_unknown_role_is_taken_for_either():
    logs = {
        "p.log": [dump("prefill"), numbers(WHOLE, CONTEXT)],
        "d.log": [dump("decode"), numbers(WHOLE, CONTEXT)],
        "x.log": [numbers(SMALL, CONTEXT)],
    }
    _, found = read(logs)
    assert found.path == "may-be-open"
    assert any(sentence.startswith("If the roles are so: ") for sentence in found.sentences)
    assert any("--role x.log=prefill" in note for note in found.notes)


TOKENS = st.integers(min_value=7, max_value=60)


@given(TOKENS, TOKENS, TOKENS, TOKENS)
def test_a_gap_is_told_exactly_where_a_prompt_falls_into_it(pool_p, ctx_p, pool_d, ctx_d):
    """Against the admission of a server, prompt by prompt."""

    def front(length, context):
        return length < context

    def scheduler(length, pool, context):
        return length < min(context - 1, pool - 1) - 5

    between = [
        length
        for length in range(1, 70)
        if front(length, ctx_p)
        and front(length, ctx_d)
        and not scheduler(length, pool_p, ctx_p)
        and scheduler(length, pool_d, ctx_d)
    ]
    found = pair((pool_p, ctx_p), (pool_d, ctx_d))
    assert found.path == ("open" if between else "closed")
    if between:
        count = f"{between[0]} to {between[-1]}" if len(between) > 1 else f"{between[0]}"
        assert f"Prompts of {count} tokens are refused by prefill" in said_of(found)


# -- what is not shown -----------------------------------------------------------


@pytest.mark.parametrize(
    ("release", "more"),
    [
        (18, {"enable_dp_attention": True, "dp_size": 8}),
        (22, {"attn_dp_size": 8, "dp_size": 8}),
    ],
)
def test_ranks_under_dp_attention_cannot_all_be_shown(release, more):
    found = pair((WHOLE, CONTEXT), (WHOLE, CONTEXT), release, more)
    assert any("one line stands for all ranks" in note for note in found.notes)
    assert not any("DP ranks are shown" in note for note in found.notes)


def test_missing_replicas_are_counted():
    lines = [numbers(WHOLE, CONTEXT, f" DP{rank} TP0") for rank in (0, 2)]
    _, found = read({"p.log": [dump("prefill", dp_size=4), *lines]})
    assert "p.log: 2 of 4 DP ranks are shown; nothing is known of the others." in found.notes


def test_a_slip_in_a_name_does_not_pass():
    _, found = read({"p.log": [numbers(5, 9)]}, roles={"q.log": "prefill"})
    assert any(note.startswith("q.log: no log and no server is called so") for note in found.notes)


def test_refusals_tell_the_limit_where_the_start_is_not_in_the_log():
    _, found = read({"p.log": [refusal(284_937, 284_922)]})
    assert any("is 284,928 tokens there" in note for note in found.notes)


def test_refusals_that_show_another_limit_than_the_start_are_told():
    log = [dump("prefill"), numbers(SMALL, CONTEXT), refusal(284_937, SMALL - 6)]
    _, found = read({"p.log": log})
    assert not any("refusals show" in note for note in found.notes)
    _, found = read({"p.log": [*log, refusal(284_937, 1994)]})
    assert any("2,000 tokens there; the startup line says another" in one for one in found.notes)


# -- starts and servers ----------------------------------------------------------


def test_the_last_start_counts_and_the_earlier_one_is_told():
    lines = [dump("prefill"), numbers(SMALL, CONTEXT), dump("prefill"), numbers(WHOLE, CONTEXT)]
    lines[3] = numbers(WHOLE, CONTEXT, stamp="2026-08-31 03:00:00")
    rows, found = read({"p.log": lines})
    assert [(one.pool, one.current, one.starts) for one in rows] == [
        (SMALL, False, 1),
        (WHOLE, True, 2),
    ]
    assert not found.fails
    assert any("an earlier start (line 2) had a pool of 284,928" in note for note in found.notes)


def test_a_line_that_is_earlier_than_the_one_before_is_of_another_server():
    lines = [numbers(WHOLE, CONTEXT), numbers(SMALL, CONTEXT, stamp="2026-08-29 03:00:00")]
    rows, found = read({"p.log": lines})
    assert [one.current for one in rows] == [True, True]
    assert found.fails


def test_a_line_that_was_collected_twice_is_one():
    lines = [numbers(SMALL, CONTEXT), numbers(SMALL, CONTEXT)]
    rows, _ = read({"p.log": lines})
    assert [one.starts for one in rows] == [1]


def test_servers_that_nothing_tells_apart_are_kept_up_to_a_number():
    lines = [numbers(100 + at, 1000, stamp=f"2026-08-{30 - at} 03:00:00") for at in range(12)]
    rows, found = read({"p.log": lines})
    assert [one.pool for one in rows] == list(range(100, 108))
    assert any("p.log: 4 lines of further servers or ranks" in note for note in found.notes)


def test_ranks_of_a_server_are_kept_up_to_a_number():
    lines = [numbers(at + 1, 1000, f" DP{at}") for at in range(510)]
    rows, found = read({"p.log": lines})
    assert len(rows) == 500
    assert any("p.log: 10 lines of further servers or ranks" in note for note in found.notes)


def test_answers_of_one_file_are_kept_up_to_a_number():
    rows, found = read({"p.json": [answer(300, 294, 1000)] * 11})
    assert len(rows) == 8
    assert any("p.json: 3 lines of further servers or ranks" in note for note in found.notes)


def test_logs_that_were_put_behind_one_another_keep_their_roles():
    later = numbers(WHOLE, CONTEXT, stamp="2026-09-01 03:00:00")
    lines = [dump("prefill"), numbers(SMALL, CONTEXT), dump("decode"), later]
    rows, found = read({"all.log": lines})
    assert [(one.role, one.current) for one in rows] == [("prefill", True), ("decode", True)]
    assert found.path == "open"


def test_two_servers_that_write_into_one_log_at_once_have_no_role():
    lines = [dump("prefill"), dump("decode"), numbers(SMALL, CONTEXT), numbers(WHOLE, CONTEXT)]
    rows, found = read({"all.log": lines})
    assert [one.role for one in rows] == ["unknown", "unknown"]
    assert any("give each a log of its own" in note for note in found.notes)


def test_services_of_one_file_are_told_apart():
    lines = [
        f"prefill-1  | {dump('prefill')}",
        f"decode-1   | {dump('decode')}",
        f"decode-1   | {numbers(WHOLE, CONTEXT, ' TP0')}",
        f"prefill-1  | {numbers(SMALL, CONTEXT, ' TP0')}",
    ]
    rows, found = read({"all.log": lines})
    assert {(one.server, one.role, one.line) for one in rows} == {
        ("prefill-1", "prefill", 4),
        ("decode-1", "decode", 3),
    }
    assert found.path == "open"
    assert "(all.log (prefill-1): 284,928)" in said_of(found)
