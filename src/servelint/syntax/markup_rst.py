"""Blocks of code in reStructuredText: directives, and paragraphs that end in two colons."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from servelint.syntax.markup_blocks import Block, Line, columns, dedented, is_blank, lines_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_CODE = re.compile(
    r"\.\.[ \t]+(?:code-block|code|sourcecode|prompt|parsed-literal)::[ \t]*(?P<name>[\w+#-]*)"
)
_HIGHLIGHT = re.compile(r"\.\.[ \t]+highlight::[ \t]*(?P<name>[\w+#-]*)")
_MARKED = re.compile(r"\.\.(?:[ \t]+(?:[\w:.-]+::|_|\[|\|)|[ \t]+[^\n]*::)")
_COMMENT = re.compile(r"\.\.(?:[ \t]|$)")
_OPTION = re.compile(r"[ \t]*:[\w-]+:")


def rst_blocks(text: str) -> Iterator[Block]:
    """The blocks of code of a page, in order."""
    page = _Page(text)
    for line in lines_of(text):
        yield from page.take(line)
    yield from page.end()


@dataclass(slots=True)
class _Open:
    """A block that goes on while lines are indented more than ``width`` columns."""

    language: str
    width: int
    start: int
    is_comment: bool = False
    has_options: bool = False
    lines: list[Line] = field(default_factory=list)


@dataclass(slots=True)
class _Page:
    text: str
    highlight: str = ""
    block: _Open | None = None

    def take(self, line: Line) -> Iterator[Block]:
        """One more line of the page, and the block that it ends, if any."""
        if self.block is not None:
            width, _ = columns(self.text, line.start, line.stop)
            if is_blank(self.text, line) or width > self.block.width:
                self._keep(self.block, line)
                return
            yield from self.end()
        self._open(line)

    def end(self) -> Iterator[Block]:
        """The block that ends here."""
        block, self.block = self.block, None
        if block is None or block.is_comment:
            return
        lines = dedented(self.text, block.lines)
        if lines:
            yield Block(block.language, lines, block.start, lines[-1].stop)

    def _keep(self, block: _Open, line: Line) -> None:
        if block.has_options:
            if _OPTION.match(self.text, line.start, line.stop):
                return
            block.has_options = False
        block.lines.append(line)

    def _open(self, line: Line) -> None:
        width, start = columns(self.text, line.start, line.stop)
        code = _CODE.match(self.text, start, line.stop)
        highlight = _HIGHLIGHT.match(self.text, start, line.stop)
        said = self.text[start : line.stop].rstrip()
        if code is not None:
            self.block = _Open(code["name"].lower(), width, line.start, has_options=True)
        elif highlight is not None:
            self.highlight = highlight["name"].lower()
        elif _COMMENT.match(said):
            if not _MARKED.match(said):
                self.block = _Open("", width, line.start, is_comment=True)
        elif said.endswith("::"):
            self.block = _Open(self.highlight, width, line.start)
