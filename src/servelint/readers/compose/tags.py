"""``!reset`` and ``!override``: what a compose file takes away from those below it."""

from __future__ import annotations

from dataclasses import dataclass

from servelint.syntax.yaml import Alias, Mapping, Sequence, YamlProblem, documents, fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.syntax.yaml import Node

RESET, OVERRIDE = "!reset", "!override"

MAX_NODES = 100_000
"""Nodes that are looked at."""

MAX_PATHS = 1_000
"""Tags of one file."""


@dataclass(frozen=True, slots=True)
class Tags:
    """The paths at which the tags stand."""

    resets: tuple[tuple[str, ...], ...] = ()
    overrides: tuple[tuple[str, ...], ...] = ()


def tags_of(text: str) -> Tags:
    """The tags of the first document of a text that is YAML."""
    if RESET not in text and OVERRIDE not in text:
        return Tags()
    try:
        trees = documents(text)
    except YamlProblem:
        return Tags()
    found: dict[str, list[tuple[str, ...]]] = {RESET: [], OVERRIDE: []}
    stack: list[tuple[Node, tuple[str, ...]]] = [(tree, ()) for tree in trees[:1] if tree]
    for _ in range(MAX_NODES):
        if not stack:
            break
        target, path = stack.pop()
        if isinstance(target, Alias):
            continue  # what a tag takes away stands in its own place
        if target.tag in found and len(found[target.tag]) < MAX_PATHS:
            found[target.tag].append(path)
        elif isinstance(target, Mapping):
            stack.extend((one.value, (*path, key)) for key, one in fields(target).items())
        elif isinstance(target, Sequence):
            stack.extend((item, (*path, str(index))) for index, item in enumerate(target.items))
    # Later items of a list go first, so that the indices of the others stay true.
    return Tags(tuple(sorted(found[RESET], reverse=True)), tuple(found[OVERRIDE]))
