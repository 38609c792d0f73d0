"""What literals of Go stand for."""

from __future__ import annotations

import math
import re

from servelint.syntax.gotemplate.nodes import Constant
from servelint.syntax.gotemplate.problems import TemplateProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.syntax.gotemplate.lexer import Token

_ESCAPE = re.compile(
    r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.))", re.DOTALL
)
_NAMED = dict(zip("abfnrtv\\\"'", "\a\b\f\n\r\t\v\\\"'", strict=True))
_OLD_OCTAL = re.compile(r"([+-]?)0_?([0-7_]+)\Z")


def constant(token: Token) -> Constant:
    """The literal that a word of kind string, char or number is."""
    if token.kind == "string":
        is_verbatim = token.text[0] == "`" or "\\" not in token.text
        return Constant("string", string_value(token), token.start, token.end, is_verbatim)
    if token.kind == "char":
        value = unescaped(token.text[1:-1], token.start)
        if len(value) != 1:
            raise TemplateProblem("a character literal holds one character", token.start)
        return Constant("int", ord(value), token.start, token.end)
    return _number(token)


def string_value(token: Token) -> str:
    """What a quoted string says."""
    if token.text[0] == "`":
        return token.text[1:-1].replace("\r", "")
    return unescaped(token.text[1:-1], token.start)


def unescaped(text: str, start: int) -> str:
    """A text without the escapes of Go."""
    return _ESCAPE.sub(lambda found: _sign(found, start), text) if "\\" in text else text


def _sign(found: re.Match[str], start: int) -> str:
    digits = found[1] or found[2] or found[3]
    code = int(digits, 16) if digits else int(found[4], 8) if found[4] else -1
    last = 0x10FFFF if found[2] or found[3] else 0x7F
    if code > last or 0xD800 <= code < 0xE000 or (code < 0 and found[5] not in _NAMED):
        raise TemplateProblem(f"unknown escape {found[0]}", start)
    return _NAMED[found[5]] if code < 0 else chr(code)


def _bounded(number: float) -> float:
    """A number that Go has room for. Raises ValueError."""
    is_whole = isinstance(number, int)
    if not (-(2**63) <= number < 2**63 if is_whole else math.isfinite(number)):
        raise ValueError(number)
    return number


def _number(token: Token) -> Constant:
    text = token.text.replace("_", "")
    octal = _OLD_OCTAL.match(text)
    try:
        if octal:
            return Constant("int", _bounded(int(octal[1] + octal[2], 8)), token.start, token.end)
        if re.fullmatch(r"[+-]?(?:0[xXbBoO].*|\d+)", text):
            return Constant("int", _bounded(int(text, 0)), token.start, token.end)
        return Constant("float", _bounded(float(text)), token.start, token.end)
    except ValueError:
        raise TemplateProblem(f"{token.text} is no number", token.start) from None
