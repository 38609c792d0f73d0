"""Plain YAML scalars as Helm reads them: YAML 1.1, but not as any library for Python does.

Helm turns values into JSON, so every number comes back as a float and a date stays a text.
"""

from __future__ import annotations

import re

from servelint.syntax.yaml_data import NULLS

_TRUE = frozenset(["y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE"])
_FALSE = frozenset(["n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE"])
_WHOLE = re.compile(r"([-+]?)(0b[01]+|0x[0-9a-fA-F]+|0o[0-7]+|[0-9]+)\Z")
_FLOAT = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?\Z")
_ENDLESS = re.compile(r"[-+]?\.(?:inf|Inf|INF)\Z|\.(?:nan|NaN|NAN)\Z")
_TAGS = {"tag:yaml.org,2002:int", "tag:yaml.org,2002:float", "tag:yaml.org,2002:bool"}

MAX_DIGITS = 400
"""Characters of a number; longer ones are texts."""


def resolved(text: str, style: str = "", tag: str = "") -> str | float | bool | None:
    """What a scalar stands for. A float may be infinite; no other number is."""
    if tag not in _TAGS and (tag or style):
        return None if tag == "tag:yaml.org,2002:null" else text
    if text in NULLS:
        return None
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    number = _number(text)
    return text if number is None else number


def _number(text: str) -> float | None:
    if text[0] not in "+-.0123456789" or len(text) > MAX_DIGITS:
        return None
    digits = text.replace("_", "")
    found = _WHOLE.match(digits)
    if found:
        return _whole(found[1], found[2])
    if _ENDLESS.match(digits):
        return float(digits.lower().replace(".", ""))
    number = float(digits) if _FLOAT.match(digits) else None
    return None if number in (float("inf"), float("-inf")) else number


def _whole(sign: str, digits: str) -> float | None:
    is_octal = re.fullmatch("0[0-7]+", digits) is not None
    base = {"0b": 2, "0x": 16, "0o": 8}.get(digits[:2], 8 if is_octal else 10)
    number = int(digits[2:], base) if base in (2, 16) or digits[:2] == "0o" else int(digits, base)
    if number >= 2**64 and (base != 10 or len(digits) > 300):
        return None
    return float(-number if sign == "-" else number)
