r"""The text of ``$'...'`` strings."""

from __future__ import annotations

import re

_ESCAPES = re.compile(
    rb"\\(?:([abeEfnrtv\\'\"?])|([0-7]{1,3})|x([0-9A-Fa-f]{1,2})"
    rb"|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|c(.))",
    re.DOTALL,
)
_CONTROL = dict(
    zip(
        (b"a", b"b", b"e", b"E", b"f", b"n", b"r", b"t", b"v", b"\\", b"'", b'"', b"?"),
        (
            b"\a",
            b"\b",
            b"\x1b",
            b"\x1b",
            b"\f",
            b"\n",
            b"\r",
            b"\t",
            b"\v",
            b"\\",
            b"'",
            b'"',
            b"?",
        ),
        strict=True,
    )
)


def ansi_text(raw: str) -> str:
    r"""What stands for ``raw`` between ``$'`` and ``'``.

    Escapes of bytes are decoded as UTF-8 together with what stands around
    them; a NUL ends the text, as it does in the shell.
    """
    if "\\" not in raw:
        return raw
    data = _ESCAPES.sub(_unescape, raw.encode("utf-8", "surrogatepass"))
    return data.partition(b"\0")[0].decode("utf-8", "replace")


def _unescape(match: re.Match[bytes]) -> bytes:
    plain, octal, byte, short, long, control = match.groups()
    if plain:
        return _CONTROL[plain]
    if octal:
        return bytes((int(octal, 8) & 0xFF,))
    if byte:
        return bytes((int(byte, 16),))
    if control:
        return bytes((control[0] & 0x1F,))
    code = int(short or long, 16)
    return chr(code).encode("utf-8", "replace") if code < 0x110000 else match[0]
