"""Texts in quotes of Go, JSON and YAML, whose characters keep their places."""

from __future__ import annotations

import json
import re

from servelint.syntax.gotemplate.texts import GAP, Run, Text, concat, joined, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_GO = re.compile(r'["\\]|[^\x20-\x7e]')
_JSON = re.compile('["\\\\\x00-\x1f<>&\u2028\u2029\ud800-\udfff]')
_RAW_JSON = re.compile('["\\\\\x00-\x1f\u2028\u2029\ud800-\udfff]')
_GO_NAMED = {
    sign: f"\\{name}" for sign, name in zip('\a\b\f\n\r\t\v\\"', 'abfnrtv\\"', strict=True)
}
_JSON_NAMED = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def quoted(text: Text) -> Text:
    """A text as ``%q`` and ``quote`` write it."""
    return concat((plain('"'), escaped(text, _GO, _go_sign), plain('"')))


def json_quoted(text: Text, *, is_raw: bool = False) -> Text:
    """A text as JSON; HTML signs are escaped too unless it ``is_raw``."""
    signs = _RAW_JSON if is_raw else _JSON
    return concat((plain('"'), escaped(text, signs, _json_sign), plain('"')))


def escaped(text: Text, signs: re.Pattern[str], escape: Callable[[str], str]) -> Text:
    """A text with some signs escaped; an escape stands where its sign does."""
    if not signs.search(text.flat.replace(GAP, "")):
        return text
    return joined(piece for run in text.runs for piece in _escaped(run, signs, escape))


def _escaped(run: Run, signs: re.Pattern[str], escape: Callable[[str], str]) -> list[Run]:
    if run.writing:
        return [run]
    pieces: list[Run] = []
    at = 0
    for sign in signs.finditer(run.text):
        pieces.append(run.cut(at, sign.start()))
        cut = run.cut(sign.start(), sign.end())
        pieces.append(Run(escape(sign[0]), cut.leaf))
        at = sign.end()
    pieces.append(run.cut(at, len(run.text)))
    return pieces


def _go_sign(sign: str) -> str:
    if sign in _GO_NAMED:
        return _GO_NAMED[sign]
    code = ord(sign)
    if code < 0x20 or code == 0x7F:
        return f"\\x{code:02x}"
    if sign.isprintable() and sign != "\u00ad":
        return sign
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _json_sign(sign: str) -> str:
    if sign in _JSON_NAMED:
        return _JSON_NAMED[sign]
    if sign in "\b\f":
        return json.dumps(sign)[1:-1]
    return "\\ufffd" if "\ud800" <= sign <= "\udfff" else f"\\u{ord(sign):04x}"
