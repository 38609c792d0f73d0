"""The engine as the core wants it, put together from ``engine.toml`` and ``options.json``."""

from __future__ import annotations

from functools import cache

from servelint.api import Engine, Option, Program
from servelint_sglang.images import resolve_image
from servelint_sglang.inside import load_inside
from servelint_sglang.packages import carriers, resolve_requirement
from servelint_sglang.recorded import pools_fit
from servelint_sglang.tables import engine_table, option_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@cache
def load_engine() -> Engine:
    """SGLang: every program, option and release that the data files hold."""
    table, releases = engine_table(), tuple(option_table()["releases"])
    return Engine(
        id=table["id"],
        title=table["title"],
        packages=tuple(table["packages"]),
        programs=tuple(
            Program(tuple(row["words"]), row["kind"], row.get("prefix", ""))
            for row in table["program"]
        ),
        options=tuple(
            _option(row["names"], row["values"], releases) for row in option_table()["options"]
        ),
        router_options=_router_options(table["router_options"]),
        releases=releases,
        role_flag=table["role_flag"],
        roles=dict(table["roles"]),
        role_switches=tuple(table["role_switches"]),
        defaults=dict(table["defaults"]),
        evidence_flags=tuple(table["evidence_flags"]),
        evidence_env=tuple(table["evidence_env"]),
        config_options=tuple(table["config_options"]),
        wrapper_roles=dict(table["wrapper"]["roles"]),
        wrapper_prefix=table["wrapper"]["prefix"],
        version_hint=table["version_hint"],
        inside=load_inside,
        pools_fit=pools_fit,
        truths={word: tuple(texts) for word, texts in table["truths"].items()},
        resolve_image=resolve_image,
        carriers=carriers(),
        resolve_requirement=resolve_requirement,
    )


def _option(names: Mapping[str, Sequence[str]], values: str, releases: tuple[str, ...]) -> Option:
    """One option with the releases in which any of its spellings lived."""
    order = _order(releases)
    first = min((life[0] for life in names.values()), key=order.__getitem__)
    ends = [life[1] for life in names.values()]
    last = "" if "" in ends else max(ends, key=order.__getitem__)
    return Option(tuple(names), values, first, last)


@cache
def _order(releases: tuple[str, ...]) -> dict[str, int]:
    """The place of each release in the order of all."""
    return {release: number for number, release in enumerate(releases)}


def _router_options(groups: Mapping[str, Sequence[str]]) -> tuple[Option, ...]:
    """The options of the routers, which have releases of their own: none is told."""
    return tuple(
        Option(tuple(spellings.split()), values, "")
        for values, rows in groups.items()
        for spellings in rows
    )
