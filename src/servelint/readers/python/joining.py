"""Texts to words and back: splitting and joining, with every character's place kept."""

from __future__ import annotations

import itertools
import re

from servelint.readers.python.alternatives import lift
from servelint.readers.python.arrange import each_row
from servelint.readers.python.containers import elements_of
from servelint.readers.python.formats import glue
from servelint.readers.python.pieces import Piece, Pieces, known_text, section, split_pieces
from servelint.readers.python.shellwords import quote
from servelint.readers.python.state import Item, Seq, State
from servelint.readers.python.things import Const, Str, Thing, pieces_of, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    import libcst as cst

    from servelint.readers.python.arrange import Row
    from servelint.readers.python.machine import Args, Machine

_LINE_END = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")


def plain_args(args: Args) -> list[str | int | None] | None:
    """Positional arguments as plain texts and numbers; None when one is not known."""
    found: list[str | int | None] = []
    for entry in args.positional:
        thing = entry.thing if isinstance(entry, Item) else None
        if isinstance(thing, Str) and (text := known_text(thing.pieces)) is not None:
            found.append(text)
        elif isinstance(thing, Const) and isinstance(thing.value, int | None):
            found.append(thing.value)
        else:
            return None
    return found if not args.keywords else None


def words_of(machine: Machine, runs: list[Pieces], args: Args, state: State) -> Thing:
    """A new list of texts."""
    place = machine.place(args.node)
    items = tuple(Item(Str(run), _around(run) or place) for run in runs)
    return machine.new(state, Seq(items))


def _around(pieces: Pieces) -> tuple[int, int] | None:
    """Where a word stands, when all of it stands in one row."""
    if not pieces or any(piece.at is None for piece in pieces):
        return None
    first, last = pieces[0].at, pieces[-1].at
    for before, after in itertools.pairwise(pieces):
        if before.at is None or after.at is None or not 0 <= after.at[0] - before.at[1] <= 8:
            return None
    return (first[0], last[1]) if first is not None and last is not None else None


def split(machine: Machine, text: Str, name: str, args: Args, state: State) -> Thing:
    """``text.split()`` and its like."""
    given = plain_args(args)
    if given is None:
        return machine.unknown(args.node)
    blanks = not given or (given[0] is None and len(given) == 1)
    if name == "splitlines" and not given:
        runs = _pieces_between(text, _LINE_END, -1, last=False)
    elif name == "splitlines":
        runs = None
    elif blanks:
        runs = list(split_pieces(text.pieces))
    else:
        runs = _between(text, name, given)
    return machine.unknown(args.node) if runs is None else words_of(machine, runs, args, state)


def _between(text: Str, name: str, given: list[str | int | None]) -> list[Pieces] | None:
    """The runs between a mark, at most so many cuts, counted from the right by ``rsplit``."""
    mark, count = given[0], given[1] if len(given) > 1 else -1
    if not isinstance(mark, str) or not mark or not isinstance(count, int) or len(given) > 2:
        return None
    return _pieces_between(text, re.compile(re.escape(mark)), count, right=name == "rsplit")


def _pieces_between(
    text: Str, mark: re.Pattern[str], count: int, *, right: bool = False, last: bool = True
) -> list[Pieces] | None:
    known = known_text(text.pieces)
    if known is None:
        return None
    cuts = [match.span() for match in mark.finditer(known)]
    if count >= 0:
        cuts = cuts[max(len(cuts) - count, 0) :] if right else cuts[:count]
    runs: list[Pieces] = []
    at = 0
    for start, end in cuts:
        runs.append(section(text.pieces, at, start))
        at = end
    if at < len(known) or last:
        runs.append(section(text.pieces, at, len(known)))
    return runs


def partition(machine: Machine, text: Str, name: str, args: Args, state: State) -> Thing:
    """``text.partition(mark)``: before, mark, behind."""
    given = plain_args(args)
    known = known_text(text.pieces)
    mark = given[0] if given else None
    if known is None or not isinstance(mark, str) or not mark:
        return machine.unknown(args.node)
    at = known.find(mark) if name == "partition" else known.rfind(mark)
    start, end = (at, at + len(mark)) if at >= 0 else (len(known), len(known))
    if at < 0 and name == "rpartition":
        start = end = 0
    bounds = ((0, start), (start, end), (end, len(known)))
    place = machine.place(args.node)
    items = tuple(Item(Str(section(text.pieces, *one)), place) for one in bounds)
    return machine.new(state, Seq(items, fixed=True))


def join_texts(machine: Machine, text: Str, args: Args, state: State) -> Thing:
    """``mark.join(words)``."""
    if len(args.positional) != 1 or not isinstance(args.positional[0], Item):
        return machine.unknown(args.node)
    entries = elements_of(machine, args.positional[0].thing, args.node, state)
    return each_row(machine, entries, state, lambda row: join_row(machine, text, row, args.node))


def join_row(machine: Machine, mark: Thing, row: Row, node: cst.CSTNode) -> Thing:
    """The words of a row with ``mark`` between them."""
    found: Thing = Str(())
    for number, entry in enumerate(row):
        if number:
            found = glue(machine, found, mark, node)
        if isinstance(entry, Item):
            word = lift(lambda one, e=entry: Str(_word(machine, one, e)), entry.thing)
        else:
            code = machine.script.text[slice(*entry.place)][:200]
            word = Str((Piece(code, entry.place, (), "", "runtime-value"),))
        found = glue(machine, found, word, node)
    return found


def join_words(machine: Machine, args: Args, state: State) -> Thing:
    """``shlex.join``: words with the quotes that a shell needs."""
    if len(args.positional) != 1 or not isinstance(args.positional[0], Item):
        return machine.unknown(args.node)
    entries = elements_of(machine, args.positional[0].thing, args.node, state)

    def joined(row: Row) -> Thing:
        words = tuple(_quoted(entry) if isinstance(entry, Item) else entry for entry in row)
        return join_row(machine, plain(" "), words, args.node)

    return each_row(machine, entries, state, joined)


def _quoted(entry: Item) -> Item:
    """A word as the shell must read it; one that is not known is taken to need no quotes."""

    def quoted(one: Thing) -> Thing:
        made = quote(one.pieces) if isinstance(one, Str) else None
        return one if made is None else Str(made)

    return Item(lift(quoted, entry.thing), entry.place)


def _word(machine: Machine, thing: Thing, entry: Item) -> Pieces:
    code = machine.script.text[slice(*entry.place)][:200]
    return pieces_of(thing, code, entry.place)
