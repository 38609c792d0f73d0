"""Fields and methods of values."""

from __future__ import annotations

from servelint.syntax.gotemplate.problems import TemplateProblem
from servelint.syntax.gotemplate.signature import NotKnown
from servelint.syntax.gotemplate.values import FILES, Dict, Thing, Unknown, Value, kind_of, unknown
from servelint.syntax.gotemplate.writing import call_writing, writing_of


def field(value: Value, name: str) -> Value:
    """``value.name``; nil for a key that a map does not have. Raises TemplateProblem."""
    if isinstance(value, Dict):
        return value.entries.get(name)
    if value is None:
        return None
    if isinstance(value, Unknown):
        return unknown(f"{writing_of(value)}.{name}")
    if isinstance(value, Thing) and name in value.fields:
        return value.fields[name]
    return method(value, name, ())


def method(value: Value, name: str, arguments: tuple[Value, ...]) -> Value:
    """``value.name argument...``. Raises TemplateProblem."""
    if isinstance(value, Unknown):
        return unknown(call_writing(f"{writing_of(value)}.{name}", arguments))
    if isinstance(value, Thing) and name in value.methods:
        try:
            return value.methods[name](arguments)
        except NotKnown:
            return unknown(call_writing(f".{name}", arguments))
    if isinstance(value, Thing) and value.type_name == FILES and not arguments:
        return None
    if arguments:
        raise TemplateProblem(f"{name} is no method but is given arguments")
    raise TemplateProblem(f"a {kind_of(value)} has no field {name}")
