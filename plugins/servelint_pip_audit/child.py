"""The audit itself, as a child process: its arguments, streams and exit code are its own."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from contextlib import contextmanager, suppress

from servelint_pip_audit.endpoint import HOST
from servelint_pip_audit.errors import AuditError, Stopped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import FrameType

    from servelint_pip_audit.endpoint import Desk

TURN = 0.1
"""Seconds between two looks at whether the audit can go on."""

PATIENCE = 3.0
"""Seconds that an audit has to end by itself when it is told to."""

_PROXIES = ("http_proxy", "https_proxy", "all_proxy")


def run(words: Sequence[str], desk: Desk | None = None) -> int:
    """Run a program to its end, and give its exit code as a shell would.

    Raises :class:`AuditError` when it cannot be started or its questions not be answered, and
    :class:`Stopped` when somebody ends it.
    """
    with _stoppable():
        try:
            child = subprocess.Popen(words, env=environment(os.environ))  # noqa: S603  # no shell
        except OSError as error:
            raise AuditError(f"{words[0]} cannot be started: {error.strerror}") from error
        try:
            code = _waited(child, desk)
        except Stopped:
            # At a terminal the audit was told, too, and may just be cleaning up.
            with suppress(subprocess.TimeoutExpired):
                child.wait(TURN * 10)
            raise
        finally:
            _end(child)
    return code if code >= 0 else 128 - code


def _waited(child: subprocess.Popen[bytes], desk: Desk | None) -> int:
    while True:
        with suppress(subprocess.TimeoutExpired):
            return child.wait(TURN)
        if desk is not None and desk.failure:
            _end(child)
            raise AuditError(desk.failure)


def _end(child: subprocess.Popen[bytes]) -> None:
    if child.poll() is not None:
        return
    child.terminate()
    try:
        child.wait(PATIENCE)
    except (subprocess.TimeoutExpired, Stopped):  # told twice: at once
        child.kill()
        child.wait()


def environment(own: Mapping[str, str]) -> dict[str, str]:
    """An environment in which no proxy stands between the audit and us."""
    env = dict(own)
    if any(env.get(name) or env.get(name.upper()) for name in _PROXIES):
        kept = env.get("no_proxy") or env.get("NO_PROXY") or ""
        whole = kept if kept == "*" else ",".join(filter(None, (kept, HOST)))
        env |= {"no_proxy": whole, "NO_PROXY": whole}
    return env


@contextmanager
def _stoppable() -> Iterator[None]:
    """Let the signals that end a program raise :class:`Stopped` while the audit runs."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, _frame: FrameType | None) -> None:
        raise Stopped(number)

    before = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    heard = {one: handler for one, handler in before.items() if handler != signal.SIG_IGN}
    try:
        for one in heard:
            signal.signal(one, stop)
        yield
    finally:
        for one, handler in heard.items():
            signal.signal(one, signal.SIG_DFL if handler is None else handler)
