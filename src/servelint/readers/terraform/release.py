"""Releases of charts: the values that a resource gives, as one mapping."""

from __future__ import annotations

from servelint.syntax.yaml import YamlProblem
from servelint.syntax.yaml_data import Leaf, Member, Table, load, merge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.syntax.yaml_data import Data


def released(table: Table) -> Table:
    """A release of a chart: its values as one mapping, the settings on top."""
    values: Data | None = None
    texts = table.get("values")
    for text in texts if isinstance(texts, tuple) else ():
        values = merge(values, _loaded(text))
    blocks = table.get("set")
    for block in blocks if isinstance(blocks, tuple) else (blocks,):
        if isinstance(block, Table):
            values = merge(values, _set(block))
    if values is None:
        return table
    key = next(iter(table.members.values())).key
    return Table(table.members | {"values": Member(key, values)})


def _loaded(data: Data) -> Data | None:
    if not isinstance(data, Leaf):
        return data
    try:
        return next(iter(load(data.source)), None)
    except YamlProblem:
        return None


def _set(block: Table) -> Data | None:
    """``set { name = "a.b", value = "c" }`` as the mapping that it stands for."""
    name, value = block.get("name"), block.get("value")
    if not isinstance(name, Leaf) or value is None:
        return None
    data, end = value, len(name.text)
    for step in reversed(name.text.split(".")):
        key = Leaf(name.source.slice(end - len(step), end, "text"))
        data, end = Table({step: Member(key, data)}), end - len(step) - 1
    return data
