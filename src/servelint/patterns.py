"""Patterns of paths in configuration, as in other tools of a repository.

``*`` is any text without a slash, ``?`` one character of it, ``**`` any number of
directories, and a pattern that names a directory means all below it.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\*\*/|/\*\*\Z|\*\*|\*|\?|[^*?]+")
_MEANING = {"**/": "(?:.*/)?", "/**": "/.*", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def path_pattern(text: str) -> re.Pattern[str]:
    """What matches the root-relative paths that ``text`` means, as a whole (``fullmatch``)."""
    wanted = text.removeprefix("./").rstrip("/")
    body = "".join(_MEANING.get(token, re.escape(token)) for token in _TOKEN.findall(wanted))
    return re.compile(f"(?:{body})(?:/.*)?", re.DOTALL) if wanted else re.compile(".*", re.DOTALL)
