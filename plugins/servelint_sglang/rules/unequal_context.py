"""A context length that differs between prefill and decode.

Nothing compares the two: each role refuses what does not fit into its own `--context-length`, and
the other one knows nothing of it. Without the option a server takes the context of its model.

- Where prefill offers less than decode, prefill refuses the request at its front end, while decode
  has reserved its pages and waits until a timeout, of up to half an hour. Before 0.5.20 a prompt
  within six tokens of the limit also leaks (SGL-2026-0001).
- Where prefill offers more than decode, decode refuses the request, and prefill computes it for
  nothing and waits.

The limit counts the tokens that are asked for as well: with unequal contexts the hang begins where
prompt and `max_new_tokens` together exceed the smaller one. Where speculative decoding reserves six
slots or more, the six tokens of the leak do not exist.

## What to do

Write the same `--context-length` on both roles. Where only one role has it, write it on the other
one too: that also lets this linter compare it with the pool.

## What is not said here

- With the option on one role only, the context of the model may be the same number. What is found
  then weighs less, unless the model is known.
- A deployment in which servers of one role differ among themselves is not judged.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.limits import CONTEXT, OVERRIDE, context, is_told, leaks, model_name
from servelint_sglang.rules.looking import as_peers, given, is_absent, sides, where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Component, Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "medium"
UNSURE = {"critical": "high", "high": "medium", "medium": "medium"}
"""What a severity is where the model may have the context that the other role gives."""

FATES = {
    "leak": (
        "hangs on decode, or leaks what other requests left",
        "may hang on decode, or leak what other requests left",
    ),
    "less": ("hangs on decode", "may hang on decode"),
    "more": ("is computed for nothing", "may be computed for nothing"),
}
"""What becomes of a request that one role refuses, and how that is said when it is not sure."""

REMEDY = "write the same --context-length on both roles"


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """Each role of one mind, and the two of another."""
    prefills, decodes = sides(deployment)
    if not _is_one(prefills) or not _is_one(decodes):
        return
    prefill, decode = prefills[0], decodes[0]
    small, large = context(prefill), context(decode)
    if small is not None and large is not None:
        if small != large:
            is_sure = is_told(prefill) and is_told(decode)
            yield from _hits(prefills, decodes, is_less=small < large, is_sure=is_sure)
    elif _only(prefill, decode):
        yield from _hits(prefills, decodes, is_less=True, is_sure=False)
    elif _only(decode, prefill):
        yield from _hits(prefills, decodes, is_less=False, is_sure=False)


def _is_one(group: tuple[Component, ...]) -> bool:
    """True for servers that all have the same context, or all have none written."""
    said = {(context(one), given(one, CONTEXT) is None, is_absent(one, CONTEXT)) for one in group}
    return len(said) == 1


def _only(one: Component, other: Component) -> bool:
    """True when one has a known context and the other one surely takes that of its model."""
    is_plain = is_absent(other, CONTEXT) and is_absent(other, OVERRIDE)
    return context(one) is not None and given(one, CONTEXT) is not None and is_plain


def _hits(
    prefills: tuple[Component, ...],
    decodes: tuple[Component, ...],
    *,
    is_less: bool,
    is_sure: bool,
) -> Iterator[Hit]:
    decode = decodes[0]
    peers = as_peers(where(decode, CONTEXT))
    for prefill in prefills:
        severity = _severity(prefill) if is_less else SEVERITY
        own = where(prefill, CONTEXT)
        is_told = given(prefill, CONTEXT) is not None
        yield Hit(
            prefill,
            _why(prefill, decode, is_less=is_less, is_sure=is_sure),
            (*own, *peers) if is_told else (*peers, *own),
            severity=severity if is_sure else UNSURE[severity],
            confidence="high" if is_sure and not prefill.invocation.open else "medium",
        )


def _severity(prefill: Component) -> str:
    """What less on prefill weighs: a leak, or where speculation rules that out a hang."""
    is_plain = is_absent(prefill, "--speculative-algorithm")
    return "critical" if is_plain and leaks(prefill) else "high"


def _why(prefill: Component, decode: Component, *, is_less: bool, is_sure: bool) -> str:
    key = "less" if is_less else "more"
    if is_less and _severity(prefill) == "critical":
        key = "leak"
    fate = FATES[key][0 if is_sure else 1]
    between = "a request between the two" if is_sure else "if they differ, a request between them"
    return f"its context is {_said(prefill)}, that of decode {_said(decode)}; {between} {fate}"


def _said(component: Component) -> str:
    size = context(component)
    if given(component, CONTEXT) is not None:
        return f"{size:,} tokens"
    if size is None:
        return "what its model has"
    name = "its model" if is_told(component) else f"a {model_name(component)}"
    return f"{size:,} tokens, as {name} has"
