"""The SGLang plugin: the engine with its options, releases and images, and its advisories."""

from __future__ import annotations

from functools import cache
from types import MappingProxyType

from servelint.api import Plugin, TextReader, load_advisories
from servelint_sglang.engine import load_engine
from servelint_sglang.policy import read_policy, under
from servelint_sglang.rules import rules
from servelint_sglang.tables import data_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from servelint.api import Advisory

LAUNCHER_KEYS = (
    *("disaggregation-mode", "disaggregation_mode", "sglang_config", "server_groups"),
    "default_container",
)
"""What a file of a launcher holds."""


def plugin(table: Mapping[str, object] = MappingProxyType({})) -> Plugin:
    """All that this plugin gives, under the settings of ``[tool.servelint.sglang]``.

    Raises :class:`servelint.api.SettingError` for a wrong setting, and what a damaged
    data file raises.
    """
    policy = read_policy(table)
    return Plugin(
        name="sglang",
        engines=(load_engine(),),
        advisories=under(policy, _advisories()),
        rules=rules(policy),
        logs="servelint_sglang.startup",
        readers=(TextReader("yaml", LAUNCHER_KEYS, "servelint_sglang.launchers"),),
    )


@cache
def _advisories() -> tuple[Advisory, ...]:
    """The records as they are written."""
    return load_advisories(data_path("advisories"))
