"""How much a running server holds, as its own logs and metrics tell it, and what follows.

A *pool* is the store for the KV cache of one rank, a *context* the longest request that its
server advertises. Both count tokens.
"""

from __future__ import annotations

from dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from servelint.source import Span

ROLES = ("prefill", "decode", "both", "none", "unknown")
"""What a running server may be."""

PATHS = ("open", "may-be-open", "closed", "cannot-tell")
"""Whether some length of a request is refused by one half of a pair and taken by the other.

``closed`` is an answer about lengths only.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogOptions:
    """What people say of logs that cannot say it: by file, or by the name before its lines.

    A version under the empty name is that of all others.
    """

    roles: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rank:
    """One rank of a running server.

    ``line`` (from 1) is where the numbers stand in ``file``; ``server`` is what stands before
    its lines, such as the name of a container; ``tags`` name the rank. ``role_by`` is
    ``option``, ``arguments``, ``log``, ``metrics`` or empty.

    ``pool`` is as printed, ``context`` is 0 where it is not told. ``least`` and ``most`` are
    the tokens that one request may take: equal where that is known, and ``most`` is 0 where
    nothing bounds it. ``fits`` says whether a request of the whole context does: ``yes``,
    ``no`` or ``may``; ``why`` are clauses about that, ``assumed`` is what it takes for granted.

    ``version`` is a version, a range in words, or empty; ``version_by`` is ``option``,
    ``arguments``, ``log`` or empty. ``starts`` counts how often the log tells of this rank;
    one that is not ``current`` is an earlier start. ``inputs`` are the options, by name, on
    which the size of the pool depends.
    """

    file: str
    line: int
    server: str = ""
    role: str = "unknown"
    role_by: str = ""
    tags: str = ""
    pool: int
    context: int = 0
    least: int
    most: int
    fits: str
    why: tuple[str, ...] = ()
    assumed: str = ""
    version: str = ""
    version_by: str = ""
    starts: int = 1
    current: bool = True
    inputs: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """File and server in one word for sentences."""
        return f"{self.file} ({self.server})" if self.server else self.file


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """Something that a log tells more than once: how often, and on which line first.

    ``is_bad`` tells a sign of harm from one that only explains.
    """

    id: str
    file: str
    server: str
    role: str
    line: int
    count: int
    text: str
    is_bad: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """How the holds of pages ended that a decode server kept after an abort.

    ``is_counted`` is false where metrics were read and hold no such counter.
    """

    file: str
    drained: int = 0
    timeout: int = 0
    error: int = 0
    is_counted: bool = True

    @property
    def total(self) -> int:
        """All holds that ended."""
        return self.drained + self.timeout + self.error


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What the rows mean together.

    ``path`` is one of :data:`PATHS`. ``sentences`` say why and what follows, ``notes`` what
    was assumed, not seen or left out. ``fails`` says that a pool does not hold its context,
    or that the path is open.
    """

    path: str
    sentences: tuple[str, ...]
    notes: tuple[str, ...] = ()
    signs: tuple[Sign, ...] = ()
    holds: tuple[Hold, ...] = ()
    fails: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolRecord:
    """One entry of ``servelint-pools.toml``: the numbers of a server that ran, and of which.

    ``span`` is where the entry is written. ``inputs`` are options of its launch by name, in
    order; an option that was not given has the value that the server made up.
    """

    span: Span
    engine: str
    role: str
    model: str
    pool: int
    context: int
    version: str = ""
    inputs: tuple[tuple[str, str], ...] = ()
    evidence: str = ""
    date: str = ""
    by: str = ""
