"""Texts with holes: f-strings, ``%`` and ``str.format``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import cast

import libcst as cst

from servelint.readers.python.alternatives import lift
from servelint.readers.python.containers import find, or_missing
from servelint.readers.python.literals import decode, quoted
from servelint.readers.python.pieces import Piece, Pieces, known_text, remade, section, shortened
from servelint.readers.python.state import Item, Seq, State, Table
from servelint.readers.python.things import (
    Const,
    Dark,
    Member,
    Open,
    Ref,
    Str,
    Thing,
    passed,
    pieces_of,
    plain,
    runtime,
)
from servelint.readers.python.truth import is_known, plain_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from servelint.readers.python.machine import Machine
    from servelint.readers.python.state import Entries

_SPEC = re.compile(r"(?:.?[<>^=])?[+ -]?0?\d{0,3},?(?:\.\d{1,2})?[sdxXfgeo%b]?")
_DIRECTIVE = re.compile(
    r"%(?:%|(?:\((?P<name>\w+)\))?(?P<spec>[-+ 0#]*\d{0,3}(?:\.\d{1,2})?)(?P<kind>[srdifgxX]))"
)
_FIELD = re.compile(
    r"\{\{|\}\}|\{(?P<name>\w*)(?:!(?P<mark>[rs]))?(?::(?P<spec>[^{}]*))?\}|\{[^{}]*\}|[{}]"
)


def shown_pieces(machine: Machine, thing: Thing, node: cst.CSTNode) -> Pieces:
    """What ``str()`` makes of a single thing."""
    code, place = machine.script.code(node)[:200], machine.script.place(node)
    if isinstance(thing, Member):
        if thing.kind == "strenum":
            return shown_pieces(machine, thing.value, node)
        return (Piece(code, place, (), "", "runtime-value"),)
    return pieces_of(thing, code, place)


# -- f-strings ------------------------------------------------------------------------------


def simple_string(machine: Machine, node: cst.CSTNode, _state: State) -> Thing:
    """A plain literal; bytes are no text."""
    found = machine.literals.get(node)
    if found is None:
        found = machine.literals[node] = _literal(machine, cast("cst.SimpleString", node))
    return found


def _literal(machine: Machine, node: cst.SimpleString) -> Thing:
    token = quoted(node.value)
    if "b" in token.prefix:
        return machine.unknown(node)
    start = machine.script.place(node)[0] + token.start
    return Str(decode(node.value[token.start : token.end], start, token.prefix))


def concatenated_string(machine: Machine, node: cst.CSTNode, state: State) -> Thing:
    """Literals side by side; a long row leans to the right."""
    found: Thing = Str(())
    rest: cst.CSTNode = node
    while isinstance(rest, cst.ConcatenatedString):
        found = glue(machine, found, machine.evaluate(rest.left, state), rest.left)
        rest = rest.right
    return glue(machine, found, machine.evaluate(rest, state), rest)


def glue(machine: Machine, left: Thing, right: Thing, node: cst.CSTNode) -> Thing:
    """Two texts side by side; where that gives too many, the second one is unknown."""
    made = lift(_glued, left, right)
    if isinstance(made, Dark) and not isinstance(left, Dark):
        where = (machine.script.code(node)[:200], machine.script.place(node))
        return lift(_glued, left, Str((Piece(*where, (), "", "many-values"),)))
    return made


def _glued(left: Thing, right: Thing) -> Thing:
    if isinstance(left, Str) and isinstance(right, Str):
        return Str(shortened(left.pieces + right.pieces))
    return left if isinstance(right, Str) else right


def f_string(machine: Machine, node: cst.CSTNode, state: State) -> Thing:
    """``f"..."``: literal runs keep their places, holes are what stands in them."""
    node = cast("cst.FormattedString", node)
    prefix = quoted(node.start).prefix
    found: Thing = Str(())
    for part in node.parts:
        if isinstance(part, cst.FormattedStringText):
            start = machine.script.place(part)[0]
            piece: Thing = Str(decode(part.value, start, prefix, braces=True))
        else:
            piece = _hole(machine, cast("cst.FormattedStringExpression", part), state)
        found = glue(machine, found, piece, part)
    return found


def _hole(machine: Machine, part: cst.FormattedStringExpression, state: State) -> Thing:
    thing = passed(machine.evaluate(part.expression, state), machine.script.place(part))
    spec = _spec_of(part)
    if part.equal is not None or spec is None:
        return _dark(machine, part)
    return lift(lambda one: Str(_formatted(machine, one, part.conversion or "", spec, part)), thing)


def _spec_of(part: cst.FormattedStringExpression) -> str | None:
    """The format of a hole; None when it is made at run time."""
    texts = [
        inner.value if isinstance(inner, cst.FormattedStringText) else None
        for inner in part.format_spec or ()
    ]
    known = [text for text in texts if text is not None]
    return "".join(known) if len(known) == len(texts) else None


def _dark(machine: Machine, node: cst.CSTNode) -> Str:
    place = machine.script.place(node)
    return Str((Piece(machine.script.code(node)[:200], place, (), "", "runtime-value"),))


def _formatted(machine: Machine, thing: Thing, mark: str, spec: str, node: cst.CSTNode) -> Pieces:
    """A thing in a hole, after conversion and format."""
    if isinstance(node, cst.FormattedStringExpression):
        shown = shown_pieces(machine, thing, node.expression)
    else:
        shown = shown_pieces(machine, thing, node)
    if not mark and not spec:
        return shown
    if mark == "s" and not spec:
        return shown
    value = plain_value(thing)
    if isinstance(value, str | int | float) and mark in ("", "s", "r") and _SPEC.fullmatch(spec):
        value = repr(value) if mark == "r" else str(value) if mark == "s" else value
        try:
            return remade(format(value, spec), shown)
        except ValueError:
            pass
    return _dark(machine, node).pieces


# -- % --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Given:
    """What a format takes its values from: a row, and names."""

    machine: Machine
    node: cst.CSTNode
    row: Sequence[Thing] | None
    names: Entries | None

    def at(self, number: int) -> Thing:
        if self.row is None or number >= len(self.row):
            return self.machine.unknown(self.node)
        return self.row[number]

    def named(self, name: str) -> Thing:
        unknown = self.machine.unknown(self.node)
        if self.names is None:
            return unknown
        return or_missing(find(self.names, plain(name), name), unknown)


def percent(machine: Machine, left: Str, right: Thing, node: cst.CSTNode, state: State) -> Thing:
    """``text % values``."""
    text = known_text(left.pieces)
    if text is None:
        return machine.unknown(node)
    content = state.heap.get(right.id) if isinstance(right, Ref) else None
    row: Sequence[Thing] | None = (right,)
    names = content.entries if isinstance(content, Table) else None
    if isinstance(content, Seq) and content.fixed:
        things = [entry.thing for entry in content.entries if isinstance(entry, Item)]
        row = things if len(things) == len(content.entries) else None
    return _filled(left, text, _DIRECTIVE, _Given(machine, node, row, names))


def _filled(left: Str, text: str, pattern: re.Pattern[str], given: _Given) -> Thing:
    """The text with its directives replaced, in order."""
    found: Thing = Str(())
    at = number = 0
    for match in pattern.finditer(text):
        before = Str(section(left.pieces, at, match.start()))
        at = match.end()
        made, number = _directive(match, number, given)
        if made is None:
            return given.machine.unknown(given.node)
        found = glue(given.machine, lift(_glued, found, before), made, given.node)
    if pattern is _DIRECTIVE and text.replace("%%", "").count("%") > _count(pattern, text):
        return given.machine.unknown(given.node)
    return lift(_glued, found, Str(section(left.pieces, at, len(text))))


def _count(pattern: re.Pattern[str], text: str) -> int:
    return sum(match[0] != "%%" for match in pattern.finditer(text))


def _directive(match: re.Match[str], number: int, given: _Given) -> tuple[Thing | None, int]:
    """What replaces a directive, and the number of the next value in the row."""
    token = match[0]
    if token in ("%%", "{{", "}}"):
        return plain(token[0]), number
    if "kind" not in match.re.groupindex:
        return _field(match, number, given)
    if match["name"]:
        thing = given.named(match["name"])
    else:
        thing, number = given.at(number), number + 1
    spec, kind = match["spec"], match["kind"]

    def fill(one: Thing) -> Thing:
        shown = shown_pieces(given.machine, one, given.node)
        if kind == "s" and not spec:
            return Str(shown)
        value = plain_value(one)
        if is_known(value) and value is not None and not isinstance(value, tuple):
            try:
                return Str(remade(f"%{spec}{kind}" % value, shown))
            except (TypeError, ValueError, OverflowError):
                pass
        if isinstance(one, Open) and kind in "di" and not spec:
            return Str(shown)
        return _dark(given.machine, given.node)

    return lift(fill, thing), number


def _field(match: re.Match[str], number: int, given: _Given) -> tuple[Thing | None, int]:
    """A replacement field of ``str.format``."""
    if match["name"] is None:
        whole = match[0]
        return (None if len(whole) == 1 else _dark(given.machine, given.node)), number
    name = match["name"]
    if not name:
        thing, number = given.at(number), number + 1
    elif name.isdigit():
        thing = given.at(int(name[:4]))
    else:
        thing = given.named(name)
    mark, spec = match["mark"] or "", match["spec"] or ""

    def fill(one: Thing) -> Thing:
        return Str(_formatted(given.machine, one, mark, spec, given.node))

    return lift(fill, thing), number


def format_text(
    machine: Machine,
    text: Str,
    row: Sequence[Thing] | None,
    names: Entries | None,
    node: cst.CSTNode,
) -> Thing:
    """``text.format(*row, **names)``."""
    known = known_text(text.pieces)
    if known is None:
        return machine.unknown(node)
    return _filled(text, known, _FIELD, _Given(machine, node, row, names))


def as_text(machine: Machine, thing: Thing, node: cst.CSTNode) -> Thing:
    """``str(thing)``; what is open stays open."""
    match thing:
        case Open():
            return thing
        case Str() | Const() | Member():
            return Str(shown_pieces(machine, thing, node))
        case _:
            return runtime(machine.script.code(node)[:200], machine.script.place(node))


def over(thing: Thing, function: Callable[[Thing], Thing]) -> Thing:
    """``function`` of a thing; of an open one, of its default."""
    if isinstance(thing, Open):
        default = None if thing.default is None else over(thing.default, function)
        return Open(thing.name, thing.text, default, thing.at, thing.via)
    return function(thing)
