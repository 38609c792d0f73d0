"""The whole run, as calls in order. Start reading here.

discover -> read and bind, in turns -> link (which resolves) -> group -> judge -> report.
Every step takes values and gives values; what a step could not do is a skip
or an unknown with its reason, and travels along.
"""

from __future__ import annotations

import time

import servelint_builtins
from servelint.discover import discover
from servelint.finding import COUNTS, Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from servelint.advisory import Advisory
    from servelint.config import Config
    from servelint.listing import Inventory
    from servelint.page import Record

    Done = TypeVar("Done")


def run(config: Config) -> Report:
    """Check a root and report on it."""
    return _with_plugins(_run, config)


def facts(config: Config) -> str:
    """The bound facts of a root as JSON lines, not judged."""
    return _with_plugins(_facts, config)


def images(config: Config) -> Inventory:
    """The images of a root, and what each is known to hold."""
    return _with_plugins(_images, config)


def records(config: Config) -> dict[str, Record]:
    """All that a finding may name, by id."""
    return _with_plugins(_records, config)


def advisories(config: Config) -> tuple[Advisory, ...]:
    """All advisories that a run with this configuration judges."""
    return _with_plugins(_advisories, config)


def _with_plugins(act: Callable[[Config, tuple[bytes, ...]], Done], config: Config) -> Done:
    """What ``act`` does with the plugins that the configuration names, and with all needles."""
    if not config.plugins:
        return act(config, servelint_builtins.NEEDLES)
    from servelint.plugins import chosen, needles  # noqa: PLC0415  # most runs have no other ones

    with chosen(config.plugins):
        return act(config, needles())


def _run(config: Config, needles: tuple[bytes, ...]) -> Report:
    start = time.perf_counter()
    found = discover(config.root, config.paths, needles)
    if not found.paths and not found.skips:
        return _empty(config, found.listed, start)
    from servelint.assess import assess  # noqa: PLC0415  # nothing relevant pays for nothing
    from servelint.gather import gather  # noqa: PLC0415

    return assess(gather(config.root, found), config, start)


def _facts(config: Config, needles: tuple[bytes, ...]) -> str:
    from servelint.assess import launches  # noqa: PLC0415
    from servelint.gather import gather  # noqa: PLC0415
    from servelint.report import shown  # noqa: PLC0415
    from servelint.reporters.facts import report  # noqa: PLC0415

    gathered = gather(config.root, discover(config.root, config.paths, needles))
    kept = [fact for fact in gathered.facts if shown((fact,), config.names)]
    return report(kept, launches(gathered, config), gathered.texts)


def _images(config: Config, needles: tuple[bytes, ...]) -> Inventory:
    from servelint.gather import gather  # noqa: PLC0415
    from servelint.inventory import inventory  # noqa: PLC0415

    return inventory(gather(config.root, discover(config.root, config.paths, needles)), config)


def _records(config: Config, _needles: tuple[bytes, ...]) -> dict[str, Record]:
    from servelint.page import records as known  # noqa: PLC0415
    from servelint.plugins import registry_of  # noqa: PLC0415

    return known(registry_of(config))


def _advisories(config: Config, _needles: tuple[bytes, ...]) -> tuple[Advisory, ...]:
    from servelint.plugins import registry_of  # noqa: PLC0415
    from servelint.profiles import judged  # noqa: PLC0415

    return judged(registry_of(config), config)[0]


def _empty(config: Config, listed: int, start: float) -> Report:
    return Report(
        counts=dict.fromkeys(COUNTS, 0) | {"files": listed},
        data_date=servelint_builtins.DATA_DATE,
        seconds=time.perf_counter() - start,
        named=bool(config.names),
    )
