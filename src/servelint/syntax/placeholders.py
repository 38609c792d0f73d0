"""What a guide leaves to its reader to fill in, such as ``<your-ip>`` in shell text."""

from __future__ import annotations

import re

from servelint.syntax.make_shell import ShellText, shell_name
from servelint.syntax.quote_places import in_single_quotes

MAX_PLACEHOLDERS = 1000
"""A text with more of them is no guide."""

_PLACEHOLDER = re.compile(
    r"(?<![<\d&])<(?P<name>[A-Za-z][^<>\n\"'`$;&()]{0,80}+)(?<![ \t])(?<![ \t]\d)>(?!>)"
)


def with_open_names(text: str) -> ShellText | None:
    """The text with an open name for each placeholder, which a shell takes for redirections.

    What stands in single quotes is left as it is. None when there is nothing to fill in, or
    too much.
    """
    found = list(_PLACEHOLDER.finditer(text))
    if not 0 < len(found) <= MAX_PLACEHOLDERS:
        return None
    made, at = ShellText(), 0
    for match, single in zip(found, in_single_quotes(text, [m.span() for m in found]), strict=True):
        if not single:
            start, end = match.span()
            made.add(text[at:start], at, start)
            made.add(f"${{{shell_name(match['name'])}}}", start, end)
            at = end
    made.add(text[at:], at, len(text))
    return made
