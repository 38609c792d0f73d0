"""The three things that are asked of a registry: manifests, configurations, layers.

What is small is compared with its digest before it is believed.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import contextmanager
from dataclasses import dataclass

from oras.container import Container

from servelint_registry.address import DIGEST, shown
from servelint_registry.credentials import Credentials
from servelint_registry.errors import Problem, RegistryError, Spent
from servelint_registry.transport import SMALL_BODY, Clock, Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    import requests

    from servelint_registry.address import Address
    from servelint_registry.options import Options
    from servelint_registry.transport import Body

INDEXES = (
    "application/vnd.oci.image.index.v1+json",
    "application/vnd.docker.distribution.manifest.list.v2+json",
)
MANIFESTS = (
    "application/vnd.oci.image.manifest.v1+json",
    "application/vnd.docker.distribution.manifest.v2+json",
)

_ANSWERS = {
    400: "answered that the request is wrong (400)",
    404: "has nothing (404), or hides it from those who are not logged in,",
    429: "answered that there were too many requests (429)",
}


@dataclass(frozen=True, slots=True)
class Descriptor:
    """What a manifest says about a piece of the image: where it is and how many bytes it has."""

    digest: str
    size: int
    media_type: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A manifest, an index or a configuration whose digest is right."""

    table: dict[str, Any]
    digest: str
    size: int


class Client:
    """A registry for the time of one look at one image."""

    def __init__(self, address: Address, options: Options, clock: Clock) -> None:
        self.address = address
        self.clock = clock
        secure = address.origin.startswith("https:")
        self._session = Session(clock, secure=secure)
        self._credentials = Credentials(address, self._session)
        self._host = address.origin.partition("//")[2]
        self._scheme = address.origin.partition(":")[0]
        self._options = options

    def failure(self, problem: Problem | Spent, what: str = "") -> RegistryError:
        """One sentence: who did what when asked for what, the image where nothing is given."""
        return RegistryError(
            f"{self.address.registry} {problem} when asked for {what or self.address}"
        )

    def close(self) -> None:
        """Close all connections."""
        self._session.close()

    def manifest(self, label: str) -> Document:
        """The manifest or index that a tag or digest names."""
        address = self.address
        what = f"the manifest of {address.name}{'@' if ':' in label else ':'}{label}"
        container = Container(f"{self._host}/{address.name}")
        url = f"{self._scheme}://{container.manifest_url(label)}"
        accept = {"Accept": ", ".join((*INDEXES, *MANIFESTS))}
        with self._asking(what):
            response = self._get(url, accept)
            told = response.headers.get("Docker-Content-Digest", "")
            return _document(response, label if ":" in label else told)

    def configuration(self, descriptor: Descriptor) -> Document:
        """The configuration of an image."""
        with self._asking(f"the configuration of {self.address}"):
            return _document(self._get(self._blob_url(descriptor), {}), descriptor.digest)

    @contextmanager
    def layer(self, descriptor: Descriptor, limit: int, what: str) -> Iterator[Body]:
        """The body of a layer, at most ``limit`` bytes of it; it is closed when left.

        Whatever goes wrong while it is read is told as ``what``.
        """
        with self._asking(f"{what} of {self.address}"):
            response = self._get(self._blob_url(descriptor), {})
            try:
                body: Body = response.raw
                body.limit = limit
                yield body
            finally:
                response.close()

    def _blob_url(self, descriptor: Descriptor) -> str:
        container = Container(f"{self._host}/{self.address.name}")
        return f"{self._scheme}://{container.get_blob_url(descriptor.digest)}"

    @contextmanager
    def _asking(self, what: str) -> Iterator[None]:
        """Tells in one sentence who did what when asked for ``what``."""
        try:
            yield
        except Problem as problem:
            raise self.failure(problem, what) from None

    def _get(self, url: str, headers: dict[str, str]) -> requests.Response:
        """The answer 200, with credentials if the registry asks for them."""
        response = self._session.request(
            "GET", url, headers={**headers, **self._credentials.header()}
        )
        if response.status_code in (401, 403) and "Www-Authenticate" in response.headers:
            response.close()
            if self._credentials.answer(response):
                response = self._session.request(
                    "GET", url, headers={**headers, **self._credentials.header()}
                )
        if response.status_code != 200:
            response.close()
            raise Problem(self._refusal(response.status_code))
        return response

    def _refusal(self, status: int) -> str:
        if status in (401, 403):
            if self._credentials.has_any:
                return f"refused the credentials of the Docker configuration ({status})"
            return f"wants credentials ({status}; `docker login` keeps them)"
        return _ANSWERS.get(status, f"answered {status}")


def descriptor_of(row: Any) -> Descriptor:
    """A descriptor as manifests write it. Raises :class:`Problem` for what is none."""
    table = row if isinstance(row, dict) else {}
    digest, size, kind = table.get("digest"), table.get("size"), table.get("mediaType", "")
    if not isinstance(digest, str) or not DIGEST.fullmatch(digest):
        raise Problem("sent a manifest with a digest that is none")
    if not isinstance(size, int) or isinstance(size, bool) or size < 0:
        raise Problem("sent a manifest with a size that is none")
    return Descriptor(digest, size, kind if isinstance(kind, str) else "")


def _document(response: requests.Response, digest: str) -> Document:
    """The JSON of an answer. ``digest`` is what it must have; empty when nobody said."""
    data = _all(response)
    kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if kind == "text/html" or data[:20].lstrip().lower().startswith((b"<!doctype", b"<html")):
        raise Problem("sent a page of HTML")
    own = f"sha256:{hashlib.sha256(data).hexdigest()}"
    if DIGEST.fullmatch(digest):
        own = f"{digest.partition(':')[0]}:{hashlib.new(digest[:6], data).hexdigest()}"
        if own != digest:
            raise Problem("sent something with another digest")
    elif digest:
        raise Problem(f"sent the digest {shown(digest)}, which is none,")
    try:
        table = json.loads(data)
    except (ValueError, RecursionError):
        table = None
    if not isinstance(table, dict):
        raise Problem("sent something that is no JSON table")
    return Document(table, own, len(data))


def _all(response: requests.Response) -> bytes:
    """The whole of a small body, which has as many bytes as were announced."""
    body: Body = response.raw
    body.limit = SMALL_BODY
    pieces = []
    while piece := body.read():
        pieces.append(piece)
    body.release_conn()
    return b"".join(pieces)
