"""Finds the lines of a log that say anything, in constant memory and without splitting it."""

from __future__ import annotations

import codecs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO

BLOCK = 1 << 20
"""Bytes that are read at a time."""

MAX_LINE = 1 << 18
"""Bytes of a line that are looked at; the arguments of a server take a tenth of it."""

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def hits(stream: BinaryIO, needles: Sequence[bytes]) -> Iterator[tuple[int, bytes]]:
    """The lines that hold a needle, each with its number from 1 and without its line end.

    Of a line of more than :data:`MAX_LINE` bytes only the beginning is looked at.
    """
    number, rest, is_inside = 1, b"", False
    for block in _blocks(stream):
        data = block
        if is_inside:  # a line that was too long, up to its end
            end = data.find(b"\n")
            if end < 0:
                continue
            number, data, is_inside = number + 1, data[end + 1 :], False
        data = rest + data
        end = data.rfind(b"\n") + 1
        yield from _in(data, end, number, needles)
        number += data.count(b"\n", 0, end)
        rest = data[end:]
        if len(rest) > MAX_LINE:
            yield from _in(rest, len(rest), number, needles)
            rest, is_inside = b"", True
    yield from _in(rest, len(rest), number, needles)


def _in(
    data: bytes, end: int, number: int, needles: Sequence[bytes]
) -> Iterator[tuple[int, bytes]]:
    """The lines of ``data[:end]``, of which the first has ``number``."""
    found: dict[int, int] = {}
    for needle in needles:
        at = data.find(needle, 0, end)
        while at >= 0:
            start = data.rfind(b"\n", 0, at) + 1
            stop = data.find(b"\n", at, end)
            stop = end if stop < 0 else stop
            if at < start + MAX_LINE:
                found[start] = stop
            at = data.find(needle, stop, end)
    before = 0
    for start, stop in sorted(found.items()):
        number += data.count(b"\n", before, start)
        before = start
        yield number, data[start : min(stop, start + MAX_LINE)].removesuffix(b"\r")


def _blocks(stream: BinaryIO) -> Iterator[bytes]:
    """The bytes as UTF-8; a shell of Windows writes what it redirects in UTF-16."""
    first = stream.read(BLOCK)
    if not first.startswith(_UTF_16):
        while first:
            yield first
            first = stream.read(BLOCK)
        return
    decoder = codecs.getincrementaldecoder("utf-16")("replace")
    while first:
        yield decoder.decode(first).encode("utf-8", "replace")
        first = stream.read(BLOCK)
