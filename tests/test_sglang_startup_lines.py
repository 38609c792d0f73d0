"""``startup-log``: how lines are found, whose they are, and what they count."""

from __future__ import annotations

import io
import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from server_logs import dump, numbers, read, refusal

from servelint.reporters.lines import safe
from servelint.reporters.startup import as_json, report
from servelint_sglang.logs.arguments import read_arguments
from servelint_sglang.logs.scan import BLOCK, MAX_LINE, hits

# -- finding lines -----------------------------------------------------------------


def lines_with(text, *needles):
    return list(hits(io.BytesIO(text), needles))


def test_lines_are_found_with_their_numbers():
    text = b"one\nneedle two\n\nthree needle needle\nfour"
    assert lines_with(text, b"needle") == [(2, b"needle two"), (4, b"three needle needle")]


def test_a_line_that_lies_across_two_blocks_is_whole():
    text = b"x" * (BLOCK - 5) + b"\nthe needle is here\nend"
    assert lines_with(text, b"needle") == [(2, b"the needle is here")]


def test_of_a_long_line_the_beginning_is_looked_at():
    head = b"needle" + b"x" * (3 * BLOCK)
    found = lines_with(b"a\n" + head + b"needle\nneedle b\n", b"needle")
    assert [(number, len(line)) for number, line in found] == [(2, MAX_LINE), (3, 8)]


def test_what_stands_far_behind_in_a_line_is_not_found():
    assert lines_with(b"x" * (MAX_LINE + 9) + b"needle\n", b"needle") == []


@given(
    st.lists(st.sampled_from([b"a", b"needle", b"", b"xx needle", b"\xff"]), max_size=30),
    st.integers(min_value=1, max_value=7),
)
def test_lines_do_not_depend_on_how_they_arrive(lines, size):
    class Slow(io.BytesIO):
        def read(self, _=-1):
            return super().read(size)

    text = b"\n".join(lines)
    wanted = [(at, line) for at, line in enumerate(text.split(b"\n"), 1) if b"needle" in line]
    assert list(hits(Slow(text), (b"needle",))) == wanted


def test_a_shell_of_windows_writes_utf_16():
    log = f"{dump('decode')}\r\n{numbers(5, 9)}\r\n"
    for encoding in ("utf-16", "utf-8-sig"):
        rows, _ = read({"a.log": log.encode(encoding)})
        assert [(one.role, one.line) for one in rows] == [("decode", 2)]


def test_a_long_log_takes_no_more_memory_than_a_short_one():
    line = b"[2026-08-30 03:00:00 TP0] Decode batch. #running-req: 9, #token: 4096, \n"
    refused = refusal(9, 8).encode() + b"\n"

    def peak(count):
        text = io.BytesIO((line * 200 + refused) * count)
        tracemalloc.start()
        read_stream(text)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(100)  # tables are read once
    assert peak(2000) < peak(200) + 1_000_000  # of 28 MB


def read_stream(stream):
    from servelint_sglang.startup import startup

    return startup([("a.log", stream)])


# -- whose a line is -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "server"),
    [
        ("", ""),
        ("[pod/prefill-0/server] ", "pod/prefill-0/server"),
        ("2026-08-30T03:00:00.123456789Z ", ""),
        ("[pod/prefill-0/server] 2026-08-30T03:00:00.123456789Z ", "pod/prefill-0/server"),
        ("prefill-1  | ", "prefill-1"),
        ("\x1b[36mprefill-1  | \x1b[0m", "prefill-1"),
        ("Aug 30 03:00:00 node7 prefill[4711]: ", "node7 prefill"),
        ("2026-08-30T03:00:00+0200 node7 prefill[4711]: ", "node7 prefill"),
        ("2026-08-30T03:00:00.5Z stderr F ", ""),
        ("(Scheduler pid=4711, ip=10.0.0.7) ", "Scheduler ip=10.0.0.7"),
        ("prefill-7c9d-x2 server ", "prefill-7c9d-x2 server"),
        ("Loading shards:  50% 1/2 [00:02<00:02,  1.5it/s]", ""),
        ("Loading shards: 100%\r", ""),
    ],
)
def test_what_stands_before_a_line_names_the_server(head, server):
    rows, _ = read({"a.log": [head + dump("prefill"), head + numbers(5, 9, " TP0")]})
    assert [(one.server, one.role, one.tags) for one in rows] == [(server, "prefill", "TP0")]


@pytest.mark.parametrize("head", ["2026-08-30 03:00:00,123 - INFO - ", "INFO ", "I scheduler: "])
def test_a_line_in_a_format_of_ones_own_is_read(head):
    rows, _ = read({"a.log": [head + dump("prefill")[22:], head + numbers(5, 9)[22:]]})
    assert [(one.role, one.tags, one.pool) for one in rows] == [("prefill", "", 5)]


def test_lines_that_a_collector_wrote_as_json_are_read():
    def wrapped(line):
        return json.dumps({"log": line + "\n", "stream": "stderr", "pod": "prefill-0"})

    rows, _ = read({"a.log": [wrapped(dump("prefill", 21)), wrapped(numbers(5, 9))]})
    assert [(one.role, one.server) for one in rows] == [("prefill", "prefill-0")]


@pytest.mark.parametrize("text", ["{x", "{}", '{"log": 5}', '{"log": ', "[" * 9000, "{" * 9000])
def test_what_is_no_json_of_a_collector_stays_a_line(text):
    rows, _ = read({"a.log": [f"{text} {numbers(5, 9)}"]})
    assert rows == ()


def test_colours_are_left_out():
    line = numbers(5, 9, " TP0").replace("max_total", "\x1b[32mmax_total") + "\x1b[0m"
    rows, _ = read({"a.log": [line]})
    assert [one.pool for one in rows] == [5]


def test_more_servers_than_are_kept_are_counted():
    lines = [f"server-{number}  | {numbers(5, 9)}" for number in range(130)]
    rows, judgement = read({"a.log": lines})
    assert len(rows) == 100
    assert any("30 lines of further servers or ranks" in note for note in judgement.notes)


# -- arguments ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "values", "is_whole"),
    [
        ("ServerArgs(a='x', b=8, c=None)", {"a": "x", "b": "8", "c": "None"}, True),
        ("{'a': 'x', 'b': -1, 'c': True}", {"a": "x", "b": "-1", "c": "True"}, True),
        ("ServerArgs(z=[1, {'a': 5}], a='y')", {"a": "y"}, True),
        ('ServerArgs(a="it\'s, b=3", c=0.5)', {"a": "it's, b=3", "c": "0.5"}, True),
        (r"ServerArgs(a='a\'b', b=2)", {"a": "a'b", "b": "2"}, True),
        ("ServerArgs(z=<function f at 0x7f>, a=1)", {"a": "1"}, True),
        ("ServerArgs(a=['x'], b={'c': 1})", {"a": "...", "b": "..."}, True),
        ("{'z': '{\"a\": 7}', 'a': 1} and 'b': 2", {"a": "1"}, True),
        ("ServerArgs(a='x', b=8", {"a": "x", "b": "8"}, False),
        ("ServerArgs(a='x', b='cut", {"a": "x", "b": "cut"}, False),
        ("ServerArgs(a='x\\", {"a": "x\\"}, False),
        ("ServerArgs(", {}, False),
    ],
)
def test_outermost_arguments_are_read(text, values, is_whole):
    found = read_arguments(text, {"a", "b", "c"})
    assert (dict(found.values), found.is_whole) == (values, is_whole)
    assert found.is_call == text.startswith("ServerArgs")


@given(st.text("'\"\\()[]{},=: ab1", max_size=200))
def test_no_arguments_are_too_odd(text):
    read_arguments("ServerArgs(" + text, {"a"})
    read_arguments("{" + text, {"a"})


# -- what is counted ---------------------------------------------------------------

SIGNS = {
    "rejected-length": refusal(9, 8),
    "rejected-media": "[2026-08-30 04:00:00] Multimodal prompt is too long after expanding "
    "multimodal tokens. After expanding len(x)=5 => 9 >= 8., self.rid='r'",
    "rejected-otherwise": "[2026-08-30 04:00:00] Grammar backend is not there, self.rid='r'",
    "truncated": "[2026-08-30 04:00:00] Request length is longer than the KV cache pool size or "
    "the max context length. Truncated. len(req.origin_input_ids)=9, max_req_input_len=8.",
    "pool-warning": "[2026-08-30 04:00:00] KV pool holds 5 tokens, fewer than --context-length 9.",
    "hold-timeout": "[2026-08-30 04:00:00] Deferred KV release for room 77 timed out after 30.0s "
    "without a full drain ack from prefill; releasing anyway.",
    "checksum-mismatch": "[2026-08-30 04:00:00] KV checksum mismatch req=r bootstrap_room=7 "
    "expected=0x1 got=0x2",
    "checksum-skipped": "[2026-08-30 04:00:00] KV checksum skipped: prefill layout signature 0x1 "
    "differs from this decode's 0x2",
    "metadata-buffers": "[2026-08-30 04:00:00] Decode 10.0.0.1:80 registered 9 metadata buffers "
    "but this prefill has 8; only",
    "context-corruption": "[2026-08-30 04:00:00] Context corruption detected: Request r "
    "(bootstrap_room=7) received metadata from bootstrap_room=8.",
    "state-pages": "[2026-08-30 04:00:00] len(prefill_state_indices) = 4, "
    "len(dst_state_indices) = 9",
    "tokens-capped": "[2026-08-30 04:00:00] max_total_tokens=99 is larger than the profiled value "
    "88. Use the profiled value instead.",
    "sliding-window": "[2026-08-30 04:00:00] Use Sliding window memory pool. full_layer_tokens=9, "
    "swa_layer_tokens=4",
}


@pytest.mark.parametrize("sign", SIGNS)
def test_a_sign_is_counted_with_its_first_line(sign):
    lines = ["nothing", SIGNS[sign], "nothing", SIGNS[sign], f"x='{SIGNS[sign]}'"]
    _, judgement = read({"d.log": lines})
    assert [(one.id, one.line, one.count) for one in judgement.signs] == [(sign, 2, 2)]


def test_the_signs_of_a_prefill_server_say_what_they_may_be():
    _, judgement = read({"p.log": [dump("prefill"), refusal(9, 8)], "d.log": [refusal(9, 8)]})
    prefill, decode = judgement.signs
    assert "may have been handed to decode" in prefill.text
    assert "decode" not in decode.text
    assert (prefill.role, decode.role) == ("prefill", "unknown")


def test_any_refusal_on_prefill_may_take_the_way():
    _, judgement = read({"p.log": [dump("prefill"), SIGNS["rejected-otherwise"]]})
    assert "up to 0.5.19 such a request may be handed to decode as well" in judgement.signs[0].text


# -- metrics -----------------------------------------------------------------------

HOLDS = "sglang:decode_deferred_kv_release_total"
KIND = f"# TYPE {HOLDS} counter"


def hold_line(outcome, value, rank=0):
    return f'{HOLDS}{{engine_type="decode",outcome="{outcome}",tp_rank="{rank}"}} {value}'


def test_gauges_make_rows():
    labels = '{engine_type="prefill",model_name="owl",tp_rank="0",dp_rank="3"}'
    lines = [
        "# TYPE sglang:max_total_num_tokens gauge",
        f"sglang:max_total_num_tokens{labels} 284928.0",
        f"sglang:context_len{labels} 1.048576e+06",
    ]
    rows, _ = read({"p.prom": lines})
    found = rows[0]
    assert (found.role, found.role_by, found.tags) == ("prefill", "metrics", "DP3 TP0")
    assert (found.pool, found.context, found.fits, found.line) == (284_928, 1_048_576, "no", 2)


def test_a_gauge_without_a_context_tells_half():
    rows, judgement = read({"p.prom": ['sglang:max_total_num_tokens{engine_type="decode"} 5']})
    assert (rows[0].fits, rows[0].context) == ("may", 0)
    assert judgement.path == "cannot-tell"


@pytest.mark.parametrize("value", ["NaN", "+Inf", "-1", "1e400", "0x5", "five"])
def test_what_is_no_count_is_no_gauge(value):
    rows, _ = read({"p.prom": [f"sglang:max_total_num_tokens {value}"]})
    assert rows == ()


def test_series_are_kept_up_to_a_number():
    lines = [f'sglang:max_total_num_tokens{{pod="p{at}"}} 5' for at in range(4010)]
    rows, judgement = read({"p.prom": lines})
    assert len(rows) == 4000
    assert any("10 lines of further servers or ranks" in note for note in judgement.notes)


def test_the_share_of_holds_that_ended_by_the_timeout():
    lines = [KIND, hold_line("timeout", "3.0"), hold_line("drained", "6.0")]
    lines += [hold_line("drained", "2.0", rank=1), hold_line("error", "1.0"), "", KIND]
    lines += [hold_line("timeout", "5.0")]  # a later scrape: counters only grow
    rows, judgement = read({"d.prom": lines})
    (found,) = judgement.holds
    assert (found.drained, found.timeout, found.error, found.total) == (8, 5, 1, 14)
    assert "5 of 14 holds of pages (35.7 %) ended by the timeout" in report(rows, judgement)
    assert json.loads(as_json(rows, judgement))["holds"][0]["timeout_share"] == 0.3571


def test_a_counter_without_series_has_counted_nothing_yet():
    _, judgement = read({"d.prom": [KIND]})
    assert judgement.holds[0].total == 0
    assert "no hold of pages has ended yet" in report((), judgement)


def test_a_counter_that_is_not_there_says_nothing():
    _, judgement = read({"d.prom": ['sglang:max_total_num_tokens{engine_type="decode"} 5']})
    assert judgement.holds == ()
    assert any("says nothing about whether pages are held" in note for note in judgement.notes)


# -- any text ----------------------------------------------------------------------

PIECES = [
    *SIGNS.values(),
    *(dump("prefill"), dump("decode", 21), numbers(5, 9), numbers(7, 3, " DP0 TP1"), KIND),
    *(hold_line("timeout", 1), "sglang:max_total_num_tokens{", "server_args=", "{", "}", "\\", "'"),
    *(
        "[2026-08-30 03:00:00 TP0] ",
        "prefill-1 | ",
        "\x1b[",
        "\r",
        "\n",
        "\0",
        "\ud7ff",
        "9" * 5000,
    ),
]
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=20), max_size=12)


@given(TEXTS, TEXTS, st.binary(max_size=40))
def test_no_text_is_too_odd(first, second, tail):
    logs = {
        name: "".join(text).encode("utf-8", "replace")
        for name, text in (("a.log", first), ("b.log", second))
    }
    logs["b.log"] += tail
    rows, judgement = read(logs)
    shown = report(rows, judgement)
    assert all(safe(line) == line for line in shown.split("\n"))
    assert json.loads(as_json(rows, judgement))["length_path"] == judgement.path
    assert "safe" not in shown.lower().replace("unsafe", "")
