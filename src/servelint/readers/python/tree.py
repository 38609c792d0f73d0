"""The concrete syntax tree of a text, and where its nodes stand in the text."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from functools import cache

import libcst as cst
from libcst._nodes.internal import CodegenState

from servelint.readers.python.literals import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import TracebackType

    from servelint.readers.python.pieces import Place

_LINE_END = re.compile(r"\r\n?|\n")
_EMPTY = re.compile(
    r".*whitespace|lpar|rpar|lbrac|rbrac|comma|semicolon|colon|dot|equal|asname_|header|footer"
    r"|indent|leading_|lines_|trailing_|config_|default_|encoding|has_|(annotation|returns)\Z"
)
_ROWS = (tuple, list)
_BLANKS = frozenset(
    {cst.SimpleWhitespace, cst.ParenthesizedWhitespace, cst.TrailingWhitespace, cst.EmptyLine}
)
_FORM_FEED = re.compile(r"[ \t]*\f[ \t\f]*")


@dataclass(frozen=True, slots=True)
class Shown:
    """Some lines of a text, and the number (from 0) that each has there."""

    text: str
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Script:
    """A parsed text. The tree may be that of some of its lines.

    Places are those of ``text`` all the same, by the identity of each node.
    """

    text: str
    module: cst.Module
    _places: Mapping[int, Place]

    def place(self, node: cst.CSTNode) -> Place:
        """The range of a node without parentheses around it and blanks behind it."""
        return self._places.get(id(node), (0, 0))

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


def whole(text: str) -> Shown:
    """All lines of a text."""
    return Shown(text, tuple(range(len(_line_starts(text)))))


def parse(text: str, shown: Shown) -> Script:
    """Parse those lines of a text that are ``shown``.

    Raises ``libcst.ParserSyntaxError`` and RecursionError. The guard must have
    seen the text before: some texts end the process.
    """
    module = cst.parse_module(shown.text)
    writer = _Writer(module, _some(_line_starts(text), shown.lines))
    module._codegen(writer)  # noqa: SLF001  # as the providers of positions do
    return Script(text, module, writer.places)


class _Writer(CodegenState):
    """Writes a tree down and notes where each node begins and ends.

    As the tree's own provider of positions, but with offsets for lines and
    columns, and without the places of blanks: that takes a third of the time.
    """

    def __init__(self, module: cst.Module, starts: tuple[int, ...]) -> None:
        super().__init__(module.default_indent, module.default_newline)
        self.places: dict[int, Place] = {}
        self.at = starts[0]
        self._starts = starts
        self._line = 0
        self._open: list[int] = []

    def add_indent_tokens(self) -> None:
        """Write what stands before a line."""
        for token in self.indent_tokens:
            self.at += len(token)

    def add_token(self, value: str) -> None:
        """Write a token: columns count code points, lines end as in the tokenizer of the tree."""
        if "\n" not in value and "\r" not in value:
            self.at += len(value)
            return
        *lines, rest = _LINE_END.split(value)
        self._line += len(lines)
        self.at = self._starts[min(self._line, len(self._starts) - 1)] + len(rest)

    def before_codegen(self, node: cst.CSTNode) -> None:  # noqa: ARG002  # the tree calls it
        """Begin a node."""
        self._open.append(self.at)

    def after_codegen(self, node: cst.CSTNode) -> None:
        """End a node, whose place without blanks may be known by now."""
        start = self._open.pop()
        if type(node) not in _BLANKS:
            self.places.setdefault(id(node), (start, self.at))

    def record_syntactic_position(  # type: ignore[override]  # lighter than a generator
        self,
        node: cst.CSTNode,
        *,
        start_node: cst.CSTNode | None = None,
        end_node: cst.CSTNode | None = None,
    ) -> _Range:
        """Note the place of a node without the blanks and brackets around it."""
        return _Range(self, node, start_node, end_node)


class _Range:
    """The place of a node: from the beginning of a block to its end."""

    __slots__ = ("_end", "_from", "_node", "_start", "_writer")

    def __init__(
        self,
        writer: _Writer,
        node: cst.CSTNode,
        start: cst.CSTNode | None,
        end: cst.CSTNode | None,
    ) -> None:
        self._writer = writer
        self._node = node
        self._start = start
        self._end = end
        self._from = writer.at

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        places, end = self._writer.places, self._writer.at
        start = self._from if self._start is None else places[id(self._start)][0]
        places[id(self._node)] = (start, end if self._end is None else places[id(self._end)][1])


def _some(starts: tuple[int, ...], lines: tuple[int, ...]) -> tuple[int, ...]:
    """Where the columns of some lines begin, and of what follows the last of them."""
    behind = min(lines[-1] + 1 if lines else 0, len(starts) - 1)
    return (*(starts[line] for line in lines), starts[behind])


def _line_starts(text: str) -> tuple[int, ...]:
    """Where the columns of each line begin: the tree does not count a form feed before code."""
    starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
    if "\f" in text:
        for index, start in enumerate(starts):
            feed = _FORM_FEED.match(text, start)
            if feed is not None:
                starts[index] = start + feed[0].rindex("\f") + 1
    return tuple(starts)
