"""Files of launchers: options of the server as keys of a mapping, with no command line in sight.

Two launchers are known by their keys (``launchers.toml``): one block of options a role, or a list
of server groups. Any other mapping with the role option and one more option of the server is a
launch, too; it is one of this engine where its surroundings say so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from servelint.api import (
    Env,
    Image,
    Launch,
    Leaf,
    Route,
    Span,
    Table,
    Value,
    interpolate,
    known,
    one_of,
    unknown,
    yaml_tables,
)
from servelint_sglang.recipes import variants
from servelint_sglang.tables import engine_table, launcher_table, option_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Data, Fact, Member, Skip, Source

ENGINE: str = engine_table()["id"]
_NAMED = re.compile(rf"(?<![a-z]){ENGINE}(?![a-z])", re.IGNORECASE)
_TRUE = frozenset({"true", "True", "TRUE"})
_FALSE = frozenset({"false", "False", "FALSE"})
_TO_FILL_IN = re.compile(r"<[^<>]*>")
_ENTRY = re.compile(r"(?!.*\.(?:sqsh|sif)\Z)[\w.+-]+", re.ASCII)
"""An image by a name that the launcher's own table explains: no repository, no tag, no file."""


def read(source: Source) -> Iterator[Fact | Skip]:
    """The launches that a file of a launcher stands for, with image and environment."""
    for number, document in yaml_tables(source):
        owner = source.owner.child(number)
        yield from _aliases(document, owner)
        for name, whole in variants(document):
            route = owner.child(name) if name else owner
            yield from _Walk(source, name or source.variant, whole).facts(whole, route)


def _aliases(document: Table, owner: Route) -> Iterator[Image]:
    """The images that names stand for; nothing here runs in them."""
    shape = launcher_table()["aliases"]
    table = document.get(shape["key"])
    if isinstance(table, Table) and shape["beside"] in document.members:
        for name, member in table.members.items():
            if isinstance(member.value, Leaf) and not member.value.is_null:
                value = interpolate(member.value.source)
                place = owner.child(shape["key"], name)
                yield Image(span=value.span, owner=place, reference=value)


@dataclass(frozen=True, slots=True)
class _Block:
    """Options of servers: the key that they stand below, and the role that the place gives."""

    key: Leaf
    options: Table
    owner: Route
    role: Value | None
    engine: str


class _Walk:
    """One walk over the data of a document."""

    def __init__(self, source: Source, variant: str, whole: Table) -> None:
        self._source = source
        self._variant = variant
        self._sweep = whole.get("sweep")

    def facts(self, whole: Table, start: Route) -> Iterator[Fact]:
        """The facts of a document in the order of its mappings."""
        todo: list[tuple[Data, Route]] = [(whole, start)]
        found: list[Fact] = []
        while todo:
            data, route = todo.pop()
            if isinstance(data, Table):
                for shape in (self._pools, self._groups, self._lone):
                    found.extend(shape(data, route))
            todo.extend(reversed(list(_below(data, route))))
        yield from found
        if found:
            yield from self._image(whole, start)

    def _pools(self, table: Table, route: Route) -> Iterator[Fact]:
        """A block of options for each role."""
        shape = launcher_table()["pools"]
        block = table.members.get(shape["key"])
        if block is None or not isinstance(block.value, Table):
            return
        for name, role in shape["roles"].items():
            member = block.value.members.get(name)
            if member is None or not isinstance(member.value, Table):
                continue
            owner = route.child(shape["key"], name)
            yield from self._environment(table.get(name + shape["environment"]), owner)
            given = known(role, _place(member.key)) if role else None
            yield self._launch(_Block(member.key, member.value, owner, given, ENGINE))

    def _groups(self, table: Table, route: Route) -> Iterator[Fact]:
        """A list of groups of servers, each with its role."""
        shape = launcher_table()["groups"]
        items = table.get(shape["key"])
        for index, item in enumerate(items if isinstance(items, tuple) else ()):
            role = item.members.get(shape["role"]) if isinstance(item, Table) else None
            if role is None or not isinstance(item, Table) or not isinstance(role.value, Leaf):
                continue
            own = item.get(shape["options"])
            options = own if isinstance(own, Table) else Table({})
            if _TO_FILL_IN.fullmatch(role.value.text):
                continue
            plain = role.value.text in shape["plain"]
            owner = route.child(shape["key"], index)
            given = None if plain else interpolate(role.value.source)
            yield self._launch(_Block(role.key, options, owner, given, ENGINE))

    def _lone(self, table: Table, route: Route) -> Iterator[Fact]:
        """A mapping with the role option and one more, whoever reads it."""
        role = next((table.members[key] for key in _role_keys() if key in table.members), None)
        flags = {_flag(key) for key in table.members} & option_names()
        if role is None or len(flags) == 1 or _is_pool(route):
            return
        where = (self._source.path, *route.keys())
        engine = ENGINE if any(map(_NAMED.search, where)) else ""
        yield self._launch(_Block(role.key, table, route, None, engine))

    def _launch(self, block: _Block) -> Launch:
        place = _place(block.key)
        program = known(_program(block.owner), place)
        words = [program if block.engine else unknown("no-evidence", program.written, place)]
        if block.role and not any(name in block.options.members for name in _role_keys()):
            words += [known(engine_table()["role_flag"], place), block.role]
        for member in block.options.members.values():
            words.extend(self._option(member))
        near = [word.span for word in words if word.span.path == place.path]
        return Launch(
            span=Span(place.path, min(at.start for at in near), max(at.end for at in near)),
            owner=block.owner,
            variant=self._variant,
            argv=tuple(words),
            container=True,
            engine=block.engine,
            form="options",
        )

    def _option(self, member: Member) -> Iterator[Value]:
        """An option as words: a switch that is on is one word, one that is off none."""
        name = known("--" + member.key.text.removeprefix("--"), _place(member.key))
        value = member.value
        if isinstance(value, Leaf) and not value.style:
            if value.is_null or value.text in _FALSE:
                return
            if value.text in _TRUE:
                yield name
                return
        items = value if isinstance(value, tuple) else (value,)
        leaves = [item for item in items if isinstance(item, Leaf)]
        if leaves or not isinstance(value, Table):
            yield name
            yield from map(self._value, leaves)

    def _value(self, leaf: Leaf) -> Value:
        """The text of a leaf; a placeholder of a sweep is each of the values swept."""
        plain = interpolate(leaf.source)
        match = re.fullmatch(r"\{(\w+)\}", leaf.text)
        swept = self._sweep.get(match[1]) if match and isinstance(self._sweep, Table) else None
        if not isinstance(swept, tuple):
            return plain
        values = [interpolate(item.source) for item in swept if isinstance(item, Leaf)]
        return one_of((value.at(plain.span) for value in values), plain.span)

    def _environment(self, data: Data | None, owner: Route) -> Iterator[Env]:
        for member in data.members.values() if isinstance(data, Table) else ():
            if isinstance(member.value, Leaf):
                span, value = _place(member.key), interpolate(member.value.source)
                if span.path == value.span.path and span.start < value.span.end:
                    span = Span(span.path, span.start, value.span.end)
                name = member.key.text
                yield Env(span=span, owner=owner, variant=self._variant, name=name, value=value)

    def _image(self, whole: Table, owner: Route) -> Iterator[Image]:
        """The image of a recipe: a reference, or the name that the launcher's own table has."""
        for keys in launcher_table()["image"]:
            leaf = whole.get(*keys)
            if isinstance(leaf, Leaf) and leaf.text and not leaf.is_null:
                value = self._value(leaf)
                if _ENTRY.fullmatch(leaf.text):
                    value = unknown("unset-variable", leaf.text, value.span)
                yield Image(span=value.span, owner=owner, variant=self._variant, reference=value)
                return


def _below(data: Data, route: Route) -> Iterator[tuple[Data, Route]]:
    if isinstance(data, Table):
        for key, member in data.members.items():
            yield member.value, route.child(key)
    elif isinstance(data, tuple):
        for index, item in enumerate(data):
            yield item, route.child(index)


def _place(leaf: Leaf) -> Span:
    return leaf.source.span(0, len(leaf.text))


def _program(owner: Route) -> str:
    """What stands for a program: the keys that lead to the options."""
    return ".".join(owner.keys()) or owner.unit.rpartition("/")[2]


def _flag(key: str) -> str:
    return "--" + key.replace("_", "-").removeprefix("--")


def _is_pool(route: Route) -> bool:
    """True for a block that its launcher's shape has given already."""
    keys = route.keys()
    return keys[-2:-1] == (launcher_table()["pools"]["key"],) or keys[-1:] == (
        launcher_table()["groups"]["options"],
    )


@cache
def _role_keys() -> tuple[str, str]:
    """The role option as a key, with hyphens and with underscores."""
    name = engine_table()["role_flag"].removeprefix("--")
    return name, name.replace("-", "_")
