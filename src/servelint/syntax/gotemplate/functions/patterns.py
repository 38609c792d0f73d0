"""Functions with regular expressions.

Go's never take long; Python's may. A pattern that could, on the text that it is for, is not tried:
its value is unknown, as is that of a pattern that Python reads otherwise.
"""

from __future__ import annotations

import re
from functools import lru_cache

from servelint.syntax.gotemplate.automaton import Unsuited, has_match
from servelint.syntax.gotemplate.signature import (
    Function,
    NotKnown,
    known,
    strings,
    text_of,
    whole_of,
)
from servelint.syntax.gotemplate.texts import Text, concat, plain
from servelint.syntax.gotemplate.values import Value, truth_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.syntax.gotemplate.machine import Machine

Values = tuple[Value, ...]

MAX_WORK = 2_000_000
"""Steps that a pattern may take on a text: its length to the power of its repetitions."""

MAX_PATTERN = 1_000
"""Characters of a pattern."""

_UNSURE = re.compile(r"\\[zQECpPAZ]|\[\[:|\(\?[^:P]|\(\?P[^<]|[*+?}][+]")
_PIECES = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\)[*+{]|[*+]|\{\d*,?\d*\}|.", re.DOTALL)
_GROUP = re.compile(r"\$(?:\$|\{(\w+)\}|(\w+))", re.ASCII)


@lru_cache(maxsize=200)
def _pattern(text: str) -> tuple[re.Pattern[str], int, bool]:
    """The pattern, how many repetitions without a limit it has, and whether they may nest."""
    if len(text) > MAX_PATTERN or _UNSURE.search(text):
        raise NotKnown
    pieces = _PIECES.findall(text)
    endless = sum(piece[-1] in "*+" or piece.endswith(",}") for piece in pieces)
    nests = any(piece[0] == ")" and len(piece) > 1 for piece in pieces)
    ascii_only = "".join(r"\Z" if piece == "$" else piece for piece in pieces)
    try:
        return re.compile(ascii_only, re.ASCII), endless, nests
    except (re.error, OverflowError, RecursionError):
        raise NotKnown from None


def _compiled(pattern: Value, text: Text) -> re.Pattern[str]:
    """A pattern for a text. Raises NotKnown for one that is unsure or may take long."""
    found, endless, nests = _pattern(known(text_of(pattern)))
    size = len(known(text)) + 2
    if (nests and size > 20) or size ** (endless + 1) > MAX_WORK * (1 + (endless < 2) * 100):
        raise NotKnown
    return found


def _matches(pattern: re.Pattern[str], text: Text) -> Iterator[re.Match[str]]:
    """The matches as Go finds them: an empty one never touches the one before."""
    end = -1
    for found in pattern.finditer(text.flat):
        if found.start() != found.end() or found.start() != end:
            yield found
            end = found.end()


def _match(_: Machine, values: Values) -> Value:
    pattern, text = text_of(values[0]), text_of(values[1])
    _pattern(known(pattern))
    try:
        return truth_value(has_match(pattern.flat, known(text)))
    except Unsuited:
        return truth_value(_compiled(pattern, text).search(text.flat))


def _find(_: Machine, values: Values) -> Value:
    text = text_of(values[1])
    found = _compiled(values[0], text).search(text.flat)
    return text.cut(found.start(), found.end()) if found else text.cut(0, 0)


def _find_all(_: Machine, values: Values) -> Value:
    text, most = text_of(values[1]), whole_of(values[2])
    found = list(_matches(_compiled(values[0], text), text))
    kept = found if most < 0 else found[:most]
    return strings(text.cut(one.start(), one.end()) for one in kept)


def replace_all(machine: Machine, values: Values) -> Value:
    """``regexReplaceAll PATTERN TEXT BY``, where ``$1`` and ``${1}`` stand for groups."""
    return _replaced(machine, values, is_literal=False)


def _replace_all_literal(machine: Machine, values: Values) -> Value:
    return _replaced(machine, values, is_literal=True)


def _replaced(machine: Machine, values: Values, *, is_literal: bool) -> Value:
    text, by = text_of(values[1]), text_of(values[2])
    known(by)
    pieces: list[Text] = []
    at = 0
    for found in _matches(_compiled(values[0], text), text):
        machine.step()
        pieces.append(text.cut(at, found.start()))
        pieces.extend((by,) if is_literal else _expanded(by, text, found))
        at = found.end()
    return concat((*pieces, text.cut(at)))


def _expanded(by: Text, text: Text, found: re.Match[str]) -> Iterator[Text]:
    at = 0
    for sign in _GROUP.finditer(by.flat):
        yield by.cut(at, sign.start())
        at = sign.end()
        name = sign[1] or sign[2]
        if name is None:
            yield by.cut(sign.start(), sign.start() + 1)
            continue
        start, end = _group(found, name)
        yield text.cut(start, end) if start < end else text.cut(0, 0)
    yield by.cut(at)


def _group(found: re.Match[str], name: str) -> tuple[int, int]:
    try:
        return found.span(int(name) if name.isdigit() else name)
    except (IndexError, ValueError):
        return 0, 0


def split(_: Machine, values: Values) -> Value:
    """``regexSplit PATTERN TEXT MOST``."""
    text, most = text_of(values[1]), whole_of(values[2])
    pattern = _compiled(values[0], text)
    if pattern.search(""):
        raise NotKnown
    texts: list[Text] = []
    at = 0
    for found in _matches(pattern, text):
        if most > 0 and len(texts) == most - 1:
            break
        texts.append(text.cut(at, found.start()))
        at = found.end()
    return strings([*texts, text.cut(at)] if most else [])


def _quote_meta(_: Machine, values: Values) -> Value:
    text = text_of(values[0])
    pieces: list[Text] = []
    at = 0
    for sign in re.finditer(r"[\\.+*?()|\[\]{}^$]", known(text)):
        pieces += (text.cut(at, sign.start()), plain("\\"))
        at = sign.start()
    return concat((*pieces, text.cut(at)))


TABLE = {
    "regexMatch": Function(_match, 2, 2),
    "mustRegexMatch": Function(_match, 2, 2),
    "regexFind": Function(_find, 2, 2, is_text=True),
    "mustRegexFind": Function(_find, 2, 2, is_text=True),
    "regexFindAll": Function(_find_all, 3, 3),
    "mustRegexFindAll": Function(_find_all, 3, 3),
    "regexReplaceAll": Function(replace_all, 3, 3, is_text=True),
    "mustRegexReplaceAll": Function(replace_all, 3, 3, is_text=True),
    "regexReplaceAllLiteral": Function(_replace_all_literal, 3, 3, is_text=True),
    "mustRegexReplaceAllLiteral": Function(_replace_all_literal, 3, 3, is_text=True),
    "regexSplit": Function(split, 3, 3),
    "mustRegexSplit": Function(split, 3, 3),
    "regexQuoteMeta": Function(_quote_meta, is_text=True),
}
