"""Files that build the Dockerfiles of a root, and Dockerfiles that files build.

Neither needs to hold a word of a product: a tag may be given where the
repository is not named.
"""

from __future__ import annotations

import os
from dataclasses import replace

from servelint.builds import builds_of, candidates
from servelint.discover import discover, read_text
from servelint.facts import Env, Image, Launch, Requirement, Setting, Uses
from servelint.read import Reading, read_file
from servelint.readers import claim
from servelint.syntax.image_builds import build_command
from servelint.value import Open

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from servelint.facts import Fact
    from servelint.value import Value

DOCKERFILE = "dockerfile"

_MARKS = (
    *(b"--build-arg", b"build-args:", b"docker build", b"podman build"),
    *(b"buildah", b"nerdctl build"),
)
"""What a file that builds an image holds; a compose file only says ``build:``."""

_COMPOSE = b"build:"
BAKES = {"docker-bake.json": "yaml", "docker-bake.hcl": "hcl"}
"""Names of bake files, with the language in which to read them."""

_LANGUAGES = frozenset({"yaml", "shell", "shebang", "makefile", "justfile"})


def dockerfiles(root: str, facts: Iterable[Fact]) -> dict[str, str]:
    """The Dockerfiles that facts build, with the language in which to read them."""
    found: dict[str, str] = {}
    for fact in facts:
        there = (path for path in candidates(fact) if os.path.isfile(os.path.join(root, path)))
        path = next(there, None)
        if path is not None and not path.startswith(".."):
            found[path] = DOCKERFILE
    return found


def builders(root: str, readings: Mapping[str, Reading]) -> dict[str, Reading]:
    """What other files of the root say of how the Dockerfiles that were read are built.

    Asked only when a Dockerfile waits for arguments. What else such a file says stays unread.
    """
    waiting = [one for one in readings.values() if any(map(_waits, one.facts))]
    if not waiting:
        return {}
    stages = tuple(fact for one in waiting for fact in one.facts)
    found: dict[str, Reading] = {}
    listed = dict.fromkeys(discover(root, (), (*_MARKS, _COMPOSE)).paths, "")
    for path, language in (listed | dict(_bakes(root, waiting))).items():
        if path not in readings and (language or _may_build(root, path)):
            reading = _of_builds(read_file(root, path, language))
            if reading.facts and builds_of((*stages, *reading.facts)):
                found[path] = reading
    return found


def _bakes(root: str, waiting: Iterable[Reading]) -> Iterator[tuple[str, str]]:
    """The bake files beside Dockerfiles and above them."""
    for reading in waiting:
        directory = reading.path
        while directory:
            directory = os.path.dirname(directory)
            for name, language in BAKES.items():
                path = os.path.join(directory, name)
                if os.path.isfile(os.path.join(root, path)):
                    yield path, language


def _waits(fact: Fact) -> bool:
    """True for a fact of a Dockerfile that an argument may change."""
    if not isinstance(fact, Image | Env | Requirement) or fact.owner.steps[:1] != ("stage",):
        return False
    values: tuple[Value | None, ...]
    match fact:
        case Image():
            values = (fact.reference,)
        case Env():
            values = (fact.value,)
        case _:
            values = (fact.version, fact.specifier)
    return any(
        isinstance(part, Open) and part.name.startswith("ARG ")
        for value in values
        if value is not None
        for parts in value.readings
        for part in parts
    )


def _may_build(root: str, path: str) -> bool:
    if claim(path) not in _LANGUAGES:
        return False
    if "compose" in path.rpartition("/")[2].lower():
        return True
    text = read_text(root, path)
    return isinstance(text, str) and any(mark.decode() in text for mark in _MARKS)


def _of_builds(reading: Reading) -> Reading:
    """The builds of a file, and the environment that tells with which values."""
    return replace(reading, facts=tuple(_kept(reading.facts)), skips=())


def _kept(facts: Iterable[Fact]) -> Iterator[Fact]:
    for fact in facts:
        is_build = isinstance(fact, Launch) and build_command(fact.argv) is not None
        is_file = isinstance(fact, Uses) and fact.how != "container"
        if is_build or is_file or isinstance(fact, Env | Setting):
            yield fact
