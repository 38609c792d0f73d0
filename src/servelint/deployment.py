"""What would run: invocations, components, their versions, deployments."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.engine import Engine
    from servelint.facts import Env, Image, Launch, Requirement, Setting
    from servelint.pools import PoolRecord
    from servelint.source import Route
    from servelint.value import Value
    from servelint.verdict import Place


@dataclass(frozen=True, slots=True)
class Flag:
    """An option as given. ``value`` is None for an option without one."""

    name: str
    written: Value
    value: Value | None


@dataclass(frozen=True, slots=True)
class Invocation:
    """A launch read with the tables of an engine.

    ``engine`` is None when no known engine owns the program. ``program`` is as
    written. ``open`` says that unread words may hold more options, so that the
    absence of an option proves nothing. ``roles`` are the roles that the
    launch may have: one, or several when its value is one of several.
    """

    launch: Launch
    engine: Engine | None
    program: str
    kind: str
    roles: tuple[str, ...]
    flags: tuple[Flag, ...]
    open: bool

    def last(self, name: str) -> Flag | None:
        """The occurrence of an option that counts: the last one."""
        return next((flag for flag in reversed(self.flags) if flag.name == name), None)

    def gives(self, name: str) -> bool:
        """True where an option is given, or a key of the object that it takes."""
        return any(flag.name == name or flag.name.startswith(f"{name}.") for flag in self.flags)

    def alike(self, pattern: str) -> tuple[Flag, ...]:
        """The options whose names fit a pattern with ``*``, each as it counts."""
        head, star, _ = pattern.partition("*")
        if not star:
            flag = self.last(pattern)
            return () if flag is None else (flag,)
        likely = (flag for flag in self.flags if flag.name.startswith(head))  # most are not
        fitting = {flag.name: flag for flag in likely if fnmatchcase(flag.name, pattern)}
        return tuple(fitting.values())


@dataclass(frozen=True, slots=True)
class Release:
    """An exact version (PEP 440).

    ``fixes`` are pull requests that are proven to be in the code, ``absent`` those
    that are proven not to be: there the version is not asked.
    """

    version: str
    fixes: tuple[int, ...] = ()
    absent: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Range:
    """The releases that a specifier (PEP 440) admits, known ones and later."""

    specifier: str


@dataclass(frozen=True, slots=True)
class Build:
    """A build of a branch: ``date`` is YYYY-MM-DD or empty, ``commit`` a hash or empty.

    ``is_bound``: it was made on that day or before; no day is known. ``fixes`` and
    ``absent`` are as in :class:`Release`: there the day is not asked. ``hour`` is the
    hour (UTC, 0 to 23) of that day at which it is made; None where it is not known.
    """

    branch: str
    date: str
    commit: str = ""
    is_bound: bool = False
    fixes: tuple[int, ...] = ()
    absent: tuple[int, ...] = ()
    hour: int | None = None


Candidate = Release | Range | Build


@dataclass(frozen=True, slots=True)
class Resolution:
    """The version of a package: candidates, or the reason why there are none.

    ``via`` is digest, tag, map, user-map, lock, requirement, install, vcs,
    config or empty. ``detail`` tells people what would settle it.
    ``final`` says that no other evidence may answer (an image of the family).
    ``clears`` is false for evidence that may accuse but never acquit, such as
    a tag that can move or a lockfile beside a container. ``waives`` are the ids of
    advisories of which people state that they do not hold, ``waived`` says why.
    """

    package: str
    candidates: tuple[Candidate, ...] = ()
    reason: str = ""
    via: str = ""
    detail: str = ""
    confidence: str = "high"
    final: bool = True
    clears: bool = True
    evidence: tuple[Place, ...] = ()
    waives: tuple[str, ...] = ()
    waived: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Component:
    """One process that will run. Two with the same fields are still two processes.

    ``settings`` are those of the structures around it: which ports are published, say.
    ``pools`` are what servers of its engine and role once said of themselves.
    """

    owner: Route
    engine: Engine
    kind: str
    role: str
    variant: str
    invocation: Invocation
    env: tuple[Env, ...]
    image: Image | None
    requirements: tuple[Requirement, ...]
    resolution: Resolution
    settings: tuple[Setting, ...] = ()
    pools: tuple[PoolRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class Deployment:
    """Components that talk to each other; ``links`` say by which key each was joined."""

    components: tuple[Component, ...]
    links: tuple[str, ...]
