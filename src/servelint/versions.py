"""Is a version in an affected range? Three answers: ``yes``, ``no``, ``some``.

Versions are compared as :class:`packaging.version.Version` objects with the
local part dropped. A ``SpecifierSet`` is asked only which releases it admits:
as a range test it would let ``0.5.21rc1`` escape ``<0.5.21``.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from servelint.deployment import Build, Candidate, Range, Release

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from servelint.advisory import Affected

MAX_LENGTH = 500
"""A version or range of more characters is nobody's: Python refuses to read very long numbers."""

GUARD = timedelta(days=1)
"""A build up to this long after a merge may lack it where either is known by its day only.

A day need not be one of UTC, and a build may have fetched its code before it got its date.
"""


def in_range(candidates: Sequence[Candidate], row: Affected, releases: Sequence[str]) -> str:
    """Whether all (``yes``), none (``no``) or ``some`` of the candidates are affected."""
    answers = {_one(candidate, row, releases) for candidate in candidates}
    return answers.pop() if len(answers) == 1 else "some"


def _one(candidate: Candidate, row: Affected, releases: Sequence[str]) -> str:
    match candidate:
        case Range(specifier):
            return _range(specifier, row, releases)
        case Release() | Build() if row.pull in candidate.fixes:
            return "no"
        case Release():
            return _release(candidate, row)
        case Build():
            return _build(candidate, row)


def _release(release: Release, row: Affected) -> str:
    version = parse(release.version)
    if version is None or (version.is_devrelease and row.pull in release.absent):
        return _proven(release, row)
    high = None if row.pull in release.absent else parse(row.fixed)
    return _answer(version, row, high)


def _proven(candidate: Release | Build, row: Affected) -> str:
    """What the lack of the fix says alone: the code may be older than the flaw."""
    return "yes" if row.pull in candidate.absent and not row.introduced else "some"


def _answer(version: Version, row: Affected, high: Version | None) -> str:
    """A development version sorts below the release whose code it may be ahead of."""
    if version.is_devrelease:
        return "some"
    low, last = parse(row.introduced), parse(row.last_affected)
    is_early = (high is None or version < high) and (last is None or version <= last)
    return "yes" if is_early and (low is None or low <= version) else "no"


def _range(text: str, row: Affected, releases: Sequence[str]) -> str:
    """A range admits known releases and its own bounds, which may be newer or a trial release."""
    if len(text) > MAX_LENGTH:
        return "some"
    try:
        wanted = SpecifierSet(text)
    except InvalidSpecifier:
        return "some"
    early = bool(wanted.prereleases)
    names = (*releases, *(part.version for part in wanted))
    known = [version for name in names if (version := parse(name)) is not None]
    admitted = [version for version in known if wanted.contains(version, prereleases=early)]
    high = parse(row.fixed)
    answers = {_answer(version, row, high) for version in admitted}
    return answers.pop() if len(answers) == 1 else "some"


def _build(build: Build, row: Affected) -> str:
    """A build older than the fix on main lacks it; a newer one has it for sure only on main.

    Whether an old build is older than the flaw too, no date tells.
    """
    if row.pull in build.absent:
        return _proven(build, row)
    if not row.merged or not build.date:
        return "some"
    first, last = _made(build)
    merged, surely = _merge(row.merged)
    if last <= merged:
        return "some" if row.introduced else "yes"
    of_main = build.branch == "main" and not build.is_bound
    is_exact = merged == surely and build.hour is not None
    return "no" if of_main and first >= surely + (timedelta() if is_exact else GUARD) else "some"


def _made(build: Build) -> tuple[datetime, datetime]:
    """Between which moments a build was started: one moment where the hour is known."""
    day = datetime.fromisoformat(build.date)
    if build.hour is None:
        return day, day + timedelta(days=1)
    start = day + timedelta(hours=build.hour)
    return start, start


def _merge(text: str) -> tuple[datetime, datetime]:
    """Between which moments a change was merged: one moment where the time is known."""
    moment = datetime.fromisoformat(text).replace(tzinfo=None)
    return moment, moment if "T" in text else moment + timedelta(days=1)


@cache
def parse(text: str) -> Version | None:
    """A version without its local part; None for empty text or text that is no version."""
    if len(text) > MAX_LENGTH:
        return None
    try:
        version = Version(text)
    except InvalidVersion:
        return None
    return Version(version.public) if version.local else version
