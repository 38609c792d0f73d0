"""The instructions of a Dockerfile, each with its place, its options and its here-documents.

dockerfile-parse tells which lines are which instruction, on a text that
:mod:`servelint.syntax.dockerfile_lines` has rewritten for it; words and
columns come from the text itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO

from dockerfile_parse import DockerfileParser

from servelint.syntax.dockerfile_lines import Problem, read_lines
from servelint.syntax.dockerfile_words import split_flags, split_head

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from servelint.source import Segment
    from servelint.syntax.dockerfile_heredocs import Heredoc
    from servelint.syntax.dockerfile_lines import Logical
    from servelint.syntax.dockerfile_words import Flag, Place

_COMMENT = "COMMENT"


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction.

    ``name`` is in upper case; of ONBUILD it is that of the instruction inside, which is
    ``deferred`` to the builds that start from the image.
    ``text`` is the whole, its lines joined, and ``segments`` map it to the
    file. ``arguments`` is the range of ``text`` behind the options. ``first``
    and ``last`` are lines from 0, here-documents not counted.
    """

    name: str
    text: str
    segments: tuple[Segment, ...]
    flags: tuple[Flag, ...]
    arguments: Place
    heredocs: tuple[Heredoc, ...]
    first: int
    last: int
    deferred: bool = False


@dataclass(frozen=True, slots=True)
class Dockerfile:
    """All instructions in order, and what could not be read.

    ``template`` is where the first line of a template stands, if there is one.
    """

    instructions: tuple[Instruction, ...]
    escape: str
    problems: tuple[Problem, ...]
    template: Place | None


def parse(text: str) -> Dockerfile:
    """Parse a Dockerfile. Never fails: see ``problems``."""
    lines = read_lines(text)
    found = _instructions(structure(lines.rewritten), lines.logical)
    return Dockerfile(tuple(found), lines.escape, tuple(lines.problems), lines.template)


def structure(rewritten: str) -> list[dict[str, Any]]:
    """What dockerfile-parse says of a rewritten text, comments left out.

    Given as a file object: with a path it would read and write one.
    """
    parser = DockerfileParser(fileobj=BytesIO(rewritten.encode("utf-8", "replace")))
    return [row for row in parser.structure if row["instruction"] != _COMMENT]


def _instructions(rows: list[dict[str, Any]], logical: dict[int, Logical]) -> Iterator[Instruction]:
    for row in rows:
        line = logical[row["startline"]]
        text = line.text
        name, rest = row["instruction"], split_head(text, 0, len(text))[1]
        flags, arguments = split_flags(text, *rest)
        if name == "ONBUILD":
            head, rest = split_head(text, *arguments)
            name = text[slice(*head)].upper()
            flags, arguments = split_flags(text, *rest)
        yield Instruction(
            name=name,
            text=text,
            segments=line.segments,
            flags=flags,
            arguments=arguments,
            heredocs=line.heredocs,
            first=row["startline"],
            last=row["endline"],
            deferred=row["instruction"] == "ONBUILD",
        )
