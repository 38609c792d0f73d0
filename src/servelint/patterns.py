"""Patterns of paths in configuration, as in other tools of a repository.

``*`` is any text without a slash, ``?`` one character of it, ``**`` any number of
directories, and a pattern that names a directory means all below it.

What stands between two signs for any text is best found as early as it can be: the second sign
takes in whatever is left. Atomic groups say so, and a pattern of many signs takes no longer.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\*\*/|/\*\*\Z|\*\*|\*|\?|[^*?/]+|/")
_MEANING = {"**/": "(?:.*?/)??", "/**": "/.*", "**": ".*?", "*": "[^/]*?", "?": "[^/]"}
_ACROSS = ("**/", "**")
_INSIDE = ("*", *_ACROSS)
_BOUNDS = ("/", "**/")


def path_pattern(text: str) -> re.Pattern[str]:
    """What matches the root-relative paths that ``text`` means, as a whole (``fullmatch``)."""
    wanted = text.removeprefix("./").rstrip("/")
    if not wanted:
        return re.compile(".*", re.DOTALL)
    body = "".join(_of_directories(_TOKEN.findall(wanted)))
    return re.compile(f"(?:{body})(?:/.*)?", re.DOTALL)


def _of_directories(tokens: list[str]) -> list[str]:
    """The meaning of a pattern, piece by piece from one ``**`` to the next.

    ``**/`` goes on from the beginning of a name only: what stands before it must end with one.
    """
    pieces = _cut(tokens, _ACROSS)
    done = []
    for piece, following in zip(pieces, [*pieces[1:], []], strict=True):
        meant = "".join(_of_names(piece))
        takes_all = following[:1] == ["**"] or (following and piece[-1] in _BOUNDS)
        done.append(f"(?>{meant})" if takes_all else meant)
    return done


def _of_names(tokens: list[str]) -> list[str]:
    """The meaning of a piece, part by part from one ``*`` to the next of the same name."""
    done = []
    parts = _cut(tokens, _INSIDE)
    for at, part in enumerate(parts):
        meant = "".join(_MEANING.get(token) or re.escape(token) for token in part)
        is_inner = part[0] == "*" and not any("/" in token for token in part)
        is_inner = is_inner and at < len(parts) - 1
        done.append(f"(?>{meant})" if is_inner else meant)
    return done


def _cut(tokens: list[str], signs: tuple[str, ...]) -> list[list[str]]:
    """The tokens, a new list before each of the signs."""
    lists: list[list[str]] = [[]]
    for token in tokens:
        if token in signs and lists[-1]:
            lists.append([])
        lists[-1].append(token)
    return lists
