"""Guides (Markdown and its kin, reStructuredText, AsciiDoc): the code in their blocks.

Only blocks of code count: what is written in a sentence, a table or a comment is not run. A block
is read by the reader of its language. Who follows a page types its blocks one after the other, so
that variables hold from one to the next; which image and which package hold is for the linker.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace

from servelint.facts import Image
from servelint.finding import Skip
from servelint.readers.markdown.exports import Exports
from servelint.readers.markdown.language import code_of
from servelint.source import PAGE
from servelint.syntax.interpolation import interpolate
from servelint.syntax.markup_asciidoc import asciidoc_blocks
from servelint.syntax.markup_blocks import MAX_LINES, is_cut, shell_text
from servelint.syntax.markup_markdown import markdown_blocks
from servelint.syntax.markup_rst import rst_blocks
from servelint.syntax.placeholders import with_open_names
from servelint.syntax.pulls import pulls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from servelint.facts import Fact
    from servelint.readers.markdown.language import Code
    from servelint.source import Source
    from servelint.syntax.markup_blocks import Block

_RULE = re.compile(r"^\*\*\*$", re.MULTILINE)

MAX_BLOCKS = 1000
MAX_CODE = 200_000
"""Blocks, and characters in them, that are read of one page."""


def read(source: Source) -> Iterator[Fact | Source | Skip]:
    """The blocks of a page that hold a needle of its source, as sources of their own."""
    exports, hits = Exports(source), _hits(source)
    count = size = 0
    for number, block in enumerate(_blocks(source)):
        holds = not source.needles or _is_hit(hits, block)
        code = code_of(source.text, block) if block.closed else None
        if code is None:
            if holds and not block.closed and not is_cut(source.text):
                detail = "a block of code that is never closed: the rest of the page is not read"
                yield _skip(source, "syntax", detail, block)
            continue
        child = _child(source, code, number)
        if holds:
            count, size = count + 1, size + len(child.text)
            if count > MAX_BLOCKS or size > MAX_CODE:
                detail = f"more than {MAX_BLOCKS:,} blocks of code, or very long ones: not read"
                yield _skip(source, "too-large", detail, block)
                return
            yield from exports.seen_by(child)
            yield from _pulled(child)
            yield child
        exports.add(child)
    if is_cut(source.text):
        detail = f"only the first {MAX_LINES:,} lines were read"
        yield Skip(source.path, "read", "too-large", detail, source.span(0, 0))


def _blocks(source: Source) -> Iterator[Block]:
    if source.language == "rst":
        return rst_blocks(source.text)
    if source.language == "asciidoc":
        return asciidoc_blocks(source.text)
    return markdown_blocks(source.text, is_mdx=source.path.lower().endswith(".mdx"))


def _child(source: Source, code: Code, number: int) -> Source:
    """The code of a block, as the reader of its language takes it."""
    made = shell_text(source.text, code.lines)
    child = source.embed(made.text, made.segments, code.language, PAGE, number)
    if code.language == "shell":
        filled = with_open_names(child.text)
        return child.embed(filled.text, filled.segments, "shell") if filled else child
    if code.language == "python":
        # Where a product is only named, Python says nothing.
        needles = tuple(needle for needle in source.needles if not needle.isidentifier())
        return replace(child, needles=needles)
    if code.language == "yaml":
        # Formatters of Markdown write the line between two documents as their own rule.
        return replace(child, text=_RULE.sub("---", child.text))
    return child


def _is_hit(hits: Sequence[int], block: Block) -> bool:
    first = bisect_left(hits, block.start)
    return first < len(hits) and hits[first] < block.end


def _hits(source: Source) -> list[int]:
    """Where the needles stand; what holds none says nothing."""
    found: set[int] = set()
    for needle in source.needles:
        at = source.text.find(needle)
        while at >= 0:
            found.add(at)
            at = source.text.find(needle, at + 1)
    return sorted(found)


def _skip(source: Source, reason: str, detail: str, block: Block) -> Skip:
    stop = source.text.find("\n", block.start, block.end)
    end = stop if stop >= 0 else block.end
    return Skip(source.path, "read", reason, detail, source.span(block.start, end))


def _pulled(child: Source) -> Iterator[Image]:
    """The images that the commands of a block fetch: what is run after them runs there."""
    if child.language != "shell":
        return
    for number, (start, end) in enumerate(pulls(child.text)):
        word = child.slice(start, end, "text", "pull", number)
        span = word.span(0, len(word.text))
        yield Image(span=span, owner=word.owner, reference=interpolate(word))
