"""A transfer checksum in a release in which it can stop requests.

In 0.5.21 and 0.5.22 the ranks of a server do not agree on the outcome of the comparison. With
tensor parallelism a real difference, which is what the checksum is for, leaves some ranks waiting
for others. Where the roles are divided differently they compare different things, and every request
is aborted. With the prefix cache of decode the part that decode already had is counted wrongly.

0.5.23 lets the ranks agree, and admits what cannot be compared with one warning (`KV checksum
skipped`): nothing is verified then, and nothing is refused.

## What to do

Upgrade both roles together to 0.5.23 before you turn the checksum on.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.checksum import CHECKSUM, SETTLED, SINCE, has_checksum
from servelint_sglang.rules.looking import given, halves, is_absent, number_of, sides, surely, where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Component, Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "medium"
REMEDY = f"upgrade both roles together to SGLang 0.5.23 or later, or take {CHECKSUM} out"

TENSOR, PIPELINE, DATA, ATTENTION = "--tp-size", "--pp-size", "--dp-size", "--enable-dp-attention"
PREFIX = "--disaggregation-decode-enable-radix-cache"


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """The option in one of the two releases, where something divides the work."""
    for component in halves(deployment):
        if has_checksum(component) and surely(component, SINCE, SETTLED) == "yes":
            reason, name = _reason(component, deployment)
            if reason:
                yield Hit(component, reason, where(component, CHECKSUM, name))


def _reason(component: Component, deployment: Deployment) -> tuple[str, str]:
    """What the checksum of these releases does not stand, and the option that gives it."""
    if component.role != "prefill" and given(component, PREFIX) is not None:
        return "its checksum counts cached prefixes wrongly in this release", PREFIX
    width = _width(component)
    if width is not None and width > 1:
        return f"its {width} tensor-parallel ranks can hang on a difference in this release", TENSOR
    for name in (TENSOR, PIPELINE):
        if _differs(name, deployment):
            return f"prefill and decode differ in {name}, so this release aborts requests", name
    return "", ""


def _width(component: Component) -> int | None:
    """Ranks among which the attention of one request is divided; None where it is not known."""
    ranks = _size(component, TENSOR)
    if ranks is None or is_absent(component, ATTENTION):
        return ranks
    groups = _size(component, DATA)
    return ranks // groups if groups and given(component, ATTENTION) is not None else None


def _size(component: Component, name: str) -> int | None:
    return 1 if is_absent(component, name) else number_of(component, name)


def _differs(name: str, deployment: Deployment) -> bool:
    """True when each role is of one surely known size, and the two are not the same."""
    prefills, decodes = ({_size(one, name) for one in group} for group in sides(deployment))
    sizes = prefills | decodes
    return len(prefills) == len(decodes) == 1 and len(sizes) == 2 and None not in sizes
