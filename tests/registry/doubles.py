"""Servers on this machine that stand for a registry and do what a real one seldom does."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from made_images import digest


class Double:
    """Answers by path: ``(status, headers, body)`` or a function of the request that gives that.

    ``seen`` are the requests, as (path with query, headers).
    """

    def __init__(self) -> None:
        self.answers = {}
        self.seen = []
        self.host = ""

    @property
    def url(self) -> str:
        return f"http://{self.host}"

    def serve(self, image, name="team/engine", tag="v1") -> str:
        """Serve an image under a tag and its digest; that digest."""
        manifest = image.manifest()
        answer = (200, {"Content-Type": image.kind}, manifest)
        self.answers[f"/v2/{name}/manifests/{tag}"] = answer
        self.answers[f"/v2/{name}/manifests/{digest(manifest)}"] = answer
        for key, blob in image.blobs().items():
            self.answers[f"/v2/{name}/blobs/{key}"] = (200, {}, blob)
        return f"{self.host}/{name}:{tag}"

    def leaked(self) -> list[str]:
        """The credentials that arrived here."""
        return [headers["Authorization"] for _, headers in self.seen if "Authorization" in headers]


@contextmanager
def running():
    double = Double()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # Headers and body are two packets: without a wait between.

        def do_GET(self):  # the name is the contract of the base class
            length = int(self.headers.get("Content-Length", 0))
            self.body = self.rfile.read(length).decode()
            double.seen.append((self.path, self.headers))
            answer = double.answers.get(self.path.partition("?")[0], (404, {}, b"{}"))
            status, headers, body = answer(self) if callable(answer) else answer
            if status is None:
                return
            self.send_response(status)
            for key, value in ({"Content-Length": len(body)} | headers).items():
                self.send_header(key, str(value))
            self.end_headers()
            self.wfile.write(body)
            # What was announced and does not come, shall not be waited for.
            self.close_connection = int(headers.get("Content-Length", 0)) > len(body)

        do_POST = do_GET  # noqa: N815  # same

        def log_message(self, *_):
            """Tests are quiet."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_):
            """A client that leaves early is what is tested."""

    server = Server(("127.0.0.1", 0), Handler)
    double.host = f"127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield double
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
