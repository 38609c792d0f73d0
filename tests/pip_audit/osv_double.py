"""A server on this machine that stands for an OSV, and can do what none should."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Double:
    """``answers`` by path: a value for JSON, ``(status, body)``, or a function of the question."""

    def __init__(self):
        self.answers = {"/v1/query": {}}
        self.seen = []
        self.url = ""

    def knows(self, name, *records):
        """Give records for every version of one package."""

        def query(question):
            return {"vulns": list(records)} if question["package"]["name"] == name else {}

        self.answers["/v1/query"] = query


def vulnerability(name, package, fixed="9.9", **more):
    return {
        "schema_version": "1.7.0",
        "id": name,
        "modified": "2026-01-02T00:00:00Z",
        "published": "2026-01-01T00:00:00Z",
        "summary": "a public record",
        "affected": [
            {
                "package": {"ecosystem": "PyPI", "name": package},
                "ranges": [
                    {"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": fixed}]}
                ],
            }
        ],
        **more,
    }


@contextmanager
def running():
    double = Double()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1

        def do_POST(self):
            self.do_GET()

        def do_GET(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            question = json.loads(body) if body else None
            double.seen.append((self.path, question))
            answer = double.answers.get(self.path, (404, b"{}"))
            answer = answer(question) if callable(answer) else answer
            status, data = (
                answer if isinstance(answer, tuple) else (200, json.dumps(answer).encode())
            )
            self.send_response(status)
            if status == 301:
                self.send_header("Location", double.url)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *_: None  # who asks may be gone, on purpose
    double.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield double
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
