"""Names of packages."""

from __future__ import annotations

import re

_SEPARATORS = re.compile(r"[-_.]+")


def normalise(name: str) -> str:
    """The name of a package as PEP 503 compares it."""
    return _SEPARATORS.sub("-", name).lower()
