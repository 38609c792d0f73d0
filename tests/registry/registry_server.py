"""A real registry on this machine, for the time of a test run: the one that Debian packages."""

from __future__ import annotations

import http.client
import shutil
import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

PROGRAM = "docker-registry"

MISSING = (
    f"NOT TESTED AGAINST A REAL REGISTRY: {PROGRAM} is not installed "
    f"(apt-get install -y --no-install-recommends {PROGRAM})"
)


def is_installed() -> bool:
    return shutil.which(PROGRAM) is not None


@contextmanager
def running(folder: Path, *lines: str):
    """A registry that keeps its images in ``folder``; yields ``host:port``."""
    port = _free_port()
    config = folder / "config.yml"
    config.write_text(
        "\n".join(
            (
                "version: 0.1",
                "log: {level: error, accesslog: {disabled: true}}",
                f"storage: {{filesystem: {{rootdirectory: {folder}/images}}}}",
                f"http: {{addr: '127.0.0.1:{port}'}}",
                *lines,
            )
        )
    )
    log = (folder / "log").open("wb")
    process = subprocess.Popen([PROGRAM, "serve", config], stdout=log, stderr=log)
    try:
        _wait_for(port, process, folder / "log")
        yield f"127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()
        log.close()


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def _wait_for(port: int, process: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"{PROGRAM} ended: {log.read_text()}")
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("GET", "/v2/")
            connection.getresponse().read()
        except OSError:
            time.sleep(0.05)
        else:
            return
        finally:
            connection.close()
    raise RuntimeError(f"{PROGRAM} did not answer: {log.read_text()}")
