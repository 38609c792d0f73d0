"""Which SGLang a source is: a repository at a tag or a commit, as requirements write it.

A tag of the project's own repository is a release: tags of releases have not
been seen to move there, and pip builds what stands at them. A commit is what it
is in any repository, so a known one tells the same in a fork. All else is not told.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from urllib.parse import parse_qs

from servelint.api import HOLE, Build, Release, Resolution, with_holes
from servelint_sglang.tables import package_table
from servelint_sglang.tags import release_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.api import Candidate, Value

SHORTEST = 7
"""Digits with which git shortens the name of a commit."""

_NAME = r"[^/@:?#\s]+"
_URL = re.compile(
    rf"(?:git\+)?(?:https?|ssh|git)://(?:[^/@]*@)?(?P<host>{_NAME})(?::\d+)?"
    rf"/(?P<owner>{_NAME})/(?P<repository>{_NAME}?)(?:\.git)?/?(?P<rest>[@?#].*)?"
)
_SCP = re.compile(
    rf"(?:git\+)?(?:[\w.-]+@)(?P<host>{_NAME}):(?P<owner>{_NAME})"
    rf"/(?P<repository>{_NAME}?)(?:\.git)?/?(?P<rest>[@?#].*)?"
)
_ARCHIVE = re.compile(
    rf"https?://(?P<host>{_NAME})/(?P<owner>{_NAME})/(?P<repository>{_NAME})/archive/"
    r"(?P<ref>[^?#]+?)(?:\.tar\.gz|\.tgz|\.zip)(?:[?#].*)?"
)
_FILE = re.compile(r"\.(?:whl|zip|tar\.\w+|tgz)(?:[?#].*)?\Z")
_DIRECTORY = re.compile(rf"(?P<path>[~./{HOLE}][^@]*)@(?P<ref>.+)")
_REST = re.compile(r"(?:@(?P<ref>[^?#]+))?(?:\?(?P<query>[^#]*))?(?:#(?P<fragment>.*))?")
_COMMIT = re.compile(rf"[0-9a-f]{{{SHORTEST},40}}", re.ASCII)
_RELEASE_TAG = re.compile(r"(?:refs/)?(?:tags/)?v(\d+\.\d+\.\d+(?:rc\d+|\.post\d+)?)", re.ASCII)
_PLAIN = re.compile(r"[\w./-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Place:
    """A state of a repository. ``commit`` is set where a lock fixes it beside a name.

    Without ``host`` it is a working copy whose repository is not known.
    """

    host: str
    owner: str
    repository: str
    ref: str = ""
    commit: str = ""

    @property
    def is_upstream(self) -> bool:
        """True for the repository of the project itself."""
        known = package_table()["upstream"]
        here = (self.host.lower(), self.owner.lower(), self.repository.lower())
        return here == (known["host"], known["owner"], known["repository"])


@dataclass(frozen=True, slots=True)
class Told:
    """What a state of a repository is, or the reason why that cannot be told."""

    candidate: Candidate | None = None
    reason: str = ""
    detail: str = ""


def resolve_location(location: Value) -> Resolution | None:
    """The version at a location; None for one that names no repository."""
    found: list[Told] = []
    for parts in location.readings:
        text, reasons = with_holes(parts)
        place = read_place(text)
        if place is None:
            return None
        found.append(_told(place, reasons))
    for one in found:
        if one.candidate is None:
            return Resolution("sglang", reason=one.reason, via="vcs", detail=one.detail)
    candidates = dict.fromkeys(one.candidate for one in found if one.candidate is not None)
    is_copy = any(_DIRECTORY.fullmatch(with_holes(parts)[0]) for parts in location.readings)
    return Resolution("sglang", candidates=tuple(candidates), via="vcs", clears=not is_copy)


def read_place(location: str) -> Place | None:
    """The repository and its state that a location names; None for any other text."""
    archive = _ARCHIVE.fullmatch(location)
    if archive is not None:
        ref = archive["ref"].removeprefix("refs/heads/")
        return Place(archive["host"], archive["owner"], archive["repository"], ref)
    if _FILE.search(location):
        return None
    match = _URL.fullmatch(location) or _SCP.fullmatch(location)
    if match is None:
        copy = _DIRECTORY.fullmatch(location)
        return Place("", "", copy["path"], copy["ref"]) if copy is not None else None
    rest = _REST.fullmatch(match["rest"] or "")
    if rest is None:
        return None
    asked = parse_qs(rest["query"] or "")
    named = (asked[key][0] for key in ("tag", "rev", "branch") if key in asked)
    ref = rest["ref"] or next(named, "")
    fragment = rest["fragment"] or ""
    commit = fragment if _COMMIT.fullmatch(fragment) else ""
    return Place(match["host"], match["owner"], match["repository"], ref, commit)


def at_commit(text: str) -> Candidate | None:
    """What a commit is that the data knows, by the beginning of its name."""
    if not _COMMIT.fullmatch(text):
        return None
    found = [known for commit, known in _commits().items() if commit.startswith(text)]
    return found[0] if len(found) == 1 else None


def ask_for(ref: str) -> str:
    """How to find out by hand whether a state of the repository holds the last of the fixes."""
    last = package_table()["merge"][-1]
    name = ref if _PLAIN.fullmatch(ref) and not ref.startswith("-") else "HEAD"
    command = f"git merge-base --is-ancestor {last['commit'][:12]} {name}"
    return f"`{command}` in a clone succeeds where it holds the fixes of {last['release']}"


def _told(place: Place, reasons: tuple[str, ...]) -> Told:
    exact = at_commit(place.commit or place.ref)
    if exact is not None:
        return Told(exact)
    if HOLE in f"{place.host}{place.owner}{place.repository}{place.ref}":
        reason = reasons[-1] if HOLE in place.ref else reasons[0]
        detail = "find out which repository and which commit it is" if reason != "commit" else ""
        return Told(reason=reason, detail=detail or "the code is changed after it is taken")
    if place.host and not place.is_upstream:
        whose = f"{place.host}/{place.owner}/{place.repository}"
        return Told(
            reason="fork",
            detail=f"find out which release of SGLang {whose} holds; {ask_for(place.ref)}",
        )
    release = _RELEASE_TAG.fullmatch(place.ref)
    name = release_name(release[1]) if release is not None else ""
    # A lock that names a tag and another commit than the tag's is not that release.
    has_moved = bool(place.commit) and name in package_table()["tagged"]
    if name and not has_moved:
        return Told(Release(name))
    return Told(reason="commit", detail=ask_for(place.commit or place.ref))


@cache
def _commits() -> dict[str, Candidate]:
    """The commits that the data knows: those of releases, and those that merged a fix."""
    table = package_table()
    known: dict[str, Candidate] = {
        commit: Release(version) for version, commit in table["tagged"].items()
    }
    for row in table["merge"]:
        known[row["commit"]] = Build(
            "main",
            row["date"],
            row["commit"][:12],
            fixes=tuple(row["fixes"]),
            absent=tuple(row["absent"]),
        )
    return known
