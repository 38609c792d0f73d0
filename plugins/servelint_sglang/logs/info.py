"""What ``/server_info`` answers: the arguments, the pool and the limit of a running server."""

from __future__ import annotations

import json
from dataclasses import dataclass

from servelint_sglang.logs import table as kinds
from servelint_sglang.logs.arguments import MAX_VALUE, Arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@dataclass(frozen=True, slots=True)
class Info:
    """``limit`` is the smaller of context and pool; ``context`` is 0 where it is not told."""

    arguments: Arguments
    version: str
    pool: int
    context: int
    limit: int


def read_info(raw: bytes) -> Info | None:
    """An answer of the server, as it sends it: on one line."""
    own = kinds.table()["info"]
    if not raw.startswith(b"{") or own["limit"].encode() not in raw:
        return None
    try:
        row = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    pool, limit = _count(row.get(own["pool"])), _count(row.get(own["limit"]))
    if not pool or not limit:
        return None
    limit += kinds.table()["limit"]["margin"]
    context = _count(row.get(own["context"]))
    if not context and limit < pool:
        context = limit
    wanted = kinds.wanted_arguments()
    values = {name: _text(value) for name, value in row.items() if name in wanted}
    version = row.get(own["version"])
    return Info(
        Arguments(values, is_call=False, is_whole=True),
        version if isinstance(version, str) else "",
        pool,
        context,
        limit,
    )


def _count(value: Any) -> int:
    return value if type(value) is int and 0 < value < 10**15 else 0


def _text(value: Any) -> str:
    """A value as a server prints it."""
    return "..." if isinstance(value, dict | list) else str(value)[:MAX_VALUE]
