"""From the metrics of a file to ranks, and to how the holds of pages ended."""

from __future__ import annotations

from collections import Counter

from servelint.api import Hold, Rank
from servelint_sglang.logs import table as kinds
from servelint_sglang.logs.ranks import Seen, role_of, version_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import LogOptions
    from servelint_sglang.logs.metrics import Sample
    from servelint_sglang.logs.servers import FileLog


def seen_in_metrics(log: FileLog, options: LogOptions) -> Iterator[Seen]:
    """A rank for every series that tells its pool."""
    own = kinds.table()["metrics"]
    contexts = {
        sample.series: sample.value
        for _, sample in log.samples.values()
        if sample.name == own["context"]
    }
    for line, sample in log.samples.values():
        if sample.name == own["pool"]:
            yield _seen(log.name, line, sample, contexts.get(sample.series, 0), options)


def _seen(file: str, line: int, sample: Sample, context: int, options: LogOptions) -> Seen:
    pool, limit = sample.value, kinds.table()["limit"]["most_reserved"]
    version = version_of(file, sample.server, None, options)
    factor = kinds.table()["factor"]
    told, by = role_of(file, sample.server, None, options)
    role, role_by = (told, by) if by else (sample.role, "metrics")
    is_small = pool < context
    may_count = is_small and version.is_in(factor["first"], factor["until"]) != "no"
    rank = Rank(
        file=file,
        line=line,
        server=sample.server,
        role=role,
        role_by="" if role == "unknown" else role_by,
        tags=sample.tags,
        pool=pool,
        context=context,
        least=pool,
        most=pool,
        fits="may" if not context else "no" if is_small else "yes",
        why=_why(pool, context),
        assumed=f"{factor['option']} is 1" if may_count else "",
        version=version.words,
        version_by=version.by if version.words else "",
    )
    return Seen(rank, version, None, (0, limit))


def _why(pool: int, context: int) -> tuple[str, ...]:
    if not context:
        return ("the context length is not told: the gauge is there from 0.5.11",)
    return (f"{context - pool:,} tokens short",) if pool < context else ()


def hold(log: FileLog) -> Hold | None:
    """How the holds of a file ended; None for a file without metrics."""
    if not log.samples and not log.announced:
        return None
    own = kinds.table()["metrics"]
    counts: Counter[str] = Counter()
    for _, sample in log.samples.values():
        if sample.name == own["holds"] and sample.outcome in own["outcomes"]:
            counts[sample.outcome] += sample.value
    bare = own["holds"].removesuffix("_total")
    is_there = bool(counts) or not log.announced.isdisjoint((own["holds"], bare))
    return Hold(file=log.name, **counts, is_counted=is_there)
