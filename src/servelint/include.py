"""Scripts that take in other scripts: read as one text whose characters keep their files.

What a sourced file defines (variables, functions, exports) holds from there
on, and what it runs, runs there. Replacing the command by the text of the file
gives just that, to any reader of the language.
"""

from __future__ import annotations

import os

from servelint.discover import read_text
from servelint.facts import Launch, Uses
from servelint.finding import Skip
from servelint.read import Reading, read_source
from servelint.read_many import read_again
from servelint.source import Route, Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_DEPTH = 4
"""Files that take in files that take in files: how far that is followed."""

OWN = 2
"""Steps of the route of a command that stands in the script itself: its kind and number."""

MAX_TEXT = 2_000_000
"""Characters of a script with all that it takes in; a longer one is read without."""


def with_included(root: str, readings: Iterable[Reading]) -> tuple[Reading, ...]:
    """The readings, those of scripts that take in others made anew with them.

    A launch that such a script reaches in another file, there with values, is
    left out of what that file says alone.
    """
    kept = tuple(readings)
    files = _Files(root, {reading.path: reading for reading in kept})
    takers = [reading for reading in kept if any(_sourced(reading))]
    longer = [(one, *whole) for one in takers if (whole := files.expanded(one)) is not None]
    again = read_again(longer)
    done = tuple(again.get(reading.path, reading) for reading in kept)
    reached = {
        fact.span
        for before, after in zip(kept, done, strict=True)
        for fact in after.facts
        if isinstance(fact, Launch) and fact.span.path != before.path
    }
    return tuple(reading.without(reached) for reading in done) if reached else done


class _Files:
    """The scripts of a root, each read once by itself."""

    def __init__(self, root: str, readings: dict[str, Reading]) -> None:
        self._root = root
        self._readings = readings

    def expanded(self, reading: Reading) -> tuple[Source, dict[str, str]] | None:
        """A script with all that it takes in, and the texts of that; None for the script itself."""
        texts: dict[str, str] = {}
        source = self._including(reading, Route(reading.path), texts, ())
        if source is None or not texts or len(source.text) > MAX_TEXT:
            return None
        return source, texts

    def _including(
        self, reading: Reading, owner: Route, texts: dict[str, str], above: tuple[str, ...]
    ) -> Source | None:
        """The text with the files in the places of the commands that name them."""
        source = Source(reading.path, reading.text, reading.language, owner)
        others: list[tuple[int, int, Source]] = []
        size, end = len(source.text), 0
        inside = (*above, reading.path)
        for use in sorted(_sourced(reading), key=lambda use: use.span):
            path = located(self._root, use.target, reading.path)
            if not path or path in inside or len(inside) > MAX_DEPTH or use.span.start < end:
                continue
            inner = self._read(path, reading.language)
            whole = self._including(inner, owner, texts, inside) if inner.text else None
            if whole is None or size + len(whole.text) > MAX_TEXT:
                continue
            texts[path] = inner.text
            others.append((use.span.start, use.span.end, whole))
            size, end = size + len(whole.text), use.span.end
        return source.including(others) if others else source

    def _read(self, path: str, language: str) -> Reading:
        if path not in self._readings:
            text = read_text(self._root, path)
            plain = "" if isinstance(text, Skip) else text
            source = Source(path, plain, language, Route(path))
            self._readings[path] = read_source(source, plain, {})
        return self._readings[path]


def _sourced(reading: Reading) -> Iterator[Uses]:
    """The commands of a script that take in a file; not those in texts for other shells."""
    for fact in reading.facts:
        if isinstance(fact, Uses) and fact.how == "source" and len(fact.owner.steps) == OWN:
            yield fact


def located(root: str, target: str, script: str) -> str:
    """The file that a target means: beside the script, else from a directory above it.

    What stands before the known part of a path is mostly the directory of the
    project or of the script, and a script is started from either.
    """
    beside = os.path.dirname(script)
    wanted = os.path.relpath(target, beside or ".")
    while True:
        path = os.path.normpath(os.path.join(beside, wanted))
        if not path.startswith("../") and os.path.isfile(os.path.join(root, path)):
            return path
        if not beside:
            return ""
        beside = os.path.dirname(beside)
