"""Decode that is to move its KV cache to a storage that is not named.

`--disaggregation-decode-enable-offload-kvcache` needs `--hicache-storage-backend`; without it the
server stops when it starts.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.looking import given, halves, where
from servelint_sglang.rules.pairing import is_left_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "medium"
REMEDY = "name the storage with --hicache-storage-backend, or remove the option"

OPTION = "--disaggregation-decode-enable-offload-kvcache"
STORAGE = "--hicache-storage-backend"


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """The option without a storage."""
    for component in halves(deployment):
        if given(component, OPTION) is not None and is_left_out(component, STORAGE):
            why = f"it stops when it starts, since {STORAGE} is missing"
            yield Hit(component, why, where(component, OPTION))
