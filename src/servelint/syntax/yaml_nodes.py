"""The nodes of a YAML tree, and what holds for the keys of a mapping."""

from __future__ import annotations

from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_MERGE_TAGS = ("", "tag:yaml.org,2002:merge")


@dataclass(frozen=True, slots=True, eq=False)
class Scalar:
    """A text; ``style`` is ``""`` (plain), ``'``, ``"``, ``|`` or ``>``.

    ``start`` and ``end`` leave out tag and anchor and take in quotes. A block
    scalar begins at its indicator and ends with its last line that is not
    blank. ``indent`` is the column of the block collection that it stands in,
    -1 for none. ``tag`` is the explicit tag, resolved (``tag:yaml.org,2002:str``).
    """

    value: str
    style: str
    start: int
    end: int
    indent: int
    tag: str


@dataclass(frozen=True, slots=True, eq=False)
class Mapping:
    """Pairs in the order of the text, duplicate and merge keys included."""

    entries: tuple[tuple[Node, Node], ...]
    start: int
    end: int
    flow: bool
    tag: str


@dataclass(frozen=True, slots=True, eq=False)
class Sequence:
    """Nodes in the order of the text."""

    items: tuple[Node, ...]
    start: int
    end: int
    flow: bool
    tag: str


@dataclass(frozen=True, slots=True, eq=False)
class Alias:
    """``*name``, where it stands, and the node with that anchor."""

    name: str
    target: Node
    start: int
    end: int


Node = Scalar | Mapping | Sequence | Alias


@dataclass(frozen=True, slots=True)
class Field:
    """What a mapping says of a key; ``aliases`` are those that its merge keys passed."""

    key: Scalar
    value: Node
    aliases: tuple[Alias, ...]


class YamlProblem(Exception):  # noqa: N818 - what was read is wrong, not the program
    """A text that is no tree: ``reason`` is ``syntax``, ``too-deep`` or ``too-large``.

    ``detail`` is one line for people, ``offset`` where it shows (code points).
    """

    def __init__(self, reason: str, detail: str, offset: int) -> None:
        super().__init__(reason, detail, offset)
        self.reason = reason
        self.detail = detail
        self.offset = offset


def deref(node: Node) -> tuple[Node, tuple[Alias, ...]]:
    """The node behind any aliases, and those aliases."""
    passed: tuple[Alias, ...] = ()
    while isinstance(node, Alias):
        passed += (node,)
        node = node.target
    return node, passed


def fields(mapping: Mapping) -> dict[str, Field]:
    """What holds for each key: own ones, the last of duplicates, then merged ones.

    A merge key is a plain ``<<``; of several the last is the strongest, of a
    list the first. Keys that are not scalars are left out.
    """
    plain = _plain(mapping)
    if plain is not None:
        return plain
    found: dict[str, Field] = {}
    seen: set[Mapping] = set()
    waiting: list[tuple[Mapping, tuple[Alias, ...]]] = [(mapping, ())]
    while waiting:
        current, aliases = waiting.pop()
        if current in seen:  # all of its keys are there already
            continue
        seen.add(current)
        for text, (key, value) in _own(current).items():
            if text not in found:
                found[text] = Field(key, value, aliases)
        parents = [
            (parent, aliases + passed)
            for parent, passed in merged(current)
            if isinstance(parent, Mapping)
        ]
        waiting.extend(reversed(parents))
    return found


def _plain(mapping: Mapping) -> dict[str, Field] | None:
    """The fields of a mapping whose keys are all written out, as in most; else None."""
    found: dict[str, Field] = {}
    for key, value in mapping.entries:
        if not isinstance(key, Scalar) or key.value == "<<":
            return None
        found[key.value] = Field(key, value, ())
    return found


def fields_of(node: Node | None) -> dict[str, Field]:
    """The fields of a mapping behind any aliases; none of anything else."""
    target = deref(node)[0] if node is not None else None
    return fields(target) if isinstance(target, Mapping) else {}


def below(found: dict[str, Field], *keys: str) -> dict[str, Field]:
    """The fields of the mapping that stands below ``keys``, one after the other."""
    for key in keys:
        found = fields_of(found[key].value) if key in found else {}
    return found


def merged(mapping: Mapping) -> Iterator[tuple[Node, tuple[Alias, ...]]]:
    """What its merge keys name, strongest first, and the aliases on the way."""
    for key, value in reversed(mapping.entries):
        if not _is_merge(deref(key)[0]):
            continue
        target, passed = deref(value)
        for item in target.items if isinstance(target, Sequence) else (target,):
            parent, more = deref(item)
            yield parent, passed + more


def _own(mapping: Mapping) -> dict[str, tuple[Scalar, Node]]:
    pairs = ((deref(key)[0], value) for key, value in mapping.entries)
    return {
        key.value: (key, value)
        for key, value in pairs
        if isinstance(key, Scalar) and not _is_merge(key)
    }


def _is_merge(key: Node) -> bool:
    return (
        isinstance(key, Scalar) and key.value == "<<" and not key.style and key.tag in _MERGE_TAGS
    )
