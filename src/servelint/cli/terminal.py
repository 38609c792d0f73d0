"""How commands end, and what is on the other side of the standard output."""

from __future__ import annotations

import os
import sys

OK, FOUND, FAILED = 0, 1, 2
"""Exit codes: nothing at or above the threshold; findings; the job could not be done."""


def wants_color() -> bool:
    """True for a terminal that is not asked to be plain."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty()


def width() -> int:
    """The columns to fill."""
    columns = os.get_terminal_size(sys.stdout.fileno()).columns if sys.stdout.isatty() else 0
    return min(max(columns, 60), 140) if columns else 100  # a terminal of 0 columns is no screen
