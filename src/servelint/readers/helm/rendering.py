"""A chart in the hands of the template engine."""

from __future__ import annotations

import re

from servelint.source import Route, Source
from servelint.syntax.gotemplate import Chart as Given
from servelint.syntax.gotemplate import Engine, TemplateProblem
from servelint.syntax.gotemplate.machine import Machine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from servelint.readers.helm.chart import Chart
    from servelint.readers.helm.scope import Scope
    from servelint.syntax.gotemplate import Parsed
    from servelint.syntax.gotemplate.nodes import Block, Template
    from servelint.unit import Files

MAX_FILES = 200
MAX_FILE = 200_000
"""How many files of a chart its templates can take in, and characters of each."""

_FILES = re.compile(r"\.Files\b")


class EngineFault(TemplateProblem):
    """The engine failed where it should have told a problem."""

    reason = "plugin-error"


class Renderer(Engine):
    """An engine that also tells which parts of all templates its renderings came to.

    With ``is_short`` a template is rendered in one way only: what nobody knows is taken for true.
    """

    def __init__(self, chart: Given, parsed: Parsed, *, is_short: bool = False) -> None:
        super().__init__(chart, parsed=parsed)
        self.reached: set[Block] = set()
        self._is_short = is_short

    def _ways(
        self, name: str, template: Template, owner: Route, variant: str
    ) -> tuple[tuple[tuple[Source, Machine], ...], bool]:
        if not self._is_short:
            return super()._ways(name, template, owner, variant)
        machine = Machine()
        return ((self._run(name, template, machine, owner, variant), machine),), True

    def _run(
        self, name: str, template: Template, machine: Machine, owner: Route, variant: str
    ) -> Source:
        try:
            source = super()._run(name, template, machine, owner, variant)
        except TemplateProblem:
            raise
        except Exception as error:  # hostile input: one template must not end the chart
            detail = f"the template engine failed: {type(error).__name__}: {error}"
            raise EngineFault(detail, 0, template.path) from error
        self.reached |= machine.reached
        return source


class Texts:
    """The texts of a chart and of the charts in it, each taken once."""

    def __init__(self, chart: Chart, files: Files) -> None:
        self._files = files
        self.sources: dict[str, Source] = {}
        for one in chart.whole():
            for path in (*one.templates, *one.partials):
                text = files.text(path)
                if text is not None:
                    self.sources[path] = Source(path, text, "yaml", Route(path))
        takers = [one.text for one in self.sources.values() if _FILES.search(one.text)]
        self._taking = "\n".join(takers)

    def given(self, scope: Scope) -> Given:
        """A chart, and those in it that are switched on, as the engine takes them."""
        chart = scope.chart
        return Given(
            name=chart.name,
            values=scope.values,
            meta=chart.meta,
            templates=dict(self._templates(chart)),
            files=dict(self._taken(chart)) if self._taking else {},
            subcharts=tuple(self.given(inner) for inner in scope.inner),
        )

    def _templates(self, chart: Chart) -> Iterator[tuple[str, Source]]:
        start = len(chart.directory) + 1 if chart.directory else 0
        for path in (*chart.templates, *chart.partials):
            if path in self.sources:
                yield path[start:], self.sources[path]

    def _taken(self, chart: Chart) -> Iterator[tuple[str, Source]]:
        """The files that a template may take in: the first step of their path is written in one."""
        start = len(chart.directory) + 1 if chart.directory else 0
        prefix = f"{chart.directory}/" if chart.directory else ""
        count = 0
        for path in self._files.names:
            inside = path[start:]
            if not path.startswith(prefix) or inside.startswith(("templates/", "charts/")):
                continue
            if inside.partition("/")[0] not in self._taking or count >= MAX_FILES:
                continue
            text = self._files.text(path)
            if text is not None and len(text) <= MAX_FILE:
                count += 1
                yield inside, Source(path, text, "text", Route(path))


def helm_name(chart: Chart, path: str) -> str:
    """What Helm calls a template."""
    return f"{chart.inside}/{path[len(chart.directory) + 1 if chart.directory else 0 :]}"


def texts_of(sources: Mapping[str, Source]) -> dict[str, str]:
    """The texts by their paths."""
    return {path: source.text for path, source in sources.items()}
