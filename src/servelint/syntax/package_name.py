"""Names of packages."""

from __future__ import annotations

import re

_SEPARATORS = re.compile(r"[-_.]+")


def normalise(name: str) -> str:
    """The name of a package as PEP 503 compares it."""
    return _SEPARATORS.sub("-", name).lower()


def names_none(text: str, needles: tuple[str, ...]) -> bool:
    """True when a text holds none of the words, in whatever spelling of package names."""
    normal = normalise(text)
    return not any(needle in normal for needle in needles)
