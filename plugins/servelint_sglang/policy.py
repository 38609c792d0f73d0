"""What a site demands of its deployments: the table ``[tool.servelint.sglang]``."""

from __future__ import annotations

from dataclasses import dataclass, replace

from packaging.version import InvalidVersion, Version

from servelint.api import Affected, Condition, Mitigated, SettingError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from servelint.api import Advisory

TENANCIES = ("multi", "single")
KEYS = ("minimum-version", "require-kv-checksum", "accept-interim-mitigation", "tenancy")

HALVES = Condition("role", ("prefill", "decode", "both"))

CROSSED = ("SGL-2026-0001", "SGL-2026-0002", "SGL-2026-0003", "SGL-2026-0004")
"""What may show one user's data to another."""

HELD = "SGL-2026-0002"
"""What the variable that holds pages back mitigates."""

FLOOR = "SGL-2026-0005"
"""The record of the lowest version that should run."""

LOWER = {"critical": "high", "high": "medium", "medium": "low", "low": "note", "note": "note"}


@dataclass(frozen=True, slots=True)
class Policy:
    """The demands. ``minimum_version`` of each half of a pair is empty where none is set.

    ``require_kv_checksum``: both halves have the transfer checksum on.
    ``accept_interim_mitigation``: the variable that holds pages back counts for more in
    releases where it has to be switched on. ``tenancy`` is ``multi`` or ``single``.
    """

    minimum_version: str = ""
    require_kv_checksum: bool = False
    accept_interim_mitigation: bool = False
    tenancy: str = "multi"


def read_policy(table: Mapping[str, object]) -> Policy:
    """The policy that a table says. Raises :class:`servelint.api.SettingError`."""
    for key in table:
        if key not in KEYS:
            raise SettingError(f"unknown key {key!r:.80}; known are {', '.join(KEYS)}")
    return Policy(
        minimum_version=_version(table.get("minimum-version", "")),
        require_kv_checksum=_switch(table, "require-kv-checksum"),
        accept_interim_mitigation=_switch(table, "accept-interim-mitigation"),
        tenancy=_tenancy(table.get("tenancy", TENANCIES[0])),
    )


def _switch(table: Mapping[str, object], key: str) -> bool:
    value = table.get(key, False)
    if not isinstance(value, bool):
        raise SettingError(f"{key}: expected true or false")
    return value


def _tenancy(value: object) -> str:
    if value not in TENANCIES:
        raise SettingError(f"tenancy: {value!r:.80}; expected one of {', '.join(TENANCIES)}")
    return str(value)


def _version(value: object) -> str:
    if value == "":
        return ""
    try:
        return str(Version(value if isinstance(value, str) else "none"))
    except InvalidVersion as error:
        raise SettingError(f"minimum-version: {value!r:.80} is no version (PEP 440)") from error


def under(policy: Policy, advisories: Sequence[Advisory]) -> tuple[Advisory, ...]:
    """The advisories as they weigh under a policy."""
    every = tuple(advisories)
    if policy.accept_interim_mitigation:
        every = tuple(_accepted(one) if one.id == HELD else one for one in every)
    if policy.tenancy == "single":
        every = tuple(_for_one(one) if one.id in CROSSED else one for one in every)
    if policy.minimum_version:
        every = tuple(_demanding(one, policy.minimum_version) for one in every)
    return every


def _accepted(advisory: Advisory) -> Advisory:
    """One step less where what helps is in place."""
    helps = tuple(replace(one, severity=LOWER[one.severity]) for one in advisory.mitigated)
    return replace(advisory, mitigated=helps)


def _for_one(advisory: Advisory) -> Advisory:
    """One step less where all users are of one tenant: what leaks, leaks among them."""
    why = "tenancy is single: the data of one user may reach another one of the same tenant"
    lower = Mitigated("", "", (HALVES,), LOWER[advisory.severity], why)
    return replace(advisory, mitigated=(*advisory.mitigated, lower))


def _demanding(advisory: Advisory, minimum: str) -> Advisory:
    """No advice below the version that is demanded; what runs below it is a finding."""
    if advisory.id == FLOOR:
        below = Affected("", minimum, (HALVES,))
        return replace(advisory, severity="medium", recommended=minimum, affected=(below,))
    if advisory.recommended and Version(advisory.recommended) < Version(minimum):
        return replace(advisory, recommended=minimum)
    return advisory
