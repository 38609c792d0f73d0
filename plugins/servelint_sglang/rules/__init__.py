"""The rules on SGLang, one module each: what no range of versions says.

The docstring of a module is the page of its rule: the first line is the title, without its full
stop. ``SEVERITY`` and ``REMEDY`` stand below it, ``PROFILE`` where the rule is off unless asked
for; ``check(deployment, policy)`` is pure and yields what it finds.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module

from servelint.api import Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from servelint.api import Deployment, Hit
    from servelint_sglang.policy import Policy

    Check = Callable[[Deployment, Policy], Iterable[Hit]]

NAMES = (
    "unread-config-file",
    "underscored-config-key",
    "unknown-option",
    "ambiguous-option",
    "pool-below-context",
    "unequal-context",
    "auto-truncation",
    "disabled-deferred-release",
    "short-release-timeout",
    "ineffective-deferred-release",
    "early-prefix-send",
    "plugin-transfer-backend",
    "mixed-versions",
    "one-sided-checksum",
    "missing-checksum",
    "hanging-checksum",
    "uncovered-checksum",
    "blind-decode",
    "undecided-pool",
    "stale-pool-record",
    "unequal-page-size",
    "unequal-kv-cache-dtype",
    "unequal-transfer-backend",
    "different-models",
    "unequal-allocation-policy",
    "unequal-attention-tp",
    "misplaced-staging-buffer",
    "one-sided-speculation",
    "fake-prefill-backend",
    "offload-without-storage",
    "per-rank-pool",
    "repeated-option",
    "mismatched-bootstrap-port",
    "loopback-bound-server",
    "clashing-ports",
    "published-bootstrap-port",
    "open-tcp-transfer",
    "open-metadata-server",
    "open-control-api",
    "unpinned-remote-code",
    "privileged-server",
)
"""The ids of all rules, in the order in which they are listed."""


def rules(policy: Policy) -> tuple[Rule, ...]:
    """All rules under a policy."""
    return tuple(_rule(name, policy) for name in NAMES)


def _rule(name: str, policy: Policy) -> Rule:
    module = import_module(f"{__name__}.{name.replace('-', '_')}")
    title, _, body = (module.__doc__ or "").partition("\n")
    return Rule(
        id=name,
        title=_headline(title),
        severity=module.SEVERITY,
        remedy=module.REMEDY,
        body=body.strip(),
        check=partial(_checked, module.check, policy),
        profile=getattr(module, "PROFILE", ""),
    )


def _headline(line: str) -> str:
    """A title as it stands behind an id: small, unless it begins with a name in capitals."""
    text = line.removesuffix(".")
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def _checked(check: Check, policy: Policy, deployment: Deployment) -> Iterable[Hit]:
    return check(deployment, policy)
