"""Expressions of ``just``: what a variable, a default or ``{{ ... }}`` is made of.

Strings, names, ``+``, ``/`` and what is taken from the environment are
followed; everything else that ``just`` computes is an open name ``just_...``.
Offsets are code points of the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MAX_NESTING = 30
"""Brackets in brackets: deeper ones are computed values."""


@dataclass(frozen=True, slots=True)
class Part:
    """A run of a value; ``start`` to ``end`` is where it stands.

    ``name`` is set for a variable: one of the justfile, or one from
    ``outside``, with a ``default`` or without. ``expands`` marks a text in
    which variables of the environment stand, as a shell spells them.
    """

    text: str
    start: int
    end: int
    name: str = ""
    outside: bool = False
    default: tuple[Part, ...] | None = None
    expands: bool = False


Parts = tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Token:
    """``kind`` is string, backtick, name, newline or the sign itself."""

    kind: str
    start: int
    end: int


_TOKEN = re.compile(
    r"""(?P<blank>[ \t\r]+|\\\r?\n|\#[^\n]*)
      | (?P<newline>\n)
      | (?P<string>[xf]?(?:'''(?:[^']|'(?!''))*+'''|\"\"\"(?:[^"\\]|\\.|"(?!""))*+\"\"\"
                   |'[^']*+'|"(?:[^"\\]|\\.)*+"))
      | (?P<backtick>```(?:[^`]|`(?!``))*+```|`[^`]*+`)
      | (?P<name>[A-Za-z_][\w-]*)
      | (?P<sign>:=|&&|\|\||==|!=|=~|!~|.)
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_STRING = re.compile(r"(?P<prefix>[xf]?)(?P<quote>'''|\"\"\"|'|\")", re.ASCII)
_ESCAPE = re.compile(r"\\(?:u\{(?P<code>[0-9A-Fa-f]{1,6})\}|(?P<newline>\r?\n)|.)", re.DOTALL)
_MEANING = {"n": "\n", "r": "\r", "t": "\t"}
_COMPARISONS = frozenset({"==", "!=", "=~", "!~", "&&", "||"})
_OPERATORS = _COMPARISONS | {"+", "/"}
_FROM_ENVIRONMENT = frozenset({"env", "env_var", "env_var_or_default"})
_VARIABLE = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)


def tokens(text: str, start: int, end: int) -> Iterator[Token]:
    """The tokens of a range; blanks and comments are none."""
    for match in _TOKEN.finditer(text, start, end):
        kind = match.lastgroup or ""
        if kind != "blank":
            yield Token(match[0] if kind == "sign" else kind, *match.span())


def parse_expression(text: str, start: int, end: int) -> Parts:
    """The value of the expression in a range."""
    reader = Reader(text, [token for token in tokens(text, start, end) if token.kind != "newline"])
    parts = reader.expression()
    return parts if reader.kind() == "" else (_computed("value", start, end),)


class Reader:
    """Reads expressions from tokens, one after the other."""

    def __init__(self, text: str, items: Sequence[Token]) -> None:
        self._text = text
        self._items = items
        self._depth = 0
        self.at = 0

    def kind(self) -> str:
        """The kind of the next token; empty behind the last."""
        return self._items[self.at].kind if self.at < len(self._items) else ""

    def written(self) -> str:
        """The next token as it is written."""
        token = self._items[self.at]
        return self._text[token.start : token.end]

    def take(self) -> Token:
        """The next token, which must be there."""
        self.at += 1
        return self._items[self.at - 1]

    def placed(self, read: Callable[[], Parts]) -> tuple[Parts, tuple[int, int]]:
        """What ``read`` reads, and where that stands."""
        first = min(self.at, len(self._items) - 1)
        parts = read()
        last = max(first, self.at - 1)
        return parts, (self._items[first].start, self._items[last].end)

    def expression(self) -> Parts:
        """Terms joined by ``+`` and ``/``; of what is compared, nothing is known."""
        first = self.at
        parts = [] if self.kind() == "/" else [*self.term()]
        compares = False
        while self.kind() in _OPERATORS:
            sign = self.take()
            compares = compares or sign.kind in _COMPARISONS
            parts += (Part("/", sign.start, sign.end),) if sign.kind == "/" else ()
            parts += self.term()
        return self._since(first, "value") if compares else tuple(parts)

    def term(self) -> Parts:
        """One string, name, call or expression in brackets."""
        first = self.at
        kind = self.kind()
        if kind in ("", ")", "}", ",", "]") or self._depth > MAX_NESTING:
            self.at += kind != ""
            return self._since(first, "value")
        token = self.take()
        if kind == "string":
            return tuple(_string(self._text, token))
        if kind == "name":
            return self._named(first)
        if kind == "(":
            return self._enclosed(first)
        return self._since(first, "command" if kind == "backtick" else "value")

    def _named(self, first: int) -> Parts:
        token = self._items[first]
        name = self._text[token.start : token.end]
        if name == "if":
            self._conditional()
            return self._since(first, "if")
        if self.kind() == "(":
            return self._call(first, name)
        return (Part(name, token.start, token.end, name),)

    def _enclosed(self, first: int) -> Parts:
        self._depth += 1
        parts = self.expression()
        self._depth -= 1
        if self.kind() != ")":
            return self._since(first, "value")
        self.take()
        return parts

    def _call(self, first: int, name: str) -> Parts:
        self.take()
        self._depth += 1
        given: list[Parts] = []
        while self.kind() not in ("", ")"):
            given.append(self.expression())
            if self.kind() == ",":
                self.take()
        self._depth -= 1
        if self.kind() == ")":
            self.take()
        start, end = self._items[first].start, self._items[self.at - 1].end
        variable = "".join(part.text for part in given[0]) if given else ""
        if name not in _FROM_ENVIRONMENT or not _VARIABLE.match(variable):
            return (_computed(name, start, end),)
        default = given[1] if len(given) > 1 else None
        return (Part(self._text[start:end], start, end, variable, outside=True, default=default),)

    def _conditional(self) -> None:
        """Skip ``if a == b { x } else { y }`` behind its first word."""
        depth = 0
        while self.kind():
            kind = self.take().kind
            depth += (kind == "{") - (kind == "}")
            goes_on = self.kind() == "name" and self.written() == "else"
            if kind == "}" and depth <= 0 and not goes_on:
                return

    def _since(self, first: int, what: str) -> Parts:
        if not self._items:
            return (_computed(what, 0, 0),)
        last = max(min(self.at, len(self._items)) - 1, 0)
        first = min(first, last)
        return (_computed(what, self._items[first].start, self._items[last].end),)


def _computed(what: str, start: int, end: int) -> Part:
    name = re.sub(r"\W", "_", f"just_{what}", flags=re.ASCII)
    return Part("", start, end, name, outside=True)


def _string(text: str, token: Token) -> Iterator[Part]:
    """The runs of a string: as they stand, escapes, and lines without their indentation."""
    head = _STRING.match(text, token.start)
    if head is None or head["prefix"] == "f":
        yield _computed("format", token.start, token.end)
        return
    quote, expands = head["quote"], head["prefix"] == "x"
    start, end = head.end(), token.end - len(quote)
    for first, last in _lines(text, start, end) if len(quote) == 3 else ((start, end),):
        escapes = _ESCAPE.finditer(text, first, last) if quote[0] == '"' else ()
        for part in _runs(text, first, last, escapes):
            yield replace(part, expands=expands)


def _runs(
    text: str, at: int, end: int, escapes: Iterator[re.Match[str]] | tuple[()]
) -> Iterator[Part]:
    for match in escapes:
        if at < match.start():
            yield Part(text[at : match.start()], at, match.start())
        meant = _meant(match)
        if meant:
            yield Part(meant, *match.span())
        at = match.end()
    if at < end:
        yield Part(text[at:end], at, end)


def _meant(match: re.Match[str]) -> str:
    if match["newline"]:
        return ""
    if match["code"] is None:
        return _MEANING.get(match[0][1], match[0][1])
    code = int(match["code"], 16)
    return chr(code) if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else "\ufffd"


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The lines of an indented string: without what all start with, and without empty ends."""
    lines = list(re.finditer(r"[^\n]*\n|[^\n]+\Z", text[start:end]))
    filled = [line[0] for line in lines if line[0].strip()]
    indents = [line[: len(line) - len(line.lstrip(" \t"))] for line in filled]
    size = min(map(len, indents), default=0)
    for index, line in enumerate(lines):
        first, last = start + line.start(), start + line.end()
        if line[0].strip():
            yield first + size, last
        elif 0 < index < len(lines) - 1:
            yield last - 1, last
