"""Statements of a shell text, from tree-sitter.

The tree tells where statements begin and how they nest. What a simple command
says is read from the text itself, by :mod:`servelint.syntax.bash_lexer`: the
grammar drops escaped blanks, glues substitutions together and takes words
after a redirection for its target.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from functools import cache

import tree_sitter
import tree_sitter_bash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

PARSE_SECONDS = 1.0
"""A text that takes longer to parse is left out: error recovery can be quadratic."""

MAX_STAGES = 3000
"""Longer pipelines are left out: the grammar is quadratic in their stages and cannot be stopped."""

TEMPLATE = re.compile(r"\$?\{\{(?![^\s{}]*,[^\s{}]*\}\})[^{}\n]*\}\}")
"""A template action inside a shell text; ``{{a,b}}`` is a brace expansion."""

_CHUNK = 1 << 16
_ARITHMETIC = re.compile(r"\$\(\((?:[^()`]|\((?:[^()`]|\([^()`]*\))*\))*\)\)")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_PIPELINE_END = re.compile(r";|[^|\s]\s*\n")


class TooSlow(Exception):  # noqa: N818  # a verdict on the text, not a failure of ours
    """Parsing was given up; the text of the exception says why."""


@dataclass(frozen=True, slots=True)
class Script:
    """A parsed text. Offsets of its nodes are code points of ``text``.

    ``data`` is what was parsed: one byte for each code point.
    """

    text: str
    data: bytes
    root: Node


def parse(text: str) -> Script:
    """Parse a shell text; errors in it stay inside the tree.

    Raises :class:`TooSlow` for a text that cannot be parsed in reasonable time.
    """
    if _longest_pipeline(text) > MAX_STAGES:
        raise TooSlow(f"a pipeline has more than {MAX_STAGES:,} stages")
    return parse_data(text, _single_bytes(text), PARSE_SECONDS)


def parse_data(text: str, data: bytes, seconds: float) -> Script:
    """Parse what stands for ``text``; raises :class:`TooSlow` after ``seconds``."""
    deadline = time.monotonic() + seconds
    parser = tree_sitter.Parser(_language())
    try:
        tree = parser.parse(
            lambda offset, _point: data[offset : offset + _CHUNK],
            progress_callback=lambda _offset, _error: time.monotonic() > deadline,
        )
    except ValueError:  # how the binding says that the callback stopped it
        raise TooSlow(f"parsing took longer than {seconds:g} s") from None
    return Script(text, data, tree.root_node)


def _single_bytes(text: str) -> bytes:
    """The text with one byte for each code point, so that offsets need no conversion.

    A character outside ASCII is a plain word character to the shell, as the
    dot is. Template actions and arithmetic become plain words: the grammar
    does not know the former and loses its way in the latter.
    """
    if "{{" in text:
        text = TEMPLATE.sub(_dots, text)
    if "$((" in text:
        text = _ARITHMETIC.sub(_dots, text)
    if not text.isascii():
        text = _NOT_ASCII.sub(".", text)
    return text.encode("ascii")


def _dots(match: re.Match[str]) -> str:
    return "." * len(match[0]) if "$(" not in match[0][1:] else match[0]


def _longest_pipeline(text: str) -> int:
    if text.count("|") <= MAX_STAGES:
        return 0
    return max(part.count("|") for part in _PIPELINE_END.split(text))


@cache
def _language() -> tree_sitter.Language:
    return tree_sitter.Language(tree_sitter_bash.language())


SUBSTITUTIONS = frozenset({"command_substitution", "process_substitution"})


def substitutions(node: Node) -> Iterator[Node]:
    """The outermost substitutions below a node whose commands run; not those in heredocs."""
    todo = [node]
    while todo:
        current = todo.pop()
        for child in reversed(current.children):
            if child.type in SUBSTITUTIONS:
                yield child
            elif child.type != "heredoc_body" and child.child_count:
                todo.append(child)


def substitutions_at(node: Node) -> Iterator[Node]:
    """The node itself when it is a substitution, else those below it."""
    if node.type in SUBSTITUTIONS:
        yield node
    else:
        yield from substitutions(node)
