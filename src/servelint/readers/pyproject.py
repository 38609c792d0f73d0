"""Reads the dependencies that a pyproject.toml declares, in the tables of several tools."""

from __future__ import annotations

from dataclasses import dataclass, replace

from servelint.facts import Requirement, Text, Value, known, one_of
from servelint.finding import Skip
from servelint.syntax.markers import never_on_linux
from servelint.syntax.package_name import normalise
from servelint.syntax.pep508 import read_location, read_requirement
from servelint.syntax.poetry_constraint import exact_version, to_pep440
from servelint.syntax.toml_scanner import TomlError, decode
from servelint.syntax.toml_strings import embed, parse, refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.source import Source, Span
    from servelint.syntax.toml_scanner import Path
    from servelint.syntax.toml_strings import TomlText

_REQUIREMENTS: tuple[Path, ...] = (
    ("project", "dependencies"),
    ("project", "optional-dependencies", "*"),
    ("dependency-groups", "*"),
    ("tool", "uv", "dev-dependencies"),
    ("tool", "uv", "constraint-dependencies"),
    ("tool", "uv", "override-dependencies"),
    ("tool", "pdm", "dev-dependencies", "*"),
)
"""Arrays of PEP 508 texts; ``*`` is any key."""

_POETRY: tuple[Path, ...] = (
    ("tool", "poetry", "dependencies"),
    ("tool", "poetry", "dev-dependencies"),
    ("tool", "poetry", "group", "*", "dependencies"),
)
"""Tables of Poetry constraints by package name."""

_UV_SOURCES: Path = ("tool", "uv", "sources")

_LOCATIONS = (("git", "vcs"), ("url", "url"), ("path", "path"), ("file", "path"))
"""Keys that say where a package is, and the kind of requirement that they make."""

_GIT_REFS = ("rev", "tag", "branch")

_LINUX_NAMES = ("linux", "")


def read(source: Source) -> Iterator[Requirement | Skip]:
    """All packages that the file asks for, in the order of the tables above."""
    try:
        toml = parse(source.text)
    except TomlError as error:
        yield refusal(source, error)
        return
    project = _Project(source, toml)
    count = 0
    for item in (*project.requirements(), *project.poetry()):
        if isinstance(item, Requirement):
            yield replace(item, owner=source.owner.child("requirement", count))
            count += 1
        else:
            yield item


@dataclass(frozen=True, slots=True)
class _Claim:
    """What an entry says of its package; ``end`` is where it ends when it names no version."""

    kind: str
    version: Value | None = None
    specifier: Value | None = None
    end: Span | None = None


@dataclass(frozen=True, slots=True)
class _Project:
    """A pyproject.toml: its text with the data and the places."""

    source: Source
    toml: TomlText

    def requirements(self) -> Iterator[Requirement | Skip]:
        """PEP 508 texts, with the locations that uv takes some packages from."""
        located = dict(self._uv_sources())
        for pattern in _REQUIREMENTS:
            for path, node in self._tables(pattern):
                for item in self._array(path, node):
                    if isinstance(item, Requirement) and item.name == self._own_name():
                        continue  # an extra made of others: the project asks for itself
                    if isinstance(item, Requirement) and item.name in located:
                        claim = located[item.name]
                        yield replace(
                            item,
                            kind=claim.kind,
                            version=claim.version,
                            specifier=claim.specifier,
                        )
                    else:
                        yield item

    def _own_name(self) -> str:
        project = self.toml.data.get("project")
        name = project.get("name") if isinstance(project, dict) else None
        return normalise(name) if isinstance(name, str) else ""

    def poetry(self) -> Iterator[Requirement | Skip]:
        """Constraints in Poetry's own tables."""
        for pattern in _POETRY:
            for path, table in self._tables(pattern):
                for name, node in table.items() if isinstance(table, dict) else ():
                    if name != "python":
                        yield from self._poetry_entry((*path, name), node)

    def _tables(self, pattern: Path) -> Iterator[tuple[Path, object]]:
        """Every node whose path fits ``pattern``."""
        found: list[tuple[Path, object]] = [((), self.toml.data)]
        for step in pattern:
            found = [
                ((*path, key), child)
                for path, node in found
                if isinstance(node, dict)
                for key, child in node.items()
                if step in ("*", key)
            ]
        yield from found

    def _array(self, path: Path, node: object) -> Iterator[Requirement | Skip]:
        if not isinstance(node, list):
            yield self._refuse(path, "expected an array of requirements")
            return
        for index, item in enumerate(node):
            if isinstance(item, dict):
                continue  # {include-group = "..."}: the strings of that group are read anyway
            found = self._requirement((*path, index))
            if found is not None:
                yield found

    def _requirement(self, path: Path) -> Requirement | Skip | None:
        string = self.toml.strings.get(path)
        if string is None:
            return self._refuse(path[:-1], "expected only requirements in the array")
        text = embed(self.source, string, "requirement")
        if not text.text.strip():
            return self._refuse(path[:-1], "expected a requirement, not an empty text")
        if text.text.startswith("-e "):
            return read_location(text.slice(3, len(text.text), "requirement"))
        return read_requirement(text)

    def _uv_sources(self) -> Iterator[tuple[str, _Claim]]:
        for path, table in self._tables((*_UV_SOURCES, "*")):
            entries = enumerate(table) if isinstance(table, list) else ((None, table),)
            for index, entry in entries:
                place = path if index is None else (*path, index)
                claim = self._located(place, path, entry)
                if claim is not None and not _elsewhere(entry):
                    yield normalise(str(path[-1])), claim
                    break

    def _located(self, path: Path, key: Path, entry: object) -> _Claim | None:
        """What a table such as ``{git = "...", tag = "..."}`` says; None without a location."""
        if not isinstance(entry, dict):
            return None
        for word, kind in _LOCATIONS:
            place = (*path, word)
            location = self._value(place)
            if location is not None and kind == "vcs":
                return _Claim(kind, specifier=self._at_ref(path, location))
            if location is not None:
                return _Claim(kind, self._wheel_version(place, str(key[-1])), location)
        if entry.get("workspace") is True:
            span = self._key_span((*path, "workspace"))
            return _Claim("path", specifier=known("workspace", span))
        return None

    def _at_ref(self, path: Path, location: Value) -> Value:
        """A location with the branch, tag or commit that stands beside it: ``url@ref``."""
        found = (self._value((*path, key)) for key in _GIT_REFS)
        ref = next((value for value in found if value is not None), None)
        if ref is None:
            return location
        parts = (*location.readings[0], Text("@"), Text(ref.written, (ref.span,)))
        return Value((parts,), location.span)

    def _wheel_version(self, path: Path, name: str) -> Value | None:
        """The version that the file name of a wheel tells."""
        file = read_location(embed(self.source, self.toml.strings[path], "requirement"))
        named = isinstance(file, Requirement) and file.name == normalise(name)
        return file.version if isinstance(file, Requirement) and named else None

    def _poetry_entry(self, path: Path, node: object) -> Iterator[Requirement | Skip]:
        """One package: a constraint, a table, or an array of these."""
        if isinstance(node, list):
            for index, entry in enumerate(node):
                yield from self._poetry_one((*path, index), path, entry)
        else:
            yield from self._poetry_one(path, path, node)

    def _poetry_one(self, path: Path, key: Path, node: object) -> Iterator[Requirement | Skip]:
        if isinstance(node, str):
            yield self._constrained(path, key)
            return
        if not isinstance(node, dict):
            yield self._refuse(key, "expected a constraint or a table")
            return
        if _elsewhere(node):
            return
        claim = self._located(path, key, node)
        if claim is not None:
            yield self._fact(key, claim)
        elif "version" in node:
            yield self._constrained((*path, "version"), key)
        elif not self._declared_above:
            yield self._fact(key, _Claim("unpinned"))

    @property
    def _declared_above(self) -> bool:
        """True when ``[project]`` lists the packages and Poetry's tables only add to it."""
        project = self.toml.data.get("project")
        return isinstance(project, dict) and "dependencies" in project

    def _constrained(self, path: Path, key: Path) -> Requirement | Skip:
        """A package with a constraint at ``path``, quoted as written, read as PEP 440."""
        written = self._value(path)
        specifiers = to_pep440(written.written) if written else None
        if written is None or specifiers is None:
            return self._refuse(key, "expected a version constraint")
        if "" in specifiers:
            return self._fact(key, _Claim("unpinned", end=written.span))
        exact = exact_version(specifiers[0]) if len(specifiers) == 1 else ""
        if exact:
            return self._fact(key, _Claim("pinned", version=self._exact(path, exact)))
        readings = (known(specifier, written.span) for specifier in specifiers)
        return self._fact(key, _Claim("range", specifier=one_of(readings, written.span)))

    def _exact(self, path: Path, version: str) -> Value:
        text = embed(self.source, self.toml.strings[path], "requirement")
        start = text.text.index(version)
        return known(version, text.span(start, start + len(version)))

    def _value(self, path: Path) -> Value | None:
        """The string at ``path`` and its place."""
        string = self.toml.strings.get(path)
        if string is None:
            return None
        span = self.source.span(string.start, string.end)
        return known(decode(self.source.text, string)[0], span)

    def _key_span(self, path: Path) -> Span:
        return self.source.span(*self.toml.keys[path])

    def _fact(self, key: Path, claim: _Claim) -> Requirement:
        """The requirement that the entry at ``key`` makes, from its name to its value."""
        span = self._key_span(key)
        values = (value.span.end for value in (claim.version, claim.specifier) if value)
        end = max(*values, claim.end.end if claim.end else 0, span.end)
        return Requirement(
            span=replace(span, end=end),
            owner=self.source.owner,
            name=normalise(str(key[-1])),
            kind=claim.kind,
            version=claim.version,
            specifier=claim.specifier,
        )

    def _refuse(self, path: Path, detail: str) -> Skip:
        return Skip(self.source.path, "read", "syntax", detail, self._key_span(path))


def _elsewhere(entry: object) -> bool:
    """True for an entry that no Linux machine takes."""
    if not isinstance(entry, dict):
        return False
    markers = (entry.get("markers"), entry.get("marker"))
    if any(isinstance(marker, str) and never_on_linux(marker) for marker in markers):
        return True
    platform = entry.get("platform", "")
    return isinstance(platform, str) and platform not in _LINUX_NAMES
