"""The words that make a text worth reading, told apart by their form.

Plugins give plain words. ``Name(`` is a call, whoever defines it; a word with
a dot or a blank is a program and, dotted, also a call; one with a slash is the
beginning of an image, one that ends in a comparison or a bracket a pin; one
with a hyphen is an option. What has a quotation mark or begins with ``from``
only finds files.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_PIN = re.compile(r"[\w.-]+\s*[=<>!~\[@]+")
_FINDER = re.compile(r"from |.*[\"']", re.S)


@dataclass(frozen=True, slots=True)
class Needles:
    """Needles by what they are. ``options`` are without leading hyphens.

    ``spread`` are the programs of several words, which a list may hold one by one.
    """

    programs: re.Pattern[str]
    options: re.Pattern[str]
    images: re.Pattern[str]
    any_literal: re.Pattern[str]
    calls: frozenset[str]
    words: tuple[str, ...]
    spread: tuple[frozenset[str], ...]

    def call(self, name: str) -> str:
        """The name under which a call of the dotted ``name`` is known, or empty.

        Packages hand their names on: only the first and the last part count.
        """
        last = name.rpartition(".")[2]
        root = name.partition(".")[0]
        short = f"{root}.{last}" if root and root != last else last
        return short if short in self.calls or f"{last}(" in self.calls else ""


@cache
def sort_needles(words: tuple[str, ...]) -> Needles:
    """The needles of one language."""
    programs: list[str] = []
    options: list[str] = []
    images: list[str] = []
    pins: list[str] = []
    calls: set[str] = set()
    for word in words:
        if _FINDER.match(word):
            continue
        if word.endswith("("):
            calls.add(word)
        elif _PIN.fullmatch(word):
            pins.append(word)
        elif "/" in word and not word.endswith(".py"):
            images.append(word)
        elif "." in word or " " in word:
            programs.append(word)
            calls.update((word,) if " " not in word and "/" not in word else ())
        elif "-" in word:
            options.append(word)
    literals = [*(_bounded(word) for word in programs), *map(re.escape, (*images, *pins))]
    return Needles(
        programs=_any(map(_bounded, programs)),
        options=_any(rf"--[\w-]*{re.escape(word)}" for word in options),
        images=_any(map(re.escape, images)),
        any_literal=_any((*literals, *map(re.escape, options))),
        calls=frozenset(calls),
        words=words,
        spread=tuple(frozenset(word.split()) for word in programs if " " in word),
    )


def _bounded(word: str) -> str:
    blank = re.escape(word).replace("\\ ", r"\s+")
    return rf"(?<![\w.-]){blank}(?![\w.-])"


def _any(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(patterns) or r"(?!)")
