"""Pipelines: the expressions in the actions of a template."""

from __future__ import annotations

from servelint.syntax.gotemplate.literals import constant
from servelint.syntax.gotemplate.nodes import (
    Call,
    Chain,
    Command,
    Constant,
    Operand,
    Pipe,
    Variable,
)
from servelint.syntax.gotemplate.problems import TemplateProblem, TooDeep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.syntax.gotemplate.lexer import Token

MAX_PARENTHESES = 60
"""How deep parentheses may lie in each other."""

_NAMED: dict[str, tuple[str, bool | None]] = {
    "true": ("bool", True),
    "false": ("bool", False),
    "nil": ("nil", None),
}

_SIGNS = {":=": "set", "=": "set", ",": ","}
_DECLARATIONS = (("variable", "set"), ("variable", ",", "variable", "set"))
"""What stands before a pipeline that sets variables; two are for a range alone."""


def expression(tokens: tuple[Token, ...], end: int, *, is_range: bool = False) -> Pipe:
    """The pipeline that the words of an action are. Raises TemplateProblem."""
    reader = _Expression(tokens, end)
    pipe = reader.pipe(is_range=is_range, depth=0)
    reader.finish()
    return pipe


class _Expression:
    def __init__(self, tokens: tuple[Token, ...], end: int) -> None:
        self._tokens = tokens
        self._at = 0
        self._end = end

    def finish(self) -> None:
        if self._at < len(self._tokens):
            token = self._tokens[self._at]
            raise TemplateProblem(f"unexpected {token.text}", token.start)

    def pipe(self, *, is_range: bool, depth: int) -> Pipe:
        if depth > MAX_PARENTHESES:
            raise TooDeep(f"more than {MAX_PARENTHESES} parentheses in each other", self._place())
        start = self._place()
        names, is_new = self._declaration(is_range=is_range)
        commands = [self._command(depth)]
        while self._is_next("|"):
            self._at += 1
            commands.append(self._command(depth))
        return Pipe(tuple(commands), start, self._last(), names, is_new)

    def _declaration(self, *, is_range: bool) -> tuple[tuple[str, ...], bool]:
        for shape in _DECLARATIONS[: 1 + is_range]:
            words = self._tokens[self._at : self._at + len(shape)]
            if tuple(_SIGNS.get(word.text, word.kind) for word in words) == shape:
                self._at += len(shape)
                names = tuple(word.text[1:] for word in words if word.kind == "variable")
                return names, words[-1].text == ":="
        return (), False

    def _command(self, depth: int) -> Command:
        start = self._place()
        words: list[Operand] = []
        while self._at < len(self._tokens) and self._tokens[self._at].text not in ("|", ")"):
            words.append(self._operand(depth))
        if not words:
            raise TemplateProblem("a command is missing", start)
        return Command(tuple(words), start, self._last())

    def _operand(self, depth: int) -> Operand:
        token = self._tokens[self._at]
        self._at += 1
        if token.kind == "field":
            return self._chained(None, token, (token.text[1:],))
        if token.kind == "dot":
            return Chain(None, (), token.start, token.end)
        if token.kind in ("string", "char", "number"):
            return constant(token)
        if token.kind == "word" and token.text in _NAMED:
            kind, value = _NAMED[token.text]
            return Constant(kind, value, token.start, token.end)
        return self._chained(self._base(token, depth), token, ())

    def _base(self, token: Token, depth: int) -> Variable | Call | Pipe:
        if token.kind == "variable":
            return Variable(token.text[1:], token.start, token.end)
        if token.kind == "word":
            return Call(token.text, token.start, token.end)
        if token.text != "(":
            raise TemplateProblem(f"unexpected {token.text}", token.start)
        pipe = self.pipe(is_range=False, depth=depth + 1)
        if not self._is_next(")"):
            raise TemplateProblem("a parenthesis is not closed", token.start)
        self._at += 1
        return pipe

    def _chained(
        self, base: Variable | Call | Pipe | None, token: Token, names: tuple[str, ...]
    ) -> Operand:
        while self._at < len(self._tokens):
            word = self._tokens[self._at]
            if word.kind != "field" or not word.is_tied:
                break
            names = (*names, word.text[1:])
            self._at += 1
        if base is not None and not names:
            return base
        return Chain(base, names, token.start, self._last())

    def _is_next(self, text: str) -> bool:
        return self._at < len(self._tokens) and self._tokens[self._at].text == text

    def _place(self) -> int:
        return self._tokens[self._at].start if self._at < len(self._tokens) else self._end

    def _last(self) -> int:
        return self._tokens[self._at - 1].end if self._at else self._end
