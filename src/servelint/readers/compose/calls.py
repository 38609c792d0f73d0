"""Commands that name the files of a compose project: ``docker compose -f a.yaml -f b.yaml up``."""

from __future__ import annotations

from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from servelint.facts import Launch

PROGRAMS = (("docker", "compose"), ("podman", "compose"), ("docker-compose",), ("podman-compose",))

FILES = ("-f", "--file")
ENVIRONMENTS = ("--env-file",)
VALUES = frozenset(
    {
        *FILES,
        *ENVIRONMENTS,
        *("-p", "--project-name", "--project-directory", "--profile", "--ansi", "--progress"),
        *("--parallel", "--context", "-c", "-H", "--host"),
    }
)
"""Options that take the next word."""


@dataclass(frozen=True, slots=True)
class Call:
    """The files that one command names, as it names them, and where the command stands."""

    directory: str
    files: tuple[str, ...]
    environments: tuple[str, ...]


def calls(launches: Iterable[Launch]) -> Iterator[Call]:
    """The commands that name files of a project; names that are not known name none."""
    for launch in launches:
        words = [word.text for word in launch.argv]
        words[:1] = [(words[0] or "").rpartition("/")[2]] if words else []
        for program in PROGRAMS:
            if tuple(words[: len(program)]) == program:
                found = _call(launch, words[len(program) :])
                if found is not None:
                    yield found


def _call(launch: Launch, words: list[str | None]) -> Call | None:
    files: list[str] = []
    environments: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        if word is None or not word.startswith("-"):
            break
        name, equals, value = word.partition("=")
        given: str | None = value
        if not equals and name in VALUES:
            at += 1
            given = words[at] if at < len(words) else None
        if name in FILES or name in ENVIRONMENTS:
            if given is None:
                return None
            (files if name in FILES else environments).append(given)
        at += 1
    directory = launch.span.path.rpartition("/")[0]
    return Call(directory, tuple(files), tuple(environments)) if files else None
