"""Where each character of a YAML scalar's value stands in the text.

The rules are those of the YAML 1.1 parser that reads the files (libyaml):
which characters break a line, how breaks fold and how a block scalar finds its
indentation. Every map is proved by rebuilding the value; what cannot be proved
maps as a whole, so that a span never points at the wrong place.
"""

from __future__ import annotations

import re

from servelint.source import Segment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from servelint.syntax.yaml_nodes import Scalar

    Piece = tuple[str, int, int]
    """Text of the value, and the range of the source that it was made from."""

_BREAKS = "\n\r\x85\u2028\u2029"
_BLANKS = " \t" + _BREAKS
_BREAK = rf"(?:\r\n|[{_BREAKS}])"
_END = re.compile(_BREAK)

# A run of blanks is tried once, from its first blank (or the first that no
# backslash has taken): trying each of its blanks would be quadratic.
_FOLD = rf"(?:(?<=\\[ \t])|(?<![ \t]))[ \t]*{_BREAK}[{_BLANKS}]*"
_HEX = "x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}"
_MARKS = {
    "": re.compile(_FOLD),
    "'": re.compile(f"''|{_FOLD}"),
    '"': re.compile(rf"\\(?:{_BREAK}[{_BLANKS}]*|{_HEX}|.)|{_FOLD}"),
}
"""What a flow scalar of a style does not take as it stands."""

_ESCAPES = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "t": "\t",
    "n": "\n",
    "v": "\v",
    "f": "\f",
    "r": "\r",
    "e": "\x1b",
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
}
"""Any other character stands for itself."""

_HEADER = re.compile(
    r"[|>](?P<early>[-+]?)(?P<indent>[1-9]?)(?P<late>[-+]?)"
    rf"[ \t]*(?:#[^{_BREAKS}]*)?(?:{_BREAK}|\Z)"
)
_LINE = re.compile(rf"(?P<blanks> *)(?P<words>[^{_BREAKS}]*)(?P<end>{_BREAK}|\Z)")
_GAP = re.compile(rf"(?:[{_BLANKS}]++(?:#[^{_BREAKS}]*+)?)*+")
_TAG = re.compile(rf"![^{_BLANKS}]*")
_REACH = 200
"""Blanks that are stepped over backwards: many scalars may share one long run."""


def content_start(text: str, start: int, anchor: str | None) -> int:
    """Where a scalar that is not empty begins, behind tag and ``anchor`` at ``start``."""
    at = start
    while text[at] in "&!":
        tag = _TAG.match(text, at)
        end = tag.end() if tag else at + 1 + len(anchor or "")
        gap = _GAP.match(text, end)
        at = gap.end() if gap else end
    return at


def empty_place(text: str, at: int) -> int:
    """Where nothing stands: behind its ``:`` or ``-``, where parsers say the next token."""
    low = max(at - _REACH, 0)
    return low + len(text[low:at].rstrip(_BLANKS))


def block_end(text: str, start: int, end: int) -> int:
    """The end of the last line of a block scalar that is not blank."""
    at = start + len(text[start:end].rstrip(_BLANKS))
    found = _END.search(text, at, end)
    return found.start() if found else end


def segments(text: str, scalar: Scalar) -> tuple[Segment, ...]:
    """The map from offsets of ``scalar.value`` to offsets of ``text``, the text of its tree.

    The segments cover the value without gaps, and never none of it.
    """
    if scalar.style in ("|", ">"):
        pieces = tuple(_block(text, scalar))
    else:
        quote = len(scalar.style)
        start, end = scalar.start + quote, scalar.end - quote
        if scalar.value and text[start:end] == scalar.value:  # all else is written longer
            return (Segment(0, end - start, start, end),)
        pieces = tuple(_flow(text, start, end, _MARKS[scalar.style]))
    if "".join(piece for piece, _, _ in pieces) != scalar.value:
        return _whole(scalar)
    return tuple(_joined(pieces)) or (_nothing(scalar),)


def _nothing(scalar: Scalar) -> Segment:
    at = scalar.end - 1 if scalar.style in ("'", '"') else scalar.end
    return Segment(0, 0, at, at)


def _whole(scalar: Scalar) -> tuple[Segment, ...]:
    size, start, end = len(scalar.value), scalar.start, scalar.end
    if size != end - start or size == 1:
        return (Segment(0, size, start, end),)
    # Equal lengths would read as character by character; two runs cannot.
    return (Segment(0, 1, start, end), Segment(1, size, start, end))


def _joined(pieces: Iterable[Piece]) -> Iterator[Segment]:
    """The pieces as segments; even ones that touch become one."""
    last = Segment(0, 0, -1, -1)
    for piece, start, end in pieces:
        size = len(piece)
        if not size:
            continue
        if start == last.origin_end and size == end - start and _is_even(last):
            last = Segment(last.start, last.end + size, last.origin_start, end)
            continue
        if last.end:
            yield last
        last = Segment(last.end, last.end + size, start, end)
    if last.end:
        yield last


def _is_even(segment: Segment) -> bool:
    return segment.end - segment.start == segment.origin_end - segment.origin_start


def _flow(text: str, start: int, end: int, marks: re.Pattern[str]) -> Iterator[Piece]:
    """Plain and quoted scalars: text between escapes and folded line breaks."""
    at = start
    for mark in marks.finditer(text, start, end):
        yield text[at : mark.start()], at, mark.start()
        at = mark.end()
        first, second = mark[0][0], mark[0][1:2]
        if first == "'":
            yield "'", mark.start(), at
        elif first == "\\" and second not in _BREAKS:
            yield _unescaped(mark[0]), mark.start(), at
        else:
            yield from _folded(text, mark.start(), at, escaped=first == "\\")
    yield text[at:end], at, end


def _folded(text: str, start: int, end: int, *, escaped: bool) -> Iterator[Piece]:
    """The breaks in a run of blanks: the first folds, or was escaped and is nothing."""
    first, *rest = (_broken(found) for found in _END.finditer(text, start, end))
    if not escaped:
        if first[0] != "\n":
            yield first
        elif not rest:
            yield (" ", *first[1:])
    yield from rest


def _broken(found: re.Match[str]) -> Piece:
    text = found[0] if found[0] in ("\u2028", "\u2029") else "\n"
    return text, found.start(), found.end()


def _unescaped(escape: str) -> str:
    code, digits = escape[1], escape[2:]
    return chr(int(digits, 16)) if digits else _ESCAPES.get(code, code)


def _block(text: str, scalar: Scalar) -> Iterator[Piece]:
    """Literal and folded scalars: lines without their indentation."""
    header = _HEADER.match(text, scalar.start)
    if header is None:
        return
    ending: Piece = ("", 0, 0)
    blanks: list[Piece] = []
    folds = False
    for start, stop in _lines(text, header.end(), _indent(text, header, scalar.indent)):
        found = _END.match(text, stop)
        after = _broken(found) if found else ("", stop, stop)
        if start == stop:
            blanks.append(after)
            continue
        deeper = text[start] in " \t"
        if not folds or deeper or ending[0] != "\n":
            yield ending
        elif not blanks:
            yield (" ", *ending[1:])
        yield from blanks
        yield text[start:stop], start, stop
        ending, blanks, folds = after, [], scalar.style == ">" and not deeper
    chomping = header["early"] or header["late"]
    if chomping != "-":
        yield ending
    if chomping == "+":
        yield from blanks


def _indent(text: str, header: re.Match[str], parent: int) -> int:
    """The columns that the lines of a block scalar lose.

    An indicator counts from the parent. Without one, the first line with text
    decides, or a blank line above it that is longer.
    """
    if header["indent"]:
        return max(parent, 0) + int(header["indent"])
    widest = 0
    for line in _LINE.finditer(text, header.end()):
        widest = max(widest, len(line["blanks"]))
        if line["words"]:
            break
    return max(widest, parent + 1, 1)


def _lines(text: str, at: int, indent: int) -> Iterator[tuple[int, int]]:
    """Start and end of each line without indentation and break; equal for blank ones."""
    for line in _LINE.finditer(text, at):
        width, stop = len(line["blanks"]), line.start("end")
        if line["words"] or width > indent:
            if width < indent:
                return
            yield line.start() + indent, stop
        elif line["end"]:
            yield stop, stop
