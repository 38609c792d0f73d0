"""The parts of a reading as they are kept: texts that came the same way are one."""

from __future__ import annotations

from servelint.value import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from servelint.value import Part, Parts


def joined(parts: Iterable[Part]) -> Parts:
    """The parts, neighbouring texts with equal trails made one."""
    done: list[Part] = []
    for part in parts:
        last = done[-1] if done else None
        if isinstance(part, Text) and isinstance(last, Text) and last.trail == part.trail:
            done[-1] = Text(last.text + part.text, part.trail)
        else:
            done.append(part)
    return tuple(done)
