"""The options that a release surely parses itself, as they are written."""

from __future__ import annotations

from servelint_sglang.rules.looking import servers
from servelint_sglang.tables import engine_table, option_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from servelint.api import Component, Deployment, Flag

    Parsed = tuple[Component, Flag, str, str]
    """Server, option, its name as written, and the release that runs."""


def own_options(deployment: Deployment) -> Iterator[Parsed]:
    """Every option of a server that is started by the engine's own program.

    Only where one release surely runs. Keys with underscores in files have a rule of their own.
    """
    for component in servers(deployment):
        release = _release(component)
        if not release or not _is_own(component):
            continue
        is_file = component.invocation.launch.form == "configured"
        for flag in component.invocation.flags:
            written = flag.written.head.partition("=")[0]
            is_whole = "=" in flag.written.head or flag.written.text is not None
            is_elsewhere = written in engine_table()["front_options"] or (
                is_file and "_" in written
            )
            if is_whole and not is_elsewhere:
                yield component, flag, written, release


def _is_own(component: Component) -> bool:
    launch = component.invocation.launch
    if launch.engine or launch.form not in ("", "configured"):
        return False
    program = component.invocation.program
    return any(program == words or program.endswith((f" {words}", f"/{words}")) for words in _own())


def _own() -> tuple[str, ...]:
    return tuple(engine_table()["own_programs"])


def _release(component: Component) -> str:
    """The release that surely runs; empty where several may, or one that is not in the data."""
    resolution = component.resolution
    texts = {getattr(one, "version", "") for one in resolution.candidates}
    if resolution.reason or not resolution.clears or resolution.confidence != "high":
        return ""
    (only,) = texts if len(texts) == 1 else ("",)
    return only if only in option_table()["releases"] else ""
