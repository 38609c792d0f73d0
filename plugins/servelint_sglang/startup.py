"""``startup-log``: the numbers that running servers print of themselves, and what they mean.

The start of the KV leak by length is a pool of prefill that does not hold what decode takes. No
file of a repository can show that it does; the log of the server does. So do its metrics, and its
answer to ``/server_info``. :func:`records` and :func:`stale` keep the numbers for later runs.
"""

from __future__ import annotations

from servelint.api import Judgement, LogOptions, Sign
from servelint_sglang.logs import pairs
from servelint_sglang.logs.notes import notes
from servelint_sglang.logs.ranks import role_of, seen_in
from servelint_sglang.logs.record import records, stale
from servelint_sglang.logs.scan import hits
from servelint_sglang.logs.scraped import hold, seen_in_metrics
from servelint_sglang.logs.servers import FileLog
from servelint_sglang.logs.table import needles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import BinaryIO

    from servelint.api import Rank
    from servelint_sglang.logs.ranks import Seen
    from servelint_sglang.logs.servers import Count, Server


__all__ = ["records", "stale", "startup"]

MAX_GAPS = 4
"""Versions of prefill of which the judgement tells a gap."""


def startup(
    files: Iterable[tuple[str, BinaryIO]], options: LogOptions | None = None
) -> tuple[tuple[Rank, ...], Judgement]:
    """The ranks that logs and metrics tell of, and what they mean together.

    ``files`` are names, as people gave them, and open files, which are read once and line by
    line. Raises what reading them raises, and nothing for any text.
    """
    given = options or LogOptions()
    logs = tuple(_read(name, stream) for name, stream in files)
    seen = [one for log in logs for one in (*seen_in(log, given), *seen_in_metrics(log, given))]
    return tuple(one.rank for one in seen), _judge(seen, logs, given)


def _read(name: str, stream: BinaryIO) -> FileLog:
    log = FileLog(name)
    for number, line in hits(stream, needles()):
        log.take(number, line)
    return log


def _judge(seen: Sequence[Seen], logs: Sequence[FileLog], options: LogOptions) -> Judgement:
    shown = [one for one in seen if one.rank.current]
    path, sentences = _path([one for one in shown if one.rank.context])
    holds = tuple(found for log in logs if (found := hold(log)) is not None)
    short = any(one.rank.fits == "no" and one.rank.role != "none" for one in shown)
    return Judgement(
        path=path,
        sentences=tuple(sentences),
        notes=tuple(dict.fromkeys(notes(seen, logs, holds, options))),
        signs=tuple(_signs(logs, options)),
        holds=tuple(one for one in holds if one.is_counted),
        fails=short or path == "open",
    )


def _path(shown: Sequence[Seen]) -> tuple[str, list[str]]:
    """Whether the way by length is open, and what to say of it."""
    prefills = [one for one in shown if one.rank.role in ("prefill", "both")]
    decodes = [one for one in shown if one.rank.role in ("decode", "both")]
    unknown = [one for one in shown if one.rank.role == "unknown"]
    cuts = list(pairs.about_cuts((*prefills, *decodes, *unknown)))
    if not prefills or not decodes:
        role = "prefill" if prefills else "decode"
        said = list(pairs.about_one(role, prefills)) if prefills or decodes else []
        return "cannot-tell", [*said, *cuts]
    said = [*pairs.about_lengths(prefills, decodes), *cuts]
    gaps = pairs.gaps_of(prefills, decodes)[:MAX_GAPS]
    if gaps:
        path = "open" if gaps[0].is_proven else "may-be-open"
        return path, [*(line for gap in gaps for line in pairs.about_gap(gap)), *said]
    guesses = pairs.gaps_of((*prefills, *unknown), (*decodes, *unknown))[:1]
    if guesses:
        told = (f"If the roles are so: {line}" for line in pairs.about_gap(guesses[0]))
        return "may-be-open", [*told, *said]
    if pairs.are_cut_apart(prefills, decodes):
        return "may-be-open", said
    if pairs.are_many(prefills, decodes, unknown):
        return "cannot-tell", ["More ranks differ than are compared.", *said]
    return "closed", [*pairs.about_closed(prefills, decodes), *said]


def _signs(logs: Iterable[FileLog], options: LogOptions) -> Iterator[Sign]:
    for log in logs:
        for server in log.servers.values():
            for count in sorted(server.counts.values(), key=lambda one: one.line):
                yield _sign(log, server, count, options)


def _sign(log: FileLog, server: Server, count: Count, options: LogOptions) -> Sign:
    role, _ = role_of(log.name, server.name, server.start, options)
    is_prefill = role in ("prefill", "both") and bool(count.kind.prefill_text)
    return Sign(
        id=count.kind.id,
        file=log.name,
        server=server.name,
        role=role,
        line=count.line,
        count=count.count,
        text=count.kind.prefill_text if is_prefill else count.kind.text,
        is_bad=count.kind.is_bad,
    )
