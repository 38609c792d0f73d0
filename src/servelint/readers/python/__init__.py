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
from servelint.readers.python.guard import refuse
from servelint.readers.python.linescan import scan
from servelint.readers.python.machine import MAX_STEPS
from servelint.readers.python.needles import sort_needles
from servelint.readers.python.pins import script_block
from servelint.readers.python.run import run
from servelint.readers.python.screen import parse as quick_parse
from servelint.readers.python.screen import screen
from servelint.readers.python.tree import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.facts import Fact
    from servelint.readers.python.needles import Needles
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
    shown = _shown(source.text, needles)
    if shown is not None:
        yield from _evaluated(source, shown, needles)


def _shown(text: str, needles: Needles) -> str | None:
    """The text with everything emptied that does not matter; None when nothing does."""
    tree = quick_parse(text)
    if tree is None:
        return text
    screened = screen(text, tree, needles)
    return None if screened is None else blank(text, screened)


def _evaluated(source: Source, shown: str, needles: Needles) -> Iterator[Fact | Source | Skip]:
    reason, detail = refuse(shown)
    if reason:
        yield _skip(source, reason, detail)
        yield from scan(source, needles)
        return
    collecting = gc.isenabled()
    gc.disable()  # a tree is many objects and no garbage: collecting doubles the time
    try:
        script = parse(source.text, shown)
        events, whole = run(script, needles)
    except cst.ParserSyntaxError:
        yield _skip(source, "syntax", "no Python that can be parsed: only scanned line by line")
        yield from scan(source, needles)
        return
    except RecursionError:
        yield _skip(source, "too-deep", "expressions or statements nest too deep")
        yield from scan(source, needles)
        return
    finally:
        if collecting:
            gc.enable()
    if not whole:
        yield _skip(source, "too-slow", f"only the first {MAX_STEPS:,} steps were evaluated")
    yield from facts(source, events, needles)


def _skip(source: Source, reason: str, detail: str) -> Skip:
    return Skip(source.path, "read", reason, detail, source.span(0, 0))
