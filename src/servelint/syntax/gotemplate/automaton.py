"""Whether a text has a match of a pattern, in time that grows with both and no faster.

Python's own engine tries one way after the other, of which a pattern may have more than there is
time for; this one goes all ways at once, as Go's does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

MAX_STATES = 2_000
MAX_WORK = 3_000_000
"""States of a pattern, and steps over a text."""

_TOKEN = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?:|\(\?P<\w+>|\{\d+(?:,\d*)?\}\??|[*+?]\??|.", re.DOTALL
)
_COUNT = re.compile(r"\{(\d+)(,?)(\d*)\}")
_QUANTIFIERS = {"*": (0, -1), "+": (1, -1), "?": (0, 1)}
_UNSURE = re.compile(r"\\[bBzZAQECpP]|\\\d")

Tree = tuple["str | None", tuple["Tree", ...], int, int]
"""An atom (None: alternatives; empty: a sequence), its parts, and how often it comes."""


class Unsuited(Exception):  # noqa: N818 - it is no error
    """A pattern that is not for this engine."""


@dataclass(slots=True, eq=False)
class _State:
    """``sign`` to be met before ``following``; empty: nothing; ``^`` and ``$``: an edge."""

    sign: str
    following: list[_State] = field(default_factory=list)


def has_match(pattern: str, text: str) -> bool:
    """Whether a pattern matches anywhere in a text. Raises Unsuited."""
    if _UNSURE.search(pattern):
        raise Unsuited
    tokens = _TOKEN.findall(pattern)
    tree, rest = _alternatives(tokens, 0, 0)
    if rest != len(tokens):
        raise Unsuited
    builder = _Builder()
    start = builder.build(tree, builder.end)
    if builder.count * (len(text) + 1) > MAX_WORK:
        raise Unsuited
    return _run(start, builder.end, text)


def _run(start: _State, end: _State, text: str) -> bool:
    known: dict[tuple[str, str], bool] = {}
    current: set[_State] = set()
    for place in range(len(text) + 1):
        _reach(start, current, place, len(text))
        if end in current:
            return True
        if place == len(text):
            return False
        waiting = [state for state in current if _meets(state.sign, text[place], known)]
        current = set()
        for state in waiting:
            _reach(state.following[0], current, place + 1, len(text))
    return False


def _reach(state: _State, current: set[_State], place: int, size: int) -> None:
    """All states that can be come to without a further sign."""
    waiting = [state]
    while waiting:
        one = waiting.pop()
        if one in current:
            continue
        current.add(one)
        is_open = (
            not one.sign or (one.sign == "^" and not place) or (one.sign == "$" and place == size)
        )
        waiting += one.following if is_open else ()


def _meets(sign: str, letter: str, known: dict[tuple[str, str], bool]) -> bool:
    if sign in ("", "^", "$"):
        return False
    key = (sign, letter)
    if key not in known:
        known[key] = re.fullmatch(sign, letter, re.ASCII) is not None
    return known[key]


def _alternatives(tokens: list[str], at: int, depth: int) -> tuple[Tree, int]:
    if depth > 30:
        raise Unsuited
    found: list[Tree] = []
    while True:
        sequence, at = _sequence(tokens, at, depth)
        found.append(sequence)
        if at >= len(tokens) or tokens[at] != "|":
            return (None, tuple(found), 1, 1), at
        at += 1


def _sequence(tokens: list[str], at: int, depth: int) -> tuple[Tree, int]:
    parts: list[Tree] = []
    while at < len(tokens) and tokens[at] not in ("|", ")"):
        token = tokens[at]
        if token[0] == "(":
            atom, at = _alternatives(tokens, at + 1, depth + 1)
            if at >= len(tokens):
                raise Unsuited
        elif token[0] in "*+?{":
            raise Unsuited
        else:
            atom = (token, (), 1, 1)
        at += 1
        low, high = _quantifier(tokens[at]) if at < len(tokens) else (1, 1)
        at += (low, high) != (1, 1)
        parts.append((atom[0], atom[1], low, high))
    return ("", tuple(parts), 1, 1), at


def _quantifier(token: str) -> tuple[int, int]:
    if token[0] in _QUANTIFIERS:
        return _QUANTIFIERS[token[0]]
    count = _COUNT.match(token)
    if count is None:
        return 1, 1
    low = int(count[1])
    high = int(count[3]) if count[3] else -1 if count[2] else low
    if max(low, high) > 1_000 or (low, high) == (1, 1):
        raise Unsuited
    return low, high


class _Builder:
    """Makes states of a tree, from its end to its start."""

    def __init__(self) -> None:
        self.count = 0
        self.end = self._state("", [])

    def build(self, tree: Tree, following: _State) -> _State:
        """The state from which a tree leads to what follows."""
        _, _, low, high = tree
        state = following
        if high < 0:
            state = self._state("", [following])
            state.following.append(self._once(tree, state))
        for _ in range(max(high - low, 0)):
            state = self._state("", [self._once(tree, state), following])
        for _ in range(low):
            state = self._once(tree, state)
        return state

    def _once(self, tree: Tree, following: _State) -> _State:
        sign, parts, _, _ = tree
        if sign is None:
            return self._state("", [self.build(part, following) for part in parts])
        if sign:
            return self._state(sign, [following])
        for part in reversed(parts):
            following = self.build(part, following)
        return following

    def _state(self, sign: str, following: list[_State]) -> _State:
        self.count += 1
        if self.count > MAX_STATES:
            raise Unsuited
        return _State(sign, following)
