"""The abstract machine: it knows how to evaluate and execute, and keeps what it finds.

It never runs anything. Every expression gives a thing (known, one of several,
or unknown with a reason), every statement changes a state.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import count

from servelint.readers.python.alternatives import alt, under
from servelint.readers.python.state import MODULE, Content, Entry, State, join
from servelint.readers.python.things import Alt, Dotted, Func, Ref, Thing, runtime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import libcst as cst

    from servelint.readers.python.events import Event
    from servelint.readers.python.functions import Declared
    from servelint.readers.python.needles import Needles
    from servelint.readers.python.pieces import Place
    from servelint.readers.python.tree import Script
    from servelint.readers.python.unsettle import Changes

    Evaluate = Callable[["Machine", cst.CSTNode, State], Thing]
    Execute = Callable[["Machine", cst.CSTNode, State], "Flow"]
    Apply = Callable[["Machine", Thing, "Args", State], Thing]

MAX_STEPS = 40_000
"""Expressions and statements that are evaluated in one text, calls and loops counted."""

MAX_DEPTH = 12
"""Calls in one another that are followed."""

MAX_MOMENTS = 24
"""States inside a ``try`` that are kept: any of them may be the one in which it fails."""


class OutOfSteps(Exception):  # noqa: N818  # a verdict on the text, not a failure of ours
    """The text needs more steps than it gets."""


@dataclass(frozen=True, slots=True)
class Args:
    """The arguments of a call: positional ones as entries of a list, others of a mapping."""

    node: cst.CSTNode
    positional: tuple[Entry, ...]
    keywords: tuple[Entry, ...]
    name: str


@dataclass(slots=True)
class Flow:
    """How statements end: falling through with ``state`` (None: never), or otherwise."""

    state: State | None
    returns: list[tuple[Thing, State]] = field(default_factory=list)
    breaks: list[State] = field(default_factory=list)
    continues: list[State] = field(default_factory=list)

    def add(self, other: Flow) -> None:
        """Take over how ``other`` ends, its fall-through left out."""
        self.returns += other.returns
        self.breaks += other.breaks
        self.continues += other.continues


@dataclass(frozen=True, slots=True)
class Frame:
    """What is fixed about a frame: the frame around it, and names that are not its own."""

    parent: int | None
    function: Func | None = None
    family: Ref | None = None
    outer: frozenset[str] = frozenset()
    top: frozenset[str] = frozenset()


@dataclass(slots=True)
class Machine:
    """One evaluation of one text."""

    script: Script
    needles: Needles
    expressions: Mapping[type, Evaluate]
    statements: Mapping[type, Execute]
    apply: Apply
    frames: dict[int, Frame] = field(default_factory=lambda: {MODULE: Frame(None)})
    frame: int = MODULE
    stack: list[cst.CSTNode] = field(default_factory=list)
    reached: set[cst.CSTNode] = field(default_factory=set)
    declared: dict[cst.CSTNode, Declared] = field(default_factory=dict)
    changes: dict[cst.CSTNode, Changes] = field(default_factory=dict)
    literals: dict[cst.CSTNode, Thing] = field(default_factory=dict)
    functions: dict[cst.CSTNode, Func] = field(default_factory=dict)
    families: dict[cst.CSTNode, Ref] = field(default_factory=dict)
    constants: dict[str, cst.CSTNode] = field(default_factory=dict)
    ended: State | None = None
    moments: list[State] | None = None
    events: dict[Event, None] = field(default_factory=dict)
    muted: bool = False
    steps: int = 0
    rounds: int = 0
    calls: Counter[cst.CSTNode] = field(default_factory=Counter)
    numbers: count[int] = field(default_factory=lambda: count(1))

    def spend(self, steps: int = 1) -> None:
        """Count work. Raises :class:`OutOfSteps`."""
        self.steps += steps
        if self.steps > MAX_STEPS:
            raise OutOfSteps

    def evaluate(self, node: cst.CSTNode, state: State) -> Thing:
        """What an expression is."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise OutOfSteps
        handler = self.expressions.get(type(node))
        if handler is None:
            return runtime(self.script.code(node), self.script.place(node))
        thing = handler(self, node, state)
        return settled(thing, state) if isinstance(thing, Alt) else thing

    def execute(self, nodes: Iterable[cst.CSTNode], state: State) -> Flow:
        """What statements do."""
        flow = Flow(state)
        for node in nodes:
            if flow.state is None:
                break
            self.spend()
            if self.moments is not None:
                self.moments = _remembered(self.moments, flow.state)
            handler = self.statements.get(type(node))
            if handler is not None:
                step = handler(self, node, flow.state)
                flow.add(step)
                flow.state = step.state
        return flow

    def tell(self, event: Event) -> None:
        """Keep what was found."""
        if not self.muted:
            self.events[event] = None

    # -- places -------------------------------------------------------------------

    def unknown(self, node: cst.CSTNode) -> Thing:
        """An expression of which only the writing is known."""
        return runtime(self.script.code(node)[:200], self.script.place(node))

    def place(self, node: cst.CSTNode) -> Place:
        """Where an expression stands; of a string, its inside."""
        return self.script.inside(node)

    # -- contents -----------------------------------------------------------------

    def number(self) -> int:
        """A number that nothing else has: for guards, frames and references."""
        return next(self.numbers)

    def new(self, state: State, content: Content) -> Ref:
        """A reference to a new container."""
        ref = Ref(self.number())
        state.heap[ref.id] = content
        return ref

    # -- names --------------------------------------------------------------------

    def lookup(self, name: str, state: State) -> Thing | None:
        """What a name is here; None when nothing in the file sets it."""
        frame: int | None = self.frame
        meta = self.frames[self.frame]
        if name in meta.top:
            frame = MODULE
        while frame is not None:
            found = state.frames.get(frame, {}).get(name)
            if found is not None and (frame == self.frame or not self._is_class(frame)):
                return settled(found, state)
            frame = self.frames[frame].parent
        return None

    def assign(self, name: str, thing: Thing, state: State) -> None:
        """Bind a name in the frame that owns it."""
        state.set_name(self._owner(name, state), name, thing)

    def _owner(self, name: str, state: State) -> int:
        meta = self.frames[self.frame]
        if name in meta.top:
            return MODULE
        frame = meta.parent
        while name in meta.outer and frame is not None:
            if name in state.frames.get(frame, {}):
                return frame
            frame = self.frames[frame].parent
        return self.frame

    def _is_class(self, frame: int) -> bool:
        meta = self.frames[frame]
        return meta.family is not None and meta.function is None

    # -- ways ---------------------------------------------------------------------

    def meet(self, guard: int, arms: Sequence[tuple[Thing, State]]) -> tuple[Thing, State]:
        """One of several results with the state that each left."""
        self.spend(1 + len(arms[0][1].heap) // 50)
        if len(arms) == 1:
            return arms[0]
        things, states = [arm[0] for arm in arms], [arm[1] for arm in arms]
        return alt(guard, things), join(guard, states)

    def fork(self, thing: Thing, state: State, function: Callable[[Thing, State], Thing]) -> Thing:
        """``function`` of a thing; of one of several, each in a world of its own."""
        if not isinstance(thing, Alt):
            return function(thing, state)
        arms: list[tuple[Thing, State]] = []
        for index, arm in enumerate(thing.arms):
            own = state.copy()
            own.world[thing.guard] = index
            arms.append((self.fork(under(arm, thing.guard, index), own, function), own))
        result, after = self.meet(thing.guard, arms)
        after.world = state.world
        state.take(after)
        return result


def _remembered(moments: list[State], state: State) -> list[State]:
    """The moments and the state before a statement, which may fail, if anything changed."""
    last = moments[-1] if moments else None
    changed = last is None or last.heap != state.heap or last.frames != state.frames
    return [*moments, state.copy()] if changed and len(moments) < MAX_MOMENTS else moments


def settled(thing: Thing, state: State) -> Thing:
    """The thing as far as the choices that led here decide it."""
    while isinstance(thing, Alt) and thing.guard in state.world:
        thing = under(thing, thing.guard, state.world[thing.guard])
    return thing


def name_of(thing: Thing, code: str) -> str:
    """The full name of what is called, or how it is written."""
    return thing.name if isinstance(thing, Dotted) else code
