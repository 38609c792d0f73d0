"""Connections that end when the time is over, also under a server that sends a byte now and then.

The time limits of a socket are for one read each, and the head of an answer takes many.
"""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Adapter(HTTPAdapter):
    """The connections of one session, all of which are cut off after ``seconds``."""

    def __init__(self, seconds: float) -> None:
        self._sockets: list[socket.socket] = []
        super().__init__()
        self._timer = threading.Timer(seconds, self._cut)
        self._timer.daemon = True
        self._timer.start()

    def init_poolmanager(self, *given: Any, **options: Any) -> None:
        """Let all connections tell of their sockets."""
        super().init_poolmanager(*given, **options)
        kept = self._sockets

        class Plain(HTTPConnection):
            def _new_conn(self) -> socket.socket:
                return _kept(super()._new_conn(), kept)

        class Secure(HTTPSConnection):
            def _new_conn(self) -> socket.socket:
                return _kept(super()._new_conn(), kept)

        class PlainPool(HTTPConnectionPool):
            ConnectionCls = Plain

        class SecurePool(HTTPSConnectionPool):
            ConnectionCls = Secure

        self.poolmanager.pool_classes_by_scheme = {"http": PlainPool, "https": SecurePool}

    def close(self) -> None:
        """Let go of all connections, and of the limit."""
        self._timer.cancel()
        super().close()
        while self._sockets:
            self._sockets.pop().close()

    def _cut(self) -> None:
        for one in tuple(self._sockets):
            with suppress(OSError):  # it has ended by itself
                one.shutdown(socket.SHUT_RDWR)


def _kept(found: socket.socket, kept: list[socket.socket]) -> socket.socket:
    """The socket, of which a second handle is kept: TLS takes the first one over."""
    kept.append(found.dup())
    return found
