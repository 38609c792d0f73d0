"""What servers once said of their pools, beside what is deployed now."""

from __future__ import annotations

from servelint.api import Release
from servelint_sglang.logs.record import last_part, stale

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Component, Deployment, PoolRecord

MODEL = "--model-path"
PREFILL, DECODE = ("prefill", "both"), ("decode", "both")


def records_of(component: Component) -> Iterator[tuple[PoolRecord, tuple[str, ...]]]:
    """The records of servers with the model of a component, and in what each differs from it."""
    flag = component.invocation.last(MODEL)
    model = flag.value.text if flag is not None and flag.value is not None else None
    for record in component.pools:
        if model is not None and last_part(record.model) == last_part(model):
            invocation = component.invocation
            version = _release(component)
            yield record, stale(record, invocation.flags, version, is_open=invocation.open)


def pools_fit(deployment: Deployment) -> bool:
    """True where recorded pools prove that prefill admits what decode does.

    Every prefill server has a record that nothing contradicts, in which the pool holds the
    context; every decode server has one, too, with no longer context.
    """
    contexts: dict[str, set[int]] = {"prefill": set(), "decode": set()}
    for component in deployment.components:
        if component.kind != "server" or component.role in ("none", "unknown"):
            if component.kind == "server":
                return False
            continue
        fresh = [record for record, reasons in records_of(component) if not reasons]
        is_prefill = component.role in PREFILL
        if not fresh or (is_prefill and any(one.pool < one.context for one in fresh)):
            return False
        roles = [
            role
            for role, own in (("prefill", PREFILL), ("decode", DECODE))
            if component.role in own
        ]
        for role in roles:
            contexts[role].update(one.context for one in fresh)
    both = contexts["prefill"] | contexts["decode"]
    return bool(contexts["prefill"]) and bool(contexts["decode"]) and len(both) == 1


def _release(component: Component) -> str:
    """The release that surely runs; empty where that is not known."""
    candidates = component.resolution.candidates
    only = candidates[0] if len(candidates) == 1 else None
    return only.version if isinstance(only, Release) else ""
