"""Which files make up an Ansible project."""

from __future__ import annotations

import re
from dataclasses import dataclass

from servelint.readers import unwrapped
from servelint.unit import Unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from servelint.unit import Files

KIND = "ansible"

MAX_FILES = 1_000
"""Files of one project; the rest of them is read one by one."""

MAX_PLAYBOOKS = 100
"""Files that are opened to see whether a directory holds a playbook."""

_ROLE = re.compile(
    r"(?P<top>(?:.*/)?)roles/(?P<role>[^/]+)/(?P<part>tasks|handlers|defaults|vars|templates)/"
)
_GROUPS = re.compile(r"(?P<top>(?:.*/)?)(?:group_vars|host_vars)/")
_YAML = re.compile(r"\.ya?ml\Z")
_INVENTORY = re.compile(r"(?:.*/)?(?:inventory[\w.-]*|hosts)\.ya?ml\Z")
_PLAY = re.compile(r"^(?:- |  )hosts:[ \t]*\S", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Project:
    """The files of a project by what they are; ``top`` is its directory, with a slash or empty."""

    top: str
    playbooks: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    inventories: tuple[str, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """All of them, in order."""
        found = {*self.playbooks, *self.roles, *self.groups}
        return tuple(sorted(found))[:MAX_FILES]

    @staticmethod
    def of(unit: Unit, files: Files) -> Project:
        """The project of a unit."""
        top = "" if unit.path == "." else f"{unit.path}/"
        return _project(top, _tops(files), files)


def units(files: Files) -> Iterator[Unit]:
    """The projects that hold a relevant file."""
    tops = _tops(files) if files.relevant else ()
    for top in tops:
        if not _is_over(top, files.relevant):
            continue
        project = _project(top, tops, files)
        if not files.relevant.isdisjoint(project.files):
            yield Unit(KIND, top.rstrip("/") or ".", project.files)


def role_of(path: str) -> str:
    """The role that a file belongs to; empty for a file of none."""
    match = _ROLE.match(path)
    return match["role"] if match else ""


def _tops(files: Files) -> tuple[str, ...]:
    """The directories of projects: those above roles with tasks, and of relevant playbooks."""
    found: set[str] = set()
    for path in files.names:
        match = _ROLE.match(path) if "roles/" in path else None
        if match is not None and match["part"] == "tasks" and _YAML.search(path):
            found.add(match["top"])
    groups = {match["top"] for path in files.names if (match := _GROUPS.match(path)) is not None}
    for top in sorted(groups - found):
        if _is_over(top, files.relevant) and _has_playbook(top, files):
            found.add(top)
    for path in sorted(files.relevant):
        if _YAML.search(path) and not _ROLE.match(path) and _is_playbook(path, files):
            directory = path.rpartition("/")[0]
            top = directory.removesuffix("playbooks").rstrip("/")
            found.add(f"{top}/" if top else "")
    return tuple(sorted(found))


def _is_over(top: str, paths: Iterable[str]) -> bool:
    return any(path.startswith(top) for path in paths)


def _has_playbook(top: str, files: Files) -> bool:
    beside = (path for path in files.names if path.startswith(top) and _YAML.search(path))
    direct = [path for path in beside if "/" not in path[len(top) :]]
    return any(_is_playbook(path, files) for path in direct[:MAX_PLAYBOOKS])


def _is_playbook(path: str, files: Files) -> bool:
    text = files.text(path)
    return text is not None and _PLAY.search(text) is not None


def _project(top: str, tops: Iterable[str], files: Files) -> Project:
    others = tuple(one for one in tops if one != top and one.startswith(top))
    own = [
        path
        for path in files.names
        if path.startswith(top) and not path.startswith(others) and _may_be(path)
    ]
    beside = [
        path
        for path in own
        if path.removeprefix(top).removeprefix("playbooks/").count("/") == 0 and _YAML.search(path)
    ]
    return Project(
        top=top,
        playbooks=tuple(path for path in beside if _is_playbook(path, files)),
        roles=tuple(path for path in own if _ROLE.match(path)),
        groups=tuple(path for path in own if _GROUPS.match(path) and not _ROLE.match(path)),
        inventories=tuple(path for path in own if _INVENTORY.match(path)),
    )


def _may_be(path: str) -> bool:
    return bool(_YAML.search(path) or unwrapped(path) or path.endswith("/all"))
