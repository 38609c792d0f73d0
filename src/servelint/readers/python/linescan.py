"""The last resort for a text that no parser takes: commands line by line."""

from __future__ import annotations

import re

from servelint.readers.python.command_like import looks_run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.readers.python.needles import Needles
    from servelint.source import Source

MAX_COMMANDS = 200

_LINE = re.compile(r"[^\r\n]+")
_COMMENT = re.compile(r"\s*#(?!!)")
_QUOTED = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'")
_MAGIC = re.compile(r"\s*[!%$>]*\s*")


def scan(source: Source, needles: Needles) -> Iterator[Source]:
    """The command of each line that holds one, as a text for a shell."""
    count = 0
    for line in _LINE.finditer(source.text):
        if count >= MAX_COMMANDS:
            return
        if _COMMENT.match(line[0]) or not needles.programs.search(line[0]):
            continue
        for start, end in _texts(source.text, *line.span()):
            if looks_run(needles, source.text[start:end]):
                yield source.slice(start, end, "shell", "line", count)
                count += 1
                break


def _texts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """What stands in quotes on a line, then the line itself."""
    for match in _QUOTED.finditer(text, start, end):
        yield match.span(match.lastindex or 0)
    head = _MAGIC.match(text, start, end)
    yield (head.end() if head is not None else start, end)
