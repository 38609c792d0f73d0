"""The gauges and the counter of a Prometheus scrape."""

from __future__ import annotations

import re
from dataclasses import dataclass

from servelint_sglang.logs.table import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_SAMPLE = re.compile(
    r"sglang[:_](?P<name>\w{1,80})(?:\{(?P<labels>.{0,4000})\})?[ \t]+(?P<value>[-+.\w]{1,40})"
    r"(?:[ \t].*)?\Z",
    re.S,
)
_LABEL = re.compile(r'(?P<name>\w{1,60})="(?P<value>(?:[^"\\]|\\.){0,200}+)"', re.S)
_KIND = re.compile(r"# TYPE sglang[:_](?P<name>\w{1,80}) ")

_RANKS = (("dp_rank", "DP"), ("pp_rank", "PP"), ("tp_rank", "TP"), ("moe_ep_rank", "EP"))
_COMMON = frozenset(
    (*(label for label, _ in _RANKS), "outcome", "engine_type", "model_name", "pid", "priority")
)


@dataclass(frozen=True, slots=True)
class Sample:
    """One value. ``server`` are the labels that a collector gave, ``series`` is all but a name."""

    name: str
    value: int
    role: str
    tags: str
    outcome: str
    server: str
    series: str


def read_sample(raw: bytes) -> Sample | str | None:
    """A value that counts, or the name of a metric that is announced."""
    if not raw.startswith((b"sglang", b"# TYPE sglang")):
        return None
    text = raw.decode("utf-8", "replace").rstrip()
    kind = _KIND.match(text)
    if kind is not None:
        return kind["name"]
    found = _SAMPLE.match(text)
    value = _whole(found["value"]) if found is not None else None
    if found is None or value is None:
        return None
    labels = {one["name"]: one["value"] for one in _LABEL.finditer(found["labels"] or "")}
    return Sample(
        found["name"],
        value,
        table()["metrics"]["roles"].get(labels.get("engine_type", ""), "unknown"),
        " ".join(f"{tag}{labels[label]}" for label, tag in _RANKS if label in labels),
        labels.get("outcome", ""),
        _server(labels),
        str(sorted(labels.items())),
    )


def _server(labels: Mapping[str, str]) -> str:
    names = ("pod", "instance", "container", "host")
    return next((labels[name] for name in names if labels.get(name)), "")


def _whole(text: str) -> int | None:
    """A count; None for what is none, such as NaN."""
    try:
        value = float(text)
    except ValueError:
        return None
    return int(value) if 0 <= value < 1e15 else None
