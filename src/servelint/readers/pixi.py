"""Reads the packages that a pixi.toml asks for, from conda and from an index of Python packages."""

from __future__ import annotations

from servelint.syntax.pixi_tables import pixi_packages
from servelint.syntax.toml_packages import TomlPackages, numbered
from servelint.syntax.toml_scanner import TomlError
from servelint.syntax.toml_strings import parse, refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.facts import Requirement
    from servelint.finding import Skip
    from servelint.source import Source


def read(source: Source) -> Iterator[Requirement | Skip]:
    """One fact for each entry of the tables of packages."""
    try:
        toml = parse(source.text)
    except TomlError as error:
        yield refusal(source, error)
        return
    yield from numbered(source, pixi_packages(TomlPackages(source, toml)))
