"""Reads and writes ``servelint-pools.toml``: the numbers of servers that ran."""

from __future__ import annotations

import os

from servelint import entries
from servelint.config import MAX_QUOTE, POOL_FILE, ConfigError
from servelint.entries import EntryFile, Table
from servelint.pools import ROLES, PoolRecord

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

HEAD = "# What servers that ran said of their pools. See `servelint startup-log --help`.\n"
"""How a new file begins."""

KEYS = ("engine", "role", "model", "inputs")
"""What makes two entries one: a server that starts again takes the place of the earlier start."""

_LASTING = tuple(role for role in ROLES if role not in ("none", "unknown"))


def _role(place: str, value: object) -> str:
    if value not in _LASTING:
        wrong = f"{value!r:.{MAX_QUOTE}}"
        raise ConfigError(f"{place}: {wrong}; expected one of {', '.join(_LASTING)}")
    return str(value)


def _inputs(place: str, value: object) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict) or not all(isinstance(one, str) for one in value.values()):
        raise ConfigError(f"{place}: expected options and their values as texts")
    if not all(name.startswith("--") for name in value):
        raise ConfigError(f"{place}: expected names of options, such as --tp-size")
    return tuple(value.items())


POOLS = Table(
    name="pool",
    fields={
        "engine": entries.text,
        "role": _role,
        "model": entries.text,
        "pool": entries.count,
        "context": entries.count,
        "version": entries.version,
        "inputs": _inputs,
        "evidence": entries.text,
        "date": entries.day,
        "by": entries.text,
    },
    needed=("engine", "role", "model", "pool", "context"),
    marks=("model", "role", "engine"),
)


def pool_records(text: str) -> tuple[PoolRecord, ...]:
    """The entries of a file. Raises :class:`ConfigError` for one that is not right."""
    file = EntryFile.of(POOL_FILE, text)
    file.only(POOLS.name)
    rows = file.rows(POOLS, (POOLS.name,))
    return tuple(PoolRecord(span=row.span, **row.values) for row in rows)


def row_of(record: PoolRecord) -> dict[str, Any]:
    """An entry in the order of its keys; what is not known has none."""
    row = {
        "engine": record.engine,
        "role": record.role,
        "model": record.model,
        "version": record.version,
        "pool": record.pool,
        "context": record.context,
        "inputs": dict(record.inputs),
        "evidence": record.evidence,
        "date": record.date,
        "by": record.by,
    }
    return {key: value for key, value in row.items() if value}


def with_pools(text: str, records: Iterable[PoolRecord]) -> str:
    """The text of a file with an entry for each record. Raises :class:`ConfigError`."""
    from servelint.entry_edit import with_rows  # noqa: PLC0415  # tomlkit is for writing only

    done = with_rows(text, POOL_FILE, POOLS.name, KEYS, map(row_of, records))
    pool_records(done)
    return done


def save_pools(root: str, records: Iterable[PoolRecord]) -> str:
    """Write records into the file of a root; its name. Raises :class:`ConfigError`."""
    from servelint.entry_edit import current_text  # noqa: PLC0415  # as above
    from servelint.saving import write_whole  # noqa: PLC0415

    text = with_pools(current_text(root, POOL_FILE, HEAD), records)
    write_whole(os.path.join(root, POOL_FILE), text.encode(), POOL_FILE)
    return POOL_FILE
