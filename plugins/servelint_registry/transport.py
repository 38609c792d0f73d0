"""HTTP as a look into a registry may use it: bounded in time, size and redirects.

A :class:`Session` is what both the token exchange of ``oras`` and our own requests go
through. It never lets credentials follow a redirect to another place.
"""

from __future__ import annotations

import time
from email.utils import parsedate_to_datetime
from http.cookiejar import DefaultCookiePolicy
from urllib.parse import urljoin, urlsplit

import requests
import urllib3

from servelint_registry.address import host_of, is_loopback
from servelint_registry.deadline import Adapter
from servelint_registry.errors import Problem, Spent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_REDIRECTS = 3
MAX_TRIES = 3
LONGEST_WAIT = 30.0
"""Seconds that a registry may ask to wait before the next try."""

SHORT_WAIT = 0.3
"""Seconds before the next try where a registry does not say how long."""

CONNECT_SECONDS = 10.0
SILENT_SECONDS = 30.0
"""How long a server may take to be reached, and to say anything at all."""

SMALL_BODY = 8_000_000
"""Bytes: no manifest, configuration or token is larger."""

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_BUSY = frozenset({429, 500, 502, 503, 504})


class Clock:
    """The time that is left of ``seconds`` from now on."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._start = time.monotonic()

    def spent(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._start

    def left(self) -> float:
        """Seconds that are left, more than none. Raises :class:`Spent`."""
        left = self.seconds - self.spent()
        if left <= 0:
            raise Spent(f"was not done after {self.seconds:g} s")
        return left


class Body:
    """The body of an answer: every read is checked for the time, and for ``limit`` bytes in all."""

    def __init__(self, raw: Any, clock: Clock, limit: int) -> None:
        self._raw = raw
        self._read = getattr(raw, "read1", raw.read)
        self._clock = clock
        self.limit = limit
        self.count = 0

    def read(self, size: int = 65536) -> bytes:
        """At most ``size`` bytes; none at the end. Raises :class:`Problem` and :class:`Spent`."""
        self._clock.left()
        try:
            data: bytes = self._read(size, decode_content=False)
        except (urllib3.exceptions.HTTPError, OSError) as error:
            self._clock.left()
            raise Problem(said(error)) from None
        self.count += len(data)
        if self.count > self.limit:
            raise Problem(f"sent more than {self.limit:,} bytes")
        return data

    def close(self) -> None:
        """Let go of the connection."""
        self._raw.close()

    def release_conn(self) -> None:
        """Give the connection back for the next request."""
        self._raw.release_conn()


class Session(requests.Session):
    """A session of one look. ``secure`` forbids plain HTTP, even after a redirect."""

    def __init__(self, clock: Clock, *, secure: bool) -> None:
        super().__init__()
        self.clock = clock
        self.secure = secure
        # Some registries take a client with cookies for a browser.
        self.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        # Without this, credentials of ~/.netrc would be sent, over those that were asked for.
        self.auth = _as_it_is
        within = Adapter(clock.left())
        self.mount("https://", within)
        self.mount("http://", within)
        self._answers: list[requests.Response] = []

    def close(self) -> None:
        """Close all connections, those of answers that were not read to their end too."""
        for response in self._answers:
            response.close()
        super().close()

    def get_redirect_target(self, resp: requests.Response) -> None:
        """None, always: requests would read the whole body of a redirect, however long it is."""

    def request(self, method: Any, url: Any, **options: Any) -> requests.Response:  # type: ignore[override]
        """The answer after redirects; its body is not read. Raises :class:`Problem`."""
        headers = {"Accept-Encoding": "identity", **(options.get("headers") or {})}
        given = {"params": options.get("params"), "data": options.get("data")}
        for _ in range(MAX_REDIRECTS + 1):
            response = self._patient(method, url, headers, given)
            if response.status_code not in _REDIRECTS:
                return response
            response.close()
            target = self._target(url, response.headers.get("Location", ""), method)
            if origin_of(target) != origin_of(url):
                headers.pop("Authorization", None)
            url, given = target, {"params": None, "data": None}
        raise Problem(f"redirected more than {MAX_REDIRECTS} times")

    def _target(self, url: str, location: str, method: str) -> str:
        """Where a redirect leads. Nothing leaves https, and nothing else comes to this machine."""
        try:
            target = urljoin(url, location)
            scheme, host, _ = origin_of(target)
        except ValueError:
            raise Problem("gave an address that is none") from None
        if method != "GET" or not host:
            raise Problem("redirected to nowhere")
        both_local = is_loopback(host_of(url)) and is_loopback(host)
        if scheme != "https" and not (scheme == "http" and both_local and not self.secure):
            raise Problem("redirected to a place that is not https")
        return target

    def _patient(
        self, method: str, url: str, headers: dict[str, str], given: dict[str, Any]
    ) -> requests.Response:
        """One request, again after a while when the server is busy."""
        for last in (*[False] * (MAX_TRIES - 1), True):
            response = self._once(method, url, headers, given)
            wait = None if last else _wait(response)
            if wait is None or wait >= self.clock.left():
                break
            response.close()
            time.sleep(wait)
        return response

    def _once(
        self, method: str, url: str, headers: dict[str, str], given: dict[str, Any]
    ) -> requests.Response:
        left = self.clock.left()
        try:
            response = super().request(
                method,
                url,
                headers=headers,
                stream=True,
                allow_redirects=False,
                timeout=(min(CONNECT_SECONDS, left), min(SILENT_SECONDS, left)),
                **given,
            )
        except (requests.RequestException, urllib3.exceptions.HTTPError, UnicodeError) as error:
            self.clock.left()
            raise Problem(said(error)) from None
        response.raw = Body(response.raw, self.clock, SMALL_BODY)
        self._answers.append(response)
        return response


def origin_of(url: str) -> tuple[str, str, int]:
    """Scheme, host and port: credentials are for one of these. Raises ValueError."""
    parts = urlsplit(url)
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)
    return parts.scheme, (parts.hostname or "").lower(), port


def said(error: Exception) -> str:
    """What an error of the network means. Its own text may hold addresses with tokens."""
    timeouts = (requests.Timeout, urllib3.exceptions.TimeoutError, TimeoutError)
    text = _MEANINGS.get(type(error))
    if text is None:
        text = "did not answer in time" if isinstance(error, timeouts) else _other(error)
    return text


def _other(error: Exception) -> str:
    if isinstance(error, requests.exceptions.InvalidURL | UnicodeError):
        return "gave an address that is none"
    if isinstance(error, requests.exceptions.ConnectionError):
        return "could not be reached"
    return "broke off its answer"


_MEANINGS: dict[type[Exception], str] = {
    requests.exceptions.SSLError: "has no certificate that can be trusted",
    requests.exceptions.ProxyError: "could not be reached through the proxy of the environment",
    urllib3.exceptions.SSLError: "has no certificate that can be trusted",
}


def _wait(response: requests.Response) -> float | None:
    """Seconds after which to try again; None when that is of no use."""
    if response.status_code not in _BUSY:
        return None
    text = response.headers.get("Retry-After", "")
    if not text:
        return SHORT_WAIT
    seconds = float(text) if text.isdecimal() and len(text) < 9 else _until(text)
    return seconds if 0 <= seconds <= LONGEST_WAIT else None


def _until(text: str) -> float:
    """Seconds until a date of HTTP; what is no date asks for no wait that could be kept."""
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return -1.0


def _as_it_is(request: requests.PreparedRequest) -> requests.PreparedRequest:
    return request
