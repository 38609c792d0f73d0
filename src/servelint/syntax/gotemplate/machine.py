"""What one rendering has used up and decided.

A rendering that meets a condition nobody can know goes one way and notes it; the engine then runs
the template again for the other way. So an evaluator needs no notion of several results.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from servelint.syntax.gotemplate.problems import TooDeep, TooSlow
from servelint.syntax.gotemplate.values import Value, holds
from servelint.syntax.gotemplate.writing import writing_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.syntax.gotemplate.nodes import Block
    from servelint.syntax.gotemplate.texts import Text

MAX_STEPS = 200_000
"""Statements, calls and items of a template, in all its renderings."""

MAX_CHARACTERS = 20_000_000
"""Characters of all texts made in one rendering."""

MAX_TEXT = 4_000_000
"""Characters of one text."""

MAX_DEPTH = 100
"""Templates that are included in each other."""


@dataclass(slots=True, eq=False)
class Machine:
    """The state of one rendering. ``plan`` says which way the first decisions go."""

    plan: tuple[bool, ...] = ()
    steps_left: int = MAX_STEPS
    made: list[tuple[str, bool]] = field(default_factory=list)
    reached: set[Block] = field(default_factory=set)
    depth: int = 0
    _known: dict[str, bool] = field(default_factory=dict)
    _characters: int = 0

    def decide(self, writing: str) -> bool:
        """Whether to take for true what is written so; equal writings are decided alike."""
        if writing not in self._known:
            index = len(self.made)
            way = self.plan[index] if index < len(self.plan) else True
            self.made.append((writing, way))
            self._known[writing] = way
        return self._known[writing]

    def is_true(self, value: Value) -> bool:
        """Whether an ``if`` takes a value for true, decided where nobody knows."""
        known = holds(value)
        return known if known is not None else self.decide(writing_of(value))

    def step(self, steps: int = 1) -> None:
        """Count steps. Raises TooSlow."""
        self.steps_left -= steps
        if self.steps_left < 0:
            raise TooSlow(f"more than {MAX_STEPS:,} steps")

    def grow(self, text: Text) -> Text:
        """Count the characters of a new text. Raises TooSlow."""
        return self.reserve(len(text.flat), text)

    def reserve(self, size: int, text: Text) -> Text:
        """Count characters. Raises TooSlow."""
        self._characters += size
        if size > MAX_TEXT or self._characters > MAX_CHARACTERS:
            raise TooSlow("the texts get too long")
        return text

    def enter(self) -> None:
        """Go into a named template. Raises TooDeep."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise TooDeep(f"more than {MAX_DEPTH} templates in each other")

    def leave(self) -> None:
        """Come back from a named template."""
        self.depth -= 1
