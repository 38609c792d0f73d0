"""What people say runs where no file can tell: the version in an image, or below a path."""

from __future__ import annotations

from dataclasses import dataclass, field

from servelint.reference import split_reference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from re import Pattern

    from servelint.pools import PoolRecord
    from servelint.reference import Reference
    from servelint.source import Span

HOME = ("", "docker.io", "index.docker.io", "registry-1.docker.io")
"""How the registry is written that a reference without one means."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One entry: the version of a package in an image, or in what is launched below some paths.

    ``span`` is where the version, or else the entry, is written. ``fixes`` and ``absent``
    are the numbers of pull requests that were found, or looked for and not found, in the code.
    ``waives`` are advisories that do not hold for it, for the ``reason`` that is given.
    ``date`` and ``until`` are YYYY-MM-DD; the entry counts up to and on that day. An
    entry about an image has a ``reference``, and the ``digest`` that it had if it was
    looked at; the others have ``paths``.
    """

    span: Span
    package: str
    version: str
    evidence: str
    until: str = ""
    reference: str = ""
    digest: str = ""
    paths: tuple[Pattern[str], ...] = ()
    fixes: tuple[int, ...] = ()
    absent: tuple[int, ...] = ()
    waives: tuple[str, ...] = ()
    reason: str = ""
    by: str = ""
    date: str = ""

    def is_expired(self, today: str) -> bool:
        """True after its last day. ``today`` is YYYY-MM-DD; empty: nothing expires."""
        return bool(self.until) and self.until < today

    def match(self, found: Reference) -> str:
        """Whether it speaks of an image.

        ``yes``, ``no``, ``tag`` when it knows the tag and not the digest that stands beside
        it, or ``moved`` when the tag is recorded with another digest.
        """
        own = split_reference(self.reference)
        digest = self.digest or own.digest
        is_same = _name(own) == _name(found)
        if found.digest and digest:
            if found.digest == digest:
                return "yes"
            return "moved" if is_same and found.tag and not own.digest else "no"
        if not is_same or not own.repository or own.digest:
            return "no"
        return "tag" if found.digest else "yes"


def _name(reference: Reference) -> tuple[str, str, str]:
    """Registry, repository and tag as a client would complete them."""
    registry = "" if reference.registry in HOME else reference.registry.lower()
    return registry, reference.repository.lower(), reference.tag or "latest"


@dataclass(frozen=True, slots=True)
class Said:
    """All statements of a root, the day of the run, and the texts of the files they stand in.

    ``pools`` are the numbers of servers that ran.
    """

    images: tuple[Statement, ...] = ()
    paths: tuple[Statement, ...] = ()
    today: str = ""
    texts: dict[str, str] = field(default_factory=dict)
    pools: tuple[PoolRecord, ...] = ()

    def of_path(self, path: str, packages: Iterable[str]) -> Statement | None:
        """The first statement in force about what a file launches."""
        return next(
            (
                one
                for one in self.paths
                if one.package in packages
                and not one.is_expired(self.today)
                and any(pattern.fullmatch(path) for pattern in one.paths)
            ),
            None,
        )

    def expired(self) -> tuple[Statement, ...]:
        """What no longer counts."""
        return tuple(one for one in (*self.images, *self.paths) if one.is_expired(self.today))
