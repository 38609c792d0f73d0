"""Python: what a script would start, build, install or call.

Three sieves stand before the parser that keeps every place: the words that
make a text worth reading, a look with the standard library's parser, and a
guard against texts that the other parser cannot survive. Then the text is
evaluated, never run.
"""

from __future__ import annotations

import gc

import libcst as cst

from servelint.finding import Skip
from servelint.readers.python.blank import blank
from servelint.readers.python.emit import facts
from servelint.readers.python.guard import refuse, refuse_whole
from servelint.readers.python.linescan import scan
from servelint.readers.python.machine import MAX_STEPS
from servelint.readers.python.needles import sort_needles
from servelint.readers.python.pins import script_block
from servelint.readers.python.run import run
from servelint.readers.python.screen import screen
from servelint.readers.python.tree import parse, whole
from servelint.syntax.python_module import parse as quick_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.facts import Fact
    from servelint.readers.python.needles import Needles
    from servelint.readers.python.tree import Shown
    from servelint.source import Source


def read(source: Source) -> Iterator[Fact | Source | Skip]:
    """The facts of a Python text that holds one of the needles of its source.

    Nothing at all for a text whose needles stand in comments, docstrings or
    messages only.
    """
    if not any(needle in source.text for needle in source.needles):
        return
    needles = sort_needles(source.needles)
    yield from script_block(source)
    collecting = gc.isenabled()
    gc.disable()  # a tree is many objects and no garbage: collecting doubles the time
    try:
        found = list(_found(source, needles))
    finally:
        if collecting:
            gc.enable()
    yield from found


def _found(source: Source, needles: Needles) -> Iterator[Fact | Source | Skip]:
    try:
        reason, detail = refuse_whole(source.text)
        if not reason:
            shown = _shown(source.text, needles)
            if shown is None:
                return
            reason, detail = refuse(shown.text)
            if not reason:
                yield from _evaluated(source, shown, needles)
                return
    except cst.ParserSyntaxError:
        reason, detail = "syntax", "no Python that can be parsed: only scanned line by line"
    except RecursionError:
        reason, detail = "too-deep", "expressions or statements nest too deep"
    yield Skip(source.path, "read", reason, detail, source.span(0, 0))
    yield from scan(source, needles)


def _shown(text: str, needles: Needles) -> Shown | None:
    """The lines of a text that matter; None when nothing does."""
    tree = quick_parse(text)
    if tree is None:
        return whole(text)
    screened = screen(text, tree, needles)
    return None if screened is None else blank(text, screened)


def _evaluated(source: Source, shown: Shown, needles: Needles) -> Iterator[Fact | Source | Skip]:
    """The facts of a text that the parser survives."""
    events, is_whole = run(parse(source.text, shown), needles)
    if not is_whole:
        detail = f"only the first {MAX_STEPS:,} steps were evaluated"
        yield Skip(source.path, "read", "too-slow", detail, source.span(0, 0))
    yield from facts(source, events, needles)
