"""Functions over maps, the only values that templates change."""

from __future__ import annotations

from servelint.syntax.gotemplate.printing import shown
from servelint.syntax.gotemplate.problems import TemplateProblem
from servelint.syntax.gotemplate.signature import (
    MANY,
    Function,
    NotKnown,
    dict_of,
    known,
    strings,
    text_of,
)
from servelint.syntax.gotemplate.texts import EMPTY, Text, plain
from servelint.syntax.gotemplate.values import (
    Atom,
    Dict,
    Items,
    Unknown,
    Value,
    holds,
    truth_value,
    type_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.syntax.gotemplate.machine import Machine

Values = tuple[Value, ...]

MAX_NESTING = 100
"""How deep maps are merged and copied."""


def dict_from(_: Machine, values: Values) -> Dict:
    """``dict KEY VALUE...``; a last key without a value gets an empty text."""
    pairs = (*values, EMPTY) if len(values) % 2 else values
    _keys = (known(shown(key)) for key in pairs[::2])
    return Dict(zip(_keys, pairs[1::2], strict=True))


def _get(_: Machine, values: Values) -> Value:
    return dict_of(values[0]).entries.get(_key(values[1]), EMPTY)


def _key(value: Value) -> str:
    return known(text_of(value))


def _put(_: Machine, values: Values) -> Value:
    if values[0] is None:
        raise TemplateProblem("set takes a map, found nil")
    table = dict_of(values[0])
    table.entries[_key(values[1])] = values[2]
    return table


def _unset(_: Machine, values: Values) -> Value:
    table = dict_of(values[0])
    table.entries.pop(_key(values[1]), None)
    return table


def _has_key(_: Machine, values: Values) -> Value:
    return truth_value(_key(values[1]) in dict_of(values[0]).entries)


def _pluck(_: Machine, values: Values) -> Value:
    key = _key(values[0])
    tables = [dict_of(value).entries for value in values[1:]]
    return Items(tuple(table[key] for table in tables if key in table))


def dig(_: Machine, values: Values) -> Value:
    """``dig KEY... DEFAULT MAP``. A value that is empty all the same is taken."""
    *_keys, fallback, found = values
    if isinstance(found, Dict) and found.type_name != "map[string]interface {}":
        raise TemplateProblem(f"dig takes a map, found {found.type_name}")
    for key in _keys:
        if isinstance(found, Unknown):
            raise NotKnown
        if not isinstance(found, Dict):
            raise TemplateProblem(f"dig takes a map, found a {type_of(found)}")
        if _key(key) not in found.entries:
            return fallback
        found = found.entries[_key(key)]
    return found


def _keys(_: Machine, values: Values) -> Value:
    return strings(plain(key) for value in values for key in sorted(dict_of(value).entries))


def _values_of(_: Machine, values: Values) -> Value:
    return Items(tuple(one for _, one in sorted(dict_of(values[0]).entries.items())))


def _pick(_: Machine, values: Values) -> Value:
    table, wanted = dict_of(values[0]).entries, [_key(value) for value in values[1:]]
    return Dict((key, table[key]) for key in wanted if key in table)


def _omit(_: Machine, values: Values) -> Value:
    unwanted = {_key(value) for value in values[1:]}
    table = dict_of(values[0]).entries
    return Dict((key, one) for key, one in table.items() if key not in unwanted)


def merge(machine: Machine, values: Values) -> Value:
    """The first map with what the others have and it does not; it is changed itself."""
    return _merged(machine, values, is_over=False)


def merge_overwrite(machine: Machine, values: Values) -> Value:
    """The first map with what the others have; it is changed itself."""
    return _merged(machine, values, is_over=True)


def _merged(machine: Machine, values: Values, *, is_over: bool) -> Value:
    tables = [dict_of(value) for value in values]
    for table in tables[1:]:
        _merge(machine, tables[0], table, 0, is_over=is_over)
    return tables[0]


def _merge(machine: Machine, target: Dict, source: Dict, depth: int, *, is_over: bool) -> None:
    if depth > MAX_NESTING or target is source:
        return
    for key, value in list(source.entries.items()):
        machine.step()
        own = target.entries.get(key)
        if isinstance(own, Dict) and isinstance(value, Dict):
            _merge(machine, own, value, depth + 1, is_over=is_over)
        elif is_over or (value is not None and _is_empty(own)):
            target.entries[key] = value


def _is_empty(value: Value) -> bool:
    filled = holds(value)
    if filled is None:
        raise NotKnown
    return not filled


def copied(machine: Machine, value: Value, depth: int = 0) -> Value:
    """A value with maps of its own."""
    machine.step()
    if depth > MAX_NESTING:
        raise TemplateProblem("a map that is too deeply nested")
    if isinstance(value, Dict):
        pairs = value.entries.items()
        return Dict(((key, copied(machine, one, depth + 1)) for key, one in pairs))
    if isinstance(value, Items):
        items = tuple(copied(machine, item, depth + 1) for item in value.items)
        return Items(items, value.type_name)
    return value


def index(_: Machine, values: Values) -> Value:
    """``index VALUE KEY...``. Raises TemplateProblem for a place outside of a list."""
    found = values[0]
    for key in values[1:]:
        if isinstance(found, Unknown) or isinstance(key, Unknown):
            raise NotKnown
        found = _indexed(found, key)
    return found


def _indexed(found: Value, key: Value) -> Value:
    if isinstance(found, Dict):
        return found.entries.get(_key(key))
    place = int(key.value) if isinstance(key, Atom) and key.kind in ("int", "int64") else None
    if isinstance(found, Items) and place is not None:
        if not 0 <= place < len(found.items):
            raise TemplateProblem(f"index out of range: {place}")
        return found.items[place]
    if isinstance(found, Text):
        raise NotKnown
    raise TemplateProblem(f"cannot index {type_of(found)} with {type_of(key)}")


TABLE = {
    "dict": Function(dict_from, 0, MANY, "all"),
    "get": Function(_get, 2, 2, "gaps"),
    "set": Function(_put, 3, 3, "all"),
    "unset": Function(_unset, 2, 2, "gaps"),
    "hasKey": Function(_has_key, 2, 2, "gaps"),
    "pluck": Function(_pluck, 1, MANY, "gaps"),
    "dig": Function(dig, 3, MANY, "all"),
    "keys": Function(_keys, 0, MANY, "gaps"),
    "values": Function(_values_of, takes="gaps"),
    "pick": Function(_pick, 1, MANY, "gaps"),
    "omit": Function(_omit, 1, MANY, "gaps"),
    "merge": Function(merge, 1, MANY, "gaps"),
    "mustMerge": Function(merge, 1, MANY, "gaps"),
    "mergeOverwrite": Function(merge_overwrite, 1, MANY, "gaps"),
    "mustMergeOverwrite": Function(merge_overwrite, 1, MANY, "gaps"),
    "deepCopy": Function(lambda machine, v: copied(machine, v[0]), takes="all"),
    "mustDeepCopy": Function(lambda machine, v: copied(machine, v[0]), takes="all"),
    "index": Function(index, 1, MANY, "all"),
    "lookup": Function(lambda _, __: Dict(), 4, 4, "all"),
}
