"""Options that take a JSON object: each key of it is an option of its own.

``--option '{"key": {"inner": 1}}'`` and ``--option.key.inner 1`` come out alike. What is not
known of a text, such as a variable in it, stays unknown where it stands.
"""

from __future__ import annotations

import re

from servelint.deployment import Flag
from servelint.value import Text, Value, one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from servelint.value import Part, Parts

MAX_TEXT = 20_000
"""Characters of an object that is read."""

MAX_KEYS = 300
"""Keys of an object that are read, at all depths together."""

_FIRST_HOLE = 0xE000
_HOLES = re.compile("([\ue000-\uf8ff])")
"""Characters for private use: each stands for a part that is not known."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\ue000-\uf8ff]|,(?=\s*[}\]])', re.S)


def with_keys(flags: tuple[Flag, ...], options: Sequence[str]) -> tuple[Flag, ...]:
    """The options, and behind them one for each key of the objects that ``options`` take.

    Keys that are given one by one make an object that replaces one that is given whole.
    """
    found = list(flags)
    for option in options:
        single = [flag for flag in flags if flag.name.startswith(f"{option}.")]
        whole = [flag for flag in flags if flag.name == option]
        for flag in single or whole[-1:]:
            found.extend(_keys(flag))
    return tuple(found)


def _keys(flag: Flag) -> Iterator[Flag]:
    """One option for each key; none where a reading of the text is no object."""
    if flag.value is None or not flag.value.readings:
        return
    every = [_leaves(parts) for parts in flag.value.readings]
    if any(leaves is None for leaves in every):
        return
    for name in dict.fromkeys(name for leaves in every for name in leaves or ()):
        absent: Parts = (Text(""),)
        readings = ((leaves or {}).get(name, absent) for leaves in every)
        values = (Value((parts,), flag.value.span) for parts in readings)
        yield Flag(flag.name + name, flag.written, one_of(values, flag.value.span))


def _leaves(parts: Parts) -> dict[str, Parts] | None:
    """What stands at the end of each way through an object; None for a text that is none."""
    import json  # noqa: PLC0415  # few engines have such options

    holes: dict[str, Part] = {}
    text = "".join(_marked(part, holes) for part in parts)
    if len(text) > MAX_TEXT or not text.lstrip().startswith("{"):
        return None
    try:
        data = json.loads(_TOKEN.sub(_quoted, text))
    except (ValueError, RecursionError):
        return None
    trail = tuple(dict.fromkeys(span for part in parts for span in part.trail))
    found: dict[str, Parts] = {}
    for name, leaf in _walk(data):
        if len(found) == MAX_KEYS:
            return None
        shown = leaf if isinstance(leaf, str) else json.dumps(leaf)
        pieces = (piece for piece in _HOLES.split(shown) if piece)
        made = tuple(holes.get(piece) or Text(piece, trail) for piece in pieces)
        found[name] = made or (Text("", trail),)
    return found


def _marked(part: Part, holes: dict[str, Part]) -> str:
    """The text of a part, or one character that stands for it."""
    if isinstance(part, Text):
        return _HOLES.sub("?", part.text)
    mark = chr(_FIRST_HOLE + len(holes) % 6_000)
    holes[mark] = part
    return mark


def _quoted(match: re.Match[str]) -> str:
    """What is not known is a text where it stands outside of one; a last comma says nothing."""
    if match[0] == ",":
        return ""
    return match[0] if match[0].startswith('"') else f'"{match[0]}"'


def _walk(data: Any) -> Iterator[tuple[str, Any]]:
    """Every leaf below an object or a list, with the way that leads there."""
    todo: list[tuple[str, Any]] = [("", data)]
    while todo:
        name, one = todo.pop()
        if isinstance(one, dict):
            todo.extend((f"{name}.{key}", inner) for key, inner in reversed(one.items()))
        elif isinstance(one, list):
            todo.extend((f"{name}.{at}", one[at]) for at in reversed(range(len(one))))
        else:
            yield name, one
