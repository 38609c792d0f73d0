"""Jupyter notebooks: what the code in their cells gives to a shell, and its Python.

Outputs are never read: they tell what happened once, not what would run.
"""

from __future__ import annotations

import re
from dataclasses import replace

from servelint.finding import Skip
from servelint.readers import MODULES, claim, claim_text
from servelint.source import Route, Segment
from servelint.syntax.json_strings import JsonError, JsonString, decode, parse_json
from servelint.syntax.notebook_cells import cell_magic, command_text, escapes, python_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.source import Source
    from servelint.syntax.json_strings import Json
    from servelint.syntax.notebook_cells import Magic

MAX_TEXTS = 5000
"""Commands and cells that are read of one notebook."""

MAX_CODE = 500_000
"""Characters of code, as JSON writes it, that are read of one notebook."""

_AROUND_PYTHON = frozenset({"time", "timeit", "capture", "prun", "px", "memit", "mprun"})
"""Magics whose cell is a cell like any other."""

_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "shell", "sx", "system", "!"})
_PYTHONS = frozenset({"python", "python3"})
_INSTALLS = re.compile(
    r"[ \t]*(?:sudo[ \t]+)?(?:\S*python[\d.]*[ \t]+-m[ \t]+)?"
    r"(?:uv[ \t]+)?(?:pip[\d.]*|conda|mamba|micromamba)[ \t]"
)
_FILES = frozenset({"writefile", "file"})
_LANGUAGE_PATHS = (("language_info", "name"), ("kernelspec", "language"), ("kernelspec", "name"))


def read(source: Source) -> Iterator[Source | Skip]:
    """The sources in the cells of code; text that is no notebook is a skip."""
    try:
        data = parse_json(source.text)
    except JsonError as error:
        yield _refused(source, error)
        return
    cells = data.get("cells") if isinstance(data, dict) else None
    if not isinstance(cells, list):
        yield Skip(source.path, "read", "syntax", "no cells: not a notebook", source.span(0, 0))
        return
    language = _language(source.text, data)
    count = size = 0
    for number, cell in enumerate(cells):
        strings = _code_strings(source.text, cell)
        size += sum(string.end - string.start for string in strings)
        if size > MAX_CODE:
            detail = f"only the first {number:,} cells were read"
            place = source.span(strings[0].start, strings[-1].end)
            yield Skip(source.path, "read", "too-large", detail, place)
            return
        for child in _cell(_code(source, strings, number), language):
            count += 1
            if count > MAX_TEXTS:
                detail = f"only the first {MAX_TEXTS:,} commands and cells were read"
                yield Skip(source.path, "read", "too-slow", detail, child.span(0, 1))
                return
            yield child


def _refused(source: Source, error: JsonError) -> Skip:
    """The skip of a text that is no JSON, at the line where it broke."""
    start = source.text.rfind("\n", 0, error.offset) + 1
    end = source.text.find("\n", error.offset)
    line = source.text[start : end if end >= 0 else len(source.text)]
    return Skip(
        source.path, "read", error.reason, str(error), source.span(start, start + len(line))
    )


def _language(text: str, data: Json) -> str:
    """``python``, ``shell``, or empty for a language that no reader takes."""
    for path in _LANGUAGE_PATHS:
        value = data
        for key in ("metadata", *path):
            value = value.get(key) if isinstance(value, dict) else None
        if isinstance(value, JsonString):
            name = decode(text, value)[0].lower()
            return "shell" if name in _SHELLS else "python" if "python" in name else ""
    return "python"


def _code_strings(text: str, cell: Json) -> tuple[JsonString, ...]:
    """The strings that the code of a cell is made of; none for a cell that holds none."""
    kind = cell.get("cell_type") if isinstance(cell, dict) else None
    if not isinstance(kind, JsonString) or decode(text, kind)[0] != "code":
        return ()
    code = cell.get("source") if isinstance(cell, dict) else None
    return tuple(
        string
        for string in (code if isinstance(code, list) else (code,))
        if isinstance(string, JsonString)
    )


def _code(source: Source, strings: tuple[JsonString, ...], number: int) -> Source:
    """The text of a cell."""
    parts: list[str] = []
    segments: list[Segment] = []
    length = 0
    for string in strings:
        text, pieces = decode(source.text, string)
        segments += (_moved(piece, length) for piece in pieces)
        parts.append(text)
        length += len(text)
    return source.embed("".join(parts), segments, "text", "cells", number)


def _moved(piece: Segment, by: int) -> Segment:
    return Segment(piece.start + by, piece.end + by, piece.origin_start, piece.origin_end)


def _cell(code: Source, language: str) -> Iterator[Source]:
    """The sources in one cell."""
    if not language or not code.text.strip():
        return
    if language == "shell":
        yield code.slice(0, len(code.text), "shell")
        return
    start = 0
    while (magic := cell_magic(code.text, start)) and magic.name in _AROUND_PYTHON:
        start = magic.body
    yield from _under_magic(code, magic) if magic else _python(code, start)


def _under_magic(code: Source, magic: Magic) -> Iterator[Source]:
    """The rest of a cell as what its magic takes it for."""
    body = code.text[magic.body :]
    words = [word for word in magic.arguments if not word.startswith("-")]
    name = magic.name
    if name == "script":
        name = words[0].rpartition("/")[2] if words else ""
    language = "shell" if name in _SHELLS else "python" if name in _PYTHONS else ""
    if name in _FILES and words:
        language = claim_text(claim(words[-1].strip("'\"")), body)
    if language in MODULES and body.strip():
        yield code.slice(magic.body, len(code.text), language)


def _python(code: Source, start: int) -> Iterator[Source]:
    """The commands in a cell of Python, then what is left of it.

    What a command installs belongs to the notebook: all its cells run in one place.
    """
    notebook = Route(code.owner.unit, code.owner.steps[:-2])
    found = tuple(escapes(code.text, start))
    for number, escape in enumerate(found):
        made = command_text(code.text, escape.command) if escape.command else None
        if made is not None and made.text.strip():
            child = code.embed(made.text, made.segments, "shell", "command", number)
            yield replace(child, owner=notebook) if _INSTALLS.match(made.text) else child
    rest = python_text(code.text, start, found)
    if "python" in MODULES and rest.text.replace("pass", "").strip():
        yield code.embed(rest.text, rest.segments, "python")
