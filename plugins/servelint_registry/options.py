"""How far a look into an image may go."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """The bounds of one look.

    ``platform`` is ``os/architecture`` or ``os/architecture/variant``. ``layers`` reads the
    layers too, until ``budget`` bytes in all came over the network. ``seconds`` bounds the
    whole look. Plain HTTP is spoken with this machine only, unless ``plain_http`` allows any
    registry; credentials never go over it to another machine.
    """

    platform: str = "linux/amd64"
    layers: bool = False
    budget: int = 2_000_000_000
    seconds: float = 600.0
    plain_http: bool = False
