"""Which kind of YAML a document is, where that decides what names in it mean."""

from __future__ import annotations

from servelint.readers.yaml.ansible_keys import is_play, is_sure_task
from servelint.syntax.expressions import is_of_ansible, of_template, of_workflow, with_default
from servelint.syntax.yaml import Mapping, Sequence, deref, fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.source import Source
    from servelint.syntax.expressions import Names
    from servelint.syntax.yaml import Node

COMPOSE, WORKFLOW, ANSIBLE, TEMPLATE = "compose", "workflow", "ansible", "template"

_NAMES: dict[str, Names] = {WORKFLOW: of_workflow, ANSIBLE: of_template}
_FEW = 50
"""Items of a list that are looked at."""


def names_of(dialect: str, path: str) -> Names:
    """Which expressions of a document are names that something may close."""
    return _NAMES.get(dialect) or (of_template if is_of_ansible(path) else with_default)


def dialect_of(tree: Node, source: Source) -> str:
    """The dialect of a document; empty for YAML that stands for itself."""
    target, _ = deref(tree)
    if isinstance(target, Mapping):
        found = fields(target)
        if "services" in found and "apiVersion" not in found:
            return COMPOSE
        if "jobs" in found and ("on" in found or "true" in found):
            return WORKFLOW
    elif isinstance(target, Sequence) and _holds_tasks(target):
        return ANSIBLE
    return ANSIBLE if is_of_ansible(source.path) else TEMPLATE


def _holds_tasks(items: Sequence) -> bool:
    rows = (deref(item)[0] for item in items.items[:_FEW])
    return any(
        is_play(found) or is_sure_task(found)
        for row in rows
        if isinstance(row, Mapping)
        for found in (fields(row),)
    )
