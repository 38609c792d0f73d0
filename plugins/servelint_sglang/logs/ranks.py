"""From what a log says of a rank to whether a request of the whole context fits."""

from __future__ import annotations

from dataclasses import dataclass, replace

from servelint.api import Rank
from servelint_sglang.logs import table as kinds
from servelint_sglang.logs.versions import Between, concluded, said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import LogOptions
    from servelint_sglang.logs.servers import FileLog, Row, Start


@dataclass(frozen=True, slots=True)
class Seen:
    """A row with all that the judgement asks of it.

    ``reserved`` is the least and the most number of output slots that its server takes off
    the context of every request.
    """

    rank: Rank
    version: Between
    start: Start | None
    reserved: tuple[int, int]

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the most that the smaller of context and pool may be."""
        rank = self.rank
        most = rank.most or rank.context
        return min(rank.context, rank.least), min(rank.context, most)

    def number(self, name: str) -> int | None:
        """A number of its arguments; None where it is not known."""
        arguments = self.start.arguments if self.start is not None else None
        return arguments.number(name) if arguments is not None else None

    def is_set(self, name: str) -> bool:
        """True for a switch among its arguments."""
        arguments = self.start.arguments if self.start is not None else None
        return arguments is not None and arguments.is_set(name)


@dataclass(frozen=True, slots=True)
class _Room:
    """What one request may take, and why: see :class:`servelint.api.Rank`."""

    least: int
    most: int
    why: tuple[str, ...] = ()
    assumed: str = ""


def seen_in(log: FileLog, options: LogOptions) -> Iterator[Seen]:
    """The ranks of the startup lines of a file, the earlier starts that differ among them."""
    for server in log.servers.values():
        for twins in server.rows.values():
            for row in twins:
                if row.before is not None:
                    yield _seen(row.before, log.name, server.name, options, is_current=False)
                yield _seen(row, log.name, server.name, options, is_current=True)


def _seen(row: Row, file: str, server: str, options: LogOptions, *, is_current: bool) -> Seen:
    start = row.start
    role, role_by = role_of(file, server, start, options)
    version = version_of(file, server, start, options)
    room = _room(row, version)
    fits, why = _fits(room, row)
    rank = Rank(
        file=file,
        line=row.line,
        server=server,
        role=role,
        role_by=role_by,
        tags=row.tags,
        pool=row.pool,
        context=row.context,
        least=room.least,
        most=room.most,
        fits=fits,
        why=(*room.why, *why),
        assumed=room.assumed,
        version=version.words,
        version_by=version.by if version.words else "",
        starts=row.starts,
        current=is_current,
        inputs=_inputs(start),
    )
    return Seen(rank, version, start, _reserved(start))


def role_of(file: str, server: str, start: Start | None, options: LogOptions) -> tuple[str, str]:
    """The role, and who says so: people before the log."""
    for name in (server, file):
        if name and name in options.roles:
            return options.roles[name], "option"
    if start is None or not start.role:
        return "unknown", ""
    return start.role, start.role_by


def version_of(file: str, server: str, start: Start | None, options: LogOptions) -> Between:
    """The release: people know it, arguments narrow it."""
    for name in (*((server,) if server else ()), file, ""):
        if name in options.versions:
            return said(options.versions[name])
    if start is None:
        return Between()
    own = said(start.version)
    return replace(own, by="log") if own.first else concluded(start.arguments, start.first)


def _room(row: Row, version: Between) -> _Room:
    """The pool as one request sees it."""
    start, table = row.start, kinds.table()
    if 0 < row.limit < row.context:
        return _Room(row.limit, row.limit, ("by the limit that the server tells",))
    if row.limit:
        whole = max(row.pool, row.context)
        return _Room(whole, whole)
    if row.warned:
        return _Room(row.warned, row.warned, ("by the server's own warning",))
    if start.arguments is not None and start.arguments.is_set(table["sharding"]["argument"]):
        option, newest = table["sharding"]["option"], table["sharding"]["warns_from"]
        why = f"with {option} the printed pool is that of one rank; from {newest} a server warns"
        return _Room(row.pool, 0, (why,))
    return _with_factor(row, version)


def _with_factor(row: Row, version: Between) -> _Room:
    """Times the number of ranks that share a context, in the releases that count so."""
    own, arguments = kinds.table()["factor"], row.start.arguments
    option, first, until = own["option"], own["first"], own["until"]
    plain = _Room(row.pool, row.pool)
    applies = version.is_in(first, until)
    if applies == "no" or row.pool >= row.context:
        return plain
    factor = arguments.number(own["argument"]) if arguments is not None else None
    if factor is None and arguments is not None and arguments.is_whole:
        factor = 1
    if factor is None:
        return _Room(row.pool, row.pool, assumed=f"{option} is 1")
    if factor <= 1:
        return plain
    if applies == "yes":
        total = row.pool * factor
        return _Room(total, total, (f"{option} {factor} counts in {version.words}",))
    why = f"{option} {factor} counts from {first} up to, and without, {until}"
    return _Room(row.pool, row.pool * factor, (why, "the version is not known"))


def _fits(room: _Room, row: Row) -> tuple[str, tuple[str, ...]]:
    if not row.context:
        return "may", ("the context length is not told",)
    if room.least >= row.context:
        if 0 < row.window < row.context:
            return "may", (f"the pool of the sliding window holds {row.window:,} tokens",)
        return "yes", ()
    if room.most and room.most < row.context:
        return "no", (f"{row.context - room.most:,} tokens short",)
    return "may", ()


def _reserved(start: Start | None) -> tuple[int, int]:
    """How many output slots a server takes off its context: drafts are kept there."""
    own = kinds.table()["limit"]
    arguments = start.arguments if start is not None else None
    if arguments is None:
        return 0, own["most_reserved"]
    algorithm = arguments.values.get(own["draft"])
    if algorithm == "None" or (algorithm is None and arguments.is_whole):
        return 0, 0
    numbers = [arguments.number(name) for name in (*own["draft_steps"], own["draft_tokens"])]
    known = [number for number in numbers if number is not None]
    if len(known) < len(numbers):
        return 0, own["most_reserved"]
    return 0, max(known[0] * known[1], known[2])


def _inputs(start: Start) -> tuple[tuple[str, str], ...]:
    arguments = start.arguments
    if arguments is None:
        return ()
    every = kinds.inputs()
    values = ((one.option, arguments.values.get(one.argument, "")) for one in every)
    return tuple((option, value) for option, value in values if value)
