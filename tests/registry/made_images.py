"""Images made by hand, and what pushes them: tar, JSON and a few requests."""

from __future__ import annotations

import gzip
import hashlib
import http.client
import io
import json
import tarfile
from dataclasses import dataclass, field

import zstandard

OCI_MANIFEST = "application/vnd.oci.image.manifest.v1+json"
OCI_INDEX = "application/vnd.oci.image.index.v1+json"
DOCKER_MANIFEST = "application/vnd.docker.distribution.manifest.v2+json"
DOCKER_LIST = "application/vnd.docker.distribution.manifest.list.v2+json"
CONFIG = "application/vnd.oci.image.config.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar"

PATH = "/usr/local/nvidia/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
SITE = "usr/local/lib/python3.12/dist-packages"


def digest(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def tar(files: dict[str, object], *, links: dict[str, str] | None = None, hard=None) -> bytes:
    """A tar archive. A value of None is a directory; text and bytes are files."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            if content is None:
                info.type = tarfile.DIRTYPE
                archive.addfile(info)
                continue
            data = content.encode() if isinstance(content, str) else content
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        for kind, table in ((tarfile.SYMTYPE, links or {}), (tarfile.LNKTYPE, hard or {})):
            for name, target in table.items():
                info = tarfile.TarInfo(name)
                info.type, info.linkname = kind, target
                archive.addfile(info)
    return out.getvalue()


def packed(data: bytes, how: str) -> bytes:
    if how == "gzip":
        return gzip.compress(data, 1)
    if how == "zstd":
        return zstandard.ZstdCompressor(level=1).compress(data)
    return data


@dataclass(frozen=True)
class Image:
    """An image of packed layers, the lowest first."""

    layers: tuple[bytes, ...]
    config: dict = field(default_factory=dict)
    docker: bool = False

    def blobs(self) -> dict[str, bytes]:
        return {digest(blob): blob for blob in (*self.layers, self.config_blob())}

    def config_blob(self) -> bytes:
        rootfs = {"type": "layers", "diff_ids": [digest(layer) for layer in self.layers]}
        basis = {"architecture": "amd64", "os": "linux", "rootfs": rootfs}
        return json.dumps(basis | self.config).encode()

    def manifest(self) -> bytes:
        config = self.config_blob()
        rows = [descriptor(layer, LAYER) for layer in self.layers]
        kind = DOCKER_MANIFEST if self.docker else OCI_MANIFEST
        table = {
            "schemaVersion": 2,
            "mediaType": kind,
            "config": descriptor(config, CONFIG),
            "layers": rows,
        }
        return json.dumps(table).encode()

    @property
    def kind(self) -> str:
        return DOCKER_MANIFEST if self.docker else OCI_MANIFEST


def descriptor(data: bytes, kind: str, **more: object) -> dict:
    return {"mediaType": kind, "digest": digest(data), "size": len(data), **more}


def index(rows: list[dict], *, docker: bool = False) -> bytes:
    kind = DOCKER_LIST if docker else OCI_INDEX
    return json.dumps({"schemaVersion": 2, "mediaType": kind, "manifests": rows}).encode()


def config(  # what an image of the engine says about itself
    *, created="2026-11-01T00:00:00Z", env=(), labels=None, history=(), **more
) -> dict:
    steps = [
        {"created_by": text.removeprefix("-"), **({"empty_layer": True} if text[0] == "-" else {})}
        for text in history
    ]
    inner = {"Env": [f"PATH={PATH}", *env], "Labels": labels or {}, **more}
    return {"created": created, "config": inner, "history": steps}


class Pusher:
    """Puts blobs and manifests into a registry that asks for no credentials."""

    def __init__(self, host: str, name: str) -> None:
        self._host = host
        self._name = name

    def image(self, image: Image, tag: str) -> str:
        """Push an image; the digest of its manifest."""
        for blob in image.blobs().values():
            self.blob(blob)
        return self.manifest(image.manifest(), image.kind, tag)

    def blob(self, data: bytes) -> None:
        _, headers = self._ask("POST", f"/v2/{self._name}/blobs/uploads/", b"", {}, 202)
        place = headers["Location"].partition(self._host)[2]
        sign = "&" if "?" in place else "?"
        url = f"{place}{sign}digest={digest(data)}"
        self._ask("PUT", url, data, {"Content-Type": "application/octet-stream"}, 201)

    def manifest(self, data: bytes, kind: str, tag: str) -> str:
        url = f"/v2/{self._name}/manifests/{tag}"
        self._ask("PUT", url, data, {"Content-Type": kind}, 201)
        return digest(data)

    def _ask(self, method, url, data, headers, expected):
        connection = http.client.HTTPConnection(self._host, timeout=60)
        try:
            connection.request(method, url, data, headers)
            response = connection.getresponse()
            text = response.read()
            assert response.status == expected, (response.status, text)
            return text, response.headers
        finally:
            connection.close()
