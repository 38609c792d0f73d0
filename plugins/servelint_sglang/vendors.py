"""What the tags of other families tell: images that hold SGLang under tags of their own.

A row of ``images.toml`` says how such a tag is read. Its word is never as sure as
a tag of SGLang's own images, since a vendor may patch what it packs.
"""

from __future__ import annotations

import re

from servelint.api import Build, Range, Release
from servelint_sglang.tables import option_table
from servelint_sglang.tags import Tag, build_of, read_tag, release_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from servelint.api import Candidate


def told(vendor: Mapping[str, Any], tag: str) -> Tag | None:
    """What a vendor's tag names or stands for; None when it is not known."""
    day = vendor.get("built_by", {}).get(tag)
    if day is not None:
        return _tag(vendor, (Build(tag, day, is_bound=True),), "map")
    for form in vendor.get("forms", ()):
        match = re.fullmatch(form, tag, re.ASCII)
        if match is not None:
            candidates, via = _candidates(vendor, match.groupdict())
            return _tag(vendor, candidates, via) if candidates else None
    return None


def _tag(vendor: Mapping[str, Any], candidates: tuple[Candidate, ...], via: str) -> Tag:
    return Tag(candidates, confidence="medium", via=via, clears=vendor.get("clears", True))


def _candidates(
    vendor: Mapping[str, Any], names: Mapping[str, str | None]
) -> tuple[tuple[Candidate, ...], str]:
    """By what the form names: a version, a key of a table, or the day of a build."""
    version, day = names.get("version"), names.get("date")
    if version:
        return _release(version), "tag"
    if day and "days" in vendor:
        rows = (row["base"] for row in vendor["days"] if row["first"] <= day <= row["last"])
        return read_tag(next(rows, "")).candidates, "map"
    if day:
        built = build_of(vendor["branch"], day, names.get("sha") or "", vendor.get("hour"))
        return ((built,) if built is not None else ()), "tag"
    kept: str = vendor.get("versions", {}).get(names.get("key"), "")
    return ((Range(kept),) if kept.startswith("<") else _release(kept)), "map"


def _release(text: str) -> tuple[Candidate, ...]:
    """A known release: of one to come, a vendor's word is no proof."""
    name = release_name(text) if text else ""
    return (Release(name),) if name in option_table()["releases"] else ()
