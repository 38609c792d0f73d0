"""Environment markers (PEP 508), as far as Linux decides them."""

from __future__ import annotations

import re

_ON_LINUX = {
    "sys_platform": "linux",
    "sys.platform": "linux",
    "platform_system": "Linux",
    "os_name": "posix",
    "os.name": "posix",
}
"""Variables whose value is the same on every Linux; all others are left open."""

_MAX_PARENTHESES = 50
"""More are not evaluated: the marker then decides nothing."""

_TOKEN = re.compile(
    r"\s*+(?:(?P<literal>\"[^\"]*\"|'[^']*')"
    r"|(?P<operator>===|~=|[=!<>]=|[<>]|not\s+in\b|in\b)"
    r"|(?P<word>[A-Za-z_][A-Za-z0-9_.]*)|(?P<bracket>[()]))\s*+"
)

Truth = bool | None
"""None: Linux alone does not decide it."""


def never_on_linux(marker: str) -> bool:
    """True when no Linux machine satisfies ``marker``; False also for what is not a marker."""
    if not any(name in marker for name in _ON_LINUX):
        return False
    tokens = _tokens(marker)
    if not tokens or marker.count("(") > _MAX_PARENTHESES:
        return False
    reader = _Reader(tokens)
    truth = reader.either()
    return truth is False and reader.complete


def _tokens(marker: str) -> list[tuple[str, str]]:
    """Kind and text of each token, empty when something else stands between them."""
    tokens: list[tuple[str, str]] = []
    at = 0
    while at < len(marker):
        match = _TOKEN.match(marker, at)
        if match is None or match.lastgroup is None:
            return []
        tokens.append((match.lastgroup, match[match.lastgroup]))
        at = match.end()
    return tokens


class _Reader:
    """Evaluates tokens from left to right; ``complete`` tells that all of them made sense."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self._tokens = tokens
        self._at = 0
        self._broken = False

    @property
    def complete(self) -> bool:
        return not self._broken and self._at == len(self._tokens)

    def either(self) -> Truth:
        truths = [self._both()]
        while self._accept("or"):
            truths.append(self._both())
        if True in truths:
            return True
        return None if None in truths else False

    def _both(self) -> Truth:
        truths = [self._one()]
        while self._accept("and"):
            truths.append(self._one())
        if False in truths:
            return False
        return None if None in truths else True

    def _one(self) -> Truth:
        if self._accept("("):
            truth = self.either()
            self._broken |= not self._accept(")")
            return truth
        left, operator, right = self._next(), self._next(), self._next()
        self._broken |= operator[0] != "operator" or {left[0], right[0]} != {"word", "literal"}
        return _compare(left, " ".join(operator[1].split()), right)

    def _accept(self, text: str) -> bool:
        if self._at < len(self._tokens) and self._tokens[self._at][1] == text:
            self._at += 1
            return True
        return False

    def _next(self) -> tuple[str, str]:
        token = self._tokens[self._at] if self._at < len(self._tokens) else ("", "")
        self._at += 1
        return token


def _compare(left: tuple[str, str], operator: str, right: tuple[str, str]) -> Truth:
    name = left[1] if left[0] == "word" else right[1]
    value = _ON_LINUX.get(name)
    if value is None:
        return None
    first, second = (value if kind == "word" else text[1:-1] for kind, text in (left, right))
    if operator in ("==", "==="):
        return first == second
    if operator == "!=":
        return first != second
    if operator == "in":
        return first in second
    return first not in second if operator == "not in" else None
