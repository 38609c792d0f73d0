"""What is too big, too deep or too slow for the parser, told before the parser sees it.

The parser is native code: some texts end the process, others keep it busy for
minutes, and nothing can stop it. Both are told from the tokens.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

MAX_LENGTH = 1_000_000
"""Characters of a text that is parsed."""

MAX_LINES = 40_000
"""Lines, or statements with a semicolon, of a text that is parsed."""

MAX_BRACKETS = 200
"""Brackets in one another."""

MAX_LINKS = 1000
"""Operators, attributes, calls or strings in a row, and branches of one ``if``."""

MAX_SECONDS = 1.5
"""Estimated time to parse and to place the nodes, on the slowest machine that was measured."""

_TOKEN_SECONDS = 50e-6
_BRACKET_SECONDS = 30e-6
_LINK_SECONDS = 1.5e-6

_TOKEN = re.compile(
    r"""
    (?P<blank>[ \t\f]+|\\(?:\r\n?|\n)|\#[^\r\n]*)
    |(?P<line>\r\n?|\n)
    |(?P<string>(?P<prefix>(?i:[bfrtu]{0,2}))(?:
        \"\"\"(?:[^"\\]++|\\.|"(?!""))*+\"\"\"|'''(?:[^'\\]++|\\.|'(?!''))*+'''
        |"(?:[^"\\\r\n]++|\\(?:\r\n|.))*+"|'(?:[^'\\\r\n]++|\\(?:\r\n|.))*+'))
    |(?P<word>\w++)
    |(?P<open>[(\[{])
    |(?P<close>[)\]}])
    |(?P<stop>[,;])
    |(?P<set>=(?!=))
    |(?P<link>:=|->|[-+~]|[*/%@&|^<>=!.:]+|.)
    """,
    re.X | re.S,
)
_LINKING = frozenset(
    {"and", "or", "not", "in", "is", "if", "else", "for", "lambda", "await", "yield", "async"}
)
_INSIDE = re.compile(r"\{\{|\}\}|[(\[{]|[)\]}]|[-+~]|[*/%@&|^<>=!.:]+|\w+")


@dataclass(slots=True)
class _Load:
    """What the tokens so far say."""

    links: list[int] = field(default_factory=lambda: [0])
    deepest: int = 0
    longest: int = 0
    elifs: int = 0
    seconds: float = 0.0

    def link(self) -> None:
        self.links[-1] += 1
        self.seconds += _LINK_SECONDS * self.links[-1]
        self.longest = max(self.longest, self.links[-1])

    def open(self) -> None:
        self.links.append(0)
        depth = len(self.links) - 1
        self.seconds += _BRACKET_SECONDS * depth
        self.deepest = max(self.deepest, depth)

    def close(self) -> None:
        if len(self.links) > 1:
            self.links.pop()
        self.link()


def refuse_whole(text: str) -> tuple[str, str]:
    """The same for a text of which nothing is emptied yet: only what is told at once."""
    if len(text) > MAX_LENGTH:
        return "too-large", f"longer than {MAX_LENGTH:,} characters"
    if max(text.count("\n"), text.count("\r")) + text.count(";") > MAX_LINES:
        return "too-large", f"more than {MAX_LINES:,} lines"
    return "", ""


def refuse(text: str) -> tuple[str, str]:
    """The reason for a skip and its detail, both empty for a text that can be parsed."""
    load = _Load()
    for match in _TOKEN.finditer(text):
        _add(load, match)
        if load.deepest > MAX_BRACKETS:
            return "too-deep", f"more than {MAX_BRACKETS} brackets in one another"
        if load.longest > MAX_LINKS or load.elifs > MAX_LINKS:
            return "too-deep", f"more than {MAX_LINKS:,} operators, calls or branches in a row"
        if load.seconds > MAX_SECONDS:
            return "too-slow", f"parsing would take longer than {MAX_SECONDS:g} s"
    return "", ""


def _add(load: _Load, match: re.Match[str]) -> None:  # one case a token
    kind = match.lastgroup
    if kind == "prefix":
        kind = "string"
    if kind == "blank":
        return
    load.seconds += _TOKEN_SECONDS
    if kind == "line":
        if len(load.links) == 1:
            load.links[0] = 0
    elif kind in ("stop", "set"):
        load.links[-1] = 0
    elif kind == "open":
        load.open()
    elif kind == "close":
        load.close()
    elif kind == "string":
        load.link()
        if set(match["prefix"].lower()) & {"f", "t"}:
            _fields(load, match[0])
    elif kind == "word":
        load.elifs += match[0] == "elif"
        if match[0] in _LINKING:
            load.link()
    else:
        load.link()


def _fields(load: _Load, text: str) -> None:
    """Count what stands in the replacement fields of an f-string."""
    outside = len(load.links)
    for match in _INSIDE.finditer(text):
        token = match[0]
        inside = len(load.links) > outside
        if token in ("{{", "}}") and not inside:
            continue
        for mark in token if token in ("{{", "}}") else (token,):
            if mark in "([{":
                if inside or mark == "{":
                    load.open()
            elif len(load.links) > outside and mark in ")]}":
                load.close()
            elif len(load.links) > outside and not mark[0].isalnum():
                load.link()
    del load.links[outside:]
