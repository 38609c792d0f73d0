"""``startup-log --record``: what is kept of a server, and when a launch is another one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from server_logs import dump, numbers, read
from trees import fill, servelint

from servelint.config import POOL_FILE, ConfigError
from servelint.deployment import Flag
from servelint.pool_file import HEAD, pool_records, save_pools, with_pools
from servelint.source import Span
from servelint.value import Unknown, Value, known
from servelint_sglang.logs.record import records, stale

HERE = Span("run.sh", 0, 0)
GIVEN = {"quantization": "fp8", "mem_fraction_static": 0.85, "context_length": 1000}


def recorded(role="prefill", release=21, line=None, **more):
    log = [dump(role, release, **(GIVEN | more)), line or numbers(300, 1000)]
    rows, _ = read({"p.log": log}, versions={"": "0.5.21"})
    (record,) = records(rows, "2026-11-30", "Ada")
    return record


def flag(name, text=None):
    return Flag(name, known(name, HERE), None if text is None else known(text, HERE))


LAUNCH = (
    flag("--model-path", "/models/owl-9b"),
    flag("--tp-size", "8"),
    flag("--quantization", "fp8"),
    flag("--mem-fraction-static", "0.850"),
    flag("--context-length", "1k"),
)


def test_a_record_holds_the_numbers_and_what_they_depend_on():
    record = recorded(speculative_algorithm="EAGLE")
    assert (record.engine, record.role, record.model) == ("sglang", "prefill", "zoo/owl-9b")
    assert (record.pool, record.context, record.version) == (300, 1000, "0.5.21")
    assert (record.evidence, record.date, record.by) == ("p.log:2", "2026-11-30", "Ada")
    assert dict(record.inputs) == {
        "--quantization": "fp8",
        "--tp-size": "8",
        "--dp-size": "1",
        "--dcp-size": "1",
        "--mem-fraction-static": "0.85",
        "--context-length": "1000",
        "--speculative-algorithm": "EAGLE",
    }


def test_the_least_pool_of_the_ranks_is_kept():
    log = [dump("decode", 21, dp_size=2)]
    log += [numbers(pool, 1000, f" DP{rank}") for rank, pool in enumerate((500, 400))]
    (record,) = records(read({"d.log": log})[0])
    assert (record.pool, record.evidence, record.version) == (400, "d.log:3", "")


@pytest.mark.parametrize(
    "lines", [[numbers(5, 9)], [dump("null"), numbers(5, 9)], [dump("decode")]]
)
def test_what_nothing_can_be_compared_with_is_not_kept(lines):
    assert records(read({"a.log": lines})[0]) == ()


def test_a_launch_with_the_same_options_is_the_same_server():
    assert stale(recorded(), LAUNCH) == ()
    assert stale(recorded(), LAUNCH, "0.5.21") == ()


def test_what_the_server_makes_up_is_not_compared():
    """Without --mem-fraction-static and --quantization it finds values of its own."""
    kept = [one for one in LAUNCH if one.name in ("--model-path", "--tp-size", "--context-length")]
    assert stale(recorded(), kept) == ()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            flag("--tp-size", "16"),
            "recorded with --tp-size 8, the launch has 16",
        ),
        (
            flag("--model-path", "zoo/owl-70b"),
            "recorded with --model-path zoo/owl-9b, the launch has zoo/owl-70b",
        ),
        (
            flag("--mem-fraction-static", "0.9"),
            "recorded with --mem-fraction-static 0.85, the launch has 0.9",
        ),
        (
            flag("--max-total-tokens", "4096"),
            "recorded without --max-total-tokens, the launch has 4096",
        ),
        (
            flag("--enable-dp-attention"),
            "recorded without --enable-dp-attention, the launch has True",
        ),
    ],
)
def test_an_option_that_differs_is_told(change, reason):
    assert stale(recorded(), (*LAUNCH, change)) == (reason,)


def test_an_option_that_is_missing_is_told():
    without = [one for one in LAUNCH if one.name != "--tp-size"]
    assert stale(recorded(), without) == ("recorded with --tp-size 8, the launch does not have it",)
    assert stale(recorded(), without, is_open=True) == (
        "recorded with --tp-size 8, the launch may not have it",
    )


def test_a_value_that_is_not_known_may_differ():
    width = Value(((Unknown("runtime-value", "$TP"),),), HERE)
    hidden = Flag("--tp-size", known("--tp-size", HERE), width)
    assert stale(recorded(), (*LAUNCH, hidden)) == (
        "recorded with --tp-size 8, the launch has a value that is not known",
    )


def test_another_version_is_told():
    assert stale(recorded(), LAUNCH, "0.5.22") == ("recorded with 0.5.21, the launch runs 0.5.22",)


def test_drafts_of_two_names_are_the_same():
    assert (
        stale(
            recorded(speculative_algorithm="EAGLE"),
            (*LAUNCH, flag("--speculative-algorithm", "NEXTN")),
        )
        == ()
    )


@given(st.text(max_size=12), st.text(max_size=12))
def test_a_value_is_the_same_as_itself_only(first, second):
    record = recorded(kv_cache_dtype="fp8_e4m3")
    assert stale(record, (*LAUNCH, flag("--kv-cache-dtype", "fp8_e4m3"))) == ()
    for text in (first, second):
        stale(record, (*LAUNCH, flag("--kv-cache-dtype", text), flag("--tp-size", text)))


# -- the file ------------------------------------------------------------------------


def test_a_record_comes_back_as_it_was(tmp_path):
    first, second = recorded(), recorded("decode", speculative_algorithm="EAGLE")
    assert save_pools(str(tmp_path), (first, second)) == POOL_FILE
    text = (tmp_path / POOL_FILE).read_text()
    assert text.startswith(HEAD)
    back = pool_records((tmp_path / POOL_FILE).read_text())
    assert [(one.role, one.pool, one.inputs) for one in back] == [
        ("prefill", 300, first.inputs),
        ("decode", 300, second.inputs),
    ]
    assert [text[one.span.start : one.span.end] for one in back] == ["zoo/owl-9b"] * 2


def test_the_command_says_what_it_wrote_and_that_it_wrote_nothing(tmp_path):
    line = numbers(300, 1000)
    fill(tmp_path, {"whole.log": f"{dump('prefill')}\n{line}\n", "torn.log": f"{line}\n"})
    told = ("startup-log", "torn.log", "--role", "torn.log=prefill", "--record", "--root", ".")
    torn = servelint(*told, cwd=tmp_path)
    assert torn.code == 2
    assert torn.err.startswith("servelint: --record: nothing to write")
    assert not (tmp_path / POOL_FILE).exists()
    whole = servelint("startup-log", "whole.log", "--record", "--root", ".", cwd=tmp_path)
    assert whole.out.endswith(f"{POOL_FILE}: servers written: 1\n")
    assert len(pool_records((tmp_path / POOL_FILE).read_text())) == 1


def test_a_server_that_starts_again_takes_the_place_of_its_entry():
    text = f"{HEAD}\n# our own\n" + with_pools("", (recorded(),))
    again = recorded(line=numbers(280, 1000))
    done = with_pools(text, (again, recorded("decode")))
    assert [(one.role, one.pool) for one in pool_records(done)] == [
        ("prefill", 280),
        ("decode", 300),
    ]
    assert "# our own" in done
    assert with_pools(done, (again,)) == done
    other = recorded(tp_size=4)
    assert len(pool_records(with_pools(done, (other,)))) == 3


ENTRY = 'engine = "sglang"\nrole = "decode"\nmodel = "owl"\npool = 5\ncontext = 9\n'


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("pool = 5", "pool = 0"), ":2: pool: expected a whole number from 1"),
        (("pool = 5", 'pool = "5"'), ":2: pool: expected a whole number from 1"),
        (('"decode"', '"none"'), ":2: role: 'none'; expected one of prefill, decode, both"),
        (("context = 9\n", ""), ":2: context is missing"),
        (("context = 9", "context = 9\nsize = 5"), ":2: unknown key 'size'; known are engine"),
        (("context = 9", 'context = 9\ninputs = {tp = "8"}'), ":2: inputs: expected names of opt"),
        (("context = 9", "context = 9\ninputs = {--tp = 8}"), ":2: inputs: expected options and"),
        (("context = 9", 'context = 9\nversion = "x"'), ":2: version: 'x' is no version"),
        (("context = 9", 'context = 9\ndate = "soon"'), ":2: date: expected a day"),
        (("[[pool]]", "[[pools]]"), ": unknown key 'pools'; expected [[pool]]"),
        (("context = 9", "context = "), ":6: "),
    ],
)
def test_a_wrong_entry_is_refused_with_its_place(change, message):
    with pytest.raises(ConfigError) as caught:
        pool_records(f"[[pool]]\n{ENTRY}".replace(*change))
    assert str(caught.value).startswith(POOL_FILE + message)


def test_a_file_that_is_not_right_is_not_written(tmp_path):
    (tmp_path / POOL_FILE).write_text("[[pool]]\n")
    with pytest.raises(ConfigError):
        save_pools(str(tmp_path), (recorded(),))
    assert (tmp_path / POOL_FILE).read_text() == "[[pool]]\n"
    assert [path.name for path in tmp_path.iterdir()] == [POOL_FILE]


def test_a_file_that_others_may_not_read_stays_so(tmp_path):
    path = tmp_path / POOL_FILE
    path.write_text("")
    path.chmod(0o600)
    save_pools(str(tmp_path), (recorded(),))
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(pool_records(path.read_text())) == 1


@pytest.mark.parametrize("text", ["pool = 5\n", "[[pool\n", "[pool]\na = 1\n"])
def test_an_array_is_written_into_toml_only(text):
    with pytest.raises(ConfigError):
        with_pools(text, (recorded(),))


def test_a_file_that_cannot_be_written_is_told(tmp_path):
    with pytest.raises(ConfigError, match="cannot be written"):
        save_pools(str(tmp_path / "gone"), (recorded(),))
    (tmp_path / POOL_FILE).mkdir()
    with pytest.raises(ConfigError):
        save_pools(str(tmp_path), (recorded(),))
