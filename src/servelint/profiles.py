"""Profiles: groups of advisories and rules that are judged only where somebody asks for them."""

from __future__ import annotations

from servelint.config import MAX_QUOTE, ConfigError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from servelint.advisory import Advisory
    from servelint.config import Config
    from servelint.plugins import Registry
    from servelint.rule import Rule


def judged(registry: Registry, config: Config) -> tuple[tuple[Advisory, ...], tuple[Rule, ...]]:
    """The advisories and rules of no profile, and those of the profiles that are asked for.

    Raises :class:`ConfigError` for a profile that nothing has, and for an id that is selected
    but never judged: the run would look clean for the wrong reason.
    """
    _check(config, (*registry.advisories, *registry.rules))
    asked = ("", *config.profiles)
    return (
        tuple(record for record in registry.advisories if record.profile in asked),
        tuple(rule for rule in registry.rules if rule.profile in asked),
    )


def _check(config: Config, records: Sequence[Advisory | Rule]) -> None:
    known = sorted({record.profile for record in records if record.profile})
    for name in config.profiles:
        if name not in known:
            listed = f"known are {', '.join(known)}" if known else "there are none"
            raise ConfigError(f"profiles: unknown profile {name!r:.{MAX_QUOTE}}; {listed}")
    for record in records:
        if record.id in config.select and record.profile not in ("", *config.profiles):
            needed = f'it is judged only with profiles = ["{record.profile}"]'
            raise ConfigError(f"select: {record.id}: {needed}")
