"""The audit as a child process: it ends when it is told to, and so do we."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest
from audited import own, words
from trees import Done, clean_environment

from servelint_pip_audit import AuditError
from servelint_pip_audit.child import environment, run
from servelint_pip_audit.endpoint import Desk


def python(code):
    return (sys.executable, "-c", code)


@pytest.mark.parametrize("code", [0, 1, 2, 7])
def test_exit_codes_come_through(code):
    assert run(python(f"raise SystemExit({code})")) == code


@pytest.mark.skipif(os.name == "nt", reason="no signals there")
def test_a_child_that_is_killed_ends_as_in_a_shell():
    assert run(python("import os; os.kill(os.getpid(), 9)")) == 137


def test_a_program_that_is_not_there_is_told(tmp_path):
    with pytest.raises(AuditError, match="cannot be started: No such file"):
        run((str(tmp_path / "missing"),))


def test_a_failure_ends_the_audit_at_once():
    desk = Desk(None, None)
    desk.failure = "the upstream is gone"
    start = time.monotonic()
    with pytest.raises(AuditError, match="the upstream is gone"):
        run(python("import time; time.sleep(60)"), desk)
    assert time.monotonic() - start < 10


def test_no_proxy_stands_between():
    assert environment({"A": "b"}) == {"A": "b"}  # the machine's own settings stay in force
    env = environment({"HTTPS_PROXY": "http://p", "NO_PROXY": "x.example"})
    assert env["no_proxy"] == env["NO_PROXY"] == "x.example,127.0.0.1"
    assert environment({"http_proxy": "http://p"})["no_proxy"] == "127.0.0.1"
    assert environment({"http_proxy": "http://p", "no_proxy": "*"})["no_proxy"] == "*"


@pytest.mark.skipif(os.name == "nt", reason="no signals there")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_audit_that_is_stopped_leaves_nothing_behind(pair, osv, number, code):
    """The upstream answers the first question only, so the audit waits for it."""
    pytest.importorskip("pip_audit")
    held = []

    def query(question):
        if question["package"]["name"] != "pip":
            held.append(question)
            time.sleep(3)
        return {}

    osv.answers["/v1/query"] = query
    line = ("-r", "requirements.txt", "--no-deps", "--disable-pip", "--servelint-upstream", osv.url)
    audit = subprocess.Popen(
        words("pip-audit", *line),
        cwd=pair,
        env=clean_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while not held and time.monotonic() < deadline:
        time.sleep(0.05)
    assert held
    audit.send_signal(number)
    out, err = audit.communicate(timeout=20)
    done = Done(audit.returncode, out.decode(), err.decode())
    assert done.code == code
    assert "Traceback" not in done.err
    asks = "the audit asks the OSV at 127.0.0.1 and the records of servelint"
    assert own(done) == [f"servelint: {asks} instead of the package index"]
    with pytest.raises(ProcessLookupError):  # the whole group is gone
        os.killpg(audit.pid, 0)
