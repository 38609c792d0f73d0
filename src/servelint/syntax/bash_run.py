"""Which commands a shell text runs, with which words and which environment. Start here.

:func:`run` parses and walks a text; the statements are in ``bash_flow``,
``bash_loops`` and ``bash_simple``, what words become in ``bash_expand``.
"""

from __future__ import annotations

from dataclasses import dataclass

from servelint.syntax import bash_flow, bash_loops, bash_simple
from servelint.syntax.bash import parse
from servelint.syntax.bash_mend import mended
from servelint.syntax.bash_simple import run_function
from servelint.syntax.bash_state import State
from servelint.syntax.bash_walk import Walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.syntax.bash import Script
    from servelint.syntax.bash_commands import Run
    from servelint.syntax.bash_fields import Place
    from servelint.syntax.bash_state import Exported

_HANDLERS = {**bash_flow.HANDLERS, **bash_loops.HANDLERS, **bash_simple.HANDLERS}


@dataclass(frozen=True, slots=True)
class Command:
    """A command at ``start``: all its runs as one, and each of them."""

    start: int
    merged: Run
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The commands of a text in the order in which they stand there.

    ``deep`` and ``capped`` are places from which on statements were left out,
    because they nest too deep or because there were too many commands.
    ``broken`` says that the text has errors and gave nothing. ``assigned`` are
    the assignments of plain variables that stand alone, by their places.
    """

    commands: tuple[Command, ...]
    assigned: tuple[Exported, ...]
    deep: Place | None
    capped: Place | None
    broken: bool


def run(text: str) -> Outcome:
    """Find the commands of a shell text.

    Raises :class:`servelint.syntax.bash.TooSlow` when it cannot be parsed in
    reasonable time.
    """
    script = parse(text)
    walk = Walk(script, _HANDLERS)
    walk.mistaken = script.root.has_error
    _run_all(walk, script)
    if walk.mistaken:
        script = mended(script)
        walk = Walk(script, _HANDLERS, mended=True)
        _run_all(walk, script)
    commands = tuple(Command(*record) for record in walk.records.merged())
    broken = script.root.has_error and walk.count == 0
    return Outcome(commands, tuple(walk.assigned.values()), walk.deep, walk.capped, broken)


def _run_all(walk: Walk, script: Script) -> None:
    walk.run(script.root, State())
    _run_uncalled(walk)


def _run_uncalled(walk: Walk) -> None:
    """Functions that nothing called, as they were defined; the last ones call those before."""
    for name in reversed(tuple(walk.functions)):
        if name not in walk.called:
            walk.called.add(name)
            run_function(walk, name, walk.defined[name].copy())
