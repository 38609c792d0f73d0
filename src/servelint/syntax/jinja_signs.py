"""Expressions of templates in signs that neither YAML nor a shell give a meaning."""

from __future__ import annotations

import re

_SHIFT = 0xE100
_UNSAFE = re.compile(r"[^A-Za-z0-9_.\x80-\U0010ffff]")
_SHOWN = {_SHIFT + code: code for code in range(0x80)}
_SIGN = chr(_SHIFT + ord("{"))
"""With it every hidden expression begins."""


def hidden(expression: str) -> str:
    """An expression in signs without a meaning, as long as it was."""
    return _UNSAFE.sub(lambda sign: chr(_SHIFT + ord(sign[0])), expression)


def revealed(text: str) -> str:
    """The text with its hidden expressions as they were written, as long as it was."""
    return text.translate(_SHOWN) if _SIGN in text else text
