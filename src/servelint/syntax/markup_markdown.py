"""Blocks of code in Markdown, and in what is made of it: MDX, MyST, MkDocs.

Fences count wherever they stand (in lists, in quotes, in tabs that are made by
indentation): a reader of the page sees them as code, whatever the specification says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from servelint.syntax.markup_blocks import (
    Block,
    Line,
    columns,
    dedented,
    is_blank,
    lines_of,
    without_indent,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCE = re.compile(
    r"(?P<quotes>(?:[ \t]*+>)*+)"
    r"(?P<indent>[ \t]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*+)"
    r"(?P<mark>`{3,}+|~{3,}+)(?P<info>[^\r\n]*)"
)
_INFO = re.compile(
    r"[ \t]*(?:\{(?:code-block|code|sourcecode|code-cell|prompt|parsed-literal)\}[ \t]*"
    r"|\{?[ \t]*\.?)"
    r"(?P<name>[\w+#-]*)"
)
_DIRECTIVE = re.compile(r"[ \t]*\{(?P<name>[\w-]+)\}")
_CONTAINERS = frozenset(
    {
        *("admonition", "attention", "caution", "danger", "error", "hint", "important", "note"),
        *("seealso", "tip", "warning", "tabs", "tab", "tab-set", "tab-item", "dropdown", "details"),
        *("card", "grid", "grid-item", "grid-item-card", "margin", "sidebar", "div", "only"),
    }
)
"""Directives of MyST that hold text with fences of its own."""

_OPTION = re.compile(r":[\w-]+:")
_CODE_SPAN = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
_COMMENTS = {"<!--": "-->", "{/*": "*/}"}
_QUOTE = re.compile(r"[ \t]*>")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_CONTAINER = re.compile(r"[ \t]*(?:===[!+]*[ \t]+\"|(?:!!!|\?\?\?\+?)[ \t])")
_TEMPLATE = re.compile(
    r"^[ \t]*(?:<[A-Za-z][\w.]*(?P<tag>[^<>`\n]*)>[ \t]*)?\{`(?P<body>[^`$]*)`\}", re.MULTILINE
)
_LANGUAGE = re.compile(r"(?:language-|(?:language|lang)=[\"'{]*)(?P<name>[\w-]+)")
MAX_LENGTH = 10_000
"""Characters of a line in which a comment is looked for."""

CODE = 4
"""Columns by which code is indented beyond the text around it."""


def markdown_blocks(text: str, *, is_mdx: bool) -> Iterator[Block]:
    """The blocks of code of a page, in order. In MDX indented text is no code."""
    page = _Page(text, is_mdx)
    for line in lines_of(text):
        yield from page.take(line)
    yield from page.finish()


@dataclass(slots=True)
class _Fence:
    """An open fence: by what it ends, and what stands before its lines."""

    mark: str
    quotes: int
    width: int
    info: str
    start: int
    lines: list[Line] = field(default_factory=list)


@dataclass(slots=True)
class _Page:
    """A page, line by line."""

    text: str
    is_mdx: bool
    fence: _Fence | None = None
    wrappers: list[str] = field(default_factory=list)
    comment: str = ""
    offset: int = 0
    after_blank: bool = True
    code: list[Line] = field(default_factory=list)
    template: int = 0

    def take(self, line: Line) -> Iterator[Block]:
        """One more line of the page, and the block that it ends, if any."""
        if self.fence is not None:
            yield from self._inside(self.fence, line)
        elif self.comment:
            if self.comment in self.text[line.start : line.stop]:
                self.comment = ""
        elif is_blank(self.text, line):
            self.after_blank = True
            if self.code:
                self.code.append(line)
        elif not self._is_code(line):
            yield from self._indented()
            yield from self._plain(line)
            self.after_blank = False

    def finish(self) -> Iterator[Block]:
        """The block in which the page ends."""
        yield from self._indented()
        if self.fence is not None:
            yield _block(self.text, self.fence, len(self.text), closed=False)

    def _inside(self, fence: _Fence, line: Line) -> Iterator[Block]:
        start = line.start
        for _ in range(fence.quotes):
            match = _QUOTE.match(self.text, start, line.stop)
            if match is None:  # the quotation ends, and with it all that is in it
                self.fence = None
                yield _block(self.text, fence, line.start, closed=True)
                yield from self.take(line)
                return
            start = match.end()
        said = self.text[start : line.stop].strip()
        if said.startswith(fence.mark) and not said.strip(fence.mark[0]):
            self.fence = None
            yield _block(self.text, fence, line.stop, closed=True)
            return
        inner = Line(start, line.stop, line.end)
        fence.lines.append(without_indent(self.text, inner, fence.width))

    def _plain(self, line: Line) -> Iterator[Block]:
        """A line outside of code: it may open a fence, a comment, or something that indents."""
        match = _FENCE.match(self.text, line.start, line.stop)
        if match and not (match["mark"][0] == "`" and "`" in match["info"]):
            self._open(match)
            return
        self._comment(line)
        if self.is_mdx and line.start >= self.template:
            yield from self._template(line)
        item = _ITEM.match(self.text, line.start, line.stop)
        if item is not None:
            self.offset = len(item[0].expandtabs(CODE))
        elif _CONTAINER.match(self.text, line.start, line.stop):
            self.offset = columns(self.text, line.start, line.stop)[0] + CODE
        elif self.after_blank:
            width, _ = columns(self.text, line.start, line.stop)
            self.offset = min(self.offset, width)

    def _open(self, match: re.Match[str]) -> None:
        mark, info = match["mark"], match["info"].strip()
        if not info and self.wrappers and mark.startswith(self.wrappers[-1]):
            self.wrappers.pop()
            return
        directive = _DIRECTIVE.match(info)
        if directive is not None and directive["name"].lower() in _CONTAINERS:
            self.wrappers.append(mark)
            return
        width = len(match["indent"].expandtabs(CODE))
        self.fence = _Fence(mark, match["quotes"].count(">"), width, info, match.start())

    def _comment(self, line: Line) -> None:
        said = self.text[line.start : min(line.stop, line.start + MAX_LENGTH)]
        for opening, closing in _COMMENTS.items():
            if opening not in said or (opening == "{/*" and not self.is_mdx):
                continue
            behind = _CODE_SPAN.sub("", said).rpartition(opening)
            if behind[1] and closing not in behind[2]:
                self.comment = closing

    def _template(self, line: Line) -> Iterator[Block]:
        """A text between braces and backquotes, as components of MDX get it."""
        match = _TEMPLATE.match(self.text, line.start)
        if match is None:
            return
        self.template = match.end()
        start, stop = match.span("body")
        inner = (
            Line(one.start + start, one.stop + start, one.end + start)
            for one in lines_of(self.text[start:stop])
        )
        named = _LANGUAGE.search(match["tag"] or "")
        language = named["name"].lower() if named else ""
        yield Block(language, dedented(self.text, inner), match.start(), match.end())

    def _is_code(self, line: Line) -> bool:
        """True for a line of an indented block, which is then kept."""
        if self.is_mdx or not (self.after_blank or self.code):
            return False
        width, _ = columns(self.text, line.start, line.stop)
        if width < self.offset + CODE or _FENCE.match(self.text, line.start, line.stop):
            return False
        if not self.code and _ITEM.match(self.text, line.start, line.stop):
            return False
        self.code.append(line)
        self.after_blank = False
        return True

    def _indented(self) -> Iterator[Block]:
        if self.code:
            lines = dedented(self.text, self.code)
            yield Block("", lines, self.code[0].start, lines[-1].stop)
            self.code = []


def _block(text: str, fence: _Fence, end: int, *, closed: bool) -> Block:
    match = _INFO.match(fence.info)
    lines = fence.lines
    while fence.info.startswith("{") and lines and _OPTION.match(text, lines[0].start):
        lines = lines[1:]
    name = match["name"].lower() if match else ""
    return Block(name, tuple(lines), fence.start, end, closed)
