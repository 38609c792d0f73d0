"""What is kept of a server that ran, and whether a launch is still that server."""

from __future__ import annotations

from servelint.api import PoolRecord, Span
from servelint_sglang.logs import table as kinds
from servelint_sglang.tables import engine_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from servelint.api import Flag, Rank
    from servelint_sglang.logs.table import Input

UNSET = ("None", "")
"""How a server prints an argument that has no value."""

SAME = {"NEXTN": "EAGLE"}
"""What the server renames when it starts."""

UNITS = {
    suffix: factor
    for power, letter in enumerate("kMGT", 1)
    for suffix, factor in ((letter, 1000**power), (f"{letter}i", 1024**power))
}
UNITS["Ki"] = UNITS.pop("ki")
"""What the letter behind a number multiplies it with."""


def records(ranks: Iterable[Rank], date: str = "", by: str = "") -> tuple[PoolRecord, ...]:
    """A record for each server that a log shows with its arguments: its least pool.

    ``date`` is YYYY-MM-DD. A server without a role, a model or a context gives none, since
    nothing could be compared with it.
    """
    servers: dict[tuple[str, str, str, tuple[tuple[str, str], ...]], list[Rank]] = {}
    for rank in ranks:
        is_half = rank.role in ("prefill", "decode", "both")
        if rank.current and rank.context and is_half and _model(rank.inputs):
            servers.setdefault((rank.file, rank.server, rank.role, rank.inputs), []).append(rank)
    least = [min(those, key=lambda one: (one.least, one.line)) for those in servers.values()]
    return tuple(_record(rank, date, by) for rank in least)


def _record(rank: Rank, date: str, by: str) -> PoolRecord:
    kept = tuple(
        (name, value)
        for name, value in rank.inputs
        if value not in UNSET and name != _model_option()
    )
    return PoolRecord(
        span=Span("", 0, 0),
        engine=engine_table()["id"],
        role=rank.role,
        model=_model(rank.inputs),
        pool=rank.least,
        context=rank.context,
        version=rank.version if rank.version_by == "option" else "",
        inputs=kept,
        evidence=f"{rank.file}:{rank.line}" + (f" ({rank.server})" if rank.server else ""),
        date=date,
        by=by,
    )


def _model(inputs: Iterable[tuple[str, str]]) -> str:
    return dict(inputs).get(_model_option(), "")


def _model_option() -> str:
    return str(kinds.table()["record"]["model"])


def stale(
    record: PoolRecord, flags: Sequence[Flag], version: str = "", *, is_open: bool = False
) -> tuple[str, ...]:
    """In which options a launch differs, or may differ, from the server of a record.

    ``flags`` are those of the launch, of which the last counts; ``version`` is its release,
    where it is known; ``is_open`` says that it may have options that were not read. An empty
    answer says that nothing that is compared differs: the GPU, the driver and what else takes
    memory are in no option.
    """
    given = {flag.name: flag for flag in flags}
    reasons = [
        reason
        for one in kinds.inputs()
        if (reason := _reason(one, _recorded(record, one), given.get(one.option), is_open=is_open))
    ]
    if version and record.version and version != record.version:
        reasons.append(f"recorded with {record.version}, the launch runs {version}")
    return tuple(reasons)


def _recorded(record: PoolRecord, one: Input) -> str:
    """What the server had; of a release that did not know the option, its default."""
    if one.option == _model_option():
        return record.model
    return dict(record.inputs).get(one.option, one.default or UNSET[0])


def _reason(one: Input, recorded: str, flag: Flag | None, *, is_open: bool) -> str:
    """Why one option differs; empty where it does not, or where the server decides."""
    is_given = recorded not in UNSET and recorded != one.default
    was = f"recorded {f'with {one.option} {recorded}' if is_given else f'without {one.option}'}"
    if flag is None:
        return _absent(one, recorded, was, is_open=is_open)
    texts = ("True",) if flag.value is None else flag.value.texts
    if texts is None:
        return f"{was}, the launch has a value that is not known"
    if any(_is_same(one, recorded, text) for text in texts):
        return "" if len(texts) == 1 else f"{was}, the launch may have another value"
    return f"{was}, the launch has {' or '.join(texts)}"


def _absent(one: Input, recorded: str, was: str, *, is_open: bool) -> str:
    if one.default is None or recorded == one.default:
        return ""
    if is_open:
        return f"{was}, the launch may not have it"
    return f"{was}, the launch does not have it"


def _is_same(one: Input, recorded: str, text: str) -> bool:
    if one.is_name:
        return last_part(recorded) == last_part(text)
    numbers = (_number(recorded), _number(text))
    if None not in numbers:
        return numbers[0] == numbers[1]
    return SAME.get(recorded, recorded) == SAME.get(text, text)


def last_part(name: str) -> str:
    """The name of a model: a hub and a directory say it last."""
    return next(iter(_parts(name)), "")


def _parts(name: str) -> Iterator[str]:
    yield from (part for part in reversed(name.replace("\\", "/").split("/")) if part)


def _number(text: str) -> float | None:
    """A number, also with a letter behind it, as options take them."""
    digits = text.rstrip("kKMGTi")
    factor = UNITS.get(text[len(digits) :]) if digits != text else 1
    try:
        return float(digits) * factor if factor is not None else None
    except ValueError:
        return None
