"""The tables of packages that pixi reads, in a pixi.toml or below ``[tool.pixi]``."""

from __future__ import annotations

from dataclasses import replace

from servelint.syntax.conda_spec import conda_to_pep440

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.facts import Requirement
    from servelint.finding import Skip
    from servelint.syntax.toml_packages import TomlPackages
    from servelint.syntax.toml_scanner import Path

_CONDA: tuple[Path, ...] = (("dependencies",), ("host-dependencies",), ("run-dependencies",))
_PYPI: tuple[Path, ...] = (("pypi-dependencies",), ("pypi-options", "dependency-overrides"))
_ABOVE: tuple[Path, ...] = ((), ("feature", "*"), ("package",))
_ON_LINUX = ("linux", "unix")
"""How the names of targets begin that a Linux machine takes."""


def pixi_packages(file: TomlPackages, top: Path = ()) -> Iterator[Requirement | Skip]:
    """All packages that the tables below ``top`` ask for, conda's first."""
    conda = replace(file, constraint=conda_to_pep440, lists_all=True)
    pypi = replace(file, lists_all=True)
    for tables, kind in ((conda, _CONDA), (pypi, _PYPI)):
        for below in kind:
            for above in _ABOVE:
                whole = (*top, *above, *below)
                yield from (item for _, item in tables.packages(whole))
                yield from _targets(tables, (*top, *above), below)


def _targets(file: TomlPackages, above: Path, below: Path) -> Iterator[Requirement | Skip]:
    """What is asked for on some platforms only, if Linux is one of them."""
    for path, _ in file.tables((*above, "target", "*")):
        if str(path[-1]).startswith(_ON_LINUX):
            yield from (item for _, item in file.packages((*path, *below)))
