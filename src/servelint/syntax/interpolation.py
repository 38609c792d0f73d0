"""Names inside a text that something else fills in: ``$(NAME)``, ``${NAME:-default}``, ``{{ x }}``.

Kubernetes, compose, pip and launchers spell them alike; which of them expands
what is not asked here, because a name that nothing closes stays open and is
said to be so.
"""

from __future__ import annotations

import re

from servelint.facts import Open, Parts, Text, Unknown, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.source import Source, Span

_NAME = re.compile(
    r"""(?P<escape>\$\$)
      | \$\((?P<kube>[A-Za-z_][\w.-]*)\)
      | \$\{\{(?P<expression>.*?)\}\}
      | \$\{(?P<name>[A-Za-z_]\w*)
          (?:(?P<operator>:?[-?+=])(?P<word>(?:[^{}$]|\$\{[^{}]*\}|\$\w+)*))?\}
      | \$(?P<bare>[A-Za-z_]\w*)
      | \{\{(?P<template>.*?)\}\}
    """,
    re.VERBOSE | re.DOTALL,
)
_MAX_NESTING = 4


def interpolate(source: Source, trail: tuple[Span, ...] = ()) -> Value:
    """The value of a text in which names may stand.

    ``trail`` are the places that the text came through before it got here.
    """
    span = source.span(0, len(source.text))
    return Value((_parts(source.text, trail, 0),), span)


def _parts(text: str, trail: tuple[Span, ...], depth: int) -> Parts:
    if "$" not in text and "{{" not in text:
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
