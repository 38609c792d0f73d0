"""Scripts that complete command lines in bash, zsh and fish, made from the parser."""

from __future__ import annotations

from servelint.completion import bash, fish, zsh
from servelint.completion.model import commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_SHELLS = {"bash": bash.text, "zsh": zsh.text, "fish": fish.text}


def script(shell: str, ids: Sequence[str]) -> str:
    """The script for a shell: ``bash``, ``zsh`` or ``fish``. ``ids`` are those of all records."""
    return _SHELLS[shell](commands(ids)) + "\n"
