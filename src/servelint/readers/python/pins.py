"""Requirements: texts of PEP 508 in a script, and the block of PEP 723 at its top."""

from __future__ import annotations

import re
from dataclasses import replace

from servelint.facts import Requirement
from servelint.finding import Skip
from servelint.readers.python.shelltext import variable_name
from servelint.source import Segment
from servelint.syntax.pep508 import is_location, read_location, read_requirement
from servelint.syntax.toml_scanner import TomlError
from servelint.syntax.toml_strings import embed, parse
from servelint.value import Text, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.readers.python.events import Pin
    from servelint.readers.python.pieces import Piece, Place
    from servelint.source import Source, Span

_BLOCK = re.compile(
    r"^# /// script[ \t]*\r?\n(?P<body>(?:#(?:| [^\r\n]*)\r?\n)+?)# ///[ \t]*$", re.M
)
_LINE = re.compile(r"#(?: |(?=\r?\n))(?P<text>[^\r\n]*\r?\n)")


def requirement(source: Source, pin: Pin, number: int) -> Iterator[Requirement | Skip]:
    """The package that a text asks for; values from elsewhere are on its trail."""
    parts: list[str] = []
    segments: list[Segment] = []
    trail: list[Span] = []
    size = 0
    for piece in pin.pieces:
        text = piece.text if piece.known else f"${{{variable_name(piece).upper()}}}"
        place = piece.at or pin.place
        if not _inside(place, pin.place):
            trail.append(source.span(*place))
            place = _hole(piece, pin.place)
        segments.append(Segment(size, size + len(text), *place))
        parts.append(text)
        size += len(text)
    child = source.embed("".join(parts), segments, "requirement", "requirement", number)
    found = (
        read_location(child) if is_location(child.text) else read_requirement(child, expand=True)
    )
    if isinstance(found, Requirement):
        yield replace(
            found,
            runs=pin.runs,
            version=_along(found.version, trail),
            specifier=_along(found.specifier, trail),
        )
    elif found is not None:
        yield found


def _inside(place: Place, around: Place) -> bool:
    return around[0] <= place[0] and place[1] <= around[1]


def _hole(piece: Piece, around: Place) -> Place:
    return next((one for one in reversed(piece.via) if _inside(one, around)), around)


def _along(value: Value | None, trail: list[Span]) -> Value | None:
    if value is None or not trail:
        return value
    readings = tuple(
        tuple(
            replace(part, trail=tuple(dict.fromkeys((*trail, *part.trail))))
            if isinstance(part, Text)
            else part
            for part in parts
        )
        for parts in value.readings
    )
    return Value(readings, value.span)


# -- the block at the top of a script -------------------------------------------------------


def script_block(source: Source) -> Iterator[Requirement | Skip]:
    """The ``dependencies`` of a ``# /// script`` block (PEP 723)."""
    block = _BLOCK.search(source.text)
    if block is None:
        return
    child = _uncommented(source, *block.span("body"))
    try:
        toml = parse(child.text)
    except TomlError as error:
        detail = f"the block of script metadata: {error}"
        span = source.span(*block.span("body"))
        yield Skip(source.path, "read", "syntax", detail, span)
        return
    listed = toml.data.get("dependencies")
    for index in range(len(listed) if isinstance(listed, list) else 0):
        string = toml.strings.get(("dependencies", index))
        if string is None:
            continue
        text = embed(child, string, "requirement")
        found = read_location(text) if is_location(text.text) else read_requirement(text)
        if isinstance(found, Requirement):
            yield replace(found, owner=source.owner.child("script", index))
        elif found is not None:
            yield found


def _uncommented(source: Source, start: int, end: int) -> Source:
    """The block without its comment marks."""
    parts: list[str] = []
    segments: list[Segment] = []
    size = 0
    for match in _LINE.finditer(source.text, start, end):
        text = match["text"]
        segments.append(Segment(size, size + len(text), *match.span("text")))
        parts.append(text)
        size += len(text)
    return source.embed("".join(parts), segments, "toml", "script")
