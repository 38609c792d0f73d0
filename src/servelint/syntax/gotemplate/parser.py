"""Templates as trees."""

from __future__ import annotations

from servelint.syntax.gotemplate.expressions import expression
from servelint.syntax.gotemplate.lexer import pieces
from servelint.syntax.gotemplate.literals import string_value
from servelint.syntax.gotemplate.nodes import (
    Action,
    Block,
    Branch,
    Insert,
    Jump,
    Literal,
    Node,
    Template,
)
from servelint.syntax.gotemplate.problems import TemplateProblem, TooDeep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.syntax.gotemplate.lexer import Piece, Token
    from servelint.syntax.gotemplate.texts import Text

MAX_BLOCKS = 100
"""How deep branches may lie in each other."""

_BRANCHES = frozenset({"if", "with", "range"})
_JUMPS = frozenset({"break", "continue"})


def parse(text: Text, path: str = "") -> Template:
    """The template of a text. Raises :class:`TemplateProblem`."""
    try:
        return _Parser(text, path).template()
    except TemplateProblem as problem:
        raise problem.at(problem.offset, path) from None
    except RecursionError:
        raise TooDeep("the template is too deeply nested", 0, path) from None


class _Parser:
    def __init__(self, text: Text, path: str) -> None:
        self._text = text
        self._path = path
        self._pieces = list(pieces(text.flat))
        self._at = 0
        self._depth = 0
        self._named: dict[str, Block] = {}

    def template(self) -> Template:
        body, end = self._block(0)
        if end is not None:
            raise TemplateProblem(f"unexpected {_head(end)}", end.start)
        return Template(self._text, body, self._named, self._path)

    def _block(self, start: int) -> tuple[Block, Piece | None]:
        """The statements up to an ``else`` or ``end``, and that piece."""
        nodes: list[Node] = []
        self._depth += 1
        if self._depth > MAX_BLOCKS:
            raise TooDeep(f"more than {MAX_BLOCKS} branches in each other", start)
        while self._at < len(self._pieces):
            piece = self._pieces[self._at]
            self._at += 1
            if piece.tokens is None:
                nodes.append(Literal(piece.start, piece.end))
            elif _head(piece) in ("else", "end"):
                self._depth -= 1
                return Block(tuple(nodes), start, piece.start), piece
            elif piece.tokens:
                nodes.extend(self._statement(piece, piece.tokens))
        self._depth -= 1
        return Block(tuple(nodes), start, len(self._text.flat)), None

    def _statement(self, piece: Piece, tokens: tuple[Token, ...]) -> tuple[Node, ...]:
        head = _head(piece)
        if head in _BRANCHES:
            return (self._branch(head, piece, tokens[1:]),)
        if head == "define":
            self._define(piece, tokens)
            return ()
        if head in ("template", "block"):
            return (self._insert(head, piece, tokens),)
        if head in _JUMPS and len(tokens) == 1:
            return (Jump(head, piece.start, piece.end),)
        return (Action(expression(tokens, piece.end), piece.start, piece.end),)

    def _branch(self, word: str, piece: Piece, tokens: tuple[Token, ...]) -> Branch:
        pipe = expression(tokens, piece.end, is_range=word == "range")
        body, stop = self._block(piece.end)
        stop = self._closed(stop, piece)
        other: Block | None = None
        rest = (stop.tokens or ())[1:]
        if _head(stop) == "else" and rest:
            other = self._else_if(stop, rest)
        elif _head(stop) == "else":
            other, stop = self._else(stop)
        return Branch(word, pipe, body, other, piece.start, self._pieces[self._at - 1].end)

    def _else(self, piece: Piece) -> tuple[Block, Piece]:
        block, stop = self._block(piece.end)
        stop = self._closed(stop, piece)
        if _head(stop) != "end":
            raise TemplateProblem("a second else", stop.start)
        return block, stop

    def _else_if(self, piece: Piece, tokens: tuple[Token, ...]) -> Block:
        """An ``else if`` and all that follows, which share their ``end`` with the first ``if``."""
        word = tokens[0].text
        if word not in ("if", "with"):
            raise TemplateProblem(f"unexpected {word} after else", tokens[0].start)
        self._depth += 1
        if self._depth > MAX_BLOCKS:
            raise TooDeep(f"more than {MAX_BLOCKS} branches in each other", piece.start)
        branch = self._branch(word, piece, tokens[1:])
        self._depth -= 1
        return Block((branch,), piece.end, branch.end)

    def _define(self, piece: Piece, tokens: tuple[Token, ...]) -> None:
        name = _name(piece, tokens)
        if len(tokens) > 2:
            raise TemplateProblem("define takes a name alone", tokens[2].start)
        block, stop = self._block(piece.end)
        if _head(self._closed(stop, piece)) != "end":
            raise TemplateProblem("an else in a define", piece.start)
        self.name(name, block)

    def name(self, name: str, block: Block) -> None:
        """Keep a named template; one of blanks alone does not replace another."""
        if name not in self._named or not is_blank(self._text, block):
            self._named[name] = block

    def _insert(self, head: str, piece: Piece, tokens: tuple[Token, ...]) -> Insert:
        name = _name(piece, tokens)
        pipe = expression(tokens[2:], piece.end) if len(tokens) > 2 else None
        if head == "block":
            block, stop = self._block(piece.end)
            if pipe is None or _head(self._closed(stop, piece)) != "end":
                raise TemplateProblem("a block takes a name, a value and an end", piece.start)
            self.name(name, block)
        return Insert(name, pipe, piece.start, piece.end)

    def _closed(self, stop: Piece | None, piece: Piece) -> Piece:
        if stop is None:
            raise TemplateProblem(f"the {_head(piece)} has no end", piece.start)
        return stop


def is_blank(text: Text, block: Block) -> bool:
    """True for a template that has nothing but blanks."""
    return all(
        isinstance(node, Literal) and not text.flat[node.start : node.end].strip()
        for node in block.nodes
    )


def _head(piece: Piece) -> str:
    first = piece.tokens[0] if piece.tokens else None
    return first.text if first is not None and first.kind == "word" else ""


def _name(piece: Piece, tokens: tuple[Token, ...]) -> str:
    if len(tokens) < 2 or tokens[1].kind != "string":
        raise TemplateProblem(f"{tokens[0].text} without a name in quotes", piece.start)
    return string_value(tokens[1])
