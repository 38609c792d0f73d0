"""The names and values that ENV and ARG give, in all their forms."""

from __future__ import annotations

from dataclasses import dataclass

from servelint.readers.dockerfile.scope import settled
from servelint.syntax.dockerfile_pieces import BadWordError
from servelint.syntax.dockerfile_words import quoted_words, split_once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.readers.dockerfile.scope import Scope
    from servelint.source import Source
    from servelint.syntax.dockerfile_words import Place
    from servelint.value import Value


@dataclass(frozen=True, slots=True)
class Assignment:
    """One name with its value, None where it has none; ``place`` is the whole in its line."""

    name: str
    value: Value | None
    place: Place


def arguments(line: Source, place: Place, scope: Scope) -> Iterator[Assignment]:
    """What ARG declares, each seen by those behind it when the caller keeps it."""
    words = quoted_words(line.text, *place, scope.escape)
    if not words:
        raise BadWordError("a name", place[0])
    for word in words:
        yield _assignment(line, word, scope)


def environment(line: Source, place: Place, scope: Scope) -> tuple[Assignment, ...]:
    """What ENV sets: ``NAME=value ...``, all with what was set before it, or ``NAME value``."""
    words = quoted_words(line.text, *place, scope.escape)
    if not words:
        raise BadWordError("a name and a value", place[0])
    if "=" in line.text[slice(*words[0])]:
        return tuple(_pair(line, word, scope) for word in words)
    parts = split_once(line.text, *place)
    if parts is None:
        raise BadWordError("a value behind the name", place[1])
    name, value = parts
    return (Assignment(_name(line, name, scope), scope.value(line, value), place),)


def _pair(line: Source, word: Place, scope: Scope) -> Assignment:
    if line.text.find("=", *word) < 0:
        raise BadWordError("NAME=value, as in the words before it", word[0])
    return _assignment(line, word, scope)


def _assignment(line: Source, word: Place, scope: Scope) -> Assignment:
    start, end = word
    sign = line.text.find("=", start, end)
    if sign < 0:
        return Assignment(_name(line, word, scope), None, word)
    name = _name(line, (start, sign), scope)
    return Assignment(name, scope.value(line, (sign + 1, end)), word)


def _name(line: Source, place: Place, scope: Scope) -> str:
    name = settled(scope.value(line, place).readings[0])
    if not name:
        raise BadWordError("a name that is known", place[0])
    return name
