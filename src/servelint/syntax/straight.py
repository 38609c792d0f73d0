"""Shell texts in which every command runs, and none behind one that failed."""

from __future__ import annotations

import re
from functools import lru_cache

_BRANCH = re.compile(
    r"""(?:^|[\s;&|({])(?:if|case|for|while|until|select|function|eval|source|\.|trap|exit|return
          |alias|set|cd|activate)(?=[\s;)]|$)
      | \|\| | \(\) | [`<{}] | \$\( | (?<![&>])&(?![&>]) | (?<!\|)\|(?!\|) | ;
    """,
    re.VERBOSE,
)
"""What may leave a command out, change where it runs, or go on behind one that failed."""

_STOPS = re.compile(
    r"\A\s*(?:\#![^\n]*\n\s*)?set\s+-[a-z]*e[a-z]*(?:\s+(?:-o\s+)?pipefail)?[ \t]*(?:&&|\n|;)"
)
"""The beginning of a script that ends where a command fails."""

_JOINED = re.compile(r"\\\r?\n")
_COMMENT = re.compile(r"(?m)(?:^|(?<=\s))#[^\n]*")
_QUOTED = re.compile(r"'[^']*'|\"(?:\\.|[^\"\\$`])*\"")


@lru_cache(maxsize=64)
def is_straight(text: str) -> bool:
    """True for commands joined by ``&&`` alone, or one a line in a text that stops at a failure."""
    start = _STOPS.match(text)
    rest = text[start.end() :] if start is not None else text
    plain = _QUOTED.sub("x", _COMMENT.sub("", _JOINED.sub(" ", rest))).strip()
    if _BRANCH.search(plain):
        return False
    return start is not None or "\n" not in plain
