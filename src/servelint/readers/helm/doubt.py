"""Values in templates that cannot be what they are where the template asks for another.

``{{ if .Values.mode }}- {{ .Values.mode }}{{ end }}``: whoever switches that on gives a mode, too.
So where a condition is taken for true although it is not, a value that was empty is unknown in its
body, and so is one that was compared. And what a chart requires is unknown where it is not given.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from servelint.readers.helm.rewrite import Rewriter
from servelint.syntax.gotemplate.nodes import Call, Chain, Command, Pipe, Variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.syntax.gotemplate.nodes import Operand

_ASKING = frozenset({"and", "or", "not", "default", "empty", "coalesce"})
"""Functions that ask whether a value is there; others compare it with something."""

_REQUIRED, _FAIL = "required", "fail"


def asked(pipe: Pipe, text: str) -> Iterator[tuple[str, bool]]:
    """The values of a condition as they are written, each with whether it is compared."""
    for command in pipe.commands:
        first = command.words[0]
        compared = isinstance(first, Call) and first.name not in _ASKING
        is_method = isinstance(first, Chain) and len(command.words) > 1
        for word in command.words[is_method:]:
            if isinstance(word, Pipe):
                yield from asked(word, text)
            elif isinstance(word, Chain | Variable):
                yield text[word.start : word.end], compared


@dataclass(frozen=True, slots=True)
class Doubt(Rewriter):
    """Puts doubt on values of a text: ``values`` by their writing, with whether it is complete."""

    text: str
    values: dict[str, bool]

    def command(self, command: Command) -> Command:
        """A command; a method that is called is no value."""
        changed = super(Doubt, self).command(command)
        if isinstance(command.words[0], Chain) and len(command.words) > 1:
            return replace(changed, words=(command.words[0], *changed.words[1:]))
        return changed

    def word(self, word: Operand) -> Operand:
        """An operand: if it is in doubt, what it is or something unknown."""
        if not isinstance(word, Chain | Variable):
            return super(Doubt, self).word(word)
        written = self.text[word.start : word.end]
        if written not in self.values:
            return word
        start, end = word.start, word.end
        unknown = Call(written, start, end)
        words: tuple[Operand, ...] = (Call("or", start, end), word, unknown)
        if self.values[written]:
            words = (unknown,)
        return Pipe((Command(words, start, end),), start, end)


@dataclass(frozen=True, slots=True)
class Leniency(Rewriter):
    """Makes a chart take any values: what it requires is unknown where it is not there."""

    def command(self, command: Command) -> Command:
        """A command; one that refuses values is a function that nobody knows."""
        changed = super(Leniency, self).command(command)
        first, start, end = command.words[0], command.start, command.end
        if not isinstance(first, Call) or first.name not in (_REQUIRED, _FAIL):
            return changed
        unknown = Call(f"{first.name} ", start, end)  # with a blank it is not Helm's
        if first.name == _FAIL:
            return replace(command, words=(unknown,))
        # The message goes; what is required stays, or comes from the pipeline.
        return replace(command, words=(Call("default", start, end), unknown, *changed.words[2:]))
