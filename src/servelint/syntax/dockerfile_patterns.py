"""What ``${name#pattern}`` and its relatives make of a known text."""

from __future__ import annotations

MAX_STEPS = 20_000
"""Characters of the pattern times characters of the value: more than this is not worked out."""

_ANY_RUN = "**"
_ANY_ONE = "??"
"""Tokens of two characters, which no character of a pattern equals."""


def apply(operator: str, value: str, pattern: str, replacement: str = "") -> str | None:
    """The value without what the pattern matches, or with it replaced; None when not to be told.

    ``operator`` is one of ``# ## % %% / //``. In patterns only ``*``, ``?`` and
    the backslash are special.
    """
    tokens = _tokens(pattern)
    if tokens is None or len(tokens) * (len(value) + 1) > MAX_STEPS:
        return None
    greedy = len(operator) == 2
    if operator.startswith("#"):
        return value[_taken(tokens, value, greedy=greedy) :]
    if operator.startswith("%"):
        size = _taken(tokens[::-1], value[::-1], greedy=greedy)
        return value[: len(value) - size]
    if not tokens or _ANY_RUN in tokens or _ANY_ONE in tokens:
        return None
    wanted = "".join(tokens)
    return value.replace(wanted, replacement, -1 if greedy else 1)


def _tokens(pattern: str) -> tuple[str, ...] | None:
    """One token for each character that counts; None for an escape that docker refuses."""
    tokens: list[str] = []
    escaped = False
    for char in pattern:
        if escaped:
            if char not in "*?\\/}":
                return None
            tokens.append(char)
            escaped = False
        elif char == "\\":
            escaped = True
        else:
            tokens.append({"*": _ANY_RUN, "?": _ANY_ONE}.get(char, char))
    return None if escaped else tuple(tokens)


def _taken(tokens: tuple[str, ...], value: str, *, greedy: bool) -> int:
    """How many characters at the beginning of the value the pattern takes; 0 for no match."""
    ends = {0}
    for token in tokens:
        if token == _ANY_RUN:
            ends = set(range(min(ends), len(value) + 1))
        elif token == _ANY_ONE:
            ends = {end + 1 for end in ends if end < len(value)}
        else:
            ends = {end + 1 for end in ends if value.startswith(token, end)}
        if not ends:
            return 0
    return max(ends) if greedy else min(ends)
