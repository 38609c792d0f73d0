"""What IPython makes of the text of a cell: magics, commands for a shell, Python.

Offsets are code points of the text of the cell.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from servelint.syntax.make_shell import ShellText
from servelint.syntax.quote_places import in_single_quotes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Magic:
    """``%%name arguments`` on the first line; ``body`` is where the next one begins."""

    name: str
    arguments: tuple[str, ...]
    body: int


@dataclass(frozen=True, slots=True)
class Escape:
    """A statement that is no Python. ``command`` is what it gives to a shell, if anything."""

    place: Place
    command: Place | None


_MAGIC = re.compile(
    r"\s*^[ \t]*%(?:%(?P<name>[\w!]+)|(?P<shell>sh|bash)\b)(?P<rest>[^\n]*)\n?", re.M
)
_STRING = (
    r"'''(?:[^'\\]|\\.|'(?!''))*+(?:'''|\Z)"
    r'|"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\Z)'
    r"|'(?:[^'\\\n]|\\.)*+'?"
    r'|"(?:[^"\\\n]|\\.)*+"?'
)
_TOKEN = re.compile(
    rf"""(?P<newline>\n) | (?P<opening>[(\[{{]) | (?P<closing>[)\]}}])
      | {_STRING} | \#[^\n]* | \\\n | [^\n()\[\]{{}}'"\#\\]+ | .""",
    re.VERBOSE | re.DOTALL,
)
_LINE = r"(?:[^\\\n]|\\\n|\\)*+"
_ESCAPE = re.compile(
    rf"""[ \t]*+(?P<statement>
        (?P<target>[A-Za-z_][\w.,*\[\]'" \t]*=[ \t]*)?
        (?: !!?(?P<command>{_LINE})
          | %(?:sx|system)\b[ \t]*(?P<rest>{_LINE})
          | %(?P<installs>(?:pip|conda|mamba|micromamba|uv)\b{_LINE})
          | %{_LINE} )
      | [?,;/]{_LINE}
      | %*[A-Za-z_*][\w.*]*\?\??[ \t;]*$
    )""",
    re.VERBOSE | re.MULTILINE,
)
_CONTINUED = re.compile(r"\\\n")
_HOLE = re.compile(
    r"""(?<![${])\{(?:
            (?P<name>[A-Za-z_]\w*)
          | [A-Za-z_]\w*(?:[.\[(:!]|[ \t]*[-+*/%])[^{}$;|\n]*
          | ['"][^{}\n]*
        )\}(?!\})
      | \$(?P<dollar>\$)(?=\w)""",
    re.VERBOSE | re.ASCII,
)


def cell_magic(text: str, start: int) -> Magic | None:
    """The magic of a whole cell, or of what is left of one."""
    match = _MAGIC.match(text, start)
    if match is None:
        return None
    return Magic(match["name"] or match["shell"], tuple(match["rest"].split()), match.end())


def escapes(text: str, start: int) -> Iterator[Escape]:
    """The statements that are no Python, in order."""
    at, depth, is_first = start, 0, True
    while at < len(text):
        if is_first and depth == 0 and (match := _ESCAPE.match(text, at)):
            at = match.end()
            groups = ("command", "rest", "installs")
            found = next((match.span(name) for name in groups if match[name]), None)
            yield Escape(match.span("statement"), found)
        token = _TOKEN.match(text, at)
        if token is None:
            return
        at = token.end()
        is_first = token["newline"] is not None
        depth = max(0, depth + (token["opening"] is not None) - (token["closing"] is not None))


def command_text(text: str, place: Place) -> ShellText:
    """A command as its shell gets it: on one line, Python's values in it as open names."""
    holes = list(_HOLE.finditer(text, *place))
    start, end = place
    quoted = in_single_quotes(
        text[start:end], [(h.start() - start, h.end() - start) for h in holes]
    )
    made = ShellText()
    at = start
    for hole, single in zip(holes, quoted, strict=True):
        _add_joined(made, text, at, hole.start())
        if hole["dollar"]:
            made.add("$", *hole.span())
        else:
            content = f"${{{hole['name'] or 'python_value'}}}"
            made.add(f"'\"{content}\"'" if single else content, *hole.span())
        at = hole.end()
    _add_joined(made, text, at, end)
    return made


def _add_joined(made: ShellText, text: str, at: int, end: int) -> None:
    for match in _CONTINUED.finditer(text, at, end):
        made.add(text[at : match.start()], at, match.start())
        made.add(" ", *match.span())
        at = match.end()
    made.add(text[at:end], at, end)


def python_text(text: str, start: int, found: tuple[Escape, ...]) -> ShellText:
    """The Python of a cell, line by line as it stands; other statements do nothing."""
    made = ShellText()
    _add_blank(made, text, 0, start)
    at = start
    for escape in found:
        first, last = escape.place
        made.add(text[at:first], at, first)
        made.add("pass", first, last)
        _add_blank(made, text, first, last)
        at = last
    made.add(text[at:], at, len(text))
    return made


def _add_blank(made: ShellText, text: str, start: int, end: int) -> None:
    """The line breaks of a range."""
    made.add("\n" * text.count("\n", start, end), start, end)
