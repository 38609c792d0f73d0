"""The options among the words of a command line, as argparse finds them.

``--flag value`` and ``--flag=value``, unique prefixes, how many words follow.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from servelint.deployment import Flag
from servelint.value import Open, Text, known_head

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from servelint.engine import Option
    from servelint.value import Parts, Value

    Read = tuple[tuple[Flag, ...], bool]
    """Options in order, and whether unread words may hold more."""

_NUMBER = re.compile(r"-(?:\d+|\d*\.\d+)\Z")

MAX_WORDS = 5_000
"""Words that are read behind a program."""

_NO_OPTION = ""


class OptionTable:
    """All options of a program over all releases, found by name or unique prefix.

    With ``underscores``, one that stands in a name for a hyphen is read as that.
    """

    def __init__(self, options: Iterable[Option], *, underscores: bool = False) -> None:
        self._by_name: dict[str, Option] = {}
        self._underscores = underscores
        for option in options:
            for name in option.names:
                self._by_name.setdefault(name, option)
        self._names = sorted(self._by_name)

    def spelled(self, written: str, *, is_file: bool) -> str:
        """A name with the hyphens that it means; in files of options launchers put them in."""
        if not (is_file or self._underscores):
            return written
        name, dot, key = written.partition(".")  # the keys of an object are what they are
        return f"{name.replace('_', '-')}{dot}{key}"

    def find(self, written: str) -> tuple[str, Option | None]:
        """Canonical name and option; the name as written when unknown or ambiguous."""
        found = self._meant(written)
        return (found[0].names[0], found[0]) if len(found) == 1 else (written, None)

    def is_ambiguous(self, written: str) -> bool:
        """True for the beginning of several options: a release may know only one of them."""
        return len(self._meant(written)) > 1

    def _meant(self, written: str) -> Sequence[Option]:
        if written in self._by_name:
            return (self._by_name[written],)
        found: dict[str, Option] = {}
        for name in self._names[bisect_left(self._names, written) :]:
            if not name.startswith(written):
                break
            option = self._by_name[name]
            found[option.names[0]] = option
        return tuple(found.values())


def read_options(
    words: Sequence[Value], table: OptionTable, *, operands: int = 0, is_file: bool = False
) -> Read:
    """The options among words, and whether unread words may hold more.

    The first ``operands`` words that belong to no option are none, if each is one word.
    """
    flags: list[Flag] = []
    is_open = False
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        name, glued = _option(word)
        if name == _NO_OPTION:
            is_operand = operands > 0 and _is_one_word(word)
            operands -= is_operand
            is_open = is_open or (not is_operand and _may_be_option(word))
            continue
        name = table.spelled(name, is_file=is_file)
        canonical, option = table.find(name)
        is_open = is_open or table.is_ambiguous(name)
        if glued is not None or (option is not None and option.values == "0"):
            flags.append(Flag(canonical, word, glued))
            continue
        taken = words[at : at + _taken(words, at, option)]
        flags.append(Flag(canonical, word, taken[0] if taken else None))
        sure = 1 if option is not None and option.values in ("1", "+") else 0
        is_open = is_open or any(map(_may_be_option, taken[sure:]))
        at += len(taken)
    return tuple(flags), is_open


def _option(word: Value) -> tuple[str, Value | None]:
    """The option that a word names, and the value after its ``=``."""
    head = word.head
    if not head.startswith("--") or len(head) < 3:
        return _NO_OPTION, None
    name, equals, _ = head.partition("=")
    if equals:
        return name, word.tail(len(name) + 1)
    return (name, None) if word.text is not None else (_NO_OPTION, None)


def _is_one_word(word: Value) -> bool:
    """True for a word that can be no list of words, whatever is set, nor begin like an option."""
    return not word.head.startswith("-") and all(
        isinstance(part, Text) or (isinstance(part, Open) and _is_scalar(part))
        for parts in word.readings
        for part in parts
    )


def _is_scalar(part: Open) -> bool:
    return not part.splits and (part.name.isidentifier() or part.name.isdigit())


def _may_be_option(word: Value) -> bool:
    """True when a reading of a word can turn out to be an option that was not read."""
    return any(map(_may_read_as_option, word.readings))


def _may_read_as_option(parts: Parts) -> bool:
    head = known_head(parts)
    if all(isinstance(part, Text) for part in parts):
        return head.startswith("--") and len(head) > 2
    return head in ("", "-") or head.startswith("--")


def _taken(words: Sequence[Value], at: int, option: Option | None) -> int:
    """How many of the next words belong to an option."""
    count = 0
    most = len(words) if option is not None and option.values == "+" else 1
    while at + count < len(words) and count < most:
        head = words[at + count].head
        if head.startswith("-") and not _NUMBER.match(head) and len(head) > 1:
            break
        count += 1
    return count
