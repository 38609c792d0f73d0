"""An option that stands twice in one command, with different values.

The last one counts, without a word. Where the two come from different hands, a launcher and a
recipe say, the value that was meant may be the one that is lost.

Options of a configuration file that the command line replaces are not meant, nor those of a
variable that holds defaults: that is what they are for.
"""

from __future__ import annotations

from collections import defaultdict

from servelint.api import Hit
from servelint_sglang.rules.looking import flag_place, halves, launch_place
from servelint_sglang.tables import option_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Component, Deployment, Flag
    from servelint_sglang.policy import Policy

SEVERITY = "medium"
REMEDY = "remove the one that is not meant"


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """``--port 1 --port 2``."""
    for component in halves(deployment):
        for name, flags in _repeated(component).items():
            first, *_, last = flags
            if {_text(flag) for flag in flags} != {_text(last)}:
                why = f"{name} stands twice, and {_text(last)} counts, not {_text(first)}"
                places = (flag_place(component, first), flag_place(component, last))
                yield Hit(component, why, (*places, launch_place(component)))


def _repeated(component: Component) -> dict[str, list[Flag]]:
    """Options that are written more than once in the command itself."""
    found: dict[str, list[Flag]] = defaultdict(list)
    launch = component.invocation.launch
    for flag in component.invocation.flags:
        span = flag.written.span
        here = span.path == launch.span.path and launch.span.start <= span.start < launch.span.end
        plain = not flag.written.trail and flag.name in option_names()
        if here and plain and _text(flag) is not None:
            found[flag.name].append(flag)
    return {name: flags for name, flags in found.items() if len(flags) > 1}


def _text(flag: Flag) -> str | None:
    return flag.value.text if flag.value is not None and not flag.value.trail else None
