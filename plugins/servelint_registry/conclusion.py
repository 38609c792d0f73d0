"""From the files of an image to what they prove about its engine."""

from __future__ import annotations

import re
from dataclasses import dataclass

from packaging.version import InvalidVersion, Version

from servelint_registry.address import shown
from servelint_registry.installs import has_files, installs, tree_version
from servelint_registry.overlay import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from servelint.api import Inside
    from servelint_registry.configuration import Configuration
    from servelint_registry.installs import Install
    from servelint_registry.overlay import Overlay

_TOOLCHAIN = re.compile(
    r"/(?:\.?cargo|cuda[\w.-]*|go|hpcx|mpi|node|nvidia|openmpi|rocm[\w.-]*|ucx)(?:/|$)", re.ASCII
)
"""Directories of programs that hold no environment of Python."""

_COMMIT = re.compile(r"g?([0-9a-f]{7,40})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What the files prove. ``clears``: it is the code that runs, and it was read."""

    version: str = ""
    commit: str = ""
    fixes: tuple[int, ...] = ()
    absent: tuple[int, ...] = ()
    evidence: str = ""
    clears: bool = False
    reason: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class _Code:
    """A copy of the engine: ``version`` as its installer says, ``root`` the module's directory."""

    title: str
    version: str
    root: str
    layer: int
    is_fork: bool


def is_enough(overlay: Overlay, found: Configuration, *, at_end: bool) -> bool:
    """True when no lower layer can change the conclusion.

    ``at_end``: a layer was read to its end, so that what it does not hold is elsewhere or nowhere.
    """
    for install in installs(overlay):
        root = install.root
        if not root or not _is_first(install, found):
            continue
        seen = [
            f"{root}/{marker.path}" in overlay.files for marker in overlay.wanted.inside.markers
        ]
        own = root.startswith(f"{install.site}/") and has_files(overlay, root)
        # A tree elsewhere does not count beside one in the site directory, which may follow.
        beside = f"{install.site}/{overlay.wanted.inside.module}"
        alone = at_end or overlay.is_complete(beside, install.layer)
        if (own or alone) and seen and all(seen):
            return True
        if at_end and (own or root in overlay.whole):
            return True
    return False


def conclude(overlay: Overlay, found: Configuration, layers: int) -> Conclusion | None:
    """What the layers that were read say; None when nothing of the engine was seen."""
    codes, is_installed = _codes(overlay, found)
    if not codes:
        return None
    readings = [_read(overlay, code, found, layers) for code in codes]
    first = readings[0]
    if any(_proof(other) != _proof(first) for other in readings):
        return _common(readings, codes)
    if not is_installed:
        places = " and ".join(f"/{code.root}" for code in codes[:3])
        detail = f"the sources lie in {places}, but no file says that they are what runs"
        return Conclusion(
            first.version,
            first.commit,
            first.fixes,
            first.absent,
            first.evidence,
            detail=detail,
        )
    return first


def _codes(overlay: Overlay, found: Configuration) -> tuple[list[_Code], bool]:
    """The copies that may run, the likeliest first; whether one is installed."""
    inside = overlay.wanted.inside
    known = sorted(installs(overlay), key=lambda one: _rank(one, found))
    installed = [
        _Code(one.title, one.version, one.root, one.layer, one.name in inside.forks)
        for one in known
        if one.prefix != "?"
    ]
    paths = [clean(path) for path in (*found.module_paths, found.directory) if path]
    ahead = [root for path in paths if _is_package(overlay, root := _join(path, inside.module))]
    bare = [
        _bare(overlay, root)
        for root in dict.fromkeys(ahead)
        if root not in {one.root for one in installed}
    ]
    if installed or bare:
        return [*bare, *installed], True
    return [_bare(overlay, root) for root in _roots(overlay)], False


def _bare(overlay: Overlay, root: str) -> _Code:
    inside = overlay.wanted.inside
    layer = max(found.layer for path, found in overlay.files.items() if path.startswith(f"{root}/"))
    return _Code(f"/{root}", tree_version(overlay, root, inside), root, layer, is_fork=False)


def _roots(overlay: Overlay) -> list[str]:
    """Every directory of the module of which a file was seen."""
    inner = {marker.path for marker in overlay.wanted.inside.markers}
    return sorted(
        {
            path.removesuffix(f"/{found.inner}")
            for path, found in overlay.files.items()
            if found.inner in inner
        }
    )


def _join(folder: str, module: str) -> str:
    return f"{folder}/{module}" if folder else module


def _is_package(overlay: Overlay, root: str) -> bool:
    return f"{root}/__init__.py" in overlay.files


_NOWHERE = 10_000


def _rank(install: Install, found: Configuration) -> int:
    """How early Python looks there: a position in the search path for programs."""
    if install.prefix in found.prefixes:
        return found.prefixes.index(install.prefix)
    return _NOWHERE


def _is_first(install: Install, found: Configuration) -> bool:
    """True when no other environment can come before this one, wherever it is."""
    rank = _rank(install, found)
    if rank == _NOWHERE:
        return False
    before = found.prefixes[:rank]
    ahead = {f"{clean(path)}/{install.root.rpartition('/')[2]}" for path in found.module_paths}
    return ahead <= {install.root} and all(_TOOLCHAIN.search(prefix) for prefix in before)


def _read(overlay: Overlay, code: _Code, found: Configuration, layers: int) -> Conclusion:
    inside = overlay.wanted.inside
    said = "" if code.is_fork else code.version
    own = tree_version(overlay, code.root, inside) if code.root else ""
    version, commit = read_version(said or own)
    pulls = _pulls(overlay, code.root)
    may_deny = _may_deny(version or own, found.created, inside)
    fixes = tuple(pull for pull, holds in pulls.items() if holds)
    absent = tuple(pull for pull, holds in pulls.items() if holds is False and may_deny)
    doubts = _doubts(code, version, own, pulls, inside)
    where = f"layer {code.layer} of {layers}: {code.title}"
    markers = f"; content markers read in /{code.root}" if pulls else ""
    told = "" if code.is_fork or doubts else version
    unproven = told and any(not pulls.get(pull) for pull in _expected(told, inside))
    detail = doubts or (
        f"{code.title} was found, but not the files that prove its fixes" if unproven else ""
    )
    nothing = not (told or fixes or absent)
    return Conclusion(
        version=told,
        commit=commit,
        fixes=fixes,
        absent=absent,
        evidence=where + markers,
        clears=bool(pulls) and not unproven,
        reason=_reason(code, version, commit) if nothing else "",
        detail=detail or (f"{code.title} does not say a release" if nothing else ""),
    )


def _reason(code: _Code, version: str, commit: str) -> str:
    if code.is_fork:
        return "fork"
    return "conflicting" if version else "commit" if commit else "dev-version"


def _doubts(code: _Code, version: str, own: str, pulls: dict[int, bool], inside: Inside) -> str:
    """Why the version that the installer says is not believed; empty when it is."""
    if code.is_fork or not version:
        return ""
    tree = read_version(own)[0]
    if tree and tree != version:
        return f"{code.title} is installed, but its files say {shown(tree)}"
    missing = [pull for pull in _expected(version, inside) if pulls.get(pull) is False]
    if missing and not _is_newer(version, inside.newest):
        return f"{code.title} is installed, but its files lack what {version} has"
    return ""


def _expected(version: str, inside: Inside) -> tuple[int, ...]:
    """The pull requests that a release must hold."""
    parsed = Version(version)
    if parsed.is_devrelease:
        return ()
    return tuple(one.pull for one in inside.markers if parsed >= Version(one.release))


def _is_newer(version: str, newest: str) -> bool:
    return bool(newest) and Version(version) > Version(newest)


def _may_deny(version: str, created: str, inside: Inside) -> bool:
    """Whether a missing text proves anything: code newer than the data may spell it anew."""
    public = read_version(version)[0]
    if public and not _is_newer(public, inside.newest):
        return True
    return bool(created) and created <= inside.checked and not public


def _pulls(overlay: Overlay, root: str) -> dict[int, bool]:
    """Per pull request whether its text is there, as far as its files were read."""
    told: dict[int, bool] = {}
    for marker in overlay.wanted.inside.markers:
        found = overlay.files.get(f"{root}/{marker.path}") if root else None
        if found is not None and found.data is not None:
            told[marker.pull] = told.get(marker.pull, True) and marker.pull in found.pulls
    return told


def read_version(text: str) -> tuple[str, str]:
    """The public version and the commit that a version (PEP 440) says; empty where it says none.

    Version 0.0.0 stands for a tree whose builder did not know better.
    """
    try:
        version = Version(text[:100])
    except InvalidVersion:
        return "", ""
    match = _COMMIT.fullmatch((version.local or "").partition(".")[0])
    public = version.public if any(version.release) else ""
    return public, match[1] if match is not None else ""


def _proof(one: Conclusion) -> tuple[object, ...]:
    return one.version, one.fixes, one.absent


def _common(readings: Sequence[Conclusion], codes: Sequence[_Code]) -> Conclusion:
    """What all copies have in common, where nothing says which of them runs."""
    versions = {one.version for one in readings}
    fixes = set.intersection(*(set(one.fixes) for one in readings))
    absent = set.intersection(*(set(one.absent) for one in readings))
    version = versions.pop() if len(versions) == 1 else ""
    titles = " and ".join(f"{code.title} in /{code.root}" for code in codes[:4])
    return Conclusion(
        version=version,
        fixes=tuple(sorted(fixes)),
        absent=tuple(sorted(absent)),
        evidence=readings[0].evidence,
        reason="" if version or fixes or absent else "conflicting",
        detail=f"it holds several copies that differ: {titles}",
    )
