"""A transfer backend that is none of the built-in ones.

The protection of aborted transfers (SGL-2026-0002) is an exchange between the two halves of a
backend: prefill says when it writes no more. A backend from a plugin takes part only if it says so
itself; else decode gives the pages back at once, in every release. No version of SGLang tells
which.

## What to do

Ask whoever maintains the plugin whether it supports the deferred release of decode's pages. If it
does, ignore this finding with that as the reason; if not, treat the deployment like one that is
affected by SGL-2026-0002. A name that is only misspelt stops the server.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.looking import given, halves, where
from servelint_sglang.rules.release_hold import backend

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "medium"
REMEDY = "ask the maintainers of the plugin whether it supports the deferred release of pages"

BUILT_IN = ("mooncake", "mooncake_tcp", "nixl", "ascend", "mori", "fake")
OPTION = "--disaggregation-transfer-backend"


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """A name that only a plugin can give a meaning."""
    for component in halves(deployment):
        name = backend(component)
        if given(component, OPTION) is not None and name and name not in BUILT_IN:
            why = (
                f"its transfer backend {name!r} is none of the built-in ones, so pages of aborted"
                " requests may be given back while they are written to"
            )
            yield Hit(component, why, where(component, OPTION))
