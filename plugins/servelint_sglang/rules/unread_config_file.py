"""A configuration file that the server does not read.

The server reads a configuration file only where `--config` is a word of its own. `--config=FILE`
passes its parser and has no effect: every option in the file, the role of the server among them,
is missing at run time.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.looking import flag_place, servers
from servelint_sglang.tables import engine_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "medium"
REMEDY = "write the option and the file as two words: --config FILE"


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """``--config=FILE`` on a server."""
    for component in servers(deployment):
        for flag in component.invocation.flags:
            text = flag.written.written
            if flag.name in engine_table()["config_options"] and "=" in text:
                why = f"the server takes {text} without a word and never reads the file"
                yield Hit(component, why, (flag_place(component, flag),))
