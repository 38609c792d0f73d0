"""Templates made to go where no values of the repository lead them.

What only another value would switch on is read as if it were on: a condition that was never true
is taken for true, a list that was always empty for one of one unknown item.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from servelint.readers.helm.doubt import Doubt, asked
from servelint.readers.helm.rewrite import Rewriter
from servelint.source import Span
from servelint.syntax.gotemplate.nodes import (
    Action,
    Block,
    Branch,
    Call,
    Command,
    Constant,
    Jump,
    Pipe,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from servelint.syntax.gotemplate.nodes import Node, Operand, Template

MAX_TURNS = 4
"""Of branches that exclude each other and that nothing reached, how many are read."""

_RUNS = re.compile(
    r"(?i)--[a-z]|commands?:|args:|cmd:|script:|entrypoint:|run:|setup:|\binclude\b|\btpl\b|toyaml"
)
"""What a branch must hold to be worth the trouble: something that may be part of a command."""

_REFUSES = re.compile(r"\bfail\b")


def unreached(template: Template, reached: Collection[Block], *, is_run: bool) -> Iterator[Span]:
    """The ranges of a template that no rendering came to; ``is_run`` unless it only defines."""
    todo = [*((template.body,) if is_run else ()), *template.named.values()]
    while todo:
        block = todo.pop()
        if block not in reached:
            yield Span(template.path, block.start, block.end)
            continue
        for node in block.nodes:
            if isinstance(node, Branch):
                todo += [one for one in (node.body, node.other) if one is not None]


@dataclass(frozen=True, slots=True)
class Force(Rewriter):
    """Makes a template go where it has not been.

    ``text`` is that of the template. ``turn`` chooses among branches that exclude each other. With
    ``blindly`` a condition is not even asked: what it asks for may be part of what is missing.
    """

    text: str
    reached: Collection[Block]
    turn: int = 0
    blindly: bool = False

    def changes(self, template: Template, *, is_run: bool) -> bool:
        """True when something in a part that is reached is changed, or the template is not."""
        if is_run and template.body not in self.reached:
            return True
        blocks = [*((template.body,) if is_run else ()), *template.named.values()]
        return any(block in self.reached and self.block(block) is not block for block in blocks)

    def node(self, node: Node) -> Node:
        """A statement: a branch is led where nothing has come to."""
        if not isinstance(node, Branch):
            return node
        way = self._way(node)
        body = self.block(node.body)
        if way is True and node.word == "if":
            body = Doubt(self.text, dict(asked(node.pipe, self.text)), origins=self.origins).block(
                body
            )
        after = replace(self, turn=max(self.turn - 1, 0))
        other = after.block(node.other) if node.other is not None else None
        if node.word == "range" and (body is not node.body or way is True):
            body = self.made(body, (*body.nodes, Jump("break", body.end, body.end)))
        if way is None and body is node.body and other is node.other:
            return node
        pipe = node.pipe if way is None else self._forced(node.pipe, way=way)
        return replace(node, pipe=pipe, body=body, other=other)

    def _way(self, node: Branch) -> bool | None:
        """Which way to force a branch; None to let it go where it goes."""
        is_body = self._is_new(node.body)
        is_other = node.other is not None and self._is_new(node.other)
        if is_body and is_other:
            return self.turn == 0
        if is_body:
            return True
        return False if is_other and node.word != "range" else None

    def _is_new(self, block: Block) -> bool:
        if block in self.reached:
            return False
        own = (node for node in block.nodes if isinstance(node, Action))
        if any(_REFUSES.search(self.text, node.start, node.end) for node in own):
            return False
        return bool(_RUNS.search(self.text, block.start, block.end))

    def _forced(self, pipe: Pipe, *, way: bool) -> Pipe:
        """A pipeline whose value counts as ``way``: what it was, else something unknown."""
        start, end = pipe.start, pipe.end
        written = self.text[start:end].rpartition(":=")[2]
        instead: Operand = Call(" ".join(written.split()), start, end)
        if not way:
            instead = Constant("bool", False, start, end)  # noqa: FBT003
        plain = replace(pipe, names=())
        called = (Call("or" if way else "and", start, end), plain, instead)
        words: tuple[Operand, ...] = (instead,) if self.blindly else called
        return replace(pipe, commands=(Command(words, start, end),))
