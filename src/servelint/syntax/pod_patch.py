"""A partial pod template laid over a whole one: the strategic merge that Kubernetes itself does."""

from __future__ import annotations

from servelint.syntax.yaml_data import Leaf, Member, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.syntax.yaml_data import Data

_NAMED = frozenset({"containers", "initContainers", "ephemeralContainers", "env", "volumes"})
"""Lists whose items merge by ``name``; what no key of a product depends on is replaced."""

DIRECTIVE = "$patch"


def patched(base: Table, patch: Table) -> Table:
    """``patch`` on ``base``, key by key; null takes a key away, ``$patch: replace`` all others."""
    if patch.text(DIRECTIVE) == "replace":
        return Table({key: one for key, one in patch.members.items() if key != DIRECTIVE})
    members = dict(base.members)
    for key, member in patch.members.items():
        own = members.get(key)
        value = _value(own.value if own is not None else None, member.value, key)
        if value is None:
            members.pop(key, None)
        else:
            members[key] = Member(own.key if own is not None else member.key, value)
    return Table(members)


def _value(base: Data | None, patch: Data, key: str) -> Data | None:
    if isinstance(patch, Leaf):
        return None if patch.is_null else patch
    if isinstance(patch, Table):
        if patch.text(DIRECTIVE) == "delete":
            return None
        return patched(base, patch) if isinstance(base, Table) else patch
    if key not in _NAMED or not isinstance(base, tuple):
        return patch
    return _items(base, patch)


def _items(base: tuple[Data, ...], patch: tuple[Data, ...]) -> tuple[Data, ...]:
    """The items of the base with those of their names laid over them, then the new ones."""
    over = {_name(item): item for item in patch if _name(item)}
    under = {_name(item) for item in base}
    done: list[Data] = []
    for item in base:
        own = over.get(_name(item))
        if not isinstance(own, Table) or not isinstance(item, Table):
            done.append(item)
        elif own.text(DIRECTIVE) != "delete":
            done.append(patched(item, own))
    return (*done, *(item for item in patch if _name(item) not in under))


def _name(item: Data) -> str:
    return (item.text("name") or "") if isinstance(item, Table) else ""
