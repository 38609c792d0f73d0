"""Values on values: which of several settings of a key counts."""

from __future__ import annotations

from dataclasses import dataclass

from servelint.syntax.yaml_data import Leaf, Member, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from servelint.syntax.yaml_data import Data

EMPTY = Table({})

MAX_INDEX = 1_000
"""The greatest index that a path may set in a list; what is set above it is left out."""


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """A value for one path of keys, where they are written, and of indices of lists.

    Without a path the value holds for the whole.
    """

    path: tuple[Leaf | int, ...]
    value: Data


Layer = Table | Setting


def given(layers: Sequence[Layer]) -> Table:
    """What a user gives with a chart, the last word of each key: files and settings in order.

    Null is a value here: what it takes away stands in the chart.
    """
    whole: Data = EMPTY
    for layer in layers:
        if isinstance(layer, Setting) and layer.path:
            whole = _assigned(whole, layer.path, layer.value)
        else:
            whole = over(whole, layer.value if isinstance(layer, Setting) else layer)
    return table(whole)


def over(base: Data, above: Data) -> Data:
    """``above`` on ``base``, mappings key by key; null is a value as any other."""
    if not isinstance(base, Table) or not isinstance(above, Table):
        return above
    if above is base or not above.members:
        return base
    members = dict(base.members)
    for key, member in above.members.items():
        own = members.get(key)
        value = over(own.value, member.value) if own else member.value
        members[key] = Member(own.key if own else member.key, value)
    return Table(members)


def put(base: Table, key: Leaf, value: Data) -> Table:
    """The mapping with one value replaced or added."""
    own = base.members.get(key.text)
    return Table({**base.members, key.text: Member(own.key if own else key, value)})


def table(data: Data | None) -> Table:
    """The data if it is a mapping, else an empty one."""
    return data if isinstance(data, Table) else EMPTY


def _assigned(base: Data | None, path: tuple[Leaf | int, ...], value: Data) -> Data:
    """``base`` with ``value`` at a path; what stands in the way of the path is replaced."""
    if not path:
        return value
    step, rest = path[0], path[1:]
    if isinstance(step, Leaf):
        below = base.get(step.text) if isinstance(base, Table) else None
        return put(table(base), step, _assigned(below, rest, value))
    items = list(base) if isinstance(base, tuple) else []
    if step > MAX_INDEX:
        return tuple(items)
    items += [_null(value)] * (step + 1 - len(items))
    items[step] = _assigned(items[step], rest, value)
    return tuple(items)


def _null(like: Data) -> Data:
    """Nothing, in a list of which only a later item is given."""
    return Leaf(like.source.slice(0, 0, "text")) if isinstance(like, Leaf) else EMPTY
