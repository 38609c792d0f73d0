"""A rendered text that is no YAML because of what is not known in it, made to be some."""

from __future__ import annotations

import re
from dataclasses import replace

from servelint.syntax.interpolation import HOLE
from servelint.syntax.weave import Weaver
from servelint.syntax.yaml import YamlProblem, documents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.source import Source

_HOLE = re.compile(rf"{HOLE[0]}[^{HOLE[1]}]*{HOLE[1]}")
_LONE = re.compile(rf"^[ \t]*(?:{HOLE[0]}[^{HOLE[1]}\n]*{HOLE[1]}[ \t]*)+(?:\n|\Z)", re.M)
"""A line of nothing but what is not known: mostly many lines of keys."""

_SIGNS = str.maketrans(
    {
        '"': "\u2033",
        "'": "\u2032",
        ":": "\u2236",
        "#": "\uff03",
        ",": "\uff0c",
        "[": "\uff3b",
        "]": "\uff3d",
        "{": "\uff5b",
        "}": "\uff5d",
        "\\": "\u2216",
    }
)
"""For signs that mean something to YAML, signs that look like them."""


def mended(source: Source) -> Source | None:
    """The text if it is YAML; else with harmless signs in what is not known; else without it.

    None if nothing helps.
    """
    if _is_yaml(source.text) and not _has_comment(source.text):
        return source
    if HOLE[0] not in source.text:
        return None
    harmless = _harmless(source)
    if _is_yaml(harmless.text):
        return harmless
    rest = _without_lone(harmless)
    return rest if _is_yaml(rest.text) else None


def _harmless(source: Source) -> Source:
    """The text with signs in the holes that mean nothing to YAML, of equal length."""
    text = _HOLE.sub(lambda hole: hole[0].translate(_SIGNS), source.text)
    return replace(source, text=text)


def _without_lone(source: Source) -> Source:
    weaver = Weaver(source.path)
    at = 0
    for line in _LONE.finditer(source.text):
        weaver.take(source.slice(at, line.start(), source.language))
        at = line.end()
    weaver.take(source.slice(at, len(source.text), source.language))
    return weaver.source(source.language, source.owner, source.variant)


def _has_comment(text: str) -> bool:
    """True when YAML would take the rest of a hole for a comment."""
    return any(" #" in hole[0] for hole in _HOLE.finditer(text))


def _is_yaml(text: str) -> bool:
    try:
        documents(text)
    except YamlProblem:
        return False
    return True
