"""What a reader of the judgement has to know beside it: what was assumed and what is not shown."""

from __future__ import annotations

from servelint_sglang.logs import table as kinds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from servelint.api import Hold, LogOptions
    from servelint_sglang.logs.ranks import Seen
    from servelint_sglang.logs.servers import FileLog

MAX_NAMES = 5


def notes(
    seen: Sequence[Seen], logs: Sequence[FileLog], holds: Sequence[Hold], options: LogOptions
) -> Iterator[str]:
    """All notes, in the order of their weight."""
    shown = [one for one in seen if one.rank.current]
    yield from _strangers(seen, logs, options)
    yield from _silent(logs, shown)
    yield from _limits(logs, shown)
    yield from _roles(shown)
    yield from _versions(shown)
    yield from _ranks(shown)
    yield from _starts(seen)
    yield from _holds(holds)
    for log in logs:
        if log.left_out:
            yield f"{log.name}: {log.left_out:,} lines of further servers or ranks were left out."


def _strangers(seen: Iterable[Seen], logs: Iterable[FileLog], options: LogOptions) -> Iterator[str]:
    """Names that were given and that no log has: a slip would pass without a word."""
    known = {"", *(one.rank.server for one in seen)}
    for log in logs:
        known.update((log.name, *log.servers))
    for name in dict.fromkeys((*options.roles, *options.versions)):
        if name not in known:
            yield f"{name}: no log and no server is called so; what was said of it has no effect."


def _silent(logs: Iterable[FileLog], shown: Sequence[Seen]) -> Iterator[str]:
    told = {one.rank.file for one in shown}
    for log in logs:
        if log.name in told:
            continue
        yield (
            f"{log.name}: no startup line. It is printed once, when the server is ready; "
            "a later part of a log has none, nor have the further nodes of a server, nor has one "
            "that logs errors only, as sglang.Engine in Python does."
        )


def _limits(logs: Iterable[FileLog], shown: Sequence[Seen]) -> Iterator[str]:
    """What refusals show of a limit, where no line of the start says the same."""
    margin = kinds.table()["limit"]["margin"]
    for log in logs:
        for server in log.servers.values():
            count = server.counts.get("rejected-length")
            if count is None or not count.limit:
                continue
            found = count.limit + margin
            own = [
                one.limits
                for one in shown
                if (one.rank.file, one.rank.server) == (log.name, server.name)
            ]
            if not any(low <= found <= high for low, high in own):
                name = f"{log.name} ({server.name})" if server.name else log.name
                but = "; the startup line says another number" if own else ""
                yield (
                    f"{name}: its refusals show that the smaller of pool and context is "
                    f"{found:,} tokens there{but}."
                )


def _roles(shown: Sequence[Seen]) -> Iterator[str]:
    nameless = [one for one in shown if one.rank.role == "unknown"]
    if not nameless:
        return
    names = _names(nameless)
    if any(one.start is not None and one.start.is_mixed for one in nameless):
        yield f"{names}: servers of two roles write into one log; give each a log of its own."
        return
    file = nameless[0].rank.file
    yield f"{names}: the role is not told; say it, as in --role {file}=prefill."


def _versions(shown: Sequence[Seen]) -> Iterator[str]:
    assumed: dict[str, list[Seen]] = {}
    for one in shown:
        if one.rank.assumed:
            assumed.setdefault(one.rank.assumed, []).append(one)
    for words, those in assumed.items():
        yield (
            f"{_names(those)}: assumed that {words}, since the arguments are not in the log; "
            "--engine-version settles whether that counts."
        )
    concluded = [one for one in shown if one.rank.version_by in ("arguments", "log")]
    if concluded:
        yield (
            f"{_names(concluded)}: the version is concluded from what is printed. That holds for "
            "releases; of a build between two, or a fork, say --engine-version."
        )


def _ranks(shown: Sequence[Seen]) -> Iterator[str]:
    """Ranks that print nothing, and ranks that should."""
    hidden = [one for one in shown if _hides_ranks(one)]
    if hidden:
        yield (
            f"{_names(hidden)}: with DP attention one line stands for all ranks, and refusals are "
            "printed for the first rank only. That every rank fits cannot be shown by a log."
        )
    by_server: dict[tuple[str, str], list[Seen]] = {}
    for one in shown:
        if one not in hidden and (one.number("dp_size") or 1) > 1:
            by_server.setdefault((one.rank.file, one.rank.server), []).append(one)
    for those in by_server.values():
        wanted = max(one.number("dp_size") or 1 for one in those)
        ranks = {tag for one in those for tag in one.rank.tags.split() if tag.startswith("DP")}
        if len(ranks) < wanted:
            yield (
                f"{those[0].rank.name}: {len(ranks)} of {wanted} DP ranks are shown; "
                "nothing is known of the others."
            )


def _hides_ranks(one: Seen) -> bool:
    width = one.number("attn_dp_size") or 1
    dp_size = one.number("dp_size") or 1
    return width > 1 or (one.is_set("enable_dp_attention") and dp_size > 1)


def _starts(seen: Sequence[Seen]) -> Iterator[str]:
    for one in seen:
        rank = one.rank
        if not rank.current:
            yield (
                f"{rank.name}: an earlier start (line {rank.line}) had a pool of {rank.pool:,} "
                f"and a context of {rank.context:,}; the last one is judged."
            )


def _holds(holds: Iterable[Hold]) -> Iterator[str]:
    first = kinds.table()["metrics"]["holds_from"]
    for hold in holds:
        if not hold.is_counted:
            yield (
                f"{hold.file}: no counter of holds. It is there from {first}, on decode, and a "
                "counter with labels has no series before its first event: that it is absent "
                "says nothing about whether pages are held."
            )


def _names(those: Iterable[Seen]) -> str:
    names = list(dict.fromkeys(one.rank.name for one in those))
    more = len(names) - MAX_NAMES
    return ", ".join(names[:MAX_NAMES]) + (f" and {more} more" if more > 0 else "")
