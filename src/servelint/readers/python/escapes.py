"""Commands that are built here and run elsewhere: returned, or given to a foreign function.

What is only shown, logged or compared is not among them: see :mod:`talk`.
"""

from __future__ import annotations

import libcst as cst

from servelint.readers.python.alternatives import leaves
from servelint.readers.python.arrange import rows
from servelint.readers.python.command_like import looks_run
from servelint.readers.python.commands import Teller, texts_of, words_of_row
from servelint.readers.python.machine import Args, Machine
from servelint.readers.python.pieces import Piece, flat_text, split_pieces
from servelint.readers.python.platforms import container_table, runtime_packages
from servelint.readers.python.state import Entries, Item, Pair, Pick, Seq, State, Table
from servelint.readers.python.things import Ref, Str, Thing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.readers.python.events import Word

_DEPTH = 4
"""How deep in lists and mappings a command is looked for."""


def escape(machine: Machine, args: Args, state: State) -> None:
    """Tell the commands among the arguments of a foreign call."""
    runtime_packages(machine, args, state)
    things = [entry for entry in args.positional if isinstance(entry, Item)]
    if _spelled_out(machine, things):
        Teller(machine, args.node, state, sure=False).row(tuple(things))
        return
    named = [Item(entry.value, entry.place) for entry in args.keywords if isinstance(entry, Pair)]
    for item in (*things, *named):
        _look(machine, item, args, state, 0)


def escape_value(machine: Machine, thing: Thing, node: cst.CSTNode, state: State) -> None:
    """Tell the commands in a value that leaves the file."""
    item = Item(thing, machine.place(node))
    _look(machine, item, Args(node, (), (), ""), state, 0)


def _spelled_out(machine: Machine, things: list[Item]) -> bool:
    """True for a call that is given a program word by word."""
    if len(things) < 3 or not all(isinstance(item.thing, Str) for item in things):
        return False
    words = [_text(item.thing) for item in things]
    return bool(machine.needles.programs.search(" ".join(words))) and not any(
        machine.needles.programs.search(word) and " " in word for word in words
    )


def _text(thing: Thing) -> str:
    return flat_text(thing.pieces) if isinstance(thing, Str) else "\0"


def _look(machine: Machine, item: Item, args: Args, state: State, depth: int) -> None:
    if depth > _DEPTH:
        return
    machine.spend()
    for leaf in leaves(item.thing):
        if isinstance(leaf, Str):
            _look_at_text(machine, leaf, item, args, state)
        elif isinstance(leaf, Ref):
            content = state.heap.get(leaf.id)
            if isinstance(content, Seq):
                _look_at_list(machine, content.entries, args, state, depth)
            elif isinstance(content, Table):
                container_table(machine, content.entries, args, state)
                _look_inside(machine, content.entries, args, state, depth)


def _look_inside(machine: Machine, entries: Entries, args: Args, state: State, depth: int) -> None:
    for entry in entries:
        match entry:
            case Pair():
                _look(machine, Item(entry.value, entry.place), args, state, depth + 1)
            case Item():
                _look(machine, entry, args, state, depth + 1)
            case Pick():
                for arm in entry.arms:
                    _look_inside(machine, arm, args, state, depth + 1)
            case _:
                pass


def _look_at_list(machine: Machine, entries: Entries, args: Args, state: State, depth: int) -> None:
    """A list of words that names a program is a command; one of options, part of a call."""
    for _, row in rows(machine, entries, state.world):
        machine.spend()
        words = words_of_row(machine, row)
        text = texts_of(words)
        if _is_command(machine, words):
            Teller(machine, args.node, state, sure=False).row(row)
        elif len(words) > 1 and args.name and _has_option(machine, words):
            Teller(machine, args.node, state, sure=False).row((_callee(machine, args), *row))
        elif machine.needles.any_literal.search(text):
            _look_inside(machine, row, args, state, depth)


def _is_command(machine: Machine, words: tuple[Word, ...]) -> bool:
    """True when the program is spelled out over words, none of which holds all of a command."""
    single = [_only(word) for word in words]
    if not machine.needles.programs.search(" ".join(single)):
        return False
    return not any(" -" in word and machine.needles.programs.search(word) for word in single)


def _only(word: Word) -> str:
    return flat_text(word.readings[0]) if len(word.readings) == 1 else "\0"


def _has_option(machine: Machine, words: tuple[Word, ...]) -> bool:
    return any(machine.needles.options.match(_only(word)) for word in words)


def _callee(machine: Machine, args: Args) -> Item:
    """What a call names, as the first word of a command."""
    func = args.node.func if isinstance(args.node, cst.Call) else args.node
    place = machine.script.place(func)
    return Item(Str((Piece(args.name, place),)), place)


def _look_at_text(machine: Machine, text: Str, item: Item, args: Args, state: State) -> None:
    flat = flat_text(text.pieces)
    if looks_run(machine.needles, flat):
        Teller(machine, args.node, state, sure=False).text(text, item.place)
    elif args.name and _is_option_text(machine, flat):
        words = [Item(Str(run), _place(run, item)) for run in split_pieces(text.pieces)]
        Teller(machine, args.node, state, sure=False).row((_callee(machine, args), *words))


def _place(run: tuple[Piece, ...], item: Item) -> tuple[int, int]:
    first, last = run[0].at, run[-1].at
    if first is None or last is None or last[1] < first[0]:
        return item.place
    return (first[0], last[1])


def _is_option_text(machine: Machine, flat: str) -> bool:
    """A text of nothing but options and their values, one of which counts."""
    words = flat.split()
    return (
        len(words) > 1
        and words[0].startswith(("--", "\ue000"))
        and machine.needles.options.search(flat) is not None
    )
