"""Which SGLang a digest is: it fixes one image, whatever registry or mirror holds it.

A row of ``digests.toml`` is what public files say of a digest. That an image was
there on a day proves which changes it cannot hold. Which release it is takes a
second word: another file, a registry that was asked, or the tag beside the digest.
"""

from __future__ import annotations

from servelint.api import Build, Release
from servelint_sglang.tables import digest_table
from servelint_sglang.tags import Tag, read_tag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from servelint.api import Reference


def pinned(reference: Reference) -> Tag | None:
    """What the digest of a reference proves; None when no row tells of it."""
    row = digest_table().get(reference.digest)
    if row is None:
        return None
    version = row.get("version", "")
    release = (Release(version),)
    if version and (_is_sure(row) or _agrees(reference, row)):
        return Tag(release, via="digest")
    if "built_by" in row:
        name = row.get("tag") or row["repository"]
        return Tag((Build(name, row["built_by"], is_bound=True),), via="digest")
    return Tag(release, confidence="medium", via="digest", clears=False)


def _is_sure(row: Mapping[str, Any]) -> bool:
    """True when two owners say the same, or one that asked the registry."""
    owners = {place.partition("/")[0] for place in row["evidence"]}
    return len(owners) > 1 or "checked" in row


def _agrees(reference: Reference, row: Mapping[str, Any]) -> bool:
    """True when the tag beside the digest says of the same repository what the row says."""
    same = "/".join(reference.path[-2:]) == row["repository"]
    return same and read_tag(reference.tag).candidates == (Release(row["version"]),)
