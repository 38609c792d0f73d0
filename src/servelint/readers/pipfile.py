"""Reads the packages that a Pipfile asks for."""

from __future__ import annotations

from servelint.syntax.toml_packages import TomlPackages, numbered
from servelint.syntax.toml_scanner import TomlError
from servelint.syntax.toml_strings import parse, refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.facts import Requirement
    from servelint.finding import Skip
    from servelint.source import Source

_NO_PACKAGES = frozenset({"source", "requires", "scripts", "pipenv", "pipenv-settings"})
"""Tables that list no packages; all others do, whatever their name."""


def read(source: Source) -> Iterator[Requirement | Skip]:
    """One fact for each entry of ``[packages]``, ``[dev-packages]`` and tables of one's own."""
    try:
        toml = parse(source.text)
    except TomlError as error:
        yield refusal(source, error)
        return
    file = TomlPackages(source, toml)
    names = [name for name in toml.data if name not in _NO_PACKAGES]
    items = (item for name in names for _, item in file.packages((name,)))
    yield from numbered(source, items)
