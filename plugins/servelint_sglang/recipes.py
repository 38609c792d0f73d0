"""Recipes that hold several deployments: a base, and overrides of it.

``override_*`` is one deployment, merged over the base. ``zip_override_*`` is several: its lists
are read side by side, the first elements make the first deployment.
"""

from __future__ import annotations

from servelint.api import Leaf, Member, Table, merge_yaml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Data

BASE, OVER, ZIP = "base", "override_", "zip_override_"

MAX_VARIANTS = 64
"""Deployments that one override may stand for."""


def variants(document: Table) -> Iterator[tuple[str, Table]]:
    """Each deployment of a recipe with its name; a recipe without a base is one without a name.

    The base is none of its own where something overrides it.
    """
    base = document.get(BASE)
    if not isinstance(base, Table):
        yield "", document
        return
    overrides = [
        (name, member.value)
        for name, member in document.members.items()
        if name.startswith((OVER, ZIP)) and isinstance(member.value, Table)
    ]
    if not overrides:
        yield BASE, base
    for name, override in overrides:
        count = _length(override) if name.startswith(ZIP) else 0
        for index in range(min(count, MAX_VARIANTS)):
            yield f"{name}[{index}]", _merged(base, _at(override, index))
        if not count:
            yield name, _merged(base, override)


def _merged(base: Table, over: Data) -> Table:
    whole = merge_yaml(base, over)
    return whole if isinstance(whole, Table) else base


def _length(data: Data) -> int:
    """How many deployments the lists of an override stand for; 0 without lists."""
    if isinstance(data, Table):
        return max((_length(member.value) for member in data.members.values()), default=0)
    return len(data) if isinstance(data, tuple) else 0


def _at(data: Data, index: int) -> Data:
    """What an override says for one deployment: of each list its element, of one element that."""
    if isinstance(data, Leaf):
        return data
    if isinstance(data, Table):
        return Table(
            {
                key: Member(member.key, _at(member.value, index))
                for key, member in data.members.items()
            }
        )
    return data[min(index, len(data) - 1)] if data else data
