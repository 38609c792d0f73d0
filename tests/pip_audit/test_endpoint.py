"""The OSV on the loopback interface: what it answers, how fast, and when it stops answering."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from urllib.parse import urlsplit

import pytest
from osv_double import vulnerability

from servelint_pip_audit import AuditError
from servelint_pip_audit.endpoint import Desk, served
from servelint_pip_audit.upstream import Upstream

OURS = vulnerability("x_SITE-1", "engine", "2.0")


class Overlay:
    def answer(self, name, version):
        return (OURS,) if (name, version) == ("engine", "1.0") else ()

    def record(self, name):
        return OURS if name == OURS["id"] else None


class Broken(Overlay):
    def answer(self, *_):
        raise ValueError("a defect")


def question(name, version="1.0"):
    return {"package": {"name": name, "ecosystem": "PyPI"}, "version": version}


class Client:
    def __init__(self, url):
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._connection.close()

    def ask(self, path, body=None):
        method = "GET" if body is None else "POST"
        self._connection.request(method, path, None if body is None else json.dumps(body))
        response = self._connection.getresponse()
        self.headers = response.headers
        return response.status, json.loads(response.read())


@pytest.fixture
def asking(osv):
    desk = Desk(Overlay(), Upstream(osv.url))
    with served(desk) as url, Client(url) as client:
        client.desk = desk
        yield client


def test_both_sides_answer_in_one(asking, osv):
    public = vulnerability("PYSEC-1", "engine")
    osv.knows("engine", public)
    assert asking.ask("/v1/query", question("engine")) == (200, {"vulns": [OURS, public]})
    assert asking.ask("/v1/query", question("engine", "3")) == (200, {"vulns": [public]})
    assert asking.ask("/v1/query", question("other")) == (200, {})
    assert asking.headers["Cache-Control"] == "no-store"
    assert asking.desk.asked == 3


def test_a_batch_names_the_records_and_each_can_be_fetched(asking, osv):
    short = {"id": "PYSEC-1", "modified": "2026-01-02T00:00:00Z"}
    osv.answers["/v1/querybatch"] = {"results": [{"vulns": [short]}, {}, {"next_page_token": "t"}]}
    osv.answers["/v1/vulns/PYSEC-1"] = vulnerability("PYSEC-1", "engine")
    asked = [question("engine"), question("other"), question("engine") | {"page_token": "s"}]
    _, answer = asking.ask("/v1/querybatch", {"queries": asked})
    first, second, third = answer["results"]
    assert [one["id"] for one in first["vulns"]] == ["x_SITE-1", "PYSEC-1"]
    assert second == {}
    assert third == {"next_page_token": "t"}  # ours stood on the first page
    assert asking.ask("/v1/vulns/x_SITE-1") == (200, OURS)
    assert asking.ask("/v1/vulns/PYSEC-1")[1]["id"] == "PYSEC-1"


def test_packages_of_other_kinds_are_not_ours(asking):
    other = {"package": {"name": "engine", "ecosystem": "npm"}, "version": "1.0"}
    assert asking.ask("/v1/query", other) == (200, {})


def test_other_paths_are_not_there():
    with served(Desk(Overlay(), None)) as url, Client(url) as client:
        assert client.ask("/")[0] == 404
        assert client.ask("/v1/vulns/unknown")[0] == 404
        assert client.ask("/v1/other", {})[0] == 404


def test_three_hundred_questions_take_little_time():
    """Without care for the network's timers each would take 40 ms, 12 s in all."""
    with served(Desk(Overlay(), None)) as url, Client(url) as client:
        start = time.perf_counter()
        for at in range(300):
            client.ask("/v1/query", question(f"package-{at}"))
        assert time.perf_counter() - start < 1.5


@pytest.mark.parametrize("overlay", [Overlay(), Broken()])
def test_where_no_answer_can_be_given_none_is(osv, overlay):
    osv.answers["/v1/query"] = (200, b"<html>")
    desk = Desk(overlay, Upstream(osv.url))
    got = []

    def ask(client):
        try:
            with client:
                got.append(client.ask("/v1/query", question("engine")))
        except (OSError, http.client.HTTPException) as error:
            got.append(error)

    with served(desk) as url:
        thread = threading.Thread(target=ask, args=(Client(url),))
        thread.start()
        deadline = time.monotonic() + 5
        while not desk.failure and time.monotonic() < deadline:
            time.sleep(0.01)
        assert got == []  # it waits: an audit that is to be ended is told nothing
    thread.join(10)
    assert isinstance(got[0], Exception)
    assert ("a defect" in desk.failure) == isinstance(overlay, Broken)


def test_a_port_in_use_is_told():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with (
            pytest.raises(
                AuditError, match=r"cannot listen on 127\.0\.0\.1: Address already in use"
            ),
            served(Desk(Overlay(), None), port),
        ):
            pass


def test_a_body_without_length_is_refused():
    with served(Desk(Overlay(), None)) as url:
        connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)
        connection.putrequest("POST", "/v1/query")
        connection.endheaders()
        assert connection.getresponse().status == 400
        connection.close()
