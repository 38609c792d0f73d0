"""A layer as a stream: decompressed piece by piece, forward only, within bounds.

Nothing is written to disk, and no more than a piece is held in memory.
"""

from __future__ import annotations

import hashlib
import zlib
from typing import cast

from servelint_registry.errors import Problem, RegistryError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import IO, Protocol

    class Readable(Protocol):
        """Whatever gives bytes until there are none."""

        def read(self, size: int = ..., /) -> bytes:
            """At most so many bytes."""


PIECE = 262_144
"""Bytes that are decompressed at a time."""

MAX_RATIO = 300
RATIO_FROM = 50_000_000
"""A layer that gives so many bytes and more than so many times what was read, is a trap."""

LONGEST_READ = 16_000_000
"""No header and no file that we want is larger."""

MAX_WINDOW = 1 << 27
"""Bytes of memory that a zstd frame may ask for."""

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
SKIPPABLE = b"\x2a\x4d\x18"
"""The second to fourth byte of a zstd frame that holds no data."""


class Counted:
    """Bytes from the network, with their number and digest; a wrong one is a :class:`Problem`."""

    def __init__(self, body: Readable, digest: str, size: int, see: Callable[[int], None]) -> None:
        self._body = body
        self._digest = digest
        self._hash = hashlib.new(digest.partition(":")[0])
        self._size = size
        self._see = see
        self.count = 0
        self.is_verified = False

    def read(self, size: int = PIECE) -> bytes:
        """At most ``size`` bytes; none when the layer is complete and its digest is right."""
        data = self._body.read(size)
        self.count += len(data)
        if self.count > self._size:
            raise Problem("sent more than the manifest announces")
        self._hash.update(data)
        if data:
            self._see(len(data))
        elif not self.is_verified:
            self._verify()
        return data

    def _verify(self) -> None:
        if self.count < self._size:
            raise Problem(f"sent {self.count:,} of {self._size:,} bytes")
        if f"{self._digest.partition(':')[0]}:{self._hash.hexdigest()}" != self._digest:
            raise Problem("sent something with another digest")
        self.is_verified = True


class Forward:
    """What ``tarfile`` reads: it can tell where it is and go forward."""

    def __init__(self, pieces: Iterator[bytes], source: Counted) -> None:
        self._pieces = pieces
        self._source = source
        self._piece = b""
        self._at = 0
        self._position = 0

    def read(self, size: int = -1) -> bytes:
        """Exactly ``size`` bytes, fewer only at the end."""
        if not 0 <= size <= LONGEST_READ:
            raise Problem("has a file or a header that is too large")
        data = self._piece[self._at : self._at + size]
        self._at += len(data)
        parts, got = [data], len(data)
        while got < size and self._next():
            data = self._piece[: size - got]
            self._at = len(data)
            parts.append(data)
            got += len(data)
        self._position += got
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def seek(self, position: int) -> int:
        """Go forward."""
        rest = position - self._position
        if rest < 0:
            raise Problem("has a directory that goes backwards")
        while rest > len(self._piece) - self._at:
            rest -= len(self._piece) - self._at
            self._at = len(self._piece)
            if not self._next():
                self._position = position - rest
                return self._position
        self._at += rest
        self._position = position
        return position

    def tell(self) -> int:
        """How many decompressed bytes were passed."""
        return self._position

    def drain(self) -> None:
        """Read what is left, so that the digest is compared."""
        while self._next():
            self._at = len(self._piece)
        while self._source.read():
            pass

    def _next(self) -> bool:
        self._piece, self._at = next(self._pieces, b""), 0
        return bool(self._piece)


def opened(source: Counted) -> Forward:
    """The decompressed stream of a layer, told by its first bytes. Raises :class:`Problem`."""
    first = source.read(PIECE)
    while first and len(first) < 4 and (more := source.read(PIECE)):
        first += more
    if first.startswith(GZIP):
        pieces = _gunzipped(first, source)
    elif first.startswith(ZSTD) or first[1:4] == SKIPPABLE:
        pieces = _unzstd(first, source)
    else:
        pieces = _plain(first, source)
    return Forward(_bounded(pieces, source), source)


def _plain(first: bytes, source: Counted) -> Iterator[bytes]:
    while first:
        yield first
        first = source.read(PIECE)


def _gunzipped(first: bytes, source: Counted) -> Iterator[bytes]:
    """Several members are one stream, as parallel compressors and seekable layers write them."""
    unzip = zlib.decompressobj(31)
    data = first
    try:
        while data:
            piece = unzip.decompress(data, PIECE)
            if piece:
                yield piece
            data = unzip.unconsumed_tail or unzip.unused_data
            if unzip.eof:
                data = (data or source.read(PIECE)).lstrip(b"\0")
                unzip = zlib.decompressobj(31)
            else:
                data = data or source.read(PIECE)
        while piece := unzip.decompress(b"", PIECE):
            yield piece
    except zlib.error:
        raise Problem("sent a layer whose compression is damaged") from None


def _unzstd(first: bytes, source: Counted) -> Iterator[bytes]:
    try:
        import zstandard  # noqa: PLC0415  # few images are compressed so
    except ImportError:
        raise RegistryError(
            "a layer is compressed with zstd, which needs pip install 'servelint[registry]'"
        ) from None

    reader = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW).stream_reader(
        cast("IO[bytes]", _Joined(first, source)), read_across_frames=True, read_size=PIECE
    )
    try:
        while piece := reader.read(PIECE):
            yield piece
    except zstandard.ZstdError:
        raise Problem("sent a layer whose compression is damaged") from None


class _Joined:
    """What was read already, and then the rest."""

    def __init__(self, first: bytes, source: Counted) -> None:
        self._first = first
        self._source = source

    def read(self, size: int) -> bytes:
        if self._first:
            data, self._first = self._first[:size], self._first[size:]
            return data
        return self._source.read(size)


def _bounded(pieces: Iterator[bytes], source: Counted) -> Iterator[bytes]:
    """The same pieces, as long as they stand in a sane relation to what was read."""
    total = 0
    for piece in pieces:
        total += len(piece)
        if total > RATIO_FROM and total > MAX_RATIO * source.count:
            raise Problem("sent a layer that grows without measure when decompressed")
        yield piece
