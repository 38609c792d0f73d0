"""Expressions and statements of a template, run with the values that it is given."""

from __future__ import annotations

from servelint.syntax.gotemplate.fields import field, method
from servelint.syntax.gotemplate.nodes import (
    Action,
    Block,
    Branch,
    Call,
    Chain,
    Command,
    Constant,
    Insert,
    Literal,
    Node,
    Operand,
    Pipe,
    Template,
    Variable,
)
from servelint.syntax.gotemplate.printing import written
from servelint.syntax.gotemplate.problems import TemplateProblem
from servelint.syntax.gotemplate.ranges import pairs
from servelint.syntax.gotemplate.texts import EMPTY, Text, plain
from servelint.syntax.gotemplate.values import Atom, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from servelint.syntax.gotemplate.library import Library

    Emit = Callable[[Text, Node], None]


class Frame:
    """One template at work: its variables, and the machine that counts."""

    def __init__(self, template: Template, library: Library, data: Value, emit: Emit) -> None:
        self._template = template
        self._library = library
        self._machine = library.machine
        self._emit = emit
        self.data = data
        self._variables: list[tuple[str, Value]] = [("", data)]

    # -- statements ---------------------------------------------------------------------------

    def run(self, block: Block, dot: Value) -> str:
        """Run the statements of a block; ``break`` or ``continue`` when one of them says so."""
        self._machine.reached.add(block)
        for node in block.nodes:
            self._machine.step()
            jump = self._node(node, dot)
            if jump:
                return jump
        return ""

    def _node(self, node: Node, dot: Value) -> str:
        if isinstance(node, Literal):
            self._write(self._template.text.cut(node.start, node.end), node)
        elif isinstance(node, Action):
            value = self._declared(node.pipe, dot)
            if not node.pipe.names:
                self._write(written(value), node)
        elif isinstance(node, Branch):
            return self._scoped(node, dot)
        elif isinstance(node, Insert):
            value = self.pipe(node.pipe, dot) if node.pipe else None
            self._write(self._placed(node.start, self._library.include, node.name, value), node)
        else:
            return node.word
        return ""

    def _write(self, text: Text, node: Node) -> None:
        self._emit(self._machine.grow(text), node)

    def _scoped(self, node: Branch, dot: Value) -> str:
        mark = len(self._variables)
        jump = self._range(node, dot) if node.word == "range" else self._branch(node, dot)
        del self._variables[mark:]
        return jump

    def _branch(self, node: Branch, dot: Value) -> str:
        value = self._declared(node.pipe, dot)
        if self._machine.is_true(value):
            return self.run(node.body, value if node.word == "with" else dot)
        return self.run(node.other, dot) if node.other else ""

    def _range(self, node: Branch, dot: Value) -> str:
        value = self.pipe(node.pipe, dot)
        items = self._placed(node.pipe.start, pairs, value, self._machine)
        mark = len(self._variables)
        for key, item in items:
            self._machine.step()
            self._set_pair(node.pipe, key, item)
            jump = self.run(node.body, item)
            if node.pipe.is_new:
                del self._variables[mark:]
            if jump == "break":
                break
        return self.run(node.other, dot) if node.other and not items else ""

    def _set_pair(self, pipe: Pipe, key: Value, item: Value) -> None:
        values = (key, item) if len(pipe.names) == 2 else (item,)
        for name, value in zip(pipe.names, values, strict=False):
            self._set(name, value, is_new=pipe.is_new, start=pipe.start)

    # -- expressions --------------------------------------------------------------------------

    def _declared(self, pipe: Pipe, dot: Value) -> Value:
        value = self.pipe(pipe, dot)
        for name in pipe.names:
            self._set(name, value, is_new=pipe.is_new, start=pipe.start)
        return value

    def _set(self, name: str, value: Value, *, is_new: bool, start: int) -> None:
        if is_new:
            self._variables.append((name, value))
            return
        place = self._place(name, start)
        self._variables[place] = (name, value)

    def _place(self, name: str, start: int) -> int:
        for place in range(len(self._variables) - 1, -1, -1):
            if self._variables[place][0] == name:
                return place
        raise self._problem(f"undefined variable ${name}", start)

    def pipe(self, pipe: Pipe, dot: Value) -> Value:
        """The value of a pipeline, without setting its variables."""
        value: tuple[Value, ...] = ()
        for command in pipe.commands:
            value = (self._command(command, dot, value),)
        return value[0]

    def _command(self, command: Command, dot: Value, last: tuple[Value, ...]) -> Value:
        first, rest = command.words[0], command.words[1:]
        self._machine.step()
        if isinstance(first, Call):
            if first.name in ("and", "or"):
                return self._shortened(first, rest, dot, last)
            values = (*(self._operand(word, dot) for word in rest), *last)
            found: Value = self._placed(command.start, self._library.call, first.name, values)
            return found
        if isinstance(first, Chain) and first.names and (rest or last):
            values = (*(self._operand(word, dot) for word in rest), *last)
            receiver = self._names(first, first.names[:-1], dot)
            given: Value = self._placed(first.start, method, receiver, first.names[-1], values)
            return given
        if rest or last:
            raise self._problem("what is no function is given arguments", command.start)
        if isinstance(first, Constant) and first.kind == "nil":
            raise self._problem("nil is not a command", command.start)
        return self._operand(first, dot)

    def _shortened(
        self, call: Call, words: tuple[Operand, ...], dot: Value, last: tuple[Value, ...]
    ) -> Value:
        """``and`` and ``or``: the value that decides; what follows it is not looked at."""
        waiting: list[Callable[[], Value]] = [
            *(lambda word=word: self._operand(word, dot) for word in words),
            *(lambda value=value: value for value in last),
        ]
        if not waiting:
            raise self._problem(f"{call.name} without arguments", call.start)
        value: Value = None
        for place, find in enumerate(waiting):
            value = find()
            is_last = place == len(waiting) - 1
            if not is_last and self._machine.is_true(value) != (call.name == "and"):
                break
        return value

    def _operand(self, word: Operand, dot: Value) -> Value:
        if isinstance(word, Constant):
            return self._constant(word)
        if isinstance(word, Chain):
            return self._names(word, word.names, dot)
        if isinstance(word, Variable):
            return self._variables[self._place(word.name, word.start)][1]
        if isinstance(word, Pipe):
            return self.pipe(word, dot)
        return self._command(Command((word,), word.start, word.end), dot, ())

    def _names(self, chain: Chain, names: tuple[str, ...], dot: Value) -> Value:
        value = dot if chain.base is None else self._operand(chain.base, dot)
        for place, name in enumerate(names):
            is_missing = value is None and place > 0 and not isinstance(chain.base, Pipe)
            if is_missing:
                raise self._problem(f"nil has no field {name}", chain.start)
            value = self._placed(chain.start, field, value, name)
        return value

    def _constant(self, word: Constant) -> Value:
        if word.kind == "string":
            return self._string(word, str(word.value))
        if word.value is None:
            return None
        kinds = {"int": "int", "float": "float64", "bool": "bool"}
        text = self._template.text.cut(word.start, word.end)
        leaf = text.runs[0].leaf if len(text.runs) == 1 else None
        return Atom(kinds[word.kind], word.value, leaf)  # type: ignore[arg-type]

    def _string(self, word: Constant, value: str) -> Text:
        inside = self._template.text.cut(word.start + 1, word.end - 1)
        if word.is_verbatim and (inside.flat == value or not value):
            return inside if value else EMPTY
        return plain(value, inside.runs[0].leaf if len(inside.runs) == 1 else None)

    # -- problems -----------------------------------------------------------------------------

    def _placed(self, start: int, do: Callable[..., Any], *values: object) -> Any:
        """Do something; a problem that has no place yet gets this one."""
        try:
            return do(*values)
        except TemplateProblem as problem:
            if problem.path or not self._template.path:
                raise
            raise problem.at(start, self._template.path) from None

    def _problem(self, detail: str, start: int) -> TemplateProblem:
        path = self._template.path
        return TemplateProblem(detail, start if path else 0, path)
