"""The configuration of an image: what it says, with everything of the wrong type left out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

MAX_STEPS = 1000
"""Steps of the history that are looked at, the last ones."""

_BIN = re.compile(r"(/.+?)/s?bin(?:/[^/]*)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the history. ``is_empty``: it made no layer."""

    text: str
    is_empty: bool


@dataclass(frozen=True, slots=True)
class Configuration:
    """What an image says about itself.

    ``names`` are labels and variables, the labels where both exist. ``created`` is the latest day
    that is told (YYYY-MM-DD), empty for none or for one before all images of the
    engine. ``is_complete``: the history tells of every layer. ``prefixes`` are the
    directories whose ``bin`` is looked into for programs, in order.
    ``module_paths`` are looked into for modules before all others.
    """

    names: Mapping[str, str]
    steps: tuple[Step, ...]
    created: str
    is_complete: bool
    prefixes: tuple[str, ...]
    module_paths: tuple[str, ...]
    directory: str


def read_configuration(table: dict[str, Any], layers: int, oldest: str) -> Configuration:
    """The configuration of an image of that many layers."""
    inner = _table(table.get("config"))
    env = dict(pair.split("=", 1) for pair in _texts(inner.get("Env")) if "=" in pair)
    rows = [_table(row) for row in _list(table.get("history"))[-MAX_STEPS:]]
    steps = tuple(Step(_text(row.get("created_by")), bool(row.get("empty_layer"))) for row in rows)
    days = [_day(one.get("created"), oldest) for one in (table, *rows)]
    return Configuration(
        names=env | {k: v for k, v in _table(inner.get("Labels")).items() if isinstance(v, str)},
        steps=steps,
        created=max(days),
        is_complete=sum(not step.is_empty for step in steps) == layers,
        prefixes=_prefixes(inner, env),
        module_paths=tuple(path for path in env.get("PYTHONPATH", "").split(":") if path),
        directory=_text(inner.get("WorkingDir")),
    )


def _prefixes(inner: dict[str, Any], env: Mapping[str, str]) -> tuple[str, ...]:
    """Where Python environments may be, the one that is used first."""
    words = [*_texts(inner.get("Entrypoint"))[:1], *_texts(inner.get("Cmd"))[:1]]
    paths = (f"{env['VIRTUAL_ENV']}/bin" if env.get("VIRTUAL_ENV") else "", *words)
    found = [_BIN.fullmatch(path) for path in (*paths, *env.get("PATH", "").split(":"))]
    return tuple(dict.fromkeys(match[1] for match in found if match is not None))


def _day(value: Any, oldest: str) -> str:
    """The day of a time; reproducible builds write one before all images of the engine."""
    try:
        day = date.fromisoformat(_text(value)[:10]).isoformat()
    except ValueError:
        return ""
    return day if day >= oldest else ""


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: Any) -> list[str]:
    return [one for one in _list(value) if isinstance(one, str)]
