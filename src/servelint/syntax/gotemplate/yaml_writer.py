"""``toYaml``: values as the YAML that Helm writes, to the letter."""

from __future__ import annotations

import re

from servelint.syntax.gotemplate.key_order import in_order
from servelint.syntax.gotemplate.numbers import yaml_number
from servelint.syntax.gotemplate.printing import atom_text, shown
from servelint.syntax.gotemplate.quoting import escaped
from servelint.syntax.gotemplate.texts import Run, Text, concat, gap, joined, plain
from servelint.syntax.gotemplate.values import Atom, Bytes, Dict, Items, Thing, Unknown, Value
from servelint.syntax.gotemplate.weights import weigh
from servelint.syntax.gotemplate.yaml_scalars import ESCAPED, block_header, escape, style_of

WIDTH = 80
"""The column behind which lines are folded."""

MAX_KEY = 100
"""Characters of a key that surely stands in one line."""

_ODD = re.compile("^\ufeff|[\u2028\u2029]")
_ODD_KEY = re.compile("^\ufeff|[\n\r\x85\u2028\u2029]")


def to_yaml(value: Value, *, is_pretty: bool = False) -> Text:
    """A value as YAML without a line break at its end."""
    weigh(value)
    if not _is_writable(value):
        return gap("toYaml " + shown(value).said())
    writer = _Writer(is_pretty=is_pretty)
    writer.node(value, 0, is_root=True)
    text = writer.text()
    return text.cut(0, len(text.flat) - 1) if text.flat.endswith("\n") else text


class _Writer:
    """Writes nodes one after the other, with the column for folding."""

    def __init__(self, *, is_pretty: bool) -> None:
        self._runs: list[Run] = []
        self._column = 0
        self._pretty = 2 if is_pretty else 0

    def text(self) -> Text:
        return joined(self._runs)

    def node(
        self, value: Value, indent: int, *, is_root: bool = False, is_item: bool = False
    ) -> None:
        """A value after ``key:`` or ``-``, up to the end of its last line."""
        if isinstance(value, Dict) and value.entries:
            self._open(is_root=is_root or is_item)
            self._table(value, indent, is_first=is_item)
        elif isinstance(value, Items) and value.items:
            self._open(is_root=is_root or is_item)
            self._list(value, indent, is_first=is_item)
        else:
            self._glue("" if is_root or is_item else " ")
            self._leaf(value, indent, is_root=is_root)
            self._glue("\n")

    def _open(self, *, is_root: bool) -> None:
        if not is_root:
            self._glue("\n")

    def _table(self, value: Dict, indent: int, *, is_first: bool) -> None:
        for key in in_order(value.entries):
            one = value.entries[key]
            self._glue("" if is_first else " " * indent)
            is_first = False
            self._key(key, indent)
            deeper = self._pretty if isinstance(one, Items) else 2
            self.node(one, indent + deeper)

    def _list(self, value: Items, indent: int, *, is_first: bool) -> None:
        for item in value.items:
            self._glue(("" if is_first else " " * indent) + "- ")
            is_first = False
            self.node(item, indent + 2, is_item=True)

    def _key(self, key: str, indent: int) -> None:
        self._styled(plain(key), indent, style_of(key, is_key=True), may_fold=False)
        self._glue(":")

    def _leaf(self, value: Value, indent: int, *, is_root: bool) -> None:
        if isinstance(value, Text):
            self._string(value, indent + 2 * is_root)
        elif isinstance(value, Atom):
            is_float = value.kind == "float64"
            self._put(plain(yaml_number(value.value) if is_float else atom_text(value), value.leaf))
        elif isinstance(value, (Unknown, Thing, Bytes)):
            self._put(shown(value))
        else:
            self._glue("null" if value is None else "{}" if isinstance(value, Dict) else "[]")

    def _string(self, text: Text, indent: int) -> None:
        style = style_of(text.flat) if text.flat else '"'
        if style == "|":
            self._block(text, indent)
        else:
            self._styled(text, indent, style, may_fold=True)

    def _block(self, text: Text, indent: int) -> None:
        self._glue(block_header(text.flat))
        for start, end in _lines(text.flat):
            self._glue("\n" + " " * indent if end > start else "\n")
            self._put(text.cut(start, end))

    def _styled(self, text: Text, indent: int, style: str, *, may_fold: bool) -> None:
        self._glue(style)
        at, is_after_space = 0, False
        for place, sign in enumerate(text.flat):
            if sign == " ":
                if may_fold and not is_after_space and self._folds(text, place, at, style):
                    self._signs(text.cut(at, place), style)
                    self._fold(text, place, indent, style)
                    at = place + 1
                is_after_space = True
            else:
                is_after_space = False
        self._signs(text.cut(at), style)
        self._glue(style)

    def _folds(self, text: Text, place: int, at: int, style: str) -> bool:
        """Whether a line is broken at a blank."""
        flat = text.flat
        if style != '"' and len(flat) + flat.count("'") <= WIDTH - self._column:
            return False
        column = self._column + len(_said(text.cut(at, place), style).flat)
        is_inside = 0 < place < len(flat) - 1 or not style
        return column > WIDTH and is_inside and (style == '"' or flat[place + 1 : place + 2] != " ")

    def _fold(self, text: Text, place: int, indent: int, style: str) -> None:
        self._glue("\n" + " " * indent)
        if style == '"' and text.flat[place + 1] == " ":
            self._glue("\\")

    def _signs(self, text: Text, style: str) -> None:
        self._put(_said(text, style))

    def _put(self, text: Text) -> None:
        self._runs += text.runs
        self._column += len(text.flat)

    def _glue(self, text: str) -> None:
        if text:
            self._runs.append(Run(text))
            end = text.rfind("\n")
            self._column = len(text) - end - 1 if end >= 0 else self._column + len(text)


def _is_writable(value: Value) -> bool:
    """False for texts that the emitter writes in ways of its own."""
    if isinstance(value, Text):
        return not _ODD.search(value.flat)
    if isinstance(value, Items):
        return all(_is_writable(item) for item in value.items)
    if isinstance(value, Dict):
        keys = value.entries
        return not any(len(key) > MAX_KEY or _ODD_KEY.search(key) for key in keys) and all(
            _is_writable(one) for one in keys.values()
        )
    return True


def _said(text: Text, style: str) -> Text:
    """A text in a style, without the quotes."""
    if style == '"' and ESCAPED.search(text.flat):
        return escaped(text, ESCAPED, escape)
    if style == "'" and "'" in text.flat:
        return concat(
            piece
            for place, sign in enumerate(text.flat)
            for piece in ((plain("'"),) if sign == "'" else ()) + (text.cut(place, place + 1),)
        )
    return text


def _lines(flat: str) -> list[tuple[int, int]]:
    """The places of the lines of a text, without their breaks."""
    lines: list[tuple[int, int]] = []
    at = 0
    while at < len(flat):
        end = flat.find("\n", at)
        end = len(flat) if end < 0 else end
        lines.append((at, end))
        at = end + 1
    return lines
