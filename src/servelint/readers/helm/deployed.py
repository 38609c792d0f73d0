"""One chart: all texts that it comes to, and what is told about it."""

from __future__ import annotations

from servelint.finding import Skip
from servelint.readers.helm.find import ROOT, charts, releases
from servelint.readers.helm.latent import Latent
from servelint.readers.helm.loading import Loader
from servelint.readers.helm.reading import MAX_SECONDS, Reading
from servelint.readers.helm.variants import bounded, variants
from servelint.source import Route, Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from servelint.readers.helm.variants import Variant
    from servelint.unit import Files, Unit


def deployed(unit: Unit, files: Files) -> Iterator[Source | Skip]:
    """The texts that a chart comes to, in each variant, and what could not be read of it."""
    directory = "" if unit.path == ROOT else unit.path
    layout = next(one for one in charts(files) if one.directory == directory)
    loader = Loader(files)
    chart = loader.chart(directory)
    told = releases(files).get(directory, ())
    kept, left = bounded(variants(told, layout.values_files(files.text), loader))
    reading = Reading(unit, files, chart)
    for variant in kept:
        yield from reading.render(variant)
    yield from reading.rest()
    yield from Latent(reading, kept[0]).texts()
    yield from _alone(kept, reading.changed, files)
    yield from _crds(unit, files)
    yield from (*loader.skips, *left)
    if reading.lacks and chart.missing:
        names = ", ".join(chart.missing)
        detail = f"what the chart takes from {names} is unknown: it is not in the repository"
        yield Skip(f"{layout.prefix}Chart.yaml", "read", "template", detail)
    if reading.is_cut:
        detail = f"takes more than {MAX_SECONDS:g} seconds: not all of its templates are read"
        yield Skip(f"{layout.prefix}Chart.yaml", "read", "too-slow", detail)


def _alone(every: Iterable[Variant], changed: set[str], files: Files) -> Iterator[Source]:
    """Values files that change nothing: they are those of some other chart."""
    for variant in every:
        for path in variant.files if not variant.is_told else ():
            text = files.text(path)
            if variant.name not in changed and path in files.relevant and text is not None:
                yield Source(path, text, "yaml", Route(path))


def _crds(unit: Unit, files: Files) -> Iterator[Source]:
    """What is installed as it is."""
    prefix = "crds/" if unit.path == ROOT else f"{unit.path}/crds/"
    for path in unit.files:
        text = files.text(path) if path in files.relevant and path.startswith(prefix) else None
        if text is not None:
            yield Source(path, text, "yaml", Route(path))
