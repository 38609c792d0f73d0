"""Which SGLang a package brings: the package itself from a source, a bundle, a fork.

Asked for every requirement before it is read plainly. The data stands in ``packages.toml``.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from functools import cache

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from servelint.api import Build, Range, Release, Resolution
from servelint_sglang.sources import ask_for, at_commit, resolve_location
from servelint_sglang.tables import engine_table, image_table, package_table
from servelint_sglang.tags import FIRST_YEAR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from servelint.api import Candidate, Requirement

_LONGEST = 500
"""Characters of a version or a range; a longer one is nobody's."""

_DATED = re.compile(r"\d{8}", re.ASCII)
_SHA = re.compile(r"g([0-9a-f]{7,40})", re.ASCII)
"""How setuptools-scm writes a commit into a local version; a day behind it says: and changes."""


@cache
def carriers() -> tuple[str, ...]:
    """The names of all packages that bring the engine under another name."""
    return (*_bundles(), *_forks())


def resolve_requirement(requirement: Requirement) -> Resolution | None:
    """The version of SGLang that a requirement brings; None where the plain reading holds."""
    if requirement.name in _forks():
        return _of_fork(requirement, requirement.name)
    bundle = _bundles().get(requirement.name)
    if bundle is not None:
        asked = not bundle["extras"] or not set(bundle["extras"]).isdisjoint(requirement.extras)
        return _of_bundle(requirement, bundle) if asked else None
    return _of_engine(requirement) if requirement.name in engine_table()["packages"] else None


# -- the package itself ----------------------------------------------------------


def _of_engine(requirement: Requirement) -> Resolution | None:
    """A source whose state is known; a version between releases, by its commit or its day."""
    if requirement.kind in ("vcs", "url") and requirement.specifier is not None:
        told = resolve_location(requirement.specifier)
        if told is not None and (not told.reason or requirement.version is None):
            return told
    texts = requirement.version.texts if requirement.version is not None else None
    if texts is None:
        return None
    versions = [parsed for text in texts if (parsed := _parsed(text)) is not None]
    if not any(version.is_devrelease for version in versions):
        return None
    return replace(_between_releases(versions), via=_via(requirement))


def _between_releases(versions: list[Version]) -> Resolution:
    candidates: dict[Candidate, None] = {}
    for version in versions:
        if not version.is_devrelease:
            candidates[Release(str(version))] = None
            continue
        sha = _SHA.fullmatch(version.local or "")
        found = (at_commit(sha[1]) if sha is not None else None) or _by_day(version)
        if found is None:
            detail = ask_for(sha[1]) if sha is not None else f"find out how {version} was built"
            return Resolution("sglang", reason="dev-version", detail=detail)
        candidates[found] = None
    return Resolution("sglang", candidates=tuple(candidates), confidence="medium")


def _by_day(version: Version) -> Build | None:
    """What is older than some fix, by the day in its number; a later day proves nothing."""
    digits = str(version.dev)
    if not _DATED.fullmatch(digits):
        return None
    try:
        day = date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
    except ValueError:
        return None
    last = package_table()["merge"][-1]["date"]
    is_older = day.year >= FIRST_YEAR and day.isoformat() < last
    return Build(str(version), day.isoformat(), is_bound=True) if is_older else None


# -- bundles ---------------------------------------------------------------------


def _of_bundle(requirement: Requirement, bundle: Mapping[str, Any]) -> Resolution:
    """What a package of others asks for, exactly, by its own version."""
    name = requirement.name
    if requirement.kind in ("vcs", "url", "path") and requirement.version is None:
        detail = f"find out which release of SGLang that source of {name} asks for"
        return Resolution("sglang", reason="commit", via="vcs", detail=detail)
    value = requirement.version or requirement.specifier
    if value is None:
        detail = f"pin {name}, or commit a lockfile"
        return Resolution("sglang", reason="unpinned", detail=detail)
    if value.texts is None:
        return Resolution("sglang", reason=value.reason, detail=_ask_bundle(bundle, value.written))
    if requirement.version is None:
        return _of_range(requirement, bundle, value.texts)
    brought: dict[str, None] = {}
    for text in value.texts:
        known = _known(bundle, text)
        if not known:
            return _not_in_table(bundle, text)
        brought[known] = None
    return _brought(requirement, bundle, tuple(brought))


def _brought(
    requirement: Requirement, bundle: Mapping[str, Any], versions: tuple[str, ...]
) -> Resolution:
    via = _via(requirement)
    if "fork" not in bundle:
        return Resolution("sglang", candidates=tuple(map(Release, versions)), via=via)
    return _as_fork(bundle["fork"], versions, via)


def _not_in_table(bundle: Mapping[str, Any], text: str) -> Resolution:
    """A version that the table does not hold: one that came later, or one between releases."""
    version = _parsed(text)
    is_early = version is not None and version.is_prerelease
    if "fork" in bundle:
        reason = "fork"
    elif is_early:
        reason = "dev-version"
    else:  # a gap is one that came after the table was made
        oldest = min(map(Version, _table(bundle)))
        is_newer = version is not None and version > oldest
        reason = "newer-than-data" if is_newer else "no-evidence"
    return Resolution("sglang", reason=reason, detail=_ask_bundle(bundle, text))


def _of_range(
    requirement: Requirement, bundle: Mapping[str, Any], specifiers: tuple[str, ...]
) -> Resolution:
    """All versions that a range admits; one that is not bounded admits later ones, too."""
    admitted: dict[str, None] = {}
    is_open = False
    for text in specifiers:
        wanted = _specifiers(text)
        if wanted is None:
            return Resolution("sglang", reason="unpinned", detail=_ask_bundle(bundle, text))
        rows = sorted(_table(bundle), key=Version)
        admitted.update((row, None) for row in rows if wanted.contains(row))
        is_open = is_open or any(map(wanted.contains, _later(rows)))
    name, table = requirement.name, _table(bundle)
    brought = tuple(dict.fromkeys(table[row] for row in sorted(admitted, key=Version)))
    if "fork" in bundle or not brought:
        return Resolution(
            "sglang",
            reason="fork" if "fork" in bundle else "newer-than-data" if is_open else "unpinned",
            detail=f"pin {name} to one version, or commit a lockfile",
        )
    told = _brought(requirement, bundle, brought)
    if not is_open:
        return told
    detail = f"it admits any later {name}, too: pin it to one version, or commit a lockfile"
    if len(brought) == 1:
        return Resolution("sglang", reason="newer-than-data", via=told.via, detail=detail)
    later = Range(f">={brought[-1]}")
    return replace(told, candidates=(*told.candidates, later), clears=False, detail=detail)


def _later(rows: list[str]) -> Iterator[str]:
    """Versions that are not in the table and may come, next to the last one and far off."""
    if rows:
        last = Version(rows[-1])
        major, minor, micro = (*last.release, 0, 0)[:3]
        yield from (f"{major}.{minor}.{micro}.post99", f"{major}.{minor}.{micro + 1}")
        yield from (f"{major}.{minor + 1}.0", f"{major + 1}.0.0", f"{major + 99}.0")


def _table(bundle: Mapping[str, Any]) -> Mapping[str, str]:
    if "images" not in bundle:
        table: Mapping[str, str] = bundle["versions"]
        return table
    rows = image_table()["vendor"]
    family: Mapping[str, str] = next(
        row["versions"] for row in rows if row["path"] == bundle["images"]
    )
    return family


def _known(bundle: Mapping[str, Any], text: str) -> str:
    """What a version of a bundle asks for; empty when the table does not say."""
    wanted = _parsed(text)
    rows = _table(bundle).items()
    return next((brought for row, brought in rows if Version(row) == wanted), "")


def _ask_bundle(bundle: Mapping[str, Any], text: str) -> str:
    wanted = bundle.get("fork", "sglang")
    return f"find out which {wanted} {bundle['name']} {text} asks for, or commit a lockfile"


# -- forks -----------------------------------------------------------------------


def _of_fork(requirement: Requirement, name: str) -> Resolution:
    value = requirement.version
    if value is None:
        return Resolution(
            "sglang", reason="fork", via=_via(requirement), detail=_ask_fork(name, "")
        )
    if value.texts is None:
        return Resolution("sglang", reason=value.reason, detail=_ask_fork(name, ""))
    if requirement.kind in ("vcs", "path"):
        return Resolution("sglang", reason="fork", via="vcs", detail=_ask_fork(name, ""))
    return _as_fork(name, value.texts, _via(requirement))


def _as_fork(name: str, versions: tuple[str, ...], via: str) -> Resolution:
    """A fork has versions of its own: what counts is which fixes are proven in its files."""
    candidates = []
    for text in versions:
        row = _proven(name, text)
        if row is None:
            return Resolution("sglang", reason="fork", via=via, detail=_ask_fork(name, text))
        fixes, absent = tuple(row.get("fixes", ())), tuple(row.get("absent", ()))
        candidates.append(Build(f"{name} {text}", "", fixes=fixes, absent=absent))
    return Resolution("sglang", candidates=tuple(candidates), via=via)


def _proven(name: str, text: str) -> Mapping[str, Any] | None:
    wanted = _parsed(text)
    for row in _forks()[name]["release"]:
        if any(Version(known) == wanted for known in row["versions"]):
            found: Mapping[str, Any] = row
            return found
    return None


def _ask_fork(name: str, text: str) -> str:
    which = f"{name} {text}".strip()
    return f"find out which release of SGLang {which} holds (`pip show sglang` does not find it)"


# -- shared ----------------------------------------------------------------------


def _via(requirement: Requirement) -> str:
    return "lock" if requirement.kind == "locked" else "requirement"


def _parsed(text: str) -> Version | None:
    try:
        return Version(text) if len(text) <= _LONGEST else None
    except InvalidVersion:
        return None


def _specifiers(text: str) -> SpecifierSet | None:
    try:
        return SpecifierSet(text) if len(text) <= _LONGEST else None
    except InvalidSpecifier:
        return None


@cache
def _bundles() -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in package_table()["bundle"]}


@cache
def _forks() -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in package_table()["fork"]}
