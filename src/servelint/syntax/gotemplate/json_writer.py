"""``toJson`` and its like."""

from __future__ import annotations

from servelint.syntax.gotemplate.numbers import json_number
from servelint.syntax.gotemplate.printing import atom_text, between, shown
from servelint.syntax.gotemplate.quoting import json_quoted
from servelint.syntax.gotemplate.texts import Text, concat, plain
from servelint.syntax.gotemplate.values import Atom, Bytes, Dict, Items, Thing, Unknown, Value
from servelint.syntax.gotemplate.weights import weigh


def to_json(value: Value, *, is_raw: bool = False) -> Text:
    """A value as JSON in one line, its keys sorted. Raises TooSlow."""
    weigh(value)
    return _json(value, is_raw=is_raw)


def _json(value: Value, *, is_raw: bool) -> Text:
    if isinstance(value, Text):
        return json_quoted(value, is_raw=is_raw)
    if isinstance(value, Items):
        items = [_json(item, is_raw=is_raw) for item in value.items]
        return concat((plain("["), between(items, plain(",")), plain("]")))
    if isinstance(value, Dict):
        pairs = [_pair(key, one, is_raw=is_raw) for key, one in sorted(value.entries.items())]
        return concat((plain("{"), between(pairs, plain(",")), plain("}")))
    return json_atom(value)


def _pair(key: str, value: Value, *, is_raw: bool) -> Text:
    return concat(
        (json_quoted(plain(key), is_raw=is_raw), plain(":"), to_json(value, is_raw=is_raw))
    )


def json_atom(value: Value) -> Text:
    """What is neither text, list nor map."""
    if isinstance(value, Atom):
        is_float = value.kind == "float64"
        return plain(json_number(value.value) if is_float else atom_text(value), value.leaf)
    if isinstance(value, (Unknown, Thing, Bytes)):
        return shown(value)
    return plain("null")


def to_pretty_json(value: Value) -> Text:
    """A value as JSON, an item a line, two columns a level. Raises TooSlow."""
    weigh(value)
    return _pretty(value, 0)


def _pretty(value: Value, indent: int) -> Text:
    if isinstance(value, Items) and value.items:
        return _lines("[]", [_pretty(item, indent + 2) for item in value.items], indent)
    if isinstance(value, Dict) and value.entries:
        pairs = sorted(value.entries.items())
        keyed = [
            concat((json_quoted(plain(key)), plain(": "), _pretty(one, indent + 2)))
            for key, one in pairs
        ]
        return _lines("{}", keyed, indent)
    return to_json(value)


def _lines(signs: str, texts: list[Text], indent: int) -> Text:
    lead = "\n" + " " * (indent + 2)
    body = between(texts, plain("," + lead))
    return concat((plain(signs[0] + lead), body, plain("\n" + " " * indent + signs[1])))
