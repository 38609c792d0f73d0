"""Reads what people ask of reports: ``[[ignore]]``, ``[[allow]]`` and ``[[override]]``."""

from __future__ import annotations

import os

from servelint import entries
from servelint.config import MAX_QUOTE, UNKNOWN_VERSION, ConfigError, read_bytes
from servelint.entries import EntryFile, Table, array_of
from servelint.finding import SEVERITIES
from servelint.policy import Measure, Override, Policy, Suppression

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from servelint.config import Config
    from servelint.entries import Check, Entry


# -- fields -------------------------------------------------------------------


def _id(place: str, value: object) -> tuple[str, ...]:
    """One id, or a list of them."""
    return entries.ids(place, value if isinstance(value, list) else [value])


def _severities(place: str, value: object) -> dict[str, str]:
    if not isinstance(value, dict) or not all(one in SEVERITIES for one in value.values()):
        raise ConfigError(f"{place}: expected ids with one of {', '.join(SEVERITIES)}")
    return dict(value)


def _unknown_version(place: str, value: object) -> str:
    if value not in UNKNOWN_VERSION:
        wrong = f"{value!r:.{MAX_QUOTE}}"
        raise ConfigError(f"{place}: {wrong}; expected one of {', '.join(UNKNOWN_VERSION)}")
    return str(value)


_WHY: dict[str, Check] = {"reason": entries.text, "until": entries.day}
_IGNORE: dict[str, Check] = {"id": _id, "paths": entries.paths, **_WHY}
_ALLOW: dict[str, Check] = {"digest": entries.digest, **_WHY}
_OVERRIDE: dict[str, Check] = {
    "paths": entries.paths,
    "severity": _severities,
    "unknown-version": _unknown_version,
    "ignore": entries.ids,
}


# -- entries ------------------------------------------------------------------


IGNORES = Table("ignore", _IGNORE, ("id", "reason"), ("id",))
ALLOWS = Table("allow", _ALLOW, ("digest", "reason"), ("digest",))
OVERRIDES = Table("override", _OVERRIDE, ("paths",), ("paths",))


def _ignored(entry: Entry) -> Suppression:
    values = dict(entry.values)
    ids = values.pop("id")
    return Suppression(entry.span, f"[[ignore]] {', '.join(ids)}", ids=ids, **values)


def _allowed(entry: Entry) -> Suppression:
    return Suppression(entry.span, f"[[allow]] {entry.values['digest']}", **entry.values)


def _overriding(entry: Entry) -> Override:
    if len(entry.values) == 1:
        raise ConfigError(f"{entry.place}: changes nothing; known are {', '.join(_OVERRIDE)}")
    values = {key.replace("-", "_"): value for key, value in entry.values.items()}
    return Override(entry.span, **values)


# -- files --------------------------------------------------------------------


def policy(config: Config, known: Collection[str]) -> Policy:
    """What a run is asked. ``known`` are all ids that there are.

    Raises :class:`ConfigError` for an entry that is not right, also for one about an id
    that does not exist: whoever wrote it would wait in vain for what it says.
    """
    _check(f"{config.file}: severity" if config.file else "severity", config.severity, known)
    _check("ignore", config.ignore, known)
    measure = Measure(config.severity, config.unknown_version, frozenset(config.ignore))
    if not (config.ignores or config.allows or config.overrides):
        return Policy(measure)
    text = read_bytes(os.path.join(config.root, config.file)).decode("utf-8-sig")
    file = EntryFile.of(config.file, text)
    ignores, allows, overrides = (
        file.rows(table, array_of(config.file, table.name)) if raw else ()
        for table, raw in (
            (IGNORES, config.ignores),
            (ALLOWS, config.allows),
            (OVERRIDES, config.overrides),
        )
    )
    for entry in ignores:
        _check(f"{entry.place}: id", entry.values["id"], known)
    for entry in overrides:
        values = entry.values
        _check(entry.place, (*values.get("severity", ()), *values.get("ignore", ())), known)
    wanted = (*map(_ignored, ignores), *map(_allowed, allows))
    return Policy(
        measure,
        tuple(map(_overriding, overrides)),
        suppressions=tuple(one for one in wanted if not one.is_expired(config.today)),
        expired=tuple(one for one in wanted if one.is_expired(config.today)),
        texts={config.file: text},
    )


def _check(place: str, named: Iterable[str], known: Collection[str]) -> None:
    for name in named:
        if name not in known:
            listed = ", ".join(sorted(known))
            raise ConfigError(f"{place}: unknown id {name!r:.{MAX_QUOTE}}; known are {listed}")
