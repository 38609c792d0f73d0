"""The syntax tree of HCL, as lark gives it, and the questions that are asked of it."""

from __future__ import annotations

import hcl2
from lark import Token, Tree
from lark.exceptions import LarkError, UnexpectedInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_LENGTH = 300_000
"""Characters of a file; the parser takes a second for about as many."""

MAX_DEPTH = 60
"""Brackets inside brackets; what walks the tree is recursive."""

_OPEN, _CLOSE = "([{", ")]}"


class HclProblem(Exception):  # noqa: N818 - what was read is wrong, not the program
    """A text that is no tree: reason, one line for people, and where it shows (code points)."""

    def __init__(self, reason: str, detail: str, offset: int) -> None:
        super().__init__(reason, detail, offset)
        self.reason = reason
        self.detail = detail
        self.offset = offset


def parse(text: str) -> Tree[Token]:
    """The tree of a text. Raises :class:`HclProblem`."""
    if len(text) > MAX_LENGTH:
        raise HclProblem("too-large", f"more than {MAX_LENGTH:,} characters of HCL", 0)
    depth = 0
    for offset, sign in enumerate(text):
        depth += (sign in _OPEN) - (sign in _CLOSE)
        if depth > MAX_DEPTH:
            raise HclProblem("too-deep", f"more than {MAX_DEPTH} brackets deep", offset)
    try:
        return hcl2.parses_to_tree(text if text.endswith("\n") else text + "\n")
    except UnexpectedInput as error:
        detail = "no HCL that can be parsed: expected an attribute or a block"
        raise HclProblem("syntax", detail, _offset(error, text)) from error
    except (LarkError, RecursionError, ValueError) as error:
        detail = f"no HCL that can be parsed ({type(error).__name__})"
        raise HclProblem("syntax", detail, 0) from error


def _offset(error: UnexpectedInput, text: str) -> int:
    """Where the parser gave up; at the end of the text it may say nothing or less than nothing."""
    at: int | None = getattr(error, "pos_in_stream", None)
    return len(text) if at is None else min(max(at, 0), len(text))


def children(tree: Tree[Token], name: str = "") -> Iterator[Tree[Token]]:
    """The trees right below, all or those of one rule."""
    for child in tree.children:
        if isinstance(child, Tree) and name in ("", child.data):
            yield child


def child(tree: Tree[Token], name: str = "") -> Tree[Token] | None:
    """The first of :func:`children`."""
    return next(children(tree, name), None)


def tokens(tree: Tree[Token]) -> Iterator[Token]:
    """All tokens, in their order."""
    todo: list[Tree[Token] | Token] = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, Token):
            yield node
        else:
            todo.extend(reversed(node.children))


def place(tree: Tree[Token]) -> tuple[int, int]:
    """Where a tree stands."""
    every = [token for token in tokens(tree) if token.start_pos is not None]
    if not every:
        return 0, 0
    return every[0].start_pos or 0, every[-1].end_pos or 0


def is_rule(node: object, *names: str) -> bool:
    """True for a tree of one of some rules."""
    return isinstance(node, Tree) and node.data in names
