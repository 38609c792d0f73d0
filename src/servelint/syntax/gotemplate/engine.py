"""Charts rendered."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from servelint.syntax.gotemplate.charts import Chart, Release
from servelint.syntax.gotemplate.evaluator import Frame
from servelint.syntax.gotemplate.library import Library, Named, without_nil
from servelint.syntax.gotemplate.machine import MAX_STEPS, Machine
from servelint.syntax.gotemplate.nodes import Branch, Literal, Node, Template
from servelint.syntax.gotemplate.objects import root
from servelint.syntax.gotemplate.parser import is_blank, parse
from servelint.syntax.gotemplate.problems import TemplateProblem, TooDeep
from servelint.syntax.gotemplate.texts import Text, of_source, shown
from servelint.syntax.weave import Weaver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.source import Route, Source, Span
    from servelint.syntax.gotemplate.nodes import Block

MAX_RESULTS = 16
"""Renderings of one template, where conditions are not known."""

Parsed = dict[tuple[str, str], Template | TemplateProblem]
"""Templates by path and text, for engines that share them."""


@dataclass(frozen=True, slots=True, eq=False)
class Rendered:
    """One way that a template comes out.

    ``source`` is the woven text, in language yaml. ``untaken`` are the bodies of branches of the
    template's own file that were not run. ``assumed`` are the conditions that nobody knows and how
    they were taken. ``is_cut`` says that there are more ways than were tried.
    """

    source: Source
    untaken: tuple[Span, ...]
    assumed: tuple[tuple[str, bool], ...]
    is_cut: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Home:
    """A template where it stands in the tree of charts."""

    chart: Chart
    source: Source


class Engine:
    """Renders the templates of a chart and its subcharts.

    ``names`` are those that Helm renders, by Helm's names for them (``chart/templates/a.yaml``,
    ``chart/charts/sub/templates/b.yaml``). ``problems`` are of files that could not be parsed: what
    they define is unknown to all others.
    """

    def __init__(
        self, chart: Chart, release: Release | None = None, parsed: Parsed | None = None
    ) -> None:
        self._release = release or Release()
        self._parsed: Parsed = {} if parsed is None else parsed
        self._homes = dict(_homes(chart, chart.name))
        self.names = tuple(name for name in self._homes if self._is_rendered(name))
        self.problems: tuple[TemplateProblem, ...] = ()
        self._named = self._all_named()

    def source(self, name: str) -> Source:
        """The text of a template by Helm's name for it."""
        return self._homes[name].source

    def render(self, name: str, owner: Route, variant: str = "") -> tuple[Rendered, ...]:
        """All ways that a template comes out; one where all its conditions are known.

        Raises :class:`TemplateProblem` when it does not come out at all.
        """
        template = self._template(name)
        found, is_cut = self._ways(name, template, owner, variant)
        place = self.source(name)
        return tuple(
            Rendered(source, _untaken(template, machine, place), tuple(machine.made), is_cut)
            for source, machine in found
        )

    def _ways(
        self, name: str, template: Template, owner: Route, variant: str
    ) -> tuple[tuple[tuple[Source, Machine], ...], bool]:
        """The texts that differ, each with the first machine that made it; and if more are left."""
        waiting: deque[tuple[bool, ...]] = deque([()])
        found: dict[str, tuple[Source, Machine]] = {}
        problem: TemplateProblem | None = None
        left = MAX_STEPS
        for _ in range(MAX_RESULTS):
            if not waiting:
                break
            machine = Machine(waiting.popleft(), left)
            try:
                source = self._run(name, template, machine, owner, variant)
                found.setdefault(source.text, (source, machine))
            except TemplateProblem as caught:
                problem = problem or caught
            left = machine.steps_left
            waiting.extend(_turns(machine))
        if problem is not None and (not found or problem.reason != "template"):
            raise problem
        return tuple(found.values()), bool(waiting)

    def _run(
        self, name: str, template: Template, machine: Machine, owner: Route, variant: str
    ) -> Source:
        home = self._homes[name]
        weaver = Weaver(home.source.path)

        def emit(text: Text, node: Node) -> None:
            _weave(weaver, home.source, text, node)

        frame = Frame(
            template,
            Library(self._named, machine, self._file),
            root(home.chart, self._release, name),
            emit,
        )
        try:
            frame.run(template.body, frame.data)
        except RecursionError:
            raise TooDeep("the template is too deeply nested", 0, home.source.path) from None
        return weaver.source("yaml", owner, variant)

    def _file(self, name: str) -> Named | None:
        """A whole file as a template that others include, as for its checksum."""
        if name not in self._homes:
            return None
        template = self._template(name)
        return template, template.body

    def _template(self, name: str) -> Template:
        source = self._homes[name].source
        key = (source.path, source.text)
        if key not in self._parsed:
            try:
                self._parsed[key] = parse(of_source(source), source.path)
            except TemplateProblem as problem:
                self._parsed[key] = problem
        found = self._parsed[key]
        if isinstance(found, TemplateProblem):
            raise found.at(found.offset, found.path)
        return found

    def _is_rendered(self, name: str) -> bool:
        meta = self._homes[name].chart.meta
        is_library = meta is not None and meta.text("type") == "library"
        return not is_library and not name.rpartition("/")[2].startswith("_")

    def _all_named(self) -> dict[str, Named]:
        """The named templates of all files; of equal names the one that Helm takes."""
        named: dict[str, Named] = {}
        for name in sorted(self._homes, key=lambda one: (one.count("/"), one), reverse=True):
            text = self.source(name).text
            if "define" not in text and "block" not in text:
                continue
            try:
                template = self._template(name)
            except TemplateProblem as problem:
                self.problems = (*self.problems, problem)
                continue
            for key, block in template.named.items():
                if key not in named or not is_blank(template.text, block):
                    named[key] = (template, block)
        return named


def _homes(chart: Chart, prefix: str) -> Iterator[tuple[str, _Home]]:
    for name, source in sorted(chart.templates.items()):
        yield f"{prefix}/{name}", _Home(chart, source)
    for one in chart.subcharts:
        yield from _homes(one, f"{prefix}/charts/{one.name}")


def _turns(machine: Machine) -> Iterator[tuple[bool, ...]]:
    """The plans that differ from a rendering in one decision that it made itself."""
    ways = tuple(way for _, way in machine.made)
    for place in range(len(machine.plan), len(ways)):
        yield (*ways[:place], not ways[place])


def _weave(weaver: Weaver, source: Source, text: Text, node: Node) -> None:
    if isinstance(node, Literal):
        weaver.take(source.slice(node.start, node.end, "yaml"))
        return
    place = source.span(node.start, node.end)
    for run in without_nil(text).runs:
        weaver.write(shown(run), place, run.leaf)


def _untaken(template: Template, machine: Machine, source: Source) -> tuple[Span, ...]:
    blocks = sorted(_skipped(template.body, machine.reached), key=lambda block: block.start)
    return tuple(source.span(block.start, block.end) for block in blocks if block.start < block.end)


def _skipped(block: Block, reached: set[Block]) -> Iterator[Block]:
    for node in block.nodes:
        if not isinstance(node, Branch):
            continue
        for body in (node.body, node.other):
            if body is not None and body in reached:
                yield from _skipped(body, reached)
            elif body is not None:
                yield body
