"""The same work on many items by several processes, with the answers of one process.

Items are handed out one by one, the longest first, and answers come back in
the order of the items. A process that ends or hangs costs the item that it
was at, and the answer says so; what cannot be sent back is done here.
"""

from __future__ import annotations

import gc
import io
import os
import pickle
import signal
import sys
import time
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass, fields
from operator import attrgetter

from servelint.source import Route, Span
from servelint.value import Open, Text, Unknown, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess
    from typing import Any, TypeVar

    Item = TypeVar("Item")
    Answer = TypeVar("Answer")

MAX_WORKERS = 8
"""More read no faster than one process takes in what they read."""

SECONDS = 60.0
"""A process that is at one item for longer hangs: readers have limits of their own."""

_AHEAD = 2
"""Items that a process has at hand, so that it need not wait for the next one."""

_READY = -1


@dataclass(frozen=True, slots=True)
class Lost:
    """An item without an answer: ``reason`` is one of a skip, ``detail`` is for people."""

    reason: str
    detail: str


def cores() -> int:
    """How many processors this process may use."""
    count = getattr(os, "process_cpu_count", None)  # Python 3.13
    if count is not None:
        return count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def each(
    work: Callable[[Item], Answer], items: Sequence[Item], sizes: Sequence[float]
) -> list[Answer | Lost]:
    """What ``work`` gives for each item; ``sizes`` tell roughly how long it takes.

    ``work`` is a function of a module: where processes cannot be forked, it is
    imported anew.
    """
    crew = _Crew(work, items, sizes)
    try:
        crew.run()
    finally:
        crew.stop()
    return [crew.answers[index] for index in range(len(items))]


@dataclass(slots=True, eq=False)
class _Worker:
    """A process, the items that it has, the first of them since ``since``."""

    process: BaseProcess
    pipe: Connection
    jobs: deque[int]
    since: float
    ready: bool = False

    @property
    def late(self) -> bool:
        """True for a process that has been at its item, or at its start, for too long."""
        is_busy = bool(self.jobs) or not self.ready
        return is_busy and time.monotonic() - self.since > SECONDS


class _Crew:
    """The processes that share the items, and what they have answered."""

    def __init__(
        self, work: Callable[[Any], Any], items: Sequence[Any], sizes: Sequence[float]
    ) -> None:
        self._work = work
        self._items = items
        self._waiting = deque(sorted(range(len(items)), key=lambda index: -sizes[index]))
        self._workers: list[_Worker] = []
        self._may_start = not _is_daemon()
        self.answers: dict[int, Any] = {}

    def run(self) -> None:
        """Have every item answered."""
        from multiprocessing.connection import wait  # noqa: PLC0415  # 15 ms that few runs need

        while len(self.answers) < len(self._items):
            self._hire()
            if not self._workers:
                self._do(*self._waiting)
                return
            for worker in tuple(self._workers):
                self._feed(worker)
            if not self._workers:
                continue
            heard = wait([worker.pipe for worker in self._workers], self._patience())
            for worker in tuple(self._workers):
                if worker.pipe in heard:
                    self._hear(worker)
                elif worker.late:
                    detail = f"not read within {SECONDS:g} seconds by a process of its own"
                    self._lose(worker, Lost("too-slow", detail))

    def stop(self) -> None:
        """End all processes, whatever they are at."""
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()
            worker.pipe.close()
        self._workers.clear()

    def _do(self, *indices: int) -> None:
        self.answers.update((index, self._work(self._items[index])) for index in indices)

    def _patience(self) -> float:
        """How long to wait until a process is late."""
        busy = [worker.since for worker in self._workers if worker.jobs or not worker.ready]
        oldest = min(busy, default=time.monotonic())
        return max(0.0, oldest + SECONDS - time.monotonic()) + 0.1

    def _hire(self) -> None:
        """Start processes while there is something to do for them."""
        wanted = min(cores(), MAX_WORKERS, len(self._waiting) + len(self._workers))
        while self._may_start and len(self._workers) < wanted:
            try:
                process, pipe = _start(self._work, self._items)
            except OSError:
                self._may_start = False
                return
            self._workers.append(_Worker(process, pipe, deque(), time.monotonic()))

    def _feed(self, worker: _Worker) -> None:
        """Give a process that waits for items some."""
        try:
            while worker.ready and self._waiting and len(worker.jobs) < _AHEAD:
                worker.pipe.send(self._waiting[0])
                if not worker.jobs:
                    worker.since = time.monotonic()
                worker.jobs.append(self._waiting.popleft())
        except OSError:
            self._lose_ended(worker)

    def _hear(self, worker: _Worker) -> None:
        """Take an answer."""
        try:
            index, answer = worker.pipe.recv()
        except (EOFError, OSError):
            self._lose_ended(worker)
            return
        worker.since = time.monotonic()
        if index == _READY:
            worker.ready = True
        elif answer is None:
            self._do(worker.jobs.popleft())
        else:
            self.answers[worker.jobs.popleft()] = answer

    def _lose_ended(self, worker: _Worker) -> None:
        worker.process.join(SECONDS)
        code = worker.process.exitcode
        ending = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        self._lose(worker, Lost("plugin-error", f"the process that read it ended ({ending})"))

    def _lose(self, worker: _Worker, lost: Lost) -> None:
        """Give up a process and the item that it was at; the others are still to be done."""
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()
        self._workers.remove(worker)
        if not worker.ready:  # no item is to blame
            self._may_start = False
        if worker.jobs:
            self.answers[worker.jobs.popleft()] = lost
        self._waiting.extendleft(reversed(worker.jobs))


# -- processes ----------------------------------------------------------------


def _is_daemon() -> bool:
    """True in a process that must not have children."""
    from multiprocessing import current_process  # noqa: PLC0415

    return current_process().daemon


def _start(work: Callable[[Any], Any], items: Sequence[Any]) -> tuple[BaseProcess, Connection]:
    from multiprocessing import get_context  # noqa: PLC0415

    method = "fork" if _may_fork() else "spawn"
    context: Any = get_context(method)
    here, there = context.Pipe()
    inherited = here if method == "fork" else None
    process = context.Process(target=_serve, args=(there, inherited, work, items), daemon=True)
    try:
        with _no_interrupt(), there:
            process.start()
    except BaseException:
        here.close()
        raise
    return process, here


def _may_fork() -> bool:
    """True where a fork is a whole copy: on Linux, without other threads."""
    try:
        return sys.platform == "linux" and len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return False


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Start a process so that Ctrl-C reaches only this one, which then ends the others."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(
    pipe: Connection, inherited: Connection | None, work: Callable[[Any], Any], items: Sequence[Any]
) -> None:
    """Answer as long as there is someone to answer to."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()  # what was there before the fork stays shared
    if inherited is not None:
        inherited.close()  # held open here, the other end would never seem to be gone
    try:
        pipe.send((_READY, None))
        while True:
            index = pipe.recv()
            pipe.send_bytes(_answer(work, items[index], index))
    except (EOFError, OSError):
        return


def _answer(work: Callable[[Any], Any], item: Any, index: int) -> bytes:
    """What ``work`` gives, None when it fails: it will fail at the other end, and be told there."""
    try:
        return _packed((index, work(item)))
    except Exception:  # noqa: BLE001  # nothing is lost
        return _packed((index, None))


# -- packing ------------------------------------------------------------------


def _reducer(kind: type) -> Callable[[Any], tuple[type, tuple[Any, ...]]]:
    values = attrgetter(*(each.name for each in fields(kind)))
    return lambda value: (kind, values(value))


_REDUCERS: dict[type, Callable[[Any], Any]] = {
    kind: _reducer(kind) for kind in (Span, Route, Text, Open, Unknown, Value)
}
"""The many small values: made by one call each, twice as fast as slot by slot."""


def _packed(answer: object) -> bytes:
    out = io.BytesIO()
    pickler = pickle.Pickler(out, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = _REDUCERS
    pickler.dump(answer)
    return out.getvalue()
