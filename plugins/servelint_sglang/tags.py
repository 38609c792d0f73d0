"""What a tag of SGLang's own image families says about the code inside.

The forms are tried in the order of :data:`FORMS`, and the first that fits
decides: a dated build of ROCm begins like a release and is none. What fits no
form, or names a day or a release that does not exist, is ``unknown-tag``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import cache

from packaging.version import Version

from servelint.api import Build, Release
from servelint_sglang.tables import image_table, option_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from servelint.api import Candidate

    Reader = Callable[[re.Match[str]], "Tag"]


@dataclass(frozen=True, slots=True)
class Tag:
    """The candidates that a tag names, or the reason why it names none.

    ``via`` is ``map`` where a table says so and not the tag itself. ``seen`` is
    the day on which a tag that moves was last seen to hold them. ``clears`` is
    false for a word that may accuse, but is no proof that a fix is there.
    """

    candidates: tuple[Candidate, ...] = ()
    reason: str = ""
    confidence: str = "high"
    via: str = "tag"
    seen: str = ""
    clears: bool = True


UNKNOWN = Tag(reason="unknown-tag")
MOVING = Tag(reason="mutable-tag")

LONGEST = 128
"""The longest tag that a registry accepts, in characters."""

FIRST_YEAR = 2024
"""No image of SGLang is older."""

CUDA_HOUR, ROCM_HOUR = 0, 12
"""When the nightly builds of main start (hours of UTC), by the schedules of their workflows.

Builds that somebody starts by hand later that day have tags of the same form: such a
day's build may hold a change of that day which it is said to lack, never the reverse.
Until 5 August 2026 the CUDA images cloned main while they were built, and may hold a
little more than their date says: no merge that is judged here is that old.
"""


def read_tag(tag: str) -> Tag:
    """What the tag of a family with SGLang's own versions says. Never fails."""
    if len(tag) > LONGEST:
        return UNKNOWN
    for pattern, reader in FORMS:
        match = pattern.fullmatch(tag)
        if match is not None:
            return reader(match)
    return MOVING if tag in image_table()["moving_tags"] else UNKNOWN


def newest_release() -> str:
    """The newest release that the data knows."""
    newest: str = option_table()["releases"][-1]
    return newest


def _release(match: re.Match[str]) -> Tag:
    """A release. The version goes on in the suffix when that holds a post number."""
    text, suffix = match["version"], match["suffix"]
    posts = re.findall(r"-post(\d+)", suffix)
    if len(posts) + ("post" in text) > 1:
        return UNKNOWN
    name = release_name(f"{text}.post{posts[0]}" if posts else text)
    trial = re.search(r"-npu\.rc(\d+)", suffix)
    if not name or trial is None:
        return Tag((Release(name),)) if name else UNKNOWN
    if not re.fullmatch(r"[\d.]+", name):
        return UNKNOWN
    # A candidate of the NPU build can be older than the release that it is for.
    return Tag((Release(f"{name}rc{int(trial[1])}"), Release(name)))


def _reordered_release(match: re.Match[str]) -> Tag:
    name = release_name(match["version"])
    return Tag((Release(name),)) if name else UNKNOWN


def _patched_release(match: re.Match[str]) -> Tag:
    """A release with changes of its own, which the tag does not tell."""
    name = release_name(match["version"])
    return Tag((Release(name),), confidence="medium") if name else UNKNOWN


def _nightly(match: re.Match[str]) -> Tag:
    return _build("main", match["date"], match["sha"], CUDA_HOUR)


def _arm_nightly(match: re.Match[str]) -> Tag:
    return _build("main", match["date"], match["sha"])


def _rocm_nightly(match: re.Match[str]) -> Tag:
    """Main of a day: the version before it is only the newest tag of that day."""
    kind = match["kind"]
    return _build(kind, match["date"]) if kind else _build("main", match["date"], hour=ROCM_HOUR)


def _branch_build(match: re.Match[str]) -> Tag:
    """A build of a branch, dated or told by its commit only, or one that is built again."""
    groups = match.groupdict()
    day, sha = groups.get("date") or groups.get("day") or "", groups.get("sha") or ""
    if day:
        return _build(groups.get("branch") or groups["name"], day, sha)
    return Tag(reason="commit") if sha else MOVING


def _moving(_match: re.Match[str]) -> Tag:
    return MOVING


def _build(branch: str, digits: str, commit: str = "", hour: int | None = None) -> Tag:
    built = build_of(branch, digits, commit, hour)
    return Tag((built,)) if built is not None else UNKNOWN


def build_of(branch: str, digits: str, commit: str = "", hour: int | None = None) -> Build | None:
    """A build of the day ``YYYYMMDD``; None for a day on which none can have been made."""
    day = _day(digits)
    return Build(branch, day, commit, hour=hour) if day else None


def _day(digits: str) -> str:
    """``YYYYMMDD`` as YYYY-MM-DD; empty for a day that is in no calendar or too early."""
    try:
        day = date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
    except ValueError:
        return ""
    return day.isoformat() if day.year >= FIRST_YEAR else ""


def release_name(text: str) -> str:
    """The version in its normal form; empty when no such release can exist.

    It can when the data knows it, or when it lies before or after all that the
    data knows. A gap between known releases is no release.
    """
    version = Version(text)
    known, oldest, newest = _known()
    outside = version < oldest or (version > newest and version.major <= newest.major + 1)
    return str(version) if outside or str(version) in known else ""


@cache
def _known() -> tuple[frozenset[str], Version, Version]:
    releases = option_table()["releases"]
    known = frozenset((*releases, *image_table()["tagged_only"]))
    return known, Version(releases[0]), Version(releases[-1])


_VERSION = r"(?P<version>\d{1,3}\.\d{1,3}\.\d{1,3}(?:rc\d{1,3}|\.?post\d{1,3})?)"
_ROCM = r"rocm\d{3,4}-mi\d{2,3}x"
_DATE = r"(?P<date>\d{8})"
_HARDWARE = (
    r"cu\d{3}|amd64|arm64|x86|runtime|srt|rocm\d{3,4}|mi\d{2,3}x|cann[\d.]+(?:rc\d+)?|910b|a2|a3"
    r"|npu(?:\.rc\d{1,3})?|xeon|xpu|g?b200|blackwell|fp4"
)


def _form(pattern: str, reader: Reader) -> tuple[re.Pattern[str], Reader]:
    return re.compile(pattern, re.ASCII), reader


FORMS: tuple[tuple[re.Pattern[str], Reader], ...] = (
    _form(rf"v{_VERSION}-{_ROCM}-{_DATE}(?:-(?P<kind>preview|sync))?", _rocm_nightly),
    _form(rf"v?{_VERSION}(?P<suffix>(?:-(?:{_HARDWARE}|post\d{{1,3}}))*)", _release),
    _form(rf"sglang-{_VERSION}-{_ROCM}-mori(?:-.*)?", _patched_release),
    _form(rf"nightly-dev(?:-cu1[23])?-{_DATE}-(?P<sha>[0-9a-f]{{7,9}})", _nightly),
    _form(rf"nightly-cu134-{_DATE}-(?P<sha>[0-9a-f]{{7,9}})", _arm_nightly),
    _form(
        rf"(?P<branch>kimi-k3)(?:-cu12)?-(?P<sha>[0-9a-f]{{8,10}})(?:-{_DATE})?-(?:amd64|arm64)",
        _branch_build,
    ),
    _form(rf"cann[\d.]+(?:rc\d+)?-(?:910b|a3)-v{_VERSION}", _reordered_release),
    _form(
        rf"cann[\d.]+(?:rc\d+)?-(?:910b|a3)-(?P<branch>(?!v\d)[a-z].*?)(?:-{_DATE})?",
        _branch_build,
    ),
    _form(
        rf"{_ROCM}-(?:(?P<sha>[0-9a-f]{{7}})-{_DATE}-(?P<branch>\w+)"
        r"|(?P<name>\w+)-(?P<day>\d{8}))",
        _branch_build,
    ),
    _form(r"(?:latest|dev|nightly|miles)(?:[-.].*)?", _moving),
)
"""Every form of a tag with what reads it, in the order in which they are tried."""
