"""The images of a root, as a list."""

from __future__ import annotations

from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.deployment import Component, Resolution
    from servelint.engine import Engine
    from servelint.inside import Resolved
    from servelint.source import Span


@dataclass(frozen=True, slots=True)
class Listed:
    """One reference as it is written, and what it is known to hold.

    ``status`` is that of a disaggregated server with the defaults of the engine:
    ``affected``, ``under_investigation`` or ``fixed``; ``causes`` are the advisories that
    make it so. ``why`` is a clause about a version that is not known, ``settle`` are
    commands and changes of which each would tell. ``is_named``: the reference is
    exactly one, all of it is known, and it is no file.
    """

    reference: str
    engine: Engine
    resolution: Resolution
    status: str
    causes: tuple[str, ...]
    spans: tuple[Span, ...]
    why: str
    settle: tuple[str, ...]
    is_named: bool


@dataclass(frozen=True, slots=True)
class Inventory:
    """All images of engines; ``nameless`` are servers without one, ``others`` counts the rest."""

    images: tuple[Listed, ...]
    nameless: tuple[Component, ...]
    others: int
    texts: dict[str, str]


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found inside one image, or the ``error`` for which nothing was.

    ``status`` and ``causes`` are as in :class:`Listed`.
    """

    reference: str
    engine: Engine
    found: Resolved | None = None
    status: str = "under_investigation"
    causes: tuple[str, ...] = ()
    error: str = ""
