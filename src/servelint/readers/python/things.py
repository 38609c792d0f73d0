"""What an expression may be: the values of the evaluator.

A thing is one value, or an :class:`Alt`: one of several, told apart by the
guard that chose. Two alternatives with one guard are chosen together.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from servelint.readers.python.pieces import MAX_VIA, Piece, Pieces, Place, through

TYPE_CHECKING = False
if TYPE_CHECKING:
    import libcst as cst


@dataclass(frozen=True, slots=True)
class Str:
    """A text; ``path`` tells a pathlib path from a string."""

    pieces: Pieces
    path: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Const:
    """A number, a truth value or None, written at ``at``; ``True`` is not ``1`` here."""

    value: int | float | None  # the difference counts
    at: Place | None = None
    via: tuple[Place, ...] = ()

    def __eq__(self, other: object) -> bool:
        """Equal in type, value and place."""
        return isinstance(other, Const) and self._key() == other._key()

    def __hash__(self) -> int:
        """As equality has it."""
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return type(self.value), self.value, self.at, self.via

    @property
    def shown(self) -> str:
        """The text that ``str()`` makes of it."""
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Open:
    """A value that an environment variable, an option or a caller gives.

    ``default`` is what holds when nobody does.
    """

    name: str
    text: str
    default: Thing | None = None
    at: Place | None = None
    via: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Dark:
    """Something that cannot be known; ``text`` is how it is written."""

    reason: str
    text: str
    at: Place | None = None
    via: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Dotted:
    """Something of another module, by its full name; a call of it ends in ``()``."""

    name: str


@dataclass(frozen=True, slots=True)
class Ref:
    """A list, mapping or object that the state holds."""

    id: int


@dataclass(frozen=True, slots=True)
class Func:
    """A function of the file: where it was defined, and what it is bound to."""

    node: cst.FunctionDef | cst.Lambda
    frame: int
    defaults: tuple[tuple[str, Thing], ...] = ()
    receiver: Thing | None = None
    owner: Thing | None = None
    bound: tuple[Thing, ...] = ()
    named: tuple[tuple[str, Thing], ...] = ()


@dataclass(frozen=True, slots=True)
class Super:
    """What ``super()`` gives in a method of ``owner``."""

    receiver: Thing
    owner: Thing


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an enumeration.

    ``kind`` is ``enum``, ``str`` for one that is also a string, or ``strenum``
    for one whose ``str()`` is its value.
    """

    family: Ref
    name: str
    value: Thing
    kind: str


@dataclass(frozen=True, slots=True)
class Alt:
    """One of ``arms``: the one that ``guard`` chose.

    ``guards`` are all guards in it, ``size`` is the number of alternatives.
    """

    guard: int
    arms: tuple[Thing, ...]
    guards: frozenset[int] = field(compare=False)
    size: int = field(compare=False)


Thing = Str | Const | Open | Dark | Dotted | Ref | Func | Super | Member | Alt

NONE = Const(None)
TRUE = Const(True)  # noqa: FBT003  # a value, not a switch
FALSE = Const(False)  # noqa: FBT003  # same


def is_none(thing: Thing) -> bool:
    """True for None, wherever it is written."""
    return isinstance(thing, Const) and thing.value is None


def plain(text: str) -> Str:
    """A known text that is written nowhere."""
    return Str((Piece(text),) if text else ())


def runtime(text: str, at: Place | None = None) -> Dark:
    """Something that only a run can tell."""
    return Dark("runtime-value", text, at)


def passed(thing: Thing, place: Place) -> Thing:
    """The thing after it passed the expression at ``place``."""
    match thing:
        case Str():
            return Str(tuple([through(piece, place) for piece in thing.pieces]), thing.path)
        case Const() | Open() | Dark():
            inside = thing.at is not None and place[0] <= thing.at[0] and thing.at[1] <= place[1]
            if inside or (thing.via and thing.via[-1] == place):
                return thing
            return replace(thing, via=(*thing.via, place)[-MAX_VIA:])
        case Alt():
            arms = tuple(passed(arm, place) for arm in thing.arms)
            return replace(thing, arms=arms)
        case _:
            return thing


def pieces_of(thing: Thing, text: str, at: Place | None) -> Pieces:
    """A single thing as the text that ``str()`` makes of it, written ``text`` at ``at``."""
    match thing:
        case Str():
            return thing.pieces
        case Const():
            return (Piece(thing.shown, thing.at, thing.via),)
        case Open():
            default = None
            if thing.default is not None and not is_none(thing.default):
                default = _default(thing.default)
            return (Piece(thing.text or text, at, thing.via, thing.name, "", default),)
        case Dark():
            return (Piece(thing.text or text, at, thing.via, "", thing.reason),)
        case _:
            return (Piece(text, at, (), "", "runtime-value"),)


def _default(thing: Thing) -> Pieces | None:
    """The text of a default; None when there are several or it is no text."""
    if isinstance(thing, Str | Const | Open):
        return pieces_of(thing, "", None)
    return None
