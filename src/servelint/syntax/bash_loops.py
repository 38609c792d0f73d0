"""Loops: over known words round by round, otherwise until the state is stable."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from servelint.syntax.bash import substitutions_at
from servelint.syntax.bash_arith import arithmetic, assigned_names
from servelint.syntax.bash_fields import Piece, is_known, is_many, literal, union, unknown_field
from servelint.syntax.bash_nodes import read_words
from servelint.syntax.bash_simple import expansion
from servelint.syntax.bash_state import State, Variable, join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from servelint.syntax.bash_fields import Field, Place
    from servelint.syntax.bash_state import Fields
    from servelint.syntax.bash_walk import Handler, Walk

    Round = Callable[[State], State | None]

MAX_ROUNDS = 16
"""Loops over more words are not walked word by word."""

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_SETTING = re.compile(r"\b(?:for|read|let|unset|getopts)\b[^\n;]*")
_COUNTED = re.compile(
    r"\(\(\s*([A-Za-z_]\w*)\s*=\s*([^;=]+?)\s*;\s*\1\s*(<=?)\s*([^;]+?)\s*;"
    r"\s*(?:\1\s*\+\+|\+\+\s*\1|\1\s*\+=\s*1)\s*\)\)",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class _Loop:
    """A loop of ``name`` over ``words``; ``last`` is what the name is when all are done."""

    name: str
    words: Fields
    place: Place
    run: Round
    last: Field | None = None

    def ended(self, state: State | None) -> State | None:
        """The state after the last round."""
        if state is not None and self.last is not None:
            state.set(self.name, Variable((self.last,)))
        return state


def _while(walk: Walk, node: Node, state: State) -> State | None:
    condition = node.children_by_field_name("condition")
    body = node.child_by_field_name("body")

    def one_round(entry: State) -> State | None:
        here = walk.block(condition, entry)
        if here is not None:
            walk.frames.breaks[-1].append(here.copy())
        return _body(walk, body, here)

    _, exits = _stable(walk, state, one_round)
    return join(exits)


def _for(walk: Walk, node: Node, state: State) -> State | None:
    variable = node.child_by_field_name("variable")
    body = node.child_by_field_name("body")
    if variable is None:
        return walk.block(node.children, state)
    name = walk.text[variable.start_byte : variable.end_byte]
    words = _loop_words(walk, node, state)
    place = (variable.start_byte, variable.end_byte)
    if node.children[0].type == "select" and words:
        words = (union(words), unknown_field(f"${name}", place))
    return _over(walk, state, _Loop(name, words, place, lambda here: _body(walk, body, here)))


def _loop_words(walk: Walk, node: Node, state: State) -> Fields:
    start = next((child for child in node.children if child.type == "in"), None)
    if start is None:
        args = state.args
        return args if args is not None else (((Piece("$@", None, name="@", many=True),),),)
    values = node.children_by_field_name("value")
    nodes = {each.start_byte: each for value in values for each in substitutions_at(value)}
    words = read_words(walk.text, start.end_byte, min(walk.limit, node.end_byte), nodes)
    around = expansion(walk, state, nodes)
    return tuple(field for word in words for field in around.fields(word))


def _counted(walk: Walk, node: Node, state: State) -> State | None:
    """``for ((i=0; i<n; i++))``: over its numbers when these are known and few."""
    body = node.child_by_field_name("body")
    end = body.start_byte if body is not None else node.end_byte
    head = walk.text[node.start_byte : end]
    place = (node.start_byte, node.start_byte + len(head.rstrip("; \t\r\n")))
    match = _COUNTED.search(head)
    numbers = _numbers(walk, state, match) if match and not _sets(walk, body, match[0]) else None
    if match and numbers is not None:
        words = tuple(literal(str(number), place) for number in numbers)
        last = literal(str(numbers.stop), place)
        loop = _Loop(match[1], words, place, lambda here: _body(walk, body, here), last)
        return _over(walk, state, loop)
    for name in assigned_names(head):
        state.forget(name, place)
    end_state, exits = _stable(walk, state.copy(), lambda here: _body(walk, body, here))
    return join((state, end_state, *exits))


def _sets(walk: Walk, body: Node | None, head: str) -> bool:
    """True when the body of a loop may change a number that its head names."""
    text = "" if body is None else walk.text[body.start_byte : body.end_byte]
    names = set(_NAME.findall(head))
    others = {name for match in _SETTING.finditer(text) for name in _NAME.findall(match[0])}
    return not names.isdisjoint((*assigned_names(text), *others))


def _numbers(walk: Walk, state: State, match: re.Match[str]) -> range | None:
    lookup = expansion(walk, state, {}).numbers
    bounds = [arithmetic(match[group], lookup, 1) for group in (2, 4)]
    if any(bound is None or len(bound) != 1 for bound in bounds):
        return None
    low, high = (int((bound or ("0",))[0]) for bound in bounds)
    numbers = range(low, high + (match[3] == "<="))
    return numbers if len(numbers) <= MAX_ROUNDS else None


def _body(walk: Walk, body: Node | None, state: State | None) -> State | None:
    if body is None or state is None:
        return state
    return walk.run(body, state)


def _over(walk: Walk, state: State, loop: _Loop) -> State | None:
    """A loop in which a name is one of some words after the other."""
    known = all(not is_many(field) for field in loop.words)
    if known and len(loop.words) * walk.unrolled <= MAX_ROUNDS:
        size = max(1, len(loop.words))
        walk.unrolled *= size
        result = _unrolled(walk, state, loop)
        walk.unrolled //= size
        return result
    field = _one_word(loop)

    def one_round(entry: State) -> State | None:
        entry.set(loop.name, Variable((field,)))
        return loop.run(entry)

    end, exits = _stable(walk, state.copy(), one_round)
    none = state if all(map(is_many, loop.words)) else None
    return join((none, loop.ended(end), *exits))


def _one_word(loop: _Loop) -> Field:
    """Any of the words; those of which nothing is known are runtime values."""
    some = [
        field
        if is_known(field) or not is_many(field)
        else unknown_field(f"${loop.name}", loop.place)
        for field in dict.fromkeys(loop.words)
    ]
    return union(some)


def _unrolled(walk: Walk, state: State, loop: _Loop) -> State | None:
    here: State | None = state
    exits: list[State] = []
    for field in loop.words:
        if here is None:
            break
        here.set(loop.name, Variable((field,)))
        here, left = _one(walk, here, loop.run)
        exits.extend(left)
    return join((loop.ended(here), *exits))


def _one(walk: Walk, entry: State, run: Round) -> tuple[State | None, list[State]]:
    """One round: the state at its end, and the states of the paths that leave the loop."""
    walk.frames.breaks.append([])
    walk.frames.continues.append([])
    end = run(entry)
    return join((end, *walk.frames.continues.pop())), walk.frames.breaks.pop()


def _stable(walk: Walk, entry: State, run: Round) -> tuple[State | None, list[State]]:
    """Rounds until another one would not change the state any more.

    Only the last round, with a state that holds for all, is on record.
    """
    records = walk.records
    for attempt in range(3):
        walk.records = type(records)()
        end, exits = _one(walk, entry.copy(), run)
        again = join((entry.copy(), end.copy() if end is not None else None)) or entry
        if _same(entry, again) or attempt == 2:
            break
        if attempt == 1:
            _widen(entry, again)
        entry = again
    records.extend(walk.records)
    walk.records = records
    return end, exits


def _same(left: State, right: State) -> bool:
    return left.variables == right.variables and left.args == right.args


def _widen(before: State, after: State) -> None:
    """What every round changes again can be anything; lists keep the words they had."""
    if before.args != after.args:
        after.args, after.shifted = None, True
    for name, variable in after.variables.items():
        old = before.variables.get(name)
        if old == variable:
            continue
        place = variable.place
        if variable.array:
            more = Piece(f"${{{name}[@]}}", place, reason="runtime-value", many=True)
            kept = old.fields if old is not None else variable.fields
            after.variables[name] = replace(variable, fields=(*kept, ((more,),)))
        else:
            after.variables[name] = replace(variable, fields=(unknown_field(f"${name}", place),))
    after.changed()


HANDLERS: Mapping[str, Handler] = {
    "while_statement": _while,
    "for_statement": _for,
    "c_style_for_statement": _counted,
}
