"""Texts that a command reads from its standard input: heredocs and here-strings.

A heredoc is expanded like a text in double quotes, but for the quotes, which
mean nothing in it; with a quoted delimiter it stands as it is.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product

from servelint.syntax.bash_commands import Item
from servelint.syntax.bash_fields import Piece, field_text, literal
from servelint.syntax.bash_fields import product as product_of
from servelint.syntax.bash_nodes import line_end
from servelint.syntax.bash_quotes import Quotes, Unclosed
from servelint.syntax.bash_words import Literal, Parameter, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tree_sitter import Node

    from servelint.syntax.bash_expand import Expansion
    from servelint.syntax.bash_fields import Field, Reading
    from servelint.syntax.bash_words import Atom, Redirection, Simple

MAX_WAYS = 8
"""Texts that one body may be: scripts are long, and each of them is read."""

_IN_BODY = re.compile(r"(?:[^\\$`{]|\{(?!\{))+")
_IN_LINE = re.compile(r"(?:[^\\$`{\n]|\{(?!\{))+\n?|\n")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_QUOTED = re.compile(r"""["'\\]""")
_NO_TABS = re.compile(r"\t*")
_TO_NEXT = re.compile(r"[ \t]*\|&?(?:[ \t]|\\\r?\n)*(?![|\s])")
_COPIES = frozenset({"%s", "%s\\n", "%b", "%b\\n"})
_TO_FILE = frozenset({">", ">>", ">|", "&>", "&>>"})


class Heredocs:
    """The bodies of the heredocs of a text, found when the first one is asked for."""

    def __init__(self, text: str, root: Node) -> None:
        self._text = text
        self._root = root
        self._ends: Mapping[int, int] | None = None
        self._bodies: dict[int, Word | None] = {}

    def body(self, redirection: Redirection, after: int) -> Word | None:
        """The body that belongs to a ``<<`` of the command that ends at ``after``.

        None when there is none, or when it does not end.
        """
        if redirection.at not in self._bodies:
            self._bodies[redirection.at] = self._read(redirection, after)
        return self._bodies[redirection.at]

    def _read(self, redirection: Redirection, after: int) -> Word | None:
        if self._ends is None:
            self._ends = dict(_ends(self._root))
        # the grammar knows where a body ends, but not always where it begins
        start = line_end(self._text, after) + 1
        end = self._ends.get(redirection.at, 0)
        if end < start:
            return None
        place = (start, end)
        target = redirection.target
        quoted = _QUOTED.search(self._text, target.start, target.end) is not None
        body = _Body(self._text, *place, tabs=redirection.operator == "<<")
        try:
            atoms = body.lines() if quoted else body.atoms()
        except Unclosed:
            return None
        return Word(tuple(atoms), *place)


def _ends(root: Node) -> Iterator[tuple[int, int]]:
    """For each ``<<`` the offset of the delimiter that ends its body."""
    todo = [root]
    while todo:
        node = todo.pop()
        todo.extend(node.children)
        if node.type != "heredoc_redirect":
            continue
        parts = {child.type: child for child in node.children}
        sign, end = parts.get("<<") or parts.get("<<-"), parts.get("heredoc_end")
        if sign is not None and end is not None and end.start_byte < end.end_byte:
            yield sign.start_byte, end.start_byte


class _Body(Quotes):
    """Reads a body; without ``tabs``, those at the beginning of its lines do not count."""

    def __init__(self, text: str, start: int, end: int, *, tabs: bool) -> None:
        super().__init__(text, start, end, {})
        self._tabs = tabs
        self._line = -1
        self._skip_tabs()

    def lines(self) -> list[Atom]:
        """The body as it stands."""
        found: list[Atom] = []
        if self._tabs:
            return [Literal(self.text[self.at : self.limit], self.at, self.limit, quoted=True)]
        while self._run(_LINE, found, quoted=True):
            self._skip_tabs()
        return found

    def atoms(self) -> list[Atom]:
        """What the shell expands; raises :class:`Unclosed`."""
        found: list[Atom] = []
        pattern = _IN_BODY if self._tabs else _IN_LINE
        while self.at < self.limit:
            if self._run(pattern, found, quoted=True):
                if self.text[self.at - 1] == "\n":
                    self._skip_tabs()
            elif self.text[self.at] != "\\":
                self._opened(self.text[self.at], found, quoted=True)
            elif self.text.startswith('"', self.at + 1):
                found.append(Literal("\\", self.at, self.at + 1, quoted=True))
                self.at += 1
            else:
                self._escaped(found)
        return found

    def _escaped(self, found: list[Atom]) -> None:
        begins = self.at == self._line
        self._escape_in(found, "", quoted=True)
        if begins and self.text[self.at - 1] == "\n":
            self._skip_tabs()

    def _skip_tabs(self) -> None:
        if not self._tabs and (match := _NO_TABS.match(self.text, self.at, self.limit)):
            self.at = self._line = match.end()


def expanded(around: Expansion, body: Word) -> Field:
    """The texts that a body may be.

    A name has the same value wherever it stands in one body. Where there would
    be too many texts, names stay as they are written.
    """
    fields = [_field(around, atom) for atom in body.atoms]
    names = [_name(around.text, atom) for atom in body.atoms]
    choices: dict[str, int] = {}
    ways = 1
    for name, field in zip(names, fields, strict=True):
        if name not in choices and 1 < len(field) <= MAX_WAYS // ways:
            choices[name] = len(field)
            ways *= len(field)
    readings: list[Reading] = []
    for chosen in product(*map(range, choices.values())):
        way = dict(zip(choices, chosen, strict=True))
        parts = zip(body.atoms, names, fields, strict=True)
        readings.append(tuple(p for part in parts for p in _reading(around, *part, way)))
    around.work += sum(map(len, readings))
    return tuple(readings)


def _field(around: Expansion, atom: Atom) -> Field:
    return around.scalar(Word((atom,), atom.start, atom.end))


def _name(text: str, atom: Atom) -> str:
    if isinstance(atom, Parameter) and not atom.operator:
        return f"${{{atom.name}[{atom.index}]"
    return text[atom.start : atom.end]


def _reading(
    around: Expansion, atom: Atom, name: str, field: Field, way: Mapping[str, int]
) -> Reading:
    if len(field) == 1:
        return field[0]
    at = way.get(name, len(field))
    if at < len(field):
        return field[at]
    place = (atom.start, atom.end)
    return (Piece(around.text[atom.start : atom.end], place, reason="many-values"),)


def standard_input(around: Expansion, heredocs: Heredocs, simple: Simple) -> Item | None:
    """The text that a command reads because of its own redirections: the last one counts."""
    found: Item | None = None
    for redirection in simple.redirections:
        if redirection.descriptor not in ("", "0"):
            continue
        if redirection.operator == "<<<":
            target = redirection.target
            found = Item(around.scalar(target), (target.start, target.end))
        elif redirection.operator in ("<<", "<<-"):
            body = heredocs.body(redirection, simple.end)
            found = None if body is None else Item(expanded(around, body), (body.start, body.end))
    return found


def standard_output(around: Expansion, simple: Simple) -> tuple[Item, ...]:
    """The file that a command prints to."""
    words = [
        redirection.target
        for redirection in simple.redirections
        if redirection.operator in _TO_FILE and redirection.descriptor in ("", "1")
    ]
    return tuple(Item(around.scalar(word), (word.start, word.end)) for word in words[-1:])


def copies(items: Sequence[Item]) -> bool:
    """True for ``cat`` that prints what it reads."""
    texts = [field_text(item.field) for item in items]
    return texts in (["cat"], ["cat", "-"])


def piped_to(text: str, simple: Simple) -> int:
    """Where the command begins that reads what this one prints; 0 when there is none."""
    match = _TO_NEXT.match(text, simple.end)
    return match.end() if match else 0


def without_line_end(reading: Reading) -> Reading:
    """A reading without the line breaks at its end, which a substitution drops."""
    if not reading or not reading[-1].known:
        return reading
    last = reading[-1]
    text = last.text.rstrip("\n")
    if text == last.text:
        return reading
    at = last.at
    if at is not None and at[1] - at[0] == len(last.text):
        at = (at[0], at[0] + len(text))
    shorter = replace(last, text=text, at=at)
    return (*reading[:-1], shorter) if text else without_line_end(reading[:-1])


def printed_text(items: Sequence[Item]) -> Item | None:
    """What ``echo WORDS`` and ``printf TEXT`` print; None for what formats or escapes."""
    name = field_text(items[0].field)
    words = items[1:]
    if name == "printf" and len(words) > 1 and field_text(words[0].field) in _COPIES:
        words = words[1:]
    elif name != "echo" and not (name == "printf" and len(words) == 1):
        return None
    while name == "echo" and words and field_text(words[0].field) in ("-n", "-e", "-en", "-ne"):
        words = words[1:]
    if not words:
        return None
    place = (words[0].place[0], words[-1].place[1])
    fields: list[Field] = []
    for item in words:
        blank = literal(" ", (item.place[0], item.place[0]))
        fields.extend((blank, item.field) if fields else (item.field,))
    return Item(tuple(map(_unescaped, product_of(fields, place))), place)


def _unescaped(reading: Reading) -> Reading:
    """A reading without the escape of a line break at its end, as ``printf`` takes it."""
    if not reading or not reading[-1].known or not reading[-1].text.endswith("\\n"):
        return reading
    last = reading[-1]
    at = (last.at[0], last.at[1] - 2) if last.at and _is_plain(last) else last.at
    return (*reading[:-1], replace(last, text=last.text[:-2], at=at))


def _is_plain(piece: Piece) -> bool:
    return piece.at is not None and piece.at[1] - piece.at[0] == len(piece.text)
