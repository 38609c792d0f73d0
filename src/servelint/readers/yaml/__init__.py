"""YAML: every mapping that holds an image, a command or an environment is a component.

One walk for all kinds. Nothing here knows a Deployment from a custom resource
or a compose service: what counts is the shape of a mapping, wherever it
stands and in whatever order its keys come.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from servelint.facts import Uses
from servelint.finding import Skip
from servelint.readers import claim, claim_text
from servelint.readers.yaml.component import component
from servelint.readers.yaml.dialect import COMPOSE, dialect_of
from servelint.readers.yaml.mounts import is_config_map, mounts
from servelint.readers.yaml.reach import reach
from servelint.readers.yaml.roles import with_templates
from servelint.readers.yaml.site import Site, scalar_source
from servelint.readers.yaml.templates import filled, is_chart_template, is_jinja, refused
from servelint.source import Source
from servelint.syntax.yaml import (
    Alias,
    Field,
    Mapping,
    Node,
    Scalar,
    Sequence,
    YamlProblem,
    deref,
    documents,
    fields,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.facts import Fact
    from servelint.source import Route, Span

MAX_NODES = 300_000
"""More nodes than this, aliases followed, are not walked."""


def read(source: Source) -> Iterator[Fact | Source | Skip]:
    """The facts of all documents of a YAML text."""
    if is_chart_template(source):
        yield refused(source)
        return
    ways = filled(source) if is_jinja(source) else ()
    if ways:
        yield from ways
        return
    try:
        trees = documents(source.text)
    except YamlProblem as problem:
        yield from filled(source) or (refused(source, problem),)
        return
    whole = with_templates(source)
    if whole is not None:
        yield whole
    if isinstance(whole, Source):
        return
    walk = _Walk(source)
    for number, tree in enumerate(trees):
        if tree is not None:
            yield from walk.document(tree, number)


@dataclass(slots=True)
class _Walk:
    """One walk over a text; ``left`` counts down, so that aliases cannot multiply without end."""

    source: Source
    left: int = field(default=MAX_NODES)
    dialect: str = ""

    def document(self, tree: Node, number: int) -> Iterator[Fact | Source | Skip]:
        """Everything below one document, in the order of the text, without recursion."""
        start = self.source.owner.child(number)
        self.dialect = dialect_of(tree, self.source)
        if self.dialect == COMPOSE:
            yield self._beside()
        stack: list[tuple[Node, Route]] = [(tree, start)]
        while stack:
            node, route = stack.pop()
            self.left -= 1
            if self.left < 0:
                detail = (
                    f"more than {MAX_NODES:,} nodes with aliases followed: the rest is not read"
                )
                yield Skip(self.source.path, "read", "too-large", detail, self._span(node))
                return
            target, _ = deref(node)
            self.left -= _weight(target)
            if isinstance(target, Mapping):
                found = fields(target)
                yield from self._mapping(found, route)
                steps: list[tuple[str | int, Node]] = [
                    (key, entry.value) for key, entry in found.items()
                ]
            elif isinstance(target, Sequence):
                steps = list(enumerate(target.items))
            else:
                continue
            # Scalars are read by the mapping that holds them.
            stack.extend(
                (below, route.child(step))
                for step, below in reversed(steps)
                if not isinstance(below, Scalar)
            )

    def _beside(self) -> Uses:
        """The file from which compose fills in names, if it is there."""
        directory = self.source.path.rpartition("/")[0]
        target = f"{directory}/.env" if directory else ".env"
        span = self.source.span(0, 0)
        return Uses(span=span, owner=self.source.owner, target=target, how="env-file")

    def _mapping(self, found: dict[str, Field], route: Route) -> Iterator[Fact | Source | Skip]:
        site = Site(self.source, route, found, self.dialect)
        yield from component(site)
        yield from reach(site)
        yield from mounts(Site(self.source, route, found))
        if is_config_map(found) and "data" in found:
            yield from self._files(found["data"].value, route.child("data"))

    def _files(self, node: Node, route: Route) -> Iterator[Source]:
        """The texts of a ConfigMap whose key or first line says what they are."""
        target, _ = deref(node)
        if not isinstance(target, Mapping):
            return
        for key, entry in fields(target).items():
            text, _ = deref(entry.value)
            if isinstance(text, Scalar):
                language = claim_text(claim(key), text.value)
                if language:
                    yield scalar_source(self.source, text, language, route.child(key))

    def _span(self, node: Node | Alias) -> Span:
        return self.source.span(node.start, node.end)


def _weight(node: Node) -> int:
    """What reading a collection costs: its own entries, and the items of the lists in it."""
    if isinstance(node, Sequence):
        return len(node.items)
    if not isinstance(node, Mapping):
        return 0
    targets = (value.target if isinstance(value, Alias) else value for _, value in node.entries)
    lists = sum(len(target.items) for target in targets if isinstance(target, Sequence))
    return len(node.entries) + lists
