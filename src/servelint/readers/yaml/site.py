"""One YAML mapping where it stands: its fields as values, its texts as sources."""

from __future__ import annotations

from dataclasses import dataclass

from servelint.readers.yaml.dialect import COMPOSE, WORKFLOW, names_of
from servelint.source import Route, Source
from servelint.syntax.expressions import opened, opened_shell
from servelint.syntax.interpolation import interpolate
from servelint.syntax.jinja_signs import revealed
from servelint.syntax.yaml import Field, Node, Scalar, deref, segments
from servelint.value import Value, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.syntax.expressions import Names

CARRIERS = ("resources", "image", "base_image")
"""Mappings that describe their parent: what is in them is the parent's."""


def scalar_source(source: Source, scalar: Scalar, language: str, route: Route) -> Source:
    """The text of a scalar as a source of its own, owned by ``route``."""
    child = source.embed(scalar.value, segments(source.text, scalar), language)
    text = revealed(child.text)
    return Source(child.path, text, language, route, child.origin, container=True)


@dataclass(frozen=True, slots=True)
class Site:
    """A mapping of ``source`` at ``route`` with its effective ``fields``.

    In a compose file ``${NAME}`` is filled in from outside, never from the environment that the
    service itself gets.
    """

    source: Source
    route: Route
    fields: dict[str, Field]
    dialect: str = ""

    @property
    def is_compose(self) -> bool:
        """True in a file of services."""
        return self.dialect == COMPOSE

    @property
    def names(self) -> Names:
        """Which expressions only name something."""
        return names_of(self.dialect, self.source.path)

    @property
    def owner(self) -> Route:
        """The structure that the facts of this mapping belong to."""
        steps = self.route.steps
        is_job = self.dialect == WORKFLOW and steps[1::2] == ("jobs", "container")
        if len(steps) > 1 and (steps[-1] in CARRIERS or is_job):
            return Route(self.route.unit, steps[:-1])
        return self.route

    @property
    def environment(self) -> Route:
        """The owner of the variables that are set here; names below it see them."""
        return self.owner.child("environment") if self.is_compose else self.owner

    def text(self, key: str) -> Value | None:
        """The value of a field, if it is there and is a scalar."""
        entry = self.fields.get(key)
        return self.value(entry.value) if entry else None

    def value(self, node: Node) -> Value | None:
        """The value of a scalar, standing where the scalar or its alias stands."""
        target, aliases = deref(node)
        if not isinstance(target, Scalar):
            return self._braces(target)
        text = self.embedded(target, "text", self.route)
        if not aliases:
            return self._closed(interpolate(text))
        where = self.source.span(aliases[0].start, aliases[0].end)
        return self._closed(interpolate(text, (text.span(0, len(text.text)),)).at(where))

    def embedded(self, scalar: Scalar, language: str, route: Route) -> Source:
        """The text of a scalar of this mapping as a source."""
        return self.shell(scalar_source(self.source, scalar, language, route))

    def shell(self, source: Source) -> Source:
        """The source; shell text with parameters for the names of this dialect."""
        return opened_shell(source, self.names) if source.language == "shell" else source

    def _closed(self, value: Value) -> Value:
        return opened(value, self.names)

    def _braces(self, node: Node) -> Value | None:
        """``key: {{ x }}`` parses as a mapping in a mapping; it is a template's."""
        text = self.source.text[node.start : node.end]
        if not text.startswith("{{"):
            return None
        span = self.source.span(node.start, node.end)
        return self._closed(unknown("template-function", text, span))
