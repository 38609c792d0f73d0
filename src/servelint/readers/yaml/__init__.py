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
from servelint.readers.yaml.site import Site, scalar_source
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
    from servelint.source import Route, Source, Span

MAX_NODES = 300_000
"""More nodes than this, aliases followed, are not walked."""

_TEMPLATE_HELP = "looks like a template: {0}; it is not read as YAML"


def read(source: Source) -> Iterator[Fact | Source | Skip]:
    """The facts of all documents of a YAML text."""
    if _is_chart_template(source):
        yield _template(source, "it stands in templates/ and holds {{ }}", source.text.find("{{"))
        return
    try:
        trees = documents(source.text)
    except YamlProblem as problem:
        yield _refused(source, problem)
        return
    walk = _Walk(source)
    for number, tree in enumerate(trees):
        if tree is not None:
            yield from walk.document(tree, number)


def _is_chart_template(source: Source) -> bool:
    return "templates" in source.path.split("/")[:-1] and "{{" in source.text


def _template(source: Source, why: str, offset: int) -> Skip:
    span = source.span(offset, offset + 2)
    return Skip(source.path, "read", "template", _TEMPLATE_HELP.format(why), span)


def _refused(source: Source, problem: YamlProblem) -> Skip:
    for mark in ("{{", "{%"):
        if problem.reason == "syntax" and mark in source.text:
            return _template(source, f"it holds {mark} and is not YAML", source.text.find(mark))
    span = source.span(problem.offset, problem.offset)
    return Skip(source.path, "read", problem.reason, problem.detail, span)


@dataclass(slots=True)
class _Walk:
    """One walk over a text; ``left`` counts down, so that aliases cannot multiply without end."""

    source: Source
    left: int = field(default=MAX_NODES)
    is_compose: bool = False

    def document(self, tree: Node, number: int) -> Iterator[Fact | Source | Skip]:
        """Everything below one document, in the order of the text, without recursion."""
        start = self.source.owner.child(number)
        self.is_compose = _is_compose(tree)
        if self.is_compose:
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
                below = [(entry.value, route.child(key)) for key, entry in found.items()]
            elif isinstance(target, Sequence):
                below = [(item, route.child(index)) for index, item in enumerate(target.items)]
            else:
                below = []
            # Scalars are read by the mapping that holds them.
            stack.extend(one for one in reversed(below) if not isinstance(one[0], Scalar))

    def _beside(self) -> Uses:
        """The file from which compose fills in names, if it is there."""
        directory = self.source.path.rpartition("/")[0]
        target = f"{directory}/.env" if directory else ".env"
        span = self.source.span(0, 0)
        return Uses(span=span, owner=self.source.owner, target=target, how="env-file")

    def _mapping(self, found: dict[str, Field], route: Route) -> Iterator[Fact | Source | Skip]:
        yield from component(Site(self.source, route, found, self.is_compose))
        kind = found.get("kind")
        if kind and isinstance(kind.value, Scalar) and kind.value.value == "ConfigMap":
            data = found.get("data")
            if data is not None:
                yield from self._files(data.value, route.child("data"))

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


def _is_compose(tree: Node) -> bool:
    target, _ = deref(tree)
    if not isinstance(target, Mapping):
        return False
    found = fields(target)
    return "services" in found and "apiVersion" not in found


def _weight(node: Node) -> int:
    """What reading a collection costs: its own entries, and the items of the lists in it."""
    if isinstance(node, Sequence):
        return len(node.items)
    if not isinstance(node, Mapping):
        return 0
    targets = (value.target if isinstance(value, Alias) else value for _, value in node.entries)
    lists = sum(len(target.items) for target in targets if isinstance(target, Sequence))
    return len(node.entries) + lists
