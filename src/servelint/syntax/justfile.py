"""The structure of a justfile: settings, assignments, and recipes with their lines.

Offsets are code points of the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from servelint.syntax.just_expression import Reader, parse_expression, tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.syntax.just_expression import Parts, Token

    Place = tuple[int, int]

_INDENT = re.compile(r"[ \t]*+")
_BODY = re.compile(r"(?:[ \t]+[^\n]*(?:\n|\Z)|[ \t\r]*\n)*+")
_LINE = re.compile(r"[^\n]*\n?")
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_WORDS = frozenset({"export", "eager", "lazy", "set", "alias", "import", "mod", "unexport"})


@dataclass(frozen=True, slots=True)
class Setting:
    """``set name := values``; without a value it is ``true``."""

    values: tuple[str, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Assignment:
    """A variable or a parameter. ``parts`` are None for a parameter without a default.

    ``start`` is where the name stands, ``value`` where its value does. With
    ``maybe`` it is only a default.
    """

    name: str
    start: int
    value: Place
    parts: Parts | None
    exported: bool = False
    maybe: bool = False


@dataclass(frozen=True, slots=True)
class Recipe:
    """``lines`` are those of the body, without indentation and line breaks.

    ``attributes`` map names to their first argument, or to nothing. With
    ``takes_rest`` the last parameter gets all arguments that are left.
    """

    name: str
    parameters: tuple[Assignment, ...]
    takes_rest: bool
    attributes: dict[str, str]
    lines: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """A recipe that another one asks for, and what it gives. ``names`` are its own parameters."""

    arguments: tuple[tuple[Place, Parts], ...]
    names: frozenset[str]


@dataclass(slots=True)
class Justfile:
    """What a justfile says. ``calls`` are by the name of the recipe that is asked for."""

    settings: dict[str, Setting] = field(default_factory=dict)
    assignments: dict[str, Assignment] = field(default_factory=dict)
    recipes: list[Recipe] = field(default_factory=list)
    calls: dict[str, list[Call]] = field(default_factory=dict)

    def is_set(self, name: str) -> bool:
        """True for a setting that is given and not ``false``."""
        return name in self.settings and self.settings[name].values != ("false",)

    def first(self, setting: str, default: str) -> str:
        """The first value of a setting."""
        return self.settings[setting].values[0] if setting in self.settings else default


def parse_justfile(text: str) -> Justfile:
    """Read a justfile; what is none of its items is passed over."""
    return _Parser(text).parse()


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._made = Justfile()
        self._attributes: dict[str, str] = {}

    def parse(self) -> Justfile:
        at = 0
        while at < len(self._text):
            indented = self._text[at] in " \t"
            found, end = self._item(at)
            at = end + 1
            if found and not indented:
                at = self._statement(found, at)
        return self._made

    def _item(self, start: int) -> tuple[list[Token], int]:
        """The tokens of one item, and where it ends: at a line break outside of brackets."""
        found: list[Token] = []
        depth = 0
        for token in tokens(self._text, start, len(self._text)):
            depth += (token.kind in _OPENING) - (token.kind in _CLOSING)
            if token.kind != "newline":
                found.append(token)
            elif depth <= 0:
                return found, token.start
        return found, len(self._text)

    def _statement(self, found: list[Token], at: int) -> int:
        """Take in one item; where the next one begins."""
        if found[0].kind == "[":
            self._attribute(found)
            return at
        words = 0
        while (
            len(found) > words + 1
            and found[words + 1].kind == "name"
            and self._is_word(found[words])
        ):
            words += 1
        kinds = [token.kind for token in found[words : words + 2]]
        if words and self._word(found[0]) == "set":
            self._setting(found)
        elif kinds == ["name", ":="] and self._word(found[0]) != "alias":
            exported = any(self._word(token) == "export" for token in found[:words])
            self._assignment(found[words:], exported=exported)
        elif not words:
            at = self._recipe(found, at)
        self._attributes = {}
        return at

    def _word(self, token: Token) -> str:
        return self._text[token.start : token.end]

    def _is_word(self, token: Token) -> bool:
        return token.kind == "name" and self._word(token) in _WORDS

    def _attribute(self, found: list[Token]) -> None:
        reader = Reader(self._text, found[1:])
        while reader.kind() not in ("", "]"):
            if reader.kind() == "name":
                name = reader.written()
                reader.take()
                opened = reader.kind() in ("(", ":") and reader.take()
                given = reader.term() if opened else ()
                self._attributes.setdefault(name, "".join(part.text for part in given))
            else:
                reader.take()

    def _setting(self, found: list[Token]) -> None:
        values = (token for token in found[3:] if token.kind in ("string", "name"))
        made = tuple(_plain(self._text, token) for token in values) or ("true",)
        place = (found[0].start, found[-1].end)
        self._made.settings[self._word(found[1])] = Setting(made, place)

    def _assignment(self, found: list[Token], *, exported: bool) -> None:
        start, end = found[1].end, found[-1].end
        if len(found) > 2:
            start = found[2].start
        parts = parse_expression(self._text, start, end)
        name = self._word(found[0])
        made = Assignment(name, found[0].start, (start, end), parts, exported)
        self._made.assignments[name] = made

    # -- recipes --------------------------------------------------------------

    def _recipe(self, found: list[Token], at: int) -> int:
        head = found[1:] if found[0].kind == "@" else found
        colon = next((index for index, token in enumerate(head) if token.kind == ":"), 0)
        if not colon or head[0].kind != "name":
            return at
        parameters = self._parameters(Reader(self._text, head[1:colon]))
        names = frozenset(parameter.name for parameter in parameters)
        self._calls(Reader(self._text, head[colon + 1 :]), names)
        body = _BODY.match(self._text, at)
        end = body.end() if body else at
        lines = self._lines(at, end)
        rest = any(token.kind in ("*", "+") for token in head[1:colon])
        name = self._word(head[0])
        self._made.recipes.append(Recipe(name, parameters, rest, self._attributes, lines))
        return end

    def _parameters(self, reader: Reader) -> tuple[Assignment, ...]:
        found: list[Assignment] = []
        exported = False
        while reader.kind():
            exported = exported or reader.kind() == "$"
            name, token = reader.written(), reader.take()
            if token.kind != "name":
                continue
            value, parts = (token.end, token.end), None
            if reader.kind() == "=":
                reader.take()
                parts, value = reader.placed(reader.term)
            found.append(Assignment(name, token.start, value, parts, exported, maybe=True))
            exported = False
        return tuple(found)

    def _calls(self, reader: Reader, names: frozenset[str]) -> None:
        while reader.kind():
            token = reader.take()
            name = self._word(token)
            given: list[tuple[Place, Parts]] = []
            if token.kind == "(" and reader.kind() == "name":
                name = self._word(reader.take())
                while reader.kind() not in ("", ")"):
                    parts, place = reader.placed(reader.expression)
                    given.append((place, parts))
            elif token.kind != "name":
                continue
            self._made.calls.setdefault(name, []).append(Call(tuple(given), names))

    def _lines(self, start: int, end: int) -> tuple[Place, ...]:
        """The lines of a body without what the first one is indented by."""
        found: list[Place] = []
        indent = 0
        for match in _LINE.finditer(self._text, start, end):
            first = match.start()
            last = first + len(match[0].rstrip("\r\n"))
            blanks = _INDENT.match(self._text, first, last)
            size = blanks.end() - first if blanks else 0
            if first + size == last:
                found.append((last, last))
                continue
            indent = indent or size
            found.append((first + min(size, indent), last))
        while found and found[-1][0] == found[-1][1]:
            found.pop()
        return tuple(found)


def _plain(text: str, token: Token) -> str:
    """The text of a string or a word."""
    if token.kind == "name":
        return text[token.start : token.end]
    return "".join(part.text for part in parse_expression(text, token.start, token.end))
