"""The logs that a command is given: opened one at a time, with what people say of them."""

from __future__ import annotations

from servelint.config import MAX_QUOTE, ConfigError
from servelint.pools import ROLES, LogOptions
from servelint.versions import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO

STDIN = "-"
"""The name of the standard input."""


def opened(names: Sequence[str], stdin: BinaryIO | None) -> Iterator[tuple[str, BinaryIO]]:
    """Each name with its open file, which is closed when the next one is asked for.

    A pipe is as good as a file. Raises :class:`ConfigError` for what cannot be opened.
    """
    if names.count(STDIN) > 1:
        raise ConfigError("the standard input (-) can be read once only")
    for name in names:
        if name == STDIN:
            if stdin is None:
                raise ConfigError("there is no standard input to read")
            yield name, stdin
            continue
        try:
            file = open(name, "rb")  # noqa: SIM115  # closed below, when it was read
        except OSError as error:
            raise ConfigError(f"{name}: cannot be read: {error.strerror}") from error
        with file:
            yield name, file


def log_options(roles: Sequence[str], versions: Sequence[str]) -> LogOptions:
    """What ``NAME=prefill`` and ``NAME=0.5.22`` (or ``0.5.22``, for all others) say.

    Raises :class:`ConfigError` for anything else.
    """
    said = dict(_pair(word, "a role, as in FILE=prefill") for word in roles)
    allowed = [role for role in ROLES if role != "unknown"]
    for name, role in said.items():
        if not name or role not in allowed:
            wrong = f"{name}={role}"
            wanted = f"expected a file or a server, and one of {', '.join(allowed)}"
            raise ConfigError(f"{wrong!r:.{MAX_QUOTE}}: {wanted}")
    known = dict(_pair(word, "a version, as in FILE=0.5.22") for word in versions)
    for version in known.values():
        if parse(version) is None:
            raise ConfigError(f"{version!r:.{MAX_QUOTE}}: no version (PEP 440)")
    return LogOptions(roles=said, versions=known)


def _pair(word: str, wanted: str) -> tuple[str, str]:
    name, _, value = word.rpartition("=")
    if not value.strip():
        raise ConfigError(f"{word!r:.{MAX_QUOTE}}: expected {wanted}")
    return name, value.strip()
