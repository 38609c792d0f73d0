"""The concrete syntax tree of a text, and where its nodes stand in the text."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from functools import cache
from typing import cast

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from servelint.readers.python.literals import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from libcst.metadata import CodeRange

    from servelint.readers.python.pieces import Place

_LINE_END = re.compile(r"\r\n?|\n")
_EMPTY = re.compile(
    r".*whitespace|lpar|rpar|lbrac|rbrac|comma|semicolon|colon|dot|equal|asname_|header|footer"
    r"|indent|leading_|lines_|trailing_|config_|default_|encoding|has_|(annotation|returns)\Z"
)
_ROWS = (tuple, list)
_FORM_FEED = re.compile(r"[ \t]*\f[ \t\f]*")


@dataclass(frozen=True, slots=True)
class Script:
    """A parsed text. The tree may be that of a text with some functions emptied.

    Lines and columns are those of ``text`` all the same: columns of the tree
    count code points, lines end as in the tokenizer of the tree.
    """

    text: str
    module: cst.Module
    _positions: Mapping[cst.CSTNode, CodeRange]
    _lines: tuple[int, ...]

    def place(self, node: cst.CSTNode) -> Place:
        """The range of a node without parentheses around it and blanks behind it."""
        found = self._positions.get(node)
        if found is None:
            return (0, 0)
        start, end = found.start, found.end
        return (self._lines[start.line - 1] + start.column, self._lines[end.line - 1] + end.column)

    def code(self, node: cst.CSTNode) -> str:
        """The text of a node."""
        start, end = self.place(node)
        return self.text[start:end]

    def inside(self, node: cst.CSTNode) -> Place:
        """The range of a node; that of a string is what stands between its quotation marks."""
        kind = type(node)
        start, end = self.place(node)
        if kind is cst.SimpleString:
            token = quoted(node.value)  # type: ignore[attr-defined]
            return (start + token.start, start + token.end)
        if kind is cst.FormattedString:
            return (start + len(node.start), end - len(node.end))  # type: ignore[attr-defined]
        if kind is cst.ConcatenatedString:
            left, right = node.left, node.right  # type: ignore[attr-defined]
            return (self.inside(left)[0], self.inside(right)[1])
        return (start, end)


def parts(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The nodes right inside a node; blanks, commas and brackets are left out."""
    for name in _names(type(node)):
        value = getattr(node, name)
        if type(value) in _ROWS:
            yield from value
        elif hasattr(value, "visit"):  # ten times as fast as isinstance with an abstract class
            yield value


@cache
def _names(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind) if not _EMPTY.match(one.name))


def parse(text: str, shown: str | None = None) -> Script:
    """Parse ``shown``, which is ``text`` or has the same lines with some of them emptied.

    Raises ``libcst.ParserSyntaxError`` and RecursionError. The guard must have
    seen the text before: some texts end the process.
    """
    module = cst.parse_module(text if shown is None else shown)
    positions = _Positions().of(MetadataWrapper(module, unsafe_skip_copy=True))
    return Script(text, module, positions, _line_starts(text))


class _Positions(PositionProvider):
    """The provider alone: ``wrapper.resolve`` walks the tree once more for other providers."""

    def of(self, wrapper: MetadataWrapper) -> Mapping[cst.CSTNode, CodeRange]:
        self._gen(wrapper)
        return cast("Mapping[cst.CSTNode, CodeRange]", self._computed)


def _line_starts(text: str) -> tuple[int, ...]:
    """Where the columns of each line begin: the tree does not count a form feed before code."""
    starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
    if "\f" in text:
        for index, start in enumerate(starts):
            feed = _FORM_FEED.match(text, start)
            if feed is not None:
                starts[index] = start + feed[0].rindex("\f") + 1
    return tuple(starts)
