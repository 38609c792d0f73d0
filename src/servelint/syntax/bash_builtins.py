"""What commands of the shell itself do to a state: ``read``, ``set``, ``shift``, ``source``, ..."""

from __future__ import annotations

import re

from servelint.syntax.bash_arith import assigned_names
from servelint.syntax.bash_assign import NAME
from servelint.syntax.bash_fields import (
    Piece,
    field_text,
    is_known,
    is_many,
    optional,
    unknown_field,
    written,
)
from servelint.syntax.bash_state import Variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from servelint.syntax.bash_fields import Place
    from servelint.syntax.bash_state import Fields, State

_SETS = re.compile(r"(?:^|[\s;&|])([A-Za-z_]\w*)\+?=", re.ASCII)
_READ_VALUE = re.compile(r"-[ers]*([adinNptu])\Z")


def run_builtin(name: str, state: State, args: Fields, place: Place) -> None:
    """Change ``state`` as the command ``name`` does; other commands change nothing."""
    effect = _EFFECTS.get(name)
    if effect is not None:
        effect(state, args, place)


def _texts(args: Fields) -> list[str]:
    return [field_text(field) or "" for field in args]


def _read(state: State, args: Fields, place: Place) -> None:
    skip = ""
    for text in _texts(args):
        if skip == "a" and NAME.match(text):
            _read_list(state, text, place)
        elif not skip and NAME.match(text):
            state.forget(text, place)
        match = _READ_VALUE.match(text)
        skip = match[1] if match else ""


def _mapfile(state: State, args: Fields, place: Place) -> None:
    names = [text for text in _texts(args) if NAME.match(text)]
    _read_list(state, names[-1] if names else "MAPFILE", place)


def _read_list(state: State, name: str, place: Place) -> None:
    """An array of unknown elements."""
    many = Piece(f"${{{name}[@]}}", place, reason="runtime-value", many=True)
    state.set(name, Variable((((many,),),), array=True))


def _getopts(state: State, args: Fields, place: Place) -> None:
    for name in (*_texts(args)[1:2], "OPTARG"):
        if NAME.match(name):
            state.forget(name, place)


def _printf(state: State, args: Fields, place: Place) -> None:
    texts = _texts(args)
    if texts[:1] == ["-v"] and NAME.match("".join(texts[1:2])):
        state.forget(texts[1], place)


def _let(state: State, args: Fields, place: Place) -> None:
    for text in _texts(args):
        for name in assigned_names(text):
            state.forget(name, place)


def _set(state: State, args: Fields, _place: Place) -> None:
    texts = _texts(args)
    for at, text in enumerate(texts):
        if text == "--":
            state.args, state.shifted = args[at + 1 :], False
            return
        if text[:1] in ("-", "+") and len(text) > 1:
            named = text.endswith("o") and texts[at + 1 : at + 2] == ["allexport"]
            if named or "a" in text:
                state.all_exported = text[0] == "-"
        elif at == 0 or not (texts[at - 1][:1] in ("-", "+") and texts[at - 1].endswith("o")):
            state.args, state.shifted = args[at:], False
            return


def _shift(state: State, args: Fields, place: Place) -> None:
    text = field_text(args[0]) if args else "1"
    count = int(text) if text is not None and text.isdecimal() and len(text) < 4 else None
    known = state.args
    if known is not None and count is not None and not any(map(is_many, known[:count])):
        if count <= len(known):
            state.args = known[count:]
        return
    state.shifted = True
    if known is not None and count is not None and all(map(is_known, known)):
        state.args = tuple(map(optional, known))
    elif known is not None:
        state.args = (((Piece("$@", place, reason="runtime-value", many=True),),),)


def _unset(state: State, args: Fields, place: Place) -> None:
    texts = _texts(args)
    if "-f" in texts:
        return
    for text in texts:
        if NAME.match(text):
            state.unset(text)
        elif NAME.match(name := text.partition("[")[0]):
            state.set(name, Variable((unknown_field(text, place),), array=True))


def _source(state: State, args: Fields, _place: Place) -> None:
    """A script that runs here may set any name; one that activates an environment sets its own."""
    if args and not written(args[0]).endswith(("/activate", "conda.sh")):
        state.may_change()


def _eval(state: State, args: Fields, place: Place) -> None:
    texts = [field_text(field) for field in args]
    if None in texts:
        state.may_change()
    for name in _SETS.findall(" ".join(text or "" for text in texts)):
        state.forget(name, place)


_EFFECTS: dict[str, Callable[[State, Fields, Place], None]] = {
    "read": _read,
    "mapfile": _mapfile,
    "readarray": _mapfile,
    "getopts": _getopts,
    "printf": _printf,
    "let": _let,
    "set": _set,
    "shift": _shift,
    "unset": _unset,
    "source": _source,
    ".": _source,
    "eval": _eval,
}
