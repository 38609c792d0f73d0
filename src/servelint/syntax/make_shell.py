"""From a recipe of a Makefile to the text that a shell can be asked about.

``$$`` becomes ``$``, ``$(NAME)`` becomes ``${NAME}`` after an assignment of
what NAME is, so that a reader of shell text finds the value and the place
where it is written. What make computes becomes an open name ``make_...``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from servelint.source import Segment
from servelint.syntax.makefile import closing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from servelint.syntax.makefile import Definition, Makefile, Place

MAX_NESTING = 8
"""Variables made of variables: how far that is followed."""

MAX_LENGTH = 10_000
"""A value that is written out is not made longer than this."""

_PLAIN = re.compile(r"[\w./:@%+,=\[\] \t-]*\Z", re.ASCII)
_SIMPLE_NAME = re.compile(r"[\w.-]+\Z", re.ASCII)
_FUNCTION = re.compile(r"([A-Za-z][\w-]*)[\s,]", re.ASCII)
_FOLD = re.compile(r"[ \t]*\\\r?\n[ \t]*")
_REFERENCE = re.compile(r"\$[({]([\w.-]+)[)}]", re.ASCII)
_VALUE = re.compile(r"\$[({](?P<name>[\w.-]+)[)}]|[ \t]*\\\r?\n[ \t]*", re.ASCII)
_DOLLAR = re.compile(r"\$\$|\$[({]([\w.-]+)[)}]|\$", re.ASCII)
_CALL = re.compile(
    r"call[ \t]+(?P<name>[\w.-]+)(?P<given>(?:,[^(){}]*(?:\$[({][\w.-]+[)}][^(){}]*)*)?)\Z",
    re.ASCII | re.DOTALL,
)
_LINE_SIGNS = re.compile(r"^[@+ \t-]+", re.MULTILINE)
_SIGNS = re.compile(r"[@+ \t-]*")
_RUN = re.compile(r"[^$\\'\"]+|['\"]")
_CONTINUED = re.compile(r"\\\r?\n\t?")
_AUTOMATIC = {"@": "target", "<": "source", "^": "sources", "?": "newer", "*": "stem", "+": "all"}
_FINAL = frozenset({"=", ":=", "::=", ":::="})
_CONDITION = '[ "${make_condition}" ] && '


@dataclass(slots=True)
class ShellText:
    """A text in the making, with the place of each of its runs."""

    parts: list[str] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    length: int = 0

    def add(self, text: str, start: int, end: int) -> None:
        """Append ``text``, which stands at ``start`` to ``end``."""
        if text:
            self.parts.append(text)
            self.segments.append(Segment(self.length, self.length + len(text), start, end))
            self.length += len(text)

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self.parts)


class Recipes:
    """Turns the recipes of one Makefile into shell texts."""

    def __init__(self, text: str, makefile: Makefile) -> None:
        self.text = text
        self._makefile = makefile
        self._definitions: dict[str, list[Definition]] = {}
        for definition in makefile.definitions:
            self._definitions.setdefault(definition.name, []).append(definition)
        self._plain: dict[str, bool] = {}

    def shell_text(self, lines: Iterable[Place]) -> ShellText:
        """The text of recipe lines that run in one shell, after the variables that they use."""
        body = _Body(self)
        for start, end in lines:
            body.line(start, end)
        made = ShellText()
        exported = self._definitions if self._makefile.exports_all else self._makefile.exported
        done: set[str] = set()
        for name in (*exported, *body.names):
            self._define(made, name, done, 0)
        offset = made.length
        made.parts.extend(body.made.parts)
        made.segments.extend(
            Segment(s.start + offset, s.end + offset, s.origin_start, s.origin_end)
            for s in body.made.segments
        )
        made.length += body.made.length
        return made

    def definitions(self, name: str) -> list[Definition]:
        """The definitions of a name, in order."""
        return self._definitions.get(name, [])

    def is_plain(self, name: str) -> bool:
        """True when all definitions of a name hold only what a shell reads as it stands."""
        if name not in self._plain:
            self._plain[name] = all(map(self._is_plain, self.definitions(name)))
        return self._plain[name]

    def _is_plain(self, definition: Definition) -> bool:
        text = _FOLD.sub(" ", self.text[slice(*definition.value)])
        rest = _REFERENCE.sub("", text)
        if definition.operator == "!=" or definition.lines:
            return False
        return _PLAIN.match(rest) is not None

    def _define(self, made: ShellText, name: str, done: set[str], depth: int) -> None:
        """Assign a variable, after those that its value names."""
        if name in done or depth > MAX_NESTING or not self.is_plain(name):
            return
        done.add(name)
        definitions = self.definitions(name)
        for definition in definitions:
            for inner in _REFERENCE.findall(self.text[slice(*definition.value)]):
                self._define(made, inner, done, depth + 1)
        sure = [item for item in definitions if not item.maybe and item.operator != "+="]
        for definition in definitions:
            unsure = definition.maybe or (len(sure) > 1 and definition is not sure[0])
            self._assign(made, definition, maybe=unsure and definition.operator != "+=")
        if name in self._makefile.exported or self._makefile.exports_all:
            at = definitions[0].start if definitions else 0
            made.add(f"export {shell_name(name)}\n", at, at)

    def _assign(self, made: ShellText, definition: Definition, *, maybe: bool) -> None:
        start, end = definition.value
        name = shell_name(definition.name)
        operator = "+=" if definition.operator == "+=" else "="
        if maybe or definition.maybe:
            made.add(_CONDITION, definition.start, definition.start)
        made.add(f"{name}{operator}", definition.start, start)
        made.add('"', start, start)
        if definition.operator == "+=":
            made.add(" ", start, start)
        if definition.operator == "?=":
            made.add(f"${{{name}:-", start, start)
        self._value(made, start, end)
        made.add('}"' if definition.operator == "?=" else '"', end, end)
        made.add("\n", end, end)

    def _value(self, made: ShellText, start: int, end: int) -> None:
        at = start
        for match in _VALUE.finditer(self.text, start, end):
            made.add(self.text[at : match.start()], at, match.start())
            name = match["name"]
            content = f"${{{shell_name(name)}}}" if name else " "
            made.add(content, match.start(), match.end())
            at = match.end()
        made.add(self.text[at:end], at, end)


class _Body:
    """Recipe lines as shell text; ``names`` are the variables that they use."""

    def __init__(self, recipes: Recipes) -> None:
        self.made = ShellText()
        self.names: dict[str, None] = {}
        self._recipes = recipes
        self._text = recipes.text
        self._single = False
        self._double = False

    def line(self, start: int, end: int) -> None:
        """Take over one recipe line, without the signs that only make reads."""
        signs = _SIGNS.match(self._text, start, end)
        at = signs.end() if signs else start
        self._single = self._double = False
        while at < end:
            at = self._step(at, end)
        self.made.add("\n", end, end)

    def _step(self, at: int, end: int) -> int:
        """Take over what stands at ``at``; the offset behind it."""
        char = self._text[at]
        if char == "$":
            return self._dollar(at, end)
        if char == "\\":
            return self._backslash(at, end)
        if char == "'" and not self._double:
            self._single = not self._single
        elif char == '"' and not self._single:
            self._double = not self._double
        run = _RUN.match(self._text, at, end)
        stop = run.end() if run else at + 1
        self.made.add(self._text[at:stop], at, stop)
        return stop

    def _backslash(self, at: int, end: int) -> int:
        """A continuation, without the tab that starts the next line; else the next character."""
        if match := _CONTINUED.match(self._text, at, end):
            kept = match[0].removesuffix("\t")
            self.made.add(kept, at, at + len(kept))
            return match.end()
        stop = at + 1 if self._text[at + 1 : at + 2] in ("$", "\n", "\r") else min(at + 2, end)
        self.made.add(self._text[at:stop], at, stop)
        return stop

    def _dollar(self, at: int, end: int) -> int:
        after = self._text[at + 1 : min(at + 2, end)]
        if after == "$":
            self.made.add("$", at, at + 2)
            return at + 2
        if after in ("(", "{"):
            stop = closing(self._text, at, end)
            self._reference(self._text[at + 2 : stop - 1], at, stop)
            return stop
        self._reference(after, at, at + 1 + len(after))
        return at + 1 + len(after)

    def _reference(self, inside: str, start: int, end: int) -> None:
        """``$(inside)``: the name of a variable, or something that make computes."""
        if call := _CALL.match(inside):
            given = tuple(map(self._argument, call["given"].split(",")[1:]))
            text = self._written_out(call["name"], 0, given)
            if text is None:
                self._open("make_call", start, end)
            else:
                self.made.add(text, start, end)
        elif not _SIMPLE_NAME.match(inside):
            self._open(_computed(inside), start, end)
        elif self._recipes.is_plain(inside):
            self.names[inside] = None
            self._open(shell_name(inside), start, end)
        elif (text := self._written_out(inside, 0)) is None:
            self._open("make_value", start, end)
        else:
            self.made.add(text, start, end)

    def _argument(self, text: str) -> str:
        """What a call gives, its variables as the shell spells them."""
        for name in _REFERENCE.findall(text):
            if self._recipes.is_plain(name):
                self.names[name] = None
        return _REFERENCE.sub(lambda match: f"${{{shell_name(match[1])}}}", text)

    def _open(self, name: str, start: int, end: int) -> None:
        content = f"${{{name}}}"
        self.made.add(f"'\"{content}\"'" if self._single else content, start, end)

    def _written_out(self, name: str, depth: int, given: tuple[str, ...] = ()) -> str | None:
        """The value of a variable that is set once and for all, as make puts it in place.

        ``given`` are the words that ``$(1)``, ``$(2)`` and so on stand for.
        """
        definitions = self._recipes.definitions(name)
        only = definitions[0] if len(definitions) == 1 else None
        if only is None or only.maybe or only.operator not in _FINAL or depth > MAX_NESTING:
            return None
        if only.value[1] - only.value[0] > MAX_LENGTH:
            return None
        text = _FOLD.sub(" ", self._text[slice(*only.value)])
        if only.lines:
            text = _LINE_SIGNS.sub("", text)
        parts: list[str] = []
        at = 0
        for match in _DOLLAR.finditer(text):
            number = match[1] or ""
            if number.isdecimal() and 0 < int(number[:3]) <= len(given):
                inner: str | None = given[int(number[:3]) - 1]
            else:
                inner = self._inner(match, depth, quoted=self._single or "'" in text)
            if inner is None:
                return None
            parts.extend((text[at : match.start()], inner))
            at = match.end()
        made = "".join((*parts, text[at:]))
        return made if len(made) <= MAX_LENGTH else None

    def _inner(self, match: re.Match[str], depth: int, *, quoted: bool) -> str | None:
        """A variable inside a value that is written out."""
        if match[0] == "$$":
            return "$"
        if match[1] is None:
            return None
        if self._recipes.is_plain(match[1]) and not quoted:
            self.names[match[1]] = None
            return f"${{{shell_name(match[1])}}}"
        return self._written_out(match[1], depth + 1)


def shell_name(name: str) -> str:
    """The name of a make variable as a shell can spell it."""
    return re.sub(r"[^\w]", "_", name, flags=re.ASCII)


def _computed(inside: str) -> str:
    """The open name for a function, an automatic variable or a substitution reference."""
    if match := _FUNCTION.match(inside):
        return shell_name(f"make_{match[1]}")
    return f"make_{_AUTOMATIC.get(inside[:1], 'value')}"
