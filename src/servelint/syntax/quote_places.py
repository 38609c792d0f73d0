"""Where single quotes stand open in a shell text."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Place = tuple[int, int]

MAX_HEREDOCS = 200
"""Here-documents whose text is left out; quotes in later ones are taken for quotes."""

_TOKEN = re.compile(
    r"""(?P<single>'[^']*+(?:'|\Z))
      | "(?:[^"\\]|\\.)*+(?:"|\Z)
      | \\.
      | (?<![^\s;&|()])\#[^\n]*
      | (?<!<)<<-?[ \t]*(?P<quote>['"]?)(?P<word>\w+)(?P=quote)
    """,
    re.VERBOSE | re.DOTALL,
)


def in_single_quotes(text: str, holes: Sequence[Place]) -> tuple[bool, ...]:
    """For each of the ``holes``, in order, whether it stands between single quotes.

    A hole is a range that something fills in before a shell sees the text;
    what is written there does not count.
    """
    pieces, at = [], 0
    for start, end in holes:
        pieces += [text[at:start], "_" * (end - start)]
        at = end
    quoted = _single_quoted("".join((*pieces, text[at:])))
    answers: list[bool] = []
    index = 0
    for start, _ in holes:
        while index < len(quoted) and quoted[index][1] <= start:
            index += 1
        answers.append(index < len(quoted) and quoted[index][0] <= start)
    return tuple(answers)


def _single_quoted(text: str) -> list[Place]:
    found: list[Place] = []
    at, heredocs = 0, 0
    while match := _TOKEN.search(text, at):
        at = match.end()
        if match["single"]:
            found.append(match.span())
        elif match["word"] and heredocs < MAX_HEREDOCS:
            heredocs += 1
            at = _behind_heredoc(text, match)
    return found


def _behind_heredoc(text: str, match: re.Match[str]) -> int:
    """Where the text of a here-document ends; of the line that opens it, the rest counts."""
    line_end = text.find("\n", match.end())
    end = re.compile(rf"^[\t ]*{match['word']}[ \t\r]*$", re.MULTILINE).search(text, line_end + 1)
    opens_more = any(quote in text[match.end() : line_end] for quote in "'\"")
    return match.end() if line_end < 0 or end is None or opens_more else end.end()
