"""Comments that ask not to be told something: ``# servelint: ignore[ID] reason``.

They are looked for in the text as it stands, whatever its language: what only looks like
a comment, as in a string, speaks of its own lines and of no others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

WORD = "servelint:"
"""What every such comment holds."""

MAX_COMMENTS = 1000
"""Comments that are read of one text."""

MAX_IDS = 20
"""Ids of one comment."""

MAX_INDENT = 200
"""Blanks before and behind a comment that has its line to itself."""

_COMMENT = re.compile(
    r"(?P<open>(?<!\S)(?:\#{1,3}|//{1,2})|<!--|/\*|\{\#-?)[ \t]{0,20}"
    r"servelint:[ \t]{0,20}ignore(?![\w-])(?P<rest>[^\r\n]{0,1000})"
)
"""A ``#`` or ``//`` inside a word begins no comment, as in YAML and in a shell."""

_CLOSE = {"<!--": "-->", "/*": "*/", "{#": "#}", "{#-": "#}"}
"""What ends a comment before the end of the line."""

_BODY = re.compile(r"[ \t]*\[(?P<ids>[^\[\]]*)\](?P<reason>.*)", re.DOTALL)
_ID = re.compile(r"[\w.-]{1,100}")
_WORDS = re.compile(r"\w")
_AROUND = ("", "{{", "{{-", "{", "}}", "-}}", "}")
"""What stands around a comment that has its line to itself: actions of templates, MDX."""

SHAPE = "expected ignore[ID] reason"


@dataclass(frozen=True, slots=True)
class IgnoreComment:
    """One comment at ``start`` to ``end``, which speaks of the lines from ``first`` to ``last``.

    All are offsets of the text. A comment behind something speaks of its own line, one
    that has its line to itself also of the next line that is no such comment. ``wrong``
    says why it names nothing; else it has ids. An empty ``reason`` is none.
    """

    start: int
    end: int
    first: int
    last: int
    ids: tuple[str, ...] = ()
    reason: str = ""
    wrong: str = ""
    alone: bool = False


def ignore_comments(text: str) -> tuple[IgnoreComment, ...]:
    """The comments of a text in order, at most :data:`MAX_COMMENTS`; the last one says of more."""
    if WORD not in text:
        return ()
    found: list[IgnoreComment] = []
    first = last = at = 0
    while (match := _COMMENT.search(text, at)) is not None:
        if len(found) == MAX_COMMENTS:
            wrong = f"more than {MAX_COMMENTS} comments in one file: the others do not count"
            found[-1] = replace(found[-1], ids=(), wrong=wrong)
            break
        if match.start() >= last:  # a line is looked for once, however many comments it has
            first = text.rfind("\n", last, match.start()) + 1
            last = _line_end(text, match.end())
        found.append(_comment(text, match, first, last))
        at = found[-1].end
    return _reaching(text, found)


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return end if end >= 0 else len(text)


def _comment(text: str, match: re.Match[str], first: int, last: int) -> IgnoreComment:
    body, close, _ = match["rest"].partition(_CLOSE.get(match["open"], "\n"))
    end = match.start("rest") + len(body) + len(close)
    is_near = match.start() - first <= MAX_INDENT and last - end <= MAX_INDENT
    around = (text[first : match.start()], text[end:last]) if is_near else ("x", "")
    ids, reason, wrong = _read(body)
    return IgnoreComment(
        start=match.start(),
        end=end if close else match.start("rest") + len(body.rstrip()),
        first=first,
        last=last,
        ids=ids,
        reason=reason,
        wrong=wrong,
        alone=all(one.strip() in _AROUND for one in around),
    )


def _read(body: str) -> tuple[tuple[str, ...], str, str]:
    """The ids, the reason, and what is wrong."""
    match = _BODY.fullmatch(body)
    if match is None:
        return (), "", SHAPE
    ids = [one.strip() for one in match["ids"].split(",")]
    if len(ids) > MAX_IDS or not all(map(_ID.fullmatch, ids)):
        return (), "", SHAPE
    reason = match["reason"].strip(" \t:-")
    return tuple(dict.fromkeys(ids)), reason if _WORDS.search(reason) else "", ""


def _reaching(text: str, found: Sequence[IgnoreComment]) -> tuple[IgnoreComment, ...]:
    """The comments, each with the line below it; several in a column speak of the same line."""
    done: list[IgnoreComment] = []
    for one in reversed(found):
        below = done[-1] if done else None
        if one.alone and below is not None and below.alone and below.first == one.last + 1:
            last = below.last
        elif one.alone and one.last < len(text):
            last = _line_end(text, one.last + 1)
        else:
            last = one.last
        done.append(replace(one, last=last))
    return tuple(reversed(done))
