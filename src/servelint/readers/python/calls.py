"""Calls: which function is meant, with which arguments."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import libcst as cst

from servelint.readers.python.attributes import attribute
from servelint.readers.python.classes import class_attribute, create
from servelint.readers.python.container_methods import list_method, table_method
from servelint.readers.python.containers import elements_of, entries_of
from servelint.readers.python.escapes import escape
from servelint.readers.python.functions import call_function, is_emptied, run_body
from servelint.readers.python.known import KNOWN
from servelint.readers.python.machine import Args, Machine
from servelint.readers.python.options import parser_method
from servelint.readers.python.parameters import unasked
from servelint.readers.python.sinks import sink
from servelint.readers.python.state import (
    Entry,
    Family,
    Item,
    Pair,
    Record,
    Seq,
    Spread,
    State,
    Table,
    limited,
)
from servelint.readers.python.talk import is_talk
from servelint.readers.python.text_methods import text_method
from servelint.readers.python.things import Dotted, Func, Ref, Super, Thing, plain

_MAX_NAME = 120
_REMOTE = frozenset(
    [
        "remote",
        "spawn",
        "local",
        "delay",
        "options",
        "starmap",
        "map",
        "submit",
        "aio",
        "bind",
        "with_options",
        "apply_async",
    ]
)
"""Methods that run the function itself, elsewhere or later."""

_HANDLES = frozenset(["options", "with_options"])
"""Methods of a function that give the function again."""

_KEEPS = frozenset(
    [
        "append",
        "appendleft",
        "add",
        "put",
        "put_nowait",
        "extend",
        "insert",
        "push",
        "register",
        "join",
        "exists",
        "get",
        "set",
    ]
)
"""Methods that keep or read what they are given and do not change it."""


def call(machine: Machine, node: cst.CSTNode, state: State) -> Thing:
    """``f(...)``."""
    node = cast("cst.Call", node)
    if isinstance(node.func, cst.Attribute):
        base = machine.evaluate(node.func.value, state)
        args = arguments(machine, node, base, state)
        return machine.fork(base, state, lambda one, own: _method(machine, one, args, own))
    target = machine.evaluate(node.func, state)
    args = arguments(machine, node, target, state)
    return machine.fork(target, state, lambda one, own: apply(machine, one, args, own))


def arguments(machine: Machine, node: cst.Call, target: Thing, state: State) -> Args:
    """What a call is given. The name is the full one of what is called, as far as known."""
    row: list[Entry] = []
    names: list[Entry] = []
    for arg in node.args:
        thing = machine.evaluate(arg.value, state)
        place = machine.place(arg.value)
        if arg.star == "*":
            row.extend(elements_of(machine, thing, arg.value, state))
        elif arg.star == "**":
            entries = entries_of(machine, thing, arg.value, state)
            unknown = any(isinstance(entry, Item) for entry in entries)
            names.extend((Spread(thing, place),) if unknown else entries)
        elif arg.keyword is not None:
            key = plain(arg.keyword.value)
            names.append(Pair(key, thing, machine.script.place(arg.keyword), place))
        else:
            row.append(Item(thing, place))
    return Args(node, tuple(row), tuple(names), _name(machine, node, target))


def _name(machine: Machine, node: cst.Call, target: Thing) -> str:
    """The full name of a callee: through imports, else as written."""
    if not isinstance(node.func, cst.Attribute):
        return target.name if isinstance(target, Dotted) else machine.script.code(node.func)
    attribute = node.func.attr.value
    if isinstance(target, Dotted):
        return f"{target.name}.{attribute}"
    return machine.script.code(node.func)[-_MAX_NAME:]


def _method(machine: Machine, base: Thing, args: Args, state: State) -> Thing:
    """``base.name(...)`` for a single base."""
    node = cast("cst.Call", args.node)
    name = cast("cst.Attribute", node.func).attr.value
    found = text_method(machine, base, name, args, state)
    if found is None and isinstance(base, Ref):
        found = _method_of_content(machine, base, name, args, state)
    if found is None and isinstance(base, Func) and name in _REMOTE:
        found = base if name in _HANDLES else call_function(machine, base, args, state)
    if found is not None:
        return found
    target = attribute(machine, base, name, node.func, state)
    return apply(machine, target, args, state)


def _method_of_content(
    machine: Machine, base: Ref, name: str, args: Args, state: State
) -> Thing | None:
    content = state.heap.get(base.id)
    match content:
        case Seq():
            return list_method(machine, base, name, args, state)
        case Table():
            return table_method(machine, base, name, args, state)
        case Family() if name in _REMOTE:
            return base if name in _HANDLES else create(machine, base, args, state)
        case Record() | Family() | None:
            return None
        case _:
            return parser_method(machine, base, name, args, state)


def apply(machine: Machine, target: Thing, args: Args, state: State) -> Thing:
    """A call of a single thing."""
    match target:
        case Func():
            if is_emptied(target.node):
                _may_change(machine, args, state)
            return call_function(machine, target, args, state)
        case Ref() if isinstance(state.heap.get(target.id), Family):
            return create(machine, target, args, state)
        case Ref():
            called = class_attribute_of(machine, target, "__call__", state)
            if isinstance(called, Func):
                return call_function(machine, called, args, state)
        case Dotted():
            args = replace(args, name=target.name)
            known = KNOWN.get(target.name.removeprefix("builtins."))
            if known is not None:
                return known(machine, args, state)
        case _:
            pass
    return _foreign(machine, args, state)


def class_attribute_of(machine: Machine, ref: Ref, name: str, state: State) -> Thing | None:
    """An attribute of the class of an object."""
    content = state.heap.get(ref.id)
    if isinstance(content, Record):
        return class_attribute(machine, content.family, name, ref, state)
    return None


def _foreign(machine: Machine, args: Args, state: State) -> Thing:
    """A call of something that is not in the file."""
    found = sink(machine, args, state)
    if found is not None:
        return found
    if args.name == "super" and not args.positional:
        frame = machine.frames[machine.frame]
        function = frame.function
        if function is not None and function.receiver is not None and frame.family is not None:
            return Super(function.receiver, frame.family)
    if not is_talk(args.name):
        escape(machine, args, state)
        _call_back(machine, args, state)
        _may_change(machine, args, state)
    if len(args.name) > _MAX_NAME:
        return machine.unknown(args.node)
    return Dotted(f"{args.name}()")


def _call_back(machine: Machine, args: Args, state: State) -> None:
    """Functions of the file that a foreign one is given are called by it, some time."""
    things = [entry.thing for entry in args.positional if isinstance(entry, Item)]
    things += [entry.value for entry in args.keywords if isinstance(entry, Pair)]
    for thing in things:
        if isinstance(thing, Func) and thing.node not in machine.reached:
            machine.reached.add(thing.node)
            own = state.copy()
            run_body(machine, thing, unasked(machine, thing, own, {}), own)


def _may_change(machine: Machine, args: Args, state: State) -> None:
    """A foreign function may add to the lists and mappings that it is given."""
    last = args.name.rpartition(".")[2]
    if last in _KEEPS or last[:1].isupper():
        return
    things = [entry.thing for entry in args.positional if isinstance(entry, Item)]
    things += [entry.value for entry in args.keywords if isinstance(entry, Pair)]
    unknown = Spread(machine.unknown(args.node), machine.script.place(args.node))
    for thing in things:
        content = state.heap.get(thing.id) if isinstance(thing, Ref) else None
        if isinstance(thing, Ref) and isinstance(content, Seq | Table):
            if not (isinstance(content, Seq) and content.fixed):
                grown = limited((*content.entries, unknown))
                state.heap[thing.id] = replace(content, entries=grown)
