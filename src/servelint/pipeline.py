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
    from servelint.config import Config
    from servelint.listing import Inventory


def run(config: Config) -> Report:
    """Check a root and report on it."""
    start = time.perf_counter()
    found = discover(config.root, config.paths, servelint_builtins.NEEDLES)
    if not found.paths and not found.skips:
        return _empty(config, found.listed, start)
    from servelint.assess import assess  # noqa: PLC0415  # nothing relevant pays for nothing
    from servelint.gather import gather  # noqa: PLC0415

    return assess(gather(config.root, found), config, start)


def facts(config: Config) -> str:
    """The bound facts of a root as JSON lines, not judged."""
    from servelint.assess import launches  # noqa: PLC0415
    from servelint.gather import gather  # noqa: PLC0415
    from servelint.report import shown  # noqa: PLC0415
    from servelint.reporters.facts import report  # noqa: PLC0415

    gathered = gather(config.root, discover(config.root, config.paths, servelint_builtins.NEEDLES))
    kept = [fact for fact in gathered.facts if shown((fact,), config.names)]
    return report(kept, launches(gathered, config), gathered.texts)


def images(config: Config) -> Inventory:
    """The images of a root, and what each is known to hold."""
    from servelint.gather import gather  # noqa: PLC0415
    from servelint.inventory import inventory  # noqa: PLC0415

    found = discover(config.root, config.paths, servelint_builtins.NEEDLES)
    return inventory(gather(config.root, found), config)


def _empty(config: Config, listed: int, start: float) -> Report:
    return Report(
        counts=dict.fromkeys(COUNTS, 0) | {"files": listed},
        data_date=servelint_builtins.DATA_DATE,
        seconds=time.perf_counter() - start,
        named=bool(config.names),
    )
