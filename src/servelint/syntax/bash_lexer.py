"""Reading one simple command, with the places of its words.

A reader of the text itself, not of the grammar's nodes: it follows what the
shell does with blanks, quotes, continuations and redirections. A carriage
return before a line break counts as part of the line break.
"""

from __future__ import annotations

import re
from dataclasses import replace

from servelint.syntax.bash_quotes import Quotes, Unclosed
from servelint.syntax.bash_words import Assignment, Literal, Redirection, Simple, Tilde, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from servelint.syntax.bash_words import Atom

DECLARATIONS = frozenset({"export", "readonly", "local", "declare", "typeset"})
"""Commands whose arguments may be assignments."""

_GAP = re.compile(r"(?:[ \t]|\\\r?\n|\r(?=\n|\Z))*")
_WIDE_GAP = re.compile(r"(?:[ \t\r\n]|\\\r?\n|(?<![^ \t\r\n(])#[^\n]*)*")
_REDIRECTION = re.compile(
    r"(\d+|\{[A-Za-z_]\w*\})?(<<<|<<-?|<>|<&|>&|>>|>\||&>>?|<(?!\()|>(?!\())", re.ASCII
)
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)(\[[^\]\n]*\])?(\+?)=", re.ASCII)
_KEYED = re.compile(r"\[[^\]\n]*\]\+?=")
_TILDE = re.compile(r"(?<=[=:])~(?=[/:]|\Z)")
_PLAIN = re.compile(r"[A-Za-z0-9_./:@%+,=-]+(?=[ \t\n;]|\Z)", re.ASCII)
_BLANKS = frozenset(" \t\\\r")
_ENDS = frozenset("\n;&|()")


def simple_command(
    text: str, start: int, limit: int, substitutions: Mapping[int, int] | None = None
) -> Simple:
    """The simple command that starts at ``start``.

    It ends at an operator, a comment, a line break or ``limit``.
    ``substitutions`` maps starts of substitutions to their ends where a parser
    knows them. Raises :class:`Unclosed` when a quote does not close before
    ``limit``.
    """
    return _Commands(text, start, limit, substitutions or {}).simple()


def word_list(
    text: str, start: int, limit: int, substitutions: Mapping[int, int] | None = None
) -> tuple[Word, ...]:
    """The words from ``start`` to an operator or a line break; raises :class:`Unclosed`."""
    return _Commands(text, start, limit, substitutions or {}).word_list()


class _Commands(Quotes):
    def simple(self) -> Simple:
        start = self.at
        assignments: list[Assignment] = []
        words: list[Word | Assignment] = []
        redirections: list[Redirection] = []
        declares = False
        while self._more():
            may_assign = declares or not words
            item = self._plain(may_assign=may_assign)
            if item is None and (redirection := self._redirection()):
                redirections.append(redirection)
                continue
            item = item or (self._assignment() if may_assign else None) or self.word()
            if item.end == item.start:
                break
            if isinstance(item, Assignment) and not words:
                assignments.append(item)
                continue
            declares = declares or (not words and self._source(item) in DECLARATIONS)
            words.append(item)
        return Simple(tuple(assignments), tuple(words), tuple(redirections), start, self.at)

    def _plain(self, *, may_assign: bool) -> Word | Assignment | None:
        """A word of plain characters alone: most words are, and this is the quick way."""
        start = self.at
        match = _PLAIN.match(self.text, start, self.limit)
        if match is None or (may_assign and "=" in match[0]):
            return None
        self.at = end = match.end()
        return Word((Literal(match[0], start, end),), start, end)

    def word_list(self) -> tuple[Word, ...]:
        words: list[Word] = []
        while self._more():
            word = self.word()
            if word.end == word.start:
                break
            words.append(word)
        return tuple(words)

    def _source(self, item: Word | Assignment) -> str:
        return self.text[item.start : item.end]

    def _more(self) -> bool:
        """Skip blanks; False at the end of the command."""
        text = self.text
        if self.at < self.limit and text[self.at] in _BLANKS:
            self.at = self._match_end(_GAP)
        if self.at >= self.limit or text[self.at] == "#":
            return False
        return text[self.at] not in _ENDS or text.startswith("&>", self.at)

    def _match_end(self, pattern: re.Pattern[str]) -> int:
        match = pattern.match(self.text, self.at, self.limit)
        return match.end() if match else self.at

    def _redirection(self) -> Redirection | None:
        match = _REDIRECTION.match(self.text, self.at, self.limit)
        if match is None:
            return None
        self.at = match.end()
        self.at = self._match_end(_GAP)
        return Redirection(match[1] or "", match[2], match.start(2), self.word())

    def word(self) -> Word:
        """The word at the current place; empty when none begins here."""
        start = self.at
        atoms: list[Atom] = []
        self.tilde(atoms)
        while self.atom(atoms):
            pass
        word = Word(tuple(atoms), start, self.at)
        return _with_tildes(word) if self._assigns_home(start) else word

    def _assigns_home(self, start: int) -> bool:
        """True for ``name=~/x`` as an argument, where the shell expands ``~`` too."""
        if self.text.find("~", start, self.at) < 0:
            return False
        return _ASSIGNMENT.match(self.text, start, self.at) is not None

    def _assignment(self) -> Assignment | None:
        start = self.at
        match = _ASSIGNMENT.match(self.text, start, self.limit)
        if match is None:
            return None
        self.at = match.end()
        index = (match[2] or "")[1:-1]
        name, append = match[1], bool(match[3])
        if self.text.startswith("(", self.at) and self.at < self.limit:
            elements, keyed, value = self._array()
        else:
            elements, keyed, value = None, False, _with_tildes(self.word())
        return Assignment(
            name, value, start, self.at, index=index, append=append, elements=elements, keyed=keyed
        )

    def _array(self) -> tuple[tuple[Word, ...], bool, Word]:
        """The elements between the parentheses, whether one has a key, and the whole."""
        opened = self.at
        self.at += 1
        elements: list[Word] = []
        keyed = False
        while True:
            self.at = self._match_end(_WIDE_GAP)
            if self.at >= self.limit:
                raise Unclosed(opened)
            if self.text[self.at] == ")":
                break
            keyed = keyed or _KEYED.match(self.text, self.at, self.limit) is not None
            element = self.word()
            if element.end == element.start:  # an operator: no shell would take it
                self.at += 1
                continue
            elements.append(element)
        self.at += 1
        return tuple(elements), keyed, Word((), opened, self.at)


def _with_tildes(word: Word) -> Word:
    """The word with ``~`` after ``=`` and ``:`` read as home, as in assignments."""
    if not any(isinstance(atom, Literal) and "~" in atom.text for atom in word.atoms):
        return word
    atoms: list[Atom] = []
    for atom in word.atoms:
        if isinstance(atom, Literal) and not atom.quoted and "~" in atom.text:
            atoms.extend(_tildes_in(atom))
        else:
            atoms.append(atom)
    return replace(word, atoms=tuple(atoms))


def _tildes_in(atom: Literal) -> list[Atom]:
    atoms: list[Atom] = []
    done = 0
    for match in _TILDE.finditer(atom.text):
        at = match.start()
        if at > done:
            piece = atom.text[done:at]
            atoms.append(Literal(piece, atom.start + done, atom.start + at))
        atoms.append(Tilde(atom.start + at, atom.start + at + 1))
        done = at + 1
    if done < len(atom.text):
        atoms.append(Literal(atom.text[done:], atom.start + done, atom.end))
    return atoms
