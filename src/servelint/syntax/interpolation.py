"""Names inside a text that something else fills in: ``$(NAME)``, ``${NAME:-default}``, ``{{ x }}``.

Kubernetes, compose, pip and launchers spell them alike; which of them expands
what is not asked here, because a name that nothing closes stays open and is
said to be so.
"""

from __future__ import annotations

import re

from servelint.value import Open, Parts, Text, Unknown, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from servelint.source import Source, Span

_NAME = re.compile(
    r"""(?P<escape>\$\$)
      | \$\((?P<kube>[A-Za-z_][\w.-]*)\)
      | \$\{\{(?P<expression>.*?)\}\}
      | \$\{(?P<name>[A-Za-z_]\w*)
          (?:(?P<operator>:?[-?+=])(?P<word>(?:[^{}$]|\$\{[^{}]*\}|\$\w+)*))?\}
      | \$(?P<bare>[A-Za-z_]\w*)
      | \{\{(?P<template>.*?)\}\}
      | \ue000(?P<hole>[^\ue001]*)\ue001
    """,
    re.VERBOSE | re.DOTALL,
)
_MAX_NESTING = 4

HOLE = ("\ue000", "\ue001")
"""Signs around the writing of what a template engine fills in with something that is not known.

Private characters, which any reader of the text takes for parts of a word.
"""


def interpolate(source: Source, trail: tuple[Span, ...] = ()) -> Value:
    """The value of a text in which names may stand.

    ``trail`` are the places that the text came through before it got here.
    """
    size = len(source.text)
    parts: list[Text | Open | Unknown] = []
    for start, end, leaves in _runs(source):
        parts.extend(_parts(source.text[start:end], (*trail, *leaves), 0))
    return Value((tuple(parts),), source.span(0, size))


def _runs(source: Source) -> Iterable[tuple[int, int, tuple[Span, ...]]]:
    """The runs of a text by where they are written; a name that lies across runs keeps them one."""
    size = len(source.text)
    if not any(segment.leaf for segment in source.origin):
        return ((0, size, ()),)
    edges, names = list(source.runs(0, size)), list(_NAME.finditer(source.text))
    runs: list[tuple[int, int, tuple[Span, ...]]] = []
    for start, end, leaves in edges:
        inside = any(name.start() < start < name.end() for name in names)
        if runs and (inside or runs[-1][2] == leaves):
            before = runs.pop()
            runs.append((before[0], end, tuple(dict.fromkeys((*before[2], *leaves)))))
        else:
            runs.append((start, end, leaves))
    return runs


def _parts(text: str, trail: tuple[Span, ...], depth: int) -> Parts:
    if "$" not in text and "{{" not in text and HOLE[0] not in text:
        return (Text(text, trail),)
    parts: list[Text | Open | Unknown] = []
    at = 0
    for match in _NAME.finditer(text):
        if match.start() > at:
            parts.append(Text(text[at : match.start()], trail))
        parts.extend(_named(match, trail, depth))
        at = match.end()
    if at < len(text) or not parts:
        parts.append(Text(text[at:], trail))
    return tuple(parts)


def _named(match: re.Match[str], trail: tuple[Span, ...], depth: int) -> Parts:
    written = match[0]
    if match["escape"]:
        return (Text("$", trail),)
    if match["hole"] is not None:
        return (Unknown("template-function", match["hole"], trail),)
    if match["expression"] is not None or match["template"] is not None:
        return (Unknown("template-function", written, trail),)
    name = match["kube"] or match["name"] or match["bare"]
    operator = match["operator"] or ""
    if operator.endswith("+"):
        return (Unknown("runtime-value", written, trail),)
    default: Parts | None = None
    if operator.endswith(("-", "=")):
        if depth >= _MAX_NESTING:
            return (Unknown("runtime-value", written, trail),)
        default = _parts(match["word"], trail, depth + 1)
    return (Open(name, written, trail, default),)
