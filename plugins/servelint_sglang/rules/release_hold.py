"""The variables by which decode holds the pages of an aborted request back, and how they read."""

from __future__ import annotations

from servelint_sglang.rules.looking import surely, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.api import Component

HOLD = "SGLANG_DISAGGREGATION_DEFERRED_DECODE_KV_RELEASE"
TIMEOUT = f"{HOLD}_TIMEOUT"

KNOWN, DEFAULT, MORI = "0.5.19", "0.5.21", "0.5.22"
"""The first release that reads the switch, that has it on by default, in which mori takes part."""


def backend(component: Component) -> str | None:
    """The transfer backend; None where it is not known."""
    return text_of(component, "--disaggregation-transfer-backend")


def is_idle(component: Component) -> bool:
    """True where the switch changes nothing: no cache is moved, or mori lets go in any case."""
    name = backend(component)
    return name == "fake" or (name == "mori" and surely(component, DEFAULT, MORI) == "yes")
