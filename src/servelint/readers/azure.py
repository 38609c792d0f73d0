"""Templates of Azure: what they deploy stands behind expressions that are not followed."""

from __future__ import annotations

from servelint.finding import Skip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.source import Source

DETAIL = "a Bicep template: images and commands in it are not read"


def read(source: Source) -> Iterator[Skip]:
    """Says that the file is not read."""
    yield Skip(source.path, "read", "template", DETAIL, source.span(0, 0))
