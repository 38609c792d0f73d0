"""Blocks of code in AsciiDoc: between lines of hyphens, dots or backquotes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from servelint.syntax.markup_blocks import Block, Line, is_blank, lines_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_ATTRIBUTES = re.compile(
    r"\[(?:source|listing|literal)?[^,\]]*,[ \t]*\"?(?P<name>[\w+#-]+)[^\]]*\]"
)
_BARE = re.compile(r"\[(?:source|listing|literal)\b[^\]]*\]")
_DELIMITER = re.compile(r"(?P<mark>-{4,}|\.{4,}|/{4,}|`{3,})(?P<info>[\w+#-]*)[ \t]*$")
_TITLE = re.compile(r"\.[^ .\t]|\[")


def asciidoc_blocks(text: str) -> Iterator[Block]:
    """The blocks of code of a page, in order."""
    page = _Page(text)
    for line in lines_of(text):
        yield from page.take(line)
    yield from page.finish()


@dataclass(slots=True)
class _Open:
    """An open block. Without a ``mark`` it is a paragraph: a blank line ends it."""

    mark: str
    language: str
    start: int
    lines: list[Line] = field(default_factory=list)


@dataclass(slots=True)
class _Page:
    text: str
    block: _Open | None = None
    language: str | None = None

    def take(self, line: Line) -> Iterator[Block]:
        """One more line of the page, and the block that it ends, if any."""
        said = self.text[line.start : line.stop].rstrip()
        if self.block is not None:
            ends = said == self.block.mark if self.block.mark else is_blank(self.text, line)
            if not ends:
                self.block.lines.append(line)
                return
            yield from self._end(line.stop, closed=True)
            return
        delimiter = _DELIMITER.match(said)
        attributes = _ATTRIBUTES.match(said)
        if delimiter is not None:
            language = self.language or delimiter["info"].lower()
            self.block = _Open(delimiter["mark"], language, line.start)
        elif attributes is not None:
            self.language = attributes["name"].lower()
        elif _BARE.match(said):
            self.language = ""
        elif self.language is not None and said and not _TITLE.match(said):
            self.block = _Open("", self.language, line.start, [line])
        elif not said or not _TITLE.match(said):
            self.language = None

    def finish(self) -> Iterator[Block]:
        """The block in which the page ends."""
        yield from self._end(len(self.text), closed=self.block is None or not self.block.mark)

    def _end(self, end: int, *, closed: bool) -> Iterator[Block]:
        block, self.block, self.language = self.block, None, None
        if block is not None and not block.mark.startswith("/"):
            yield Block(block.language, tuple(block.lines), block.start, end, closed)
