"""``startup.toml`` as values: the lines to look for, and the inputs of a pool."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache

from servelint_sglang.tables import data_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Pattern
    from typing import Any


@dataclass(frozen=True, slots=True)
class LineKind:
    """A kind of line; ``first`` is the release that brought it, where it is not in all.

    ``prefill_text`` is what it means on a prefill server, where that differs.
    """

    id: str
    needle: str
    pattern: Pattern[str]
    text: str = ""
    prefill_text: str = ""
    is_bad: bool = False
    role: str = ""
    first: str = ""


@dataclass(frozen=True, slots=True)
class Input:
    """An option on which a pool depends.

    ``default`` is what a launch has that does not give it; None: the server makes one up.
    ``is_name`` is true for a model, which a path may end with.
    """

    argument: str
    option: str
    default: str | None
    is_name: bool


@cache
def table() -> dict[str, Any]:
    """All of ``startup.toml``."""
    with open(data_path("startup.toml"), "rb") as file:
        return tomllib.load(file)


@cache
def startup() -> LineKind:
    """The line with the two numbers."""
    return _kind({"id": "startup", **table()["startup"]})


@cache
def arguments() -> LineKind:
    """The line with the arguments of the server."""
    row = table()["arguments"]
    return _kind({"id": "arguments", "needle": row["needle"], "pattern": row["pattern"]})


@cache
def rejection() -> LineKind:
    """A line about a request that is refused for whatever reason."""
    return _kind({"id": "rejected-otherwise", "bad": True, **table()["rejection"]})


@cache
def signs() -> tuple[LineKind, ...]:
    """The lines that are counted."""
    return tuple(_kind(row) for row in table()["sign"])


@cache
def role_lines() -> tuple[LineKind, ...]:
    """The lines that only a server of one role prints."""
    return tuple(_kind({"id": "role", **row}) for row in table()["role_line"])


@cache
def inputs() -> tuple[Input, ...]:
    """On what a pool depends, in the order of a record."""
    rows = table()["input"]
    return tuple(
        Input(row["argument"], row["option"], row.get("default"), row.get("name", False))
        for row in rows
    )


@cache
def wanted_arguments() -> frozenset[str]:
    """The arguments that are kept of a dump."""
    own, limit = table()["arguments"], table()["limit"]
    return frozenset(
        (
            *(one.argument for one in inputs()),
            *own["since"],
            *(own["role"], own["switch"]),
            *(table()["factor"]["argument"], table()["sharding"]["argument"]),
            *(limit["truncate"], limit["draft"], limit["draft_tokens"], *limit["draft_steps"]),
        )
    )


@cache
def needles() -> tuple[bytes, ...]:
    """What a line holds that says anything."""
    kinds = (startup(), arguments(), rejection(), *signs(), *role_lines())
    metrics = table()["metrics"]
    names = (metrics["pool"], metrics["context"], metrics["holds"].removesuffix("_total"))
    texts = dict.fromkeys((*(kind.needle for kind in kinds), *names))
    return tuple(text.encode() for text in texts)


def _kind(row: dict[str, Any]) -> LineKind:
    return LineKind(
        row["id"],
        row["needle"],
        re.compile(row["pattern"]),
        row.get("text", ""),
        row.get("text_prefill", ""),
        is_bad=row.get("bad", False),
        role=row.get("role", ""),
        first=row.get("first", ""),
    )
