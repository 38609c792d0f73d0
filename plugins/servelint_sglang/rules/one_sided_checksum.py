"""A transfer checksum that only one role has.

`--disaggregation-enable-kv-checksum` (0.5.21 and later) works only where both roles have it:
prefill sends a checksum of what it wrote, decode compares. On one role alone nothing is verified,
and it can do harm:

- On prefill only, nothing is verified in any release. Up to 0.5.22 `mori` logs an error for each
  request, and `mooncake` with auxiliary data over TCP can lose the thread of decode that receives.
- On decode only, in 0.5.21 and 0.5.22, prefill loses the thread that sends with `mooncake` and
  `ascend`, and each request fails with `nixl`.
- On decode only, in 0.5.23, prefill logs an error and nothing is verified.

## What to do

Put the option on both roles, with 0.5.23 or later on both, or take it out. No line of the log and
no metric says that a request was verified: look for the absence of `KV checksum skipped` and
`registered ... metadata buffers` in the logs of 0.5.23.

## What is not said here

What the checksum does not cover: see `uncovered-checksum` and `hanging-checksum`.
"""

from __future__ import annotations

from servelint.api import Hit
from servelint_sglang.rules.checksum import CHECKSUM, SETTLED, SINCE, has_checksum
from servelint_sglang.rules.looking import as_peers, sides, surely, where
from servelint_sglang.rules.release_hold import backend

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Component, Deployment
    from servelint_sglang.policy import Policy

SEVERITY = "medium"
REMEDY = f"put {CHECKSUM} on both roles, with SGLang 0.5.23 or later on both, or take it out"

STOPPED = ("mooncake", "mooncake_tcp", "ascend", "nixl")
"""Backends that transfer nothing more where decode alone has the checksum."""


def check(deployment: Deployment, _policy: Policy) -> Iterator[Hit]:
    """All servers of one role with the option, none of the other."""
    for group, others in (sides(deployment), tuple(reversed(sides(deployment)))):
        has = {has_checksum(one) for one in group}
        if has != {True} or {has_checksum(one) for one in others} != {False}:
            continue
        for one in group:
            if surely(one, fixed=SINCE) != "yes":
                is_harmful = one.role == "decode" and _stops(others[0])
                yield Hit(
                    one,
                    _why(one, is_harmful=is_harmful),
                    (*where(one, CHECKSUM), *as_peers(where(others[0]))),
                    severity="high" if is_harmful else SEVERITY,
                )


def _stops(prefill: Component) -> bool:
    return surely(prefill, SINCE, SETTLED) == "yes" and backend(prefill) in STOPPED


def _why(component: Component, *, is_harmful: bool) -> str:
    other = "prefill" if component.role == "decode" else "decode"
    said = f"it has the transfer checksum and {other} has not, so nothing is verified"
    return f"{said} and transfers fail in this release" if is_harmful else said
