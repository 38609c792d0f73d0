"""What running servers tell of themselves, as text for people and as JSON."""

from __future__ import annotations

import json

from servelint.reporters.lines import fold, safe, shorten, width, wrap
from servelint.reporters.summary import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from servelint.pools import Hold, Judgement, Rank, Sign

SCHEMA = "servelint-startup/1"

MAX_ROWS = 200
"""Ranks that the text shows."""

WIDEST = 60
"""Columns of a cell at most."""

HEADS = ("role", "rank", "pool", "context", "fits", "version", "where")
NUMBERS = (2, 3)
"""The columns of numbers, which stand to the right."""

SIGN_FIELDS = ("id", "file", "server", "role", "line", "count", "text", "is_bad")

PATHS = {
    "open": "open",
    "may-be-open": "may be open",
    "closed": "closed by length",
    "cannot-tell": "cannot tell",
}


def report(rows: Sequence[Rank], judgement: Judgement, columns: int = 100) -> str:
    """A table of ranks, what was counted, what follows, and what was assumed."""
    blocks = [list(_table(rows)) if rows else ["no startup line and no gauge of a pool was read"]]
    blocks.append([*_signs(judgement.signs, columns), *_holds(judgement.holds, columns)])
    head = f"a length that prefill refuses and decode takes: {PATHS[judgement.path]}"
    blocks.append([head, *_prose("  ", judgement.sentences, columns)])
    blocks.append(list(_prose("note: ", judgement.notes, columns)))
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _table(rows: Sequence[Rank]) -> Iterator[str]:
    cells = [HEADS, *(_cells(row) for row in rows[:MAX_ROWS])]
    safe_cells = [[shorten(safe(fold(cell)), WIDEST) for cell in line] for line in cells]
    widths = [max(map(width, column)) for column in zip(*safe_cells, strict=True)]
    for index, line in enumerate(safe_cells):
        places = zip(range(len(line)), line, widths, strict=True)
        padded = [_padded(cell, size, at in NUMBERS) for at, cell, size in places]
        why = "; ".join(_whys(rows[index - 1])) if index else ""
        yield f"{'  '.join(padded)}{'  ' if why else ''}{safe(fold(why))}".rstrip()
    if len(rows) > MAX_ROWS:
        yield f"and {plural(len(rows) - MAX_ROWS, 'rank')} more"


def _padded(cell: str, size: int, to_the_right: bool) -> str:  # noqa: FBT001  # private
    blanks = " " * (size - width(cell))
    return blanks + cell if to_the_right else cell + blanks


def _cells(row: Rank) -> tuple[str, ...]:
    role = row.role if row.current else f"{row.role} (earlier)"
    server = f" ({row.server})" if row.server else ""
    return (
        role,
        row.tags or "-",
        f"{row.pool:,}",
        f"{row.context:,}" if row.context else "-",
        row.fits,
        row.version or "-",
        f"{row.file}:{row.line}{server}",
    )


def _whys(row: Rank) -> Iterator[str]:
    yield from row.why
    if row.assumed:
        yield f"if {row.assumed}"


def _signs(signs: Iterable[Sign], columns: int) -> Iterator[str]:
    for one in signs:
        server = f" ({one.server})" if one.server else ""
        role = f" {one.role}" if one.role not in ("none", "unknown") else ""
        where = safe(fold(f"{one.file}:{one.line}{server}{role}"))
        yield from _prose("", (f"{where}: {one.count:,} x {one.id}: {one.text}",), columns)


def _holds(holds: Iterable[Hold], columns: int) -> Iterator[str]:
    for one in holds:
        text = "no hold of pages has ended yet"
        if one.total:
            share = 100 * one.timeout / one.total
            text = (
                f"{one.timeout:,} of {plural(one.total, 'hold')} of pages ({share:.1f} %) ended by "
                f"the timeout, {one.drained:,} when prefill had confirmed, {one.error:,} by errors"
            )
        yield from _prose("", (f"{safe(fold(one.file))}: {text}",), columns)


def _prose(head: str, texts: Iterable[str], columns: int) -> Iterator[str]:
    """Sentences, their later lines indented."""
    indent = max(len(head), 2)
    for text in texts:
        lead = head
        for line in wrap(fold(text), max(columns - indent, 20)):
            yield f"{lead}{line}"
            lead = " " * indent


def as_json(rows: Sequence[Rank], judgement: Judgement) -> str:
    """The same, schema ``servelint-startup/1``. No value is ever null."""
    document = {
        "schema": SCHEMA,
        "ranks": [_rank(row) for row in rows],
        "length_path": judgement.path,
        "fails": judgement.fails,
        "sentences": judgement.sentences,
        "notes": judgement.notes,
        "signs": [{name: getattr(one, name) for name in SIGN_FIELDS} for one in judgement.signs],
        "holds": [_hold(one) for one in judgement.holds],
    }
    return json.dumps(document, indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def _rank(row: Rank) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "file": row.file,
        "line": row.line,
        "server": row.server,
        "role": row.role,
        "role_by": row.role_by,
        "rank": row.tags,
        "pool": row.pool,
        "fits": row.fits,
        "why": row.why,
        "starts": row.starts,
        "current": row.current,
        "inputs": dict(row.inputs),
    }
    told = {
        "context": row.context,
        "least": row.least,
        "most": row.most,
        "assumed": row.assumed,
        "version": row.version,
        "version_by": row.version_by,
    }
    return entry | {key: value for key, value in told.items() if value}


def _hold(one: Hold) -> dict[str, Any]:
    counts = {"drained": one.drained, "timeout": one.timeout, "error": one.error}
    share = {"timeout_share": round(one.timeout / one.total, 4)} if one.total else {}
    return {"file": one.file, **counts, **share}
