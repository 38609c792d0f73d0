"""Commands that fetch an image and run nothing."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_PULL = re.compile(
    r"""^[ \t]*(?:sudo[ \t]+)?
    (?:docker|podman|nerdctl|crictl)[ \t]+(?:image[ \t]+)?pull[ \t]+
    (?:(?:--platform[ =]\S+|-[\w=./-]+)[ \t]+)*
    (?P<quote>["']?)(?P<image>[\w$][^\s"'`;&|<>()]*)(?P=quote)""",
    re.VERBOSE | re.MULTILINE,
)


def pulls(text: str) -> Iterator[tuple[int, int]]:
    """Where in a shell text the images stand that its lines fetch."""
    for match in _PULL.finditer(text):
        yield match.span("image")
