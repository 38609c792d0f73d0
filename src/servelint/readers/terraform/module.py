"""A module: its blocks as data, its variables and locals closed."""

from __future__ import annotations

from servelint.readers.terraform.expressions import Scope
from servelint.readers.terraform.release import released
from servelint.readers.terraform.tree import child, children, is_rule, place, tokens
from servelint.syntax.yaml_data import Leaf, Member, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lark import Token, Tree

    from servelint.source import Source
    from servelint.syntax.yaml_data import Data

    Parsed = Mapping[str, tuple[Source, Tree[Token]]]

_SETTINGS = ("variable", "locals", "output", "terraform", "provider", "moved", "import", "check")
"""Blocks that start nothing."""

_NAMED_VALUE = {"name", "value", "value_from"}


def values_of(source: Source, tree: Tree[Token]) -> dict[str, Data]:
    """The values that a file of values gives, by name."""
    scope = Scope({}, {})
    return {name: scope.data(source, node) for name, _, node in _attributes(_body(tree))}


class Module:
    """The files of one module, with the values that its variables are given."""

    def __init__(self, files: Parsed, given: Mapping[str, Data]) -> None:
        self._files = files
        lazy: dict[str, tuple[Source, Tree[Token]]] = {}
        for source, tree in files.values():
            for block in children(_body(tree), "block"):
                lazy.update(_definitions(source, block))
        known = {f"var.{name}": value for name, value in given.items()}
        self._scope = Scope(known, {k: v for k, v in lazy.items() if k not in known})

    def data(self) -> Iterator[tuple[str, Data]]:
        """What each file deploys."""
        for path, (source, tree) in self._files.items():
            yield path, self._table(source, _body(tree), is_top=True)

    def calls(self) -> Iterator[Table]:
        """What the module gives to each other one that it takes in, with its ``source``."""
        for source, tree in self._files.values():
            for block in children(_body(tree), "block"):
                inner = child(block, "body")
                if inner is not None and next((name for name, _ in _names(block)), "") == "module":
                    yield self._table(source, inner)

    def _table(self, source: Source, body: Tree[Token], *, is_top: bool = False) -> Table:
        members: dict[str, Member] = {}
        for name, key, node in _attributes(body):
            data = self._scope.data(source, node)
            members[name] = Member(_leaf(source, key), data)
        for block in children(body, "block"):
            names = list(_names(block))
            if is_top and names and names[0][0] in _SETTINGS:
                continue
            inner = child(block, "body")
            table = self._table(source, inner) if inner is not None else Table({})
            if names[:1] and names[0][0] == "dynamic" and len(names) > 1:
                names, table = names[1:], _content(table)
            if names[0][0] == "resource" and "helm_release" in [name for name, _ in names]:
                table = released(table)
            _add(members, [(name, _leaf(source, at)) for name, at in names], table)
        return Table(members)


def _content(table: Table) -> Table:
    inner = table.get("content")
    return inner if isinstance(inner, Table) else table


def _add(members: dict[str, Member], names: list[tuple[str, Leaf]], table: Table) -> None:
    """Put a block where its type and labels say; blocks of one name are a list."""
    (name, key), *below = names
    own = members.get(name)
    if below:
        inner = dict(own.value.members) if own and isinstance(own.value, Table) else {}
        _add(inner, below, table)
        members[name] = Member(key, Table(inner))
    elif own is not None:
        before = own.value if isinstance(own.value, tuple) else (own.value,)
        members[name] = Member(own.key, (*before, table))
    else:
        listed = name == "env" and _NAMED_VALUE.issuperset(table.members)
        members[name] = Member(key, (table,) if listed and table.members else table)


def _definitions(
    source: Source, block: Tree[Token]
) -> Iterator[tuple[str, tuple[Source, Tree[Token]]]]:
    """What expressions may refer to: defaults of variables, locals, attributes of resources."""
    names = [name for name, _ in _names(block)]
    body = child(block, "body")
    if body is None or not names:
        return
    for name, _, node in _attributes(body):
        if names[0] == "variable" and len(names) > 1 and name == "default":
            yield f"var.{names[1]}", (source, node)
            yield names[1], (source, node)  # as bake files name them
        elif names[0] == "locals":
            yield f"local.{name}", (source, node)
        elif names[0] in ("resource", "data") and len(names) > 2:
            prefix = "data." if names[0] == "data" else ""
            yield f"{prefix}{names[1]}.{names[2]}.{name}", (source, node)


def _body(tree: Tree[Token]) -> Tree[Token]:
    return child(tree, "body") or tree


def _attributes(body: Tree[Token]) -> Iterator[tuple[str, tuple[int, int], Tree[Token]]]:
    """Name, place of the name and expression of each attribute."""
    for one in children(body, "attribute"):
        name = next(tokens(one))
        value = list(children(one))[-1]
        yield str(name), (name.start_pos or 0, name.end_pos or 0), value


def _names(block: Tree[Token]) -> Iterator[tuple[str, tuple[int, int]]]:
    """Type and labels of a block."""
    for one in children(block):
        if is_rule(one, "body"):
            return
        if is_rule(one, "identifier", "keyword", "literal_value", "string"):
            start, end = place(one)
            text = "".join(tokens(one))
            yield text.strip('"'), (start, end)


def _leaf(source: Source, at: tuple[int, int]) -> Leaf:
    start, end = at
    if source.text[start : start + 1] == '"':
        start, end = start + 1, end - 1
    return Leaf(source.slice(start, end, "text"))
