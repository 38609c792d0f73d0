"""The walk over the statements of a shell text: its state, its bounds, its paths.

Nothing is executed. A statement takes a state and gives the state after it, or
None where the path ends (``exit``, ``return``, ``exec``). What each kind of
statement does stands in the modules that :mod:`servelint.syntax.bash_run` lists.
"""

from __future__ import annotations

from itertools import islice

from servelint.syntax.bash import substitutions
from servelint.syntax.bash_commands import Records
from servelint.syntax.bash_heredocs import Heredocs
from servelint.syntax.bash_state import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tree_sitter import Node

    from servelint.syntax.bash import Script
    from servelint.syntax.bash_commands import Item
    from servelint.syntax.bash_fields import Place
    from servelint.syntax.bash_nodes import Lexed
    from servelint.syntax.bash_state import Exported, State

    Handler = Callable[["Walk", Node, State], State | None]

MAX_COMMANDS = 5000
"""Commands that are evaluated for one text, each call and each round of a loop counted."""

MAX_WORK = 80_000
"""Pieces of words that are made for one text: some are built to grow without end."""

MAX_LENGTH = 300_000
"""Characters of one command; a longer one ends the reading."""

MAX_DEPTH = 200
"""Statements nested deeper are left out."""

MAX_CALLS = 6
"""Functions that call functions: how far that is followed."""


MAX_WAYS = 8
"""Branches that are followed each on its own to the end of their block, all nestings together."""

MAX_APART = 1000
"""Commands after which branches are not followed apart any more."""


_BRANCHING = frozenset({"if_statement", "case_statement"})


class Frames:
    """Where paths go that leave a function or a loop before its end."""

    def __init__(self) -> None:
        self.returns: list[list[State]] = []
        self.breaks: list[list[State]] = []
        self.continues: list[list[State]] = []


def _differ(states: Sequence[State]) -> bool:
    """True when more than one plain variable or array is not the same in all states."""
    first, *others = states
    names = {
        name
        for other in others
        for name in (first.variables.keys() | other.variables.keys())
        if first.variables.get(name) != other.variables.get(name)
    }
    return len(names) > 1


class Walk:
    """One walk. ``handlers`` map types of statements to what they do.

    It ends early, ``mistaken``, when the tree turns out to be wrong and the
    script is not ``mended`` yet.
    """

    def __init__(
        self, script: Script, handlers: Mapping[str, Handler], *, mended: bool = False
    ) -> None:
        self.mended = mended
        self.mistaken = False
        self.text = script.text
        self.records = Records()
        self.heredocs = Heredocs(script.text, script.root)
        self.piped: dict[int, Item] = {}
        self.functions: dict[str, Node] = {}
        self.defined: dict[str, State] = {}
        self.called: set[str] = set()
        self.assigned: dict[Place, Exported] = {}
        self.frames = Frames()
        self.calls = 0
        self.count = 0
        self.work = 0
        self.unrolled = 1
        self.ways = 1
        self.apart: tuple[State, ...] = ()
        self.limit = len(script.text)
        self.ends: dict[int, int] = {}
        self.lexed: dict[int, Lexed | None] = {}
        self.capped: Place | None = None
        self.deep: Place | None = None
        self._depth = 0
        self._handlers = handlers

    def run(self, node: Node, state: State) -> State | None:
        """The state after a statement; nodes that are no statement change nothing."""
        handler = self._handlers.get(node.type)
        if handler is None or self.mistaken or self.capped is not None:
            return state
        if self._too_deep(node):
            return state
        self._depth += 1
        try:
            return handler(self, node, state)
        finally:
            self._depth -= 1

    def _too_deep(self, node: Node) -> bool:
        if self._depth < MAX_DEPTH:
            return False
        self.deep = self.deep or (node.start_byte, node.end_byte)
        return True

    def block(self, nodes: Sequence[Node], state: State, covered: int = 0) -> State | None:
        """The state after statements that follow each other.

        What stands before ``covered`` belongs to a command that was read
        already: in a text with errors the tree may see it otherwise.
        """
        here: State | None = state
        for index, node in enumerate(nodes):
            if here is None:
                break
            if node.type not in self._handlers or node.end_byte <= covered:
                continue
            if node.start_byte < covered:
                here = self._rest(node, here, covered)
            elif index + 1 < len(nodes) and nodes[index + 1].type == "&":
                self.isolated((node,), here)
            else:
                here = self.run(node, here)
                if node.type in _BRANCHING and (ends := self._taken_apart(nodes, index + 1)):
                    return self._each(nodes[index + 1 :], ends, covered)
            covered = max(covered, self.ends.get(node.start_byte, 0))
        return here

    def branched(self, ends: Sequence[State | None]) -> State | None:
        """The states at the ends of branches as one.

        Values that belong together stay together where the block that holds
        the branches goes on with each of them: see :meth:`block`.
        """
        self.apart = ()
        alive = [end for end in ends if end is not None]
        if 1 < len(alive) <= MAX_WAYS // self.ways and self.count < MAX_APART and _differ(alive):
            self.apart = tuple(end.copy() for end in alive)
        return join(ends)

    def _taken_apart(self, nodes: Sequence[Node], after: int) -> tuple[State, ...]:
        """The ends of the branches before ``after``, when anything follows them."""
        ends, self.apart = self.apart, ()
        rest = islice(nodes, after, None)
        return ends if any(node.type in self._handlers for node in rest) else ()

    def _each(self, nodes: Sequence[Node], ends: Sequence[State], covered: int) -> State | None:
        """The state after the rest of a block, which is run for each end of a branch."""
        self.ways *= len(ends)
        done = [self.block(nodes, end, covered) for end in ends]
        self.ways //= len(ends)
        return join(done)

    def _rest(self, node: Node, state: State, covered: int) -> State | None:
        if self._too_deep(node):
            return state
        self._depth += 1
        try:
            return self.block(node.children, state, covered)
        finally:
            self._depth -= 1

    def isolated(self, nodes: Sequence[Node], state: State) -> None:
        """Statements in a shell of their own: nothing that they change comes back."""
        frames, self.frames = self.frames, Frames()
        self.block(nodes, state.copy())
        self.frames = frames

    def inside(self, node: Node, state: State) -> None:
        """The commands of the substitutions below a node."""
        for found in substitutions(node):
            self.substituted(found, state)

    def substituted(self, node: Node, state: State) -> None:
        """The commands of one substitution."""
        limit, self.limit = self.limit, min(self.limit, node.end_byte - 1)
        self.isolated(node.children, state)
        self.limit = limit

    def too_many(self, place: Place) -> bool:
        """Count one more command; True when there have been too many."""
        self.count += 1
        if place[1] - place[0] > MAX_LENGTH:
            self.capped = self.capped or place
        if self.count > MAX_COMMANDS or self.work > MAX_WORK:
            self.capped = self.capped or place
        return self.capped is not None
