"""The variants in which a chart is deployed: plain, and with each set of values that is named."""

from __future__ import annotations

from dataclasses import dataclass

from servelint.finding import Skip
from servelint.readers.helm.layers import Setting
from servelint.syntax.yaml_data import Leaf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from servelint.readers.helm.layers import Layer
    from servelint.readers.helm.loading import Loader
    from servelint.readers.helm.release import Release

PLAIN = ""
"""The variant of a chart with nothing but its own values."""

MAX_VARIANTS = 16
"""Sets of values with which a chart is rendered, besides its own."""


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """What is given with a chart. ``name`` tells users which: the last of its files.

    ``files`` hold what is given. ``is_told`` is false when only the name of the file says that it
    belongs to the chart.
    """

    name: str
    layers: tuple[Layer, ...]
    files: tuple[str, ...]
    is_told: bool = True


def variants(
    releases: Iterable[Release], values_files: Iterable[str], loader: Loader
) -> tuple[Variant, ...]:
    """The plain variant, then those that are named, then one for each further values file."""
    told = [release for release in releases if release.layers]
    named = {path for release in told for path in release.files}
    alone = sorted(set(values_files) - named, key=lambda path: ("/ci/" in f"/{path}", path))
    found = [
        *_distinct(told, loader),
        *(Variant(path, (loader.table(path),), (path,), is_told=False) for path in alone),
    ]
    return (Variant(PLAIN, (), ()), *found)


def bounded(every: Sequence[Variant]) -> tuple[tuple[Variant, ...], tuple[Skip, ...]]:
    """The variants that are read, and a word on those that are not."""
    kept, left = tuple(every[: MAX_VARIANTS + 1]), every[MAX_VARIANTS + 1 :]
    if not left:
        return kept, ()
    detail = f"more than {MAX_VARIANTS} sets of values for one chart: {len(left)} are not read"
    return kept, (Skip(left[0].files[-1], "read", "too-large", detail),)


def _distinct(releases: Iterable[Release], loader: Loader) -> Iterator[Variant]:
    """One variant for each set of values; equal sets are one, equal names get a number."""
    seen: set[object] = set()
    count: dict[str, int] = {}
    for release in releases:
        same = tuple(
            layer if isinstance(layer, str) else _written(layer) for layer in release.layers
        )
        if same in seen:
            continue
        seen.add(same)
        name = release.files[-1] if release.files else release.path
        count[name] = count.get(name, 0) + 1
        layers = (loader.table(one) if isinstance(one, str) else one for one in release.layers)
        holders = () if len(release.files) == len(release.layers) else (release.path,)
        yield Variant(
            name=name if count[name] == 1 else f"{name} ({count[name]})",
            layers=tuple(layers),
            files=(*release.files, *holders),
        )


def _written(layer: Layer) -> object:
    """What tells two equal settings in two places to be equal."""
    if isinstance(layer, Setting) and isinstance(layer.value, Leaf):
        steps = tuple(step if isinstance(step, int) else step.text for step in layer.path)
        return steps, layer.value.text, layer.value.style
    return id(layer)
