"""The ways in which one template comes out, as texts that a reader of YAML can take."""

from __future__ import annotations

from dataclasses import replace

from servelint.readers.helm.mend import mended
from servelint.readers.helm.prune import pruned, ranges
from servelint.syntax.gotemplate import TemplateProblem
from servelint.syntax.weave import Weaver
from servelint.syntax.yaml import YamlProblem
from servelint.syntax.yaml_data import load, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from servelint.readers.helm.prune import Ranges
    from servelint.source import Source
    from servelint.syntax.gotemplate import Rendered


def ways(found: Sequence[Rendered]) -> Iterator[Source]:
    """The first way whole, of the others what it leaves out.

    Raises :class:`TemplateProblem` when the first is no YAML.
    """
    if not found:
        return
    first = mended(found[0].source)
    if first is None:
        raise TemplateProblem("what it renders to is no YAML", 0, found[0].source.path)
    yield first
    missed = ranges(found[0].untaken)
    for number, other in enumerate(found[1:], 1):
        text = mended(other.source)
        rest = part(text, missed) if text is not None else None
        if rest is not None:
            yield replace(rest, owner=rest.owner.child(number))


def part(source: Source, new: Ranges, *, of_images: bool = True) -> Source | None:
    """What of a text says something new, as a text; None when nothing does."""
    weaver = Weaver(source.path)
    try:
        found = [
            pruned(data, new, of_images=of_images) for data in load(source) if data is not None
        ]
    except YamlProblem:
        return None
    kept = [data for data in found if data is not None]
    for data in kept:
        weaver.glue("---\n")
        write(weaver, data)
    return weaver.source(source.language, source.owner, source.variant) if kept else None


def is_same(one: Source, other: Source) -> bool:
    """True for texts with the same characters from the same places."""
    return one.text == other.text and one.origin == other.origin
