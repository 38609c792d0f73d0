"""Functions of Python and its library whose results can be told, by full name."""

from __future__ import annotations

import os.path
import textwrap
from functools import partial

from servelint.readers.python.alternatives import lift
from servelint.readers.python.container_methods import argument, with_default
from servelint.readers.python.conversions import CONVERSIONS, first
from servelint.readers.python.formats import over
from servelint.readers.python.iteration import ITERATION
from servelint.readers.python.joining import join_words, words_of
from servelint.readers.python.json_text import dumps
from servelint.readers.python.objects import OBJECTS
from servelint.readers.python.options import new_parser, typed_option
from servelint.readers.python.paths import join_paths, join_texts, to_path
from servelint.readers.python.pieces import flat_section, flat_text, remade
from servelint.readers.python.shellwords import quote, split_words
from servelint.readers.python.state import ENVIRON, Item, State, Table
from servelint.readers.python.things import NONE, Str, Thing
from servelint.readers.python.truth import plain_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from servelint.readers.python.machine import Args, Machine

    Known = Callable[[Machine, Args, State], Thing]


def _getenv(machine: Machine, args: Args, state: State) -> Thing:
    key, default = argument(args, 0, "key"), argument(args, 1, "default")
    content = state.heap[ENVIRON.id]
    if key is None or not isinstance(content, Table):
        return machine.unknown(args.node)
    fallback = default.thing if default is not None else NONE
    return with_default(machine, content.entries, key.thing, fallback, args)


# -- paths ----------------------------------------------------------------------------------


def _join_path(machine: Machine, args: Args, _state: State) -> Thing:
    things = [entry.thing for entry in args.positional if isinstance(entry, Item)]
    unknown = machine.unknown(args.node)
    if len(things) != len(args.positional):
        return unknown
    return lift(lambda *parts: join_texts(parts) or unknown, *things)


def _path(machine: Machine, args: Args, _state: State) -> Thing:
    things = [entry.thing for entry in args.positional if isinstance(entry, Item)]
    unknown = machine.unknown(args.node)
    if len(things) != len(args.positional) or not things:
        return unknown
    if len(things) == 1:
        return lift(lambda one: over(one, lambda inner: to_path(inner) or unknown), things[0])
    return lift(lambda *parts: join_paths(*parts) or unknown, *things)


def _part(index: int, machine: Machine, args: Args, _state: State) -> Thing:
    """``os.path.dirname`` and ``basename`` of what is known."""
    unknown = machine.unknown(args.node)

    def part(one: Thing) -> Thing:
        text = plain_value(one)
        if not isinstance(one, Str) or not isinstance(text, str):
            return unknown
        return Str(remade(os.path.split(text)[index], one.pieces))

    return lift(part, first(machine, args))


# -- texts ----------------------------------------------------------------------------------


def _dedent(machine: Machine, args: Args, _state: State) -> Thing:
    """``textwrap.dedent``: what is left of each line keeps its place."""

    def dedent(one: Thing) -> Thing:
        if not isinstance(one, Str):
            return machine.unknown(args.node)
        text = flat_text(one.pieces)
        lines = _line_ends(text, textwrap.dedent(text))
        return Str(tuple(piece for line in lines for piece in flat_section(one.pieces, *line)))

    return lift(dedent, first(machine, args))


def _line_ends(text: str, made: str) -> list[tuple[int, int]]:
    """The end of each line of ``text`` that is as long as the line that was made of it."""
    found: list[tuple[int, int]] = []
    end = 0
    lines = zip(text.splitlines(keepends=True), made.splitlines(keepends=True), strict=False)
    for old, new in lines:
        end += len(old)
        found.append((end - len(new), end))
    return found


def _shlex_split(machine: Machine, args: Args, state: State) -> Thing:
    def split(one: Thing, own: State) -> Thing:
        words = split_words(one.pieces) if isinstance(one, Str) else None
        if words is None or args.keywords:
            return machine.unknown(args.node)
        return words_of(machine, words, args, own)

    return machine.fork(first(machine, args), state, split)


def _shlex_quote(machine: Machine, args: Args, _state: State) -> Thing:
    def quoted(one: Thing) -> Thing:
        made = quote(one.pieces) if isinstance(one, Str) else None
        return machine.unknown(args.node) if made is None else Str(made)

    return lift(quoted, first(machine, args))


def _shlex_join(machine: Machine, args: Args, state: State) -> Thing:
    return join_words(machine, args, state)


def _same(machine: Machine, args: Args, _state: State) -> Thing:
    """A function that gives what it is given."""
    return first(machine, args)


KNOWN: dict[str, Known] = {
    **CONVERSIONS,
    **ITERATION,
    **OBJECTS,
    "os.getenv": _getenv,
    "os.path.join": _join_path,
    "os.path.dirname": partial(_part, 0),
    "os.path.basename": partial(_part, 1),
    "pathlib.Path": _path,
    "pathlib.PurePath": _path,
    "pathlib.PurePosixPath": _path,
    "pathlib.PosixPath": _path,
    "textwrap.dedent": _dedent,
    "json.dumps": dumps,
    "shlex.split": _shlex_split,
    "shlex.quote": _shlex_quote,
    "pipes.quote": _shlex_quote,
    "shlex.join": _shlex_join,
    "subprocess.list2cmdline": _shlex_join,
    "argparse.ArgumentParser": new_parser,
    "typer.Option": typed_option,
    "typer.Argument": typed_option,
    "asyncio.run": _same,
    "typing.cast": lambda machine, args, _: (
        machine.unknown(args.node) if (found := argument(args, 1)) is None else found.thing
    ),
}
