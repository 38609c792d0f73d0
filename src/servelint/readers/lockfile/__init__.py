"""Lockfiles: what a tool once resolved, one fact for each package of interest.

The name of the file tells the format; each is read by a module of its own,
imported when first needed.
"""

from __future__ import annotations

import re
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.facts import Requirement
    from servelint.finding import Skip
    from servelint.source import Source

_FORMATS = (
    (re.compile(r"(?:.*/)?pipfile\.lock\Z"), "pipenv"),
    (re.compile(r"(?:.*/)?pixi\.lock\Z"), "pixi"),
    (re.compile(r"(?:.*[/._-])?conda-lock\.ya?ml\Z"), "conda"),
)
"""All others are TOML."""


def read(source: Source) -> Iterator[Requirement | Source | Skip]:
    """The packages that the file locks, forks included.

    With needles, only those whose name holds one.
    """
    path = source.path.lower()
    name = next((name for pattern, name in _FORMATS if pattern.match(path)), "toml")
    found: Iterator[Requirement | Source | Skip] = import_module(f"{__name__}.{name}").read(source)
    return found
