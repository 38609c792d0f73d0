"""What a chart holds that no values of the repository switch on."""

from __future__ import annotations

from servelint.readers.helm.doubt import Leniency
from servelint.readers.helm.force import MAX_TURNS, Force, unreached
from servelint.readers.helm.layers import EMPTY
from servelint.readers.helm.mend import mended
from servelint.readers.helm.prune import ranges
from servelint.readers.helm.rendering import Renderer, helm_name
from servelint.readers.helm.scope import scope
from servelint.readers.helm.ways import part
from servelint.source import Route
from servelint.syntax.gotemplate import TemplateProblem
from servelint.syntax.gotemplate.nodes import Template
from servelint.syntax.gotemplate.parser import parse
from servelint.syntax.gotemplate.texts import of_source
from servelint.unit import LATENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from servelint.readers.helm.prune import Ranges
    from servelint.readers.helm.reading import Reading
    from servelint.readers.helm.scope import Scope
    from servelint.readers.helm.variants import Variant
    from servelint.source import Source
    from servelint.syntax.gotemplate import Parsed
    from servelint.syntax.gotemplate.nodes import Block


class Latent:
    """The commands of a chart of which a word stands where no rendering came to."""

    def __init__(self, reading: Reading, plain: Variant) -> None:
        self._reading = reading
        self._whole = scope(reading.chart, EMPTY, is_whole=True)
        wanted = reading.wanted(self._whole, plain)
        self._wanted = tuple(one for one in wanted if one[1] not in reading.masked)
        self._reached = set(reading.reached)
        self._run = {path for _, path in self._wanted}
        every = {file for path in self._run for file in reading.need(path).files}
        found = {path: self._template(reading.texts.sources[path]) for path in every}
        self._templates = {path: one for path, one in found.items() if one is not None}

    def texts(self) -> Iterator[Source]:
        """The commands, as texts to read; of what excludes each other one after the other."""
        for turn in range(MAX_TURNS):
            count = len(self._reached)
            yield from self._turn(turn)
            if len(self._reached) == count:
                return

    def _turn(self, turn: int) -> Iterator[Source]:
        reached = frozenset(self._reached)
        changed = {
            path
            for path, one in self._templates.items()
            if Force(one.text.flat, reached, turn).changes(one, is_run=path in self._run)
        }
        todo = [
            (inner, path)
            for inner, path in self._wanted
            if not changed.isdisjoint(self._reading.need(path).files)
        ]
        if not todo:
            return
        new = self._new()
        origins: dict[Block, Block] = {}
        renderers = [self._renderer(reached, turn, origins, blindly=way) for way in (False, True)]
        for inner, path in todo:
            if self._reading.is_late():
                return
            owner = self._owner(inner, path, turn)
            rest = _rest(helm_name(inner.chart, path), owner, renderers, new)
            if rest is not None:
                yield rest
        for renderer in renderers:
            self._reached |= {origins.get(block, block) for block in renderer.reached}

    def _new(self) -> Ranges:
        """All that no rendering came to."""
        return ranges(
            span
            for path, one in self._templates.items()
            for span in unreached(one, self._reached, is_run=path in self._run)
        )

    def _owner(self, inner: Scope, path: str, turn: int) -> Route:
        is_top = inner.chart is self._reading.chart
        more = (*(() if is_top else (inner.chart.inside,)), *((turn,) if turn else ()))
        return Route(self._reading.unit.path, (LATENT, path, *more))

    def _renderer(
        self, reached: frozenset[Block], turn: int, origins: dict[Block, Block], *, blindly: bool
    ) -> Renderer:
        """A renderer that goes where nothing came to; blindly also past what is required."""
        parsed: Parsed = {}
        for path, one in self._templates.items():
            force = Force(one.text.flat, reached, turn, blindly, origins=origins)
            forced = force.template(one)
            if blindly:
                forced = Leniency(origins=origins).template(forced)
            parsed[path, self._reading.texts.sources[path].text] = forced
        return Renderer(self._reading.texts.given(self._whole), parsed, is_short=True)

    def _template(self, source: Source) -> Template | None:
        """A template, parsed once; None when that is not possible."""
        key = (source.path, source.text)
        parsed = self._reading.parsed
        if key not in parsed:
            try:
                parsed[key] = parse(of_source(source), source.path)
            except TemplateProblem as problem:
                parsed[key] = problem
        found = parsed[key]
        return found if isinstance(found, Template) else None


def _rest(name: str, owner: Route, renderers: Iterable[Renderer], new: Ranges) -> Source | None:
    """What a template says anew, from the first renderer that can make something of it."""
    for renderer in renderers:
        try:
            found = renderer.render(name, owner, LATENT)
        except TemplateProblem:
            continue  # the next one asks for less
        text = mended(found[0].source) if found else None
        if text is not None:
            return part(text, new, of_images=False)
    return None
