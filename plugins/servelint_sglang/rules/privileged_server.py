"""A server with more rights on its host than it needs.

RDMA needs locked memory and a device. The capability `IPC_LOCK` and a device plugin give a pod just
that; `privileged: true` gives it the whole host.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.hosts import PRIVILEGED, setting_place, settings
from servelint_sglang.rules.looking import launch_place, servers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "low"
REMEDY = "add the capability IPC_LOCK, get the device from a plugin, and drop privileged"
PROFILE = "exposure"


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """``privileged: true`` on the container of a server."""
    for component in servers(deployment):
        for setting in settings(component, PRIVILEGED):
            why = "it runs privileged, which is the whole host"
            yield Hit(component, why, (setting_place(setting), launch_place(component)))
            break
