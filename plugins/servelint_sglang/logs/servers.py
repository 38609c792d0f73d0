"""What the lines of one file say of each server that wrote into it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from servelint_sglang.logs import table as kinds
from servelint_sglang.logs.arguments import read_arguments
from servelint_sglang.logs.info import read_info
from servelint_sglang.logs.lines import read_line
from servelint_sglang.logs.metrics import Sample, read_sample
from servelint_sglang.tables import engine_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match

    from servelint_sglang.logs.arguments import Arguments
    from servelint_sglang.logs.info import Info
    from servelint_sglang.logs.lines import Line
    from servelint_sglang.logs.table import LineKind

MAX_SERVERS = 100
"""Servers of a file that are told apart; the lines of more are left out and counted."""

MAX_RANKS = 500
"""Ranks of a server."""

MAX_TWINS = 8
"""Servers that print the same rank into one log and give no name."""

MAX_SERIES = 4000
"""Series of the metrics of a file."""


@dataclass(slots=True, eq=False)
class Start:
    """One start of a server: what it printed before the two numbers.

    ``is_mixed``: another server started in the same log, and nothing tells their lines apart.
    ``first`` is the release that brought the newest of its lines, ``version`` what it says of
    itself.
    """

    arguments: Arguments | None = None
    role: str = ""
    role_by: str = ""
    first: str = ""
    is_mixed: bool = False
    version: str = ""
    is_used: bool = False
    told: dict[str, dict[str, int]] = field(
        default_factory=lambda: {"pool-warning": {}, "sliding-window": {}}
    )

    def take(self, kind: str, tags: str) -> int:
        """The number that a rank told before its startup line; 0 for none."""
        return self.told[kind].pop(tags, 0)


@dataclass(frozen=True, slots=True)
class Row:
    """The two numbers of a rank; ``before`` are those of its last start, if they differ.

    ``warned`` is the pool of a warning that it is too small, ``window`` that of layers with a
    sliding window, ``limit`` the smaller of context and pool where the server tells it; 0 for
    none.
    """

    line: int
    tags: str
    stamp: str
    pool: int
    context: int
    start: Start
    warned: int = 0
    window: int = 0
    limit: int = 0
    starts: int = 1
    before: Row | None = None


@dataclass(slots=True)
class Count:
    """How often a kind of line was there; ``limit`` is the last that it named."""

    kind: LineKind
    line: int
    count: int = 0
    limit: int = 0


@dataclass(slots=True)
class Server:
    """All that one server said."""

    name: str
    start: Start = field(default_factory=Start)
    rows: dict[str, list[Row]] = field(default_factory=dict)
    counts: dict[str, Count] = field(default_factory=dict)

    def begin(self, arguments: Arguments) -> None:
        """A start: the server printed its arguments."""
        role = _role(arguments)
        before = self.start
        is_lost = before.arguments is not None and not before.is_used
        is_mixed = is_lost and (before.is_mixed or before.role != role)
        told = ("unknown", "") if is_mixed else (role, "arguments" if role else "")
        self.start = Start(arguments, *told, is_mixed=is_mixed)

    def add(self, row: Row) -> bool:
        """The numbers of a rank: of another start they take the place of the earlier ones.

        False where there is no room for them.
        """
        self.start.is_used = True
        if row.tags not in self.rows and len(self.rows) >= MAX_RANKS:
            return False
        twins = self.rows.setdefault(row.tags, [])
        for index in range(len(twins) - 1, -1, -1):
            old = twins[index]
            is_same = (old.pool, old.context) == (row.pool, row.context)
            if is_same and old.stamp == row.stamp and old.stamp:
                return True  # collected twice
            if _is_later(row, old):
                before = old.before if is_same else old
                kept = None if before is None else replace(before, before=None)
                twins[index] = replace(row, starts=old.starts + 1, before=kept)
                return True
        if len(twins) >= MAX_TWINS:
            return False
        twins.append(row)
        return True

    def count(self, kind: LineKind, line: Line, found: Match[str]) -> None:
        """One more line of a kind, with what it says of the start."""
        one = self.counts.setdefault(kind.id, Count(kind, line.number))
        one.count += 1
        numbers = found.groupdict()
        one.limit = int(numbers.get("m") or 0) or one.limit
        self.start.first = max(self.start.first, kind.first, key=_order)
        if kind.id in self.start.told:
            told = self.start.told[kind.id]
            if line.tags in told or len(told) < MAX_RANKS:
                told[line.tags] = int(numbers["n"])


@dataclass(slots=True)
class FileLog:
    """All that one file says; ``left_out`` counts lines of servers beyond what is kept."""

    name: str
    servers: dict[str, Server] = field(default_factory=dict)
    samples: dict[str, tuple[int, Sample]] = field(default_factory=dict)
    announced: set[str] = field(default_factory=set)
    left_out: int = 0

    def take(self, number: int, raw: bytes) -> None:
        """One line of those that say anything."""
        sample = read_sample(raw)
        info = read_info(raw) if sample is None else None
        if info is not None:
            self._take_info(number, info)
        elif sample is None:
            self._take_line(read_line(number, raw))
        elif isinstance(sample, str):
            if len(self.announced) < MAX_SERIES:
                self.announced.add(sample)
        else:
            key = f"{sample.name} {sample.series}"
            if key in self.samples or len(self.samples) < MAX_SERIES:
                line = self.samples[key][0] if key in self.samples else number
                self.samples[key] = (line, sample)
            else:
                self.left_out += 1

    def _take_info(self, number: int, info: Info) -> None:
        """An answer of a server: each is of one, and a file of many answers is of many."""
        server = self._server("")
        if server is None:
            self.left_out += 1
            return
        role = _role(info.arguments)
        start = Start(info.arguments, role, "arguments" if role else "", version=info.version)
        twins = server.rows.setdefault("", [])
        if len(twins) < MAX_TWINS:
            twins.append(Row(number, "", "", info.pool, info.context, start, limit=info.limit))
        else:
            self.left_out += 1

    def _take_line(self, line: Line) -> None:
        for kind in (kinds.startup(), kinds.arguments(), *kinds.signs(), *kinds.role_lines()):
            found = line.match(kind)
            if found is not None:
                break
        else:
            kind = kinds.rejection()
            found = line.match(kind) if line.is_stamped else None
        server = self._server(line.server_of(found)) if found is not None else None
        if server is None or found is None:
            self.left_out += found is not None
        elif kind.id == "startup":
            self.left_out += not server.add(_row(line, found, server.start))
        elif kind.id == "arguments":
            server.begin(read_arguments(line.text[found.end() :], kinds.wanted_arguments()))
        elif kind.role:
            _hint(server.start, kind.role)
        else:
            server.count(kind, line, found)

    def _server(self, name: str) -> Server | None:
        if name not in self.servers and len(self.servers) < MAX_SERVERS:
            self.servers[name] = Server(name)
        return self.servers.get(name)


def _row(line: Line, found: Match[str], start: Start) -> Row:
    return Row(
        line.number,
        line.tags,
        line.stamp,
        int(found["pool"]),
        int(found["context"]),
        start,
        warned=start.take("pool-warning", line.tags),
        window=start.take("sliding-window", line.tags),
    )


def _role(arguments: Arguments) -> str:
    """The role that the arguments give; empty where they do not tell."""
    own = kinds.table()["arguments"]
    role = str(engine_table()["roles"].get(arguments.values.get(own["role"], ""), ""))
    switched = role in ("prefill", "decode") and arguments.is_set(own["switch"])
    return "both" if switched else role


def _hint(start: Start, role: str) -> None:
    """A line of one role counts where the arguments are not in the log."""
    if not start.role and not start.is_mixed:
        start.role, start.role_by = role, "log"


def _is_later(row: Row, old: Row) -> bool:
    """True for the numbers of a later start of the same rank, not of another server."""
    if row.start is old.start:
        return row.start.arguments is None and row.stamp > old.stamp
    is_other = row.start.role != old.start.role and row.start.role and old.start.role
    return not is_other and row.stamp >= old.stamp


def _order(release: str) -> tuple[int, ...]:
    return tuple(int(part) for part in release.split(".") if part.isdecimal())
