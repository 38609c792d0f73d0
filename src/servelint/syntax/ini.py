"""Configurations in the form of INI that Python's ``configparser`` reads, with places."""

from __future__ import annotations

import re
from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LINE = re.compile(r"(?P<indent>[ \t]*)(?P<text>[^\r\n]*)(?:\r\n?|\n|\Z)")
_SECTION = re.compile(r"\[(?P<name>[^\]\r\n]+)\]")
_KEY = re.compile(r"(?P<key>[^=:\s][^=:]*?)[ \t]*[=:][ \t]*")


@dataclass(frozen=True, slots=True)
class IniValue:
    """A key with what is set to it: the ranges of its lines, without blanks and comments.

    ``is_listed`` says that the value begins below its key.
    """

    section: str
    key: str
    lines: tuple[tuple[int, int], ...]
    is_listed: bool


def values(text: str) -> Iterator[IniValue]:
    """The values in order; keys in small letters. A line that is indented goes on with its key."""
    section, key, indent = "", "", 0
    lines: list[tuple[int, int]] = []
    is_listed = False
    for match in _LINE.finditer(text):
        start, written = match.start("text"), match["text"].rstrip()
        if not written or written[0] in "#;":
            continue
        if key and len(match["indent"]) > indent:
            lines.append((start, start + len(written)))
            continue
        if key:
            yield IniValue(section, key, tuple(lines), is_listed)
        key, lines, indent = "", [], len(match["indent"])
        if head := _SECTION.match(written):
            section = head["name"].strip()
        elif head := _KEY.match(written):
            key = head["key"].lower()
            is_listed = head.end() == len(written)
            lines = [] if is_listed else [(start + head.end(), start + len(written))]
    if key:
        yield IniValue(section, key, tuple(lines), is_listed)
