"""Files for ``--config``: options of the server as keys of a mapping.

Such a file says nothing of whose it is. It is part of the command that names it.
"""

from __future__ import annotations

import json
from dataclasses import replace

from servelint.api import (
    Launch,
    Leaf,
    Span,
    Table,
    Text,
    Value,
    interpolate,
    known,
    unknown,
    yaml_tables,
)
from servelint_vllm.tables import CONFIG_KEYS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Data, Fact, Member, Part, Route, Skip, Source

_WORDS = {
    **dict.fromkeys(("true", "True", "TRUE"), "true"),
    **dict.fromkeys(("false", "False", "FALSE"), "false"),
}
"""Words that are no texts where they stand without quotes, as JSON writes them."""


def read(source: Source) -> Iterator[Fact | Skip]:
    """The options that a file holds, as a launch without a program."""
    for number, document in yaml_tables(source):
        if not document.members.keys().isdisjoint(CONFIG_KEYS):
            yield _launch(document, source.owner.child(number), source.variant)


def _launch(table: Table, owner: Route, variant: str) -> Launch:
    words = [word for member in table.members.values() for word in _option(member)]
    first = next(iter(table.members.values())).key
    program = unknown("no-evidence", owner.unit.rpartition("/")[2], _place(first))
    near = [word.span for word in words if word.span.path == program.span.path]
    start, end = min(at.start for at in near), max(at.end for at in near)
    return Launch(
        span=Span(program.span.path, start, end),
        owner=owner,
        variant=variant,
        argv=(program, *words),
        container=True,
        form="options",
    )


def _option(member: Member) -> Iterator[Value]:
    """An option as words: a switch that is on is one word, one that is off none."""
    name = known(f"--{member.key.text}", _place(member.key))
    value = member.value
    if isinstance(value, Leaf) and not value.style and value.text in _WORDS:
        if _WORDS[value.text] == "true":
            yield name
        return
    yield name
    if isinstance(value, Leaf):
        yield interpolate(value.source)
    elif isinstance(value, Table):
        yield _json(value, name.span)
    else:
        yield from (interpolate(item.source) for item in value if isinstance(item, Leaf))


def _json(data: Data, place: Span) -> Value:
    """Data as a text of JSON."""
    return Value((tuple(_pieces(data)),), place)


def _pieces(data: Data) -> Iterator[Part]:
    """The pieces of a text of JSON; numbers are texts there, as all options are."""
    if isinstance(data, Table):
        yield Text("{")
        for number, (key, member) in enumerate(data.members.items()):
            yield Text(f"{',' if number else ''}{json.dumps(key)}:")
            yield from _pieces(member.value)
        yield Text("}")
    elif isinstance(data, Leaf):
        yield from _scalar(data)
    else:
        yield Text("[")
        for number, item in enumerate(data):
            yield Text("," if number else "")
            yield from _pieces(item)
        yield Text("]")


def _scalar(leaf: Leaf) -> Iterator[Part]:
    """A text in quotes; what is no text without."""
    plain = "null" if leaf.is_null else "" if leaf.style else _WORDS.get(leaf.text, "")
    if plain:
        yield Text(plain)
        return
    yield Text('"')
    for part in interpolate(leaf.source).readings[0]:
        yield replace(part, text=json.dumps(part.text)[1:-1]) if isinstance(part, Text) else part
    yield Text('"')


def _place(leaf: Leaf) -> Span:
    return leaf.source.span(0, len(leaf.text))
