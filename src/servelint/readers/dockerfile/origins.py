"""Where a step takes files from: ``COPY --from=``, ``RUN --mount=...,from=``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from servelint.syntax.dockerfile_pieces import BadWordError
from servelint.syntax.dockerfile_words import blank_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.syntax.dockerfile import Instruction
    from servelint.syntax.dockerfile_words import Place

_OPTIONS = {
    "copy": ("--from=", re.compile(r"(.+)", re.DOTALL)),
    "mount": ("--mount=", re.compile(r"(?:^|,)from=([^,]+)")),
}
"""The option of each kind of step, and what stands in it behind the name of the option."""

_PACKAGES = re.compile(
    r"(?i)(?:\A|/)(?:(?:site|dist)-packages|[\w.-]*venv[\w.-]*|(?:mini|ana)?conda3?)(?:/|\Z)"
    r"|\A/?(?:usr/?)?(?:local/?)?(?:lib(?:64)?/?(?:python[\d.]*/?)?)?\Z"
)
"""Paths of directories in which packages are installed, or that hold such directories."""


@dataclass(frozen=True, slots=True)
class Origin:
    """An image or a stage that files are taken from, and where its name stands in the line.

    ``is_whole``: what is copied is a directory of installed packages.
    """

    name: str
    place: Place
    is_whole: bool


def origins(text: str, instruction: Instruction, how: str) -> Iterator[Origin]:
    """The origins that the options of a step name. Raises BadWordError."""
    option, pattern = _OPTIONS[how]
    for flag in instruction.flags:
        rest = flag.text.removeprefix(option)
        match = pattern.search(rest)
        if match is None or rest == flag.text:
            continue
        start, end = flag.place
        if "$" in match[1]:
            raise BadWordError("an image or a stage, written without variables", start)
        if flag.plain:
            first = start + len(option)
            start, end = first + match.start(1), first + match.end(1)
        yield Origin(match[1], (start, end), how == "copy" and _takes_packages(text, instruction))


def _takes_packages(text: str, instruction: Instruction) -> bool:
    words = blank_words(text, *instruction.arguments)[:-1]
    paths = (text[slice(*word)].strip('[",]') for word in words)
    return any(path and _PACKAGES.search(path) for path in paths)
