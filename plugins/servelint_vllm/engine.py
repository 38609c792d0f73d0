"""The engine as the core wants it, put together from ``engine.toml``."""

from __future__ import annotations

from servelint.api import Engine, Option, Program
from servelint_vllm.images import resolve_image
from servelint_vllm.tables import engine_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from servelint.api import Invocation


def load_engine() -> Engine:
    """vLLM: the programs, options and releases that the data file holds."""
    table = engine_table()
    return Engine(
        id=table["id"],
        title=table["title"],
        packages=tuple(table["packages"]),
        programs=tuple(
            Program(
                tuple(row["words"]),
                row["kind"],
                inside=row.get("inside", ""),
                operands=row.get("operands", 0),
            )
            for row in table["program"]
        ),
        options=tuple(
            Option((name,), values, "")
            for values, names in table["options"].items()
            for name in names
        ),
        router_options=(),
        releases=tuple(table["releases"]["names"]),
        role_flag=table["role_flag"],
        roles=dict(table["roles"]),
        role_of=role_of,
        object_options=(table["role_flag"],),
        takes_underscores=True,
        evidence_env=tuple(table["evidence_env"]),
        config_options=tuple(table["config_options"]),
        version_hint=table["version_hint"],
        resolve_image=resolve_image,
    )


def role_of(invocation: Invocation) -> tuple[str, ...]:
    """The roles that a server may have: what the object of the role option says of it.

    An object without the key gives none. One that could not be read may give any.
    """
    table = engine_table()
    option: str = table["role_flag"]
    role = invocation.last(f"{option}.{table['role_key']}")
    if role is None and invocation.alike(f"{option}.*"):
        return ("none",)
    if role is None:
        is_told = invocation.last(option) is None and not invocation.open
        return ("none",) if is_told else ("unknown",)
    texts = role.value.texts if role.value is not None else None
    if texts is None:
        return ("unknown",)
    return tuple(dict.fromkeys(_role(text) for text in texts))


def _role(text: str) -> str:
    """A role of the engine in the words of the core; an empty text is no role."""
    roles: dict[str, str] = engine_table()["roles"]
    return roles.get(text, "unknown") if text else "none"
