"""Procfiles: one process a line, each a command for a shell."""

from __future__ import annotations

import re

from servelint.finding import Skip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.source import Source

MAX_PROCESSES = 2000
"""Processes that are read of one file."""

_PROCESS = re.compile(r"^(?P<name>[\w.-]+):[ \t]*(?P<command>\S[^\r\n]*)", re.MULTILINE)


def read(source: Source) -> Iterator[Source | Skip]:
    """One shell source for each process."""
    for count, match in enumerate(_PROCESS.finditer(source.text)):
        start, end = match.span("command")
        if count == MAX_PROCESSES:
            detail = f"only the first {MAX_PROCESSES:,} processes were read"
            yield Skip(source.path, "read", "too-slow", detail, source.span(start, end))
            return
        yield source.slice(start, end, "shell", match["name"])
