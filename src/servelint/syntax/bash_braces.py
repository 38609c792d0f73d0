"""Brace expansion: ``{a,b}`` and ``{0..3}``, before anything else is expanded."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from servelint.syntax.bash_words import Literal, Parameter, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from servelint.syntax.bash_words import Atom

MAX_WORDS = 256
"""A word that expands to more is left as it stands: :func:`brace_words` answers None."""

MAX_GROUPS = 40
"""A word with more groups is left as it stands too."""

_NUMBERS = re.compile(r"([-+]?\d{1,15})\.\.([-+]?\d{1,15})(?:\.\.([-+]?\d{1,15}))?\Z", re.ASCII)
_LETTERS = re.compile(r"([A-Za-z])\.\.([A-Za-z])(?:\.\.([-+]?\d{1,15}))?\Z", re.ASCII)
_PADDED = re.compile(r"[-+]?0\d")

Choice = tuple["Atom", ...]


def has_braces(word: Word) -> bool:
    """True when a brace expansion may stand in the word."""
    return any(
        (isinstance(atom, Literal) and not atom.quoted and "{" in atom.text)
        or (isinstance(atom, Parameter) and _opens_brace(atom))
        for atom in word.atoms
    )


def brace_words(word: Word) -> tuple[Word, ...] | None:
    """The words that a word stands for; None when there are more than :data:`MAX_WORDS`."""
    spread = _spread(word.atoms)
    if any(isinstance(atom, Parameter) and _opens_brace(atom) for atom in word.atoms):
        return None  # which brace closes which is decided otherwise here
    if any(map(_runs_on, word.atoms, word.atoms[1:])):
        return None
    if sum(_sign(atom) == "{" for atom in spread) > MAX_GROUPS:
        return None
    choices = _expand(spread)
    if choices is None:
        return None
    return tuple(replace(word, atoms=_joined(choice)) for choice in choices)


def _runs_on(atom: Atom, after: Atom) -> bool:
    """``$name{1,2}`` is ``$name1 $name2`` to the shell: the name goes on in the braces."""
    bare = isinstance(atom, Parameter) and atom.end - atom.start == len(atom.name) + 1
    return bare and isinstance(after, Literal) and not after.quoted and after.text[0] == "{"


def _opens_brace(atom: Parameter) -> bool:
    return atom.word is not None and has_braces(atom.word)


def _spread(atoms: Sequence[Atom]) -> Choice:
    """Unquoted text as one atom for each character that means something, quoted text whole."""
    spread: list[Atom] = []
    for atom in atoms:
        if not isinstance(atom, Literal) or atom.quoted:
            spread.append(atom)
            continue
        for match in re.finditer(r"[{},]|[^{},]+", atom.text):
            at = atom.start + match.start()
            spread.append(Literal(match[0], at, at + len(match[0])))
    return tuple(spread)


def _joined(choice: Choice) -> Choice:
    """Neighbours in the text as one atom again."""
    joined: list[Atom] = []
    for atom in choice:
        last = joined[-1] if joined else None
        if (
            isinstance(atom, Literal)
            and isinstance(last, Literal)
            and not (atom.quoted or last.quoted)
            and last.end == atom.start
            and _even(last)
            and _even(atom)
        ):
            joined[-1] = Literal(last.text + atom.text, last.start, atom.end)
        else:
            joined.append(atom)
    return tuple(joined)


def _even(atom: Literal) -> bool:
    return len(atom.text) == atom.end - atom.start


def _sign(atom: Atom) -> str:
    return atom.text if isinstance(atom, Literal) and not atom.quoted else ""


def _expand(atoms: Choice) -> list[Choice] | None:
    """Every choice, in the order of the shell; None when there are too many."""
    at = 0
    while at < len(atoms):
        commas, close = _group(atoms, at) if _sign(atoms[at]) == "{" else ([], -1)
        inner = _inner(atoms, at, commas, close) if close > 0 else []
        if inner is None:
            return None
        if inner:
            rest = _expand(atoms[close + 1 :])
            if rest is None or len(rest) * len(inner) > MAX_WORDS:
                return None
            return [atoms[:at] + middle + tail for middle in inner for tail in rest]
        at += 1
    return [atoms]


def _group(atoms: Choice, start: int) -> tuple[list[int], int]:
    """The commas of the group that opens at ``start``, and where it closes (-1: nowhere)."""
    depth = 0
    commas: list[int] = []
    for at in range(start, len(atoms)):
        sign = _sign(atoms[at])
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
            if depth == 0:
                return commas, at
        elif sign == "," and depth == 1:
            commas.append(at)
    return [], -1


def _inner(atoms: Choice, start: int, commas: list[int], close: int) -> list[Choice] | None:
    """What stands for one group; empty when it is no brace expansion."""
    if not commas:
        return _sequence(atoms, start, close)
    choices: list[Choice] = []
    edges = [start, *commas, close]
    for left, right in pairwise(edges):
        part = _expand(atoms[left + 1 : right])
        if part is None or len(choices) + len(part) > MAX_WORDS:
            return None
        choices.extend(part)
    return choices


def _sequence(atoms: Choice, start: int, close: int) -> list[Choice] | None:
    if close != start + 2:
        return []
    inside = atoms[start + 1]
    first, last = _bounds(atoms[start], atoms[close])
    text = _sign(inside)
    if match := _NUMBERS.match(text):
        low, high = int(match[1]), int(match[2])
        padded = any(_PADDED.match(bound) for bound in match.group(1, 2))
        width = max(len(match[1]), len(match[2])) if padded else 0
        texts = [f"{number:0{width}d}" for number in _steps(low, high, match[3])]
    elif match := _LETTERS.match(text):
        if match[1].isupper() != match[2].isupper():  # the signs between the cases are syntax
            return None
        texts = [chr(code) for code in _steps(ord(match[1]), ord(match[2]), match[3])]
    else:
        return []
    return None if len(texts) > MAX_WORDS else [(Literal(text, first, last),) for text in texts]


def _bounds(left: Atom, right: Atom) -> tuple[int, int]:
    return left.start, right.end


def _steps(low: int, high: int, written: str | None) -> range:
    step = abs(int(written or 1)) or 1
    span = range(low, high + 1, step) if low <= high else range(low, high - 1, -step)
    return span[: MAX_WORDS + 1]
