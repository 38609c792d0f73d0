"""The beginning of several options.

The server takes the beginning of an option for the option, as long as it is the beginning of one
only. A release with a new option can end that: `--cuda-graph-max-bs` was an option up to 0.5.19
and is now the beginning of two, `--page` and `--context` stopped working when other options
with the same beginning came. The server stops at such a word.

What a beginning means is looked up in the very release that would run; where that is not known
nothing is said.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.releases import read_option
from servelint_sglang.rules.looking import flag_place, launch_place
from servelint_sglang.rules.parsed import own_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "medium"
REMEDY = "write the whole name of the option"


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """Words that the release of a server takes for the beginning of several options."""
    for component, flag, written, release in own_options(deployment):
        names = read_option(written, release).names
        if len(names) > 1:
            meant = ", ".join(names[:4])
            why = f"it stops at {written}, which SGLang {release} could read as {meant}"
            yield Hit(component, why, (flag_place(component, flag), launch_place(component)))
