"""How much there is in a value: lists may hold one list many times over, and maps themselves."""

from __future__ import annotations

from servelint.syntax.gotemplate.problems import TooSlow
from servelint.syntax.gotemplate.values import Dict, Items, Value

MAX_NODES = 100_000
"""Values in a value that is written or compared."""


def weigh(*values: Value) -> None:
    """Raise TooSlow for values that would take too long to go through."""
    waiting = list(values)
    left = MAX_NODES
    while waiting:
        value = waiting.pop()
        if isinstance(value, Items):
            waiting.extend(value.items)
            left -= len(value.items)
        elif isinstance(value, Dict):
            waiting.extend(value.entries.values())
            left -= len(value.entries)
        if left < 0:
            raise TooSlow(f"a value of more than {MAX_NODES:,} parts")
