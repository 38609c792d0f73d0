"""Which SGLang an image holds, told from its reference alone.

A known digest decides before all else. Then the last two segments of the
repository decide the family, so that mirrors and proxies are seen through. A
family with SGLang's own tags answers by :mod:`servelint_sglang.tags`, another
known family by :mod:`servelint_sglang.vendors`. A private image that is named
after the engine may claim a release by its tag, which accuses and never clears;
every other image is not the engine's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from packaging.version import Version

from servelint.api import (
    HOLE,
    IMAGE_DETAILS,
    Build,
    Release,
    Resolution,
    image_hint,
    split_reference,
    with_holes,
)
from servelint_sglang.digests import pinned
from servelint_sglang.tables import engine_table, image_table, option_table, seen_table
from servelint_sglang.tags import MOVING, UNKNOWN, Tag, newest_release, read_tag
from servelint_sglang.vendors import told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from servelint.api import Image, Part, Reference

_HOME = ("", "docker.io", "index.docker.io", "registry-1.docker.io")
"""Where a repository without a registry is."""

_PRIVATE = re.compile(r"sglang(?:-[\w.-]+)?", re.ASCII)
"""The last segment of a private repository that may hold the engine."""

DETAILS = IMAGE_DETAILS | {
    "unknown-tag": "the tag is none that SGLang's builds are known to use",
}
"""Why a reference does not tell the version, by reason."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one way to read a reference says; ``detail`` is one sentence.

    ``final`` is false for a private image, of which other evidence may know more.
    """

    tag: Tag
    detail: str = ""
    final: bool = True


def resolve_image(image: Image) -> Resolution | None:
    """The version of SGLang in an image, or the reason why it cannot be told.

    None for an image that is not the engine's: another product, a private
    name, a router.
    """
    readings = [_reading(parts) for parts in image.reference.readings]
    ours = [reading for reading in readings if reading is not None]
    if not any(reading.final for reading in ours) and len(ours) < len(readings):
        return None
    if not ours:
        return None
    if len(ours) < len(readings):
        written = image.reference.written
        detail = f"it is one of several images, not all of SGLang: find out which {written} is"
        return Resolution("sglang", reason="many-values", detail=detail)
    return _resolution(ours)


def _resolution(readings: list[Reading]) -> Resolution:
    """One answer for all readings: the candidates of all, or the first reason."""
    for reading in readings:
        if reading.tag.reason:
            return Resolution("sglang", reason=reading.tag.reason, detail=reading.detail)
    candidates = [candidate for reading in readings for candidate in reading.tag.candidates]
    sure = all(reading.tag.confidence == "high" for reading in readings)
    return Resolution(
        "sglang",
        candidates=tuple(dict.fromkeys(candidates)),
        via=min(reading.tag.via for reading in readings),
        detail=next((reading.detail for reading in readings if reading.detail), ""),
        confidence="high" if sure else "medium",
        final=any(reading.final for reading in readings),
        clears=all(reading.tag.clears for reading in readings),
    )


def _reading(parts: tuple[Part, ...]) -> Reading | None:
    """One reading; None when it is not an image of the engine."""
    known, reasons = with_holes(parts)
    reference = split_reference(known.lstrip(HOLE))
    image = pinned(reference)
    if image is not None:
        return Reading(image, "" if image.clears else "only one public file says so")
    family = "/".join(reference.path[-2:])
    if _serves_nothing(family, reference.tag):
        return None
    hint = _hint(parts)
    vendor = _vendors().get(family)
    if not _is_ours(family, vendor, reference.tag):
        return _claimed(reference, hint)
    reason = _early_reason(reference, reasons)
    if reason:
        why = DETAILS.get(reason, "")
        detail = f"{why}; {hint}" if why else hint
        return Reading(Tag(reason=reason), detail)
    return _vendor_reading(reference, vendor, hint) if vendor else _own_reading(reference, hint)


def _own_reading(reference: Reference, hint: str) -> Reading:
    """An image of a family with tags of SGLang's own."""
    seen = _seen(reference)
    if seen is not None:
        return Reading(seen, f"as last seen on {seen.seen}, and the tag can move")
    staging = "/".join(reference.path[-2:]) in image_table()["staging"]
    return _tag_reading(MOVING if staging else read_tag(reference.tag), reference, hint)


def _is_ours(family: str, vendor: Mapping[str, Any] | None, tag: str) -> bool:
    """True for a family of the engine; of a vendor of several products, for the tags with it."""
    if vendor is not None:
        return re.search(vendor.get("needs", ""), tag, re.ASCII) is not None
    table = image_table()
    return family in table["releases"] or family in table["staging"]


def _seen(reference: Reference) -> Tag | None:
    """What a tag that moves was last seen to hold; when a mirror was filled is not known."""
    if reference.digest or reference.registry not in _HOME:
        return None
    day = seen_table().get((reference.repository, reference.tag))
    if day is None:
        return None
    build = Build(reference.tag, day, is_bound=True)
    return Tag((build,), confidence="medium", via="map", seen=day, clears=False)


def _claimed(reference: Reference, hint: str) -> Reading | None:
    """A private image named after the engine, with a tag that reads like a release of it.

    None where the name says that it is something else, or the tag is no release that is known:
    another product's number would pass for one to come.
    """
    name = reference.path[-1]
    others = image_table()["private_others"]
    if not _PRIVATE.fullmatch(name) or any(word in name for word in others):
        return None
    tag, known = read_tag(reference.tag), option_table()["releases"]
    versions = [one.version for one in tag.candidates if isinstance(one, Release)]
    if not versions or len(versions) < len(tag.candidates) or not set(versions) <= set(known):
        return None
    claim = replace(tag, confidence="medium", clears=False)
    detail = f"whoever owns the repository can write any tag; {hint}"
    return Reading(claim, detail, final=False)


def _early_reason(reference: Reference, reasons: tuple[str, ...]) -> str:
    """Why the tag need not be read; empty when it is there and known."""
    if reference.digest and (not reference.tag or HOLE in reference.tag):
        return reasons[-1] if HOLE in reference.digest else "unmapped-digest"
    if HOLE in reference.tag:
        later = reference.tag.count(HOLE) + reference.digest.count(HOLE)
        return reasons[len(reasons) - later]
    return "" if reference.tag else "untagged"


def _tag_reading(tag: Tag, reference: Reference, hint: str) -> Reading:
    """What a known tag says beside the digest, if there is one."""
    if tag.reason and reference.digest:
        return Reading(Tag(reason="unmapped-digest"), f"{DETAILS['unmapped-digest']}; {hint}")
    if tag.reason:
        return Reading(tag, f"{DETAILS[tag.reason]}; {hint}")
    if reference.digest:
        detail = f"the digest decides, and the tag beside it may have moved since; {hint}"
        return Reading(Tag(tag.candidates, confidence="medium"), detail)
    return Reading(tag, _newer(tag))


def _vendor_reading(reference: Reference, vendor: Mapping[str, Any], hint: str) -> Reading:
    """An image of another family, whose tags are not SGLang's."""
    if reference.digest:
        return _tag_reading(UNKNOWN, reference, hint)
    said = told(vendor, reference.tag)
    if said is not None:
        return Reading(said, "" if said.clears else vendor["tag"])
    moves = reference.tag == "latest"
    return Reading(MOVING if moves else UNKNOWN, f"{vendor['tag']}; {hint}")


def _newer(tag: Tag) -> str:
    newest = newest_release()
    for candidate in tag.candidates:
        if isinstance(candidate, Release) and Version(candidate.version) > Version(newest):
            return f"{candidate.version} is newer than the data, which ends with {newest}"
    return ""


def _hint(parts: tuple[Part, ...]) -> str:
    return image_hint(parts, engine_table()["version_hint"])


def _serves_nothing(family: str, tag: str) -> bool:
    return any(
        family == path and (tags is None or tags.fullmatch(tag) is not None)
        for path, tags in _not_servers()
    )


@cache
def _not_servers() -> tuple[tuple[str, re.Pattern[str] | None], ...]:
    return tuple(
        (row["path"], re.compile(row["tags"], re.ASCII) if "tags" in row else None)
        for row in image_table()["not_server"]
    )


@cache
def _vendors() -> dict[str, dict[str, Any]]:
    return {row["path"]: row for row in image_table()["vendor"]}
