"""What expressions of a template stand for, as Go sees it.

nil is None. A value that nobody can know is an :class:`Unknown` by its writing; it is never
guessed. Maps alone can be changed, as in Go.
"""

from __future__ import annotations

from dataclasses import dataclass

from servelint.syntax.gotemplate.numbers import yaml_number
from servelint.syntax.gotemplate.scalars import resolved
from servelint.syntax.gotemplate.texts import Text, of_source, one_line
from servelint.syntax.yaml_data import Leaf, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from servelint.source import Span
    from servelint.syntax.yaml_data import Data

MAP = "map[string]interface {}"
LIST = "[]interface {}"
STRINGS = "[]string"
INTS = "[]int"
FILES = "engine.files"


@dataclass(frozen=True, slots=True, eq=False)
class Atom:
    """A number or truth value, by its kind in Go; ``leaf`` is where it is written."""

    kind: str
    value: int | float | bool
    leaf: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """A list."""

    items: tuple[Value, ...]
    type_name: str = LIST


class Dict:
    """A map, read from data when it is first asked."""

    __slots__ = ("_data", "_entries", "_keeps_null", "type_name")

    def __init__(
        self,
        entries: Iterable[tuple[str, Value]] = (),
        data: Table | None = None,
        type_name: str = MAP,
        *,
        keeps_null: bool = False,
    ) -> None:
        self._entries = dict(entries)
        self._data = data
        self.type_name = type_name
        self._keeps_null = keeps_null

    @property
    def entries(self) -> dict[str, Value]:
        """The values by their keys."""
        if self._data is not None:
            keeps = self._keeps_null
            members, self._data = self._data.members.values(), None
            self._entries = {
                _key(member.key): value
                for member in members
                if (value := from_data(member.value, keeps_null=keeps)) is not None or keeps
            }
        return self._entries


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """A value of Helm's own: its fields, its methods, and how it is printed."""

    type_name: str
    fields: Mapping[str, Value]
    methods: Mapping[str, Callable[[tuple[Value, ...]], Value]]
    shown: Value = None


@dataclass(frozen=True, slots=True, eq=False)
class Bytes:
    """What a file holds, where Go has bytes."""

    text: Text


@dataclass(frozen=True, slots=True, eq=False)
class Unknown:
    """What cannot be known; equal writings are the same. ``is_true``: if at least that is known."""

    writing: str
    is_true: bool | None = None
    leaf: Span | None = None


Value = Text | Atom | Items | Dict | Thing | Bytes | Unknown | None

TRUE = Atom("bool", value=True)
FALSE = Atom("bool", value=False)


def truth_value(value: object) -> Atom:
    """A truth value of Go."""
    return TRUE if value else FALSE


def whole(value: int, kind: str = "int") -> Atom:
    """A whole number, in the range of Go's."""
    return Atom(kind, (int(value) + 2**63) % 2**64 - 2**63)


def unknown(writing: str, *, is_true: bool | None = None) -> Unknown:
    """What cannot be known, by its writing."""
    return Unknown(one_line(writing), is_true)


def from_data(data: Data, *, keeps_null: bool = False) -> Value:
    """The value of YAML data as Helm reads it. Keys with null are dropped, but not in lists."""
    if isinstance(data, Table):
        return Dict(data=data, keeps_null=keeps_null)
    if isinstance(data, Leaf):
        return from_leaf(data)
    return Items(tuple(from_data(item, keeps_null=True) for item in data))


def _key(leaf: Leaf) -> str:
    """A key as JSON has it: ``y: 1`` is a key named true."""
    found = resolved(leaf.text, leaf.style, leaf.tag)
    if isinstance(found, str):
        return found
    if found is None:
        return "null"
    return str(found).lower() if isinstance(found, bool) else yaml_number(found)


def from_leaf(leaf: Leaf) -> Value:
    """The value of a YAML scalar as Helm reads it."""
    found = resolved(leaf.text, leaf.style, leaf.tag)
    if isinstance(found, str):
        return of_source(leaf.source)
    if found is None:
        return None
    place = leaf.source.span(0, len(leaf.text))
    leaves = tuple(span for _, _, spans in leaf.source.runs(0, len(leaf.text)) for span in spans)
    written = leaves[0] if leaves else place
    return Atom("bool" if isinstance(found, bool) else "float64", found, written)


def kind_of(value: Value) -> str:
    """What Go calls the kind of a value."""
    if isinstance(value, Atom):
        return value.kind
    if isinstance(value, Thing):
        known = {FILES: "map", "common.VersionSet": "slice"}
        return known.get(value.type_name, "ptr" if value.type_name[0] == "*" else "struct")
    kinds = {Text: "string", Items: "slice", Dict: "map", Bytes: "slice"}
    return kinds.get(type(value), "invalid")


def type_of(value: Value) -> str:
    """What Go calls the type of a value."""
    if isinstance(value, (Items, Dict, Thing)):
        return value.type_name
    if isinstance(value, Bytes):
        return "[]uint8"
    return "<nil>" if value is None else kind_of(value)


def is_unknown(value: Value) -> bool:
    """True for what is not known, or not in full."""
    return isinstance(value, Unknown) or (isinstance(value, Text) and value.has_gaps)


def holds(value: Value) -> bool | None:  # noqa: PLR0911  # a kind a line
    """Whether an ``if`` takes a value for true; None when that is not known."""
    if isinstance(value, Unknown):
        return value.is_true
    if isinstance(value, Atom):
        return bool(value.value)
    if isinstance(value, Text):
        return _is_filled(value)
    if isinstance(value, Dict):
        return bool(value.entries)
    if isinstance(value, Items):
        return bool(value.items)
    if isinstance(value, Thing):
        return value.type_name != FILES or bool(value.fields)
    return value is not None and bool(value.text.flat)


def _is_filled(text: Text) -> bool | None:
    if any(not run.writing or run.is_filled for run in text.runs):
        return True
    return None if text.runs else False
