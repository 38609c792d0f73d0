"""A parsed template. Every node keeps its place: offsets in the text of its template."""

from __future__ import annotations

from dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.syntax.gotemplate.texts import Text


@dataclass(frozen=True, slots=True, eq=False)
class Constant:
    """A literal: ``kind`` is string, char, int, float, bool or nil; ``written`` as in the text.

    ``is_verbatim`` says that the value of a string is its writing without the quotes.
    """

    kind: str
    value: str | int | float | bool | None
    start: int
    end: int
    is_verbatim: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """Names after a value: ``.a.b`` (``base`` None: the dot), ``$x.a``, ``(pipe).a``."""

    base: Variable | Pipe | Call | None
    names: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """``$name``; the name is without the sign, empty for what the template was given."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """The name of a function. As an argument it stands for its value without arguments."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, eq=False)
class Command:
    """One stage of a pipeline: an operand and its arguments."""

    words: tuple[Operand, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True, eq=False)
class Pipe:
    """Commands, each given the value of the one before; ``names`` are the variables that it sets.

    ``is_new`` tells ``:=`` from ``=``.
    """

    commands: tuple[Command, ...]
    start: int
    end: int
    names: tuple[str, ...] = ()
    is_new: bool = False


Operand = Constant | Chain | Variable | Call | Pipe


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """Text of the template outside of actions, after trimming."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """``{{ pipeline }}``; ``start`` and ``end`` include the braces, as in all statements."""

    pipe: Pipe
    start: int
    end: int


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """The statements of a branch; ``start`` and ``end`` are the inner edges of its actions."""

    nodes: tuple[Node, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """``if``, ``with`` or ``range`` with its bodies; an ``else if`` is a branch in ``other``."""

    word: str
    pipe: Pipe
    body: Block
    other: Block | None
    start: int
    end: int


@dataclass(frozen=True, slots=True, eq=False)
class Insert:
    """``{{ template "name" pipeline }}``."""

    name: str
    pipe: Pipe | None
    start: int
    end: int


@dataclass(frozen=True, slots=True, eq=False)
class Jump:
    """``break`` or ``continue``."""

    word: str
    start: int
    end: int


Node = Literal | Action | Branch | Insert | Jump


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """A template: its text, its statements, and the named ones that it defines."""

    text: Text
    body: Block
    named: dict[str, Block] = field(default_factory=dict)
    path: str = ""
