"""The value of an expression: a text with the places it was written in, a list, a mapping, a hole.

Nothing is guessed: a function or a name that is not known leaves a hole in the text.
"""

from __future__ import annotations

import re

from servelint.readers.terraform.tree import child, children, is_rule, place, tokens
from servelint.source import Route, Span
from servelint.syntax.interpolation import HOLE
from servelint.syntax.weave import Weaver
from servelint.syntax.yaml_data import Leaf, Member, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from lark import Token, Tree

    from servelint.source import Source
    from servelint.syntax.yaml_data import Data

MAX_STEPS = 100_000
"""Expressions of one module; names may multiply them."""

MAX_COPIED = 300_000
"""Characters and items that the names of one module may put elsewhere, all uses together."""

_ESCAPE = re.compile(r"\\(?:u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)|\$\$(?=\{)|%%(?=\{)", re.S)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}
_HEREDOC = re.compile(r"<<-?[^\n]*\n")
_NAME = re.compile(r"\$\{\s*([A-Za-z_][\w.-]*)\s*\}|\$\{[^}]*\}|\$\$\{")
_SAME = frozenset({"tostring", "trimspace", "chomp", "nonsensitive", "sensitive", "base64encode"})
"""Functions whose argument says all that matters here."""

_BUILT = {"image_id": "name", "latest": "name", "repo_digest": "name"}
"""Attributes that a provider makes of another one."""


class Scope:
    """Names and what they stand for; ``lazy`` ones are worked out when first asked for."""

    def __init__(
        self, known: Mapping[str, Data], lazy: Mapping[str, tuple[Source, Tree[Token]]]
    ) -> None:
        self._known: dict[str, Data | None] = dict(known)
        self._lazy = lazy
        self._left = MAX_STEPS
        self._copies = MAX_COPIED
        self._read: dict[str, Callable[[Source, Tree[Token]], Data | None]] = {
            "expr_term": self._term,
            "tuple": self._tuple,
            "object": self._object,
            "string": self._string,
            "heredoc_template": self._heredoc,
            "heredoc_template_trim": self._heredoc,
            "int_lit": self._plain,
            "float_lit": self._plain,
            "literal_value": self._plain,
            "function_call": self._call,
            "identifier": self._named,
            "get_attr_expr_term": self._named,
            "index_expr_term": self._named,
        }

    def data(self, source: Source, node: Tree[Token]) -> Data:
        """The data of an expression."""
        self._left -= 1
        if self._left < 0:
            return _hole(source, node)
        read = self._read.get(str(node.data))
        found = read(source, node) if read is not None else None
        return _hole(source, node) if found is None else found

    def _term(self, source: Source, node: Tree[Token]) -> Data | None:
        inner = child(node)
        return self.data(source, inner) if inner is not None else None

    def _tuple(self, source: Source, node: Tree[Token]) -> Data:
        return tuple(self.data(source, one) for one in _values(node))

    def _plain(self, source: Source, node: Tree[Token]) -> Data:
        start, end = place(node)
        return Leaf(source.slice(start, end, "text"))

    def _object(self, source: Source, node: Tree[Token]) -> Table:
        members: dict[str, Member] = {}
        for one in children(node, "object_elem"):
            key_node, *rest = children(one)
            start, end = place(key_node)
            if source.text[start : start + 1] == '"':
                start, end = start + 1, end - 1
            key = Leaf(source.slice(start, end, "text"))
            if rest:
                members[key.text] = Member(key, self.data(source, rest[-1]))
        return Table(members)

    def _string(self, source: Source, node: Tree[Token]) -> Leaf:
        weaver = Weaver(source.path)
        for part in children(node, "string_part"):
            inner = child(part)
            if is_rule(inner, "interpolation") and inner is not None:
                self._put(weaver, source, inner, self._inside(source, inner))
            elif inner is not None:
                start, end = place(part)
                _write_hole(weaver, source, start, end)
            else:
                _literal(weaver, source, *place(part))
        return Leaf(weaver.source("text", Route(source.path)), '"')

    def _inside(self, source: Source, interpolation: Tree[Token]) -> Data | None:
        expression = child(interpolation)
        return self.data(source, expression) if expression is not None else None

    def _put(self, weaver: Weaver, source: Source, node: Tree[Token], data: Data | None) -> None:
        """A text in the place of what was written for it; a hole where there is none."""
        start, end = place(node)
        if isinstance(data, Leaf):
            weaver.put(data.source, source.span(start, end))
        else:
            _write_hole(weaver, source, start, end)

    def _heredoc(self, source: Source, node: Tree[Token]) -> Leaf:
        start, end = place(node)
        trims = node.data == "heredoc_template_trim"
        first = _HEREDOC.match(source.text, start)
        begin = first.end() if first else start
        lines = source.text[begin:end].rstrip("\r\n").splitlines(keepends=True)[:-1]
        filled = [line for line in lines if line.strip()]
        margin = min((len(line) - len(line.lstrip()) for line in filled), default=0) if trims else 0
        weaver = Weaver(source.path)
        for line in lines:
            self._line(weaver, source, begin + min(margin, len(line)), begin + len(line))
            begin += len(line)
        return Leaf(weaver.source("text", Route(source.path)), "|")

    def _line(self, weaver: Weaver, source: Source, start: int, end: int) -> None:
        at = start
        for match in _NAME.finditer(source.text, start, end):
            weaver.take(source.slice(at, match.start(), "text"))
            at = match.end()
            data = self._lookup(match[1]) if match[1] else None
            if isinstance(data, Leaf):
                weaver.put(data.source, source.span(match.start(), at))
            elif match[0] == "$${":
                weaver.write("${", source.span(match.start(), at))
            else:
                _write_hole(weaver, source, match.start(), at)
        weaver.take(source.slice(at, end, "text"))

    def _call(self, source: Source, node: Tree[Token]) -> Data:
        name = str(next(tokens(node)))
        arguments = child(node, "arguments")
        given = list(_values(arguments)) if arguments is not None else []
        if name in ("jsonencode", "yamlencode", *_SAME) and len(given) == 1:
            return self.data(source, given[0])
        data = [self.data(source, one) for one in given]
        if name in ("concat", "flatten") and all(isinstance(one, tuple) for one in data):
            return tuple(_flat(tuple(data)))
        if name == "merge" and data and all(isinstance(one, Table) for one in data):
            tables = [one for one in data if isinstance(one, Table)]
            return Table({key: one for table in tables for key, one in table.members.items()})
        if name == "join" and len(data) == 2 and isinstance(data[1], tuple):
            return _joined(source, node, data[0], tuple(_flat(data[1])))
        return _hole(source, node)

    def _named(self, source: Source, node: Tree[Token]) -> Data | None:
        """What a name or an access stands for."""
        start, end = place(node)
        name = re.sub(r'\["([\w-]+)"\]|\[(\d+)\]', r".\1\2", source.text[start:end])
        found = self._lookup(name)
        if not isinstance(found, Leaf):
            return found
        weaver = Weaver(source.path)
        weaver.put(found.source, source.span(start, end))
        return Leaf(weaver.source("text", Route(source.path)), found.style, found.tag)

    def _lookup(self, name: str) -> Data | None:
        """The data of a dotted name: a known one, then keys and indices below it."""
        steps = name.split(".")
        for size in range(len(steps), 0, -1):
            head, rest = ".".join(steps[:size]), steps[size:]
            found = self._own(head) or self._own(self._built(steps[:size]))
            if found is not None:
                return self._copied(_below(found, rest))
        return None

    def _copied(self, data: Data | None) -> Data | None:
        """The data, while there is room for one more copy of it: names double what names hold."""
        if data is None:
            return None
        todo: list[Data] = [data]
        while todo and self._copies > 0:
            one = todo.pop()
            self._copies -= 1
            if isinstance(one, Leaf):
                self._copies -= len(one.text)
            elif isinstance(one, Table):
                todo.extend(member.value for member in one.members.values())
            else:
                todo.extend(one)
        return data if self._copies > 0 else None

    def _built(self, steps: list[str]) -> str:
        return ".".join((*steps[:-1], _BUILT.get(steps[-1], steps[-1])))

    def _own(self, name: str) -> Data | None:
        if name not in self._known and name in self._lazy:
            self._known[name] = None  # what leads to itself has no value
            self._known[name] = self.data(*self._lazy[name])
        return self._known.get(name)


def _values(node: Tree[Token]) -> Iterator[Tree[Token]]:
    return (one for one in children(node) if one.data != "new_line_or_comment")


def _below(data: Data, steps: list[str]) -> Data | None:
    for step in steps:
        if isinstance(data, Table) and step in data.members:
            data = data.members[step].value
        elif isinstance(data, tuple) and step.isdigit() and int(step) < len(data):
            data = data[int(step)]
        else:
            return None
    return data


def _flat(data: tuple[Data, ...]) -> Iterator[Data]:
    for one in data:
        if isinstance(one, tuple):
            yield from _flat(one)
        else:
            yield one


def _joined(source: Source, node: Tree[Token], mark: Data, items: tuple[Data, ...]) -> Leaf:
    if not isinstance(mark, Leaf) or not all(isinstance(one, Leaf) for one in items):
        return _hole(source, node)
    weaver = Weaver(source.path)
    for number, one in enumerate(items):
        if number:
            weaver.glue(mark.text)
        if isinstance(one, Leaf):
            weaver.take(one.source)
    return Leaf(weaver.source("text", Route(source.path)), '"')


def _literal(weaver: Weaver, source: Source, start: int, end: int) -> None:
    at = start
    for match in _ESCAPE.finditer(source.text, start, end):
        weaver.take(source.slice(at, match.start(), "text"))
        at = match.end()
        weaver.write(_unescaped(match[0]), source.span(match.start(), at))
    weaver.take(source.slice(at, end, "text"))


def _unescaped(written: str) -> str:
    if written[0] != "\\":
        return written[0]
    if written[1] in "uU":
        return chr(min(int(f"0x{written[2:]}", base=0), 0xFFFD))
    return _ESCAPES.get(written[1], written[1])


def _hole(source: Source, node: Tree[Token]) -> Leaf:
    weaver = Weaver(source.path)
    _write_hole(weaver, source, *place(node))
    return Leaf(weaver.source("text", Route(source.path)), '"')


def _write_hole(weaver: Weaver, source: Source, start: int, end: int) -> None:
    text = " ".join(source.text[start:end].split())
    weaver.write(f"{HOLE[0]}{text}{HOLE[1]}", Span(source.path, start, end))
