"""An OSV on the loopback interface: our records, and those of the upstream beside them."""

from __future__ import annotations

import json
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from urllib.parse import unquote

from servelint_pip_audit.errors import AuditError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Protocol

    from servelint_pip_audit.upstream import Record, Upstream

    class Overlay(Protocol):
        """The records of a repository."""

        def answer(self, name: str, version: str) -> Sequence[Record]:
            """Those for one version of a package."""

        def record(self, name: str) -> Record | None:
            """One that was given, by its id; None for any other id."""


MAX_BODY = 20_000_000
HOST = "127.0.0.1"


class Desk:
    """Answers questions. ``asked`` counts them; ``failure`` is why the audit cannot go on."""

    def __init__(self, overlay: Overlay, upstream: Upstream | None) -> None:
        self._overlay = overlay
        self._upstream = upstream
        self._lock = Lock()
        self.asked = 0
        self.failure = ""
        self.closed = Event()

    def answer(self, path: str, body: bytes | None) -> Record | None:
        """What to answer; None for what is not there. ``body`` is None for a look-up.

        Raises :class:`AuditError` where the upstream fails.
        """
        if body is None:
            found = path.startswith("/v1/vulns/")
            return self._record(unquote(path.removeprefix("/v1/vulns/"))) if found else None
        question = json.loads(body)
        if path == "/v1/query":
            return self._query(question)
        return self._batch(question["queries"]) if path == "/v1/querybatch" else None

    def _query(self, question: Record) -> Record:
        records = [*self._own(question)]
        if self._upstream is not None:
            records += self._upstream.query(question)
        return {"vulns": records} if records else {}

    def _batch(self, questions: Sequence[Record]) -> Record:
        results: list[Record] = [{} for _ in questions]
        if self._upstream is not None and questions:
            results = self._upstream.batch(questions)
        for question, result in zip(questions, results, strict=True):
            # On a later page ours have been told already.
            own = self._own(question) if "page_token" not in question else ()
            told = [{"id": one["id"], "modified": one["modified"]} for one in own]
            if told:
                result["vulns"] = [*told, *result.get("vulns", ())]
        return {"results": results}

    def _own(self, question: Record) -> Sequence[Record]:
        package = question["package"]
        with self._lock:
            self.asked += 1
            if package.get("ecosystem", "PyPI") != "PyPI":
                return ()
            return self._overlay.answer(package["name"], question["version"])

    def _record(self, name: str) -> Record | None:
        with self._lock:
            own = self._overlay.record(name)
        if own is not None or self._upstream is None:
            return own
        return self._upstream.record(name)


@contextmanager
def served(desk: Desk, port: int = 0) -> Iterator[str]:
    """Answer on the loopback interface, and give the address; ``port`` 0 takes a free one.

    Raises :class:`AuditError` where that cannot be done.
    """
    try:
        server = _Server((HOST, port), type("_Bound", (_Handler,), {"desk": desk}))
    except OSError as error:
        raise AuditError(f"cannot listen on {HOST}: {error.strerror}") from error
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://{HOST}:{server.server_port}"
    finally:
        desk.closed.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # a question to an upstream may still wait for its answer
    allow_reuse_address = False

    def server_bind(self) -> None:
        """Bind without asking for the name of this machine, which may take seconds."""
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = HOST, int(self.server_address[1])

    def handle_error(self, request: object, client_address: object) -> None:
        """Nothing: who breaks off a connection has ended, and is waited for elsewhere."""


class _Handler(BaseHTTPRequestHandler):
    """Kept open, answered in one piece: else each answer waits for a timer of the network."""

    desk: Desk
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_POST(self) -> None:
        """A question."""
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > MAX_BODY:
            self.close_connection = True
            self._say(400, {"message": "expected a body"})
            return
        self._answer(self.rfile.read(int(length)))

    def do_GET(self) -> None:
        """A look-up by id."""
        self._answer(None)

    def _answer(self, body: bytes | None) -> None:
        try:
            found = self.desk.answer(self.path, body)
        except AuditError as error:
            self._fail(str(error))
        except Exception as error:  # noqa: BLE001  # told by who waits, and never as an answer
            self._fail(f"a question cannot be answered: {type(error).__name__}: {error}")
        else:
            missing = {"code": 5, "message": "not found"}
            self._say(200, found) if found is not None else self._say(404, missing)

    def _fail(self, why: str) -> None:
        """Say nothing until the audit is ended: its own words on this would only confuse."""
        self.desk.failure = self.desk.failure or why
        self.desk.closed.wait()
        self.close_connection = True

    def _say(self, status: int, content: Record) -> None:
        data = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the name is given
        """Nothing: the standard error is the audit's."""
