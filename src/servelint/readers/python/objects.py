"""Functions that look at objects: ``isinstance``, ``getattr``, ``vars``, ``replace``."""

from __future__ import annotations

from dataclasses import replace

from servelint.readers.python.alternatives import lift
from servelint.readers.python.attributes import attribute
from servelint.readers.python.classes import set_attribute
from servelint.readers.python.container_methods import argument
from servelint.readers.python.conversions import first
from servelint.readers.python.machine import Args
from servelint.readers.python.options import as_table
from servelint.readers.python.pieces import known_text
from servelint.readers.python.state import (
    Family,
    Item,
    Namespace,
    Pair,
    Record,
    Seq,
    State,
    Table,
)
from servelint.readers.python.things import (
    FALSE,
    NONE,
    TRUE,
    Const,
    Dotted,
    Func,
    Ref,
    Str,
    Thing,
    plain,
    runtime,
)
from servelint.readers.python.truth import plain_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from servelint.readers.python.machine import Machine

    Known = Callable[[Machine, Args, State], Thing]

_PLAIN_TYPES = frozenset(["str", "int", "float", "bool", "list", "tuple", "dict"])


def _isinstance(machine: Machine, args: Args, state: State) -> Thing:
    kind = argument(args, 1)
    names = _type_names(kind.thing, state) if kind is not None else None

    def answer(one: Thing) -> Thing:
        found = _is_a(one, names, state) if names is not None else None
        return machine.unknown(args.node) if found is None else TRUE if found else FALSE

    return lift(answer, first(machine, args))


def _type_names(thing: Thing, state: State) -> frozenset[str] | None:
    """The plain types that are asked for; None when there are others among them."""
    content = state.heap.get(thing.id) if isinstance(thing, Ref) else None
    entries = content.entries if isinstance(content, Seq) else (Item(thing, (0, 0)),)
    names = [
        entry.thing.name
        for entry in entries
        if isinstance(entry, Item) and isinstance(entry.thing, Dotted)
    ]
    found = frozenset(names)
    return found if len(names) == len(entries) and found <= _PLAIN_TYPES else None


def _is_a(thing: Thing, names: frozenset[str], state: State) -> bool | None:
    match thing:
        case Str(path=False):
            sure = known_text(thing.pieces) is not None or len(thing.pieces) > 1
            return "str" in names if sure else None
        case Const():
            return _is_number(thing.value, names)
        case Ref():
            content = state.heap.get(thing.id)
            if isinstance(content, Seq):
                return ("tuple" if content.fixed else "list") in names
            return "dict" in names if isinstance(content, Table) else None
        case _:
            return None


def _is_number(value: object, names: frozenset[str]) -> bool:
    if value is None:
        return False
    if isinstance(value, bool):
        return bool(names & {"bool", "int"})
    return ("int" if isinstance(value, int) else "float") in names


def _getattr(machine: Machine, args: Args, state: State) -> Thing:
    name, default = argument(args, 1), argument(args, 2)
    text = plain_value(name.thing) if name is not None else None
    unknown = machine.unknown(args.node)
    if not isinstance(text, str):
        return unknown

    def look(one: Thing, own: State) -> Thing:
        found = attribute(machine, one, text, args.node, own)
        if found == unknown and default is not None and _is_plain_object(one, own):
            return default.thing
        return found

    return machine.fork(first(machine, args), state, look)


def _is_plain_object(thing: Thing, state: State) -> bool:
    """True for an object of which every attribute is known."""
    content = state.heap.get(thing.id) if isinstance(thing, Ref) else None
    family = state.heap.get(content.family.id) if isinstance(content, Record) else None
    return isinstance(family, Family) and not family.foreign and not family.bases


def _setattr(machine: Machine, args: Args, state: State) -> Thing:
    name, value = argument(args, 1), argument(args, 2)
    text = plain_value(name.thing) if name is not None else None
    if isinstance(text, str) and value is not None:
        set_attribute(machine, first(machine, args), text, value.thing, state)
    return NONE


def _vars(machine: Machine, args: Args, state: State) -> Thing:
    thing = first(machine, args)
    content = state.heap.get(thing.id) if isinstance(thing, Ref) else None
    if isinstance(content, Namespace):
        return as_table(machine, content, args.node, state)
    if isinstance(content, Record):
        place = machine.script.place(args.node)
        pairs = (Pair(plain(name), one, place, place) for name, one in content.attrs.items())
        return machine.new(state, Table(tuple(pairs)))
    return machine.unknown(args.node)


def _namespace(machine: Machine, args: Args, state: State) -> Thing:
    """``SimpleNamespace(a=1)``."""
    attrs: dict[str, Thing] = {}
    for entry in args.keywords:
        name = plain_value(entry.key) if isinstance(entry, Pair) else None
        if isinstance(entry, Pair) and isinstance(name, str):
            attrs[name] = entry.value
    return machine.new(state, Record(Ref(-1), attrs))


def _partial(machine: Machine, args: Args, state: State) -> Thing:
    del state
    found = argument(args, 0)
    things = [entry.thing for entry in args.positional[1:] if isinstance(entry, Item)]
    pairs = [entry for entry in args.keywords if isinstance(entry, Pair)]
    whole = len(things) + 1 == len(args.positional) and len(pairs) == len(args.keywords)
    if found is None or not isinstance(found.thing, Func) or not whole:
        return machine.unknown(args.node)
    named = tuple((str(plain_value(pair.key)), pair.value) for pair in pairs)
    function = found.thing
    return replace(function, bound=(*function.bound, *things), named=(*function.named, *named))


def _field(machine: Machine, args: Args, state: State) -> Thing:
    """The default of a field of a dataclass; a factory is called at once."""
    from servelint.readers.python.calls import apply  # noqa: PLC0415  # a cycle

    found = argument(args, 0, "default")
    factory = argument(args, 99, "default_factory")
    if factory is not None:
        return apply(machine, factory.thing, Args(args.node, (), (), ""), state)
    return runtime("field()") if found is None else found.thing


def _copy(machine: Machine, args: Args, state: State) -> Thing:
    """A copy of a list or mapping; what it holds is shared, which a deep copy would not."""

    def copied(one: Thing) -> Thing:
        content = state.heap.get(one.id) if isinstance(one, Ref) else None
        return one if content is None else machine.new(state, content)

    return lift(copied, first(machine, args))


def _replace(machine: Machine, args: Args, state: State) -> Thing:
    """``dataclasses.replace(x, a=1)``."""
    thing = first(machine, args)
    content = state.heap.get(thing.id) if isinstance(thing, Ref) else None
    if not isinstance(content, Record):
        return machine.unknown(args.node)
    attrs = dict(content.attrs)
    for entry in args.keywords:
        name = plain_value(entry.key) if isinstance(entry, Pair) else None
        if not isinstance(entry, Pair) or not isinstance(name, str):
            return machine.unknown(args.node)
        attrs[name] = entry.value
    return machine.new(state, Record(content.family, attrs))


OBJECTS: dict[str, Known] = {
    "isinstance": _isinstance,
    "getattr": _getattr,
    "setattr": _setattr,
    "vars": _vars,
    "dataclasses.asdict": _vars,
    "types.SimpleNamespace": _namespace,
    "argparse.Namespace": _namespace,
    "functools.partial": _partial,
    "dataclasses.field": _field,
    "pydantic.Field": _field,
    "copy.copy": _copy,
    "copy.deepcopy": _copy,
    "dataclasses.replace": _replace,
}
