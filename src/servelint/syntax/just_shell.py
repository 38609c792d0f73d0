"""From a recipe of a justfile to the text that a shell can be asked about.

``{{name}}`` becomes ``${name}`` after an assignment of what the name is, so
that a reader of shell text finds the value and the place where it is written.
What cannot be written so, such as a value with quotes in it, is put in place,
as ``just`` does.
"""

from __future__ import annotations

import re

from servelint.syntax.just_expression import parse_expression
from servelint.syntax.make_shell import ShellText
from servelint.syntax.quote_places import in_single_quotes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from servelint.syntax.just_scope import Scope
    from servelint.syntax.justfile import Place

_HOLE = re.compile(
    r"""(?P<braces>\{\{\{\{)
      | \{\{(?P<inside>(?:'[^'\n]*+'|"(?:[^"\\\n]|\\.)*+"|[^}'"\n]|\}(?!\}))*+)\}\}""",
    re.VERBOSE,
)
_SIGNS = re.compile(r"[@?-]*")


def commands(text: str, lines: Iterable[Place]) -> Iterator[tuple[Place, ...]]:
    """The lines of a recipe that are one command each, without the signs that ``just`` reads."""
    command: list[Place] = []
    for start, end in lines:
        if start == end and not command:
            continue
        signs = _SIGNS.match(text, start, end)
        first = signs.end() if signs and not command else start
        if command:  # only in a line that continues another one, blanks before it do not count
            first += len(text[first:end]) - len(text[first:end].lstrip(" \t"))
        goes_on = text.endswith("\\", first, end)
        command.append((first, end - goes_on))
        if not goes_on:
            yield tuple(command)
            command = []
    if command:
        yield tuple(command)


def shell_text(text: str, scope: Scope, lines: Sequence[Place], between: str) -> ShellText:
    """The text of lines that one shell reads, ``between`` them what separates them."""
    holes = [list(_holes(text, *place)) for place in lines]
    quoted = iter(_quoted(text, lines, holes, between))
    body = ShellText()
    names: dict[str, None] = {}
    for (start, end), found in zip(lines, holes, strict=True):
        at = start
        for hole in found:
            body.add(text[at : hole.start()], at, hole.start())
            single = next(quoted)
            if hole["braces"]:
                filled, more = "{{", tuple[str, ...]()
            else:
                value = parse_expression(text, *hole.span("inside"))
                filled, more = scope.filled(value, single=single)
            names.update(dict.fromkeys(more))
            _add_whole(body, filled, *hole.span())
            at = hole.end()
        body.add(text[at:end], at, end)
        body.add(between, end, end)
    made = ShellText()
    scope.define(made, names)
    for part, segment in zip(body.parts, body.segments, strict=True):
        made.add(part, segment.origin_start, segment.origin_end)
    return made


def _holes(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """The expressions in a line, up to one that is not closed."""
    at = text.find("{{", start, end)
    while at >= 0 and (match := _HOLE.match(text, at, end)):
        yield match
        at = text.find("{{", match.end(), end)


def _quoted(
    text: str, lines: Sequence[Place], holes: Sequence[list[re.Match[str]]], between: str
) -> tuple[bool, ...]:
    """For each hole in the lines, whether it stands between single quotes."""
    parts: list[str] = []
    places: list[Place] = []
    length = 0
    for (start, end), found in zip(lines, holes, strict=True):
        places += [(hole.start() - start + length, hole.end() - start + length) for hole in found]
        parts += (text[start:end], between)
        length += end - start + len(between)
    return in_single_quotes("".join(parts), places)


def _add_whole(made: ShellText, text: str, start: int, end: int) -> None:
    """Add a text that stands for a range as a whole, also where they are equally long."""
    cut = 1 if len(text) == end - start else len(text)
    made.add(text[:cut], start, end)
    made.add(text[cut:], start, end)
