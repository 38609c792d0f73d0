"""A chart as its files say: what it is called, what it holds, which charts are part of it."""

from __future__ import annotations

from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.syntax.yaml_data import Leaf, Table


@dataclass(frozen=True, slots=True, eq=False)
class Dependency:
    """A chart in a chart. ``key`` is what it is called there, ``conditions`` are paths of values.

    ``imports`` are pairs: a path of values of the part, and the keys below which the whole gets
    them.
    """

    key: Leaf
    chart: Chart
    conditions: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    imports: tuple[tuple[str, tuple[Leaf, ...]], ...] = ()

    @property
    def name(self) -> str:
        """What it is called in the whole."""
        return self.key.text


@dataclass(frozen=True, slots=True, eq=False)
class Chart:
    """One chart. ``directory`` is empty for the root; ``inside`` is the path that templates know.

    ``name`` is what it is called where it is part of another. ``templates`` are rendered,
    ``partials`` only define. ``missing`` are names of charts that it needs and that are not in the
    repository.
    """

    directory: str
    inside: str
    name: str
    meta: Table
    values: Table
    templates: tuple[str, ...]
    partials: tuple[str, ...]
    dependencies: tuple[Dependency, ...]
    missing: tuple[str, ...]

    @property
    def is_library(self) -> bool:
        """True for a chart that only defines templates for others."""
        return self.meta.text("type") == "library"

    def whole(self) -> Iterator[Chart]:
        """The chart and all in it."""
        yield self
        for dependency in self.dependencies:
            yield from dependency.chart.whole()
