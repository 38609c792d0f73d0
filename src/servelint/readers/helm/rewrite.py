"""Templates changed: the tree of one, with some of its parts replaced."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from servelint.syntax.gotemplate.nodes import Action, Block, Branch, Command, Insert, Pipe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.syntax.gotemplate.nodes import Node, Operand, Template


@dataclass(frozen=True, slots=True)
class Rewriter:
    """Goes through a template; what nothing changes in stays the same object.

    ``origins`` are the blocks of which changed ones were made.
    """

    origins: dict[Block, Block] = field(default_factory=dict, kw_only=True)

    def template(self, template: Template) -> Template:
        """The template, and the named ones in it, changed."""
        named = {name: self.block(block) for name, block in template.named.items()}
        return replace(template, body=self.block(template.body), named=named)

    def block(self, block: Block) -> Block:
        """A block, changed."""
        nodes = tuple(map(self.node, block.nodes))
        is_same = all(new is old for new, old in zip(nodes, block.nodes, strict=True))
        return block if is_same else self.made(block, nodes)

    def made(self, block: Block, nodes: tuple[Node, ...]) -> Block:
        """A block with other statements."""
        made = replace(block, nodes=nodes)
        self.origins[made] = self.origins.get(block, block)
        return made

    def node(self, node: Node) -> Node:
        """A statement, changed."""
        if not isinstance(node, Action | Branch | Insert) or node.pipe is None:
            return node
        pipe = self.pipe(node.pipe)
        if isinstance(node, Branch):
            body = self.block(node.body)
            other = self.block(node.other) if node.other is not None else None
            if body is node.body and other is node.other and pipe is node.pipe:
                return node
            return replace(node, pipe=pipe, body=body, other=other)
        return node if pipe is node.pipe else replace(node, pipe=pipe)

    def pipe(self, pipe: Pipe) -> Pipe:
        """A pipeline, changed."""
        commands = tuple(map(self.command, pipe.commands))
        is_same = all(new is old for new, old in zip(commands, pipe.commands, strict=True))
        return pipe if is_same else replace(pipe, commands=commands)

    def command(self, command: Command) -> Command:
        """A command, changed."""
        words = tuple(map(self.word, command.words))
        is_same = all(new is old for new, old in zip(words, command.words, strict=True))
        return command if is_same else replace(command, words=words)

    def word(self, word: Operand) -> Operand:
        """An operand, changed."""
        return self.pipe(word) if isinstance(word, Pipe) else word
