"""Dockerfiles: the image that each stage starts from, its environment, what it runs and starts.

A stage owns what it sets and starts; below it, ``run`` owns what its build
steps see and do, ``copy`` and ``mount`` the images that it only takes files
from, and ``file`` the files that it writes. The environment of a stage that
another one starts from is told again for that one.
"""

from __future__ import annotations

from dataclasses import replace

from servelint.finding import Skip
from servelint.readers.dockerfile.scope import MAX_WORK, TooMuchError
from servelint.readers.dockerfile.walk import Walk, template_skip
from servelint.syntax.dockerfile import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.facts import Fact
    from servelint.source import Source

MAX_CHARACTERS = 150_000
"""The longest one known has 50,000."""

MAX_SKIPS = 20
"""A file with more to refuse is another language."""

MAX_INSTRUCTIONS = 2_000
"""The longest file known has 250."""


def read(source: Source) -> Iterator[Fact | Source | Skip]:
    """The facts of a Dockerfile, stage by stage.

    An instruction that docker would refuse is a skip and does not end the file.
    """
    left = MAX_SKIPS
    for item in _items(source):
        if isinstance(item, Skip):
            left -= 1
            if left == 0:
                detail = f"{item.detail}; what else is wrong is not told"
                yield replace(item, detail=detail)
            if left <= 0:
                continue
        yield item


def _items(source: Source) -> Iterator[Fact | Source | Skip]:
    if len(source.text) > MAX_CHARACTERS:
        detail = f"more than {MAX_CHARACTERS:,} characters: not read"
        yield Skip(source.path, "read", "too-large", detail, source.span(0, 0))
        return
    dockerfile = parse(source.text)
    if len(dockerfile.instructions) > MAX_INSTRUCTIONS:
        detail = f"more than {MAX_INSTRUCTIONS:,} instructions: not read"
        yield Skip(source.path, "read", "too-large", detail, source.span(0, 0))
        return
    for problem in dockerfile.problems:
        detail = f"expected {problem.expected}"
        yield Skip(source.path, "read", problem.reason, detail, source.span(*problem.place))
    if dockerfile.template is not None:
        yield from template_skip(source, source.span(*dockerfile.template))
    walk = Walk(source, dockerfile)
    try:
        yield from walk.facts()
    except TooMuchError:
        detail = f"its variables make more than {MAX_WORK:,} pieces: the rest is not read"
        yield Skip(source.path, "read", "too-large", detail, walk.here())
