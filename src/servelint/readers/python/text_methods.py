"""Methods of strings."""

from __future__ import annotations

import itertools
import re

from servelint.readers.python.arrange import each_row
from servelint.readers.python.containers import elements_of
from servelint.readers.python.formats import format_text, glue, over
from servelint.readers.python.paths import join_paths, part_of_path
from servelint.readers.python.pieces import (
    Piece,
    Pieces,
    known_text,
    remade,
    section,
    split_pieces,
    stripped,
)
from servelint.readers.python.shellwords import quote
from servelint.readers.python.state import Item, Seq, State
from servelint.readers.python.things import (
    FALSE,
    TRUE,
    Const,
    Open,
    Ref,
    Str,
    Thing,
    lift,
    pieces_of,
    plain,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    import libcst as cst

    from servelint.readers.python.arrange import Row
    from servelint.readers.python.machine import Args, Machine

_SAME_LENGTH: dict[str, Callable[[str], str]] = {
    "lower": str.lower,
    "upper": str.upper,
    "casefold": str.casefold,
    "title": str.title,
    "capitalize": str.capitalize,
}
_STRIPS = {"strip": (True, True), "lstrip": (True, False), "rstrip": (False, True)}
_TESTS: dict[str, Callable[[str], bool]] = {
    "isdigit": str.isdigit,
    "isalpha": str.isalpha,
    "isupper": str.isupper,
    "islower": str.islower,
    "isspace": str.isspace,
    "isidentifier": str.isidentifier,
}


def text_method(machine: Machine, text: Thing, name: str, args: Args, state: State) -> Thing | None:
    """``text.name(...)``; None for a method that is not followed."""
    if isinstance(text, Open) and name in (*_SAME_LENGTH, *_STRIPS, "replace"):
        return over(text, lambda one: _known(machine, one, name, args, state))
    if not isinstance(text, Str):
        return None
    if text.path:
        return _path_method(machine, text, name, args)
    return _known(machine, text, name, args, state)


def _known(machine: Machine, text: Thing, name: str, args: Args, state: State) -> Thing:
    unknown = machine.unknown(args.node)
    if not isinstance(text, Str):
        return unknown
    if name == "join":
        return _join(machine, text, args, state)
    if name == "format":
        return _format(machine, text, args)
    if name in ("split", "rsplit", "splitlines"):
        return _split(machine, text, name, args, state)
    if name in _STRIPS:
        return _strip(text, name, args) or unknown
    known = known_text(text.pieces)
    if known is None:
        return _tested_unknown(text, name, args) or unknown
    if name in _SAME_LENGTH:
        return _recased(text, known, _SAME_LENGTH[name])
    if name in _TESTS:
        return TRUE if _TESTS[name](known) else FALSE
    return _with_texts(text, known, name, args, state) or unknown


def _recased(text: Str, known: str, function: Callable[[str], str]) -> Thing:
    made = function(known)
    if made == known:
        return text
    return Str(remade(made, text.pieces))


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


def _strip(text: Str, name: str, args: Args) -> Thing | None:
    given = plain_args(args)
    if given is None or len(given) > 1 or (given and not isinstance(given[0], str | None)):
        return None
    marks = given[0] if given else None
    left, right = _STRIPS[name]
    if marks is not None and not isinstance(marks, str):
        return None
    if any(not piece.known for piece in (*text.pieces[:1], *text.pieces[-1:])):
        return None if not (text.pieces[0].known or text.pieces[-1].known) else _half(text, marks)
    return Str(stripped(text.pieces, marks, left=left, right=right))


def _half(text: Str, marks: str | None) -> Thing | None:
    """A text with an unknown end: only blanks are stripped, which a word hardly ends in."""
    return Str(stripped(text.pieces, marks)) if marks is None else None


def _tested_unknown(text: Str, name: str, args: Args) -> Thing | None:
    """``startswith`` of a text of which the beginning is known."""
    given = plain_args(args)
    first = text.pieces[0] if text.pieces else None
    if name == "startswith" and given and isinstance(given[0], str) and first and first.known:
        size = min(len(first.text), len(given[0]))
        if first.text[:size] != given[0][:size]:
            return FALSE
        return TRUE if len(first.text) >= len(given[0]) else None
    return None


def _with_texts(text: Str, known: str, name: str, args: Args, state: State) -> Thing | None:
    """Methods that take texts."""
    given = plain_args(args)
    if name in ("startswith", "endswith") and given is None:
        return _any_affix(known, name, args, state)
    if not given or not isinstance(given[0], str):
        return None
    first = given[0]
    match name:
        case "startswith":
            return TRUE if known.startswith(first) else FALSE
        case "endswith":
            return TRUE if known.endswith(first) else FALSE
        case "removeprefix":
            size = len(first) if known.startswith(first) else 0
            return Str(section(text.pieces, size, len(known)))
        case "removesuffix":
            size = len(first) if first and known.endswith(first) else 0
            return Str(section(text.pieces, 0, len(known) - size))
        case "replace":
            if len(given) == 2 and isinstance(given[1], str):
                return _replaced(text, known, first, given[1])
        case "partition" | "rpartition" | "count" | "find" | "index":
            return _searched(known, name, first)
        case _:
            pass
    return None


def _searched(known: str, name: str, first: str) -> Thing | None:
    if name == "count" and first:
        return Const(known.count(first))
    if name == "find":
        return Const(known.find(first))
    return None


def _any_affix(known: str, name: str, args: Args, state: State) -> Thing | None:
    """``startswith((a, b))``."""
    entry = args.positional[0] if len(args.positional) == 1 else None
    thing = entry.thing if isinstance(entry, Item) else None
    content = state.heap.get(thing.id) if isinstance(thing, Ref) else None
    if not isinstance(content, Seq):
        return None
    texts: list[str] = []
    for one in content.entries:
        inner = one.thing if isinstance(one, Item) else None
        text = known_text(inner.pieces) if isinstance(inner, Str) else None
        if text is None:
            return None
        texts.append(text)
    holds = known.startswith(tuple(texts)) if name == "startswith" else known.endswith(tuple(texts))
    return TRUE if holds else FALSE


def _replaced(text: Str, known: str, old: str, new: str) -> Thing | None:
    if not old or len(known) * max(len(new), 1) > 200_000:
        return None
    made = known.replace(old, new)
    return text if made == known else Str(remade(made, text.pieces))


# -- splitting and joining ------------------------------------------------------------------


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


def _split(machine: Machine, text: Str, name: str, args: Args, state: State) -> Thing:
    given = plain_args(args)
    unknown = machine.unknown(args.node)
    if given is None:
        return unknown
    if name == "splitlines":
        if given:
            return unknown
        return _cut_at(
            machine, text, re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]"), args, state
        )
    if not given or (given[0] is None and len(given) == 1):
        return words_of(machine, list(split_pieces(text.pieces)), args, state)
    if len(given) == 1 and isinstance(given[0], str) and given[0] and known_text(text.pieces):
        return _cut_at(machine, text, re.compile(re.escape(given[0])), args, state, whole=True)
    return unknown


def _cut_at(  # what a cut needs
    machine: Machine,
    text: Str,
    mark: re.Pattern[str],
    args: Args,
    state: State,
    *,
    whole: bool = False,
) -> Thing:
    known = known_text(text.pieces)
    if known is None:
        return machine.unknown(args.node)
    runs: list[Pieces] = []
    at = 0
    for match in mark.finditer(known):
        runs.append(section(text.pieces, at, match.start()))
        at = match.end()
    if at < len(known) or whole:
        runs.append(section(text.pieces, at, len(known)))
    return words_of(machine, runs, args, state)


def _join(machine: Machine, text: Str, args: Args, state: State) -> Thing:
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


def _format(machine: Machine, text: Str, args: Args) -> Thing:
    things = [entry.thing for entry in args.positional if isinstance(entry, Item)]
    row = things if len(things) == len(args.positional) else None
    return format_text(machine, text, row, args.keywords, args.node)


def _path_method(machine: Machine, path: Str, name: str, args: Args) -> Thing | None:
    things = [entry.thing for entry in args.positional if isinstance(entry, Item)]
    if name == "joinpath" and len(things) == len(args.positional):
        return join_paths(path, *things)
    if name in ("as_posix", "__str__"):
        return Str(path.pieces)
    if name in {"with_suffix", "with_name"}:
        return machine.unknown(args.node)
    return None


def path_attribute(thing: Thing, name: str) -> Thing | None:
    """An attribute of a path."""
    return part_of_path(thing, name) if isinstance(thing, Str) and thing.path else None
