"""The structure of a Makefile: definitions of variables, and the lines of recipes.

Read line by line, as make does before it looks at anything else. Offsets are
code points of the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

Place = tuple[int, int]

_LINE = re.compile(r"(?:[^\\\n]|\\\r?\n|\\[^\n])*+\\?(?:\n|\Z)")
_DEFINITION = re.compile(
    r"[ ]*(?P<words>(?:(?:export|override|private|unexport)[ \t]+)*)(?P<name>[\w.%-]+)[ \t]*"
    r"(?P<operator>\?=|:{0,3}=|\+=|!=)[ \t]*(?P<value>.*)",
    re.DOTALL | re.ASCII,
)
_EXPORT = re.compile(r"[ ]*export((?:[ \t]+[\w.-]+)*)[ \t]*\Z", re.ASCII)
_RULE = re.compile(r"(?P<targets>[^\t#=:][^#=:]*)::?(?![=:])(?P<rest>.*)", re.DOTALL)
_OPENS = re.compile(r"[ ]*(?:ifeq|ifneq|ifdef|ifndef)\b")
_CLOSES = re.compile(r"[ ]*endif\b")
_DEFINE = re.compile(
    r"[ ]*(?P<words>(?:(?:export|override)[ \t]+)*)define[ \t]+(?P<name>[\w.-]+)[ \t]*"
    r"(?P<operator>\?=|:{0,3}=|\+=|!=)?[ \t]*\r?\Z",
    re.ASCII,
)
_OPEN_DEFINE = re.compile(r"[ ]*(?:override[ \t]+)?define\b")
_ENDEF = re.compile(r"[ ]*endef\b")
_BRACKETS = re.compile(r"[(){}]")
_COMMENT = re.compile(r"(?<!\\)#")


@dataclass(frozen=True, slots=True)
class Definition:
    """``name operator value``. ``maybe``: in a conditional, or for one target alone.

    The value of one that ``lines`` is what stands between ``define`` and ``endef``.
    """

    name: str
    operator: str
    start: int
    value: Place
    maybe: bool = False
    lines: bool = False


@dataclass(slots=True)
class Makefile:
    """What a Makefile says. ``recipes`` are the places of recipe lines, one list for each shell."""

    definitions: list[Definition] = field(default_factory=list)
    exported: dict[str, None] = field(default_factory=dict)
    exports_all: bool = False
    recipes: list[list[Place]] = field(default_factory=list)


def parse_makefile(text: str) -> Makefile:
    """Read the definitions and the recipes of a Makefile."""
    return _Parser(text).parse()


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._made = Makefile()
        self._conditionals = 0
        self._in_define = False
        self._defined: Definition | None = None
        self._in_rule = False
        self._one_shell = re.search(r"^\.ONESHELL[ \t]*:", text, re.MULTILINE) is not None

    def parse(self) -> Makefile:
        for start, end in self._lines():
            if self._in_define:
                self._inside_define(start, end)
            elif self._text[start] == "\t" and self._in_rule:
                self._recipe((start + 1, end))
            else:
                self._line(start, end)
        self._made.recipes = [recipe for recipe in self._made.recipes if recipe]
        return self._made

    def _lines(self) -> Iterator[Place]:
        """Logical lines without their line break."""
        at = 0
        while at < len(self._text):
            match = _LINE.match(self._text, at)
            if match is None or match.end() == at:
                return
            end = at + len(match[0].removesuffix("\n").removesuffix("\r"))
            if end > at:
                yield at, end
            at = match.end()

    def _recipe(self, place: Place) -> None:
        recipes = self._made.recipes
        if self._one_shell and recipes:
            recipes[-1].append(place)
        else:
            recipes.append([place])

    def _line(self, start: int, end: int) -> None:
        text = self._text
        if _OPENS.match(text, start, end):
            self._conditionals += 1
        elif _CLOSES.match(text, start, end):
            self._conditionals = max(0, self._conditionals - 1)
        elif _OPEN_DEFINE.match(text, start, end):
            self._define(start, end)
        elif self._definition(start, end, maybe=self._conditionals > 0):
            return
        elif match := _EXPORT.match(text, start, end):
            names = match[1].split()
            self._made.exported.update(dict.fromkeys(names))
            self._made.exports_all = self._made.exports_all or not names
        elif match := _RULE.match(text, start, end):
            self._rule(match)

    def _define(self, start: int, end: int) -> None:
        self._in_define = True
        self._defined = None
        if match := _DEFINE.match(self._text[start:end]):
            maybe = self._conditionals > 0
            place = (end + 1, end + 1)
            self._defined = Definition(
                match["name"], match["operator"] or "=", start, place, maybe, lines=True
            )
            if "export" in match["words"].split():
                self._made.exported[match["name"]] = None

    def _inside_define(self, start: int, end: int) -> None:
        if _ENDEF.match(self._text, start, end) is None:
            return
        self._in_define = False
        if self._defined is not None:
            first = self._defined.value[0]
            value = (first, max(first, start))
            self._made.definitions.append(replace(self._defined, value=value))

    def _rule(self, match: re.Match[str]) -> None:
        """The head of a rule: a recipe may follow, on its own line too."""
        self._in_rule = True
        if self._one_shell:
            self._made.recipes.append([])
        start, end = match.span("rest")
        at = start + len(match["rest"]) - len(match["rest"].lstrip(" \t"))
        if self._definition(at, end, maybe=True):
            return
        semicolon = self._text.find(";", start, end)
        if semicolon >= 0 and "#" not in self._text[start:semicolon]:
            self._recipe((semicolon + 1, end))

    def _definition(self, start: int, end: int, *, maybe: bool) -> bool:
        match = _DEFINITION.match(self._text, start, end)
        if match is None:
            return False
        comment = _COMMENT.search(self._text, match.start("value"), end)
        value = (match.start("value"), comment.start() if comment else end)
        made = Definition(match["name"], match["operator"], match.start("name"), value, maybe)
        self._made.definitions.append(made)
        if "export" in match["words"].split():
            self._made.exported[match["name"]] = None
        return True


def closing(text: str, start: int, end: int) -> int:
    """Where ``$(...)`` at ``start`` ends, the brackets inside it counted."""
    opened = text[start + 1]
    closes = ")" if opened == "(" else "}"
    depth = 0
    for match in _BRACKETS.finditer(text, start, end):
        if match[0] == opened:
            depth += 1
        elif match[0] == closes:
            depth -= 1
            if depth == 0:
                return match.end()
    return end
