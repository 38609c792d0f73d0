"""A server that sends a byte now and then costs no more than the time that it has."""

from __future__ import annotations

import contextlib
import socket
import threading
import time

import pytest

from servelint_registry.errors import Problem, Spent
from servelint_registry.transport import Clock, Session

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"

ANSWERS = {
    "status": (b"HTTP/1.1 ", b"2"),
    "header": (HEAD + b"X-A: ", b"a"),
    "headers": (HEAD, b"X-A: a\r\n"),
    "interim": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "chunk": (CHUNKED + b"1;", b"a"),
    "trailer": (CHUNKED + b"1\r\n{\r\n0\r\n", b"X-A: a\r\n"),
    "body": (HEAD + b"Content-Length: 100000\r\n\r\n", b" "),
}
"""What a server sends at once, and what it then sends again and again."""


@pytest.fixture
def slow():
    """Starts a server of one answer; gives its address."""
    with contextlib.ExitStack() as stack:
        stop = threading.Event()

        def start(first, again):
            server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            thread = threading.Thread(target=serve, args=(server, first, again), daemon=True)
            thread.start()
            stack.callback(thread.join, 5)
            return f"http://127.0.0.1:{server.getsockname()[1]}/v2/"

        def serve(server, first, again):
            connection, _ = server.accept()
            with connection, contextlib.suppress(OSError):
                connection.recv(65536)
                connection.sendall(first)
                while not stop.wait(0.05):
                    connection.sendall(again)

        stack.callback(stop.set)
        yield start


@pytest.mark.parametrize("name", ANSWERS)
def test_a_trickle_of_any_part_of_an_answer_ends_in_time(slow, name):
    address, clock = slow(*ANSWERS[name]), Clock(0.5)
    session = Session(clock, secure=False)
    start = time.monotonic()
    with contextlib.closing(session), contextlib.suppress(Problem, Spent):
        response = session.request("GET", address)
        while response.raw.read():
            pass
    assert time.monotonic() - start < 5
    with pytest.raises(Spent):
        clock.left()


def test_an_answer_in_time_is_read_and_its_limit_ends_with_the_session(slow):
    session = Session(Clock(30), secure=False)
    with contextlib.closing(session):
        response = session.request("GET", slow(HEAD + b"Content-Length: 2\r\n\r\n{}", b""))
        assert response.raw.read() == b"{}"
    adapter = session.get_adapter("http://127.0.0.1/")
    assert not adapter._sockets
    adapter._timer.join(5)
    assert not adapter._timer.is_alive()
