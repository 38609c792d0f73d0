"""What one release makes of an option as it is written, as its argparse does.

A spelling that is an option is that option; the beginning of one option is that
option, too; the beginning of several is an error, like one of none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from servelint_sglang.tables import option_table


@dataclass(frozen=True, slots=True)
class Reading:
    """What a spelling is: ``names`` are the options that it may be, one when it is known."""

    names: tuple[str, ...]

    @property
    def is_known(self) -> bool:
        """True for exactly one option."""
        return len(self.names) == 1


@dataclass(frozen=True, slots=True)
class Life:
    """The releases with a spelling, first and last; an empty last is the newest."""

    first: str
    last: str


def read_option(written: str, release: str) -> Reading:
    """The options of a release that ``written`` may be. Raises KeyError for no release."""
    options = _alive(release)
    if written in options:
        return Reading((options[written],))
    found = {options[name]: name for name in sorted(options) if name.startswith(written)}
    return Reading(tuple(found.values()))


def life_of(written: str) -> Life | None:
    """When a spelling was an option; None for one that never was."""
    return _lives().get(written)


def next_release(release: str) -> str:
    """The release after one; empty after the newest."""
    releases = option_table()["releases"]
    at = releases.index(release) + 1
    return str(releases[at]) if at < len(releases) else ""


def spellings(release: str) -> tuple[str, ...]:
    """All spellings of all options of a release."""
    return tuple(_alive(release))


@cache
def _alive(release: str) -> dict[str, str]:
    """Every spelling that a release has, and its canonical name."""
    order = _order()
    at = order[release]
    found: dict[str, str] = {}
    for row in option_table()["options"]:
        canonical = next(iter(row["names"]))
        for name, (first, last) in row["names"].items():
            if order[first] <= at and (not last or at <= order[last]):
                found[name] = canonical
    return found


@cache
def _lives() -> dict[str, Life]:
    return {
        name: Life(first, last)
        for row in option_table()["options"]
        for name, (first, last) in row["names"].items()
    }


@cache
def _order() -> dict[str, int]:
    return {release: at for at, release in enumerate(option_table()["releases"])}
