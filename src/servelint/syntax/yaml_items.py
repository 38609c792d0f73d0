"""The items of a long list in YAML written by a tool, found without reading the whole text."""

from __future__ import annotations

import re
from bisect import bisect_right

from servelint.finding import Skip
from servelint.syntax.yaml import (
    Mapping,
    Scalar,
    YamlProblem,
    deref,
    documents,
    fields,
    segments,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from servelint.source import Source
    from servelint.syntax.yaml import Field

    Place = tuple[int, int]

MAX_INDENT = 40
"""Blanks before an item of the list; tools write at most two."""

_FIRST = re.compile(r"(?:[ \t]*+(?:#[^\n]*+)?\r?\n)*+(?P<indent> *+)- ")


def items(text: str, key: str) -> tuple[Place, ...] | None:
    """The ranges of the items of the list below a key of the top; None where it has no such list.

    Only for lists in block style, one item after the other.
    """
    head = re.search(rf"^{key}:[ \t]*(?:#[^\n]*)?\r?\n", text, re.MULTILINE)
    first = _FIRST.match(text, head.end()) if head else None
    if first is None or len(first["indent"]) > MAX_INDENT:
        return None
    indent = first["indent"]
    after = re.compile(rf"^(?!{indent}- |{indent} |[ \t\r]*(?:#|$))", re.MULTILINE)
    end = after.search(text, first.end())
    stop = end.start() if end else len(text)
    starts = [m.start() for m in re.finditer(rf"^{indent}- ", text[:stop], re.MULTILINE)]
    starts = starts[bisect_right(starts, first.start("indent") - 1) :]
    return tuple(zip(starts, (*starts[1:], stop), strict=True))


def holding(text: str, places: Sequence[Place], words: Sequence[str]) -> Iterator[Place]:
    """The ranges that hold one of the words, in whatever spelling of package names; all without."""
    if not words:
        yield from places
        return
    starts = [start for start, _ in places]
    hit = {bisect_right(starts, at) - 1 for at in _hits(text, words)}
    yield from (places[index] for index in sorted(hit - {-1}))


def _hits(text: str, words: Sequence[str]) -> Iterator[int]:
    """Where one of the words stands; comparing without case by a pattern takes 20 times longer."""
    small = text.lower()
    if len(small) != len(text):  # few letters become two
        small = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    for word in words:
        pattern = "[-_.]+".join(map(re.escape, word.split("-")))
        yield from (match.start() for match in re.finditer(pattern, small))


def entries(
    source: Source, places: Sequence[Place], words: Sequence[str]
) -> Iterator[Entry | Skip]:
    """The mappings among the items that hold one of the words (all without), and broken items."""
    for place in holding(source.text, places, words):
        try:
            row = entry(source, place)
        except YamlProblem as problem:
            yield Skip(source.path, "read", problem.reason, problem.detail, source.span(*place))
            continue
        if row is not None:
            yield row


class Entry:
    """One item of a list: a mapping whose texts know where they stand."""

    def __init__(self, source: Source, fields_of_it: dict[str, Field]) -> None:
        self._source = source
        self._fields = fields_of_it

    def text(self, *keys: str) -> Source | None:
        """The text below the first of the keys that has one."""
        for key in keys:
            node = deref(self._fields[key].value)[0] if key in self._fields else None
            if isinstance(node, Scalar) and node.value:
                return self._source.embed(
                    node.value, segments(self._source.text, node), "requirement"
                )
        return None


def entry(source: Source, place: Place) -> Entry | None:
    """The mapping that an item is; None for anything else. Raises ``YamlProblem``."""
    block = source.slice(*place, "text")
    (tree, *_) = documents(block.text) or (None,)
    node = deref(tree)[0] if tree is not None else None
    listed = getattr(node, "items", ())
    target = deref(listed[0])[0] if listed else None
    return Entry(block, fields(target)) if isinstance(target, Mapping) else None
