"""What ``$name`` and ``${name operator word}`` stand for in a given state."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Protocol

from servelint.syntax.bash_cuts import cut
from servelint.syntax.bash_fields import (
    Piece,
    field_text,
    in_a_row,
    is_known,
    is_many,
    literal,
    nonempty,
    optional,
    reading_text,
    through,
    union,
    unknown_field,
)
from servelint.syntax.bash_state import Variable, join_fields
from servelint.syntax.bash_words import CUTS, Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.syntax.bash_fields import Field, Place, Reading
    from servelint.syntax.bash_state import Fields, State
    from servelint.syntax.bash_words import Word

RUNTIME_NAMES = frozenset(
    {
        *("RANDOM", "SRANDOM", "SECONDS", "LINENO", "PWD", "OLDPWD", "UID", "EUID", "PPID"),
        *("BASHPID", "BASH_SOURCE", "FUNCNAME", "PIPESTATUS", "REPLY", "OPTARG", "OPTIND"),
        *("EPOCHSECONDS", "EPOCHREALTIME", "_", "?", "$", "!", "-"),
    }
)
"""Parameters that the shell itself sets while it runs."""

_NUMBER = re.compile(r"-?\d{1,6}\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Expanded:
    """What an expansion gives.

    ``listed``: separate fields even inside quotes. ``split``: outside quotes,
    blanks still cut the fields.
    """

    fields: Fields
    listed: bool = False
    split: bool = True


class Operands(Protocol):
    """Expands the words that stand inside ``${...}``."""

    text: str
    state: State

    def fields(self, word: Word) -> Fields:
        """The fields of a word."""

    def scalar(self, word: Word) -> Field:
        """The one field of a word that is not split."""

    def numbers(self, name: str) -> tuple[str, ...] | None:
        """The texts that a name may have, or None when that is not known."""


def parameter(around: Operands, atom: Parameter, *, whole: bool = False) -> Expanded:
    """The fields of a parameter as it is written at ``atom``.

    ``whole``: nothing is split here, as in an assignment.
    """
    place = (atom.start, atom.end)
    listed = atom.name == "@" or atom.index == "@"
    joined = atom.name == "*" or atom.index == "*"
    if atom.operator == "opaque":
        return Expanded((_unknown(around, atom, many=":" in _written(around, atom)),))
    found = _lookup(around, atom)
    if atom.operator in CUTS:
        return _cut(around, atom, found, is_list=listed or joined)
    result = _operated(around, atom, found, whole=whole or atom.quoted)
    if joined and atom.quoted:
        return Expanded((_side_by_side(around, result.fields, place),))
    return Expanded(result.fields, listed or joined or result.listed, result.split)


def _cut(around: Operands, atom: Parameter, found: Fields | None, *, is_list: bool) -> Expanded:
    fields = None if found is None else cut(around, atom, found)
    if fields is None:
        many = is_list or (not atom.quoted and ":" in atom.operator)
        return Expanded((_unknown(around, atom, many=many),))
    if "*" in (atom.name, atom.index) and atom.quoted:
        return Expanded((_side_by_side(around, fields, (atom.start, atom.end)),))
    return Expanded(fields, listed=is_list)


def _written(around: Operands, atom: Parameter) -> str:
    return around.text[atom.start : atom.end]


def _unknown(around: Operands, atom: Parameter, *, many: bool = False) -> Field:
    text = _written(around, atom)
    return ((Piece(text, (atom.start, atom.end), reason="runtime-value", many=many),),)


def _lookup(around: Operands, atom: Parameter) -> Fields | None:
    """The fields that a parameter has; none when it is unset, None when its name is open."""
    state = around.state
    place = (atom.start, atom.end)
    if atom.name in ("@", "*"):
        found = state.args
    elif atom.name.isdigit() and atom.name != "0":
        found = _positional(around, atom)
    elif atom.name == "#":
        found = (_count(around, atom),)
    elif atom.name in state.variables:
        found = _element(around, atom, state.variables[atom.name])
    elif atom.name in RUNTIME_NAMES or atom.name.startswith("BASH_"):
        return (_unknown(around, atom),)
    else:
        return None
    return None if found is None else tuple(through(field, place) for field in found)


def _count(around: Operands, atom: Parameter) -> Field:
    args = around.state.args
    if args is None or any(map(is_many, args)):
        return _unknown(around, atom)
    return literal(str(len(args)), (atom.start, atom.end))


def _positional(around: Operands, atom: Parameter) -> Fields | None:
    state = around.state
    number = int(atom.name) if len(atom.name) < 6 else 0
    if state.args is None:
        return (_unknown(around, atom),) if state.shifted or not number else None
    before = state.args[:number]
    if before and before[0][0][0:1] and before[0][0][0].name == "@":
        return None
    if any(map(is_many, before)):
        return (_unknown(around, atom),)
    return state.args[number - 1 : number]


def _element(around: Operands, atom: Parameter, variable: Variable) -> Fields:
    if atom.index in ("@", "*"):
        return variable.fields
    if not atom.index:
        number = 0
    elif _NUMBER.match(atom.index):
        number = int(atom.index)
    else:
        return (_unknown(around, atom),)
    if not variable.array:
        return variable.fields if number in (0, -1) else ()
    if any(map(is_many, variable.fields)):
        return (_unknown(around, atom),)
    return variable.fields[number:][:1] if number >= -len(variable.fields) else ()


def _operated(around: Operands, atom: Parameter, found: Fields | None, *, whole: bool) -> Expanded:
    operator = atom.operator.removeprefix(":")
    if operator == "+":
        return _alternative(around, atom, found, whole=whole)
    if operator in ("-", "=") and atom.word is not None:
        return _default(around, atom, atom.word, found, whole=whole)
    if found is None and atom.index not in ("", "0", "@", "*"):
        return Expanded((_unknown(around, atom),))
    return Expanded((_open(around, atom, None),) if found is None else found)


def _open(around: Operands, atom: Parameter, default: Reading | None) -> Field:
    many = atom.name in ("@", "*") or atom.index in ("@", "*")
    name = "@" if atom.name == "*" else atom.name
    place = (atom.start, atom.end)
    return ((Piece(_written(around, atom), place, name=name, default=default, many=many),),)


def _default(
    around: Operands, atom: Parameter, word: Word, found: Fields | None, *, whole: bool
) -> Expanded:
    place = (atom.start, atom.end)
    colon = atom.operator.startswith(":")
    is_list = atom.name in ("@", "*") or atom.index in ("@", "*")
    if found is None and (atom.name.isdigit() or atom.name in ("@", "*")):
        return Expanded((_open(around, atom, None),))  # arguments are given, defaults are not
    if found is None:
        defaults = around.scalar(word)
        field = union(_open(around, atom, reading) for reading in defaults)
        _keep(around, atom, field, place)
        return Expanded((field,))
    if not found or (colon and not is_list and all(map(_is_empty, found[0]))):
        if not atom.operator.endswith("="):
            return _operand(around, word, whole=whole)
        field = around.scalar(word)
        _keep(around, atom, field, place)
        return Expanded((field,))
    if is_list:
        sure = not all(map(is_many, found)) or not all(map(is_known, found))
        return Expanded(found if sure else join_fields(found, around.fields(word)))
    field = _filled(around, atom, word, found[0])
    _keep(around, atom, field, place)
    return Expanded((field,))


def _is_empty(reading: Reading) -> bool:
    return all(piece.known and not piece.text for piece in reading)


def _filled(around: Operands, atom: Parameter, word: Word, field: Field) -> Field:
    """The field with its empty readings replaced by the default."""
    colon = atom.operator.startswith(":")
    parts: list[Field] = []
    for reading in field:
        if not reading or (colon and _is_empty(reading)):
            parts.append(around.scalar(word))
        elif colon and not nonempty(reading) and any(piece.name for piece in reading):
            parts.append(_reopened(around, atom, word, reading))
        else:
            parts.append((reading,))
    return union(parts)


def _reopened(around: Operands, atom: Parameter, word: Word, reading: Reading) -> Field:
    """A reading of open names alone, which may turn out to be empty."""
    if len(reading) > 1:
        return _unknown(around, atom)
    piece = reading[0]
    if piece.default is not None and not _is_empty(piece.default):
        return (reading,)
    return tuple(
        (Piece(piece.text, piece.at, piece.via, piece.name, default=default),)
        for default in around.scalar(word)
    )


def _keep(around: Operands, atom: Parameter, field: Field, place: Place) -> None:
    """``${name=word}`` also sets the name."""
    if atom.operator.endswith("=") and not atom.index and not atom.name.isdigit():
        around.state.set(atom.name, Variable((field,), place=place, value=place))


def _alternative(
    around: Operands, atom: Parameter, found: Fields | None, *, whole: bool
) -> Expanded:
    colon = atom.operator.startswith(":")
    is_list = atom.index in ("@", "*") or atom.name in ("@", "*")
    unsure = found is not None and atom.name.isdigit() and not all(map(is_known, found))
    if found is None or atom.word is None or unsure:
        return Expanded((_unknown(around, atom, many=not atom.quoted),))
    if is_list and found and all(map(is_many, found)):
        operand = _operand(around, atom.word, whole=whole)
        return replace(operand, fields=tuple(map(optional, operand.fields)))
    readings = [reading for field in found for reading in field]
    unset = [not reading or (colon and not is_list and _is_empty(reading)) for reading in readings]
    if all(unset):
        return Expanded(())
    unsure = any(not nonempty(reading) and not _is_empty(reading) for reading in readings)
    if colon and not is_list and unsure:
        return Expanded((_unknown(around, atom, many=not atom.quoted),))
    expanded = _operand(around, atom.word, whole=whole)
    if any(unset) and whole and len(expanded.fields) == 1:
        nothing = literal("", (atom.start, atom.end))
        return Expanded((union((*expanded.fields, nothing)),))
    return _perhaps(expanded) if any(unset) else expanded


def _perhaps(expanded: Expanded) -> Expanded:
    """What is there or not: a word without blanks, or some fields."""
    texts = [reading_text(reading) for field in expanded.fields for reading in field]
    if len(expanded.fields) == 1 and all(text and not text.split()[1:] for text in texts):
        return Expanded((union((*expanded.fields, ((),))),))
    return replace(expanded, fields=tuple(map(optional, expanded.fields)))


def _operand(around: Operands, word: Word, *, whole: bool) -> Expanded:
    """The word of an operator: one field when it is whole, unless it holds a list itself."""
    lists = any(
        isinstance(atom, Parameter) and "@" in (atom.name, atom.index) for atom in word.atoms
    )
    if whole and not lists:
        return Expanded((around.scalar(word),))
    return Expanded(around.fields(word), listed=True, split=False)


def _side_by_side(around: Operands, fields: Fields, place: Place) -> Field:
    """The fields as one, with what the shell puts between them."""
    separator = literal(" ", place)
    if (ifs := around.state.variables.get("IFS")) is not None:
        text = field_text(ifs.fields[0]) if ifs.fields else " "
        separator = unknown_field("", place) if text is None else literal(text[:1], place)
    return in_a_row(fields, separator, place)
