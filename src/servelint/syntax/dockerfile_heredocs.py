"""Here-documents of a Dockerfile: which words open one, and where the texts end."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass

from servelint.syntax.dockerfile_pieces import BadWordError, Variable, pieces, shell_words
from servelint.syntax.dockerfile_words import (
    NotStringsError,
    json_words,
    split_flags,
    split_head,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from servelint.syntax.dockerfile_words import Place

_TAKERS = frozenset({"RUN", "COPY", "ADD"})
_MARK = re.compile(r"\d*<<(-?)([^<]*)\Z")


@dataclass(frozen=True, slots=True)
class Mark:
    """A word such as ``<<-"EOF"``.

    ``expands``: docker fills in variables; ``chomps``: tabs at the beginning
    of lines do not count.
    """

    name: str
    expands: bool
    chomps: bool


@dataclass(frozen=True, slots=True)
class Heredoc:
    """A here-document.

    ``body`` is the range of its lines in the file, line breaks included,
    ``terminator`` that of the name that ends it.
    """

    mark: Mark
    body: Place
    terminator: Place


def marks(line: str) -> tuple[Mark, ...]:
    """The here-documents that a logical line opens, in order."""
    if "<<" not in line:
        return ()
    name, rest = split_head(line, 0, len(line))
    instruction = line[slice(*name)].upper()
    if instruction == "ONBUILD":
        name, rest = split_head(line, *rest)
        instruction = line[slice(*name)].upper()
    if instruction not in _TAKERS or _is_exec_form(line, rest):
        return ()
    try:
        words = shell_words(line)
    except BadWordError:
        return ()  # so does docker: quotes that a shell would close elsewhere
    return tuple(mark for start, end in words if (mark := _mark(line[start:end])) is not None)


def _is_exec_form(line: str, rest: Place) -> bool:
    try:
        return json_words(line, *split_flags(line, *rest)[1]) is not None
    except NotStringsError:
        return True


def _mark(word: str) -> Mark | None:
    match = _MARK.match(word)
    if match is None:
        return None
    start, end = match.span(2)
    try:
        found = pieces(word, start, end, "\\")
    except BadWordError:
        return None  # a substitution that never closes names no end of a body
    plain = not any(isinstance(piece, Variable) for piece in found)
    texts = [word[slice(*p.place)] if isinstance(p, Variable) else p.text for p in found]
    name = "".join(texts)
    expands = not plain or name == match[2]
    return Mark(name, expands, bool(match[1])) if name else None


class Terminators:
    """Finds the line that ends a here-document, without reading all lines for each."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._plain: dict[str, list[int]] = defaultdict(list)
        self._chomped: dict[str, list[int]] = defaultdict(list)
        for number, line in enumerate(lines):
            self._plain[line].append(number)
            if line.startswith("\t"):
                self._chomped[line.lstrip("\t")].append(number)

    def find(self, mark: Mark, after: int) -> int | None:
        """The number of the first line at or behind ``after`` that is the name alone."""
        tables = (self._plain, self._chomped) if mark.chomps else (self._plain,)
        found = []
        for table in tables:
            numbers = table.get(mark.name, [])
            at = bisect_left(numbers, after)
            found.extend(numbers[at : at + 1])
        return min(found, default=None)
