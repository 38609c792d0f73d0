"""``base.name``."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from servelint.readers.python.classes import class_attribute, super_attribute
from servelint.readers.python.options import option
from servelint.readers.python.state import (
    ENVIRON,
    Family,
    Namespace,
    Record,
    State,
)
from servelint.readers.python.text_methods import path_attribute
from servelint.readers.python.things import Dotted, Func, Member, Ref, Super, Thing, plain

if TYPE_CHECKING:
    import libcst as cst

    from servelint.readers.python.machine import Machine

_MAX_NAME = 120
_FIXED: dict[str, Thing] = {"os.environ": ENVIRON, "os.sep": plain("/"), "os.linesep": plain("\n")}


def load_attribute(machine: Machine, node: cst.CSTNode, state: State) -> Thing:
    """An attribute that is read."""
    node = cast("cst.Attribute", node)
    base = machine.evaluate(node.value, state)
    name = node.attr.value
    return machine.fork(base, state, lambda one, own: attribute(machine, one, name, node, own))


def attribute(machine: Machine, base: Thing, name: str, node: cst.CSTNode, state: State) -> Thing:
    """An attribute of a single thing."""
    found: Thing | None = None
    match base:
        case Dotted():
            full = f"{base.name}.{name}"
            found = _FIXED.get(full)
            if found is None and len(full) <= _MAX_NAME:
                found = Dotted(full)
        case Ref():
            found = _of_content(machine, base, name, state)
        case Member():
            found = _of_member(base, name)
        case Super():
            found = super_attribute(machine, base, name, state)
        case Func():
            found = None
        case _:
            found = path_attribute(base, name)
    return machine.unknown(node) if found is None else found


def _of_content(machine: Machine, base: Ref, name: str, state: State) -> Thing | None:
    content = state.heap.get(base.id)
    match content:
        case Record():
            if name in content.attrs:
                return content.attrs[name]
            if name == "__class__":
                return content.family
            return class_attribute(machine, content.family, name, base, state)
        case Family():
            if name == "__name__":
                return plain(content.name)
            return class_attribute(machine, base, name, base, state)
        case Namespace():
            return option(machine, content, name, state)
        case _:
            return None


def _of_member(member: Member, name: str) -> Thing | None:
    if name == "value":
        return member.value
    return plain(member.name) if name == "name" else None
