"""The OSV that is asked besides our own records: it must answer, in time, and in its format.

Whatever it does else ends the audit: records that are missing would look like safety.
"""

from __future__ import annotations

import json
from concurrent.futures import Future
from contextlib import suppress
from importlib import import_module
from queue import Empty, SimpleQueue
from threading import Thread
from urllib.parse import quote, urlsplit

from servelint_pip_audit.errors import AuditError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    import requests

    Record = dict[str, Any]

SECONDS = 12.0
"""How long one question may take, pages included: less than what the audit waits for us."""

MAX_BYTES = 50_000_000
MAX_PAGES = 50

QUERY = "/v1/query"

_PROBE = {"package": {"name": "pip", "ecosystem": "PyPI"}, "version": "1.0"}
"""A question whose answer does not matter: any OSV knows how to give one."""


class Upstream:
    """An OSV by its address: that of its queries, or what stands before ``/v1``.

    All methods raise :class:`AuditError` with one sentence.
    """

    def __init__(self, url: str, seconds: float = SECONDS) -> None:
        parts = urlsplit(url)
        try:
            has_port = parts.port is None or parts.port > 0
        except ValueError:
            has_port = False
        if parts.scheme not in ("http", "https") or not parts.hostname or not has_port:
            raise AuditError("--servelint-upstream: expected a URL (https://HOST/v1/query) or none")
        self._base = url.rstrip("/").removesuffix(QUERY)
        self._seconds = seconds
        self._sessions: SimpleQueue[requests.Session] = SimpleQueue()
        self.host = parts.hostname
        self.named = f"the OSV at {parts.hostname}"

    def check(self) -> None:
        """Ask something before the audit does: it must be there."""
        self.query(_PROBE)

    def query(self, question: Record) -> list[Record]:
        """The records for one package, of all pages."""
        found: list[Record] = self._within(lambda: self._pages(question))
        return found

    def batch(self, questions: Sequence[Record]) -> list[Record]:
        """For each question the ids that answer it, and where they go on, as it says them."""
        answer = self._within(lambda: self._asked("/v1/querybatch", {"queries": list(questions)}))
        results = answer.get("results")
        if not isinstance(results, list) or len(results) != len(questions):
            raise AuditError(f"{self.named} did not answer every question")
        found = [one if one is not None else {} for one in results]
        for one in found:
            self._checked(one)
        return found

    def record(self, name: str) -> Record:
        """A record by its id."""
        found = self._within(lambda: self._asked(f"/v1/vulns/{quote(name, safe='')}", None))
        return self._known(found)

    def _pages(self, question: Record) -> list[Record]:
        found: list[Record] = []
        for _ in range(MAX_PAGES):
            answer = self._asked(QUERY, question)
            found += self._checked(answer)
            if not answer.get("next_page_token"):
                return found
            question = {**question, "page_token": answer["next_page_token"]}
        raise AuditError(f"{self.named} gives more than {MAX_PAGES} pages for one package")

    def _checked(self, answer: object) -> list[Record]:
        """The records, or names of records, in an answer that has the form of one."""
        is_answer = isinstance(answer, dict) and (
            not answer or {"vulns", "next_page_token"} & answer.keys()
        )
        records = answer.get("vulns", []) if isinstance(answer, dict) and is_answer else None
        if not isinstance(records, list):
            raise AuditError(f"{self.named} answers something else than records")
        return [self._known(one) for one in records]

    def _known(self, one: object) -> Record:
        """A record of a schema that is read: others would be dropped without a word."""
        if not isinstance(one, dict) or not isinstance(one.get("id"), str):
            raise AuditError(f"{self.named} answers something else than records")
        schema = one.get("schema_version", "1.0.0")
        if not isinstance(schema, str) or schema.partition(".")[0] != "1":
            raise AuditError(f"{self.named} answers in schema {schema!r:.40}, expected 1")
        return one

    def _asked(self, path: str, body: Record | None) -> Record:
        """One exchange. ``body`` is None for a plain look-up."""
        requests = _requests()
        try:
            session = self._sessions.get_nowait()
        except Empty:
            session = requests.Session()
        try:
            # A redirected question would arrive without its body.
            with session.request(
                "GET" if body is None else "POST",
                self._base + path,
                json=body,
                timeout=self._seconds,
                allow_redirects=False,
                stream=True,
            ) as response:
                status = response.status_code
                data = response.raw.read(MAX_BYTES + 1, decode_content=True)
        except (requests.RequestException, OSError) as error:
            raise AuditError(f"{self.named} cannot be reached: {_plain(error)}") from error
        except import_module("urllib3").exceptions.HTTPError as error:
            raise AuditError(f"{self.named} broke off its answer: {_plain(error)}") from error
        self._sessions.put(session)
        return self._read(status, data)

    def _read(self, status: int, data: bytes) -> Record:
        if status != 200:
            raise AuditError(f"{self.named} answered with status {status}")
        if len(data) > MAX_BYTES:
            raise AuditError(f"{self.named} answers more than {MAX_BYTES // 1_000_000} MB")
        try:
            found = json.loads(data)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise AuditError(f"{self.named} answers something else than records")
        return found

    def _within(self, act: Callable[[], Any]) -> Any:
        """What ``act`` gives, in time: a server may send a byte now and then for hours."""
        done: Future[Any] = Future()

        def work() -> None:
            try:
                done.set_result(act())
            except BaseException as error:  # noqa: BLE001  # it is raised where it is waited for
                done.set_exception(error)

        Thread(target=work, daemon=True).start()
        with suppress(TimeoutError):
            return done.result(self._seconds)
        raise AuditError(f"{self.named} did not answer within {self._seconds:g} s")


def default_url() -> str:
    """The OSV that pip-audit asks when nobody says which. Raises :class:`AuditError`."""
    try:
        url = import_module("pip_audit._service.osv").OsvService.DEFAULT_OSV_URL
    except (ImportError, AttributeError):
        url = None
    if not isinstance(url, str):
        raise AuditError(
            "which OSV pip-audit asks cannot be told from here: say --servelint-upstream URL|none"
        )
    return url


def _requests() -> Any:
    """The library that pip-audit asks with, so that proxies and certificates are the same."""
    try:
        return import_module("requests")
    except ModuleNotFoundError as error:
        raise AuditError(
            "to ask an OSV, requests is needed: pip install 'servelint[pip-audit]'"
        ) from error


def _plain(error: Exception) -> str:
    """The kind of an error: its text may hold an address with a password."""
    return type(error).__name__
