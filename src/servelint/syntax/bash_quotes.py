"""Reading the atoms of one word: quotes, escapes, expansions and their ends."""

from __future__ import annotations

import re

from servelint.syntax.bash import TEMPLATE
from servelint.syntax.bash_escapes import ansi_text
from servelint.syntax.bash_words import (
    CUTS,
    Arithmetic,
    Literal,
    Parameter,
    Substitution,
    Template,
    Tilde,
    Word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from servelint.syntax.bash_words import Atom

MAX_NESTING = 20
"""Expansions inside expansions; deeper ones are read as one opaque piece."""

_BARE = re.compile(r"""(?:[^ \t\n\r\\'"$`;&|<>(){]|\r(?!\n|\Z)|\{(?!\{))+""")
_IN_QUOTES = re.compile(r"""(?:[^\\"$`{]|\{(?!\{))+""")
_IN_BRACES = re.compile(r"""(?:[^\\'"$`{}]|\{(?!\{))+""")
_IN_QUOTED_BRACES = re.compile(r"""(?:[^\\"$`{}]|\{(?!\{))+""")
_HEAD = re.compile(
    r"\$\{(?P<opaque>[#!](?=[\w@*?$!-]))?(?P<name>[A-Za-z_]\w*|\d+|[@*#?$!-])"
    r"(?:\[(?P<index>[^\]\n]*)\])?(?P<operator>:?[-=?+]|:|##?|%%?|//?|\^\^?|,,?|)",
    re.ASCII,
)
_NAME = re.compile(r"\$([A-Za-z_]\w*|[0-9@*#?$!-])", re.ASCII)


class Unclosed(Exception):  # noqa: N818  # it says where, and the caller reads less
    """Something that opens at the offset in ``args`` does not close."""


class Quotes:
    """A position in a text, and what can be read there."""

    def __init__(self, text: str, start: int, limit: int, substitutions: Mapping[int, int]) -> None:
        self.text = text
        self.at = start
        self.limit = limit
        self._ends = substitutions
        self._depth = 0

    def tilde(self, atoms: list[Atom]) -> None:
        """Read ``~`` when it stands for the home directory."""
        if not self.text.startswith("~", self.at) or self.at >= self.limit:
            return
        after = self.text[self.at + 1 : min(self.at + 2, self.limit)]
        if after in ("", "/", " ", "\t", "\n", ";", ":", ")", "&", "|"):
            atoms.append(Tilde(self.at, self.at + 1))
            self.at += 1

    def atom(self, atoms: list[Atom]) -> bool:
        """Read one unquoted atom; False where the word ends."""
        if self._run(_BARE, atoms, quoted=False):
            return True
        if self.at >= self.limit:
            return False
        char = self.text[self.at]
        if char in "<>" and self.text.startswith("(", self.at + 1):
            atoms.append(self._substitution(self.at + 2))
            return True
        if char == "(" and atoms and self._is_pattern(atoms[-1]):
            atoms.append(self._pattern())
            return True
        if char == "\\":
            return self._escape(atoms)
        return self._opened(char, atoms, quoted=False)

    def _run(self, pattern: re.Pattern[str], atoms: list[Atom], *, quoted: bool) -> bool:
        match = pattern.match(self.text, self.at, self.limit)
        if match is None:
            return False
        atoms.append(Literal(match[0], self.at, match.end(), quoted))
        self.at = match.end()
        return True

    def _opened(self, char: str, atoms: list[Atom], *, quoted: bool) -> bool:
        """Read what ``char`` opens; False when it opens nothing."""
        if char == "$":
            self._dollar(atoms, quoted=quoted)
        elif char == "`":
            atoms.append(self._backquoted(quoted=quoted))
        elif char == "{":
            self._template(atoms, quoted=quoted)
        elif char == '"':
            self._double(atoms)
        elif char == "'":
            self._single(atoms)
        else:
            return False
        return True

    def _is_pattern(self, atom: Atom) -> bool:
        return isinstance(atom, Literal) and not atom.quoted and atom.text[-1:] in "?*+@!"

    def _pattern(self) -> Literal:
        start = self.at
        self.at = self._closing(start + 1, "()")
        return Literal(self.text[start : self.at], start, self.at)

    def _escape(self, atoms: list[Atom]) -> bool:
        """A backslash outside quotes: a continuation vanishes, the rest is one character."""
        start = self.at
        rest = self.text[start + 1 : min(start + 3, self.limit)]
        if rest.startswith(("\n", "\r\n")):
            self.at += 2 if rest[0] == "\n" else 3
            return True
        self.at = min(start + 2, self.limit)
        atoms.append(Literal(rest[:1] or "\\", start, self.at, quoted=True))
        return True

    def _single(self, atoms: list[Atom]) -> None:
        start = self.at + 1
        end = self._find("'", start)
        self.at = start
        while match := TEMPLATE.search(self.text, self.at, end):
            if match.start() > self.at:
                piece = self.text[self.at : match.start()]
                atoms.append(Literal(piece, self.at, match.start(), quoted=True))
            atoms.append(Template(match.start(), match.end(), quoted=True))
            self.at = match.end()
        if end > self.at or start == end:
            atoms.append(Literal(self.text[self.at : end], self.at, end, quoted=True))
        self.at = end + 1

    def _find(self, char: str, start: int) -> int:
        end = self.text.find(char, start, self.limit)
        if end < 0:
            raise Unclosed(start)
        return end

    def _double(self, atoms: list[Atom]) -> None:
        start = self.at
        self.at += 1
        before = len(atoms)
        self._until('"', _IN_QUOTES, atoms, quoted=True)
        if len(atoms) == before:
            atoms.append(Literal("", start + 1, start + 1, quoted=True))
        self.at += 1

    def _until(self, close: str, run: re.Pattern[str], atoms: list[Atom], *, quoted: bool) -> None:
        """Read atoms up to ``close``, which is left to the caller."""
        start = self.at
        while self.at < self.limit:
            if self._run(run, atoms, quoted=quoted):
                continue
            char = self.text[self.at]
            if char == close:
                return
            if char == "\\":
                self._escape_in(atoms, close, quoted=quoted)
            elif not self._opened(char, atoms, quoted=quoted):
                atoms.append(Literal(char, self.at, self.at + 1, quoted))
                self.at += 1
        raise Unclosed(start)

    def _escape_in(self, atoms: list[Atom], close: str, *, quoted: bool) -> None:
        start = self.at
        after = self.text[start + 1 : start + 2]
        if not quoted or after == "\n" or self.text.startswith("\r\n", start + 1):
            self._escape(atoms)
            return
        known = after != "" and after in '$`"\\' + close
        self.at = min(start + (2 if known else 1), self.limit)
        atoms.append(Literal(after if known else "\\", start, self.at, quoted=True))

    def _template(self, atoms: list[Atom], *, quoted: bool) -> None:
        match = TEMPLATE.match(self.text, self.at, self.limit)
        end = match.end() if match else self.at + 1
        atoms.append(
            Template(self.at, end, quoted) if match else Literal("{", self.at, end, quoted)
        )
        self.at = end

    def _dollar(self, atoms: list[Atom], *, quoted: bool) -> None:
        text, at = self.text, self.at
        after = text[at + 1 : min(at + 2, self.limit)]
        if after == "(":
            atoms.append(self._parenthesis(quoted=quoted))
        elif after == "{":
            atoms.append(self._braced(quoted=quoted))
        elif after == "'" and not quoted:
            self._ansi(atoms)
        elif after == '"' and not quoted:
            self.at += 1
            self._double(atoms)
        elif match := _NAME.match(text, at, self.limit):
            self.at = match.end()
            atoms.append(Parameter(match[1], at, self.at, quoted))
        else:
            self.at += 1
            atoms.append(Literal("$", at, self.at, quoted))

    def _ansi(self, atoms: list[Atom]) -> None:
        start = self.at + 2
        end = start
        while end < self.limit and self.text[end] != "'":
            end += 2 if self.text[end] == "\\" else 1
        if end >= self.limit:
            raise Unclosed(start)
        raw = self.text[start:end]
        atoms.append(Literal(ansi_text(raw), start, end, quoted=True))
        self.at = end + 1

    def _parenthesis(self, *, quoted: bool) -> Atom:
        start = self.at
        if start in self._ends or not self.text.startswith("((", start + 1):
            return self._substitution(start + 2, quoted=quoted)
        end = self._closing(start + 3, "()")
        if not self.text.startswith(")", end) or end >= self.limit:
            return self._substitution(start + 2, quoted=quoted)
        self.at = end + 1
        return Arithmetic(self.text[start + 3 : end - 1], start, self.at, quoted)

    def _substitution(self, inside: int, *, quoted: bool = False) -> Substitution:
        start = self.at
        end = self._ends.get(start, 0)
        self.at = end if start < end <= self.limit else self._closing(inside, "()")
        return Substitution(start, self.at, quoted)

    def _backquoted(self, *, quoted: bool) -> Substitution:
        start = self.at
        end = start + 1
        while end < self.limit and self.text[end] != "`":
            end += 2 if self.text[end] == "\\" else 1
        if end >= self.limit:
            raise Unclosed(start)
        self.at = end + 1
        return Substitution(start, self.at, quoted)

    def _closing(self, inside: int, pair: str) -> int:
        """The end of a bracket that opened before ``inside``, quotes respected."""
        depth = 1
        at = inside
        while at < self.limit:
            char = self.text[at]
            if char == "\\":
                at += 1
            elif char in "'\"`":
                at = self._quote_end(at, char)
            elif char == pair[0]:
                depth += 1
            elif char == pair[1]:
                depth -= 1
                if depth == 0:
                    return at + 1
            at += 1
        raise Unclosed(inside)

    def _quote_end(self, start: int, quote: str) -> int:
        at = start + 1
        while at < self.limit and self.text[at] != quote:
            at += 2 if self.text[at] == "\\" and quote != "'" else 1
        if at >= self.limit:
            raise Unclosed(start)
        return at

    def _braced(self, *, quoted: bool) -> Atom:
        """``${...}``: a parameter, or a template action of a workflow file."""
        start = self.at
        if match := TEMPLATE.match(self.text, start, self.limit):
            self.at = match.end()
            return Template(start, self.at, quoted)
        head = _HEAD.match(self.text, start, self.limit)
        if head is None or self._depth >= MAX_NESTING:
            return self._opaque("", quoted=quoted)
        operator = head["operator"]
        at_end = self.text.startswith("}", head.end())
        if head["opaque"] or not (operator or at_end):
            return self._opaque(head["name"], quoted=quoted)
        self.at = head.end()
        word = self._operand(quoted=quoted and operator not in CUTS) if operator else None
        self.at += 1
        return Parameter(head["name"], start, self.at, quoted, head["index"] or "", operator, word)

    def _operand(self, *, quoted: bool) -> Word:
        start = self.at
        atoms: list[Atom] = []
        self._depth += 1
        run = _IN_QUOTED_BRACES if quoted else _IN_BRACES
        self._until("}", run, atoms, quoted=quoted)
        self._depth -= 1
        return Word(tuple(atoms), start, self.at)

    def _opaque(self, name: str, *, quoted: bool) -> Parameter:
        start = self.at
        self.at = self._closing(start + 2, "{}")
        return Parameter(name, start, self.at, quoted, operator="opaque")
