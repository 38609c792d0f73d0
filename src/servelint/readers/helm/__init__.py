"""Helm charts: what a chart would deploy with its own values, and with each set that is named.

The templates are rendered, and the YAML reader reads what they come to. What no values of the
repository switch on is read as well, as the variant :data:`servelint.unit.LATENT`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.facts import Fact
    from servelint.finding import Skip
    from servelint.source import Source
    from servelint.unit import Files, Unit

_CHART = "Chart.yaml"


def units(files: Files) -> Iterator[Unit]:
    """The charts that hold, or are given, something relevant."""
    if any(name.endswith(_CHART) for name in files.names):
        from servelint.readers.helm import find  # noqa: PLC0415  # most roots have no chart

        yield from find.units(files)


def read_unit(unit: Unit, files: Files) -> Iterator[Fact | Source | Skip]:
    """The texts that a chart comes to, in each variant, and what could not be read of it."""
    from servelint.readers.helm.deployed import deployed  # noqa: PLC0415  # nor a relevant one

    yield from deployed(unit, files)
