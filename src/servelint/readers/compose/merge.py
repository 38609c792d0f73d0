"""One compose file laid over another, by the rules of compose."""

from __future__ import annotations

from dataclasses import dataclass

from servelint.syntax.yaml_data import Leaf, Member, Table
from servelint.syntax.yaml_edit import made, place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.syntax.yaml_data import Data

REPLACED = frozenset({"command", "entrypoint", "test"})
"""Lists that are no additions to those below them, and that nothing at all takes away."""

PAIRS = frozenset(
    {
        *("environment", "labels", "args", "annotations", "sysctls", "extra_hosts", "depends_on"),
        *("networks", "additional_contexts"),
    }
)
"""Lists of ``NAME=value`` that are mappings in another writing."""

MAX_MERGED = 1_000_000
"""Fields that merging may touch in one project."""

Path = tuple[str, ...]


@dataclass(slots=True)
class Merger:
    """Merges with a limit: what is over is then taken as it stands."""

    left: int = MAX_MERGED

    @property
    def is_spent(self) -> bool:
        """True when something was not merged."""
        return self.left < 0

    def merged(self, base: Data | None, over: Data, key: str = "") -> Data:
        """``over`` on ``base``, both the value of ``key``."""
        if base is None:
            return over
        if isinstance(over, Leaf) and over.is_null and key not in REPLACED:
            return base
        if key == "build":
            base, over = _build(base), _build(over)
        if key in PAIRS:
            base, over = pairs(base), pairs(over)
        if isinstance(base, Table) and isinstance(over, Table):
            return self._tables(base, over)
        if isinstance(base, tuple) and isinstance(over, tuple) and key not in REPLACED:
            self.left -= len(base) + len(over)
            return over if self.is_spent else (*base, *over)
        if key == "env_file":
            return (*_many(base), *_many(over))
        return over

    def _tables(self, base: Table, over: Table) -> Table:
        self.left -= len(base.members) + len(over.members)
        if self.is_spent:
            return over
        members = dict(base.members)
        for key, member in over.members.items():
            own = members.get(key)
            value = self.merged(own.value if own else None, member.value, key)
            members[key] = Member(own.key if own else member.key, value)
        return Table(members)


def pairs(data: Data) -> Data:
    """A list of ``NAME=value`` as the mapping that it stands for."""
    if not isinstance(data, tuple):
        return data
    members: dict[str, Member] = {}
    for item in data:
        if not isinstance(item, Leaf):
            return data
        name, equals, value = item.text.partition("=")
        size = len(item.text)
        key = Leaf(item.source.slice(0, len(name), "text"), '"')
        given = Leaf(item.source.slice(size - len(value), size, "text"), '"')
        members[name] = Member(key, given if equals else made("", place(item)))
    return Table(members)


def _build(data: Data) -> Data:
    """``build: DIR`` as the mapping that it stands for."""
    if isinstance(data, Leaf) and not data.is_null:
        return Table({"context": Member(made("context", place(data)), data)})
    return data


def _many(data: Data) -> tuple[Data, ...]:
    return data if isinstance(data, tuple) else (data,)


def without_path(data: Data, path: Path) -> Data:
    """The data without what stands at a path of keys and indices."""
    if not path:
        return data
    step, rest = path[0], path[1:]
    if isinstance(data, tuple) and step.isdecimal() and int(step) < len(data):
        index = int(step)
        inner = (without_path(data[index], rest),) if rest else ()
        return (*data[:index], *inner, *data[index + 1 :])
    if not isinstance(data, Table) or step not in data.members:
        return data
    member = data.members[step]
    if rest:
        whole = Member(member.key, without_path(member.value, rest))
        return Table({**data.members, step: whole})
    return Table({key: one for key, one in data.members.items() if key != step})
