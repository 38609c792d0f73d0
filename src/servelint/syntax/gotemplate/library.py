"""Functions and named templates, as expressions call them."""

from __future__ import annotations

from servelint.syntax.gotemplate.evaluator import Frame
from servelint.syntax.gotemplate.functions import CERTIFICATES, FILLED, FUNCTIONS
from servelint.syntax.gotemplate.parser import parse
from servelint.syntax.gotemplate.printing import NO_VALUE
from servelint.syntax.gotemplate.problems import TemplateProblem
from servelint.syntax.gotemplate.signature import NotKnown, check
from servelint.syntax.gotemplate.texts import Text, concat, gap
from servelint.syntax.gotemplate.values import Thing, Unknown, Value, unknown
from servelint.syntax.gotemplate.writing import call_writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from servelint.syntax.gotemplate.machine import Machine
    from servelint.syntax.gotemplate.nodes import Block, Node, Template

Named = tuple["Template", "Block"]


class Library:
    """All that one rendering can call: ``file`` finds files by Helm's names for them."""

    def __init__(
        self,
        named: Mapping[str, Named],
        machine: Machine,
        file: Callable[[str], Named | None],
    ) -> None:
        self._named = named
        self._file = file
        self.machine = machine

    def call(self, name: str, values: tuple[Value, ...]) -> Value:
        """The value of a function. Unknown for one that does not exist. Raises TemplateProblem."""
        if name in ("include", "tpl"):
            return self._rendered(name, values)
        function = FUNCTIONS.get(name)
        if function is None:
            return _unheard_of(name, call_writing(name, values))
        check(name, function, values)
        if function.is_lost(values):
            return function.lost(name, values)
        try:
            value = function.run(self.machine, values)
        except NotKnown:
            return function.lost(name, values)
        return self.machine.grow(value) if isinstance(value, Text) else value

    def _rendered(self, name: str, values: tuple[Value, ...]) -> Value:
        if len(values) != 2:
            raise TemplateProblem(f"{name} takes two arguments")
        first, data = values
        if isinstance(first, Unknown):
            return gap(call_writing(name, values[:1]))
        if not isinstance(first, Text):
            raise TemplateProblem(f"{name} takes a text first")
        return self.include(first.said(), data) if name == "include" else self.tpl(first, data)

    def include(self, name: str, data: Value) -> Text:
        """What a named template writes; what no file defines is not known."""
        found = self._named.get(name) or self._file(name)
        if found is None:
            return gap(f'include "{name}"')
        return self._run(found, data)

    def tpl(self, text: Text, data: Value) -> Text:
        """What a text writes as a template."""
        if "{{" not in text.flat:
            return without_nil(text)
        try:
            template = parse(text)
        except TemplateProblem:
            if text.has_gaps:
                return gap(f"tpl {text.said()}")
            raise
        before = self._named
        self._named = {**before, **{name: (template, one) for name, one in template.named.items()}}
        try:
            return without_nil(self._run((template, template.body), data))
        finally:
            self._named = before

    def _run(self, found: Named, data: Value) -> Text:
        texts: list[Text] = []

        def emit(text: Text, node: Node) -> None:
            del node
            texts.append(text)

        self.machine.enter()
        Frame(found[0], self, data, emit).run(found[1], data)
        self.machine.leave()
        return self.machine.grow(concat(texts))


def _unheard_of(name: str, writing: str) -> Value:
    """What a function gives that is in no table."""
    found = unknown(writing, is_true=True if name in FILLED | CERTIFICATES else None)
    if name not in CERTIFICATES:
        return found
    parts = ("Cert", "Key")
    fields = {part: unknown(f"({found.writing}).{part}", is_true=True) for part in parts}
    return Thing("sprig.certificate", fields, {}, found)


def without_nil(text: Text) -> Text:
    """A text without what an action wrote for nil."""
    if NO_VALUE not in text.flat:
        return text
    pieces: list[Text] = []
    at = 0
    while (found := text.flat.find(NO_VALUE, at)) >= 0:
        pieces.append(text.cut(at, found))
        at = found + len(NO_VALUE)
    return concat((*pieces, text.cut(at)))
