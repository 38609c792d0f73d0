"""Programs that run another program: where a command line really begins.

``env X=1 nohup python3 server.py`` runs ``python3``. The table says for each
such program which of its options take a value; an option that is not listed
takes none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from servelint.syntax.prefix_table import PREFIXES, Prefix
from servelint.syntax.programs import base_name
from servelint.value import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from servelint.value import Value

Assignments = list[tuple[str, "Value"]]

_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(?!=)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Stripped:
    """A command line without its prefixes: the index of its first real word.

    ``env`` are the assignments before it, each a name and its value standing
    at the whole word. ``image`` is the image that a prefix runs it in;
    ``apart`` says that a prefix gives it packages of its own, ``installs`` are
    the words that say which.
    """

    at: int
    env: tuple[tuple[str, Value], ...] = ()
    image: Value | None = None
    apart: bool = False
    installs: tuple[Value, ...] = ()


def strip_prefixes(argv: Sequence[Value]) -> Stripped:
    """Where the real command begins, and what its prefixes say of it.

    A command line that is nothing but a prefix is left as it is: index 0.
    """
    at = 0
    found: Assignments = []
    given: list[tuple[Prefix, str, Value]] = []
    always_apart = False
    while True:
        at = _assignments(argv, at, found)
        prefix, length = _prefix(argv, at)
        if prefix is None:
            break
        always_apart |= prefix.always_apart
        at = _Options(argv, prefix, found, given).end(at + length)
    if at >= len(argv):
        return Stripped(0)
    images = [value for prefix, name, value in given if name in prefix.images]
    apart = always_apart or any(name in prefix.apart for prefix, name, _ in given)
    installs = tuple(value for prefix, name, value in given if name in prefix.installs)
    return Stripped(at, tuple(found), images[-1] if images else None, apart, installs)


def _assignments(argv: Sequence[Value], at: int, found: Assignments) -> int:
    while at < len(argv) and (match := _ASSIGNMENT.match(argv[at].head)):
        found.append((match[1], argv[at].tail(match.end())))
        at += 1
    return at


def _prefix(argv: Sequence[Value], at: int) -> tuple[Prefix | None, int]:
    if at >= len(argv):
        return None, 0
    first = base_name(argv[at].text or "")
    if prefix := PREFIXES.get((first,)):
        return prefix, 1
    words = (first, *((word.text or "") for word in argv[at + 1 : at + 3]))
    for length in (2, 3):
        if len(words) >= length and (prefix := PREFIXES.get(words[:length])):
            return prefix, length
    return None, 0


class _Options:
    """Reads the options of one prefix."""

    def __init__(
        self,
        argv: Sequence[Value],
        prefix: Prefix,
        found: Assignments,
        given: list[tuple[Prefix, str, Value]],
    ) -> None:
        self._argv = argv
        self._prefix = prefix
        self._found = found
        self._given = given

    def end(self, at: int) -> int:
        """The index of the first word that is no longer the prefix's own."""
        operands = self._prefix.operands
        while at < len(self._argv):
            head = self._argv[at].head
            if self._argv[at].text == "--":
                return min(at + 1 + operands, len(self._argv))
            if len(head) > 1 and head.startswith("-"):
                at += self._option(at)
            elif self._prefix.assigns and _ASSIGNMENT.match(head):
                at = _assignments(self._argv, at, self._found)
            elif self._is_open_option(at):
                at += 1
            elif operands and not self._is_last(at):
                operands -= 1
                at += 1
            else:
                break
        return at

    def _is_last(self, at: int) -> bool:
        return at + 1 >= len(self._argv)

    def _option(self, at: int) -> int:
        """How many words an option takes."""
        text = self._argv[at].text or ""
        name, equals, _ = self._argv[at].head.partition("=")
        if equals:
            self._given.append((self._prefix, name, self._argv[at].tail(len(name) + 1)))
        else:
            self._given.append((self._prefix, name, self._argv[min(at + 1, len(self._argv) - 1)]))
        if text in self._prefix.pairs:
            return 3
        if text in self._prefix.exports:
            _assignments(self._argv[: at + 2], at + 1, self._found)
            return 2
        return 2 if text in self._prefix.values else 1

    def _is_open_option(self, at: int) -> bool:
        """An open word in front of a known one that can be a program."""
        if not self._prefix.open_options or self._is_last(at):
            return False
        if all(isinstance(part, Text) for parts in self._argv[at].readings for part in parts[:1]):
            return False
        after = self._argv[at + 1]
        return after.text is not None and not after.text.startswith("-")
