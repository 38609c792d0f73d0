"""``printf`` of Go, as far as templates of charts use it."""

from __future__ import annotations

import re

from servelint.syntax.gotemplate.numbers import json_number, shortest
from servelint.syntax.gotemplate.printing import atom_text, shown
from servelint.syntax.gotemplate.quoting import quoted
from servelint.syntax.gotemplate.texts import Text, concat, gap, plain
from servelint.syntax.gotemplate.values import (
    Atom,
    Dict,
    Items,
    Unknown,
    Value,
    is_unknown,
    type_of,
)
from servelint.syntax.gotemplate.weights import weigh

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_VERB = re.compile(r"%([-+# 0]*)(\d*)(?:\.(\d*))?(.)|%\Z", re.DOTALL)
_UNSURE = re.compile(r"%[-+# 0]*(?:\d*(?:\.\d*)?)?[*\[]|%[-+ 0]*#")

MAX_WIDTH = 10_000
"""Characters that one verb may fill."""


def printf(layout: Text, values: tuple[Value, ...]) -> Text:
    """The values in the places of the verbs of a layout."""
    if layout.has_gaps or _UNSURE.search(layout.flat):
        return gap("printf " + layout.said())
    weigh(*values)
    return concat(_pieces(layout, values))


def _pieces(layout: Text, values: tuple[Value, ...]) -> Iterator[Text]:
    at, used = 0, 0
    for verb in _VERB.finditer(layout.flat):
        yield layout.cut(at, verb.start())
        at = verb.end()
        if verb[0] == "%":
            yield plain("%!(NOVERB)")
        elif verb[4] == "%":
            yield plain("%")
        elif used >= len(values):
            yield plain(f"%!{verb[4]}(MISSING)")
        else:
            yield _filled(verb, values[used])
            used += 1
    yield layout.cut(at)
    if used < len(values):
        yield _left(values[used:])


def _left(values: tuple[Value, ...]) -> Text:
    pairs: list[Text] = []
    for value in values:
        pairs += (plain(", "), plain(type_of(value)))
        pairs += (plain("="), shown(value)) if value is not None else ()
    return concat((plain("%!(EXTRA "), *pairs[1:], plain(")")))


def _filled(verb: re.Match[str], value: Value) -> Text:
    flags, width = verb[1], int(verb[2] or 0)
    if width > MAX_WIDTH or int(verb[3] or 0) > MAX_WIDTH:
        return gap(f"printf {verb[0]}")
    text = _verb(flags, verb[3], verb[4], value)
    missing = width - len(text.flat)
    if missing <= 0:
        return text
    if text.has_gaps:
        return gap(f"printf {verb[0]} {text.said()}")
    if "-" in flags:
        return concat((text, plain(" " * missing)))
    if "0" in flags:
        signs = 1 if text.flat[:1] in "+-" and isinstance(value, Atom) else 0
        return concat((text.cut(0, signs), plain("0" * missing), text.cut(signs)))
    return concat((plain(" " * missing), text))


def _verb(  # noqa: PLR0911  # a kind a line
    flags: str, precision: str | None, verb: str, value: Value
) -> Text:
    if isinstance(value, Unknown):
        return _unknown(verb, value)
    if isinstance(value, (Items, Dict)) and verb not in "vT":
        return _inside(flags, precision, verb, value)
    if verb == "v":
        return _cut(shown(value), precision if isinstance(value, Text) else None, verb)
    if verb == "T":
        return plain(type_of(value))
    if isinstance(value, Text) and verb in "sqxX":
        return _text(precision, verb, value)
    if isinstance(value, Atom):
        found = _atom(flags, precision, verb, value)
        if found is not None:
            return plain(found, value.leaf)
    return _wrong(verb, value)


def _unknown(verb: str, value: Unknown) -> Text:
    hole = shown(value)
    return concat((plain('"'), hole, plain('"'))) if verb == "q" else hole


def _cut(text: Text, precision: str | None, verb: str) -> Text:
    if precision is None or len(text.flat) <= int(precision or 0):
        return text
    if text.has_gaps:
        return gap(f"printf %.{precision}{verb} {text.said()}")
    return text.cut(0, int(precision or 0))


def _text(precision: str | None, verb: str, text: Text) -> Text:
    kept = _cut(text, precision, verb)
    if verb == "s":
        return kept
    if verb == "q":
        return quoted(kept)
    if kept.has_gaps:
        return gap(f"printf %{verb} {text.said()}")
    digits = kept.flat.encode("utf-8", "surrogatepass").hex()
    return plain(digits.upper() if verb == "X" else digits)


def _inside(flags: str, precision: str | None, verb: str, value: Items | Dict) -> Text:
    if isinstance(value, Items):
        start = "["
        items = [_held(flags, precision, verb, item) for item in value.items]
    else:
        start = "map["
        items = [
            concat(
                (
                    _verb(flags, precision, verb, plain(key)),
                    plain(":"),
                    _held(flags, precision, verb, one),
                )
            )
            for key, one in sorted(value.entries.items())
        ]
    spaced = [piece for item in items for piece in (plain(" "), item)][1:]
    return concat((plain(start), *spaced, plain("]")))


def _held(flags: str, precision: str | None, verb: str, value: Value) -> Text:
    """A value in a list or a map. Go writes nil there the same way for every verb."""
    return shown(value) if value is None else _verb(flags, precision, verb, value)


def _atom(flags: str, precision: str | None, verb: str, value: Atom) -> str | None:
    if value.kind == "bool":
        return atom_text(value) if verb == "t" else None
    if isinstance(value.value, float):
        return _float(flags, precision, verb, value.value)
    return _whole(flags, verb, value.value)


def _whole(flags: str, verb: str, value: int) -> str | None:
    shapes = {"d": "d", "x": "x", "X": "X", "o": "o", "b": "b"}
    if verb in shapes:
        sign = "+" if "+" in flags else " " if " " in flags else "-"
        return format(value, sign + shapes[verb])
    is_sign = 0 <= value < 0x110000 and not 0xD800 <= value < 0xE000
    if verb == "c" and is_sign:
        return chr(value)
    if verb == "U" and value >= 0:
        return f"U+{value:04X}"
    return f"'{chr(value)}'" if verb == "q" and is_sign and chr(value).isprintable() else None


def _float(flags: str, precision: str | None, verb: str, value: float) -> str | None:
    if verb not in "feEgGF" or value in (float("inf"), float("-inf")):
        return None
    sign = "+" if "+" in flags else " " if " " in flags else "-"
    if precision is None and verb in "gG":
        text = shortest(value)
        return text if value < 0 or sign == "-" else sign + text
    places = 6 if precision is None else int(precision or 0)
    return format(value, f"{sign}.{places}{verb}") if verb != "F" else json_number(value)


def _wrong(verb: str, value: Value) -> Text:
    if value is None:
        return plain(f"%!{verb}(<nil>)")
    if is_unknown(value):
        return gap(f"printf %{verb} {shown(value).said()}")
    return concat((plain(f"%!{verb}({type_of(value)}="), shown(value), plain(")")))
