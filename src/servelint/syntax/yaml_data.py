"""YAML as data that can be merged and written anew, with the place of every text kept.

A node of ``syntax.yaml`` belongs to one text. Where an overlay patches its base or a values file
overrides another, the result belongs to none: it is made of :class:`Leaf`, :class:`Table` and
tuples, whose texts are sources, and :func:`write` gives it back as one text for the YAML reader.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from servelint.syntax.jinja_signs import revealed
from servelint.syntax.yaml import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    YamlProblem,
    deref,
    documents,
    fields,
    segments,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.source import Source
    from servelint.syntax.weave import Weaver

MAX_DEPTH = 100
"""Collections inside collections: what is made of data walks it by recursion."""

MAX_ITEMS = 100_000
"""Items of one text with its aliases followed; more are a problem, told as ``too-large``."""

NULLS = frozenset({"", "~", "null", "Null", "NULL"})
"""Plain texts that stand for nothing."""

_PLAIN = re.compile(r"[A-Za-z0-9_./][A-Za-z0-9_./-]*\Z", re.ASCII)
"""Texts that need no quotes."""

_NO_BLOCK = re.compile(r"[^\n\t\x20-\x7e\xa1-\u2027\u2030-\ud7ff]")
"""What a literal block does not give back as it stands."""

_ESCAPED = re.compile(r'["\\\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ud800-\udfff]')


class Leaf:
    """A scalar: what it says, whatever its type, its style and its explicit tag.

    ``source`` is its text with its place. For one that was loaded it is made
    when first asked for: most are never looked at.
    """

    __slots__ = ("_node", "_source", "style", "tag", "text")

    def __init__(self, source: Source, style: str = "", tag: str = "") -> None:
        self._source = source
        self._node: Scalar | None = None
        self.style = style
        self.tag = tag
        self.text = source.text

    @classmethod
    def of(cls, source: Source, node: Scalar) -> Leaf:
        """The scalar ``node`` of the tree of ``source``."""
        leaf = cls(source, node.style, node.tag)
        leaf._node, leaf.text = node, revealed(node.value)
        return leaf

    @property
    def source(self) -> Source:
        """The text of the scalar with its place."""
        if self._node is not None:
            whole, node, self._node = self._source, self._node, None
            self._source = whole.embed(self.text, segments(whole.text, node), "text")
        return self._source

    @property
    def is_null(self) -> bool:
        """True for a plain scalar that stands for nothing."""
        return not self.style and not self.tag and self.text in NULLS


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """The value of a key, and the key where it stands."""

    key: Leaf
    value: Data


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A mapping in the order of its text: own keys, the last of duplicates, then merged ones."""

    members: dict[str, Member]

    def get(self, *keys: str) -> Data | None:
        """What stands below ``keys``, one after the other."""
        found: Data | None = self
        for key in keys:
            member = found.members.get(key) if isinstance(found, Table) else None
            found = member.value if member is not None else None
        return found

    def text(self, *keys: str) -> str | None:
        """The text of a scalar below ``keys``; None when there is none or it stands for nothing."""
        found = self.get(*keys)
        return found.text if isinstance(found, Leaf) and not found.is_null else None


Data = Leaf | Table | tuple["Data", ...]


@dataclass(slots=True)
class Allowance:
    """Items that may still be loaded, of several texts together."""

    left: int = MAX_ITEMS


def tables(source: Source) -> Iterator[tuple[int, Table]]:
    """The documents of a text that are mappings, each with its number among all.

    None of a text that cannot be read: the reader of the language says what is wrong with it.
    """
    try:
        found = load(source)
    except YamlProblem:
        return
    for number, document in enumerate(found):
        if isinstance(document, Table):
            yield number, document


def load(source: Source, allowance: Allowance | None = None) -> tuple[Data | None, ...]:
    """The data of each document, None for an empty one.

    Raises :class:`~servelint.syntax.yaml.YamlProblem`. A value behind an alias stands where its
    anchor does.
    """
    loader = _Loader(source, allowance or Allowance())
    trees = documents(source.text)
    return tuple(None if tree is None else loader.data(tree) for tree in trees)


class _Loader:
    def __init__(self, source: Source, allowance: Allowance) -> None:
        self._source = source
        self._allowance = allowance
        self._depth = 0
        self._shared: dict[Scalar, Leaf] = {}

    def data(self, node: Node) -> Data:
        target, aliases = deref(node)
        self._allowance.left -= 1
        if self._allowance.left < 0:
            detail = "too many items with aliases followed"
            raise YamlProblem("too-large", detail, node.start)
        if isinstance(target, Scalar):
            return self._leaf(target, is_shared=bool(aliases))
        if self._depth >= MAX_DEPTH:
            detail = f"more than {MAX_DEPTH} collections deep with aliases followed"
            raise YamlProblem("too-deep", detail, node.start)
        self._depth += 1
        found = self._list(target) if isinstance(target, Sequence) else self._table(target)
        self._depth -= 1
        return found

    def _list(self, node: Sequence) -> Data:
        return tuple(self.data(item) for item in node.items)

    def _table(self, node: Node) -> Table:
        assert isinstance(node, Mapping)  # noqa: S101  # nothing else is left
        found = fields(node)
        return Table(
            {key: Member(self._leaf(one.key), self.data(one.value)) for key, one in found.items()}
        )

    def _leaf(self, scalar: Scalar, *, is_shared: bool = False) -> Leaf:
        if is_shared and scalar in self._shared:
            return self._shared[scalar]
        leaf = Leaf.of(self._source, scalar)
        if is_shared:
            self._shared[scalar] = leaf
        return leaf


def merge(base: Data | None, over: Data | None) -> Data | None:
    """``over`` on ``base``: mappings key by key, all else replaced; null takes a key away."""
    if not isinstance(base, Table) or not isinstance(over, Table):
        return base if over is None else over
    members = dict(base.members)
    for key, member in over.members.items():
        if isinstance(member.value, Leaf) and member.value.is_null:
            members.pop(key, None)
            continue
        own = members.get(key)
        value = merge(own.value if own else None, member.value)
        members[key] = Member(own.key if own else member.key, value or member.value)
    return Table(members)


# -- writing ----------------------------------------------------------------------------------


def write(weaver: Weaver, data: Data, indent: int = 0) -> None:
    """The data as block style YAML that ``syntax.yaml`` reads back with the same texts.

    ``indent`` is the column of what stands in it; what surrounds it stands two columns less deep.
    """
    if isinstance(data, Leaf):
        _scalar(weaver, data, indent)
    elif isinstance(data, Table) and data.members:
        weaver.glue("\n" if indent else "")
        for member in data.members.values():
            weaver.glue(" " * indent)
            _text(weaver, member.key.source, is_plain=_PLAIN.match(member.key.text) is not None)
            weaver.glue(": ")
            write(weaver, member.value, indent + 2)
    elif isinstance(data, tuple) and data:
        weaver.glue("\n" if indent else "")
        for item in data:
            weaver.glue(" " * indent + "- ")
            write(weaver, item, indent + 2)
    else:
        weaver.glue("{}\n" if isinstance(data, Table) else "[]\n")


def _scalar(weaver: Weaver, leaf: Leaf, indent: int) -> None:
    if leaf.tag:
        weaver.glue(f"!<{leaf.tag}> ")
    if leaf.style in ("|", ">") and leaf.text.strip() and not _NO_BLOCK.search(leaf.text):
        _block(weaver, leaf.source, indent)
        return
    is_word = not leaf.style and not leaf.tag and _PLAIN.match(leaf.text) is not None
    _text(weaver, leaf.source, is_plain=is_word or leaf.is_null)
    weaver.glue("\n")


def _block(weaver: Weaver, source: Source, indent: int) -> None:
    """A literal block: its lines stay lines, so that a shell in it stays a script."""
    is_kept = source.text.endswith("\n")
    weaver.glue(f"|{2 if indent else 1}{'+' if is_kept else '-'}\n")
    at = 0
    for line in source.text.splitlines(keepends=True):
        weaver.glue(" " * max(indent, 1))
        weaver.take(source.slice(at, at + len(line), "text"))
        at += len(line)
    if not is_kept:
        weaver.glue("\n")


def _text(weaver: Weaver, source: Source, *, is_plain: bool) -> None:
    if is_plain:
        weaver.take(source)
        return
    weaver.glue('"')
    at = 0
    for sign in _ESCAPED.finditer(source.text):
        weaver.take(source.slice(at, sign.start(), "text"))
        at = sign.end()
        leaves = next(iter(source.runs(sign.start(), at)))[2]
        escape = json.dumps(sign[0])[1:-1]
        weaver.write(escape, source.span(sign.start(), at), leaves[0] if leaves else None)
    weaver.take(source.slice(at, len(source.text), "text"))
    weaver.glue('"')
