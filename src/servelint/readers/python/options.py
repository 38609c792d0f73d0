"""The script's own options: argparse, click and typer. Who starts the script may override them."""

from __future__ import annotations

from dataclasses import replace

import libcst as cst

from servelint.readers.python.alternatives import alt
from servelint.readers.python.container_methods import argument
from servelint.readers.python.pieces import known_text
from servelint.readers.python.state import (
    Item,
    Namespace,
    Pair,
    Parser,
    Seq,
    Spread,
    State,
    Table,
)
from servelint.readers.python.things import (
    FALSE,
    NONE,
    TRUE,
    Const,
    Dotted,
    Open,
    Ref,
    Str,
    Thing,
    is_none,
    plain,
    runtime,
)
from servelint.readers.python.truth import plain_value, truth
from servelint.value import MAX_READINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.readers.python.machine import Args, Machine
    from servelint.readers.python.state import Entries

_GROUPS = (
    *("add_argument_group", "add_mutually_exclusive_group", "add_subparsers", "add_parser"),
    "group",
)
_PLAIN_TYPES = (None, Dotted("str"), Dotted("int"), Dotted("float"), Dotted("pathlib.Path"))


def new_parser(machine: Machine, args: Args, state: State) -> Thing:
    """``argparse.ArgumentParser(...)``."""
    del args
    return machine.new(state, Parser({}))


def parser_method(machine: Machine, ref: Ref, name: str, args: Args, state: State) -> Thing | None:
    """``parser.name(...)``; groups and sub-parsers fill the same namespace."""
    content = state.heap.get(ref.id)
    if not isinstance(content, Parser):
        return None
    if name in _GROUPS:
        return ref
    if name == "add_argument":
        found = _added(machine, args, state)
        if found is not None:
            state.heap[ref.id] = Parser({**content.options, found[0]: found[1]})
        return runtime("add_argument")
    if name == "set_defaults":
        state.heap[ref.id] = Parser({**content.options, **dict(_defaults(content, args))})
        return NONE
    if name in ("parse_args", "parse_intermixed_args"):
        return machine.new(state, Namespace(ref))
    if name == "parse_known_args":
        given = machine.new(state, Namespace(ref))
        place = machine.script.place(args.node)
        rest = machine.new(state, Seq((Spread(machine.unknown(args.node), place),)))
        return machine.new(state, Seq((Item(given, place), Item(rest, place)), fixed=True))
    return runtime(name) if name in ("error", "exit", "print_help", "print_usage") else None


def _defaults(content: Parser, args: Args) -> Iterator[tuple[str, Thing]]:
    for entry in args.keywords:
        name = plain_value(entry.key) if isinstance(entry, Pair) else None
        if isinstance(entry, Pair) and isinstance(name, str):
            known = content.options.get(name)
            option_name = known.name if isinstance(known, Open) else f"--{_kebab(name)}"
            yield name, Open(option_name, "", entry.value)


def _added(machine: Machine, args: Args, state: State) -> tuple[str, Thing] | None:
    """The attribute that an option sets, and what it is."""
    names = list(_texts(args.positional))
    if not names:
        return None
    long = next((name for name in names if name.startswith("--")), names[0])
    named = argument(args, 99, "dest")
    given = plain_value(named.thing) if named is not None else None
    target = given if isinstance(given, str) else long.lstrip("-").replace("-", "_")
    return target, _value(machine, long, args, state)


def _value(machine: Machine, name: str, args: Args, state: State) -> Thing:
    action = argument(args, 99, "action")
    kind = plain_value(action.thing) if action is not None else None
    default = _default(args, kind)
    choices = argument(args, 99, "choices")
    if is_none(default) and choices is not None:
        found = _choices(choices.thing, state)
        required = argument(args, 99, "required")
        must = not name.startswith("-") or (
            required is not None and truth(required.thing, state) is True
        )
        arms = found if must else (*found, NONE)
        if found and len(arms) <= MAX_READINGS:
            return alt(machine.number(), arms)
    return Open(name, "", None if is_none(default) and action is None else default)


def _default(args: Args, action: object) -> Thing:
    found = argument(args, 99, "default")
    if found is None:
        return FALSE if action == "store_true" else TRUE if action == "store_false" else NONE
    kind = argument(args, 99, "type")
    thing = found.thing
    if not isinstance(thing, Str) or kind is None or kind.thing in _PLAIN_TYPES:
        return thing
    return runtime("")


def _choices(thing: Thing, state: State) -> tuple[Thing, ...]:
    content = state.heap.get(thing.id) if isinstance(thing, Ref) else None
    if not isinstance(content, Seq):
        return ()
    found = [entry.thing for entry in content.entries if isinstance(entry, Item)]
    known = [one for one in found if isinstance(one, Str | Const)]
    return tuple(known) if len(known) == len(content.entries) else ()


def _texts(entries: Entries) -> Iterator[str]:
    for entry in entries:
        thing = entry.thing if isinstance(entry, Item) else None
        text = known_text(thing.pieces) if isinstance(thing, Str) else None
        if text:
            yield text


def option(machine: Machine, content: Namespace, name: str, state: State) -> Thing | None:
    """An attribute of what a parser gave."""
    del machine
    parser = state.heap.get(content.parser.id)
    return parser.options.get(name) if isinstance(parser, Parser) else None


def set_option(content: Namespace, name: str, thing: Thing, state: State) -> None:
    """``args.name = thing``."""
    parser = state.heap.get(content.parser.id)
    if isinstance(parser, Parser):
        state.heap[content.parser.id] = Parser({**parser.options, name: thing})


def as_table(machine: Machine, content: Namespace, node: cst.CSTNode, state: State) -> Thing:
    """``vars(args)``."""
    parser = state.heap.get(content.parser.id)
    options = parser.options if isinstance(parser, Parser) else {}
    place = machine.script.place(node)
    pairs = tuple(Pair(plain(name), thing, place, place) for name, thing in options.items())
    return machine.new(state, Table(pairs))


# -- click and typer ------------------------------------------------------------------------


def decorated(
    machine: Machine, node: cst.FunctionDef, state: State
) -> tuple[tuple[str, Thing], ...]:
    """Parameters that decorators of click fill."""
    found: list[tuple[str, Thing]] = []
    for decorator in node.decorators:
        called = decorator.decorator
        if isinstance(called, cst.Call) and _last(machine, called) == "option":
            found.extend(_clicked(machine, called, state))
    return tuple(found)


def _last(machine: Machine, node: cst.Call) -> str:
    return machine.script.code(node.func).rpartition(".")[2]


def _clicked(machine: Machine, node: cst.Call, state: State) -> Iterator[tuple[str, Thing]]:
    from servelint.readers.python.calls import arguments  # noqa: PLC0415  # a cycle

    args = arguments(machine, node, runtime(""), state)
    names = list(_texts(args.positional))
    plain_names = [name for name in names if not name.startswith("-")]
    long = max((name for name in names if name.startswith("--")), key=len, default="")
    target = plain_names[0] if plain_names else long.lstrip("-")
    if target and long:
        flag = argument(args, 99, "is_flag")
        action = "store_true" if flag is not None else None
        name = long.partition("/")[0]
        value = _value(machine, name, args, state) if action is None else _flag(name, args)
        yield target.partition("/")[0].replace("-", "_").lower(), value


def _flag(name: str, args: Args) -> Thing:
    found = argument(args, 99, "default")
    return Open(name, "", FALSE if found is None else found.thing)


def typed_option(machine: Machine, args: Args, state: State) -> Thing:
    """``typer.Option(default, ...)``; the parameter that it stands at names it."""
    del machine, state
    found = argument(args, 0, "default")
    default = found.thing if found is not None and not is_none(found.thing) else None
    return Open(TYPED, "", default)


TYPED = "typer.Option"


def named_option(param: str, thing: Thing) -> Thing:
    """A default that typer made, under the name of its option."""
    if isinstance(thing, Open) and thing.name == TYPED:
        return replace(thing, name=f"--{_kebab(param)}")
    return thing


def _kebab(name: str) -> str:
    return name.replace("_", "-")
