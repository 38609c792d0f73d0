"""Reads the dependencies that a pyproject.toml declares, in the tables of several tools."""

from __future__ import annotations

from dataclasses import dataclass, replace

from servelint.facts import Requirement
from servelint.syntax.package_name import normalise
from servelint.syntax.pep508 import read_location, read_requirement
from servelint.syntax.pixi_tables import pixi_packages
from servelint.syntax.toml_packages import TomlPackages, elsewhere, numbered
from servelint.syntax.toml_scanner import TomlError
from servelint.syntax.toml_strings import embed, parse, refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.finding import Skip
    from servelint.source import Source
    from servelint.syntax.toml_packages import Claim
    from servelint.syntax.toml_scanner import Path

_REQUIREMENTS: tuple[Path, ...] = (
    ("project", "dependencies"),
    ("project", "optional-dependencies", "*"),
    ("dependency-groups", "*"),
    ("tool", "uv", "dev-dependencies"),
    ("tool", "uv", "constraint-dependencies"),
    ("tool", "uv", "override-dependencies"),
    ("tool", "pdm", "dev-dependencies", "*"),
    ("tool", "hatch", "envs", "*", "dependencies"),
    ("tool", "hatch", "envs", "*", "extra-dependencies"),
    ("tool", "flit", "metadata", "requires"),
    ("tool", "flit", "metadata", "requires-extra", "*"),
)
"""Arrays of PEP 508 texts; ``*`` is any key."""

_POETRY: tuple[Path, ...] = (
    ("tool", "poetry", "dependencies"),
    ("tool", "poetry", "dev-dependencies"),
    ("tool", "poetry", "group", "*", "dependencies"),
)
"""Tables of Poetry constraints by package name."""

_UV_SOURCES: Path = ("tool", "uv", "sources")
_PIXI: Path = ("tool", "pixi")


def read(source: Source) -> Iterator[Requirement | Skip]:
    """All packages that the file asks for, in the order of the tables above."""
    try:
        toml = parse(source.text)
    except TomlError as error:
        yield refusal(source, error)
        return
    project = toml.data.get("project")
    is_listed = isinstance(project, dict) and "dependencies" in project
    file = TomlPackages(source, toml, lists_all=not is_listed)
    poetry = (found for table in _POETRY for found in file.packages(table))
    items = (
        *_Project(file).requirements(),
        *(item for name, item in poetry if name != "python"),
        *pixi_packages(file, _PIXI),
    )
    yield from numbered(source, items)


@dataclass(frozen=True, slots=True)
class _Project:
    """The texts of PEP 508 in a pyproject.toml."""

    file: TomlPackages

    def requirements(self) -> Iterator[Requirement | Skip]:
        """PEP 508 texts, with the locations that uv takes some packages from."""
        located = dict(self._uv_sources())
        own = self._own_name()
        for pattern in _REQUIREMENTS:
            for path, node in self.file.tables(pattern):
                for item in self._array(path, node):
                    if isinstance(item, Requirement) and item.name == own:
                        continue  # an extra made of others: the project asks for itself
                    if isinstance(item, Requirement) and item.name in located:
                        yield _at(item, located[item.name])
                    else:
                        yield item

    def _own_name(self) -> str:
        project = self.file.toml.data.get("project")
        name = project.get("name") if isinstance(project, dict) else None
        return normalise(name) if isinstance(name, str) else ""

    def _array(self, path: Path, node: object) -> Iterator[Requirement | Skip]:
        if not isinstance(node, list):
            yield self.file.refuse(path, "expected an array of requirements")
            return
        for index, item in enumerate(node):
            if isinstance(item, dict):
                continue  # {include-group = "..."}: the strings of that group are read anyway
            found = self._requirement((*path, index))
            if found is not None:
                yield found

    def _requirement(self, path: Path) -> Requirement | Skip | None:
        string = self.file.toml.strings.get(path)
        if string is None:
            return self.file.refuse(path[:-1], "expected only requirements in the array")
        text = embed(self.file.source, string, "requirement")
        if not text.text.strip():
            return self.file.refuse(path[:-1], "expected a requirement, not an empty text")
        if text.text.startswith("-e "):
            return read_location(text.slice(3, len(text.text), "requirement"))
        return read_requirement(text)

    def _uv_sources(self) -> Iterator[tuple[str, Claim]]:
        for path, table in self.file.tables((*_UV_SOURCES, "*")):
            entries = enumerate(table) if isinstance(table, list) else ((None, table),)
            for index, entry in entries:
                place = path if index is None else (*path, index)
                claim = self.file.located(place, path, entry)
                if claim is not None and not elsewhere(entry):
                    yield normalise(str(path[-1])), claim
                    break


def _at(item: Requirement, claim: Claim) -> Requirement:
    """A requirement of a package that is taken from somewhere else."""
    return replace(item, kind=claim.kind, version=claim.version, specifier=claim.specifier)
