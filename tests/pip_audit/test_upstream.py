"""An OSV that is down, slow or lying ends the audit, with one sentence."""

from __future__ import annotations

import json
import socket
import sys
import threading
import time

import pytest
from osv_double import vulnerability

from servelint_pip_audit import AuditError
from servelint_pip_audit.upstream import MAX_PAGES, Upstream, default_url

QUESTION = {"package": {"name": "a", "ecosystem": "PyPI"}, "version": "1"}


def test_records_come_through_as_they_are(osv):
    one = vulnerability("PYSEC-1", "a")
    osv.answers["/v1/query"] = {"vulns": [one]}
    assert Upstream(osv.url).query(QUESTION) == [one]
    assert osv.seen == [("/v1/query", QUESTION)]


@pytest.mark.parametrize("end", ["", "/", "/v1/query", "/v1/query/"])
def test_the_address_may_be_that_of_the_queries(osv, end):
    Upstream(osv.url + end).check()
    assert osv.seen[0][0] == "/v1/query"


def test_all_pages_are_read(osv):
    def query(question):
        page = int(question.get("page_token", "0"))
        more = {"next_page_token": str(page + 1)} if page < 2 else {}
        return {"vulns": [vulnerability(f"PYSEC-{page}", "a")], **more}

    osv.answers["/v1/query"] = query
    found = Upstream(osv.url).query(QUESTION)
    assert [one["id"] for one in found] == ["PYSEC-0", "PYSEC-1", "PYSEC-2"]


def test_pages_without_end_are_not_read(osv):
    osv.answers["/v1/query"] = {"next_page_token": "again"}
    with pytest.raises(AuditError, match=f"more than {MAX_PAGES} pages"):
        Upstream(osv.url).query(QUESTION)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((200, b"<html><body>Please log in</body></html>"), "something else than records"),
        ((200, b""), "something else than records"),
        ((200, b"[" * 100_000), "something else than records"),
        ((200, b"[]"), "something else than records"),
        ({"hello": 1}, "something else than records"),
        ({"vulns": "none"}, "something else than records"),
        ({"vulns": [{"summary": "no id"}]}, "something else than records"),
        ({"vulns": [{"id": "A", "schema_version": "2.0.0"}]}, "in schema '2.0.0', expected 1"),
        ({"vulns": [{"id": "A", "schema_version": 1}]}, "in schema 1, expected 1"),
        ((503, b"{}"), "answered with status 503"),
        ((301, b"{}"), "answered with status 301"),
        ((404, b"{}"), "answered with status 404"),
    ],
    ids=str,
)
def test_what_is_no_answer_ends_the_audit(osv, answer, said):
    osv.answers["/v1/query"] = answer
    with pytest.raises(AuditError, match=f"the OSV at 127.0.0.1 .*{said}"):
        Upstream(osv.url).check()


def test_a_batch_that_is_cut_short_ends_the_audit(osv):
    osv.answers["/v1/querybatch"] = {"results": [{}]}
    with pytest.raises(AuditError, match="did not answer every question"):
        Upstream(osv.url).batch([QUESTION, QUESTION])


def test_a_server_that_is_down_is_told():
    with socket.socket() as taken:  # bound, and not listening
        taken.bind(("127.0.0.1", 0))
        url = f"http://user:secret@127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(AuditError, match="cannot be reached: ConnectionError") as told:
            Upstream(url).check()
    assert "secret" not in str(told.value)


@pytest.mark.parametrize("first", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"])
def test_a_server_that_never_ends_is_told_in_time(first):
    with socket.create_server(("127.0.0.1", 0)) as server:
        upstream = Upstream(f"http://127.0.0.1:{server.getsockname()[1]}", seconds=0.3)
        start = time.monotonic()
        server.settimeout(5)
        if first:

            def drip():
                with server.accept()[0] as held:
                    held.recv(4096)
                    held.sendall(first)
                    held.settimeout(2)
                    held.recv(1)  # until who asked hangs up

            thread = threading.Thread(target=drip, daemon=True)
            thread.start()
        with pytest.raises(AuditError, match=r"did not answer within 0\.3 s|broke off|cannot be"):
            upstream.check()
        assert time.monotonic() - start < 2
        if first:
            thread.join(5)


@pytest.mark.parametrize("url", ["ftp://x/", "x.example", "http://", "http://x:bad/", "file:///x"])
def test_what_is_no_address_is_refused(url):
    with pytest.raises(AuditError, match="expected a URL"):
        Upstream(url)


def test_a_record_is_asked_for_by_its_id(osv):
    osv.answers["/v1/vulns/A%2F..%3Fb"] = vulnerability("A/..?b", "a")
    assert Upstream(osv.url).record("A/..?b")["id"] == "A/..?b"


def test_by_default_the_one_of_pip_audit_is_asked():
    osv = pytest.importorskip("pip_audit._service.osv")
    assert default_url() == osv.OsvService.DEFAULT_OSV_URL
    Upstream(default_url())  # an address that is understood; nobody is asked


def test_without_pip_audit_somebody_has_to_say_whom_to_ask(monkeypatch):
    monkeypatch.setitem(sys.modules, "pip_audit._service.osv", None)
    with pytest.raises(AuditError, match="say --servelint-upstream"):
        default_url()


def test_without_the_library_it_is_told_how_to_get_it(monkeypatch, osv):
    monkeypatch.setitem(sys.modules, "requests", None)
    with pytest.raises(AuditError, match=r"pip install 'servelint\[pip-audit\]'"):
        Upstream(osv.url).check()


def test_a_question_keeps_its_form(osv):
    Upstream(osv.url).query({**QUESTION, "more": [1]})
    assert json.loads(json.dumps(osv.seen[0][1])) == {**QUESTION, "more": [1]}
