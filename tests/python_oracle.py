"""Whether what a reader says of a command can be what a run of it showed."""

from __future__ import annotations

import re

from servelint.value import Text


def pattern(value) -> str:
    """A regular expression for every text that a value admits."""
    return "|".join("".join(map(part_pattern, parts)) for parts in value.readings)


def part_pattern(part) -> str:
    return re.escape(part.text) if isinstance(part, Text) else ".*"


def admits(value, word: str) -> bool:
    return re.fullmatch(pattern(value), word, re.S) is not None


def is_dark(value) -> bool:
    return not any(
        isinstance(part, Text) and part.text for parts in value.readings for part in parts
    )


def tells(argv, words: list[str], program: int = 3) -> bool:
    """True when a launch can be the command.

    Words of a launch that ends open may be missing, but none of the ``program`` first ones.
    """
    may_miss = bool(argv) and is_dark(argv[-1])

    def match(at: int, to: int) -> bool:
        if at == len(argv):
            return to == len(words)
        if is_dark(argv[at]) and match(at + 1, to):
            return True
        fits = to < len(words) and admits(argv[at], words[to])
        if fits and (match(at + 1, to + 1) or (is_dark(argv[at]) and match(at, to + 1))):
            return True
        return may_miss and at >= program and match(at + 1, to)

    return match(0, 0)
