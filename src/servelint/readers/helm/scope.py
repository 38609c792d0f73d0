"""Which charts of a chart are switched on, and the values that the templates of each see."""

from __future__ import annotations

from dataclasses import dataclass

from servelint.readers.helm.layers import over, put, table
from servelint.syntax.yaml_data import Leaf, Table, merge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.readers.helm.chart import Chart, Dependency
    from servelint.syntax.yaml_data import Data

GLOBAL = "global"
"""The key whose values all charts in a chart see."""

_TRUE = frozenset(["true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON", "y", "Y"])
_FALSE = frozenset(["false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF", "n", "N"])


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """A chart that is switched on, and the values that its templates see."""

    chart: Chart
    values: Table
    inner: tuple[Scope, ...] = ()

    def whole(self) -> Iterator[Scope]:
        """The scope and all in it."""
        yield self
        for scope in self.inner:
            yield from scope.whole()


def scope(chart: Chart, user: Table, *, is_whole: bool = False) -> Scope:
    """A chart with what a user gives, over its own values, over those of the charts in it.

    With ``is_whole`` also the charts that are switched off.
    """
    whole = _coalesced(chart, user)
    return _scope(chart, whole, whole, is_whole=is_whole)


def truth(data: Data | None) -> bool | None:
    """The truth value that a scalar says; None when it says none."""
    if not isinstance(data, Leaf) or data.style or data.tag:
        return None
    return True if data.text in _TRUE else False if data.text in _FALSE else None


def _coalesced(chart: Chart, user: Table) -> Table:
    """All values of a chart: its own, and under the name of each chart in it, that one's."""
    whole = table(merge(chart.values, user))
    for dependency in chart.dependencies:
        below = table(whole.get(dependency.name))
        shared = whole.members.get(GLOBAL)
        if shared is not None and isinstance(shared.value, Table):
            below = put(below, shared.key, over(table(below.get(GLOBAL)), shared.value))
        whole = put(whole, dependency.key, _coalesced(dependency.chart, below))
    return whole


def _scope(chart: Chart, whole: Table, top: Table, *, is_whole: bool) -> Scope:
    active = [one for one in chart.dependencies if is_whole or _is_on(one, whole, top)]
    values = whole
    for one in active:
        for child, parent in one.imports:
            values = _imported(values, whole.get(one.name, *child.split(".")), parent)
    inner = (
        _scope(one.chart, table(values.get(one.name)), top, is_whole=is_whole) for one in active
    )
    return Scope(chart, values, tuple(inner))


def _is_on(dependency: Dependency, values: Table, top: Table) -> bool:
    """The first condition that is a truth value decides, else the tags, else it is on."""
    for path in dependency.conditions:
        found = truth(values.get(*path.split(".")))
        if found is not None:
            return found
    tags = [truth(top.get("tags", tag)) for tag in dependency.tags]
    return True in tags or False not in tags


def _imported(values: Table, found: Data | None, parent: tuple[Leaf, ...]) -> Table:
    """The values with what a part exports, below ``parent``; what is there already counts."""
    if not isinstance(found, Table):
        return values
    wrapped = found
    for key in reversed(parent):
        wrapped = put(Table({}), key, wrapped)
    return table(over(wrapped, values))
