"""Changes of YAML data: what stays keeps its place, and what is made gets one."""

from __future__ import annotations

from servelint.source import Route, Span
from servelint.syntax.weave import Weaver
from servelint.syntax.yaml_data import Leaf, Member, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.syntax.yaml_data import Data


def made(text: str, span: Span, leaf: Span | None = None, style: str = "") -> Leaf:
    """A scalar that is made of a whole range; with ``leaf`` it is written there."""
    weaver = Weaver(span.path)
    weaver.write(text, span, leaf)
    return Leaf(weaver.source("text", Route(span.path)), style)


def put(leaf: Leaf, over: Leaf) -> Leaf:
    """What ``over`` says in the place of ``leaf``."""
    at = leaf.source.span(0, len(leaf.text))
    weaver = Weaver(at.path)
    weaver.put(over.source, at)
    return Leaf(weaver.source("text", leaf.source.owner), over.style, over.tag)


def with_member(table: Table, key: Leaf, value: Data) -> Table:
    """The table with a value for a key; a key that is there stays where it stands."""
    own = table.members.get(key.text)
    return Table({**table.members, key.text: Member(own.key if own else key, value)})


def without(table: Table, *keys: str) -> Table:
    """The table without some of its keys."""
    return Table({key: one for key, one in table.members.items() if key not in keys})


def place(data: Data) -> Span:
    """Where data begins: the span of its first scalar; of nothing, no place of a nameless file."""
    while not isinstance(data, Leaf):
        if isinstance(data, Table) and data.members:
            data = next(iter(data.members.values())).key
        elif isinstance(data, tuple) and data:
            data = data[0]
        else:
            return Span("", 0, 0)
    return data.source.span(0, len(data.text))


def size(data: Data, limit: int) -> int:
    """Items and characters of data; counting ends above ``limit``."""
    total, stack = 0, [data]
    while stack and total <= limit:
        one = stack.pop()
        if isinstance(one, Leaf):
            total += 1 + len(one.text)
        elif isinstance(one, Table):
            total += 1 + sum(map(len, one.members))
            stack.extend(member.value for member in one.members.values())
        else:
            total += 1
            stack.extend(one)
    return total
