"""Builds YAML trees from parse events.

The builder keeps a stack of its own, so that no nesting can exhaust the stack
of the process, and it never follows an alias.
"""

from __future__ import annotations

from dataclasses import dataclass

from ruamel.yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from servelint.syntax.yaml_nodes import Alias, Mapping, Node, Scalar, Sequence, YamlProblem, merged
from servelint.syntax.yaml_spans import block_end, content_start, empty_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

MAX_DEPTH = 500
"""Collections inside collections, and merges of mappings that merge."""

MAX_NODES = 1_000_000
"""Nodes of one text, and entries that its merge keys bring in."""


@dataclass(frozen=True, slots=True, eq=False)
class _Open:
    """A collection of which the end has not come, and what goes on after it."""

    start: int
    flow: bool
    tag: str
    anchor: str | None
    outer_indent: int
    outer_nodes: list[Node]


class TreeBuilder:
    """Makes the trees of one ``text``."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._trees: list[Node | None] = []
        self._nodes: list[Node] = []
        self._indent = -1
        self._opened: list[_Open] = []
        self._anchors: dict[str, Node | _Open] = {}
        self._count = 0
        self._merges = "<<" in text
        self._weights: dict[Node, tuple[int, int]] = {}

    def build(self, events: Iterable[Any]) -> tuple[Node | None, ...]:
        """The tree of each document, None for an empty one. Raises :class:`YamlProblem`."""
        handlers = {
            ScalarEvent: self._scalar,
            AliasEvent: self._alias,
            MappingStartEvent: self._open,
            SequenceStartEvent: self._open,
            MappingEndEvent: self._mapping,
            SequenceEndEvent: self._sequence,
            DocumentEndEvent: self._document,
        }
        for event in events:
            handle = handlers.get(type(event))
            if handle is not None:
                handle(event)
        return tuple(self._trees)

    def _add(self, node: Node) -> None:
        self._count += 1
        if self._count > MAX_NODES:
            raise YamlProblem("too-large", f"more than {MAX_NODES:,} nodes", node.start)
        self._nodes.append(node)

    def _scalar(self, event: Any) -> None:
        value, style, tag = event.value, event.style or "", ""
        start, end, anchor = event.start_mark.index, event.end_mark.index, event.anchor
        if anchor is not None or event.ctag is not None:
            tag = event.tag or ""
            start = content_start(self._text, start, anchor) if value or style else end
        elif not value and not style:
            start = end = empty_place(self._text, end)
        if style in ("|", ">"):
            end = block_end(self._text, start, end)
        node = Scalar(value, style, start, end, self._indent, tag)
        if anchor is not None:
            self._anchors[anchor] = node
        self._add(node)

    def _alias(self, event: Any) -> None:
        name, start = event.anchor, event.start_mark.index
        target = self._anchors.get(name)
        if target is None:
            raise YamlProblem("syntax", f"nothing before it has the anchor {name}", start)
        if isinstance(target, _Open):
            raise YamlProblem("syntax", f"the anchor {name} contains itself", start)
        self._add(Alias(name, target, start, event.end_mark.index))

    def _open(self, event: Any) -> None:
        mark, anchor, flow, tag = event.start_mark, event.anchor, bool(event.flow_style), ""
        start, column = mark.index, mark.column
        if len(self._opened) >= MAX_DEPTH:
            raise YamlProblem("too-deep", f"more than {MAX_DEPTH} collections deep", start)
        if anchor is not None or event.ctag is not None:
            tag = event.tag or ""
            start, column = self._first(event)
        opened = _Open(start, flow, tag, anchor, self._indent, self._nodes)
        if anchor is not None:
            self._anchors[anchor] = opened
        self._opened.append(opened)
        self._nodes = []
        if not flow:
            self._indent = column

    def _first(self, event: Any) -> tuple[int, int]:
        """Offset and column of a collection behind its tag and anchor."""
        end, column = event.end_mark.index, event.end_mark.column
        # The mark stands behind brackets, and behind the dash of a list that is
        # not deeper than its key, but before all that begins a block otherwise.
        dash = type(event) is SequenceStartEvent and self._text[end : end + 1] != "-"
        return (end - 1, column - 1) if event.flow_style or dash else (end, column)

    def _mapping(self, event: Any) -> None:
        opened, nodes, end = self._close(event)
        pairs = iter(nodes)
        entries = tuple(zip(pairs, pairs, strict=True))
        node = Mapping(entries, opened.start, end, opened.flow, opened.tag)
        if self._merges:
            self._weigh(node)
        self._finish(opened, node)

    def _sequence(self, event: Any) -> None:
        opened, nodes, end = self._close(event)
        self._finish(opened, Sequence(tuple(nodes), opened.start, end, opened.flow, opened.tag))

    def _close(self, event: Any) -> tuple[_Open, list[Node], int]:
        opened, nodes, end = self._opened.pop(), self._nodes, event.end_mark.index
        self._nodes, self._indent = opened.outer_nodes, opened.outer_indent
        # The marks of what has no closing bracket stand at the next token.
        if nodes and (not opened.flow or event.start_mark.index == end):
            end = nodes[-1].end
        return opened, nodes, end

    def _finish(self, opened: _Open, node: Node) -> None:
        anchor = opened.anchor
        if anchor is not None and self._anchors[anchor] is opened:
            self._anchors[anchor] = node
        self._add(node)

    def _document(self, _event: Any) -> None:
        (root,) = self._nodes
        empty = isinstance(root, Scalar) and not (root.value or root.style or root.tag)
        self._trees.append(None if empty else root)
        self._nodes = []
        self._anchors.clear()

    def _weigh(self, mapping: Mapping) -> None:
        """Count what merge keys bring in, so that unfolding them later is bounded."""
        size, depth = len(mapping.entries), 0
        for parent, _ in merged(mapping):
            entries = parent.entries if isinstance(parent, Mapping) else ()
            more, below = self._weights.get(parent, (len(entries), 0))
            size, depth = size + more + 1, max(depth, below + 1)
        if not depth:
            return
        if depth > MAX_DEPTH:
            raise YamlProblem("too-deep", f"more than {MAX_DEPTH} merges deep", mapping.start)
        self._weights[mapping] = (size, depth)
        self._count += size
