"""How values are written where they are part of something that is not known."""

from __future__ import annotations

import zlib

from servelint.syntax.gotemplate.printing import atom_text, shown
from servelint.syntax.gotemplate.texts import Text
from servelint.syntax.gotemplate.values import Atom, Unknown, Value

MAX_SHOWN = 80
"""Characters of a value in the writing of another."""


def writing_of(value: Value) -> str:
    """A value in one word; long ones end in a sum that tells them apart."""
    if isinstance(value, Unknown):
        return value.writing if " " not in value.writing else f"({value.writing})"
    if isinstance(value, Atom):
        return atom_text(value)
    if isinstance(value, Text):
        return _short("".join(run.writing or run.text for run in value.runs), '"')
    return "nil" if value is None else _short(shown(value).said(), "")


def call_writing(name: str, values: tuple[Value, ...]) -> str:
    """A call of a function with these values."""
    return " ".join((name, *(writing_of(value) for value in values)))


def _short(text: str, quote: str) -> str:
    if len(text) <= MAX_SHOWN:
        return f"{quote}{text}{quote}"
    checksum = zlib.crc32(text.encode("utf-8", "surrogatepass"))
    return f"{quote}{text[: MAX_SHOWN - 12]}...{checksum:08x}{quote}"
