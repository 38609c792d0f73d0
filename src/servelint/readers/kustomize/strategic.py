"""Strategic merge: a partial object laid over a whole one, as kustomize does it."""

from __future__ import annotations

from servelint.syntax.yaml_data import Leaf, Member, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.readers.kustomize.schema import Schema
    from servelint.syntax.yaml_data import Data

DIRECTIVE = "$patch"


def patched(base: Table, patch: Table, schema: Schema) -> Table | None:
    """``patch`` on ``base``; None when it deletes it. ``schema`` says which lists merge."""
    match _directive(patch):
        case "delete":
            return None
        case "replace":
            return _clean_table(patch)
    members = dict(base.members)
    for key, member in patch.members.items():
        if key.startswith("$"):
            continue
        own = members.get(key)
        value = _value(own.value if own else None, member.value, key, schema)
        if value is None:
            members.pop(key, None)
        else:
            members[key] = Member(own.key if own else member.key, value)
    return Table(members)


def _value(base: Data | None, patch: Data, key: str, schema: Schema) -> Data | None:
    if isinstance(patch, Leaf):
        return None if patch.is_null else patch
    if isinstance(patch, Table):
        if isinstance(base, Table):
            return patched(base, patch, schema.below(key))
        return None if _directive(patch) == "delete" else _clean_table(patch)
    keys = schema.keys(key)
    if not keys or not isinstance(base, tuple):
        return _clean_list(patch)
    return _list(base, patch, keys, schema.below(key))


def _list(
    base: tuple[Data, ...], patch: tuple[Data, ...], names: tuple[str, ...], schema: Schema
) -> Data:
    """The items of the patch first, each laid over the one of its key, then what is left."""
    if any(_directive(item) == "replace" and _is_alone(item) for item in patch):
        return _clean_list(patch)
    name = next((one for one in names if _holds(patch, one)), None)
    if name is None:
        return _clean_list(patch) if patch else base
    under = {_key(one, name): one for one in reversed(base)}
    named = {_key(item, name) for item in patch}
    kept = (item for item in patch if _directive(item) != "delete")
    done = (_item(under.get(_key(item, name)), item, schema) for item in kept)
    return (*done, *(one for one in base if _key(one, name) not in named))


def _item(base: Data | None, patch: Data, schema: Schema) -> Data:
    if base is not None and _directive(patch) == "replace":
        return base  # kustomize heeds it for whole lists and mappings only
    if isinstance(base, Table) and isinstance(patch, Table):
        whole = patched(base, patch, schema)
        if whole is not None:
            return whole
    return _clean(patch)


def _is_alone(item: Data) -> bool:
    """True for an item that is nothing but a directive: it is meant for the list."""
    return isinstance(item, Table) and len(item.members) == 1


def _holds(items: tuple[Data, ...], name: str) -> bool:
    """True when every item says which one it is."""
    return bool(items) and all(_key(item, name) is not None for item in items)


def _key(item: Data, name: str) -> str | None:
    return item.text(name) if isinstance(item, Table) else None


def _directive(data: Data) -> str:
    return (data.text(DIRECTIVE) or "") if isinstance(data, Table) else ""


def _clean(data: Data) -> Data:
    if isinstance(data, Table):
        return _clean_table(data)
    return _clean_list(data) if isinstance(data, tuple) else data


def _clean_list(items: tuple[Data, ...]) -> tuple[Data, ...]:
    """The items without directives."""
    clean = ((item, _clean(item)) for item in items if _directive(item) != "delete")
    return tuple(
        new
        for old, new in clean
        if not (isinstance(old, Table) and DIRECTIVE in old.members) or _says(new)
    )


def _says(data: Data) -> bool:
    return not isinstance(data, Table) or bool(data.members)


def _clean_table(table: Table) -> Table:
    return Table(
        {
            key: Member(member.key, _clean(member.value))
            for key, member in table.members.items()
            if not key.startswith("$")
            and not (isinstance(member.value, Leaf) and member.value.is_null)
        }
    )
