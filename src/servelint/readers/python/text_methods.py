"""Methods of strings."""

from __future__ import annotations

from servelint.readers.python.formats import format_text, over
from servelint.readers.python.joining import join_texts, partition, plain_args, split
from servelint.readers.python.paths import join_paths, part_of_path
from servelint.readers.python.pieces import (
    known_text,
    remade,
    section,
    stripped,
)
from servelint.readers.python.state import Item, Seq, State
from servelint.readers.python.things import (
    FALSE,
    TRUE,
    Const,
    Open,
    Ref,
    Str,
    Thing,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

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
        return join_texts(machine, text, args, state)
    if name == "format":
        return _format(machine, text, args)
    if name in ("split", "rsplit", "splitlines"):
        return split(machine, text, name, args, state)
    if name in ("partition", "rpartition"):
        return partition(machine, text, name, args, state)
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
        case "count" | "find":
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
