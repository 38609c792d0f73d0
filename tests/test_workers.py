"""Several processes give what one gives, and lose nothing without a word."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from functools import partial
from multiprocessing import parent_process
from pathlib import Path

import pytest

from servelint import read_many, workers
from servelint.discover import Discovery
from servelint.gather import gather
from servelint.read_many import read_files
from servelint.source import Route, Span
from servelint.value import Open, Text, Value
from servelint.workers import Lost, each

MANY = 60
needs_signals = pytest.mark.skipif(os.name == "nt", reason="no signals of this kind")


@pytest.fixture(autouse=True)
def _two_cores(monkeypatch):
    monkeypatch.setattr(workers, "cores", lambda: 2)


@pytest.fixture(params=["fork", "spawn"])
def _started_as(request, monkeypatch):
    if request.param == "fork" and sys.platform != "linux":
        pytest.skip("forks are for Linux")
    monkeypatch.setattr(workers, "_may_fork", lambda: request.param == "fork")


def double(number):
    return number * 2


def pid_of(_):
    return os.getpid()


def die():
    assert parent_process() is not None, "not in the process of the tests"
    os.kill(os.getpid(), signal.SIGKILL)


def end_at(bad, number):
    if number == bad:
        die()
    return number


def hang_at(bad, number):
    assert parent_process() is not None
    while number == bad:
        pass
    return number


def fail_at(bad, number):
    if number == bad:
        raise ValueError(f"bad {number}")
    return number


def deep(number):
    value = (Text("x"),)
    for _ in range(2_000 if number == 3 else 1):
        value = (Open("A", "${A}", (), value),)
    return value


def in_turn(work, count=20):
    return each(work, range(count), [1] * count)


@pytest.mark.usefixtures("_started_as")
def test_answers_come_in_the_order_of_the_items():
    assert each(double, range(30), [number % 7 for number in range(30)]) == [*range(0, 60, 2)]


def test_several_processes_answer_and_end():
    pids = set(in_turn(pid_of, 200))
    assert os.getpid() not in pids
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@needs_signals
@pytest.mark.usefixtures("_started_as")
def test_a_process_that_is_killed_costs_only_the_item_that_it_was_at():
    answers = in_turn(partial(end_at, 7))
    lost = Lost("plugin-error", "the process that read it ended (signal 9)")
    assert answers == [lost if number == 7 else number for number in range(20)]


def test_a_process_that_hangs_costs_only_the_item_that_it_was_at(monkeypatch):
    monkeypatch.setattr(workers, "SECONDS", 1.0)
    answers = in_turn(partial(hang_at, 7))
    assert [answer for answer in answers if answer not in range(20)] == [
        Lost("too-slow", "not read within 1 seconds by a process of its own")
    ]
    assert answers[7] not in range(20)


def test_what_fails_in_a_process_fails_here():
    with pytest.raises(ValueError, match="bad 5"):
        in_turn(partial(fail_at, 5))


def test_what_cannot_be_sent_is_done_here():
    answers = in_turn(deep, 6)
    depths = []
    for answer in answers:
        depth, value = 0, answer
        while isinstance(value[0], Open):
            depth, value = depth + 1, value[0].default
        depths.append(depth)
    assert depths == [1, 1, 1, 2_000, 1, 1]


def test_without_processes_everything_is_done_here(monkeypatch):
    def refuse(*_):
        raise BlockingIOError(11, "no more processes")

    monkeypatch.setattr(workers, "_start", refuse)
    assert set(in_turn(pid_of)) == {os.getpid()}


def test_a_process_that_never_gets_going_costs_nothing(monkeypatch):
    monkeypatch.setattr(workers, "_serve", lambda *_: os._exit(3))
    monkeypatch.setattr(workers, "_may_fork", lambda: True)
    if sys.platform == "linux":
        assert set(in_turn(pid_of)) == {os.getpid()}


def test_small_values_survive_packing():
    import pickle

    span = Span("a", 1, 2)
    value = Value(((Text("x", (span,)), Open("N", "$N", (), None, splits=True)),), span)
    assert pickle.loads(workers._packed((value, Route("a", (0, "b"))))) == (
        value,
        Route("a", (0, "b")),
    )


# -- files --------------------------------------------------------------------


def tree(root: Path, count: int = MANY) -> dict[str, str]:
    for number in range(count):
        (root / f"f{number:03}.sh").write_text(f"#!/bin/sh\n. ./g.sh\nrun --port {number} $X\n")
    (root / "g.sh").write_text("X=1\n")
    (root / "bad.yaml").write_text("a: [\n")
    (root / "broken.sh").write_bytes(b"#!/bin/sh\n\xff\n")
    return dict.fromkeys(sorted(path.name for path in root.iterdir()), "")


@pytest.fixture(name="much")
def _is_much(monkeypatch):
    """The tree of these tests is worth several processes."""
    monkeypatch.setattr(read_many, "WORTH", 5_000)


@pytest.mark.usefixtures("much")
def test_files_give_the_same_in_one_process_and_in_several(tmp_path, monkeypatch):
    names = tree(tmp_path)
    found = Discovery(tuple(names), len(names), ())
    shared = gather(str(tmp_path), found)
    monkeypatch.setattr(workers, "cores", lambda: 1)
    assert gather(str(tmp_path), found) == shared
    assert [skip.reason for skip in shared.skips] == ["syntax", "encoding"]
    assert len(shared.facts) >= MANY


@needs_signals
@pytest.mark.usefixtures("much")
@pytest.mark.skipif(sys.platform != "linux", reason="what is patched here is forked")
def test_a_file_that_ends_its_reader_is_a_skip(tmp_path, monkeypatch):
    names = tree(tmp_path)
    read = read_many.read_file

    def deadly(root, path, language):
        if path == "f007.sh":
            die()
        return read(root, path, language)

    monkeypatch.setattr(workers, "_may_fork", lambda: True)  # others leave threads behind
    monkeypatch.setattr(read_many, "read_file", deadly)
    readings = read_files(str(tmp_path), names)
    assert list(readings) == list(names)
    (skip,) = readings["f007.sh"].skips
    assert (skip.path, skip.stage, skip.reason) == ("f007.sh", "read", "plugin-error")
    assert skip.detail == "the process that read it ended (signal 9)"
    assert all(readings[name].facts for name in names if name[0] == "f" and name != "f007.sh")


def test_little_is_read_here(tmp_path, monkeypatch):
    names = tree(tmp_path)
    monkeypatch.setattr(workers, "_start", None)
    assert list(read_files(str(tmp_path), names)) == list(names)


@needs_signals
@pytest.mark.skipif(sys.platform != "linux", reason="what is patched here is forked")
def test_few_long_scripts_are_worth_several_processes(tmp_path, monkeypatch):
    line = "run --port 1\n"
    size = int(read_many.WORTH / 2 / len(line))
    for name in ("a.sh", "b.sh"):
        (tmp_path / name).write_text(line * size)
    monkeypatch.setattr(workers, "each", lambda _, jobs, __: [Lost("too-slow", "")] * len(jobs))
    readings = read_files(str(tmp_path), dict.fromkeys(("a.sh", "b.sh"), ""))
    assert [skip.path for one in readings.values() for skip in one.skips] == ["a.sh", "b.sh"]


# -- the end ------------------------------------------------------------------

SLOW = """
import os, signal, time
from servelint import workers
signal.signal(signal.SIGINT, signal.default_int_handler)  # who starts this may ignore it
workers.cores = lambda: 2
def slow(number):
    os.write(1, f"{os.getpid()}\\n".encode())
    time.sleep(2)
    return "x" * 1_000_000
workers.each(slow, range(60), [1] * 60)
"""


def is_gone(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.fixture(name="busy")
def start_busy():
    """A process with two others that are at work, and the ids of these."""
    process = subprocess.Popen(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{SLOW}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    yield process, [int(process.stdout.readline()) for _ in range(2)]
    process.kill()
    process.communicate()


def all_gone(pids):
    deadline = time.monotonic() + 20
    while not all(map(is_gone, pids)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return all(map(is_gone, pids))


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_ctrl_c_leaves_no_process_behind(busy):
    process, pids = busy
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert said.count("Traceback") == 1  # that of the process itself
    assert said.rstrip().endswith("KeyboardInterrupt")
    assert all_gone(pids)


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_who_has_nobody_to_answer_to_ends(busy):
    process, pids = busy
    process.kill()
    assert all_gone(pids)
