"""A staging buffer where it cannot work.

`SGLANG_DISAGG_STAGING_BUFFER` (0.5.10 and later) gathers the pieces of a cache before they are
transferred, for two roles that spread attention over different numbers of ranks. It needs

- the variable on both roles,
- Mooncake or NIXL,
- a model whose keys and values are spread over the ranks: with latent attention (DeepSeek, Kimi K2)
  there is nothing to gather,
- a `--chunked-prefill-size` above 0 that is a multiple of the page size.

Otherwise the server stops when it starts, or fails at the first request.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.looking import (
    env_place,
    halves,
    launch_place,
    number_of,
    text_of,
    truth,
    variable,
)
from servelint_sglang.rules.models import LATENT, family
from servelint_sglang.rules.unequal_attention_tp import BACKENDS, STAGING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Component, Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "medium"
REMEDY = "remove SGLANG_DISAGG_STAGING_BUFFER, or set it on both roles as its page says"


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """The variable on a server that it does not fit, or on one role only."""
    servers = tuple(halves(deployment))
    for component in servers:
        env = variable(component, STAGING)
        if env is None or _is_on(component) is not True:
            continue
        why = _unfit(component) or _alone(component, servers)
        if why:
            yield Hit(component, why, (env_place(env), launch_place(component)))


def _is_on(component: Component) -> bool | None:
    """Whether the buffer is on; None where that is not known."""
    env = variable(component, STAGING)
    if env is None:
        return False if variable(component, "*") is None else None
    return bool(truth(component, env.value.text)) if env.value.text is not None else None


def _unfit(component: Component) -> str:
    backend = text_of(component, "--disaggregation-transfer-backend")
    if backend is not None and backend not in BACKENDS:
        return f"it has a staging buffer, and its transfer backend is {backend}"
    if family(component) == LATENT:
        return "it has a staging buffer, and a model with latent attention"
    chunk, page = (
        number_of(component, "--chunked-prefill-size"),
        number_of(component, "--page-size"),
    )
    off = text_of(component, "--chunked-prefill-size") in ("-1", "0")
    if off or (chunk and page and chunk % page):
        rest = "is off" if off else f"is {chunk}, no multiple of its pages of {page}"
        return f"it has a staging buffer, and its chunked prefill {rest}"
    return ""


def _alone(component: Component, servers: tuple[Component, ...]) -> str:
    others = [one for one in servers if one.role != component.role]
    if others and all(_is_on(one) is False for one in others):
        return f"it has a staging buffer, and {others[0].role} has none"
    return ""
