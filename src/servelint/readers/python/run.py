"""The evaluation of a whole text: the module first, then what nothing in the file calls."""

from __future__ import annotations

import re
from itertools import islice

import libcst as cst

from servelint.readers.python.calls import apply
from servelint.readers.python.classes import class_attribute, lineage
from servelint.readers.python.escapes import escape_value
from servelint.readers.python.expressions import EXPRESSIONS
from servelint.readers.python.functions import run_body
from servelint.readers.python.machine import Machine, OutOfSteps
from servelint.readers.python.parameters import unasked
from servelint.readers.python.state import MODULE, Family, Record, start
from servelint.readers.python.statements import STATEMENTS
from servelint.readers.python.things import Alt, Func, Ref, Str, Thing
from servelint.readers.python.tree import parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from servelint.readers.python.events import Event
    from servelint.readers.python.needles import Needles
    from servelint.readers.python.state import State
    from servelint.readers.python.tree import Script


def run(script: Script, needles: Needles) -> tuple[tuple[Event, ...], bool]:
    """What a text does, and whether all of it could be followed."""
    machine = Machine(script, needles, EXPRESSIONS, STATEMENTS, apply)
    try:
        _run_all(machine)
    except OutOfSteps:
        return tuple(machine.events), False
    return tuple(machine.events), True


def _run_all(machine: Machine) -> None:
    state = start()
    flow = machine.execute(machine.script.module.body, state)
    final = flow.state or machine.ended or state
    _constants(machine, final)
    used = _Uses(machine)
    functions = [
        function
        for function in list(machine.functions.values())
        if machine.frames[function.frame].family is None
    ]
    for function in used.in_order(functions):
        _run_with_inner(machine, function, final.copy())
    for ref in list(machine.families.values()):
        _run_class(machine, ref, final.copy(), used)


def _run_with_inner(machine: Machine, function: Func, state: State) -> None:
    """A function, and the functions in it that it calls nowhere itself."""
    known = set(machine.functions)
    _run_function(machine, function, state)
    for node, inner in list(machine.functions.items()):
        if node not in known and node not in machine.reached:
            _run_with_inner(machine, inner, state.copy())


def _run_function(machine: Machine, function: Func, state: State) -> None:
    """A function that nothing in the file calls."""
    if not isinstance(function.node, cst.FunctionDef) or function.frame not in state.frames:
        return
    machine.reached.add(function.node)
    outer, machine.frame = machine.frame, MODULE
    try:
        names = unasked(machine, function, state, {})
        result = run_body(machine, function, names, state)
        escape_value(machine, result, function.node.name, state)
    finally:
        machine.frame = outer


# -- classes --------------------------------------------------------------------------------


def _run_class(machine: Machine, ref: Ref, state: State, used: _Uses) -> None:
    """A class of which the file calls not all methods: each method, after all others.

    The first pass only gathers what the methods set on the object.
    """
    content = state.heap.get(ref.id)
    if not isinstance(content, Family):
        return
    methods = [thing for thing in content.attrs.values() if isinstance(thing, Func)]
    inherits = any(not isinstance(thing, Func) for thing in content.attrs.values())
    if all(method.node in machine.reached for method in methods) and not (
        content.bases and inherits
    ):
        return
    methods = _all_methods(ref, state)
    receiver = machine.new(state, Record(ref, {}))
    called = {method.node for method in methods if method.node in machine.reached}
    machine.muted = True
    try:
        for method in methods:
            state = _after_method(machine, method, ref, receiver, state)
    finally:
        machine.muted = False
    machine.reached -= {method.node for method in methods}
    machine.reached |= called if not inherits or not content.bases else set()
    for method in used.in_order(methods):
        _after_method(machine, method, ref, receiver, state)


def _all_methods(ref: Ref, state: State) -> list[Func]:
    """The methods of a class and of its bases in the file, constructors first."""
    found: dict[str, Func] = {}
    for _, family in lineage(ref, state):
        for name, thing in family.attrs.items():
            if isinstance(thing, Func) and isinstance(thing.node, cst.FunctionDef):
                found.setdefault(name, thing)
    return sorted(found.values(), key=_is_late)


def _is_late(method: Func) -> bool:
    name = method.node.name.value if isinstance(method.node, cst.FunctionDef) else ""
    return name not in ("__init__", "__post_init__", "setUpClass", "setUp")


def _after_method(machine: Machine, method: Func, ref: Ref, receiver: Ref, state: State) -> State:
    """The state when a method may have run."""
    if not isinstance(method.node, cst.FunctionDef) or method.frame not in state.frames:
        return state
    own = state.copy()
    bound = class_attribute(machine, ref, method.node.name.value, receiver, own)
    if not isinstance(bound, Func):
        machine.reached.add(method.node)
        return state
    _run_function(machine, bound, own)
    return machine.meet(machine.number(), [(receiver, state), (receiver, own)])[1]


# -- constants ------------------------------------------------------------------------------


def _constants(machine: Machine, state: State) -> None:
    """Commands that are kept in a name which nothing in the file reads."""
    for name, thing in list(state.frames.get(MODULE, {}).items()):
        _constant(machine, name, thing, state)
    for ref in machine.families.values():
        content = state.heap.get(ref.id)
        for name, thing in content.attrs.items() if isinstance(content, Family) else ():
            _constant(machine, name, thing, state)


def _constant(machine: Machine, name: str, thing: Thing, state: State) -> None:
    node = machine.constants.get(name)
    if node is not None and isinstance(thing, Str | Ref | Alt):
        uses = re.finditer(rf"\b{re.escape(name)}\b", machine.script.text)
        if len(list(islice(uses, 2))) == 1:
            escape_value(machine, thing, node, state)


class _Uses:
    """Which names each function reads."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._names: dict[cst.CSTNode, frozenset[str]] = {
            node: frozenset(_read(node)) for node in machine.functions
        }

    def in_order(self, functions: list[Func]) -> Iterator[Func]:
        """Functions that are not reached, callers first; what these reach is left out."""
        pending = functions
        while pending := [one for one in pending if one.node not in self._machine.reached]:
            nodes = [one.node for one in pending]
            free = [one for one in pending if not self._is_used(one.node, nodes)]
            for function in free or pending[:1]:
                if function.node not in self._machine.reached:
                    yield function
                    self._machine.reached.add(function.node)

    def _is_used(self, node: cst.CSTNode, others: Sequence[cst.CSTNode]) -> bool:
        """True when another of the functions reads the name of this one."""
        name = node.name.value if isinstance(node, cst.FunctionDef) else ""
        return any(
            name in self._names.get(other, frozenset()) for other in others if other is not node
        )


def _read(node: cst.CSTNode) -> Iterable[str]:
    todo: list[cst.CSTNode] = [node]
    while todo:
        current = todo.pop()
        if type(current) is cst.Name:
            yield current.value
        todo.extend(parts(current))
