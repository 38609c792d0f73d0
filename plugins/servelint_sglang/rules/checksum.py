"""The transfer checksum: who has it, and since when."""

from __future__ import annotations

from servelint_sglang.rules.looking import given, is_absent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.api import Component

CHECKSUM = "--disaggregation-enable-kv-checksum"

SINCE, SETTLED = "0.5.21", "0.5.23"
"""The first release that has it, and the first one in which all ranks agree on the outcome."""


def has_checksum(component: Component) -> bool | None:
    """Whether a server has the option; None where that is not known."""
    if given(component, CHECKSUM) is not None:
        return True
    return False if is_absent(component, CHECKSUM) else None
