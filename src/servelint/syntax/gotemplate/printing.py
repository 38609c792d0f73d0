"""Values as Go prints them."""

from __future__ import annotations

from servelint.syntax.gotemplate.numbers import shortest
from servelint.syntax.gotemplate.texts import EMPTY, Text, concat, gap, plain
from servelint.syntax.gotemplate.values import (
    FILES,
    Atom,
    Bytes,
    Dict,
    Items,
    Thing,
    Unknown,
    Value,
)
from servelint.syntax.gotemplate.weights import weigh

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

NO_VALUE = "<no value>"
"""What an action writes for nil. Helm takes it out of what it rendered."""


def shown(value: Value) -> Text:
    """A value as ``%v`` prints it. Raises TooSlow."""
    weigh(value)
    return _shown(value)


def _shown(value: Value) -> Text:  # noqa: PLR0911  # a kind a line
    if isinstance(value, Text):
        return value
    if isinstance(value, Atom):
        return plain(atom_text(value), value.leaf)
    if isinstance(value, Unknown):
        return gap(value.writing, value.leaf, is_filled=bool(value.is_true))
    if isinstance(value, Items):
        return _bracketed("[", [_shown(item) for item in value.items])
    if isinstance(value, Dict):
        pairs = sorted(value.entries.items())
        return _bracketed("map[", [concat((plain(f"{key}:"), _shown(one))) for key, one in pairs])
    if isinstance(value, Bytes):
        codes = value.text.said().encode("utf-8", "surrogatepass")
        return _bracketed("[", [plain(str(code)) for code in codes])
    if isinstance(value, Thing):
        is_map = value.type_name == FILES
        return _shown(Dict(value.fields.items()) if is_map else value.shown)
    return plain("<nil>")


def written(value: Value) -> Text:
    """A value as an action writes it."""
    return plain(NO_VALUE) if value is None else shown(value)


def string(value: Value) -> Text:
    """A value as ``toString`` gives it."""
    return value.text if isinstance(value, Bytes) else shown(value)


def atom_text(value: Atom) -> str:
    """A number or truth value as text."""
    if value.kind == "bool":
        return "true" if value.value else "false"
    return shortest(value.value) if value.kind == "float64" else str(value.value)


def spaced(values: Iterable[Value]) -> Text:
    """Values as ``print`` puts them together: blanks only between two that are no texts."""
    texts: list[Text] = []
    before: Value = EMPTY
    for value in values:
        if texts and not isinstance(value, Text) and not isinstance(before, Text):
            texts.append(plain(" "))
        texts.append(shown(value))
        before = value
    return concat(texts)


def lined(values: Iterable[Value], by: Text) -> Text:
    """The texts of values with another between them."""
    return between([shown(value) for value in values], by)


def between(texts: list[Text], by: Text) -> Text:
    """Texts with another between them."""
    if not texts:
        return EMPTY
    return concat((texts[0], *(piece for text in texts[1:] for piece in (by, text))))


def _bracketed(start: str, texts: list[Text]) -> Text:
    return concat((plain(start), between(texts, plain(" ")), plain("]")))
