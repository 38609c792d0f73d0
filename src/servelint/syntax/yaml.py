"""YAML as a tree in which every node knows where it stands.

Aliases stay aliases: they cost nothing however often they multiply, and a
finding can point at ``*name`` itself. Nothing is resolved: a value is the text
that it is. ``yaml_nodes`` holds the nodes, ``yaml_builder`` makes them of
parse events and ``yaml_spans`` maps values to the text.
"""

from __future__ import annotations

import gc
import re
from functools import lru_cache

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.reader import ReaderError

from servelint.syntax.yaml_builder import TreeBuilder
from servelint.syntax.yaml_nodes import (
    Alias,
    Field,
    Mapping,
    Node,
    Scalar,
    Sequence,
    YamlProblem,
    below,
    deref,
    fields,
    fields_of,
)
from servelint.syntax.yaml_spans import segments

try:
    from _ruamel_yaml import CParser
except ImportError:  # no wheel for this platform
    CParser = None

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

__all__ = [
    "Alias",
    "Field",
    "Mapping",
    "Node",
    "Scalar",
    "Sequence",
    "YamlProblem",
    "below",
    "deref",
    "documents",
    "fields",
    "fields_of",
    "segments",
]

MAX_DIRECTIVES = 100
"""``%TAG`` lines of one text: the C parser compares each with all others, and with every tag."""

MAX_SLOW = 1_000_000
"""Characters that the pure parser is given, where the C parser is stricter than YAML 1.2."""

_TOO_STRICT = "found unexpected ':'"
"""The C parser on ``{image: registry/name:tag}``, which YAML 1.2 and Kubernetes allow."""

_DIRECTIVE = re.compile(r"(?:\A|[\n\r\x85\u2028\u2029])(?=%TAG)")


@lru_cache(maxsize=2)
def documents(text: str) -> tuple[Node | None, ...]:
    """The tree of each document of ``text``, None for an empty one.

    Raises :class:`YamlProblem` and nothing else. The last trees are kept: a
    reader of a product and that of the language ask for the same text in turn.
    """
    # A byte order mark would shift every offset of the C parser.
    readable = "\n" + text[1:] if text.startswith("\ufeff") else text
    _check_directives(readable)
    try:
        return _documents(readable, _events)
    except YamlProblem as problem:
        if not problem.detail.endswith(_TOO_STRICT) or len(readable) > MAX_SLOW:
            raise
        return _documents(readable, _pure_events)


def _documents(text: str, events: Callable[[str], Iterator[Any]]) -> tuple[Node | None, ...]:
    collecting = gc.isenabled()
    gc.disable()  # nearly all that is made here stays: collecting is slow and finds nothing
    try:
        return TreeBuilder(text).build(events(text))
    except _REFUSALS as error:
        raise _problem(error, text) from error
    finally:
        if collecting:
            gc.enable()


def _check_directives(text: str) -> None:
    if text.count("%TAG") > MAX_DIRECTIVES:
        found = list(_DIRECTIVE.finditer(text))
        if len(found) > MAX_DIRECTIVES:
            detail = f"more than {MAX_DIRECTIVES} tag directives"
            raise YamlProblem("too-large", detail, found[MAX_DIRECTIVES].end())


def _c_events(text: str) -> Iterator[Any]:
    return iter(CParser(text).get_event, None)


def _pure_events(text: str) -> Iterator[Any]:
    events: Iterator[Any] = YAML(typ="safe", pure=True).parse(text)
    return events


_events = _pure_events if CParser is None else _c_events

_REFUSALS = (YAMLError, ValueError, OverflowError, RecursionError)
"""What the parsers raise for a text that they refuse."""


def _problem(error: Exception, text: str) -> YamlProblem:
    detail, offset = f"the parser gave up ({type(error).__name__})", 0
    if isinstance(error, MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        offset = mark.index if mark else 0
        detail = ", ".join(words for words in (error.context, error.problem) if words)
    elif isinstance(error, ReaderError):
        # Its position counts bytes or characters; what is refused is refused everywhere.
        offset = max(text.find(chr(error.character)), 0)
        detail = f"the character U+{error.character:04X} is not allowed"
    elif isinstance(error, UnicodeEncodeError):
        offset = error.start
        detail = f"the character U+{ord(text[offset]):04X} is not allowed"
    return YamlProblem("syntax", " ".join(detail.split()), offset)
