"""Prefill and decode of different versions.

The two halves speak a protocol that is theirs alone and that no release keeps stable: the
signal that ends a hold, the rows of metadata that go with a transfer, the names of options that
both must have. Nothing compares the versions; a pair of two may hang, fail, or lose its protection.

Each fix also needs both: what rejects a request properly (SGL-2026-0001) runs on prefill, what
holds pages back (SGL-2026-0002) on decode, and the signal that ends a hold comes from prefill.

## What to do

Run one image, by digest, in both roles, and upgrade them together. During an upgrade put new pairs
beside old ones instead of a new half beside an old one.

## What is not said here

Only versions that are surely known are compared, and only where all servers of one role agree: a
file that describes several pairs is not judged.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.looking import as_peers, launch_place, sides, version

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from packaging.version import Version

    from servelint.api import Component, Deployment, Place
    from servelint_sglang.policy import Policy

SEVERITY = "high"
REMEDY = "run the same image, by digest, in both roles, and upgrade them together"


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """One version on prefill, another one on decode."""
    prefills, decodes = sides(deployment)
    ours, theirs = {_known(one) for one in prefills}, {_known(one) for one in decodes}
    if len(ours) != 1 or len(theirs) != 1 or ours == theirs:
        return
    ((one,), (other,)) = ours, theirs
    if one is None or other is None:
        return
    is_old = one < other
    older, newer = (prefills, decodes) if is_old else (decodes, prefills)
    peer = "decode" if is_old else "prefill"
    why = f"it runs SGLang {min(one, other)}, while {peer} runs {max(one, other)}"
    for component in older:
        yield Hit(component, why, (*_places(component), *as_peers(_places(newer[0]))))


def _known(component: Component) -> Version | None:
    """The version that surely runs; None for one that evidence of less worth tells."""
    resolution = component.resolution
    if not resolution.clears or resolution.confidence != "high":
        return None
    return version(component)


def _places(component: Component) -> tuple[Place, ...]:
    return (*component.resolution.evidence, launch_place(component))
