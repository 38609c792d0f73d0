"""Tables of packages in TOML, as several tools write them: ``name = "^1.0"``, ``name = {...}``."""

from __future__ import annotations

from dataclasses import dataclass, replace

from servelint.facts import Requirement
from servelint.finding import Skip
from servelint.syntax.markers import never_on_linux
from servelint.syntax.package_name import normalise
from servelint.syntax.pep508 import location_kind, read_location
from servelint.syntax.poetry_constraint import exact_version, to_pep440
from servelint.syntax.toml_scanner import decode
from servelint.syntax.toml_strings import embed
from servelint.value import Text, Value, known, one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from servelint.source import Source, Span
    from servelint.syntax.toml_scanner import Path
    from servelint.syntax.toml_strings import TomlText

    Constraint = Callable[[str], tuple[str, ...] | None]
    """From a constraint as written to PEP 440: see :func:`to_pep440`."""

_LOCATIONS = (("git", "vcs"), ("hg", "vcs"), ("url", "url"), ("path", "path"), ("file", "path"))
"""Keys that say where a package is, and the kind of requirement that they make."""

_GIT_REFS = ("rev", "tag", "branch", "ref")
_LINUX_NAMES = ("linux", "")
_MARKERS = ("sys_platform", "platform_system", "os_name")
"""Keys of Pipenv, each with the rest of a comparison: ``sys_platform = "== 'linux'"``."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What an entry says of its package; ``end`` is where it ends when it names no version."""

    kind: str
    version: Value | None = None
    specifier: Value | None = None
    end: Span | None = None
    extras: tuple[str, ...] = ()


def numbered(source: Source, found: Iterable[Requirement | Skip]) -> Iterator[Requirement | Skip]:
    """The packages of a file, each owned by a place of its own in the order of the file."""
    count = 0
    for item in found:
        if isinstance(item, Requirement):
            yield replace(item, owner=source.owner.child("requirement", count))
            count += 1
        else:
            yield item


@dataclass(frozen=True, slots=True)
class TomlPackages:
    """A text with its data and places.

    ``constraint`` reads what stands for a version. ``lists_all`` is False where
    an entry without a version only adds to what another table says.
    """

    source: Source
    toml: TomlText
    constraint: Constraint = to_pep440
    lists_all: bool = True

    def tables(self, pattern: Path) -> Iterator[tuple[Path, object]]:
        """Every node whose path fits ``pattern``, in which ``*`` is any key."""
        found: list[tuple[Path, object]] = [((), self.toml.data)]
        for step in pattern:
            found = [
                ((*path, key), node[key])
                for path, node in found
                if isinstance(node, dict)
                for key in (node if step == "*" else (step,) if step in node else ())
            ]
        yield from found

    def packages(self, pattern: Path) -> Iterator[tuple[str, Requirement | Skip]]:
        """Normalised name and reading of each entry of the tables that fit ``pattern``."""
        for path, table in self.tables(pattern):
            for name in table if isinstance(table, dict) else ():
                for item in self.entry((*path, name), table[name]):  # type: ignore[index]
                    yield normalise(name), item

    def entry(self, path: Path, node: object) -> Iterator[Requirement | Skip]:
        """One package: a constraint, a table, or an array of these."""
        if isinstance(node, list):
            for index, each in enumerate(node):
                yield from self._one((*path, index), path, each)
        else:
            yield from self._one(path, path, node)

    def _one(self, path: Path, key: Path, node: object) -> Iterator[Requirement | Skip]:
        if isinstance(node, str):
            yield self._constrained(path, key)
            return
        if not isinstance(node, dict):
            yield self.refuse(key, "expected a constraint or a table")
            return
        if elsewhere(node):
            return
        claim = self.located(path, key, node)
        extras = _extras(node)
        if claim is not None:
            yield self._fact(key, claim)
        elif "version" in node:
            yield self._constrained((*path, "version"), key, extras)
        elif self.lists_all:
            yield self._fact(key, Claim("unpinned", extras=extras))

    def located(self, path: Path, key: Path, entry: object) -> Claim | None:
        """What a table such as ``{git = "...", tag = "..."}`` says; None without a location."""
        if not isinstance(entry, dict):
            return None
        extras = _extras(entry)
        for word, kind in _LOCATIONS:
            place = (*path, word)
            location = self.value(place)
            if location is not None and kind == "vcs":
                return Claim(kind, specifier=self._at_ref(path, location), extras=extras)
            if location is not None:
                is_fetched = word == "file" and location_kind(location.written) == "url"
                version = self._wheel_version(place, str(key[-1]))
                return Claim("url" if is_fetched else kind, version, location, extras=extras)
        if entry.get("workspace") is True:
            span = self.key_span((*path, "workspace"))
            return Claim("path", specifier=known("workspace", span), extras=extras)
        return None

    def _at_ref(self, path: Path, location: Value) -> Value:
        """A location with the branch, tag or commit that stands beside it: ``url@ref``."""
        found = (self.value((*path, key)) for key in _GIT_REFS)
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

    def _constrained(
        self, path: Path, key: Path, extras: tuple[str, ...] = ()
    ) -> Requirement | Skip:
        """A package with a constraint at ``path``, quoted as written, read as PEP 440."""
        written = self.value(path)
        specifiers = self.constraint(written.written) if written else None
        if written is None or specifiers is None:
            return self.refuse(key, "expected a version constraint")
        if "" in specifiers:
            return self._fact(key, Claim("unpinned", end=written.span, extras=extras))
        exact = exact_version(specifiers[0]) if len(specifiers) == 1 else ""
        if exact:
            version = self._exact(path, exact)
            return self._fact(key, Claim("pinned", version=version, extras=extras))
        readings = (known(specifier, written.span) for specifier in specifiers)
        wanted = one_of(readings, written.span)
        return self._fact(key, Claim("range", specifier=wanted, extras=extras))

    def _exact(self, path: Path, version: str) -> Value:
        text = embed(self.source, self.toml.strings[path], "requirement")
        start = text.text.index(version)
        return known(version, text.span(start, start + len(version)))

    def value(self, path: Path) -> Value | None:
        """The string at ``path`` and its place."""
        string = self.toml.strings.get(path)
        if string is None:
            return None
        span = self.source.span(string.start, string.end)
        return known(decode(self.source.text, string)[0], span)

    def key_span(self, path: Path) -> Span:
        """Where the key at ``path`` stands."""
        return self.source.span(*self.toml.keys[path])

    def _fact(self, key: Path, claim: Claim) -> Requirement:
        """The requirement that the entry at ``key`` makes, from its name to its value."""
        span = self.key_span(key)
        values = (value.span.end for value in (claim.version, claim.specifier) if value)
        end = max(*values, claim.end.end if claim.end else 0, span.end)
        return Requirement(
            span=replace(span, end=end),
            owner=self.source.owner,
            name=normalise(str(key[-1])),
            kind=claim.kind,
            version=claim.version,
            specifier=claim.specifier,
            extras=claim.extras,
        )

    def refuse(self, path: Path, detail: str) -> Skip:
        """The skip of an entry that cannot be read."""
        return Skip(self.source.path, "read", "syntax", detail, self.key_span(path))


def _extras(entry: dict[str, object]) -> tuple[str, ...]:
    """The extras that an entry asks for."""
    listed = entry.get("extras", ())
    names = listed if isinstance(listed, list) else (listed,)
    return tuple(dict.fromkeys(normalise(name) for name in names if isinstance(name, str)))


def elsewhere(entry: object) -> bool:
    """True for an entry that no Linux machine takes."""
    if not isinstance(entry, dict):
        return False
    markers = [entry.get("markers"), entry.get("marker")]
    markers += [f"{name} {entry[name]}" for name in _MARKERS if isinstance(entry.get(name), str)]
    if any(isinstance(marker, str) and never_on_linux(marker) for marker in markers):
        return True
    platform = entry.get("platform", "")
    return isinstance(platform, str) and platform not in _LINUX_NAMES
