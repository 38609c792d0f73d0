"""Classes of the file: their attributes, their objects, and methods bound to either."""

from __future__ import annotations

from dataclasses import replace

import libcst as cst

from servelint.readers.python.containers import find, or_missing
from servelint.readers.python.functions import call_function
from servelint.readers.python.machine import Args, Frame, Machine
from servelint.readers.python.state import Family, Item, Record, Seq, State, Table
from servelint.readers.python.things import (
    Const,
    Dotted,
    Func,
    Member,
    Ref,
    Str,
    Super,
    Thing,
    passed,
    plain,
    runtime,
)
from servelint.readers.python.truth import equal

_DATA = ("dataclass", "define", "attrs", "frozen", "mutable")
_DATA_BASES = ("BaseModel", "BaseSettings", "NamedTuple", "Struct")
_ENUMS = ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")
_MAX_BASES = 20
_STATIC = "staticmethod"
_CLASS = "classmethod"
_PROPERTIES = ("property", "cached_property", "computed_field")


def define_class(machine: Machine, node: cst.ClassDef, state: State) -> Ref:
    """Execute the body of a class; what it sets are the attributes."""
    bases = [machine.evaluate(base.value, state) for base in node.bases]
    own = tuple(base for base in bases if isinstance(base, Ref))
    foreign = tuple(
        base.name if isinstance(base, Dotted) else machine.script.code(node.bases[index].value)
        for index, base in enumerate(bases)
        if not isinstance(base, Ref)
    )
    family = Family(node.name.value, node, own, foreign)
    ref = machine.new(state, family)
    attrs = _body(machine, node, ref, state)
    enum = _enum_kind(foreign) or _inherited_enum(own, state)
    fields = _fields(machine, node, own, foreign, state)
    if enum:
        attrs = {name: _member(ref, name, thing, enum) for name, thing in attrs.items()}
    state.heap[ref.id] = replace(family, attrs=attrs, enum=enum, fields=fields)
    return ref


def _body(machine: Machine, node: cst.ClassDef, ref: Ref, state: State) -> dict[str, Thing]:
    frame = machine.number()
    machine.frames[frame] = Frame(machine.frame, None, ref)
    state.open_frame(frame, {})
    outer, machine.frame = machine.frame, frame
    try:
        flow = machine.execute((node.body,), state)
    finally:
        machine.frame = outer
    if flow.state is not None and flow.state is not state:
        state.take(flow.state)
    return dict(state.frames.get(frame, {}))


def _enum_kind(foreign: tuple[str, ...]) -> str:
    names = [name.rpartition(".")[2] for name in foreign]
    if not any(name in _ENUMS for name in names):
        return ""
    if "StrEnum" in names:
        return "strenum"
    return "str" if "str" in names else "enum"


def _inherited_enum(bases: tuple[Ref, ...], state: State) -> str:
    families = (state.heap.get(base.id) for base in bases)
    return next((one.enum for one in families if isinstance(one, Family) and one.enum), "")


def _member(family: Ref, name: str, thing: Thing, kind: str) -> Thing:
    plain_member = isinstance(thing, Str | Const | Dotted) or (
        not isinstance(thing, Func) and not name.startswith("_")
    )
    return Member(family, name, thing, kind) if plain_member and name[:1] != "_" else thing


def _fields(
    machine: Machine,
    node: cst.ClassDef,
    own: tuple[Ref, ...],
    foreign: tuple[str, ...],
    state: State,
) -> tuple[str, ...] | None:
    """What an unwritten constructor takes; None for an ordinary class."""
    inherited: tuple[str, ...] | None = None
    for base in own:
        content = state.heap.get(base.id)
        if isinstance(content, Family) and content.fields is not None:
            inherited = (*(inherited or ()), *content.fields)
    names = [name.rpartition(".")[2] for name in foreign]
    decorators = [machine.script.code(one.decorator) for one in node.decorators]
    is_data = any(mark in code for code in decorators for mark in _DATA)
    if not (is_data or inherited is not None or any(name in _DATA_BASES for name in names)):
        return None
    found = dict.fromkeys(inherited or ())
    for statement in node.body.body:
        if isinstance(statement, cst.SimpleStatementLine):
            for part in statement.body:
                if isinstance(part, cst.AnnAssign) and isinstance(part.target, cst.Name):
                    found[part.target.value] = None
    return tuple(found)


# -- looking up -----------------------------------------------------------------------------


def lineage(ref: Ref, state: State) -> tuple[tuple[Ref, Family], ...]:
    """A class and the classes of the file that it inherits from, as Python orders them (C3)."""
    found = ((one, state.heap.get(one.id)) for one in _order(ref, state, 0))
    return tuple((one, content) for one, content in found if isinstance(content, Family))


def _order(ref: Ref, state: State, depth: int) -> list[Ref]:
    content = state.heap.get(ref.id)
    if not isinstance(content, Family) or depth > _MAX_BASES:
        return [ref]
    rows = [_order(base, state, depth + 1) for base in content.bases]
    rows.append(list(content.bases))
    order = [ref]
    while rows := [row for row in rows if row]:
        heads = (row[0] for row in rows)
        best = next((one for one in heads if not any(one in row[1:] for row in rows)), rows[0][0])
        order.append(best)
        rows = [[one for one in row if one != best] for row in rows]
    return order


def class_attribute(
    machine: Machine, family: Ref, name: str, receiver: Thing, state: State
) -> Thing | None:
    """An attribute of a class, functions bound to ``receiver``; None when it has none."""
    for owner, content in lineage(family, state):
        if name in content.attrs:
            return _bound(machine, content.attrs[name], owner, receiver, state)
    return None


def super_attribute(machine: Machine, asked: Super, name: str, state: State) -> Thing | None:
    """An attribute as the classes behind the one that asks have it."""
    if not isinstance(asked.owner, Ref):
        return None
    for owner, content in list(lineage(asked.owner, state))[1:]:
        if name in content.attrs:
            return _bound(machine, content.attrs[name], owner, asked.receiver, state)
    return None


def _bound(machine: Machine, thing: Thing, owner: Ref, receiver: Thing, state: State) -> Thing:
    if not isinstance(thing, Func) or not isinstance(thing.node, cst.FunctionDef):
        return thing
    marks = [machine.script.code(one.decorator) for one in thing.node.decorators]
    if _STATIC in marks:
        return replace(thing, owner=owner)
    if _CLASS in marks:
        receiver = _class_of(receiver, state)
    bound = replace(thing, owner=owner, receiver=receiver)
    if any(mark.rpartition(".")[2] in _PROPERTIES for mark in marks):
        if isinstance(receiver, Ref) and isinstance(state.heap.get(receiver.id), Family):
            return runtime(thing.node.name.value)
        return call_function(machine, bound, Args(thing.node.name, (), (), ""), state)
    if isinstance(receiver, Ref) and isinstance(state.heap.get(receiver.id), Family):
        return bound if _CLASS in marks else replace(thing, owner=owner)
    return bound


def _class_of(receiver: Thing, state: State) -> Thing:
    content = state.heap.get(receiver.id) if isinstance(receiver, Ref) else None
    return content.family if isinstance(content, Record) else receiver


# -- objects --------------------------------------------------------------------------------


def create(machine: Machine, family: Ref, args: Args, state: State) -> Thing:
    """What a call of a class gives."""
    content = state.heap[family.id]
    if not isinstance(content, Family):
        return machine.unknown(args.node)
    if content.enum:
        return _by_value(machine, content, args)
    ref = machine.new(state, Record(family, {}))
    if content.fields is not None:
        _set_fields(machine, family, ref, args, state)
    start = class_attribute(machine, family, "__init__", ref, state)
    if isinstance(start, Func):
        call_function(machine, start, args, state)
    after = class_attribute(machine, family, "__post_init__", ref, state)
    if isinstance(after, Func):
        call_function(machine, after, Args(args.node, (), (), ""), state)
    return ref


def _by_value(machine: Machine, family: Family, args: Args) -> Thing:
    """``Role("prefill")``: the member with that value."""
    entry = args.positional[0] if len(args.positional) == 1 else None
    if isinstance(entry, Item):
        for thing in family.attrs.values():
            if isinstance(thing, Member) and equal(thing.value, entry.thing) is True:
                return thing
    return machine.unknown(args.node)


def _set_fields(machine: Machine, family: Ref, ref: Ref, args: Args, state: State) -> None:
    content = state.heap[family.id]
    fields = content.fields or () if isinstance(content, Family) else ()
    attrs: dict[str, Thing] = {}
    for number, name in enumerate(fields):
        default = class_attribute(machine, family, name, ref, state)
        given = args.positional[: number + 1]
        last = given[-1] if len(given) == number + 1 else None
        if last is not None and all(isinstance(entry, Item) for entry in given):
            attrs[name] = (
                passed(last.thing, last.place) if isinstance(last, Item) else runtime(name)
            )
        else:
            missing = runtime(name) if default is None else _own(machine, default, state)
            found = or_missing(find(args.keywords, plain(name), name), missing)
            attrs[name] = found
    state.heap[ref.id] = Record(family, attrs)


def _own(machine: Machine, default: Thing, state: State) -> Thing:
    """A default that a factory makes anew for each object."""
    content = state.heap.get(default.id) if isinstance(default, Ref) else None
    return machine.new(state, content) if isinstance(content, Seq | Table) else default


def set_attribute(machine: Machine, base: Thing, name: str, thing: Thing, state: State) -> None:
    """``base.name = thing``."""
    machine.spend()
    content = state.heap.get(base.id) if isinstance(base, Ref) else None
    if isinstance(content, Record | Family) and isinstance(base, Ref):
        state.heap[base.id] = replace(content, attrs={**content.attrs, name: thing})
