"""``$((...))`` over whole numbers: sums, products and parentheses; anything else is unknown."""

from __future__ import annotations

import re
from itertools import islice, product

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

MAX_LENGTH = 200
"""Longer expressions are not read."""

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?![\w#]))|\$?(?P<name>[A-Za-z_]\w*)|\$\{(?P<braced>\w+)\}"
    r"|\$(?P<digit>\d)|(?P<sign>[-+*/%()]))",
    re.ASCII,
)
_TARGET = re.compile(
    r"(?:\+\+|--)\s*([A-Za-z_]\w*)|([A-Za-z_]\w*)\s*(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?!=))",
    re.ASCII,
)
_LIMIT = 1 << 62


class _Unreadable(Exception):  # noqa: N818  # ends the reading of one expression, never leaves
    """The expression holds something that is not computed here."""


def arithmetic(
    expression: str, lookup: Callable[[str], Sequence[str] | None], limit: int
) -> tuple[str, ...] | None:
    """The texts that an expression may give, or None when that cannot be told.

    ``lookup`` answers the texts that a name may have. At most ``limit``
    combinations are computed.
    """
    tokens = _tokens(expression)
    if tokens is None:
        return None
    names = tuple(dict.fromkeys(name for kind, name in tokens if kind == "name"))
    values = [lookup(name) for name in names]
    if any(not texts for texts in values):
        return None
    choices = tuple(islice(product(*(texts or () for texts in values)), limit + 1))
    if len(choices) > limit:
        return None
    try:
        results = [_Sum(tokens, dict(zip(names, texts, strict=True))).result() for texts in choices]
    except _Unreadable:
        return None
    return tuple(dict.fromkeys(str(result) for result in results))


def assigned_names(expression: str) -> tuple[str, ...]:
    """The names that an arithmetic expression changes."""
    found = (match[1] or match[2] for match in _TARGET.finditer(expression))
    return tuple(dict.fromkeys(found))


def _tokens(expression: str) -> tuple[tuple[str, str], ...] | None:
    text = expression.strip()
    tokens: list[tuple[str, str]] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or len(text) > MAX_LENGTH:
            return None
        kind = match.lastgroup or ""
        value = match[kind]
        tokens.append(("name" if kind in ("braced", "digit") else kind, value))
        at = match.end()
    return tuple(tokens) or None


class _Sum:
    """One expression with one value for each name."""

    def __init__(self, tokens: tuple[tuple[str, str], ...], values: Mapping[str, str]) -> None:
        self._tokens = tokens
        self._values = values
        self._at = 0

    def result(self) -> int:
        value = self._sum(0)
        if self._at < len(self._tokens):
            raise _Unreadable
        return value

    def _sign(self, signs: str) -> str:
        if self._at < len(self._tokens):
            kind, value = self._tokens[self._at]
            if kind == "sign" and value in signs:
                self._at += 1
                return value
        return ""

    def _sum(self, depth: int) -> int:
        value = self._term(depth)
        while sign := self._sign("+-"):
            other = self._term(depth)
            value = value + other if sign == "+" else value - other
        return self._small(value)

    def _term(self, depth: int) -> int:
        value = self._factor(depth)
        while sign := self._sign("*/%"):
            other = self._factor(depth)
            if sign == "*":
                value = self._small(value * other)
                continue
            if other == 0:
                raise _Unreadable
            quotient = abs(value) // abs(other) * (1 if (value < 0) == (other < 0) else -1)
            value = quotient if sign == "/" else value - quotient * other
        return value

    def _factor(self, depth: int) -> int:
        if depth > 20 or self._at >= len(self._tokens):
            raise _Unreadable
        if sign := self._sign("+-"):
            value = self._factor(depth + 1)
            return -value if sign == "-" else value
        if self._sign("("):
            value = self._sum(depth + 1)
            if not self._sign(")"):
                raise _Unreadable
            return value
        kind, text = self._tokens[self._at]
        self._at += 1
        if kind == "sign":
            raise _Unreadable
        return _number(self._values[text] if kind == "name" else text)

    @staticmethod
    def _small(value: int) -> int:
        if abs(value) > _LIMIT:
            raise _Unreadable
        return value


def _number(text: str) -> int:
    """A number as the shell reads it: a leading zero makes it octal."""
    if not re.fullmatch(r"-?(?:0[0-7]*|[1-9]\d{0,17})", text, re.ASCII):
        raise _Unreadable
    digits = text.removeprefix("-")
    value = int(digits, 8) if digits.startswith("0") else int(digits)
    return -value if text.startswith("-") else value
