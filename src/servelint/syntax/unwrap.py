"""What a command line really runs, behind all that stands before it.

``sudo docker run -e A=1 IMAGE numactl -N 0 python3 server.py`` runs ``python3`` in ``IMAGE`` with
``A=1``. Prefixes and entries into containers are taken off in turns.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from servelint.syntax.containers import enter
from servelint.syntax.prefixes import strip_prefixes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from servelint.value import Value

MAX_LAYERS = 6
"""Containers in containers: more than this is nobody's command."""

_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=", re.ASCII)


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """The command inside: the words from index ``at``, after ``entrypoint``.

    ``image`` is the image that it runs in; ``entered`` names a container that
    exists already, ``named`` one that this command makes. ``apart`` says that
    it has packages of its own, ``installs`` names some of them.
    """

    at: int = 0
    entrypoint: tuple[Value, ...] = ()
    env: tuple[tuple[str, Value], ...] = ()
    image: Value | None = None
    entered: str = ""
    named: str = ""
    apart: bool = False
    env_files: tuple[Value, ...] = ()
    installs: tuple[Value, ...] = ()


def unwrap(argv: Sequence[Value]) -> Unwrapped:
    """Take off what stands before the command that really runs."""
    done = Unwrapped()
    for _ in range(MAX_LAYERS):
        following = _layer(argv, done)
        if following is None:
            break
        done = following
    return done


def _layer(argv: Sequence[Value], done: Unwrapped) -> Unwrapped | None:
    """One prefix or container less; None when there is none to take off."""
    if done.entrypoint:
        return None
    stripped = strip_prefixes(argv[done.at :])
    at = done.at + stripped.at
    image, apart = stripped.image or done.image, stripped.apart or done.apart
    env = (*done.env, *stripped.env)
    entry = enter(argv[at:])
    if entry is None:
        if stripped.at == 0 and not stripped.env:
            return None
        return replace(done, at=at, env=env, image=image, apart=apart, installs=stripped.installs)
    return Unwrapped(
        at=at + entry.at,
        entrypoint=entry.entrypoint,
        env=(*env, *_assigned(entry.env)),
        image=entry.image or image,
        entered="" if entry.image is not None else entry.name,
        named=entry.name if entry.image is not None else done.named,
        apart=True,
        env_files=(*done.env_files, *entry.env_files),
        installs=() if entry.image is not None else stripped.installs,
    )


def _assigned(words: Sequence[Value]) -> tuple[tuple[str, Value], ...]:
    """``NAME=value`` words as names and values; a bare ``NAME`` passes on what is set."""
    matches = ((word, _ASSIGNMENT.match(word.head)) for word in words)
    return tuple((match[1], word.tail(match.end())) for word, match in matches if match)
