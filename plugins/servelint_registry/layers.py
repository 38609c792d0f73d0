"""The layers of an image, read from the uppermost down until all is known."""

from __future__ import annotations

from dataclasses import dataclass

from servelint_registry.client import descriptor_of
from servelint_registry.conclusion import conclude, is_enough
from servelint_registry.errors import Problem, Spent
from servelint_registry.overlay import Overlay
from servelint_registry.stream import Counted, opened
from servelint_registry.wanted import wanted_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from servelint.api import Inside
    from servelint_registry.client import Client, Descriptor
    from servelint_registry.conclusion import Conclusion
    from servelint_registry.configuration import Configuration

    Progress = Callable[[int, int, str], None]

MAX_LAYERS = 500

SHORT_REST = 1_000_000
"""Bytes of a layer that are worth reading only for its digest."""

_EMPTY = "application/vnd.oci.empty.v1+json"


@dataclass(slots=True)
class Look:
    """What a look into the layers came to.

    ``stopped`` says why it ended before all was known; empty when it did not.
    """

    conclusion: Conclusion | None = None
    bytes_read: int = 0
    stopped: str = ""
    is_verified: bool = True


@dataclass(frozen=True, slots=True)
class Task:
    """Which layers to read, the lowest first, for what, and within which bounds."""

    client: Client
    layers: tuple[Descriptor, ...]
    found: Configuration
    inside: Inside
    budget: int
    progress: Progress | None


def layers_of(manifest: dict[str, Any], client: Client) -> tuple[Descriptor, ...]:
    """The layers of an image, the lowest first. Raises :class:`RegistryError`."""
    rows = manifest.get("layers")
    if not isinstance(rows, list) or len(rows) > MAX_LAYERS:
        raise client.failure(Problem(f"sent a manifest with no layers, or more than {MAX_LAYERS},"))
    try:
        found = tuple(descriptor_of(row) for row in rows)
    except Problem as problem:
        raise client.failure(problem) from None
    return tuple(one for one in found if one.media_type != _EMPTY)


def read_layers(task: Task) -> Look:
    """Look for the engine in the layers. Raises :class:`RegistryError` for a layer that is bad."""
    look, overlay = Look(), Overlay(wanted_of(task.inside))
    count = len(task.layers)
    for number in range(count, 0, -1):
        try:
            enough = _read_layer(task, number, overlay, look)
        except Spent as spent:
            look.stopped = f"{task.client.address.registry} {spent}"
            break
        if enough or overlay.is_covered() or is_enough(overlay, task.found, at_end=True):
            break
    look.conclusion = conclude(overlay, task.found, count)
    return look


def _read_layer(task: Task, number: int, overlay: Overlay, look: Look) -> bool:
    """Take in one layer; True when it was left because all is known."""
    layer, total = task.layers[number - 1], sum(one.size for one in task.layers)
    what = f"layer {number} of {len(task.layers)}"

    def see(count: int) -> None:
        look.bytes_read += count
        if task.progress is not None:
            task.progress(look.bytes_read, total, what)
        if look.bytes_read >= task.budget:
            raise Spent(
                f"sent {look.bytes_read:,} of {total:,} bytes, and more are over the budget"
            )

    if not layer.size:
        return False
    with task.client.layer(layer, layer.size, what) as body:
        source = Counted(body, layer.digest, layer.size, see)
        stream = opened(source)
        early = overlay.read_layer(
            stream, number, lambda: is_enough(overlay, task.found, at_end=False)
        )
        if not early or layer.size - source.count < SHORT_REST:
            stream.drain()
        look.is_verified = look.is_verified and source.is_verified
    return early
