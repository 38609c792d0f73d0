"""The texts of a chart as they would be deployed, variant by variant."""

from __future__ import annotations

import re
import time
from collections import Counter
from dataclasses import dataclass, field

from servelint.finding import Skip
from servelint.readers.helm.doubt import Leniency
from servelint.readers.helm.layers import given
from servelint.readers.helm.layout import CHART_FILE, VALUES_FILE
from servelint.readers.helm.needed import Needs
from servelint.readers.helm.rendering import EngineFault, Renderer, Texts, helm_name, texts_of
from servelint.readers.helm.scope import scope
from servelint.readers.helm.variants import PLAIN
from servelint.readers.helm.ways import is_same, ways
from servelint.source import Route, Segment, Source
from servelint.syntax.gotemplate import TemplateProblem
from servelint.syntax.gotemplate.mask import masked
from servelint.syntax.gotemplate.nodes import Template
from servelint.syntax.interpolation import HOLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from servelint.readers.helm.chart import Chart
    from servelint.readers.helm.needed import Need
    from servelint.readers.helm.scope import Scope
    from servelint.readers.helm.variants import Variant
    from servelint.syntax.gotemplate import Parsed
    from servelint.syntax.gotemplate.nodes import Block
    from servelint.syntax.yaml_data import Table
    from servelint.unit import Files, Unit

MAX_SECONDS = 5.0
"""Time for one chart; what is not read by then is skipped."""

_LACKS = re.compile(
    rf"^[ \t-]*(?:image|command|args):\s*[\"'\[]?{HOLE[0]}[^{HOLE[1]}]*\binclude\b", re.M
)


@dataclass(slots=True)
class Done:
    """What became of one template so far.

    ``values`` are those that it was rendered with, ``problems`` why that failed, by variant.
    """

    chart: Chart
    path: str
    values: list[Table] = field(default_factory=list)
    texts: list[Source] = field(default_factory=list)
    problems: dict[str, TemplateProblem] = field(default_factory=dict)


class Reading:
    """One chart being read. ``done`` is by Helm's name of a template, in the order of reading.

    ``lacks`` says that an image or a command is made by a template that is not there,
    ``changed`` are the variants that said something new, ``masked`` the templates that came to
    nothing, ``reached`` the parts of templates that renderings came to.
    """

    def __init__(self, unit: Unit, files: Files, chart: Chart) -> None:
        self.unit = unit
        self.chart = chart
        self.texts = Texts(chart, files)
        self.parsed: Parsed = {}
        self.reached: set[Block] = set()
        self.done: dict[str, Done] = {}
        self.changed: set[str] = set()
        self.masked: set[str] = set()
        self.lacks = False
        self._files = files
        self._needs = Needs(texts_of(self.texts.sources))
        self._known: dict[str, Need] = {}
        self._variants: dict[str, Variant] = {}
        self._end = time.process_time() + MAX_SECONDS
        self.is_cut = False

    def need(self, path: str) -> Need:
        """What a template can come to hold."""
        if path not in self._known:
            self._known[path] = self._needs.of(path)
        return self._known[path]

    def is_late(self) -> bool:
        """True when the time for the chart is over: something is left out then."""
        self.is_cut = self.is_cut or time.process_time() > self._end
        return self.is_cut

    def wanted(self, scope: Scope, variant: Variant) -> Iterator[tuple[Scope, str]]:
        """The templates that may say something in a variant, each with the chart it is part of."""
        givers = {*variant.files, *self._own_values()}
        is_given = not self._files.relevant.isdisjoint(givers)
        for inner in scope.whole():
            for path in () if inner.chart.is_library else inner.chart.templates:
                if path not in self.texts.sources:
                    continue
                need = self.need(path)
                if need.runs and (is_given or not self._files.relevant.isdisjoint(need.files)):
                    yield inner, path

    def render(self, variant: Variant) -> Iterator[Source]:
        """The texts of a variant that differ from those of all variants before it."""
        self._variants[variant.name] = variant
        whole = scope(self.chart, given(variant.layers))
        todo = [one for one in self.wanted(whole, variant) if self._is_new(*one)]
        if not todo:
            return
        renderer = Renderer(self.texts.given(whole), self.parsed)
        count: Counter[str] = Counter()
        for inner, path in todo:
            if self.is_late():
                break
            count[path] += 1
            more = () if count[path] == 1 else (inner.chart.inside,)
            owner = Route(self.unit.path, (variant.name, path, *more))
            yield from self._rendered(renderer, inner, path, owner, variant)
        self.reached |= renderer.reached

    def _rendered(
        self, renderer: Renderer, inner: Scope, path: str, owner: Route, variant: Variant
    ) -> Iterator[Source]:
        done = self._done(inner.chart, path)
        done.values.append(inner.values)
        try:
            found = renderer.render(helm_name(inner.chart, path), owner, variant.name)
            texts = tuple(ways(found))
        except TemplateProblem as problem:
            done.problems[variant.name] = problem
            return
        for text in texts:
            if any(is_same(text, other) for other in done.texts):
                continue
            done.texts.append(text)
            self.lacks = self.lacks or _LACKS.search(text.text) is not None
            self.changed.add(variant.name)
            yield text

    def rest(self) -> Iterator[Source | Skip]:
        """What did not come out: the templates that never did, and the variants that are named.

        What a chart requires is unknown then; or all branches of a template are read at once.
        """
        lenient: dict[str, Lenient] = {}
        for done in self.done.values():
            is_lost = len(done.problems) == len(done.values)
            for variant, problem in self._failed(done):
                if variant.name not in lenient:
                    lenient[variant.name] = Lenient(self, variant)
                texts = () if self.is_late() else lenient[variant.name].texts(done)
                yield from texts
                if isinstance(problem, EngineFault) or not (texts or is_lost):
                    yield self._skip(done, problem, variant.name)
                if not texts and is_lost:
                    yield self._masked(done)

    def _failed(self, done: Done) -> Iterator[tuple[Variant, TemplateProblem]]:
        """The variants in which a template failed, as far as something is lost by that."""
        is_lost = len(done.problems) == len(done.values)
        for name, problem in done.problems.items():
            variant = self._variants[name]
            if isinstance(problem, EngineFault) or (variant.is_told and name != PLAIN) or is_lost:
                yield variant, problem
                is_lost = False

    def _masked(self, done: Done) -> Source | Skip:
        """All branches of a template at once, with what actions give unknown."""
        try:
            text = masked(self.texts.sources[done.path].text).text
        except TemplateProblem:
            return self._skip(done, next(iter(done.problems.values())))
        self.masked.add(done.path)
        owner = Route(self.unit.path, (PLAIN, done.path))
        whole = (Segment(0, len(text), 0, len(text)),)
        return Source(done.path, text, "yaml", owner, whole, container=True)

    def _skip(self, done: Done, problem: TemplateProblem, variant: str = PLAIN) -> Skip:
        source = self.texts.sources.get(problem.path) or self.texts.sources[done.path]
        span = source.span(problem.offset, problem.offset)
        detail = f"with {variant}: {problem.detail}" if variant else problem.detail
        return Skip(done.path, "read", problem.reason, detail, span)

    def _is_new(self, inner: Scope, path: str) -> bool:
        """False when a variant before saw the same values, as far as the template asks for them."""
        need = self.need(path)
        before = self._done(inner.chart, path).values
        return not any(need.same(inner.values, values) for values in before)

    def _done(self, chart: Chart, path: str) -> Done:
        return self.done.setdefault(helm_name(chart, path), Done(chart, path))

    def _own_values(self) -> Iterable[str]:
        for one in self.chart.whole():
            prefix = f"{one.directory}/" if one.directory else ""
            yield from (prefix + VALUES_FILE, prefix + CHART_FILE)


class Lenient:
    """A variant of a chart that takes any values: what is missing in them is unknown."""

    def __init__(self, reading: Reading, variant: Variant) -> None:
        self._reading = reading
        self._name = variant.name
        self._leniency = Leniency()
        parsed: Parsed = {
            key: self._leniency.template(one) if isinstance(one, Template) else one
            for key, one in reading.parsed.items()
        }
        whole = scope(reading.chart, given(variant.layers))
        self._renderer = Renderer(reading.texts.given(whole), parsed)

    def texts(self, done: Done) -> tuple[Source, ...]:
        """What a template comes to; nothing when it does not even so."""
        owner = Route(self._reading.unit.path, (self._name, done.path))
        try:
            found = self._renderer.render(helm_name(done.chart, done.path), owner, self._name)
            texts = tuple(ways(found))
        except TemplateProblem:
            return ()
        origins = self._leniency.origins
        self._reading.reached |= {origins.get(one, one) for one in self._renderer.reached}
        return texts
