"""Reading the words of a command where the tree says that one begins."""

from __future__ import annotations

import re
from dataclasses import dataclass

from servelint.syntax.bash import substitutions
from servelint.syntax.bash_lexer import simple_command, word_list
from servelint.syntax.bash_quotes import Unclosed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from servelint.syntax.bash_words import Simple, Word

    Nodes = Mapping[int, Node]

_SIGNS = ("$(", "`", "<(", ">(")
_NOTHING = re.compile(r"(?:\s|\\\r?\n|\\\Z|#[^\n]*)*+\Z")


@dataclass(frozen=True, slots=True)
class Lexed:
    """A command as its text says it, and the substitutions in it by their offsets.

    ``mistaken``: the tree takes statements behind the command for words of it.
    """

    simple: Simple
    nodes: Nodes
    mistaken: bool


def read_command(text: str, node: Node, limit: int) -> Lexed | None:
    """The command at a node, read no further than ``limit``; None when it does not close."""
    nodes = _substitution_nodes(text, node)
    ends = {start: found.end_byte for start, found in nodes.items()}
    last = min(limit, line_end(text, node.end_byte))
    for end in (last, min(limit, node.end_byte)):
        try:
            simple = simple_command(text, node.start_byte, end, ends)
        except Unclosed:
            continue
        return Lexed(simple, nodes, _leaves_words(text, simple.end, node.end_byte))
    return None


def line_end(text: str, start: int) -> int:
    """Where the line ends that goes on at ``start``, continuations followed."""
    end = text.find("\n", start)
    while end >= 0:
        line = text[max(start, end - 64) : end].removesuffix("\r")
        if (len(line) - len(line.rstrip("\\"))) % 2 == 0:
            return end
        end = text.find("\n", end + 1)
    return len(text)


def read_words(text: str, start: int, end: int, nodes: Nodes) -> tuple[Word, ...]:
    """The words from an offset to the end of the line or the statement."""
    ends = {at: found.end_byte for at, found in nodes.items()}
    try:
        return word_list(text, start, end, ends)
    except Unclosed:
        return ()


def _leaves_words(text: str, end: int, node_end: int) -> bool:
    return end < node_end and _NOTHING.match(text, end, node_end) is None


def _substitution_nodes(text: str, node: Node) -> Nodes:
    inside = text[node.start_byte : node.end_byte]
    if not any(sign in inside for sign in _SIGNS):
        return {}
    return {found.start_byte: found for found in substitutions(node)}
