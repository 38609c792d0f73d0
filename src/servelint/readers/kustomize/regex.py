"""Regular expressions of the scanned repository, matched in bounded time.

A selector is written by whoever wrote the repository, and Python's own engine tries every way that
a pattern may match: some take longer than the universe. Here a pattern moves a set of places
through the text, so that no way is tried twice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MAX_PATTERN = 500
"""Characters of a pattern; a longer one matches nothing but itself."""

MAX_TEXT = 1_000
"""Characters of a text that is compared with a pattern."""

MAX_NESTING = 2
"""Repetitions within repetitions."""

_ATOM = re.compile(r"\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\w+:\]|[^\]\\])*\]|[^\\\[]")
_REPEAT = re.compile(r"[*+?]|\{(\d{1,3})(,?)(\d{0,3})\}")

Places = frozenset[int]
"""Offsets of the text that have been reached."""

if TYPE_CHECKING:
    Step = Callable[[str, Places], Places]


class PatternError(ValueError):
    """A pattern that is not understood."""


def matches(pattern: str, text: str) -> bool:
    """True when the whole text matches. What is no pattern is compared as it stands."""
    if pattern == text:
        return True
    if len(pattern) > MAX_PATTERN or len(text) > MAX_TEXT:
        return False
    try:
        step = _compiled(pattern)
    except PatternError:
        return False
    return len(text) in step(text, frozenset({0}))


@lru_cache(maxsize=500)
def _compiled(pattern: str) -> Step:
    parser = _Parser(pattern)
    step = parser.choice(0)
    if parser.at < len(pattern):
        raise PatternError(pattern)
    return step


@dataclass(slots=True)
class _Parser:
    pattern: str
    at: int = 0

    def choice(self, nesting: int) -> Step:
        """Alternatives up to the end of the pattern or of a group."""
        ways = [self._sequence(nesting)]
        while self.pattern[self.at : self.at + 1] == "|":
            self.at += 1
            ways.append(self._sequence(nesting))
        return ways[0] if len(ways) == 1 else _any_of(tuple(ways))

    def _sequence(self, nesting: int) -> Step:
        steps: list[Step] = []
        while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
            steps.append(self._repeated(nesting))
        return _in_turn(tuple(steps))

    def _repeated(self, nesting: int) -> Step:
        start = self.at
        step = self._single(nesting)
        found = _REPEAT.match(self.pattern, self.at)
        if found is None:
            return step
        if nesting >= MAX_NESTING:
            raise PatternError(self.pattern)
        self.at = start
        step = self._single(nesting + 1)
        self.at = found.end()
        if self.pattern[self.at : self.at + 1] == "?":  # lazy: the same texts match
            self.at += 1
        low, high = _bounds(found)
        return _repeat(step, low, high)

    def _single(self, nesting: int) -> Step:
        sign = self.pattern[self.at]
        if sign == "(":
            return self._group(nesting)
        if sign in "*+?":
            raise PatternError(self.pattern)
        if sign in "^$":
            self.at += 1
            return _at_edge(is_end=sign == "$")
        found = _ATOM.match(self.pattern, self.at)
        if found is None:
            raise PatternError(self.pattern)
        self.at = found.end()
        return _one(found[0])

    def _group(self, nesting: int) -> Step:
        self.at += 1
        if self.pattern[self.at : self.at + 1] == "?":
            if self.pattern[self.at : self.at + 2] != "?:":
                raise PatternError(self.pattern)
            self.at += 2
        if self.pattern.count("(", 0, self.at) > 50:  # groups in groups are recursion here
            raise PatternError(self.pattern)
        step = self.choice(nesting)
        if self.pattern[self.at : self.at + 1] != ")":
            raise PatternError(self.pattern)
        self.at += 1
        return step


def _bounds(found: re.Match[str]) -> tuple[int, int | None]:
    sign = found[0]
    if sign in "*+?":
        return (1 if sign == "+" else 0), (1 if sign == "?" else None)
    low = int(found[1])
    return low, (int(found[3]) if found[3] else None) if found[2] else low


def _one(atom: str) -> Step:
    try:
        single = re.compile(atom, re.DOTALL)
    except re.error as error:
        raise PatternError(atom) from error

    def step(text: str, places: Places) -> Places:
        return frozenset(found.end() for at in places if (found := single.match(text, at)))

    return step


def _at_edge(*, is_end: bool) -> Step:
    return lambda text, places: places & {len(text) if is_end else 0}


def _in_turn(
    steps: tuple[Step, ...],
) -> Step:
    def step(text: str, places: Places) -> Places:
        for one in steps:
            places = one(text, places)
        return places

    return step


def _any_of(ways: tuple[Step, ...]) -> Step:
    return lambda text, places: frozenset(end for way in ways for end in way(text, places))


def _repeat(one: Step, low: int, high: int | None) -> Step:
    def step(text: str, places: Places) -> Places:
        for _ in range(low):
            places = one(text, places)
        reached, fresh, count = places, places, low
        while fresh and (high is None or count < high):
            fresh = one(text, fresh) - reached
            reached |= fresh
            count += 1
        return reached

    return step
