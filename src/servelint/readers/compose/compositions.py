"""Which compose files go together: by their names, by commands, and by what they leave out."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from servelint.readers.compose.calls import Call, calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.readers.compose.project import Project

MAIN = ("compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml")
OVERRIDE = tuple(
    f"{stem}.override.{suffix}"
    for stem in ("compose", "docker-compose")
    for suffix in ("yml", "yaml")
)
"""Names that compose looks for by itself, the first of each that is there counts."""

MAX_FILES = 2_000
"""Compose files of one root; of more, those that come first by name are read."""

LIGHT = frozenset(
    {
        *("image", "environment", "env_file", "deploy", "labels", "restart", "profiles"),
        *("container_name", "runtime", "shm_size", "ipc", "extra_hosts", "depends_on"),
    }
)
"""Fields that alone make no service: a file of such services lies over another one."""

_NAME = re.compile(r"(?:.*[._-])?compose(?:[._-].*)?\.ya?ml", re.IGNORECASE)
_COMPOSE_FILE = re.compile(r"^[ \t]*COMPOSE_FILE[ \t]*=[ \t]*[\"']?([^\"'\r\n#]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Composition:
    """Files that are merged in their order; ``variant`` is the one that tells it from others.

    ``environments`` are files that a command names instead of the ``.env`` beside the first file.
    """

    files: tuple[str, ...]
    variant: str = ""
    environments: tuple[str, ...] = ()

    @property
    def directory(self) -> str:
        """The project directory: paths begin there, and ``.env`` is looked for there."""
        return posixpath.dirname(self.files[0])


class Compositions:
    """The compositions of a root."""

    def __init__(self, project: Project) -> None:
        self._project = project

    @cached_property
    def directories(self) -> dict[str, list[str]]:
        """The files that are compose files by their name or by a command, by directory."""
        found: dict[str, list[str]] = defaultdict(list)
        named = [path for one in self._called for path in one.files]
        by_name = (path for path in self._project.names if _NAME.fullmatch(_base(path)))
        for path in sorted({*named, *by_name})[:MAX_FILES]:
            found[posixpath.dirname(path)].append(path)
        return found

    def of(self, directory: str) -> tuple[Composition, ...]:
        """The compositions whose first file stands in a directory."""
        paths = self.directories.get(directory, [])
        by_name = {_base(path): path for path in paths}
        main = next((by_name[name] for name in MAIN if name in by_name), None)
        called = [one for one in self._called if one.directory == directory]
        taken = {path for one in self._called for path in one.files[1:]}
        default = self._default(directory, main, by_name)
        taken.update(path for one in default for path in one.files[1:])
        overs = [path for path in paths if path not in taken and path != main]
        overlays = [
            Composition((main, path), path)
            for path in overs
            if main is not None and self._lies_over(path, main)
        ]
        under = {one.files[0] for one in called if len(one.files) > 1}
        under |= {one.files[0] for one in overlays if not self._is_whole(one.files[0])}
        alone = {one.files[0] for one in called if len(one.files) == 1}
        kept = [one for one in default if len(one.files) > 1 or one.files[0] not in under - alone]
        spoken = {path for one in (*default, *called, *overlays) for path in one.files} | taken
        single = [Composition((path,)) for path in overs if path not in spoken]
        there = {(one.files, one.environments) for one in kept}
        others = (one for one in called if (one.files, one.environments) not in there)
        return (*kept, *others, *overlays, *single)

    def _default(
        self, directory: str, main: str | None, by_name: dict[str, str]
    ) -> tuple[Composition, ...]:
        """What ``docker compose up`` takes there, also by ``COMPOSE_FILE``."""
        env = posixpath.join(directory, ".env")
        text = self._project.files.text(env) if env in self._project.names else None
        named = _COMPOSE_FILE.search(text) if text else None
        if named is not None:
            names = named[1].strip().split(":")
            files = [self._project.find(directory, name) for name in names]
            there = tuple(path for path in files if path is not None)
            if there and len(there) == len(files):
                return (Composition(there),)
        if main is None:
            return ()
        over = next((by_name[name] for name in OVERRIDE if name in by_name), None)
        return (Composition((main, over) if over is not None else (main,)),)

    def _lies_over(self, path: str, main: str) -> bool:
        """True for a file that is nothing without the main one: it only changes services of it."""
        below = self._project.services(main)
        own = self._project.services(path)
        changed = [service.members.keys() for name, service in own.items() if name in below]
        if any(not keys & {"image", "build", "extends"} for keys in changed):
            return True
        return bool(own) and len(changed) == len(own) and all(keys <= LIGHT for keys in changed)

    def _is_whole(self, main: str) -> bool:
        """True for a main file that runs by itself: no command says that others lie over it."""
        services = self._project.services(main).values()
        return all(service.members.keys() & {"image", "build", "extends"} for service in services)

    @cached_property
    def _called(self) -> tuple[Composition, ...]:
        """The compositions that commands name, each once."""
        found = (self._resolved(call) for call in calls(self._project.files.launches))
        return tuple(dict.fromkeys(one for one in found if one is not None))

    def _resolved(self, call: Call) -> Composition | None:
        """The files of a command, which runs in its own directory or in one above it."""
        for directory in _upwards(call.directory):
            found = [self._project.find(directory, name) for name in call.files]
            files = tuple(path for path in found if path is not None)
            if len(files) == len(found):
                named = (self._project.find(directory, name) for name in call.environments)
                environments = tuple(path for path in named if path is not None)
                variant = " + ".join(files[1:])
                return Composition(files, variant, environments)
        return None


def _upwards(directory: str) -> Iterator[str]:
    while directory:
        yield directory
        directory = posixpath.dirname(directory)
    yield ""


def _base(path: str) -> str:
    return path.rpartition("/")[2]
