"""A key in a configuration file that stops the server.

The keys of a file given with `--config` become options as they are written. Options have hyphens,
so a key with underscores is an option that does not exist, and the server stops when it starts.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.looking import flag_place, servers
from servelint_sglang.tables import option_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "medium"
REMEDY = "write the keys of the file with hyphens, as the options on the command line"


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """``tp_size: 8`` in a file becomes ``--tp_size``, an option that the server does not know."""
    for component in servers(deployment):
        if component.invocation.launch.form != "configured":
            continue
        for flag in component.invocation.flags:
            text = flag.written.written.partition("=")[0]
            if "_" in text and flag.name in option_names():
                key = text.removeprefix("--")
                why = f"it stops at the key {key}, since no option is called {text}"
                yield Hit(component, why, (flag_place(component, flag),))
