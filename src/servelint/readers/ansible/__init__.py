"""Ansible projects: tasks, handlers and templates with the variables of roles, groups and plays.

What a variable may be is told beside each file that names it; the readers of YAML and of templates
do the rest. Which host is in which group is not asked: groups that differ give several values.
"""

from __future__ import annotations

from servelint.readers import claim, claim_text
from servelint.readers.ansible.project import Project, role_of, units
from servelint.readers.ansible.variables import Variables
from servelint.source import Route, Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.facts import Env
    from servelint.unit import Files, Unit

__all__ = ["read_unit", "units"]

TAKEN = ("yaml", "jinja")
"""Languages of the files of a project that are read with its variables."""


def read_unit(unit: Unit, files: Files) -> Iterator[Env | Source]:
    """The files of a project, each with the variables that it names."""
    project = Project.of(unit, files)
    variables = Variables(project, files)
    for path in unit.files:
        text = files.text(path)
        language = claim_text(claim(path), text) if text is not None else ""
        if text is None or language not in TAKEN:
            continue
        owner = Route(unit.path, (path,))
        yield from variables.seen_by(role_of(path), text, owner)
        yield Source(path, text, language, owner)
