"""A prefill server with the transfer backend that transfers nothing.

`fake` lets a decode server be measured without prefill. A prefill server refuses to start with it.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.looking import halves, text_of, where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "medium"
REMEDY = "give prefill the transfer backend of decode"

OPTION = "--disaggregation-transfer-backend"


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """``fake`` on prefill."""
    for component in halves(deployment):
        if component.role == "prefill" and text_of(component, OPTION) == "fake":
            why = "it does not start with the transfer backend fake"
            yield Hit(component, why, where(component, OPTION))
