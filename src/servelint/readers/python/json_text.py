"""``json.dumps``: a mapping or list as one text, each piece of which knows where it was written."""

from __future__ import annotations

import json
from dataclasses import replace

from servelint.readers.python.alternatives import lift
from servelint.readers.python.conversions import first
from servelint.readers.python.pieces import Piece, known_text, shortened
from servelint.readers.python.state import Item, Pair, Seq, State, Table
from servelint.readers.python.things import Const, Ref, Str, Thing, pieces_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    import libcst as cst

    from servelint.readers.python.machine import Args, Machine
    from servelint.readers.python.pieces import Pieces

    Part = str | Thing
    """A text between values, or a value."""

MAX_DEPTH = 20
"""Containers inside containers."""


def dumps(machine: Machine, args: Args, state: State) -> Thing:
    """``json.dumps(data)``; unknown where entries of a container are not told one by one."""
    return machine.fork(
        first(machine, args), state, lambda one, own: _text(machine, one, args, own)
    )


def _text(machine: Machine, data: Thing, args: Args, state: State) -> Thing:
    if not isinstance(data, Ref | Str | Const):
        return machine.unknown(args.node)
    try:
        parts = list(_parts(data, state, 0))
    except _UntoldError:
        return machine.unknown(args.node)

    def joined(*known: Thing) -> Thing:
        given = iter(known)
        rows = (
            (Piece(part),) if isinstance(part, str) else _value(machine, next(given), args.node)
            for part in parts
        )
        return Str(shortened(tuple(piece for row in rows for piece in row)))

    return lift(joined, *(part for part in parts if not isinstance(part, str)))


class _UntoldError(Exception):
    """A container of which not all entries are told."""


def _parts(thing: Thing, state: State, depth: int) -> Iterator[Part]:
    """The texts and values of a container in their order; a value is one part."""
    content = state.heap.get(thing.id) if isinstance(thing, Ref) else None
    if depth > MAX_DEPTH:
        raise _UntoldError
    if isinstance(content, Table):
        yield "{"
        for number, entry in enumerate(content.entries):
            key = entry.key if isinstance(entry, Pair) else None
            name = known_text(key.pieces) if isinstance(key, Str) else None
            if name is None or not isinstance(entry, Pair):
                raise _UntoldError
            yield f"{', ' if number else ''}{json.dumps(name)}: "
            yield from _parts(entry.value, state, depth + 1)
        yield "}"
    elif isinstance(content, Seq):
        yield "["
        for number, entry in enumerate(content.entries):
            if not isinstance(entry, Item):
                raise _UntoldError
            yield ", " if number else ""
            yield from _parts(entry.thing, state, depth + 1)
        yield "]"
    else:
        yield thing


def _value(machine: Machine, thing: Thing, node: cst.CSTNode) -> Pieces:
    """A single value; what is not known stands in quotes, as most values are texts."""
    if isinstance(thing, Const):
        return (Piece(json.dumps(thing.value), thing.at, thing.via),)
    code, place = machine.script.code(node)[:200], machine.script.place(node)
    pieces = pieces_of(thing, code, place)
    return (Piece('"'), *map(_escaped, pieces), Piece('"'))


def _escaped(piece: Piece) -> Piece:
    return replace(piece, text=json.dumps(piece.text)[1:-1]) if piece.known else piece
