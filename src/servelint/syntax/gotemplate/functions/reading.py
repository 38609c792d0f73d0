"""Functions that read YAML and JSON in texts. What they read keeps its places."""

from __future__ import annotations

import json

from servelint.source import Route
from servelint.syntax.gotemplate.signature import Function, NotKnown, text_of
from servelint.syntax.gotemplate.values import Dict, Items, Value, from_data
from servelint.syntax.yaml import YamlProblem
from servelint.syntax.yaml_data import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.syntax.gotemplate.machine import Machine

Values = tuple[Value, ...]


def _document(machine: Machine, value: Value, *, is_json: bool) -> Value:
    """The first document of a text. Raises NotKnown where it cannot be read."""
    text = text_of(value)
    machine.reserve(len(text.flat) * 10, text)
    if is_json and not text.has_gaps and not _is_json(text.flat):
        raise NotKnown
    try:
        documents = load(text.source("", "yaml", Route("")))
    except YamlProblem:
        raise NotKnown from None
    first = documents[0] if documents else None
    return None if first is None else from_data(first, keeps_null=True)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _table(*, is_json: bool) -> Function:
    def run(machine: Machine, values: Values) -> Value:
        found = _document(machine, values[0], is_json=is_json)
        if found is None:
            return Dict()
        if not isinstance(found, Dict):
            raise NotKnown
        return found

    return Function(run, takes="gaps")


def _list(*, is_json: bool) -> Function:
    def run(machine: Machine, values: Values) -> Value:
        found = _document(machine, values[0], is_json=is_json)
        if found is None:
            return Items(())
        if not isinstance(found, Items):
            raise NotKnown
        return found

    return Function(run, takes="gaps")


TABLE = {
    "fromYaml": _table(is_json=False),
    "fromYamlArray": _list(is_json=False),
    "fromJson": _table(is_json=True),
    "mustFromJson": _table(is_json=True),
    "fromJsonArray": _list(is_json=True),
}
