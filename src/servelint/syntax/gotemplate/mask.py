"""A template as YAML that keeps every branch, each character at its own offset.

A rendering shows what is on; this shows all that is written. What cannot stand in YAML is blanked,
what gives a text becomes a hole of the same length.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from servelint.syntax.gotemplate.lexer import pieces
from servelint.syntax.gotemplate.problems import TemplateProblem
from servelint.syntax.interpolation import HOLE
from servelint.syntax.yaml import YamlProblem, documents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from servelint.syntax.gotemplate.lexer import Piece

MAX_DROPPED = 12
"""Lines that are dropped from a text to make YAML of it."""

_SILENT = frozenset(
    {
        *("if", "else", "end", "range", "with", "define", "block", "break", "continue"),
        *("fail", "template"),
    }
)
"""Words of actions that give no text, or whole lines of it."""

_OPENING = frozenset({"if", "range", "with", "define", "block"})
_INDENTS = frozenset({"indent", "nindent", "toYaml", "toYamlPretty", "mustToYaml"})
_HOLDER = re.compile(r"(?:^|[:-]|\|[-+0-9]*|>[-+0-9]*)[ \t]*\Z")
_ODD = re.compile(r"[^\w.$()|-]", re.ASCII)
_WORD = re.compile(r"[^\r\n]+")


@dataclass(frozen=True, slots=True, eq=False)
class Masked:
    """A template as YAML of equal length.

    ``dropped`` are the ranges that were left out to make it YAML: other branches, or lines.
    """

    text: str
    dropped: tuple[tuple[int, int], ...] = ()


def masked(text: str) -> Masked:
    """All branches of a template as YAML, or as many as can stand in one text.

    Raises :class:`TemplateProblem`, at the place where the text cannot be read.
    """
    actions = [piece for piece in pieces(text) if piece.tokens is not None]
    whole = _without_actions(text, actions)
    if _problem(whole) is None:
        return Masked(whole)
    others = tuple(_others(actions))
    first = _blanked(whole, others)
    problem = _problem(first)
    dropped = list(others)
    for _ in range(MAX_DROPPED):
        if problem is None:
            return Masked(first, tuple(sorted(dropped)))
        line = _line(first, problem.offset)
        if line[0] == line[1]:
            break
        dropped.append(line)
        first = _blanked(first, (line,))
        problem = _problem(first)
    if problem is None:
        return Masked(first, tuple(sorted(dropped)))
    raise TemplateProblem(problem.detail, problem.offset)


def _problem(text: str) -> YamlProblem | None:
    try:
        documents(text)
    except YamlProblem as problem:
        return problem
    return None


def _without_actions(text: str, actions: list[Piece]) -> str:
    parts: list[str] = []
    at = 0
    for place, action in enumerate(actions):
        parts.append(text[at : action.start])
        shown = text[action.start : action.end]
        is_silent = _is_silent(action) or _is_alone(text, actions, place)
        is_blank = is_silent or _is_block(text, action)
        parts.append(_blank(shown) if is_blank else _hole(shown))
        at = action.end
    return "".join((*parts, text[at:]))


def _is_silent(action: Piece) -> bool:
    tokens = action.tokens or ()
    if not tokens or (tokens[0].kind == "word" and tokens[0].text in _SILENT):
        return True
    signs = [token.text for token in tokens[1:2]]
    return tokens[0].kind == "variable" and bool(signs) and signs[0] in (":=", "=", ",")


def _is_alone(text: str, actions: list[Piece], place: int) -> bool:
    """True for an action in lines that hold nothing else but actions, or a comment."""
    first = last = place
    start, end = _line_start(text, actions[place].start), _line_end(text, actions[place].end)
    while first > 0 and actions[first - 1].end > start:
        first -= 1
        start = _line_start(text, actions[first].start)
    while last + 1 < len(actions) and actions[last + 1].start < end:
        last += 1
        end = _line_end(text, actions[last].end)
    rest, at = [], start
    for action in actions[first : last + 1]:
        rest.append(text[at : action.start])
        at = action.end
    left = "".join((*rest, text[at:end])).strip()
    return not left or left[0] == "#"


def _is_block(text: str, action: Piece) -> bool:
    """True for what gives whole lines, as ``key: {{- toYaml x | nindent 4 }}`` does."""
    words = {token.text for token in action.tokens or () if token.kind == "word"}
    if not words & _INDENTS:
        return False
    before = text[_line_start(text, action.start) : action.start]
    after = text[action.end : _line_end(text, action.end)]
    return not after.strip() and _HOLDER.search(before) is not None


def _others(actions: Iterable[Piece]) -> Iterator[tuple[int, int]]:
    """The ranges of all branches but the first of each."""
    opened: list[int] = []
    for action in actions:
        tokens = action.tokens or ()
        head = tokens[0].text if tokens and tokens[0].kind == "word" else ""
        if head in _OPENING:
            opened.append(-1)
        elif head == "else" and opened and opened[-1] < 0:
            opened[-1] = action.end
        elif head == "end" and opened:
            start = opened.pop()
            if start >= 0:
                yield start, action.start


def _blanked(text: str, ranges: Iterable[tuple[int, int]]) -> str:
    for start, end in ranges:
        text = text[:start] + _blank(text[start:end]) + text[end:]
    return text


def _blank(text: str) -> str:
    return _WORD.sub(lambda found: " " * len(found[0]), text)


def _hole(text: str) -> str:
    """A hole in the first line of an action; the others become blank."""
    first = _WORD.match(text)
    size = len(first[0]) if first else 0
    writing = _ODD.sub("_", text[1 : size - 1])
    return f"{HOLE[0]}{writing}{HOLE[1]}{_blank(text[size:])}"


def _line(text: str, offset: int) -> tuple[int, int]:
    """The line at an offset, or the last one before it that is not blank."""
    start, end = _line_start(text, offset), _line_end(text, offset)
    while start > 0 and not text[start:end].strip():
        end = start - 1
        start = _line_start(text, end)
    return (start, end) if text[start:end].strip() else (0, 0)


def _line_start(text: str, offset: int) -> int:
    return text.rfind("\n", 0, offset) + 1


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end < 0 else end
