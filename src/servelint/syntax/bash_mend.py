"""A second look at texts in which the tree went wrong.

The grammar takes some line breaks for blanks (after an empty string, after
``${A}.b``, inside ``[ "$#" -gt 1 ]``), with or without an error in the tree.
With every word that it could trip over replaced by a plain one of the same
length it finds the statements; what the words say is read from the text anyway.
"""

from __future__ import annotations

import re

from servelint.syntax.bash import TooSlow, parse_data
from servelint.syntax.bash_nodes import read_command
from servelint.syntax.bash_words import Assignment, Parameter, Substitution

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

    from servelint.syntax.bash import Script
    from servelint.syntax.bash_words import Redirection, Simple, Word

MAX_LENGTH = 300_000
"""Longer texts are not looked at twice."""

MAX_ROUNDS = 3
REPEATED_SECONDS = 0.3

_KEPT = re.compile(r"(?:[A-Za-z0-9_./:@%+,-]*|[{}!])\Z", re.ASCII)
_LINE_END = re.compile(r"[ \t]*(?:#[^\n]*)?\r?\n(?!\s*(?:;|\)))")
_COMMANDS = frozenset(
    {
        *("command", "command_name", "declaration_command", "unset_command"),
        *("variable_assignment", "variable_assignments"),
    }
)


def mended(script: Script) -> Script:
    """The script parsed anew until no command runs into the next one."""
    if len(script.text) > MAX_LENGTH:
        return script
    for _ in range(MAX_ROUNDS):
        masks = _Masks(script)
        if masks.data == script.data or not (masks.mistaken or script.root.has_error):
            break
        try:
            script = parse_data(script.text, bytes(masks.data), REPEATED_SECONDS)
        except TooSlow:
            break
    return script


def is_long_test(text: str, node: Node) -> bool:
    """True for ``[ ... ]`` over several lines, which no one writes."""
    inside = text[node.start_byte : node.end_byte]
    return not inside.startswith("[[") and "\n" in inside.replace("\\\n", "")


class _Masks:
    """The bytes of a script with dots for its words."""

    def __init__(self, script: Script) -> None:
        self.data = bytearray(script.data)
        self.mistaken = False
        self._text = script.text
        todo = [script.root]
        while todo:
            node = todo.pop()
            todo.extend(self._visit(node))

    def _visit(self, node: Node) -> tuple[Node, ...]:
        """Mask the words of a command; the nodes in which there may be more."""
        is_test = node.type == "test_command" and is_long_test(self._text, node)
        if not is_test and node.type not in _COMMANDS:
            return tuple(node.children)
        lexed = read_command(self._text, node, len(self._text))
        if lexed is None:
            return tuple(node.children)
        self.mistaken = self.mistaken or lexed.mistaken or is_test
        if is_test:
            self._dot(node.start_byte, lexed.simple.end)
        else:
            self._mask(lexed.simple)
        if lexed.mistaken:
            self._separate(lexed.simple)
        return tuple(node.children) if lexed.mistaken else tuple(lexed.nodes.values())

    def _separate(self, simple: Simple) -> None:
        """Put a semicolon for the line break that was taken for a blank."""
        end = simple.end
        match = _LINE_END.match(self._text, end)
        if match and not any(map(_is_heredoc, simple.redirections)):
            self.data[end : match.end()] = b" " * (match.end() - end - 1) + b";"

    def _mask(self, simple: Simple) -> None:
        for item in (*simple.assignments, *simple.words):
            if isinstance(item, Assignment):
                self._mask_assignment(item)
            else:
                self._mask_word(item)
        for redirection in simple.redirections:
            if not _is_heredoc(redirection):
                self._mask_word(redirection.target)

    def _mask_assignment(self, item: Assignment) -> None:
        if item.index:
            opened = self._text.index("[", item.start)
            self._dot(opened + 1, opened + 1 + len(item.index))
        if item.elements is None:
            self._mask_word(item.value)
        elif not any(map(_runs_commands, item.elements)):
            self._dot(item.value.start, item.value.end)

    def _mask_word(self, word: Word) -> None:
        if _KEPT.match(self._text, word.start, word.end) is None and not _runs_commands(word):
            self._dot(word.start, word.end)

    def _dot(self, start: int, end: int) -> None:
        self.data[start:end] = b"." * (end - start)


def _is_heredoc(redirection: Redirection) -> bool:
    return redirection.operator in ("<<", "<<-")


def _runs_commands(word: Word) -> bool:
    """True when a substitution stands in the word: its commands are wanted."""
    return any(
        isinstance(atom, Substitution)
        or (isinstance(atom, Parameter) and atom.word is not None and _runs_commands(atom.word))
        for atom in word.atoms
    )
