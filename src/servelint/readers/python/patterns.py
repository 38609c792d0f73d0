"""Patterns of ``match``: whether a thing fits, and the names that they bind."""

from __future__ import annotations

import libcst as cst

from servelint.readers.python.alternatives import leaves
from servelint.readers.python.things import FALSE, NONE, TRUE, Thing, runtime
from servelint.readers.python.tree import parts
from servelint.readers.python.truth import equal, same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.readers.python.machine import Machine
    from servelint.readers.python.state import State


def fits(machine: Machine, subject: Thing, pattern: cst.MatchPattern, state: State) -> bool | None:
    """Whether the subject fits; None when that cannot be told."""
    match pattern:
        case cst.MatchValue():
            value = machine.evaluate(pattern.value, state)
            return _agreed(equal(leaf, value) for leaf in leaves(subject))
        case cst.MatchSingleton():
            single = {"None": NONE, "True": TRUE, "False": FALSE}.get(pattern.value.value, NONE)
            return _agreed(same(leaf, single) for leaf in leaves(subject))
        case cst.MatchAs(pattern=None):
            return True
        case cst.MatchAs() if pattern.pattern is not None:
            return fits(machine, subject, pattern.pattern, state)
        case cst.MatchOr():
            answers = [fits(machine, subject, one.pattern, state) for one in pattern.patterns]
            if True in answers:
                return True
            return None if None in answers else False
        case _:
            return None


def _agreed(answers: object) -> bool | None:
    found = set(answers)  # type: ignore[call-overload]
    return found.pop() if len(found) == 1 else None


def captured(machine: Machine, subject: Thing, pattern: cst.MatchPattern, state: State) -> None:
    """Bind the names of a pattern; only one for the whole is known."""
    if isinstance(pattern, cst.MatchAs) and pattern.name is not None:
        machine.assign(pattern.name.value, subject, state)
        return
    todo: list[cst.CSTNode] = [pattern]
    while todo:
        node = todo.pop()
        if isinstance(node, cst.MatchAs | cst.MatchStar) and node.name is not None:
            machine.assign(node.name.value, runtime(node.name.value), state)
        todo.extend(parts(node))
