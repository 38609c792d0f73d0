"""``${name#pattern}``, ``${name/pattern/text}``, ``${name:offset:length}``: parts of known texts.

Patterns match in one pass each, so that no text can make them slow.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from servelint.syntax.bash_arith import arithmetic
from servelint.syntax.bash_fields import Piece, field_text, is_many, literal, reading_text
from servelint.syntax.bash_words import Literal, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from servelint.syntax.bash_fields import Reading
    from servelint.syntax.bash_params import Operands
    from servelint.syntax.bash_state import Fields
    from servelint.syntax.bash_words import Parameter

    Change = Callable[[str], str | None]

MAX_FIELDS = 100
"""Elements of longer lists are not looked at one by one."""

MAX_LENGTH = 1000
"""Longer texts are not matched with patterns."""

_CLASS = re.compile(r"\[[!^]?[\w.,:/-]+\]", re.ASCII)
_ODD = re.compile(r"[?*+@!]\(|\[\[:")


def cut(around: Operands, atom: Parameter, found: Fields) -> Fields | None:
    """The fields that an operator that computes makes; None when that cannot be told."""
    if atom.word is None:
        return None
    is_list = "@" in (atom.name, atom.index) or "*" in (atom.name, atom.index)
    if atom.operator == ":":
        bounds = _bounds(around, atom.word)
        if bounds is None:
            return None
        if is_list:
            return _slice(around, atom, found, *bounds)
        return _changed(around, atom, found, lambda text: _substring(text, *bounds))
    change = _change(around, atom.operator, atom.word)
    return None if change is None else _changed(around, atom, found, change)


def _bounds(around: Operands, word: Word) -> tuple[int, int | None] | None:
    """Offset and length; the length is None where none is written."""
    source = around.text[word.start : word.end]
    parts = source.split(":")
    if len(parts) > 2 or "?" in source:
        return None
    numbers: list[int] = []
    for part in parts:
        texts = arithmetic(part, around.numbers, 1) if part.strip() else ("0",)
        if texts is None or len(texts) != 1:
            return None
        numbers.append(int(texts[0]))
    return numbers[0], numbers[1] if len(numbers) == 2 else None


def _substring(text: str, offset: int, length: int | None) -> str | None:
    start = offset + len(text) if offset < 0 else offset
    if start < 0 or start > len(text):
        return ""
    if length is None:
        return text[start:]
    end = start + length if length >= 0 else len(text) + length
    return text[start:end] if end >= start else None


def _slice(
    around: Operands, atom: Parameter, found: Fields, offset: int, length: int | None
) -> Fields | None:
    """Some elements of a list; the first of the positional parameters is the script itself."""
    if atom.name in ("@", "*"):
        place = (atom.start, atom.end)
        script = ((Piece(around.text[place[0] : place[1]], place, reason="runtime-value"),),)
        found = (script, *found)
    start = offset + len(found) if offset < 0 else offset
    known = found if offset < 0 or length is not None else found[: max(start, 0)]
    if any(map(is_many, known)) or (length is not None and length < 0):
        return None
    if start < 0:
        return ()
    return found[start:] if length is None else found[start : start + length]


def _changed(around: Operands, atom: Parameter, found: Fields, change: Change) -> Fields | None:
    """Each reading of each field changed; those that are not known become runtime values."""
    if any(map(is_many, found)) or len(found) > MAX_FIELDS:
        return None
    return tuple(
        tuple(_changed_reading(around, atom, reading, change) for reading in field)
        for field in found
    )


def _changed_reading(
    around: Operands, atom: Parameter, reading: Reading, change: Change
) -> Reading:
    place = (atom.start, atom.end)
    text = reading_text(reading)
    after = change(text) if text is not None and len(text) <= MAX_LENGTH else None
    if text is None or after is None:
        return (Piece(around.text[atom.start : atom.end], place, reason="runtime-value"),)
    if after == text:
        return reading
    if len(reading) != 1:
        return literal(after, place)[0]
    return (_part(reading[0], after),)


def _part(piece: Piece, text: str) -> Piece:
    """A piece with another text, at the place of that text when it is a part of the old one."""
    at = piece.at
    if at is not None and at[1] - at[0] == len(piece.text) and text in piece.text:
        start = at[0] + (
            piece.text.rfind(text) if piece.text.endswith(text) else piece.text.find(text)
        )
        at = (start, start + len(text))
    return replace(piece, text=text, at=at)


def _change(around: Operands, operator: str, word: Word) -> Change | None:
    if operator[0] in "^,":
        return _cased(operator) if not word.atoms else None
    kind, pattern, text = operator, word, ""
    if operator[0] == "/":
        parts = _at_slash(word)
        pattern, replacement = parts
        given = field_text(around.scalar(replacement))
        if given is None or "&" in given:
            return None
        text = given
        kind, pattern = _anchored(operator, pattern)
    tokens = _tokens(around, pattern)
    if tokens is None:
        return None
    return _removed(kind, tokens) if operator[0] != "/" else _replaced(kind, tokens, text)


def _cased(operator: str) -> Change:
    case = str.upper if operator[0] == "^" else str.lower

    def change(text: str) -> str | None:
        if not text.isascii():
            return None
        return case(text) if len(operator) == 2 else case(text[:1]) + text[1:]

    return change


def _at_slash(word: Word) -> tuple[Word, Word]:
    """The pattern and what replaces it: two words around the first ``/`` outside of quotes."""
    for index, atom in enumerate(word.atoms):
        if not isinstance(atom, Literal) or atom.quoted or "/" not in atom.text:
            continue
        text, at = atom.text, atom.text.index("/")
        middle = atom.start + at
        left = replace(atom, text=text[:at], end=middle)
        right = replace(atom, text=text[at + 1 :], start=middle + 1)
        before = (*word.atoms[:index], *((left,) if at else ()))
        after = (*((right,) if text[at + 1 :] else ()), *word.atoms[index + 1 :])
        return Word(before, word.start, middle), Word(after, middle + 1, word.end)
    return word, Word((), word.end, word.end)


def _anchored(operator: str, pattern: Word) -> tuple[str, Word]:
    """``/#`` and ``/%`` with the pattern behind them."""
    first = pattern.atoms[0] if pattern.atoms else None
    if not isinstance(first, Literal) or first.quoted or operator == "//":
        return operator, pattern
    if first.text[:1] not in ("#", "%"):
        return operator, pattern
    rest = replace(first, text=first.text[1:], start=first.start + 1)
    return operator + first.text[0], replace(pattern, atoms=(rest, *pattern.atoms[1:]))


@dataclass(frozen=True, slots=True)
class _Pattern:
    """Runs of expressions for one character each; between two runs stands a ``*``."""

    runs: tuple[tuple[str, ...], ...]

    @property
    def may_be_empty(self) -> bool:
        return not any(self.runs)

    def compiled(self, *, longest: bool, backwards: bool = False) -> re.Pattern[str]:
        runs = [run[::-1] for run in self.runs[::-1]] if backwards else list(self.runs)
        first, *others = ("".join(run) for run in runs)
        middle = "".join(f"(?>.*?{run})" for run in others[:-1])
        last = (".*" if longest else ".*?") + others[-1] if others else ""
        return re.compile(first + middle + last, re.DOTALL)


def _tokens(around: Operands, word: Word) -> _Pattern | None:
    """The pattern that a word is; None for one that is not known or not of a simple kind."""
    runs: list[list[str]] = [[]]
    for atom in word.atoms:
        text = field_text(around.scalar(Word((atom,), atom.start, atom.end)))
        if text is None or (not atom.quoted and _ODD.search(text)):
            return None
        at = 0
        while at < len(text):
            match = None if atom.quoted else _CLASS.match(text, at)
            if match is not None:
                runs[-1].append(match[0].replace("[!", "[^", 1))
            elif not atom.quoted and text[at] == "*":
                runs.append([])
            elif not atom.quoted and text[at] in "[\\":
                return None
            else:
                is_any = text[at] == "?" and not atom.quoted
                runs[-1].append("." if is_any else re.escape(text[at]))
            at = match.end() if match is not None else at + 1
    return _Pattern(tuple(map(tuple, runs)))


def _removed(operator: str, pattern: _Pattern) -> Change:
    """``#``, ``##``, ``%`` and ``%%``."""
    backwards = operator[0] == "%"
    expression = pattern.compiled(longest=len(operator) == 2, backwards=backwards)

    def change(text: str) -> str:
        match = expression.match(text[::-1] if backwards else text)
        size = match.end() if match else 0
        return text[: len(text) - size] if backwards else text[size:]

    return change


def _replaced(operator: str, pattern: _Pattern, new: str) -> Change | None:
    """``/``, ``//``, ``/#`` and ``/%``."""
    if pattern.may_be_empty:
        return None
    backwards = operator == "/%"
    expression = pattern.compiled(longest=True, backwards=backwards)

    def change(text: str) -> str:
        if operator in ("/", "//"):
            return expression.sub(lambda _: new, text, count=operator == "/")
        match = expression.match(text[::-1] if backwards else text)
        if match is None:
            return text
        size = match.end()
        return text[: len(text) - size] + new if backwards else new + text[size:]

    return change
