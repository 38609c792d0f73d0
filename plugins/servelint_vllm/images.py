"""Which vLLM an image holds, told from its reference alone.

The last two segments of the repository decide the family, so that mirrors are seen through. A
copy under another name may claim a release by its tag, which accuses and never clears; every
other image is not the engine's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from packaging.version import Version

from servelint.api import (
    HOLE,
    IMAGE_DETAILS,
    Release,
    Resolution,
    image_hint,
    split_reference,
    with_holes,
)
from servelint_vllm.tables import engine_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.api import Image, Part, Reference

_RELEASE = re.compile(
    r"v?(?P<version>\d{1,3}\.\d{1,3}\.\d{1,3}(?:\.\d{1,3})?(?:rc\d{1,3}|\.?post\d{1,3})?)"
    r"(?:-(?:cu\d{3}|x86_64|amd64|aarch64|arm64|ubuntu\d{4}|rocm[\d.]*|cpu))*",
    re.ASCII,
)
_COMMIT = re.compile(r"nightly-[0-9a-f]{40}(?:-.*)?", re.ASCII)
_MOVING = re.compile(r"(?:latest|nightly)(?:-.*)?", re.ASCII)

DETAILS = IMAGE_DETAILS | {
    "unknown-tag": "the tag is none that the releases of vLLM are known to use",
}
"""Why a reference does not tell the version, by reason."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one way to read a reference says: a version, or the reason why there is none.

    ``final`` is false for a copy under another name, of which other evidence may know more.
    """

    version: str = ""
    reason: str = ""
    detail: str = ""
    sure: bool = True
    final: bool = True


def resolve_image(image: Image) -> Resolution | None:
    """The version of vLLM in an image, or the reason why it cannot be told.

    None for an image that is not the engine's.
    """
    readings = [_reading(parts) for parts in image.reference.readings]
    ours = [reading for reading in readings if reading is not None]
    if not ours or (len(ours) < len(readings) and not any(one.final for one in ours)):
        return None
    if len(ours) < len(readings):
        written = image.reference.written
        detail = f"it is one of several images, not all of vLLM: find out which {written} is"
        return Resolution("vllm", reason="many-values", detail=detail)
    for one in ours:
        if one.reason:
            return Resolution("vllm", reason=one.reason, detail=one.detail)
    return Resolution(
        "vllm",
        candidates=tuple(dict.fromkeys(Release(one.version) for one in ours)),
        via="tag",
        detail=next((one.detail for one in ours if one.detail), ""),
        confidence="high" if all(one.sure for one in ours) else "medium",
        final=any(one.final for one in ours),
        clears=all(one.final for one in ours),
    )


def _reading(parts: tuple[Part, ...]) -> Reading | None:
    """One reading; None when it is not an image of the engine."""
    known, reasons = with_holes(parts)
    reference = split_reference(known.lstrip(HOLE))
    table = engine_table()["images"]
    if "/".join(reference.path[-2:]) not in table["families"]:
        return _claimed(reference, table["copies"], _hint(parts))
    if HOLE in reference.tag or HOLE in reference.digest:
        return Reading(reason=reasons[-1], detail=_hint(parts))
    version, reason = _told(reference)
    if reason:
        return Reading(reason=reason, detail=f"{DETAILS[reason]}; {_hint(parts)}")
    if reference.digest:
        why = "the digest decides, and the tag beside it may have moved since"
        return Reading(version, detail=f"{why}; {_hint(parts)}", sure=False)
    return Reading(version, detail=_newer(version))


def _told(reference: Reference) -> tuple[str, str]:
    """The version that a tag names, or why it names none."""
    version = _version(reference.tag)
    if version:
        return version, ""
    if reference.digest:
        return "", "unmapped-digest"
    if not reference.tag:
        return "", "untagged"
    if _COMMIT.fullmatch(reference.tag):
        return "", "commit"
    return "", "mutable-tag" if _MOVING.fullmatch(reference.tag) else "unknown-tag"


def _version(tag: str) -> str:
    """The release that a tag names; empty for another tag."""
    match = _RELEASE.fullmatch(tag)
    return str(Version(match["version"])) if match is not None else ""


def _claimed(reference: Reference, copies: list[str], hint: str) -> Reading | None:
    """A copy under another name, with a tag that reads like a known release."""
    version = _version(reference.tag) if reference.path[-1] in copies else ""
    if version not in engine_table()["releases"]["names"]:
        return None
    detail = f"whoever owns the repository can write any tag; {hint}"
    return Reading(version, detail=detail, sure=False, final=False)


def _newer(version: str) -> str:
    newest: str = engine_table()["releases"]["names"][-1]
    is_newer = Version(version) > Version(newest)
    return f"{version} is newer than the data, which ends with {newest}" if is_newer else ""


def _hint(parts: tuple[Part, ...]) -> str:
    return image_hint(parts, engine_table()["version_hint"])
