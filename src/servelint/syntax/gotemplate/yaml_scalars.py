"""Which style ``toYaml`` writes a text in.

The rules are those of the emitter that Helm uses (libyaml's, by way of Go), which other emitters do
not share: what YAML 1.1 takes for a number, a date or a truth value comes in double quotes, other
texts that cannot stand plainly in single ones.
"""

from __future__ import annotations

import re

from servelint.syntax.gotemplate.scalars import resolved

_TIME = re.compile(
    r"\d{4}-\d\d?-\d\d?(?:[Tt ]\d\d?:\d\d?:\d\d?(?:\.\d*)?(?:Z|[-+]\d\d:\d\d)?)?\Z", re.ASCII
)
_BASE_60 = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?\Z")
_UNPRINTABLE = re.compile(r"[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]")
_BREAK = re.compile("[\r\n\x85\u2028\u2029]")
_INDICATOR = re.compile(
    r"""[#,\[\]{}&*!|>'"%@`] | [?:-](?:[ \t\r\n]|\Z) | ---|\.\.\.""", re.VERBOSE
)
_INNER = re.compile(r":(?:[ \t\r\n]|\Z)|[ \t\r\n]#")
_NAMED = {
    sign: f"\\{name}"
    for sign, name in zip(
        '\x00\a\b\t\n\v\f\r\x1b"\\\x85\xa0\u2028\u2029', '0abtnvfre"\\N_LP', strict=True
    )
}

ESCAPED = re.compile(r"[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]|[\"\\]")
"""What double quotes do not hold as it stands."""


def style_of(text: str, *, is_key: bool = False) -> str:
    """``""`` for a plain text, else its quote, or ``|`` for a block."""
    is_block = "\n" in text
    if is_block:
        return "|" if not is_key and _may_be_block(text) else '"'
    if _is_special(text):
        return '"'
    return "" if _may_be_plain(text) else "'" if _may_be_single(text) else '"'


def _is_special(text: str) -> bool:
    is_number = not isinstance(resolved(text), str)
    return is_number or _TIME.match(text) is not None or _BASE_60.match(text) is not None


def _may_be_plain(text: str) -> bool:
    is_padded = text[0] == " " or text[-1] == " "
    signs = _INDICATOR.match(text) or _INNER.search(text)
    return not is_padded and not signs and _may_be_single(text) and not _BREAK.search(text)


def _may_be_single(text: str) -> bool:
    return not _UNPRINTABLE.search(text) and not re.search(" [\r\n\x85\u2028\u2029]", text)


def _may_be_block(text: str) -> bool:
    return not text.endswith(" ") and _may_be_single(text)


def escape(sign: str) -> str:
    """A sign in double quotes."""
    if sign in _NAMED:
        return _NAMED[sign]
    code = ord(sign)
    if code < 0x100:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


def block_header(text: str) -> str:
    """The signs before a literal block."""
    hint = "2" if text[0] in " \n" else ""
    if not text.endswith("\n"):
        return f"|{hint}-"
    return f"|{hint}+" if text == "\n" or text.endswith("\n\n") else f"|{hint}"
